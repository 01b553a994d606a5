import {
	countsPages,
	type ListFacts,
	learn,
	leavingOut,
	nothingKnown,
	type PageFacts,
	plannedEnd,
	speaksOfMore,
	withSize,
} from '../../../../../nodes/VisitorService/listing/listFacts';

const SIZE = 10;

/** A full page of new records, unless said otherwise. */
const page = (changes: Partial<PageFacts> = {}): PageFacts => ({
	metadata: {},
	came: SIZE,
	fresh: changes.came ?? SIZE,
	...changes,
});

/** What is known after pages that are taken one after the other. */
const after = (...pages: Array<Partial<PageFacts>>): ListFacts =>
	pages.reduce((known: ListFacts, changes) => learn(known, page(changes)), nothingKnown(0, SIZE));

const saying = (metadata: PageFacts['metadata'], changes: Partial<PageFacts> = {}) => ({
	metadata,
	...changes,
});
const full = {};
const empty = { came: 0 };

/** What is known after so many full pages that all say the same. */
const afterFull = (count: number, metadata: PageFacts['metadata'] = {}) =>
	after(...Array.from({ length: count }, () => ({ metadata })));

describe('learn counts what came', () => {
	it('counts the pages with records, the new records, and all that came', () => {
		const known = after(full, { fresh: 8 }, empty, { came: 4 });
		expect(known).toMatchObject({ pages: 3, count: 22, came: 24, wasShort: true });
	});

	it('counts the pages in a row that held nothing new, and their records', () => {
		const twice = after(full, { fresh: 0 }, { came: 4, fresh: 0 });
		expect(twice).toMatchObject({ pagesWithoutNew: 2, recordsWithoutNew: 14, count: 10 });
		expect(learn(twice, page({ fresh: 1 }))).toMatchObject({
			pagesWithoutNew: 0,
			recordsWithoutNew: 0,
		});
	});

	it('believes no page to be the last once records followed one that said so', () => {
		const last = { metadata: { more: false } };
		expect(after(last).lastWasWrong).toBe(false);
		expect(after(last, full, { metadata: { more: true } }, full).lastWasWrong).toBe(true);
	});

	it('takes short pages for usual when new records follow one', () => {
		expect(after(full, { came: 4 }).shortIsUsual).toBe(false);
		expect(after(full, { came: 4 }, { fresh: 0 }).shortIsUsual).toBe(false);
		expect(after(full, { came: 4 }, full).shortIsUsual).toBe(true);
		expect(after(full, { came: 4 }, full, full).shortIsUsual).toBe(true);
	});

	it('knows that a page was cut short if a later one is longer than asked for', () => {
		const longer = { came: SIZE + 1 };
		expect(nothingKnown(0, SIZE).isLonger).toBe(false);
		expect(after(longer).isLonger).toBe(false);
		expect(after(full, full).isLonger).toBe(false);
		expect(after({ came: 4 }, { came: 4 }).isLonger).toBe(false);
		expect(after(full, longer).isLonger).toBe(true);
		expect(after(full, longer, full).isLonger).toBe(true);
	});

	it('keeps what the last page with records was when an empty page follows', () => {
		expect(after(full, { came: 4 }, empty)).toMatchObject({ wasShort: true });
	});

	it('changes nothing of what was known before', () => {
		const before = Object.freeze(after(full));
		expect(learn(before, page(saying({ total: 30 })))).not.toBe(before);
		expect(before.total).toBeUndefined();
	});
});

describe('learn remembers what the service says', () => {
	it('remembers what only one page says', () => {
		const known = after(saying({ total: 30, totalPages: 3, more: true }), full);
		expect(known).toMatchObject({
			total: 30,
			saidTotal: 30,
			totalPages: 3,
			totalPagesSize: SIZE,
			more: true,
		});
	});

	it('believes the last page that says whether more follow', () => {
		expect(after(saying({ more: true }), saying({ more: false })).more).toBe(false);
	});

	it('takes a total that is the number of records on its page for that of the page', () => {
		const known = after(saying({ total: 10 }), saying({ total: 4 }, { came: 4 }));
		expect(known.total).toBeUndefined();
		expect(known.saidTotal).toBe(4);
	});

	it('believes the total of a short page that says that more would have had a place on it', () => {
		expect(after(saying({ total: 4 }, { came: 4, statedSize: 10 })).total).toBe(4);
		expect(after(saying({ total: 4 }, { came: 4, statedSize: 4 })).total).toBeUndefined();
	});

	it('does not believe a total that is less than what came before anything was said', () => {
		expect(after(saying({ total: SIZE - 1 })).total).toBeUndefined();
		expect(after(full, saying({ total: 5 }, { came: 4 })).total).toBeUndefined();
	});

	it('remembers such a total, which is not that of its page either, for a warning', () => {
		const other = after(full, saying({ total: 5 }, { came: 4 }));
		expect(other.otherTotal).toBe(5);
		expect(learn(other, page(saying({ total: 30 }))).otherTotal).toBe(5);
		expect(after(full, saying({ total: 4 }, { came: 4 })).otherTotal).toBeUndefined();
		expect(after(saying({ total: 30 })).otherTotal).toBeUndefined();
		expect(
			after(saying({ total: 30 }), full, full, saying({ total: 5 })).otherTotal,
		).toBeUndefined();
		expect(after(full, saying({ total: 0 })).otherTotal).toBeUndefined();
	});

	it('forgets that a next page follows if a page names none, unlike those before it', () => {
		const named = saying({ more: true, nextPage: 'named' });
		expect(after(named, full).more).toBeUndefined();
		expect(after(named, empty).more).toBe(true);
		expect(after(saying({ more: true }), full).more).toBe(true);
	});

	it('takes an empty place for the next page for the end if earlier pages filled it', () => {
		const named = saying({ more: true, nextPage: 'named' });
		const none = saying({ nextPage: 'none' });
		expect(after(named, none).more).toBe(false);
		expect(after(none).more).toBeUndefined();
		expect(after(named, saying({ more: true, nextPage: 'none' })).more).toBe(true);
	});

	it('believes a total that is the number of records on its page after another total', () => {
		expect(after(saying({ total: 30 }), saying({ total: 10 })).total).toBe(10);
	});

	it('does not believe the total 0 of an empty page', () => {
		const known = after(saying({ total: 30 }), saying({ total: 0 }, empty));
		expect(known).toMatchObject({ total: 30, saidTotal: 30, totalFellFrom: undefined });
		expect(after(saying({ total: 0 }, empty)).total).toBeUndefined();
	});

	it('believes another total of an empty page', () => {
		expect(after(saying({ total: 5 }, empty)).total).toBe(5);
	});

	it('remembers from where a total fell, even if it is back', () => {
		const fallen = after(saying({ total: 30 }), saying({ total: 28 }), saying({ total: 29 }));
		expect(fallen).toMatchObject({ total: 29, totalFellFrom: 30 });
		expect(learn(fallen, page(saying({ total: 30 }))).totalFellFrom).toBe(30);
		expect(after(saying({ total: 28 }), saying({ total: 30 })).totalFellFrom).toBeUndefined();
	});

	it('remembers that a page count fell, even if it is back', () => {
		const fallen = after(saying({ totalPages: 5 }), saying({ totalPages: 4 }));
		expect(fallen.pageCountFell).toBe(true);
		expect(learn(fallen, page(saying({ totalPages: 5 }))).pageCountFell).toBe(true);
		expect(after(saying({ totalPages: 4 }), saying({ totalPages: 5 })).pageCountFell).toBe(false);
	});

	it('remembers that a total or a page count rose', () => {
		expect(after(saying({ total: 30 }), saying({ total: 31 })).hasGrown).toBe(true);
		expect(after(saying({ totalPages: 4 }), saying({ totalPages: 5 }), full).hasGrown).toBe(true);
		expect(after(saying({ total: 30, totalPages: 3 }), saying({ total: 30 })).hasGrown).toBe(false);
		expect(after(saying({ totalPages: 4 }), saying({ totalPages: 4 })).hasGrown).toBe(false);
		const larger = withSize(after(saying({ totalPages: 4 })), 4);
		expect(learn(larger, page(saying({ totalPages: 10 }))).hasGrown).toBe(false);
	});

	it('does not take numbers that count what was read so far for a list that grows', () => {
		let facts = nothingKnown(0, 10);
		for (const page of [1, 2, 3]) {
			const metadata = { total: 10 * page, totalPages: page };
			facts = learn(facts, { metadata, came: 10, fresh: 10 });
		}
		expect(facts).toMatchObject({
			total: 30,
			firstTotal: 20,
			hasGrown: false,
			totalWasAhead: false,
			pageCountWasAhead: false,
		});
		const metadata = { total: 60, totalPages: 6 };
		expect(learn(facts, { metadata, came: 10, fresh: 10 })).toMatchObject({
			hasGrown: true,
			totalWasAhead: true,
			pageCountWasAhead: true,
		});
	});

	it('takes the lower page count of an empty page for a fall only if pages were counted that are not read', () => {
		const emptied = (totalPages: number) =>
			after(saying({ totalPages }), saying({ totalPages: 0 }, empty)).pageCountFell;
		expect(emptied(5)).toBe(true);
		expect(emptied(1)).toBe(false);
	});

	it('does not take a lower page count at a larger page size for a fall', () => {
		const known = withSize(after(saying({ totalPages: 5 })), 20);
		const larger = learn(known, page(saying({ totalPages: 3 })));
		expect(larger).toMatchObject({ totalPages: 3, totalPagesSize: 20, pageCountFell: false });
	});
});

describe('withSize', () => {
	it('changes nothing if the size stays', () => {
		const known = after({ came: 4 });
		expect(withSize(known, SIZE)).toBe(known);
	});

	it('takes the first page for full at the smaller size, and remembers that it was short', () => {
		expect(withSize(after({ came: 4 }), 4)).toMatchObject({
			size: 4,
			wasShort: false,
			firstWasShort: true,
		});
	});

	it('does not take the first page for short at a larger size', () => {
		expect(withSize(afterFull(1), 20).firstWasShort).toBe(false);
	});
});

describe('leavingOut', () => {
	it('takes short pages for usual after a short one', () => {
		const short = after({ came: 4 });
		expect(leavingOut(short)).toEqual({ ...short, shortIsUsual: true });
		expect(leavingOut(after(full)).shortIsUsual).toBe(false);
		expect(leavingOut(after({ came: 4 }, full)).shortIsUsual).toBe(true);
	});
});

describe('speaksOfMore', () => {
	it.each<[string, Partial<ListFacts>, boolean]>([
		['says no if nothing is known', {}, false],
		['says yes if a page said that more follow', { more: true }, true],
		['says no if a page said that none follow', { more: false }, false],
		['says yes if the total reaches the page', { total: 31 }, true],
		['says no if the total ends before the page', { total: 30 }, false],
		['says no if the total ends before the page, counted from 1', { total: 20, shift: 1 }, false],
		['says yes if the total reaches the page, counted from 1', { total: 21, shift: 1 }, true],
		['says yes if the page count reaches the page', { totalPages: 4, totalPagesSize: 10 }, true],
		['says no if the page count ends before it', { totalPages: 3, totalPagesSize: 10 }, false],
		[
			'says yes if the page count reaches the page, counted from 1',
			{ totalPages: 3, totalPagesSize: 10, shift: 1 },
			true,
		],
		['believes a page count for larger pages', { totalPages: 4, totalPagesSize: 20 }, true],
		['believes no page count for smaller pages', { totalPages: 9, totalPagesSize: 5 }, false],
		['ignores a total that is only that of the page', { saidTotal: 99 }, false],
	])('says whether the list speaks of more pages: %s', (_, known, expected) => {
		expect(speaksOfMore({ ...afterFull(3), ...known }, 3)).toBe(expected);
	});
});

describe('countsPages', () => {
	it.each<[string, Partial<ListFacts>, boolean]>([
		['believes a page count for this size', { totalPages: 3, totalPagesSize: 10 }, true],
		['believes one that holds the total', { totalPages: 3, totalPagesSize: 10, total: 30 }, true],
		['believes none that does not', { totalPages: 3, totalPagesSize: 10, total: 31 }, false],
		['believes none for another size', { totalPages: 3, totalPagesSize: 20 }, false],
		['believes none of 0', { totalPages: 0, totalPagesSize: 10 }, false],
		['believes none if no page said one', {}, false],
		[
			'believes none if more records came than the total',
			{ totalPages: 3, totalPagesSize: 10, total: 25 },
			false,
		],
	])('decides whether to believe a page count: %s', (_, known, expected) => {
		expect(countsPages({ ...afterFull(3), ...known })).toBe(expected);
	});
});

describe('plannedEnd', () => {
	it('plans as far as it may if nothing is said', () => {
		expect(plannedEnd(afterFull(1), 1)).toBe(Infinity);
		expect(plannedEnd(afterFull(7), 7)).toBe(Infinity);
	});

	it('plans exactly to the end of the page count', () => {
		expect(plannedEnd(afterFull(1, { totalPages: 7 }), 1)).toBe(7);
	});

	it.each([
		['one page more if the last one by the total is full', 70, 8],
		['to the last page by the total if it is short', 65, 7],
	])('plans the end of the list from the total: %s', (_, total, end) => {
		expect(plannedEnd(afterFull(1, { total }), 1)).toBe(end);
	});

	it('plans to the last page by the total if pages say whether they are the last', () => {
		expect(plannedEnd(afterFull(1, { total: 70, more: true }), 1)).toBe(7);
	});

	it('plans by the total if the page count contradicts it', () => {
		expect(plannedEnd(afterFull(1, { total: 70, totalPages: 1 }), 1)).toBe(8);
	});

	it('plans by a total even if it may be that of the page', () => {
		expect(plannedEnd(afterFull(1, { total: 10 }), 1)).toBe(2);
	});

	it('plans as far as it may if more records came than the total', () => {
		expect(plannedEnd(afterFull(9, { total: 70 }), 9)).toBe(Infinity);
	});

	it('plans as far as it may if the page count was computed from such a total', () => {
		expect(plannedEnd(afterFull(3, { total: 25, totalPages: 3 }), 3)).toBe(Infinity);
	});

	it('plans one page after a short page, which probably is the last', () => {
		expect(plannedEnd(after(full, full, full, { came: 4 }), 4)).toBe(5);
	});

	it('plans as far as it may after a short page if short pages are usual', () => {
		expect(plannedEnd(after(full, { came: 4 }, { came: 3 }), 3)).toBe(Infinity);
	});

	it('plans as far as it may after a short page that says that more follow', () => {
		expect(plannedEnd(after(full, saying({ more: true }, { came: 4 })), 2)).toBe(Infinity);
	});

	it('plans with the size of the pages that come instead of the one asked for', () => {
		const known = learn(withSize(after({ came: 4 }), 4), page({ came: 4 }));
		expect(plannedEnd(known, 2)).toBe(Infinity);
		expect(plannedEnd(learn(known, page({ came: 3 })), 3)).toBe(4);
	});

	it('plans by the total if the reading began at a later page with another size', () => {
		const first = page({ came: 4, metadata: { total: 90, totalPages: 9 } });
		expect(plannedEnd(withSize(learn(nothingKnown(5, SIZE), first), 4), 13)).toBe(23);
	});

	it('plans one page more if the service counts from 1, or may do so', () => {
		const known = afterFull(2, { totalPages: 7 });
		expect(plannedEnd({ ...known, shift: 1 }, 2)).toBe(8);
		expect(plannedEnd({ ...known, firstPage: 3 }, 5)).toBe(8);
		expect(plannedEnd({ ...known, firstPage: 3, shift: 1 }, 5)).toBe(8);
		expect(plannedEnd({ ...known, pages: 1, pagesWithoutNew: 1 }, 2)).toBe(8);
	});
});
