import type { INodeParameters } from 'n8n-workflow';
import type { DeepPartial, ListRequest, ListSwitches } from '../../reference-service';
import { hostWith, list, requestedPages, synthetic, tokenRequests } from '../listedHost';

interface Case {
	name: string;
	/** What was requested, as `page@size`. */
	requested: string;
	users?: number;
	lists?: DeepPartial<ListSwitches>;
	/** Responds to pages of 1,000 in place of the service. */
	toLarger?: NonNullable<ListSwitches['respondWith']>;
	/** Milliseconds for each record of a page. */
	slow?: number;
	parameters?: INodeParameters;
	tokens?: number;
}

const small = (pages: number) => Array.from({ length: pages }, (_, page) => `${page}@100`);
const AS_BEFORE = ['0@100', '0@1000', ...small(26).slice(1)].join(' ');

const page = (records: readonly unknown[]) => ({ status: 200, body: { data: records } as never });
const users = (count: number, from = 0) => synthetic('users', count, from);

const cases: Case[] = [
	{ name: 'a short list', users: 99, requested: '0@100' },
	{ name: 'a list that one more page ends', users: 200, requested: '0@100 1@100' },
	{ name: 'a list of one larger page', users: 350, requested: '0@100 0@1000' },
	{ name: 'a longer list', requested: '0@100 0@1000 1@1000 2@1000' },
	{
		name: 'a maximum',
		lists: { maxPageSize: 500 },
		requested: '0@100 0@1000 1@500 2@500 3@500 4@500 5@500',
	},
	{ name: 'a maximum of 100', lists: { maxPageSize: 100 }, requested: AS_BEFORE },
	{
		name: 'an error beyond the maximum',
		lists: { maxPageSize: 200, beyondMaximum: 'error' },
		requested: AS_BEFORE,
	},
	{ name: 'a server error', toLarger: () => ({ status: 500 }), requested: AS_BEFORE },
	{ name: 'an unauthorized one', toLarger: () => ({ status: 401 }), requested: AS_BEFORE },
	{
		name: 'a default beyond the maximum',
		lists: { maxPageSize: 200, defaultPageSize: 20, beyondMaximum: 'useDefault' },
		requested: AS_BEFORE,
	},
	{ name: 'other records', toLarger: () => page(users(1_000, 1)), requested: AS_BEFORE },
	{ name: 'more than requested', toLarger: () => page(users(1_001)), requested: AS_BEFORE },
	{
		name: 'another order',
		toLarger: () => page([...users(100).reverse(), ...users(900, 100)]),
		requested: AS_BEFORE,
	},
	{
		name: 'records twice',
		toLarger: () => page([...users(100), ...users(100)]),
		requested: AS_BEFORE,
	},
	{
		name: 'records without an ID',
		toLarger: () => page([...users(100), { name: 'Nobody' }]),
		requested: AS_BEFORE,
	},
	{ name: 'a slow one', slow: 1, requested: AS_BEFORE },
	{
		name: 'a later page that fails',
		users: 1_500,
		toLarger: ({ page: number }) =>
			number === 0 ? page(users(1_000)) : { status: 500, body: 'out of memory' },
		// Another token is tried first.
		requested: ['0@100 0@1000 1@1000 1@1000', ...small(15)].join(' '),
		tokens: 2,
	},
	{
		name: 'a later page that is rejected, of a list that shows no end',
		users: 1_500,
		lists: { metadata: 'none' },
		toLarger: ({ page: number }) => (number === 0 ? page(users(1_000)) : { status: 400 }),
		requested: ['0@100 0@1000 1@1000 1@1000 10@100', ...small(16), '15@100 16@100 17@100'].join(
			' ',
		),
		tokens: 2,
	},
	...[2, 3].map((rejected) => ({
		name: `page ${rejected} that is rejected, of a list that repeats page 1 as page 0`,
		users: 2_600,
		lists: { metadata: 'none', firstPageNumber: 1, pageBeforeFirst: 'first' } as const,
		toLarger: ({ page: number }: ListRequest) =>
			number < rejected ? page(users(1_000, number < 2 ? 0 : 1_000)) : { status: 400 },
		requested: [
			'0@100 0@1000 1@1000 11@100 1@1000 2@1000',
			rejected === 2 ? '2@1000 3@1000' : '0@1000 3@1000 3@1000 21@100',
			...['0@100 1@100 1@100 2@100 0@100', ...small(28).slice(3), '27@100 28@100 29@100'],
		].join(' '),
		tokens: 2,
	})),
	{
		name: 'a later page that fails before a limit',
		users: 2_600,
		parameters: { returnAll: false, limit: 1_500 },
		toLarger: ({ page: number }) => (number === 0 ? page(users(1_000)) : { status: 500 }),
		requested: ['0@100 0@1000 1@1000 1@1000', ...small(15)].join(' '),
		tokens: 2,
	},
	{
		name: 'a set Page Size',
		users: 250,
		parameters: { options: { pageSize: 100 } },
		requested: small(3).join(' '),
	},
	{
		name: 'a set Max Pages',
		parameters: { options: { maxPages: 3 } },
		users: 300,
		requested: small(3).join(' '),
	},
	{
		name: 'a limit',
		users: 2_600,
		parameters: { returnAll: false, limit: 250 },
		requested: '0@100 0@250',
	},
	{
		name: 'numbers from 1',
		users: 350,
		lists: { firstPageNumber: 1, pageBeforeFirst: 'first' },
		requested: '0@100 0@1000',
	},
	{
		name: 'two readings',
		users: 350,
		parameters: { options: { untilStable: true } },
		requested: '0@100 0@1000 0@1000',
	},
];

it.each(cases)('the first page is requested once more, larger: $name', async (one) => {
	const { requested, toLarger, lists = {}, parameters = {}, slow = 0, users: count = 2_600 } = one;
	// A slow exchange before the first page does not make the page a slow one.
	const switches = { list: lists, token: { latencyMs: 1_000 } };
	const host = await hostWith({ users: count }, { switches });
	host.service.onListRequest(async ({ query: { pageSize } }) => {
		await host.time.sleep(20 + slow * Math.min(count, Number(pageSize)));
		const isOther = toLarger !== undefined && pageSize === '1000';
		host.service.set({ list: { respondWith: isOther ? toLarger : null } });
	});
	const { options, ...rest } = parameters;
	const set = { concurrency: 1, maxRetries: 0, ...(options as object) };
	const { error, hints, items } = await list(host, { ...rest, options: set });
	expect(error).toBeUndefined();
	const limit = (parameters.limit as number | undefined) ?? count;
	expect(items).toEqual(users(Math.min(limit, count)));
	const pages = requestedPages(host).map(({ page: number, pageSize }) => `${number}@${pageSize}`);
	expect(pages.join(' ')).toBe(requested);
	expect(hints.map(({ type }) => type)).toEqual(['info']);
	// A larger page that is rejected says nothing of it.
	expect(tokenRequests(host)).toHaveLength(one.tokens ?? 1);
});

it.each([302, 401, 403, 429])(
	'after a larger page with %d no smaller one is tried',
	async (status) => {
		const pageFaults = [{ page: 1, fault: { status }, times: 0 }];
		const host = await hostWith({ users: 2_600 }, { switches: { list: { pageFaults } } });
		const { error } = await list(host, { options: { maxRetries: 0, concurrency: 1 } });
		expect(error?.message).toContain(`status ${status}`);
		expect(requestedPages(host).filter(({ pageSize }) => pageSize === '100')).toHaveLength(1);
	},
);

it('no smaller page is tried after a token that was not to be had', async () => {
	const host = await hostWith({ users: 2_600 });
	host.service.onListRequest(({ page: number }) => {
		if (number !== 1) return;
		host.service.revokeTokens();
		host.service.set({ token: { force: { status: 500 } } });
	});
	const { error } = await list(host, { options: { concurrency: 1 } });
	expect(error?.message).toContain('failed to process the token request');
	// The first one, and the other one with three retries.
	expect(tokenRequests(host)).toHaveLength(5);
});

const SERVICES: Record<string, DeepPartial<ListSwitches>> = {
	'with a total': {},
	'without a total': { metadata: 'none' },
	'that is bare': { envelope: 'array', metadata: 'none' },
	'that only says which page is the last': { metadata: ['last'] },
	'whose total is that of the page': { metadata: ['total'], totalOf: 'page' },
	...Object.fromEntries(
		[100, 150, 200, 250, 500].map((maxPageSize) => [
			`of ${maxPageSize} a page at most`,
			{ maxPageSize, metadata: 'none' as const },
		]),
	),
	...Object.fromEntries(
		[400, 413, 422, 500].map((status) => [
			`that rejects larger pages with ${status}`,
			{ maxPageSize: 200, beyondMaximum: 'error' as const, badParameter: { status, body: null } },
		]),
	),
	'that falls back to 20': { maxPageSize: 200, defaultPageSize: 20, beyondMaximum: 'useDefault' },
	'that counts from 1': { firstPageNumber: 1, metadata: 'none' },
	'that has no page 0': { firstPageNumber: 1, pageBeforeFirst: 'error' },
	'that repeats its last page': { pageBeyondEnd: 'lastPage', metadata: 'none' },
	'that rejects pages after its end': { pageBeyondEnd: 'error', metadata: 'none' },
	'that hides records of its pages': { hiddenAfterPaging: 7, metadata: 'none' },
};

/** Users, and pages in flight. */
const LISTS = [0, 99, 100, 101, 200, 201, 350, 1_000, 1_001, 2_600].map((count, index) => ({
	count,
	concurrency: [1, 5][index % 2] ?? 1,
}));

/** How a list is read in pages of 100, and how if Page Size is not set. */
async function readTwice(lists: DeepPartial<ListSwitches>, users: number, concurrency: number) {
	const read = async (pageSize?: number) => {
		const host = await hostWith({ users }, { switches: { list: lists } });
		const options = { concurrency, ...(pageSize !== undefined && { pageSize }) };
		const { error, hints, items } = await list(host, { options });
		const types = hints.map(({ type }) => type);
		const requests = requestedPages(host).map(({ page, pageSize: size }) => `${page}@${size}`);
		// As text, because a deep comparison takes longer than the reading.
		return { result: [error?.message, JSON.stringify(items), types], requests };
	};
	return { small: await read(100), automatic: await read() };
}

it.each(Object.entries(SERVICES))(
	'a list %s takes at most one request more than in pages of 100, and is the same',
	async (_, lists) => {
		for (const { concurrency, count } of LISTS) {
			const { automatic, small } = await readTwice(lists, count, concurrency);
			expect([count, ...automatic.result]).toEqual([count, ...small.result]);
			const more = automatic.requests.length - small.requests.length;
			if (more > 1) expect([count, automatic.requests]).toEqual([count, small.requests]);
		}
	},
	60_000,
);

it('is an error as before if the service ignores the page, and cuts larger ones', async () => {
	const list500 = { pageIgnored: true, maxPageSize: 500, metadata: 'none' } as const;
	const { automatic, small } = await readTwice(list500, 2_600, 1);
	expect(small.result[0]).toContain('ignores the parameter "page"');
	expect(automatic.result).toEqual(small.result);
});

it.each([
	[300, 'warning'],
	[199, 'info'],
])('what a larger page of %d held, in another order, is missed with a %s', async (count, type) => {
	const respondWith = ({ query: { page: number, pageSize } }: { query: Record<string, string> }) =>
		page(
			pageSize === '1000'
				? users(count).reverse()
				: users(200)
						.slice(100 * Number(number))
						.slice(0, 100),
		);
	const host = await hostWith({}, { switches: { list: { respondWith } } });
	const { hints, items } = await list(host);
	expect(items).toEqual(users(200));
	expect(hints).toMatchObject([{ type }]);
	if (count > 200)
		expect(hints[0]?.message).toContain('Pages that do not join the others held 100 users more');
});

it('says nothing of records without an ID that each response shows otherwise', async () => {
	let responses = 0;
	const respondWith = ({ query }: { query: Record<string, string> }) => {
		const readAt = ++responses;
		const shown = users(250).map((user, index) => (index % 2 === 0 ? user : { readAt, index }));
		return page(shown.slice(100 * Number(query.page)).slice(0, 100));
	};
	const host = await hostWith({}, { switches: { list: { respondWith } } });
	const { hints, items } = await list(host, { options: { idPath: 'id', concurrency: 1 } });
	expect(items).toHaveLength(250);
	expect(hints).toMatchObject([{ type: 'info' }]);
});

it('Until Stable reads on to Limit, past what it has read before', async () => {
	let sweeps = 0;
	const host = await hostWith({ users: 40 });
	host.service.onListRequest(async ({ page: number }) => {
		if (number === 0 && sweeps++ > 0) await host.service.seed('users', users(60));
	});
	const options = { pageSize: 10, untilStable: true, concurrency: 1 };
	const { items } = await list(host, { returnAll: false, limit: 50, options });
	expect(items).toEqual(users(50));
});
