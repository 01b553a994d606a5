import type { Numbering } from '../../../../../nodes/VisitorService/diagnosis/numbering';
import { findPageSizes } from '../../../../../nodes/VisitorService/diagnosis/sizes';
import type { HttpAnswer } from '../../../../../nodes/VisitorService/http/message';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { answer, askedUsers, listedUsers } from './askedTenant';
import { slice, usersOf } from './memoryTenant';

interface Habits {
	count: number;
	/** How many users a page has room for. Default: up to 100, and 50 if no size is asked for. */
	size?: (asked: number | undefined) => number | HttpAnswer;
	/** Every so many users are left out of their pages. */
	hiddenEvery?: number;
	body?: (users: JsonObject[], size: number) => unknown;
	/** Pages that were read before, by number and size. Default: pages 0 and 1 of 10 users. */
	before?: Array<Record<string, number>>;
	numbering?: Numbering;
	/** Number of the first page; those before it are empty. */
	from?: 0 | 1;
}

const upTo =
	(max: number, standard = 50) =>
	(asked: number | undefined) =>
		Math.min(asked ?? standard, max);

const refusedOver =
	(max: number, message?: string, standard = 50) =>
	(asked: number | undefined) =>
		(asked ?? 0) > max ? answer(400, { message }) : (asked ?? standard);

/** What is found of a service with these habits, and the sizes asked for after the largest one. */
async function sizesOf({
	count,
	size = upTo(100),
	hiddenEvery = Infinity,
	body = (users) => users,
	before = [0, 1].map((page) => ({ page, pageSize: 10 })),
	numbering = 'from0',
	from = 0,
}: Habits) {
	const all = usersOf(count).map((user, place) => ({ ...user, place: place + 1 }));
	const { users, asked } = await askedUsers(({ page = from, pageSize }) => {
		const room = size(pageSize === undefined ? undefined : Number(pageSize));
		if (typeof room !== 'number') return room;
		const records = slice(all, Number(page), room, from);
		return answer(
			200,
			body(
				records.filter(({ place }) => place % hiddenEvery !== 0),
				room,
			),
		);
	});
	for (const query of before) await users.read(query);
	const list = await listedUsers(users, { isLargestRead: true });
	const { length } = asked;
	const { findings, useful } = await findPageSizes(list, numbering);
	const observed = Object.fromEntries(
		findings.flatMap((finding) =>
			finding === undefined ? [] : [[finding.check, finding.observed]],
		),
	) as Record<string, unknown>;
	return {
		standard: observed.defaultPageSize,
		follows: observed.pageSizeHonoured,
		largest: observed.maxPageSize,
		useful,
		sizes: asked.slice(length).map(({ query }) => query?.pageSize),
		findings,
	};
}

describe('page sizes', () => {
	it('finds the default size, that sizes are followed, and the largest one', async () => {
		const found = await sizesOf({ count: 300 });
		expect(found).toMatchObject({ standard: 50, follows: true, largest: 100, useful: 100 });
		expect(found.sizes).toEqual([100, 101, 50]);
	});

	it('finds a limit that an error names, whichever way it names it', async () => {
		for (const message of ['at most 333', 'must be less than 334', 'one of 10, 100, 333']) {
			const found = await sizesOf({ count: 1000, size: refusedOver(333, message) });
			expect(found).toMatchObject({ follows: true, largest: 333, useful: 333 });
			expect(found.sizes.length).toBeLessThanOrEqual(4);
		}
	});

	it.each([1000, 500, 250, 200, 100])(
		'finds a usual limit of %i that no error names',
		async (max) => {
			const found = await sizesOf({ count: 1300, size: refusedOver(max, undefined, 20) });
			expect(found).toMatchObject({ largest: max, useful: max });
			const told = `Pages of ${max === 1000 ? '1,000' : max} users are complete`;
			expect(found.findings.map((finding) => finding?.meaning).join()).toContain(told);
		},
	);

	it('finds the limit if a size beyond it gets the default size', async () => {
		const size = (asked = 50) => (asked > 250 ? 50 : asked);
		expect(await sizesOf({ count: 1300, size })).toMatchObject({ largest: 250, useful: 250 });
	});

	it('finds no limit if the largest size asked for comes in full', async () => {
		expect(await sizesOf({ count: 1300, size: upTo(5000) })).toMatchObject({
			standard: 50,
			largest: undefined,
			useful: 1000,
		});
	});

	it('finds no limit beyond the end of the list', async () => {
		const found = await sizesOf({ count: 300, size: upTo(1000) });
		expect(found).toMatchObject({ follows: true, largest: undefined, useful: 1000 });
		expect(found.sizes).toEqual([300, 50]);
	});

	it('finds no limit if pages do not show where the list goes on', async () => {
		const found = await sizesOf({ count: 1300, numbering: 'ignored' });
		expect(found).toMatchObject({ largest: undefined, useful: 0 });
	});

	it('finds the limit of a list that is counted from 1', async () => {
		for (const from of [0, 1] as const) {
			const found = await sizesOf({ count: 1300, numbering: 'from1', from });
			expect(found).toMatchObject({ largest: 100, useful: 100 });
		}
	});

	it('knows nothing of limits if the largest size gets no answer that counts', async () => {
		const size = (asked = 50) => (asked > 1000 ? answer(500) : Math.min(asked, 100));
		const found = await sizesOf({ count: 300, size });
		expect(found).toMatchObject({ follows: true, largest: undefined, useful: 0 });
	});

	it('takes no accident for a limit', async () => {
		let beyond = 0;
		const size = (asked = 50) =>
			asked > 1000 && ++beyond === 1 ? answer(400) : Math.min(asked, 1200);
		const found = await sizesOf({ count: 1300, size });
		expect(found).toMatchObject({ largest: undefined, useful: 1000 });
		expect(found.sizes).toContain(1001);
	});

	it('halves the usual sizes, and gives up if the limit is none of them', async () => {
		const found = await sizesOf({ count: 1300, size: refusedOver(7, undefined, 5) });
		expect(found.largest).toBeUndefined();
		expect(found.sizes).toEqual([2, 100, 20, 10, 3]);
	});

	it('stops looking for a limit if a size gets no answer that counts', async () => {
		const size = (asked = 50) => {
			if (asked === 250) return answer(500);
			return asked > 200 ? answer(400) : asked;
		};
		const found = await sizesOf({ count: 1300, size });
		expect(found.sizes).toEqual([100, 250, 50]);
		expect(found.largest).toBeUndefined();
	});
});

describe('a page size that is not followed', () => {
	it('finds that sizes are ignored, by two that are smaller than the default', async () => {
		const found = await sizesOf({ count: 300, size: () => 50, before: [] });
		expect(found).toMatchObject({ standard: undefined, follows: false, largest: undefined });
		expect(found.findings.map((finding) => finding?.status)).toContain('warning');
		expect(found.sizes).toEqual([25, 12]);
	});

	it('finds nothing if pages are so short that it may be the smallest size', async () => {
		const found = await sizesOf({ count: 300, size: () => 20, before: [] });
		expect(found.follows).toBeUndefined();
	});

	it('finds that sizes are followed above the smallest one', async () => {
		const size = (asked = 10) => Math.min(Math.max(asked, 10), 100);
		const found = await sizesOf({ count: 300, size, before: [] });
		expect(found).toMatchObject({ follows: true, largest: 100 });
	});

	it('finds nothing in a single page that a change of the list may have shortened', async () => {
		const found = await sizesOf({ count: 1, before: [] });
		expect(found.follows).toBeUndefined();
	});

	it('finds by two neighbouring pages that small sizes are followed', async () => {
		const before = [0, 1].map((page) => ({ page, pageSize: 1 }));
		expect((await sizesOf({ count: 2, before })).follows).toBe(true);
		const one = { count: 2, before: before.slice(0, 1) };
		expect((await sizesOf(one)).follows).toBe(true);
		expect((await sizesOf({ ...one, numbering: 'unclear' })).follows).toBeUndefined();
	});
});

describe('users that are left out of pages', () => {
	it.each([2, 7, 10, 50])(
		'keeps the sizes unknown if each user of %i is missing',
		async (every) => {
			const found = await sizesOf({ count: 1300, hiddenEvery: every });
			expect(found).toMatchObject({ standard: undefined, largest: undefined });
		},
	);

	it('stops looking for a limit once a page shows it', async () => {
		const found = await sizesOf({ count: 1300, hiddenEvery: 50, size: upTo(5000) });
		expect(found).toMatchObject({ largest: undefined, useful: 0 });
		expect(found.sizes).toEqual([981, 981]);
	});

	it('does not take a page of an unusual length for the default one', async () => {
		const found = await sizesOf({ count: 300, size: upTo(100, 43) });
		expect(found.standard).toBeUndefined();
		expect((await sizesOf({ count: 300, size: upTo(100, 64) })).standard).toBe(64);
	});
});

describe('a size that pages state', () => {
	const stating = (data: JsonObject[], pageSize: number) => ({ data, pageSize });

	it('finds the limit in a list that is shorter', async () => {
		const before = [0, 1].map((page) => ({ page, pageSize: 100 }));
		const found = await sizesOf({ count: 730, size: upTo(1000), body: stating, before });
		expect(found).toMatchObject({ standard: 50, largest: 1000, useful: 1000 });
		expect(found.sizes).toEqual([1000]);
	});

	it('believes it in spite of users that are left out', async () => {
		const found = await sizesOf({ count: 1300, hiddenEvery: 7, body: stating });
		expect(found).toMatchObject({ standard: 50, largest: 100 });
	});

	it('does not believe a size that is the number of users on the page', async () => {
		const body = (data: JsonObject[]) => ({ data, pageSize: data.length });
		const found = await sizesOf({ count: 300, size: upTo(1000), hiddenEvery: 7, body });
		expect(found).toMatchObject({ standard: undefined, largest: undefined });
	});

	it('does not believe a size that is the same in each answer', async () => {
		const body = (data: JsonObject[]) => ({ data, pageSize: 100 });
		const before = [{ page: 0, pageSize: 100 }];
		const found = await sizesOf({ count: 30, size: () => 50, body, before });
		expect(found).toMatchObject({ standard: undefined, largest: undefined });
	});

	it('believes a size with which the total makes up the number of pages', async () => {
		const body = (data: JsonObject[]) => ({ data, pageSize: 50, total: 300, totalPages: 6 });
		const found = await sizesOf({ count: 300, size: () => 50, body });
		expect(found.standard).toBe(50);
	});
});
