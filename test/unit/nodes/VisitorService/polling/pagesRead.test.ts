import {
	type NextPage,
	PagesRead,
	reachesBeyond,
} from '../../../../../nodes/VisitorService/polling/pagesRead';

/** Where a reading goes on that asked for these pages at this size, of which some came. */
function nextAfter(
	from: NextPage,
	{ pageSize, asked, came }: { pageSize: number; asked: number[]; came: number[] },
): NextPage | undefined {
	const pages = new PagesRead(from);
	pages.asked(from.page, from.pageSize);
	pages.arrived(from.page, from.pageSize, recordsOf(from.page));
	for (const page of asked) pages.asked(page, pageSize);
	for (const page of came) pages.arrived(page, pageSize, recordsOf(page));
	return pages.next();
}

const recordsOf = (page: number) =>
	Array.from({ length: 10 }, (_, place) => ({ id: `${page}-${place}` }));

describe('the place where the next poll goes on', () => {
	it.each([
		[8, [9, 10, 11, 12], 8],
		[10, [8, 9, 11, 12], 10],
		[13, [8, 9, 10, 11, 12], 13],
	])(
		'goes on with page %d, which failed, after pages of a smaller size came: %j',
		(_, came, page) => {
			const from = { page: 4, pageSize: 20 };
			const asked = [8, 9, 10, 11, 12, 13];
			expect(nextAfter(from, { pageSize: 10, asked, came })).toMatchObject({ page, pageSize: 10 });
		},
	);

	it('goes on before the records that were not read, if no larger page begins with them', () => {
		const from = { page: 5, pageSize: 10 };
		const next = nextAfter(from, { pageSize: 20, asked: [6], came: [6] });
		expect(next).toMatchObject({ page: 2, pageSize: 20 });
	});
});

describe('a list that repeats its last page in the next poll', () => {
	it('notices a page that repeats the last one, although that was asked for in another size too', () => {
		const from = { page: 0, pageSize: 10 };
		const pages = new PagesRead(from);
		const half = recordsOf(1).slice(0, 5);
		for (const [page, pageSize, records] of [
			[0, 10, recordsOf(0)],
			[1, 10, recordsOf(1)],
			[1, 5, half],
		] as const) {
			pages.asked(page, 10);
			pages.arrived(page, pageSize, records);
		}
		const next = pages.next();
		expect(next).toMatchObject({ page: 2, pageSize: 10 });
		const later = new PagesRead(next ?? from);
		expect(later.isRepeated(2, 10, recordsOf(1))).toBe(true);
		expect(later.isRepeated(2, 10, half)).toBe(false);
		expect(later.isRepeated(2, 10, recordsOf(2))).toBe(false);
	});
});

describe('a list that starts over in a later poll', () => {
	it.each([
		[10, true],
		[6, true],
		[5, false],
		[0, false],
	])(
		'a list that starts over is known by a page with %d of the ten users of its first page: %p',
		(known, isRepeated) => {
			const pages = new PagesRead({ page: 2, pageSize: 10 }, 'id');
			pages.noteFirst(recordsOf(0));
			const shown = [...recordsOf(0).slice(0, known), ...recordsOf(3).slice(known)];
			expect(pages.isRepeated(3, 10, shown)).toBe(isRepeated);
		},
	);
});

describe('a page before the place of a later poll', () => {
	it('takes a page before the place of a later poll for no list that starts over', () => {
		const pages = new PagesRead({ page: 2, pageSize: 10 }, 'id');
		pages.noteFirst(recordsOf(0));
		expect(pages.isRepeated(0, 10, recordsOf(0))).toBe(false);
		expect(pages.isRepeated(2, 10, recordsOf(0))).toBe(true);
	});
});

describe('the place in a list that counts from 1', () => {
	const from = { page: 4, pageSize: 20, first: 1 };

	it('goes on before the records that were not read of a list that counts from 1, after smaller pages', () => {
		const next = nextAfter(from, { pageSize: 10, asked: [7, 8, 9], came: [8, 9] });
		expect(next).toMatchObject({ page: 7, pageSize: 10, first: 1 });
	});

	it('counts a page less before a place in a list that counts from 1', () => {
		expect(reachesBeyond(from, 61)).toBe(true);
		expect(reachesBeyond(from, 60)).toBe(false);
	});

	it('does not end a list that counts from 1 with a repeated page as long as the total speaks of more', () => {
		const next = nextAfter(from, { pageSize: 20, asked: [5], came: [5] });
		const later = (total: number) => new PagesRead({ ...from, page: 6, last: next?.last, total });
		expect(later(101).isRepeated(6, 20, recordsOf(5))).toBe(false);
		expect(later(100).isRepeated(6, 20, recordsOf(5))).toBe(true);
	});
});
