import {
	type Continuation,
	type PageSource,
	settlePageSize,
} from '../../../../../nodes/VisitorService/listing/pageSize';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { type Sizing, sized } from '../../../../simulation/sizing';
import { hidden, listOf, numbered, type SimulatedList, serve } from './simulatedList';

/** How the listing goes on after a first page, and what it took to find out. */
async function settle(
	list: SimulatedList,
	asked: number,
	{ number = 0, isMoreKnown = false } = {},
) {
	const requests: string[] = [];
	const { ask, requestFor } = await serve(list);
	const records = async (page: number, size: number) => {
		const { body } = (await ask(requestFor(page, size))) as { body: { data: JsonObject[] } };
		return body.data;
	};
	const first = { number, pageSize: asked, records: await records(number, asked), isMoreKnown };
	const {
		read,
		seen,
		isGuess = false,
		mayMiss = false,
		...continuation
	} = await settlePageSize(first, {
		read: async (page, size) => {
			requests.push(`${page}@${size}`);
			const found = await records(page, size);
			return {
				kind: found.length > 0 ? ('records' as const) : ('empty' as const),
				records: found,
				metadata: {},
			};
		},
		fingerprintsOf: (record) => [JSON.stringify(record)],
	});
	const doubts = { isGuess, mayMiss, seen: seen.length };
	return { continuation, read: read?.records.length, requests, doubts };
}

const named = (names: string): JsonObject[] => Array.from(names, (name) => ({ name }));

/** A service that answers each question with these records, one answer after the other. */
function answering(answers: Record<string, string[]>): PageSource {
	return {
		read: async (page, size) => {
			const records = named(answers[`${page}@${size}`]?.shift() ?? '');
			const kind = records.length > 0 ? ('records' as const) : ('empty' as const);
			return await Promise.resolve({ kind, records, metadata: {} });
		},
		fingerprintsOf: (record) => [JSON.stringify(record)],
	};
}

const at = (page: number, pageSize: number, overlap = 0): Partial<Continuation> => ({
	page,
	pageSize,
	overlap,
});
const unnamed = (count: number) => Array.from({ length: count }, () => ({ name: 'User' }));

describe('settlePageSize', () => {
	it.each([0, 3])('asks nothing after a full page %d', async (page) => {
		expect(await settle(listOf(100), 10, { number: page })).toMatchObject({
			continuation: at(page + 1, 10),
			requests: [],
		});
	});

	it('asks nothing after an empty page', async () => {
		expect(await settle(listOf(0), 10)).toMatchObject({
			continuation: at(1, 10),
			requests: [],
		});
	});

	it.each<[string, Sizing]>([
		['clamps', { kind: 'clamped', maximum: 4 }],
		[
			'clamps and keeps the offset of the size asked for',
			{ kind: 'clampedKeepingOffset', maximum: 4 },
		],
		['ignores the size', { kind: 'ignored', size: 4 }],
	])(
		'goes on at the returned size, and reads nothing twice, if the service %s',
		async (_, sizing) => {
			const list = listOf(100, sized(sizing));
			const atOnce = { continuation: at(1, 4), read: 4, requests: ['1@4'] };
			// A maximum is often a part of what is asked for.
			expect(await settle(list, 12)).toMatchObject(atOnce);
			expect(await settle(list, 10, { isMoreKnown: true })).toMatchObject(atOnce);
			expect(await settle(list, 10)).toMatchObject({
				...atOnce,
				requests: ['1@10', '1@4'],
				doubts: { isGuess: false, mayMiss: false, seen: 4 },
			});
		},
	);

	it('goes on at the size asked for if records are left out of pages', async () => {
		const left = hidden(1, 4, 5, 12);
		expect(await settle(listOf(100, left), 10)).toMatchObject({
			continuation: at(1, 10),
			read: 9,
			requests: ['1@7', '0@7', '1@10', '1@7'],
			doubts: { isGuess: true },
		});
	});

	it.each([
		['half of the page', 20, 5, 10, 10, ['1@6', '1@5', '1@10', '1@5']],
		['less than half of the page', 30, 3, 10, 10, ['1@10', '1@3', '1@3']],
		['half of a page of 100', 150, 50, 100, 100, ['1@51', '1@50', '1@100', '1@50']],
	] as const)(
		'goes on at the size asked for if the end of the first page is left out: %s',
		async (_, count, from, to, asked, requests) => {
			const left = hidden(...Array.from({ length: to - from }, (_, place) => from + place));
			expect(await settle(listOf(count, left), asked)).toMatchObject({
				continuation: at(1, asked),
				requests,
			});
		},
	);

	it('says that the first page was cut short if another page is longer', async () => {
		const sizing = { kind: 'clampedKeepingOffset', maximum: 4 } as const;
		const { ask, requestFor } = await serve(listOf(100, sized(sizing)));
		const first = { number: 0, pageSize: 10, records: numbered(3), isMoreKnown: false };
		const found = await settlePageSize(first, {
			read: async (page, size) => {
				const { body } = (await ask(requestFor(page, size))) as { body: { data: JsonObject[] } };
				return { kind: 'records', records: body.data, metadata: {} };
			},
			fingerprintsOf: (record) => [JSON.stringify(record)],
		});
		expect(found).toMatchObject({ page: 1, pageSize: 3, mayMiss: true });
	});

	it('goes on at the returned size if records are left out and the size is clamped', async () => {
		const sizing = { kind: 'clampedKeepingOffset', maximum: 6 } as const;
		const left = hidden(1, 3);
		const { continuation, requests } = await settle(listOf(100, { ...sized(sizing), ...left }), 20);
		expect(continuation).toEqual(at(1, 4));
		expect(requests).toEqual(['1@4', '0@4', '1@20']);
	});

	it.each([
		[7, 10, ['1@7']],
		[3, 10, ['1@10']],
		[5, 100, ['1@100']],
		[30, 100, ['1@100']],
		[1, 100, ['1@100']],
		// A part of what was asked for may be a maximum.
		[10, 100, ['1@10']],
		[20, 100, ['1@20']],
		[25, 100, ['1@25']],
		[50, 100, ['1@51']],
	])(
		'asks once to see that %d records of %d asked for are the whole list',
		async (count, asked, requests) => {
			expect(await settle(listOf(count), asked)).toMatchObject({
				read: 0,
				requests,
			});
		},
	);

	it('settlePageSize is not misled by a short last page', async () => {
		const sizing = { kind: 'clampedKeepingOffset', maximum: 4 } as const;
		expect(await settle(listOf(6, sized(sizing)), 8)).toMatchObject({
			continuation: at(1, 4),
			read: 2,
		});
	});

	it('settlePageSize is not misled by equal records', async () => {
		const sizing = { kind: 'clampedKeepingOffset', maximum: 4 } as const;
		expect(await settle(listOf(unnamed(100), sized(sizing)), 12)).toMatchObject({
			continuation: at(1, 4),
			requests: ['1@4', '0@4'],
			doubts: { isGuess: false },
		});
		const left = hidden(1, 4, 5, 12);
		expect(await settle(listOf(unnamed(100), left), 10)).toMatchObject({
			continuation: at(1, 10),
		});
	});

	it('goes on at the returned size if its second page is the last one, whatever its size', async () => {
		const list = listOf(6, sized({ kind: 'clamped', maximum: 4 }));
		expect(await settle(list, 8)).toMatchObject({
			continuation: at(1, 4),
			read: 2,
			requests: ['1@5', '1@4', '1@8', '1@4'],
		});
	});

	it.each<[string, Record<string, string[]>, object]>([
		[
			'guesses if the first page is longer when it is asked for again',
			{ '1@3': ['cde'], '0@3': ['abcd'] },
			{ page: 1, pageSize: 3, isGuess: true },
		],
		[
			'guesses if pages overlap, and there is none of the size asked for',
			{ '1@3': ['cde'], '0@3': ['ab'], '1@10': [''] },
			{ page: 1, pageSize: 3, isGuess: true },
		],
		[
			'asks again for a second page that is short',
			{ '1@3': ['d', 'def'], '1@10': ['def'] },
			{ page: 1, pageSize: 3, read: { records: named('def') } },
		],
		[
			'keeps the longer one of two answers',
			{ '1@3': ['de', 'd'], '1@10': ['de'] },
			{ page: 1, pageSize: 3, read: { records: named('de') } },
		],
	])(
		'settlePageSize reads on after answers that contradict each other: %s',
		async (_, answers, expected) => {
			const first = { number: 0, pageSize: 10, records: named('abc'), isMoreKnown: true };
			expect(await settlePageSize(first, answering(answers))).toMatchObject(expected);
		},
	);

	it.each<[string, Sizing]>([
		['ignores the size', { kind: 'ignored', size: 25 }],
		['has a smallest size', { kind: 'raised', minimum: 25 }],
	])('goes on at the size of a larger first page if the service %s', async (_, sizing) => {
		expect(await settle(listOf(100, sized(sizing)), 10)).toEqual({
			continuation: at(1, 25),
			read: 25,
			requests: ['1@25'],
			doubts: { isGuess: false, mayMiss: false, seen: 0 },
		});
	});

	it('goes on after a later page whose offset is that of the returned size', async () => {
		const sizing = { kind: 'clamped', maximum: 4 } as const;
		expect(await settle(listOf(100, sized(sizing)), 10, { number: 3 })).toMatchObject({
			continuation: at(4, 4),
			requests: ['3@4'],
		});
	});

	it('finds the place of a later page whose offset is that of the size asked for', async () => {
		const sizing = { kind: 'clampedKeepingOffset', maximum: 4 } as const;
		// Records 30 to 33 came; in pages of 4, record 34 is the third of page 8.
		expect(await settle(listOf(100, sized(sizing)), 10, { number: 3 })).toMatchObject({
			continuation: at(8, 4, 2),
			requests: ['3@4', '7@4'],
		});
	});

	it('goes on at the size asked for if records are left out of a later page', async () => {
		expect(await settle(listOf(100, hidden(31, 35)), 10, { number: 3 })).toMatchObject({
			continuation: at(4, 10),
			requests: ['3@8', '3@8'],
		});
	});
});
