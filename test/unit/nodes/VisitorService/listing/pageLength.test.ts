import {
	holdsLessThanStated,
	isAsLongAsAsked,
	isCutShort,
	isLongerThanAsked,
	isShorterThanAsked,
	isStatedSizeCounted,
	lengthOf,
	mayBeMaximum,
	roomOf,
	stateTheirSize,
} from '../../../../../nodes/VisitorService/listing/pageLength';

const page = (asked: number, came: number, stated?: number) => ({ asked, came, stated });

describe('the length of a page', () => {
	it('measures a page by its records, the size asked for and the one stated', () => {
		const records = [{ id: 1 }, { id: 2 }];
		const read = { kind: 'records' as const, records, metadata: { pageSize: 5 } };
		expect(lengthOf(read, 10)).toEqual({ asked: 10, came: 2, stated: 5 });
	});

	it('finds a page shorter or longer than it was asked to be', () => {
		const lengths = [page(10, 9), page(10, 10), page(10, 11), page(0, 50)];
		expect(lengths.map(isShorterThanAsked)).toEqual([true, false, false, false]);
		expect(lengths.map(isLongerThanAsked)).toEqual([false, false, true, true]);
		expect(lengths.map(isAsLongAsAsked)).toEqual([false, true, false, false]);
	});

	it('calls a page cut short if as many records as were asked for came on another one', () => {
		expect(isCutShort(page(10, 9), 10)).toBe(true);
		expect(isCutShort(page(10, 9), 9)).toBe(false);
		expect(isCutShort(page(10, 10), 50)).toBe(false);
	});

	it('finds less than stated only on a short page that states the whole size asked for', () => {
		expect(holdsLessThanStated(page(10, 9, 10))).toBe(true);
		expect(holdsLessThanStated(page(10, 9, 9))).toBe(false);
		expect(holdsLessThanStated(page(10, 9))).toBe(false);
		expect(holdsLessThanStated(page(10, 10, 10))).toBe(false);
	});

	it('takes a length for a maximum if it divides the size asked for, and is a tenth of it at least', () => {
		expect(mayBeMaximum(page(100, 50))).toBe(true);
		expect(mayBeMaximum(page(100, 10))).toBe(true);
		expect(mayBeMaximum(page(100, 5))).toBe(false);
		expect(mayBeMaximum(page(100, 43))).toBe(false);
		expect(mayBeMaximum(page(100, 100))).toBe(false);
		expect(mayBeMaximum(page(5, 1))).toBe(false);
	});
});

describe('a size that pages state', () => {
	const largest = page(1001, 87, 100);

	it('believes the size pages state if it differs between them, and some hold fewer records', () => {
		const pages = [page(0, 50, 50), page(10, 10, 10), largest];
		expect(stateTheirSize(pages)).toBe(true);
		expect(roomOf(largest, pages)).toBe(100);
		expect(roomOf(page(10, 9), pages)).toBe(9);
	});

	it.each([
		['it is the number of records', [page(0, 50, 50), page(10, 10, 10)]],
		['it is the same on each page', [page(100, 50, 100), page(10, 10, 100)]],
		['it is never the size asked for', [page(0, 50, 50), page(20, 10, 10), largest]],
		['a page holds more records', [page(0, 50, 20), page(10, 10, 10), largest]],
		['it is stated only on pages without records', [page(10, 0, 10), page(1001, 0, 100)]],
	])('does not believe the size pages state if %s', (_, pages) => {
		expect(stateTheirSize(pages)).toBe(false);
		expect(roomOf(largest, pages)).toBe(87);
	});

	it('believes at once a stated size with which the total makes up the number of several pages', () => {
		expect(isStatedSizeCounted({ pageSize: 50, total: 300, totalPages: 6 })).toBe(true);
		expect(isStatedSizeCounted({ pageSize: 50, total: 251, totalPages: 6 })).toBe(true);
		expect(isStatedSizeCounted({ pageSize: 50, total: 300, totalPages: 5 })).toBe(false);
		expect(isStatedSizeCounted({ pageSize: 50, total: 30, totalPages: 1 })).toBe(false);
		expect(isStatedSizeCounted({ total: 300, totalPages: 300 })).toBe(false);
		expect(isStatedSizeCounted({ pageSize: 50 })).toBe(false);
	});
});
