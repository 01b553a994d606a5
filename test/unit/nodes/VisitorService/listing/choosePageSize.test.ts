import {
	type Continuation,
	choosePageSize,
} from '../../../../../nodes/VisitorService/listing/choosePageSize';
import type { JsonObject } from '../../../../../nodes/VisitorService/listing/findRecords';
import { answerPage, numbered, plainList, type SimulatedList } from './simulatedService';

/** What follows a first page, and what it took to find out. */
async function choose(changes: Partial<SimulatedList>, asked: number, number = 0) {
	const list = { ...plainList, ...changes };
	const requests: string[] = [];
	const records = (page: number, size: number) => {
		const { body } = answerPage(list, page, size) as { body: { data?: JsonObject[] } };
		return body.data ?? [];
	};
	const first = { number, pageSize: asked, records: records(number, asked) };
	const { read, ...continuation } = await choosePageSize(first, {
		read: async (page, size) => {
			requests.push(`${page}@${size}`);
			return await Promise.resolve({ records: records(page, size), metadata: {} });
		},
		hasIds: records(0, 1)[0]?.id !== undefined,
		keyOf: (record) => JSON.stringify(record),
	});
	return { continuation, read: read?.records.length, requests };
}

const at = (page: number, pageSize: number, overlap = 0): Continuation => ({
	page,
	pageSize,
	overlap,
});
const unnamed = (count: number) => Array.from({ length: count }, () => ({ name: 'User' }));

describe('choosePageSize', () => {
	it.each([0, 3])('asks nothing after a full page %d', async (page) => {
		expect(await choose({ records: numbered(100) }, 10, page)).toMatchObject({
			continuation: at(page + 1, 10),
			requests: [],
		});
	});

	it('asks nothing after an empty page', async () => {
		expect(await choose({ records: [] }, 10)).toMatchObject({
			continuation: at(1, 10),
			requests: [],
		});
	});

	describe('after a first page of fewer records', () => {
		it.each<[string, Partial<SimulatedList>]>([
			['clamps', { sizing: { kind: 'clamped', maximum: 4 } }],
			[
				'clamps and keeps the offset of the size asked for',
				{ sizing: { kind: 'clampedKeepingOffset', maximum: 4 } },
			],
			['ignores the size', { sizing: { kind: 'ignored', size: 4 } }],
		])(
			'goes on at the size that came, and reads nothing twice, where the service %s',
			async (_, sizing) => {
				expect(await choose({ records: numbered(100), ...sizing }, 10)).toEqual({
					continuation: at(1, 4),
					read: 4,
					requests: ['1@4'],
				});
			},
		);

		it('goes on at the size asked for where records are filtered out', async () => {
			const hidden = new Set([1, 4, 5, 12]);
			expect(await choose({ records: numbered(100), hidden }, 10)).toMatchObject({
				continuation: at(1, 10),
				requests: ['1@7', '1@10'],
			});
		});

		it('goes on at the size asked for where the first records are shown and the next filtered out', async () => {
			const hidden = new Set([7, 8, 9]);
			expect(await choose({ records: numbered(100), hidden }, 10)).toMatchObject({
				continuation: at(1, 10),
				requests: ['1@7', '1@10'],
			});
		});

		it('goes on at the size asked for behind a run of filtered records', async () => {
			const hidden = new Set([2, 3, 4, 5, 6, 7, 8, 9]);
			expect(await choose({ records: numbered(100), hidden }, 10)).toEqual({
				continuation: at(1, 10),
				read: 10,
				requests: ['1@2', '1@10'],
			});
		});

		it('takes two requests to see that the list ends', async () => {
			expect(await choose({ records: numbered(7) }, 10)).toEqual({
				continuation: at(1, 10),
				read: 0,
				requests: ['1@7', '1@10'],
			});
		});

		it('is not misled by a short last page', async () => {
			const sizing = { kind: 'clampedKeepingOffset', maximum: 4 } as const;
			expect(await choose({ records: numbered(6), sizing }, 10)).toEqual({
				continuation: at(1, 4),
				read: 2,
				requests: ['1@4', '1@10'],
			});
		});

		it('is not misled by equal records without ids', async () => {
			const sizing = { kind: 'clampedKeepingOffset', maximum: 4 } as const;
			expect(await choose({ records: unnamed(100), sizing }, 10)).toMatchObject({
				continuation: at(1, 4),
				requests: ['1@4', '0@4'],
			});
			const hidden = new Set([1, 4, 5, 12]);
			expect(await choose({ records: unnamed(100), hidden }, 10)).toMatchObject({
				continuation: at(1, 10),
				requests: ['1@7', '0@7'],
			});
			// The second page has one more name, which the first page of full size has as well.
			const mixed = [
				...unnamed(5),
				{ name: 'Other' },
				...unnamed(4),
				{ name: 'Other' },
				...unnamed(9),
			];
			expect(await choose({ records: mixed, sizing }, 10)).toMatchObject({
				continuation: at(1, 4),
				requests: ['1@4', '1@10', '0@4'],
			});
		});
	});

	describe('after a first page of more records', () => {
		it.each<[string, Partial<SimulatedList>]>([
			['ignores the size', { sizing: { kind: 'ignored', size: 25 } }],
			['has a smallest size', { sizing: { kind: 'raised', minimum: 25 } }],
		])('goes on at the size that came where the service %s', async (_, sizing) => {
			expect(await choose({ records: numbered(100), ...sizing }, 10)).toEqual({
				continuation: at(1, 25),
				read: 25,
				requests: ['1@25'],
			});
		});
	});

	describe('after a later page', () => {
		it('goes on behind it where the offset is that of the size that came', async () => {
			const sizing = { kind: 'clamped', maximum: 4 } as const;
			expect(await choose({ records: numbered(100), sizing }, 10, 3)).toMatchObject({
				continuation: at(4, 4),
				requests: ['3@4'],
			});
		});

		it('finds its place where the offset is that of the size asked for', async () => {
			const sizing = { kind: 'clampedKeepingOffset', maximum: 4 } as const;
			// Records 30 to 33 came; in pages of 4, record 34 is the third of page 8.
			expect(await choose({ records: numbered(100), sizing }, 10, 3)).toMatchObject({
				continuation: at(8, 4, 2),
				requests: ['3@4', '7@4'],
			});
		});

		it('goes on at the size asked for where records are filtered out', async () => {
			expect(
				await choose({ records: numbered(100), hidden: new Set([31, 35]) }, 10, 3),
			).toMatchObject({
				continuation: at(4, 10),
				requests: ['3@8', '3@8'],
			});
		});
	});
});
