import {
	PageProgress,
	type TakenPage,
} from '../../../../../nodes/VisitorService/listing/pageProgress';
import { ServiceFailure } from '../../../../../nodes/VisitorService/transport/serviceFailure';

const SIZE = 10;

const begin = (rules: Partial<ConstructorParameters<typeof PageProgress>[0]> = {}) =>
	new PageProgress({ firstPage: 0, pageSize: SIZE, maxPages: 0, ...rules });

/** A page of other records than all before; full unless said otherwise. */
const page = (number: number, changes: Partial<TakenPage> = {}): TakenPage => ({
	number,
	came: SIZE,
	fresh: changes.came ?? SIZE,
	repeated: 0,
	fingerprint: `page ${number}`,
	metadata: {},
	...changes,
});

const refusal = (statusCode: number) =>
	new ServiceFailure('No.', 'Do.', { kind: 'notFound', statusCode });

/** Takes full pages from the first on. */
function afterPages(
	count: number,
	changes: Partial<TakenPage> = {},
	progress = begin(),
): PageProgress {
	for (let number = 0; number < count; number++) progress.take(page(number, changes));
	return progress;
}

describe('how far PageProgress reads', () => {
	it('without a known end: as far as it may', () => {
		expect(afterPages(1).horizon(Infinity)).toBe(Infinity);
		expect(afterPages(7).horizon(Infinity)).toBe(Infinity);
	});

	it('by a page count: exactly to the end', () => {
		expect(afterPages(1, { metadata: { totalPages: 7 } }).horizon(Infinity)).toBe(7);
	});

	it.each([
		['one page more where the last one would be full', 70, 8],
		['to the last page where that is short', 65, 7],
	])('by a total: %s', (_, total, end) => {
		expect(afterPages(1, { metadata: { total } }).horizon(Infinity)).toBe(end);
	});

	it('by a total to the last page only, where pages say whether they are the last', () => {
		expect(afterPages(1, { metadata: { total: 70, more: true } }).horizon(Infinity)).toBe(7);
	});

	it('by neither where they contradict each other', () => {
		expect(afterPages(1, { metadata: { total: 70, totalPages: 1 } }).horizon(Infinity)).toBe(8);
	});

	it('beyond a total that lagged behind', () => {
		expect(afterPages(9, { metadata: { total: 70 } }).horizon(Infinity)).toBe(Infinity);
	});

	it('beyond a page count that was computed from such a total', () => {
		const progress = afterPages(3, { metadata: { total: 25, totalPages: 3 } });
		expect(progress.ended).toBe(false);
		expect(progress.horizon(Infinity)).toBe(Infinity);
	});

	it('one page beyond a short page, which probably is the last', () => {
		const progress = afterPages(3);
		progress.take(page(3, { came: 4 }));
		expect(progress.horizon(Infinity)).toBe(5);
		// Where it was not, short pages say nothing any more.
		progress.take(page(4, { came: 3 }));
		expect(progress.horizon(Infinity)).toBe(Infinity);
	});

	it('the same with another page size than asked for, in which the first page was full', () => {
		const progress = begin();
		progress.take(page(0, { came: 4 }));
		progress.continueAt(1, 4);
		progress.take(page(1, { came: 4 }));
		progress.take(page(2, { came: 3 }));
		expect(progress.horizon(Infinity)).toBe(4);
	});

	it('not beyond a page that came without records before its turn', () => {
		const progress = afterPages(2);
		progress.expectNothingFrom(6);
		progress.expectNothingFrom(8);
		expect(progress.horizon(Infinity)).toBe(6);
	});

	it('as far as the limit takes', () => {
		expect(afterPages(2).horizon(25)).toBe(5);
		expect(afterPages(2).horizon(30)).toBe(5);
	});

	it('as far as the cap allows, empty pages included', () => {
		const progress = afterPages(2, {}, begin({ maxPages: 4 }));
		expect(progress.horizon(Infinity)).toBe(4);
	});

	it('from a later page on, with another size', () => {
		const progress = begin({ firstPage: 5 });
		progress.take(page(5, { came: 4, metadata: { total: 90, totalPages: 9 } }));
		progress.continueAt(13, 4);
		expect(progress.horizon(Infinity)).toBe(23);
	});
});

describe('where PageProgress ends', () => {
	it.each([
		['it says that none follows', { more: false }],
		['it is the last of the page count', { totalPages: 3 }],
		['it is the last of page count and total', { totalPages: 3, total: 30 }],
	])('on a page where %s', (_, metadata) => {
		const progress = afterPages(2);
		progress.take(page(2, { metadata }));
		expect(progress.ended).toBe(true);
		expect(progress.doubt).toBeUndefined();
	});

	it.each([
		['a full page that reaches the total', { metadata: { total: 30 } }],
		['a short page', { came: 4 }],
		['a short page that does not reach the total', { came: 4, metadata: { total: 30 } }],
		[
			'the last page by its count where it says that more follow',
			{ metadata: { totalPages: 3, more: true } },
		],
		['a page count that does not hold the total', { metadata: { totalPages: 3, total: 31 } }],
		['a page count of 0', { metadata: { totalPages: 0 } }],
	])('not on %s', (_, changes) => {
		const progress = afterPages(2);
		progress.take(page(2, changes));
		expect(progress.ended).toBe(false);
		expect(progress.horizon(Infinity)).toBeGreaterThan(3);
	});

	it('on a short page with which the total agrees', () => {
		const progress = afterPages(2);
		progress.take(page(2, { came: 4, metadata: { total: 24 } }));
		expect(progress.ended).toBe(true);
	});

	it('not by a total where the first pages were not read', () => {
		const progress = begin({ firstPage: 2 });
		progress.take(page(2, { came: 4, metadata: { total: 4 } }));
		expect(progress.ended).toBe(false);
	});

	it.each([{ more: false }, { totalPages: 1 }])(
		'not on a clamped first page that says %p, where the total speaks of more',
		(metadata) => {
			const progress = begin();
			progress.take(page(0, { came: 4, metadata: { ...metadata, total: 9 } }));
			expect(progress.ended).toBe(false);
			const believed = begin();
			believed.take(page(0, { came: 4, metadata }));
			expect(believed.ended).toBe(true);
		},
	);

	it('with an empty page, when those in flight were looked at', () => {
		const progress = afterPages(2);
		progress.take(page(2, { came: 0 }));
		expect(progress.ended).toBe(false);
		expect(progress.horizon(Infinity)).toBe(3);
		progress.take(page(3, { came: 0 }));
		expect(progress.horizon(Infinity)).toBe(4);
	});

	it('not with an empty page that records follow', () => {
		const progress = afterPages(2);
		progress.expectNothingFrom(2);
		progress.take(page(2, { came: 0 }));
		progress.take(page(3));
		expect(progress.horizon(Infinity)).toBe(Infinity);
	});

	it('with the second empty page where the total speaks of more, with the third where the page does', () => {
		const byTotal = afterPages(2, { metadata: { total: 99 } });
		byTotal.take(page(2, { came: 0, metadata: { total: 99 } }));
		expect(byTotal.horizon(Infinity)).toBeGreaterThan(3);
		byTotal.take(page(3, { came: 0, metadata: { total: 99 } }));
		expect(byTotal.horizon(Infinity)).toBe(4);

		const byPage = afterPages(2);
		for (const number of [2, 3]) {
			byPage.take(page(number, { came: 0, metadata: { more: true } }));
			expect(byPage.horizon(Infinity)).toBeGreaterThan(number + 1);
		}
		byPage.take(page(4, { came: 0, metadata: { more: true } }));
		expect(byPage.horizon(Infinity)).toBe(5);
	});

	it('at the cap, unless the list ends there', () => {
		const capped = afterPages(3, {}, begin({ maxPages: 3 }));
		expect(capped).toMatchObject({ ended: true, capReached: true });
		const whole = afterPages(3, { metadata: { totalPages: 3 } }, begin({ maxPages: 3 }));
		expect(whole).toMatchObject({ ended: true, capReached: false });
		capped.stop();
		expect(capped).toMatchObject({ ended: true, capReached: false });
	});
});

describe('PageProgress with pages that could not be read', () => {
	it('throws where the list goes on', () => {
		expect(() => {
			afterPages(2).takeFailure(2, new Error('broken'));
		}).toThrow('broken');
	});

	it('does not mind behind the end, unless records follow', () => {
		const progress = afterPages(2);
		progress.take(page(2, { came: 0 }));
		progress.takeFailure(3, new Error('broken'));
		progress.take(page(4, { came: 0 }));
		expect(() => {
			progress.take(page(5));
		}).toThrow('broken');
	});

	it.each([400, 404])('takes %d behind a short page for the end', (status) => {
		const progress = afterPages(2);
		progress.take(page(2, { came: 4 }));
		progress.take(page(3, { came: 0, refusal: refusal(status) }));
		expect(progress.doubt).toBeUndefined();
		expect(progress.horizon(Infinity)).toBe(4);
	});

	it.each([400, 404])('takes %d for the end where the total agrees', (status) => {
		const progress = afterPages(2, { metadata: { total: 20 } });
		progress.take(page(2, { came: 0, refusal: refusal(status) }));
		expect(progress.doubt).toBeUndefined();
	});

	it('doubts a refusal behind a full page', () => {
		const progress = afterPages(2);
		const failure = refusal(404);
		progress.take(page(2, { came: 0, refusal: failure }));
		progress.take(page(3, { came: 0, refusal: refusal(404) }));
		expect(progress.doubt).toEqual({ kind: 'refusal', page: 2, shift: 0, failure });
	});

	it('doubts 404 behind a short page where the total speaks of more, but not 400', () => {
		for (const [status, doubted] of [
			[404, true],
			[400, false],
		] as const) {
			const progress = afterPages(2, { metadata: { total: 35 } });
			progress.take(page(2, { came: 4, metadata: { total: 35 } }));
			progress.take(page(3, { came: 0, refusal: refusal(status) }));
			expect(progress.doubt !== undefined).toBe(doubted);
		}
	});

	it('throws the refusal where records follow', () => {
		const progress = afterPages(2);
		progress.take(page(2, { came: 0, refusal: refusal(404) }));
		expect(() => {
			progress.take(page(3));
		}).toThrow('No.');
	});
});

describe('PageProgress with records that come again', () => {
	const again = (number: number, fingerprint: string, came = SIZE): TakenPage =>
		page(number, { came, fresh: 0, repeated: came, fingerprint });

	it('counts those on two pages', () => {
		const progress = afterPages(1);
		progress.take(page(1, { fresh: 8, repeated: 2 }));
		progress.take(page(2, { fresh: 9, repeated: 1 }));
		expect(progress.duplicates).toBe(3);
	});

	it('doubts `page` where only the first page ever comes', () => {
		const progress = afterPages(1);
		progress.take(again(1, 'page 0'));
		expect(progress.ended).toBe(false);
		progress.take(again(2, 'page 0'));
		expect(progress).toMatchObject({ ended: true, doubt: { kind: 'samePage' } });
	});

	it('goes on where numbering starts at 1, counts no duplicates and reads one page more', () => {
		const progress = afterPages(1, { metadata: { totalPages: 3 } });
		progress.take({ ...again(1, 'page 0'), metadata: { totalPages: 3 } });
		expect(progress.horizon(Infinity)).toBe(4);
		progress.take(page(2, { metadata: { totalPages: 3 } }));
		expect(progress).toMatchObject({ ended: false, duplicates: 0 });
		progress.take(page(3, { metadata: { totalPages: 3 } }));
		expect(progress.ended).toBe(true);
	});

	it('the same where page 0 is empty then', () => {
		const progress = begin();
		progress.take(page(0, { came: 0, metadata: { more: true } }));
		progress.take(page(1, { metadata: { totalPages: 2 } }));
		expect(progress.ended).toBe(false);
		progress.take(page(2, { metadata: { totalPages: 2 } }));
		expect(progress.ended).toBe(true);
	});

	it('ends where a short last page comes again, or a full one twice', () => {
		const short = afterPages(2);
		short.take(page(2, { came: 4 }));
		short.take(again(3, 'page 2', 4));
		expect(short).toMatchObject({ ended: true, duplicates: 0, doubt: undefined });

		const full = afterPages(3);
		full.take(again(3, 'page 2'));
		expect(full.ended).toBe(false);
		full.take(again(4, 'page 2'));
		expect(full).toMatchObject({ ended: true, duplicates: 0 });
	});

	it('does not give up where the list moved by a page', () => {
		const progress = afterPages(3);
		progress.take(again(3, 'page 2'));
		progress.take(page(4));
		expect(progress).toMatchObject({ ended: false, duplicates: SIZE });
	});

	it('ends where the list starts over', () => {
		const progress = afterPages(3);
		for (let number = 3; number < 13; number++) {
			expect(progress.ended).toBe(false);
			progress.take(again(number, `page ${number % 3}`));
		}
		expect(progress).toMatchObject({ ended: true, duplicates: 0, doubt: undefined });
	});

	it('doubts `page` after three identical pages where records have no id', () => {
		const progress = begin();
		progress.take(page(0, { fingerprint: 'same' }));
		progress.take(page(1, { fingerprint: 'same' }));
		expect(progress.ended).toBe(false);
		progress.take(page(2, { fingerprint: 'same' }));
		expect(progress).toMatchObject({ ended: true, doubt: { kind: 'samePage' } });
	});
});
