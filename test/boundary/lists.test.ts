import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { DeepPartial, ForcedResponse, JsonValue, ListSwitches } from '../reference-service';
import {
	cut,
	hostWith,
	list as listOf,
	requestedPages as pagesOf,
	stated,
	synthetic,
} from './listedHost';

type Lists = DeepPartial<ListSwitches>;

/** A tenant with so many users, and a way to list them. */
async function tenantWith(count: number, lists: Lists = {}) {
	const host = await hostWith({ users: count }, { switches: { list: lists } });
	const list = async (parameters: INodeParameters = {}, settings = {}) =>
		await listOf(host, parameters, settings);
	return { list, requestedPages: () => pagesOf(host), service: host.service };
}

const users = (count: number, from = 0) => synthetic('users', count, from);

describe('a list', () => {
	it('is asked for in order, a page after the other', async () => {
		const { list, requestedPages } = await tenantWith(250);
		expect((await list({ options: { pageSize: 100 } })).items).toEqual(users(250));
		expect(requestedPages()).toEqual(['0', '1', '2'].map((page) => ({ page, pageSize: '100' })));
	});

	it('begins at the page that was set, even after the end', async () => {
		const { list, service } = await tenantWith(250);
		const options = { pageSize: 20 };
		const later = await list({ returnAll: false, limit: 30, page: 4, options });
		expect(later.items).toEqual(users(30, 80));
		const after = await list({ returnAll: false, page: 99, options });
		expect(after.items).toEqual([]);
		expect(after.hints[0]?.message).toMatch(
			/^Read 0 users .* Page 99 is after the end of the list\./,
		);
		service.set({ list: { pageBeyondEnd: 'error' } });
		const outOfRange = await list({ returnAll: false, page: 99 });
		expect([outOfRange.error, outOfRange.items]).toEqual([undefined, []]);
	});

	it.each([1, 99])('of Spring has no list after its end: %d users', async (count) => {
		const respondWith = ({ query }: { query: Record<string, string> }) => {
			const [number, size] = [Number(query.page), Number(query.pageSize)];
			const userList = users(count).slice(number * size, (number + 1) * size);
			const page = { size, number, totalElements: count, totalPages: Math.ceil(count / size) };
			const embedded = userList.length > 0 && { _embedded: { userList } };
			return { status: 200, body: { ...embedded, _links: { self: { href: '/users' } }, page } };
		};
		const { list } = await tenantWith(0, { respondWith });
		const options = { pageSize: 20 };
		for (const page of [Math.ceil(count / 20), 9]) {
			const { error, hints, items } = await list({ returnAll: false, page, options });
			expect([error, items]).toEqual([undefined, []]);
			expect(hints).toMatchObject([{ type: 'info' }]);
		}
	});

	it.each([
		['Result window is too large, from + size must be at most 1000', {}],
		['Result window is too large, from + size must be at most 1000', { total: 1000 }],
		['Result window is too large, from + size must be at most 1000', { total: 2345 }],
		['Only the first 1000 search results are available', { total: 2345 }],
	])('of which only the first can be read has more: %s, %j', async (message, facts) => {
		const respond = (page: number, size: number): ForcedResponse =>
			(page + 1) * size > 1000
				? { status: 422, body: { message } }
				: { status: 200, body: { ...facts, users: users(size, page * size) } };
		const { list } = await tenantWith(0, stated(respond));
		for (const options of [{}, { pageSize: 100 }]) {
			const { hints, items } = await list({ options });
			expect(items).toEqual(users(1000));
			expect(hints).toMatchObject([{ type: 'warning' }]);
			expect(hints[0]?.message).toContain(`The service said: "${message}".`);
			expect(hints[0]?.message).not.toMatch(/Until Stable|may have changed/);
		}
	});

	it.each([
		[0, 99],
		[0, 100],
		[1, 100],
		[0, 101],
	])(
		'of a service that counts from %d and repeats its last page: %d users',
		async (first, count) => {
			const respondWith = ({ query }: { query: Record<string, string> }) => {
				const size = Number(query.pageSize);
				const last = Math.ceil(count / size) - 1;
				const page = Math.min(last, Math.max(0, Number(query.page) - first));
				return { status: 200, body: users(count).slice(page * size, (page + 1) * size) };
			};
			const { list } = await tenantWith(0, { respondWith });
			const { error, items } = await list();
			expect([error, items]).toEqual([undefined, users(count)]);
		},
	);

	it('is in pages of another size than requested, so that the page after its end is, too', async () => {
		const respond = (page: number): ForcedResponse => {
			const results = page < 1 ? [] : cut(users(99), page - 1, 50);
			return results.length === 0
				? { status: 404, body: { detail: 'Invalid page.' } }
				: { status: 200, body: { count: 99, next: null, previous: null, results } };
		};
		const { list } = await tenantWith(0, stated(respond));
		const { error } = await list({ returnAll: false, page: 3, options: { pageSize: 20 } });
		expect(error?.message).toContain('returns pages of 50 instead of 20');
	});

	it.each([1, 4, 16])(
		'asks for no page after the last that is needed, with %d in flight',
		async (concurrency) => {
			const options = { concurrency, pageSize: 10 };
			const { list, requestedPages, service } = await tenantWith(1_000, {
				metadata: ['totalPages'],
			});
			const lastPage = () => Math.max(...requestedPages().map(({ page }) => Number(page)));
			expect((await list({ options: { ...options, maxPages: 6 } })).items).toEqual(users(60));
			expect(lastPage()).toBe(5);
			expect((await list({ returnAll: false, limit: 55, options })).items).toEqual(users(55));
			expect(lastPage()).toBe(5);
			service.set({ list: { maxPageSize: 4, metadata: ['total'] } });
			service.clearRequests();
			expect((await list({ returnAll: false, limit: 18, options })).items).toEqual(users(18));
			expect(lastPage()).toBe(4);
		},
	);

	it('that fails is an item with the status and what the service said if the workflow goes on', async () => {
		const force = { status: 400, body: { message: 'bad sort' } };
		const { list } = await tenantWith(5, { force });
		expect((await list({}, { onError: 'continueRegularOutput' })).items).toEqual([
			{
				error: 'The service does not accept the parameters of the request (status 400).',
				statusCode: 400,
				description: expect.stringMatching(/The service said: "bad sort"\.$/) as string,
			},
		]);
	});

	it('is that of Items Path, even if another one looks likelier', async () => {
		const envelope = { template: { users: [{ id: 'cached' }], fresh: { people: '{records}' } } };
		const { list } = await tenantWith(250, { envelope });
		expect((await list({ options: { itemsPath: 'fresh.people' } })).items).toEqual(users(250));
		const { error } = await list({ options: { itemsPath: 'fresh.persons' } });
		expect(error).toMatchObject({
			message: 'The response has no list at "fresh.persons". Fields seen: users, fresh.people.',
			description: 'Set Items Path to the dot path of the list.',
		});
	});

	it('has no duplicates by ID Path, and all of them without Remove Duplicates', async () => {
		const { list } = await tenantWith(250, { duplicatesAcrossPages: 3 });
		const byPath = await list({ options: { idPath: 'email', pageSize: 100 } });
		expect(byPath.items).toEqual(users(250));
		expect(byPath.hints[0]?.message).toMatch(/Left out \d+ duplicates \(by "email"\)/);
		const all = await list({ options: { removeDuplicates: false, pageSize: 100 } });
		expect(all.items.length).toBeGreaterThan(250);
	});

	it.each([
		['company', 'companies', 'companies'],
		['visit', 'visits', 'front-meetings'],
		['task', 'tasks', 'tasks'],
	] as const)('of %s records, named %s, is read at %s', async (resource, plural, pathSegment) => {
		const { list, service } = await tenantWith(0, {
			paths: { [plural]: pathSegment },
			envelope: 'twoArrays',
		});
		await service.seed(plural, 150);
		const { hints, items } = await list({ resource, pathSegment });
		expect(items).toEqual(synthetic(plural, 150));
		expect(hints[0]?.message).toContain(`Read 150 ${plural}`);
	});

	const wanted = [{ id: 'sought' }];
	const others = [{ id: 'other' }];
	const noId = [{ street: 'a' }];
	it.each<[string, JsonValue, JsonValue]>([
		['named first of the names sought', { people: others, users: wanted }, wanted],
		['named, though another one is before it', { data: others, members: wanted }, wanted],
		['named nearer to the surface', { archive: { users: others }, members: wanted }, wanted],
		['usual first of the usual names', { items: others, data: wanted }, wanted],
		['usual nearer to the surface', { archive: { data: others }, items: wanted }, wanted],
		['usual with fewer names around it', { data: { items: others }, items: wanted }, wanted],
		['in what is usual', { result: { listUsers: wanted }, archive: others }, wanted],
		['the only one with IDs', { badges: wanted, addresses: noId }, wanted],
		['beside an empty one farther down', { badges: wanted, x: { y: [] } }, wanted],
		['usual, in a record that is none', { id: 7, data: wanted }, wanted],
		[
			'what is included, if nothing else is',
			{ state: 'done', included: { users: wanted } },
			wanted,
		],
		['null, though others are included', { data: null, included: { users: others } }, []],
		['empty, though others are included', { badges: [], included: { users: others } }, []],
		['one of several empty ones', { badges: [], cards: [] }, []],
		['null under its own name', { users: null, data: others.slice(1) }, []],
		['an empty object, though others are included', { data: {}, included: others }, []],
		['a blank text, though others are included', { data: ' ', included: others }, []],
		['nowhere in a response of blanks', { note: ' ', count: 0, more: { text: '' } }, []],
	])('is the one that is %s', async (_, body, items) => {
		const { list } = await tenantWith(0, { force: { status: 200, body } });
		expect((await list({ options: { maxPages: 1 } })).items).toEqual(items);
	});

	it('says which others there were, by names of fields alone', async () => {
		const hintOf = async (body: object) => {
			const { list } = await tenantWith(0, { force: { status: 200, body } });
			return (await list({ options: { maxPages: 1 } })).hints[0]?.message;
		};
		const listed = { users: wanted, roles: others, 'anna@example.test': others, empty: [] };
		expect(await hintOf(listed)).toContain('The list is at "users"; other lists: roles.');
		const personal = { 'anna@example.test:users': wanted, 'bob@example.test:users': others };
		expect(await hintOf(personal)).not.toContain('bob@');
	});

	it('is that named for a path of its own, also an empty one', async () => {
		const { list, service } = await tenantWith(0, {
			paths: { visits: 'front-meetings' },
			envelope: { template: { hosts: [{ id: 'host-1' }], frontMeetings: '{records}' } },
		});
		const parameters = { resource: 'visit', pathSegment: 'front-meetings' };
		expect((await list(parameters)).items).toEqual([]);
		await service.seed('visits', 5);
		expect((await list(parameters)).items).toHaveLength(5);
	});

	it('says in its hint what was read, and what was tried again', async () => {
		const { list } = await tenantWith(250, { maxPageSize: 40, faults: [{ status: 503 }] });
		const { message, type } = (await list()).hints[0] ?? {};
		expect(type).toBe('info');
		expect(message).toMatch(
			/^Read 250 users \(7 pages, 8 requests, (\d+ ms|\d+\.\d s), 1 retry\)\. The service returned pages of 40 /,
		);
	});

	it('is read by what comes in this run, not in the one before', async () => {
		const { list, requestedPages, service } = await tenantWith(250, {
			envelope: 'content',
			maxPageSize: 30,
		});
		await list();
		await service.seed('users', 120);
		service.set({ list: { envelope: 'array', maxPageSize: 100, idField: null } });
		expect((await list()).items).toHaveLength(120);
		expect(requestedPages().at(-1)?.pageSize).toBe('100');
	});
});

describe('a list that cannot be read', () => {
	it.each<[string, Lists, RegExp]>([
		['broken JSON', { force: { status: 200, body: 'null{' } }, /not complete JSON/],
		['42', { force: 'number' }, /a number instead of a list/],
		['true', { force: 'boolean' }, /a boolean instead of a list/],
		['a JSON text', { force: 'string' }, /instead of a list/],
		['no body', { force: 'empty' }, /nothing instead of a list/],
		[
			'two lists without IDs',
			{ force: { status: 200, body: { a: [{ x: 1 }], b: [{ y: 1 }] } } },
			/: a, b\.$/,
		],
		[
			'a record with a list',
			{ force: { status: 200, body: { id: 7, homes: [{ x: 1 }] } } },
			/no list/,
		],
		['an object', { force: { status: 200, body: { nodes: null, next: 'x' } } }, /no list/],
		['a list of texts', { force: { status: 200, body: ['a'] } }, /not all records/],
		['a list within a text', { envelope: 'string' }, /no list of records\. Fields seen: data/],
		['400', { force: { status: 400 } }, /\(status 400\)/],
		['404', { force: { status: 404 } }, /\(status 404\)/],
		['500', { force: { status: 500 } }, /\(status 500\)/],
		['429 for an hour', { force: { status: 429, retryAfter: 3_600 } }, /wait 3,600 seconds/],
		['429 for ever', { force: { status: 429, retryAfter: 0 } }, /still limits the rate/],
		['a broken connection', { force: 'reset' }, /broke before the response was complete/],
	])('is an error with the cause, of each resource: %s', async (_, switches, message) => {
		const { list, service } = await tenantWith(250);
		for (const plural of ['companies', 'visits', 'tasks'] as const) await service.seed(plural, 250);
		service.set({ list: switches });
		for (const resource of ['user', 'company', 'visit', 'task']) {
			const { error } = await list({ resource, options: { maxRetries: 1 } });
			expect(error?.message).toMatch(message);
			expect(error?.description).toMatch(/^[A-Z]/);
		}
	});

	it.each([
		[
			{ north: '{records}', south: [{ id: 'a' }] },
			'',
			'The response holds several lists that may be the one of the records: north, south.',
			'Set Items Path to the dot path of the right one.',
		],
		[
			'{records}',
			'people',
			'The response has no list at "people". The response itself is a list.',
			'Clear Items Path in the options.',
		],
	])('says where to look for it: %j, Items Path "%s"', async (template, itemsPath, ...expected) => {
		const { list } = await tenantWith(3, { envelope: { template } });
		const { error } = await list({ options: { itemsPath } });
		expect(error).toMatchObject({ message: expected[0], description: expected[1] });
	});

	it('is said to have too many levels, and not asked for again as if the connection broke', async () => {
		const body = `${'{"a":'.repeat(30_000)}[]${'}'.repeat(30_000)}`;
		const { list, requestedPages } = await tenantWith(3, { force: { status: 200, body } });
		expect((await list()).error?.message).toBe(
			'The service returned a response with too many levels.',
		);
		expect(requestedPages().length).toBeLessThan(3);
	});

	it.each([
		[300, undefined],
		[30_000, 'The service returned a response with too many levels.'],
		[100_000, 'The service returned a response with too many levels.'],
	])('is one with %d levels, of which some are too many', async (levels, message) => {
		const { list, service } = await tenantWith(0);
		const body = `[{"id":1,"parts":${'['.repeat(levels)}${']'.repeat(levels)}}]`;
		service.set({ list: { force: { status: 200, body } } });
		const { error, items } = await list();
		expect(error?.message).toBe(message);
		expect(items).toHaveLength(message === undefined ? 1 : 0);
	});

	it.each<[string, RegExp]>([
		['truncatedJson', /not complete JSON/],
		['html', /a web page/],
		['empty', /nothing instead of a list/],
	])(
		'is no part of a list, if a page stays so when it is asked for again: %s',
		async (name, expected) => {
			const { list, service } = await tenantWith(900);
			const fault = name as 'html';
			const options = { concurrency: 3, pageSize: 100 };
			service.set({ list: { pageFaults: [{ page: 4, fault }] } });
			expect((await list({ options })).items).toEqual(users(900));
			service.set({ list: { pageFaults: [{ page: 4, fault, times: 0 }] } });
			expect((await list({ options })).error?.message).toMatch(expected);
		},
	);
});

describe('Output Field Names or IDs', () => {
	const keysWith = async (fields: unknown) => {
		const { list } = await tenantWith(1);
		const run = await list(
			{ options: { fields: '={{ $json.fields }}' } },
			{ items: [{ fields } as IDataObject] },
		);
		return run.error?.message ?? run.items.map((record) => Object.keys(record));
	};

	it('are a text or a list', async () => {
		expect(await keysWith(['id', 'email'])).toEqual([['id', 'email']]);
		expect(await keysWith('email, id')).toEqual([['email', 'id']]);
	});

	const person = {
		id: 1,
		name: 'User',
		address: { city: 'Town', street: { name: 'Road', no: 5 } },
		visits: [{ host: 'a', room: 1 }, { host: 'b' }, null] as JsonValue[],
		'badge.color': 'red',
		none: [],
	};

	it.each<[string[], object, string[]]>([
		[['name', 'id'], { name: 'User', id: 1 }, []],
		[['address.city'], { address: { city: 'Town' } }, []],
		[['address.city', 'address.street.no'], { address: { city: 'Town', street: { no: 5 } } }, []],
		[['address', 'address.city'], { address: person.address }, []],
		[['address.city', 'address'], { address: person.address }, []],
		[['visits', 'visits.host'], { visits: person.visits }, []],
		[['visits.host', 'visits'], { visits: person.visits }, []],
		[['visits.fax', 'name.first', 'id'], { id: 1 }, ['visits.fax', 'name.first']],
		[['badge.color'], { 'badge.color': 'red' }, []],
		[['visits.host', 'none.host'], { visits: [{ host: 'a' }, { host: 'b' }, {}], none: [] }, []],
		[['visits.host', 'visits.room'], { visits: [{ host: 'a', room: 1 }, { host: 'b' }, {}] }, []],
		[['visits.1.host'], { visits: [{}, { host: 'b' }, {}] }, []],
		[['visits.0', 'visits.host'], { visits: [person.visits[0], { host: 'b' }, {}] }, []],
		[['visits.7.host', 'id'], { id: 1 }, ['visits.7.host']],
		[['toString', 'constructor.name', 'id.length'], {}, ['toString']],
	])('%j leave %j, and %j are said to be missing', async (fields, left, missing) => {
		const { list, service } = await tenantWith(0);
		await service.upsert('users', person);
		const { items, hints } = await list({ options: { fields } });
		expect(items).toEqual([left]);
		const expected = hints.map(({ message }) => message).join(' ');
		expect(expected.includes('None of the users has')).toBe(missing.length > 0);
		for (const name of missing) expect(expected).toContain(`"${name}"`);
	});

	it('are missing only if no user has them', async () => {
		const { list, service } = await tenantWith(0);
		await service.upsert('users', { id: 1, visits: [] });
		await service.upsert('users', { id: 2, phone: null, visits: [{ room: 1 }] });
		const { hints } = await list({ options: { fields: ['phone', 'fax', 'visits.host'] } });
		expect(hints[0]?.message).toContain('None of the users has "fax", "visits.host":');
	});

	it.each([{}, [1], true])('are nothing else: %j', async (fields) => {
		expect(await keysWith(fields)).toMatch(/^Output Field Names or IDs must be text/);
	});
});
