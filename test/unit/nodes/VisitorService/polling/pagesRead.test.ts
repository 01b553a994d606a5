import {
	PagesRead,
	type ReadingPlace,
} from '../../../../../nodes/VisitorService/polling/pagesRead';

/** Where a reading goes on that asked for these pages at this size, of which some came. */
function nextAfter(
	from: ReadingPlace,
	{ pageSize, asked, came }: { pageSize: number; asked: number[]; came: number[] },
): ReadingPlace | undefined {
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
