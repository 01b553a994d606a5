import {
	describeNumbering,
	findNumbering,
	type Numbering,
} from '../../../../../nodes/VisitorService/diagnosis/numbering';
import type { HttpAnswer } from '../../../../../nodes/VisitorService/http/message';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { answer, askedUsers, listedUsers } from './askedTenant';
import { slice, usersOf } from './memoryTenant';

interface Habits {
	count: number;
	/** Number of the first page, or how `page` is misread. */
	from?: 0 | 1 | 'ignored' | 'skips';
	/** What page 0 gets if the first page is page 1. Default: the first page. */
	zero?: HttpAnswer;
	afterEnd?: HttpAnswer | 'last';
	/** Users of the page before that a page begins with. */
	overlap?: number;
	ignoresSize?: boolean;
	/** Users on a page if no size is asked for. Default 10. */
	size?: number;
	more?: boolean;
	/**
	 * Changes the list before the request of that number, the first page without parameters being
	 * number 1.
	 */
	change?: { before: number; how: (users: JsonObject[]) => void };
}

/** What is found of a service with these habits, and the pages it was asked for. */
async function numberingOf(
	habits: Habits,
	isListed = false,
): Promise<{ found: Numbering; pages: unknown[] }> {
	const all = usersOf(habits.count);
	const { users, asked } = await askedUsers((query, number) => {
		if (number === habits.change?.before) habits.change.how(all);
		return pageOf(habits, all, query);
	});
	if (isListed) await users.list({});
	const { length } = asked;
	const found = await findNumbering(await listedUsers(users));
	return { found, pages: asked.slice(length).map(({ query }) => query?.page) };
}

function pageOf(
	{
		from = 0,
		zero,
		afterEnd = answer(200, []),
		overlap = 0,
		ignoresSize = false,
		more,
		size: standard = 10,
	}: Habits,
	users: readonly JsonObject[],
	query: Readonly<Record<string, string | number>>,
): HttpAnswer {
	const size = ignoresSize ? standard : Number(query.pageSize ?? standard);
	const reply = (data: readonly JsonObject[]) =>
		answer(200, more === undefined ? data : { data, more });
	if (query.page === undefined || from === 'ignored') return reply(users.slice(0, size));
	const page = Number(query.page);
	if (from === 'skips') return reply(users.slice(page, page + size));
	if (page === 0 && from === 1) return zero ?? reply(users.slice(0, size));
	const begin = (page - from) * size;
	const records = users.slice(Math.max(0, begin - overlap), begin + size);
	if (begin < users.length) return reply(records);
	return afterEnd === 'last'
		? reply(slice(users, Math.ceil(users.length / size) - 1, size))
		: afterEnd;
}

describe('the numbering of pages', () => {
	it.each([30, 130, 3, 2, 1])('finds that a list of %i users is counted from 0', async (count) => {
		expect((await numberingOf({ count })).found).toBe('from0');
	});

	it.each([30, 130, 3, 2])('finds that a list of %i users is counted from 1', async (count) => {
		expect((await numberingOf({ count, from: 1 })).found).toBe('from1');
	});

	it.each([
		['empty', answer(200, [])],
		['refused', answer(400)],
		['not found', answer(404)],
	])('finds that pages are counted from 1 if page 0 is %s', async (_, zero) => {
		const { found, pages } = await numberingOf({ count: 30, from: 1, zero });
		expect(found).toBe('from1');
		expect(pages).toEqual([0, 1]);
	});

	it.each([2, 3, 4, 5, 6, 7, 8, 9, 10])(
		'does not take 1 for the first page if request %d for page 0 is refused, once',
		async (accident) => {
			const all = usersOf(10);
			const { users } = await askedUsers((query, number) =>
				number === accident && query.page === 0
					? answer(404)
					: pageOf({ count: 10, afterEnd: 'last' }, all, query),
			);
			await users.list({});
			expect(await findNumbering(await listedUsers(users))).not.toBe('from1');
		},
	);

	it('asks for two pages if they differ, for three if they do not', async () => {
		expect((await numberingOf({ count: 30 })).pages).toEqual([0, 1]);
		expect((await numberingOf({ count: 30, from: 1 })).pages).toEqual([0, 1, 2]);
	});

	it.each([3, 30, 130])(
		'asks nothing more if List Users has read several pages of %i users, or an empty one',
		async (count) => {
			expect(await numberingOf({ count }, true)).toEqual({ found: 'from0', pages: [] });
		},
	);

	it('asks if the reading of List Users does not show it', async () => {
		const zero = answer(200, []);
		expect((await numberingOf({ count: 30, from: 1, zero }, true)).found).toBe('from1');
		expect((await numberingOf({ count: 130, from: 1 }, true)).found).toBe('from1');
	});

	it('says nothing wrong if the list changes while List Users reads it', async () => {
		const changes = [
			(users: JsonObject[]) => users.unshift({ id: 'new' }),
			(users: JsonObject[]) => users.shift(),
		];
		for (const before of [2, 3, 4, 5, 6]) {
			for (const how of changes) {
				for (const from of [0, 1] as const) {
					for (const count of [1, 2, 12, 100, 101, 130]) {
						const { found } = await numberingOf({ count, from, change: { before, how } }, true);
						expect(['unclear', `from${from}`]).toContain(found);
					}
				}
			}
		}
	});

	it('asks again for pages of which a single change of the list makes others', async () => {
		expect((await numberingOf({ count: 3 })).pages).toEqual([0, 1, 0, 1]);
	});

	it.each([0, 1] as const)('does not mind that pages overlap, counted from %i', async (from) => {
		expect((await numberingOf({ count: 60, from, overlap: 3 })).found).toBe(`from${from}`);
	});

	it('does not mind that "pageSize" is ignored', async () => {
		expect((await numberingOf({ count: 30, ignoresSize: true })).found).toBe('from0');
		expect((await numberingOf({ count: 30, from: 1, ignoresSize: true })).found).toBe('from1');
	});

	it('finds that "page" is ignored if more users are known than a page holds', async () => {
		expect((await numberingOf({ count: 60, from: 'ignored', size: 50 })).found).toBe('ignored');
		expect((await numberingOf({ count: 8, from: 'ignored', size: 50 })).found).toBe('ignored');
		expect((await numberingOf({ count: 2, from: 'ignored', size: 50 })).found).toBe('unclear');
	});

	it('finds that "page" is ignored if a page says that more follow', async () => {
		const habits = { count: 60, from: 'ignored', ignoresSize: true, size: 50 } as const;
		expect((await numberingOf({ ...habits, more: true })).found).toBe('ignored');
		expect((await numberingOf({ ...habits, more: false })).found).toBe('unclear');
	});

	it('does not take 1 for the first page if List Users asks at several sizes for the same one', async () => {
		for (let before = 2; before <= 16; before++) {
			const all = usersOf(30);
			const { users } = await askedUsers(({ pageSize = 20 }, number) => {
				if (number === before) all.unshift({ id: 'new' });
				const items = all.slice(0, Number(pageSize)).filter(({ id }) => !String(id).endsWith('0'));
				return answer(200, { items, total: 27 });
			});
			await users.list({});
			expect([before, await findNumbering(await listedUsers(users))]).not.toEqual([
				before,
				'from1',
			]);
		}
	});

	it('does not tell whether "page" is ignored in a list of one page', async () => {
		const { found } = await numberingOf({ count: 10, afterEnd: 'last', ignoresSize: true });
		expect(found).toBe('unclear');
	});

	it('does not tell the numbering of pages that hold most users of the one before', async () => {
		expect((await numberingOf({ count: 60, from: 'skips' })).found).toBe('unclear');
	});

	it.each([401, 500])('finds that numbering starts at 1 if page 0 gets %i', async (status) => {
		const { found } = await numberingOf({ count: 30, from: 1, zero: answer(status) });
		expect(found).toBe('from1');
	});

	it.each([2, 3, 4, 5])(
		'says nothing wrong if a user is added before request %i',
		async (before) => {
			const how = (users: JsonObject[]) => users.unshift({ id: 'new' });
			for (const from of [0, 1] as const) {
				for (const count of [3, 12, 30]) {
					const { found } = await numberingOf({ count, from, change: { before, how } });
					expect(['unclear', `from${from}`]).toContain(found);
				}
			}
		},
	);

	it.each([2, 3, 4, 5])(
		'says nothing wrong if the first user is deleted before request %i',
		async (before) => {
			const how = (users: JsonObject[]) => users.shift();
			for (const from of [0, 1] as const) {
				for (const count of [3, 12, 30]) {
					const { found } = await numberingOf({ count, from, change: { before, how } });
					expect(['unclear', `from${from}`]).toContain(found);
				}
			}
		},
	);
});

describe('the finding about the numbering', () => {
	const told = (numbering: Numbering) =>
		describeNumbering(numbering).map((finding) => [
			finding?.check,
			finding?.status,
			finding?.observed,
		]);

	it('names the first page, and says that "page" is followed', () => {
		const follows = ['pageHonoured', 'ok', true];
		expect(told('from0')).toEqual([['firstPageNumber', 'ok', 0], follows]);
		expect(told('from1')).toEqual([['firstPageNumber', 'ok', 1], follows]);
	});

	it('calls a "page" that is not followed failed', () => {
		expect(told('ignored')).toEqual([
			['firstPageNumber', 'unknown', null],
			['pageHonoured', 'failed', false],
		]);
	});

	it('says nothing of what is unclear', () => {
		expect(told('unclear')).toEqual([]);
	});
});
