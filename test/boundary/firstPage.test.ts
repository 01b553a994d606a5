import type { ForcedResponse, JsonObject, JsonValue } from '../reference-service';
import { cut, diagnose, hostWith, list, requestedPages, stated, synthetic } from './listedHost';
import { publishAt } from './polledHost';

const SENTENCE = 'The service counts pages from 1, so Page 0 and Page 1 are the same.';

/** A service that counts from 1 and has nothing for page 0. */
async function hostFromOne(zero: number | 'empty', users = 250) {
	const host = await hostWith({ users });
	const isEmpty = zero === 'empty';
	host.service.set({ list: { firstPageNumber: 1, pageBeforeFirst: isEmpty ? zero : 'error' } });
	if (!isEmpty) host.service.set({ list: { badParameter: { status: zero } } });
	return host;
}

/** A service of which each page is stated. */
const hostOf = async (respond: Parameters<typeof stated>[0]) =>
	await hostWith({}, { switches: { list: stated(respond) } });

const users = synthetic('users', 250);
const slice = (from: number) => users.slice(100 * from, 100 * from + 100);
const requestedNumbers = (host: Awaited<ReturnType<typeof hostWith>>) =>
	requestedPages(host)
		.map(({ page }) => page)
		.join();

/** Reads each of the first pages of 20, and finds the last user. @returns the hints of the pages */
async function readsFromOne(host: Awaited<ReturnType<typeof hostWith>>) {
	const hints: Array<string | undefined> = [];
	for (const page of [0, 1, 2]) {
		const run = await list(host, { returnAll: false, limit: 20, page });
		expect(run.error).toBeUndefined();
		expect(run.items).toEqual(cut(users, Math.max(0, page - 1), 20));
		hints.push(run.hints[0]?.message);
	}
	const value = users[249]?.id as string;
	const found = await list(host, { operation: 'find', field: 'id', value });
	expect(found.items).toEqual([users[249]]);
	return hints;
}

describe.each([400, 404, 410, 416, 422, 'empty'] as const)('page 0 is %s', (zero) => {
	it('all are listed, and a hint says from where the service counts', async () => {
		const host = await hostFromOne(zero);
		const run = await list(host, { options: { pageSize: 100 } });
		expect(run.items).toHaveLength(250);
		expect(run.hints).toMatchObject([{ type: 'info' }]);
		expect(run.hints[0]?.message).toContain(SENTENCE);
		expect(requestedNumbers(host)).toBe('0,1,0,2,3');
	});

	it('Page 0 and Page 1 are the same, and Find finds', async () => {
		const [zeroth, first] = await readsFromOne(await hostFromOne(zero));
		for (const hint of [zeroth, first]) expect(hint).toContain(SENTENCE);
	});

	it('the credential can be tested, and a token of an earlier run is not doubted', async () => {
		const host = await hostFromOne(zero);
		expect(await host.testConnection()).toMatchObject({ status: 'OK' });
		await list(host);
		host.service.clearRequests();
		await list(host);
		expect(host.service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	});

	it.each(['createdOrUpdated', 'removed'])(
		'a poll for %s reads on from page 1',
		async (triggerOn) => {
			const host = await hostFromOne(zero, 150);
			const workflow = await publishAt(host, { triggerOn });
			for (let poll = 0; poll < 3; poll++) {
				host.time.pass(600_000);
				host.service.clearRequests();
				await workflow.poll();
			}
			expect(requestedNumbers(host)).toBe(triggerOn === 'removed' ? '1,2' : '1');
		},
	);
});

it.each([
	['page 1 fails with 404, too', 404, 404, 'has nothing at', '0,1'],
	['page 0 fails with 500', 500, 200, 'page 1 can be read', '0,1,0'],
	['page 0 fails with 403', 403, 200, 'not allowed', '0'],
])('%s: an error', async (_, zero, one, message, pages) => {
	const host = await hostOf((page) => ({
		status: page === 0 ? zero : one,
		body: { users: slice(page - 1) },
	}));
	expect((await list(host)).error?.message).toContain(message);
	expect(requestedNumbers(host)).toBe(pages);
});

it('a page size that is refused beside page 0 is what the error names', async () => {
	const host = await hostOf((page, size): ForcedResponse => {
		const [field, min] = page < 1 ? ['page', 'at least 1'] : ['pageSize', 'at most 25'];
		if (page < 1 || size > 25) return { status: 400, body: { error: `${field} must be ${min}` } };
		return { status: 200, body: { users: cut(users, page - 1, size) } };
	});
	const { error } = await list(host);
	expect(error?.description).toMatch(/^Try a smaller Page Size\..*pageSize must be/);
	expect((await list(host, { options: { pageSize: 25 } })).items).toEqual(users);
});

it('page 0 that always fails with 500 fails no credential, and Page is named only where it is', async () => {
	const host = await hostOf((page) => ({
		status: page === 0 ? 500 : 200,
		body: { users: slice(page - 1) },
	}));
	expect(await host.testConnection()).toMatchObject({ status: 'OK' });
	expect((await list(host)).error?.description).toContain('set Page to 1');
	const found = await list(host, { operation: 'find', field: 'id', value: 'user-000002' });
	const failed = await publishAt(host).catch(String);
	for (const text of [found.error?.message, failed]) expect(text).toContain('page 1 can be read');
	for (const text of [found.error?.description, failed]) expect(text).not.toContain('Page');
});

it.each([404, 500])('page 0 that fails with %d in passing is not lost', async (status) => {
	const host = await hostOf((page, _size, requestIndex) => ({
		status: requestIndex === 0 ? status : 200,
		body: { users: slice(page) },
	}));
	const { items, hints } = await list(host);
	expect(items).toHaveLength(250);
	expect(hints[0]?.message).not.toContain(SENTENCE);
});

it.each([
	['the last page and page 1 as itself', 3, (page: number) => page, 250, true],
	['another number, as page 1 does', 7, () => 7, 250, false],
])('page 0 names %s', async (_, zero, one, count, fromOne) => {
	const host = await hostOf((page) => {
		const index = fromOne ? (page === 0 ? 2 : page - 1) : page;
		return { status: 200, body: { page: page === 0 ? zero : one(page), users: slice(index) } };
	});
	const { items, hints } = await list(host);
	expect(items.map(({ id }) => id)).toEqual(users.slice(0, count).map(({ id }) => id));
	expect(hints[0]?.message.includes(SENTENCE)).toBe(fromOne);
});

it('pages cut to a maximum join if the service counts from 1', async () => {
	const host = await hostFromOne(404);
	host.service.set({ list: { maxPageSize: 30 } });
	const { items, hints } = await list(host);
	expect(items).toHaveLength(250);
	expect(hints).toMatchObject([{ type: 'info' }]);
});

it.each([
	[{ total: 0 }, 2],
	[{}, 2],
])('an empty list that says %j costs %d requests', async (facts, requests) => {
	const host = await hostOf(() => ({ status: 200, body: { ...facts, users: [] } }));
	const { items, hints } = await list(host);
	expect(items).toEqual([]);
	expect(hints[0]?.message).not.toContain(SENTENCE);
	expect(requestedPages(host)).toHaveLength(requests);
});

it.each<JsonValue>([null, {}, [], { users: null }, { error: 'page must be at least 1' }])(
	'page 0 of %j is no page if page 1 is a list',
	async (body) => {
		const host = await hostOf((page) => ({
			status: 200,
			body: page === 0 ? body : { users: slice(page - 1) },
		}));
		const { items, hints } = await list(host);
		expect(items).toHaveLength(250);
		expect(hints).toMatchObject([{ type: 'info' }]);
	},
);

it('a poll whose page 0 is always empty is not silent', async () => {
	const all = users.slice(0, 20);
	const host = await hostOf((page) => ({
		status: 200,
		body: { visits: page === 1 ? all : [], total: page === 1 ? all.length : 0 },
	}));
	const workflow = await publishAt(host, { resource: 'visit', triggerOn: 'created' });
	host.time.pass(600_000);
	const createdAt = new Date(host.time.now()).toISOString();
	all.push({ ...users[0], id: 'new', createdAt });
	expect(await workflow.poll()).toMatchObject([{ id: 'new' }]);
});

const counted = (data: JsonObject[], page: number) => ({ page, total: 250, data });

/** Page 0 counts as a request without a page, as 0 is no number for `if (page)`. */
describe.each<
	[
		string,
		(all: JsonObject[], size: number) => JsonValue,
		(page: JsonObject[], number: number, size: number) => JsonValue,
	]
>([
	[
		'the whole list, bare',
		(all) => all,
		(data, number, size) => ({
			first: 1,
			prev: number > 1 ? number - 1 : null,
			pages: Math.ceil(250 / size),
			items: 250,
			data,
		}),
	],
	['a page of the requested size, bare', (all, size) => all.slice(0, size), counted],
	[
		'a page of the requested size, and bare',
		(all, size) => all.slice(0, size),
		(data) => ({ data }),
	],
	['the whole list, and other pages are bare, too', (all) => all, (data) => data],
	['the whole list with its total', (data) => ({ total: 250, data }), counted],
	['a page of 30, bare', (all) => all.slice(0, 30), counted],
	['a page of 30, and other pages are bare, too', (all) => all.slice(0, 30), (data) => data],
	['a page of 30 with a total', (all) => counted(all.slice(0, 30), 1), counted],
	['a page of 150, bare', (all) => all.slice(0, 150), counted],
	['a page of 150 with a total', (all) => counted(all.slice(0, 150), 1), counted],
])('page 0 is %s', (_, zero, other) => {
	const hostWithoutZero = async (maxPageSize = 1000) =>
		await hostOf((page, requestedSize) => {
			const size = Math.min(requestedSize, maxPageSize);
			const body = page === 0 ? zero(users, size) : other(cut(users, page - 1, size), page, size);
			return { status: 200, body };
		});

	it.each([1000, 100, 50])('all are listed if a page holds %d at most', async (maxPageSize) => {
		const { error, items, hints } = await list(await hostWithoutZero(maxPageSize));
		expect(error).toBeUndefined();
		expect(items).toEqual(users);
		expect(hints).toMatchObject([{ type: 'info' }]);
	});

	it('Page 0 and Page 1 are the same, and Find finds', async () => {
		await readsFromOne(await hostWithoutZero());
	});

	it('Diagnose finds it', async () => {
		const { error, finding } = await diagnose(await hostWithoutZero());
		expect(error).toBeUndefined();
		expect(finding('summary')?.meaning).toMatch(/^List Users works with the defaults/);
		expect(finding('firstPageNumber')).toMatchObject({ observed: 1 });
	});

	it.each(['created', 'removed'])('a poll for %s finds one', async (triggerOn) => {
		const host = await hostWithoutZero();
		const workflow = await publishAt(host, { triggerOn });
		host.time.pass(600_000);
		expect(await workflow.poll()).toEqual([]);
	});
});
