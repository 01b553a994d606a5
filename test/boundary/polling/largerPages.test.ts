import { PublishedWorkflow } from '../../host/publishedWorkflow';
import type { Switches } from '../../reference-service';
import { hostWith, requestedPages } from '../listedHost';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

interface Setup {
	users?: number;
	visits?: number;
	latencyMs?: number;
	list?: Partial<Switches['list']>;
}

/** What is polled without a Page Size, and a poll that tells the pages it requested. */
async function polled(
	parameters: object,
	{ users = 0, visits = 0, latencyMs = 0, list = {} }: Setup,
) {
	const switches = { list: { latencyMs, ...list } };
	const host = await hostWith({ users, visits }, { switches });
	const { service } = host;
	const node = { node: 'polling' as const, parameters: { ...parameters } };
	const workflow = new PublishedWorkflow(host, [node], 'durable');
	const poll = async () => {
		service.clearRequests();
		const { failure, items } = await workflow.tryPoll();
		host.time.pass(MINUTE);
		const pages = requestedPages(host).map(({ page, pageSize }) => `${page}@${pageSize}`);
		return { failure, ids: items.map(({ id }) => id), pages };
	};
	return { poll, service };
}

const VISITS = { resource: 'visit', triggerOn: 'createdOrUpdated' };
const ALL_USERS = { startFrom: 'date', startDate: '2020-01-01T00:00:00Z' };

const TOTAL = { metadata: ['total'] } satisfies Partial<Switches['list']>;
const BARE = { envelope: 'array', metadata: [] } satisfies Partial<Switches['list']>;

it.each<[string, number, Partial<Switches['list']>, string[]]>([
	['a page, with a total', 50, TOTAL, ['0@100']],
	['a full page, with a total', 100, TOTAL, ['0@100']],
	['two full pages, with a total', 200, { ...TOTAL, maxPageSize: 100 }, ['0@100', '1@100']],
	['a larger page, with a total', 450, TOTAL, ['0@1000']],
	['a page', 50, BARE, ['0@100', '1@50']],
	['two pages', 130, { ...BARE, maxPageSize: 100 }, ['0@100', '1@100', '2@100']],
	['a page whose total is its own', 15, { ...TOTAL, totalOf: 'page' }, ['0@100', '1@15']],
])(
	'if nothing changed, %s of a compared list is all that is requested',
	async (_, visits, list, pages) => {
		for (const triggerOn of ['createdOrUpdated', 'created', 'removed']) {
			const { poll, service } = await polled({ ...VISITS, triggerOn }, { visits, list });
			await poll();
			expect(await poll()).toMatchObject({ ids: [], pages });
			// The service returns no longer pages.
			service.set({ list: { maxPageSize: visits } });
			for (const id of ['new', 'newer']) {
				await service.upsert('visits', { id, updatedAt: '2026-03-02T08:01:00.000Z' });
				const { ids } = await poll();
				expect(ids).toEqual(triggerOn === 'removed' ? [] : [id]);
			}
			for (let polls = 0; polls < 7; polls++) expect(await poll()).toMatchObject({ ids: [] });
		}
	},
);

it('a compared list is read in the size of the last poll, or in smaller pages if that fails', async () => {
	const { poll, service } = await polled(VISITS, { visits: 2_600 });
	expect(await poll()).toMatchObject({ ids: [] });
	await service.upsert('visits', { id: 'new', updatedAt: '2026-03-02T08:01:00.000Z' });
	expect(await poll()).toMatchObject({ ids: ['new'], pages: ['0@1000', '1@1000', '2@1000'] });
	// What has changed is read with all caution, once.
	expect((await poll()).pages).toEqual(['0@100', '0@1000', '1@1000', '2@1000']);
	service.onListRequest(({ query: { pageSize } }) => {
		const isLarger = Number(pageSize) > 100;
		service.set({ list: { respondWith: isLarger ? () => ({ status: 500 }) : null } });
	});
	await service.upsert('visits', { id: 'newer', updatedAt: '2026-03-02T08:02:00.000Z' });
	expect(await poll()).toMatchObject({ ids: ['newer'] });
});

/** So slow that a poll reads a few pages only, but the first one more than the first. */
const SLOW = { users: 16_000, latencyMs: 2 * SECOND };

it('a reading goes on in larger pages in the next poll, without another trial', async () => {
	const { poll } = await polled(ALL_USERS, SLOW);
	const polls = [await poll(), await poll(), await poll(), await poll()];
	const received = polls.flatMap(({ ids }) => ids);
	expect(received).toHaveLength(SLOW.users);
	expect(new Set(received).size).toBe(SLOW.users);
	const [first = [], second = []] = polls.map(({ pages }) => pages);
	const ofLarger = first.filter((page) => page.endsWith('@1000'));
	expect(ofLarger.slice(0, 2)).toEqual(['0@1000', '1@1000']);
	expect(second[0]).toBe(`${ofLarger.length}@1000`);
});

it.each<[string, Partial<Switches['list']>]>([
	['fails', { respondWith: () => ({ status: 500 }) }],
	['is rejected', { respondWith: () => ({ status: 422 }) }],
	['is cut', { maxPageSize: 100 }],
])('a reading goes on from the same record if a larger page %s later', async (_, change) => {
	const { poll, service } = await polled(ALL_USERS, SLOW);
	const first = await poll();
	const received = [...first.ids];
	expect(first.pages.at(-1)).toMatch('@1000');
	expect(received.length).toBeLessThan(SLOW.users);
	service.onListRequest(({ query: { pageSize } }) => {
		const isLarger = Number(pageSize) > 100;
		service.set({ list: isLarger ? change : { maxPageSize: 1_000, respondWith: null } });
	});
	for (let polls = 0; polls < 4; polls++) {
		const { failure, ids } = await poll();
		expect(failure).toBeUndefined();
		received.push(...ids);
		service.set({ list: { latencyMs: 0 } });
	}
	expect(new Set(received).size).toBe(SLOW.users);
});

it('what one larger page held, and no other, is not taken for removed', async () => {
	const { poll, service } = await polled(
		{ resource: 'visit', triggerOn: 'removed' },
		{ visits: 400 },
	);
	await poll();
	// Smaller pages show half of the list, and the larger one all of it, in no order.
	service.set({ list: { metadata: 'none' } });
	service.onListRequest(({ page, query: { pageSize } }) => {
		const isHalf = pageSize === '100' && page >= 2;
		const naturalOrder = pageSize === '100' ? 'insertion' : 'updatedAtDescending';
		service.set({
			list: {
				naturalOrder,
				respondWith: isHalf ? () => ({ status: 200, body: { data: [] } }) : null,
			},
		});
	});
	for (let polls = 0; polls < 8; polls++) expect(await poll()).toMatchObject({ ids: [] });
});
