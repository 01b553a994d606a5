import type { INodeParameters } from 'n8n-workflow';
import type { DeepPartial, ListSwitches } from '../../reference-service';
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
	const host = await hostWith({ users: count }, { switches: { list: lists } });
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
