import type { PagingMetadata } from '../../../../../nodes/VisitorService/answer/paging';
import { findBeginning } from '../../../../../nodes/VisitorService/listing/beginning';
import type { Continuation } from '../../../../../nodes/VisitorService/listing/pageSize';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { numbered } from './simulatedList';

const at = (page: number, pageSize: number, overlap = 0): Partial<Continuation> => ({
	page,
	pageSize,
	overlap,
});

describe('findBeginning', () => {
	/** Asks a list of pages of another size where a later page begins. */
	async function beginning(
		number: number,
		pageSize: number,
		recordsOf: (page: number, size: number) => JsonObject[],
		metadata: PagingMetadata = {},
		stated: PagingMetadata = {},
	) {
		const requests: string[] = [];
		const pageOf = (records: JsonObject[]) => ({
			kind: records.length > 0 ? ('records' as const) : ('empty' as const),
			records,
			metadata: stated,
		});
		const { at: found, isGuess } = await findBeginning(
			{
				number,
				pageSize,
				records: recordsOf(number, pageSize),
				metadata,
			},
			{
				readAgain: async (page, size) => {
					requests.push(`${page}@${size} again`);
					return await Promise.resolve(pageOf(recordsOf(page, size)));
				},
				// Pages that were read are kept, as in ListStart.
				read: async (page, size) => {
					const request = `${page}@${size}`;
					if (!requests.includes(request)) requests.push(request);
					return await Promise.resolve(pageOf(recordsOf(page, size)));
				},
				fingerprintsOf: (record) => Object.entries(record).map((field) => JSON.stringify(field)),
			},
		);
		return { found, isGuess, requests };
	}

	/** Pages of a list, none shorter than the minimum and none longer than the maximum. */
	const pagesOf =
		(count: number, { minimum = 0, maximum = Infinity, first = 0 } = {}) =>
		(page: number, asked: number) => {
			const size = Math.min(Math.max(asked, minimum), maximum);
			const place = Math.max(0, page - first) * size;
			return numbered(count).slice(place, place + size);
		};

	it('begins at the page itself if it is the first one', async () => {
		expect(await beginning(0, 8, pagesOf(60, { minimum: 13 }))).toEqual({
			found: undefined,
			isGuess: false,
			requests: [],
		});
	});

	it('finds the beginning in longer pages by the offset of the size asked for, and expects what it saw', async () => {
		const { found } = await beginning(2, 8, pagesOf(60, { minimum: 13 }));
		expect(found).toEqual({ ...at(1, 13, 3), seen: numbered(60).slice(26, 39) });
	});

	it('finds the beginning in shorter pages by the offset of the size asked for', async () => {
		const { found } = await beginning(2, 10, pagesOf(60, { maximum: 4 }));
		expect(found).toEqual({ ...at(5, 4), seen: [] });
	});

	it('finds the beginning in longer pages that are counted from 1', async () => {
		const { found } = await beginning(2, 8, pagesOf(60, { minimum: 13, first: 1 }));
		expect(found).toEqual({ ...at(1, 13, 8), seen: numbered(60).slice(13, 26) });
	});

	it('finds the beginning after the end of longer pages, which is not the end of the list', async () => {
		const { found } = await beginning(5, 8, pagesOf(60, { minimum: 13 }));
		expect(found).toEqual({ ...at(3, 13, 1), seen: [] });
	});

	it.each([
		['is after the end of shorter pages', 20, 10, pagesOf(60, { maximum: 4 }), ['0@10', '1@10']],
		['is the last page, and the first one is full', 5, 10, pagesOf(56), ['0@10', '4@10']],
		['is full, and another full one follows', 2, 10, pagesOf(60), ['3@10']],
		['is full, and a short one follows', 4, 10, pagesOf(56), ['5@10']],
		['is full, and nothing follows', 5, 10, pagesOf(60), ['6@10', '0@10']],
		['belongs to an empty list', 3, 10, pagesOf(0), ['0@10', '1@10']],
	])('begins at the page itself if it %s', async (_, number, pageSize, pages, requests) => {
		expect(await beginning(number, pageSize, pages)).toEqual({
			found: undefined,
			isGuess: false,
			requests,
		});
	});

	it('begins at the page itself if pages of the returned size show other records there', async () => {
		const left = (page: number, size: number) =>
			pagesOf(60)(page, size).filter((_, place) => size !== 10 || place !== 3);
		const { found, requests } = await beginning(2, 10, left);
		expect(found).toBeUndefined();
		expect(requests).toEqual(['0@10', '1@10', '2@9']);
	});

	it.each<[string, PagingMetadata, string[]]>([
		[
			'no page follows, and as many records as there should be are before it',
			{ more: false, total: 56 },
			[],
		],
		['the page count says so, and the total too', { totalPages: 6, total: 56 }, []],
		['no page follows, but the total is another one', { more: false, total: 60 }, ['0@10', '4@10']],
		['the page count is higher', { totalPages: 7, total: 56 }, ['0@10']],
		['only the total agrees', { total: 56 }, ['0@10']],
		['a page follows', { more: true, total: 56 }, ['0@10']],
	])('asks nothing about a page that says it is the last: %s', async (_, metadata, expected) => {
		const { requests } = await beginning(5, 10, pagesOf(56), metadata);
		expect(requests).toEqual(expected);
	});

	it('asks about a page that says it is the last and is longer than it should be', async () => {
		const pages = pagesOf(28, { minimum: 4 });
		const repeating = (page: number, size: number) => pages(Math.min(page, 6), size);
		const { found } = await beginning(24, 1, repeating, { more: false, total: 28 });
		expect(found).toMatchObject(at(6, 4));
	});

	it('asks about an empty page even if it says that it is the last', async () => {
		const { requests } = await beginning(6, 10, pagesOf(60), { more: false, total: 60 });
		expect(requests).toEqual(['0@10']);
	});

	it('finds the beginning in a short list that is counted from 1 and signs its answers', async () => {
		let answers = 0;
		const signed = (page: number, size: number) =>
			pagesOf(4, { first: 1 })(page, size).map((user) => ({
				...user,
				photo: `photo ${answers++}`,
			}));
		const { found, isGuess } = await beginning(1, 10, signed);
		expect([found?.page, found?.overlap, isGuess]).toEqual([1, 0, false]);
	});

	it('finds longer pages by the page before, if the first one was cut short at the size asked for', async () => {
		let asked = 0;
		const cutOnce = (page: number, size: number) =>
			pagesOf(15, { minimum: 7 })(page, size).slice(0, page === 0 && asked++ === 0 ? 4 : 7);
		const { found } = await beginning(2, 4, cutOnce);
		expect(found).toEqual({ ...at(1, 7, 1), seen: numbered(15).slice(14) });
	});

	it('takes a length for a guess if a page before one with records is empty', async () => {
		const left = (page: number, size: number) =>
			[numbered(1), [], numbered(1, 8), numbered(1, 12)][size === 2 ? page : 4] ?? [];
		expect(await beginning(3, 2, left)).toMatchObject({ isGuess: true });
	});

	it('asks for the first page again if it is shorter than the one after it', async () => {
		let asked = 0;
		const cutOnce = (page: number, size: number) =>
			pagesOf(60, { maximum: 8 })(page, size).slice(0, page === 0 && asked++ === 0 ? 4 : 8);
		const { found, isGuess, requests } = await beginning(1, 10, cutOnce);
		expect([found, isGuess]).toEqual([{ ...at(1, 8, 2), seen: [] }, false]);
		expect(requests).toEqual(['0@10', '0@10 again', '1@10', '1@8']);
	});

	it.each<[string, (page: number, size: number) => JsonObject[], boolean]>([
		['none is', (page) => numbered(60).slice(page * 7, page * 7 + 7), false],
		[
			'the first one is shorter',
			(page) => numbered(60).slice(page * 7 + (page ? 0 : 2), page * 7 + 7),
			true,
		],
		[
			'the second one is shorter',
			(page) => numbered(60).slice(page * 7 + (page === 1 ? 2 : 0), page * 7 + 7),
			true,
		],
	])(
		'knows whether it is a guess, because records are left out of a page: %s',
		async (_, pages, isGuess) => {
			expect((await beginning(3, 10, pages)).isGuess).toBe(isGuess);
		},
	);

	it('takes a beginning for a guess if the first page holds less than it states', async () => {
		expect((await beginning(2, 10, pagesOf(60, { maximum: 6 }), {}, { pageSize: 7 })).isGuess).toBe(
			true,
		);
		expect((await beginning(2, 10, pagesOf(60, { maximum: 6 }), {}, { pageSize: 6 })).isGuess).toBe(
			false,
		);
	});
});
