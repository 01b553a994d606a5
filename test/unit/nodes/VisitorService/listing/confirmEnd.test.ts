import { confirmEnd } from '../../../../../nodes/VisitorService/listing/confirmEnd';
import type { JsonObject } from '../../../../../nodes/VisitorService/listing/findRecords';
import type { Doubt } from '../../../../../nodes/VisitorService/listing/pageProgress';
import { ServiceFailure } from '../../../../../nodes/VisitorService/transport/serviceFailure';
import { answerPage, numbered, plainList, type SimulatedList } from './simulatedService';

interface Setting extends Partial<SimulatedList> {
	pageSize: number;
	hasIds?: boolean;
	known?: number;
	/** Pages that are refused for another reason than their number. */
	broken?: (page: number) => boolean;
}

/** What comes of a doubt about a list, and the requests it took. */
async function settle(
	doubt: Doubt,
	{ pageSize, hasIds = true, known = 0, broken, ...changes }: Setting,
) {
	const list = { ...plainList, ...changes };
	const requests: string[] = [];
	const read = async (page: number, size: number) => {
		const { statusCode, body } = answerPage(list, page, size);
		const { data } = body as { data?: JsonObject[] };
		const refusal = new ServiceFailure('No.', 'Do.', { kind: 'notFound', statusCode });
		const isRefused = statusCode !== 200 || broken?.(page) === true;
		return await Promise.resolve({
			records: isRefused ? [] : (data ?? []),
			metadata: {},
			...(isRefused && { refusal }),
		});
	};
	const firstRecords = (await read(0, pageSize)).records;
	const outcome = await confirmEnd(doubt, {
		firstPage: 0,
		firstRecords,
		pageSize,
		hasIds,
		read: async (page, size) => {
			requests.push(`${page}@${size}`);
			return await read(page, size);
		},
		keyOf: (record) => JSON.stringify(record),
		isKnown: ({ id }) => numbered(known).some((record) => record.id === id),
	}).then(
		() => 'the end',
		(error: unknown) => String(error),
	);
	return { outcome, requests };
}

const samePage: Doubt = { kind: 'samePage' };
const refusal = (page: number, statusCode: number): Doubt => ({
	kind: 'refusal',
	page,
	shift: 0,
	failure: new ServiceFailure('No.', 'Do.', { kind: 'notFound', statusCode }),
});
const ignored = expect.stringContaining('it ignores the parameter "page"') as string;
const lost = expect.stringContaining('although the list seems to go on there') as string;

describe('confirmEnd of a list whose pages are all the same', () => {
	it.each<[string, Partial<SimulatedList>]>([
		['the last page is repeated', { beyondEnd: 'lastPage' }],
		[
			'the last page is repeated and numbering starts at 1',
			{ beyondEnd: 'lastPage', firstNumber: 1 },
		],
		['the list starts over', { beyondEnd: 'wrap' }],
	])('sees that the list fits on one page where %s', async (_, changes) => {
		for (const count of [1, 2, 3, 5, 10]) {
			const { outcome, requests } = await settle(samePage, {
				records: numbered(count),
				pageSize: 10,
				...changes,
			});
			expect(outcome).toBe('the end');
			expect(requests).toHaveLength(1);
		}
	});

	it('sees that `page` is ignored', async () => {
		for (const count of [2, 5, 10, 100]) {
			const { outcome } = await settle(samePage, {
				records: numbered(count),
				pageSize: 10,
				pageIgnored: true,
			});
			expect(outcome).toEqual(ignored);
		}
	});

	it('sees that `page` is ignored from pages of one record', async () => {
		const { outcome } = await settle(samePage, {
			records: numbered(9),
			pageSize: 1,
			pageIgnored: true,
		});
		expect(outcome).toEqual(ignored);
	});

	it('has nothing to go by without ids', async () => {
		const { outcome, requests } = await settle(samePage, {
			records: numbered(5),
			pageSize: 10,
			beyondEnd: 'lastPage',
			hasIds: false,
		});
		expect(outcome).toEqual(ignored);
		expect(requests).toEqual([]);
	});
});

describe('confirmEnd of a list one of whose pages was refused', () => {
	it.each([400, 404, 410])('sees that it is the end, by %d', async (status) => {
		const { outcome, requests } = await settle(refusal(3, status), {
			records: numbered(30),
			known: 30,
			pageSize: 10,
			beyondEnd: status === 400 ? 'badRequest' : 'notFound',
		});
		expect(outcome).toBe('the end');
		expect(requests).toEqual(['7@4']);
	});

	it.each([400, 404])('sees that the list goes on, in spite of %d', async (status) => {
		const { outcome } = await settle(refusal(3, status), {
			records: numbered(80),
			known: 30,
			pageSize: 10,
		});
		expect(outcome).toEqual(lost);
	});

	it('sees by the number of records that it goes on where they have no id', async () => {
		const records = Array.from({ length: 80 }, () => ({ name: 'User' }));
		const setting = { records, pageSize: 10, hasIds: false };
		expect((await settle(refusal(3, 404), setting)).outcome).toEqual(lost);
		expect((await settle(refusal(8, 404), setting)).outcome).toBe('the end');
	});

	it('believes 404 where small pages are refused too, as long as others are not', async () => {
		const sizing = { kind: 'ignored', size: 10 } as const;
		const list = {
			records: numbered(30),
			known: 30,
			sizing,
			beyondEnd: 'notFound' as const,
			pageSize: 10,
		};
		expect((await settle(refusal(3, 404), list)).outcome).toBe('the end');
		expect((await settle(refusal(3, 404), { ...list, broken: () => true })).outcome).toEqual(lost);
	});

	it('does not believe 400 there: services also refuse to page too deep', async () => {
		const { outcome } = await settle(refusal(3, 400), {
			records: numbered(80),
			known: 30,
			pageSize: 10,
			broken: (page) => page > 2,
		});
		expect(outcome).toEqual(lost);
	});

	it('says which page, by which status, and what to do', async () => {
		const { outcome } = await settle(refusal(3, 404), {
			records: numbered(80),
			known: 30,
			pageSize: 10,
		});
		expect(outcome).toContain('The service refused page 3 (status 404)');
	});
});
