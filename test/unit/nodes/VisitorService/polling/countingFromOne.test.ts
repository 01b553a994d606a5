import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import type { NextPage } from '../../../../../nodes/VisitorService/polling/pagesRead';
import { type ListSource, PolledList } from '../../../../../nodes/VisitorService/polling/reading';
import { ServiceTime } from '../../../../../nodes/VisitorService/polling/serviceTime';
import { HOUR, START } from './polledTenant';
import { changeMany, failureOf, prepared, sorted } from './startedTrigger';

interface List {
	size: number;
	maximum: number;
	/** As the trigger asks for it. */
	pageSize: number;
	pagesPerPoll: number;
	pageBeforeFirst: 'empty' | 'first';
	/** What it says of its length. */
	says: 'total' | 'totalPages';
}

/** @returns what reads on in a poll */
function reading(list: List): () => Promise<unknown[]> {
	const { size, maximum, pageSize, pagesPerPoll, pageBeforeFirst, says } = list;
	const records = Array.from({ length: size }, (_, id) => ({ id: `user-${id}` }));
	let pages = 0;
	const source: ListSource = {
		service: 'tenant-1',
		names: { name: 'user', plural: 'users' },
		keys: ['users'],
		itemsPath: '',
		now: () => START,
		mayReadOn: () => pages < pagesPerPoll,
		pause: async () => await Promise.resolve(),
		fetchPage: async (page, asked) => {
			await Promise.resolve();
			pages++;
			const returned = Math.min(asked, maximum);
			const number = page === 0 && pageBeforeFirst === 'first' ? 1 : page;
			const data = number === 0 ? [] : records.slice((number - 1) * returned, number * returned);
			const length = says === 'total' ? size : Math.ceil(size / returned);
			const body = { data, [says]: length };
			return { statusCode: 200, headers: {}, body };
		},
	};
	let from: NextPage = { page: 0, pageSize };
	return async () => {
		pages = 0;
		const shown: unknown[] = [];
		const list = new PolledList(source, new ServiceTime(undefined));
		const end = await list.read(
			from,
			(page) => {
				shown.push(...page.map(({ id }) => id));
				return 'goOn';
			},
			undefined,
			'id',
		);
		from = end.kind === 'ended' ? { page: 0, pageSize } : end.next;
		return shown;
	};
}

const list = { firstPageNumber: 1, pageBeforeFirst: 'empty' } as const;

describe('a service that counts its pages from 1', () => {
	it.each(
		(['total', 'totalPages'] as const).flatMap((says) =>
			(['empty', 'first'] as const).flatMap((pageBeforeFirst) =>
				[2, 3, 4, 6].map((pagesPerPoll) => ({ says, pageBeforeFirst, pagesPerPoll })),
			),
		),
	)(
		'shows each of its pages in readings of several polls although it returns fewer than asked for: %p',
		async (list) => {
			const read = reading({ size: 15, maximum: 3, pageSize: 4, ...list });
			const shown = new Set<unknown>();
			for (let polls = 0; polls < 15; polls++) for (const id of await read()) shown.add(id);
			expect(shown.size).toBe(15);
		},
	);

	it('does not take its list for empty if there is no time for a page after page 0', async () => {
		const { tenant, trigger } = prepared({ list });
		tenant.pagesPerPoll = 1;
		expect(await trigger.poll()).toEqual([]);
		tenant.pass(HOUR);
		const changes = changeMany(tenant, 3);
		expect(sorted(await trigger.drain())).toEqual(changes);
	});

	it('does not take its list for empty if a rate limit forbids the page after page 0', async () => {
		const { tenant, trigger } = prepared({ list });
		tenant.beforePage = ({ page }) => {
			if (page > 0) throw new ServiceFailure('Too many.', 'Wait.', { kind: 'rateLimit' });
		};
		expect((await failureOf(trigger.poll())).kind).toBe('rateLimit');
		tenant.beforePage = undefined;
		expect(await trigger.poll()).toEqual([]);
	});
});
