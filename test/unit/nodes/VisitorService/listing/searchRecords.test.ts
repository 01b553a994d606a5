import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { sized } from '../../../../simulation/sizing';
import { type Circumstances, readSimulated } from './readSimulated';
import { listOf, numbered, type SimulatedList } from './simulatedList';

const placeOf = ({ id }: JsonObject) => Number(String(id).replace('user-', ''));

/** Wants every record whose place can be divided by this number. */
const every = (step: number) => (record: JsonObject) => placeOf(record) % step === 0;

const search = async (
	isWanted: Circumstances['isWanted'],
	circumstances: Circumstances = {},
	service: SimulatedList = listOf(1_000),
) => await readSimulated(service, { pageSize: 10, isWanted, ...circumstances });

describe('A listing of wanted records only', () => {
	it.each([1, 2, 5, 10])(
		'returns each of them once, in the order of the list, with %d pages in flight',
		async (concurrency) => {
			const { listing } = await search(every(7), { concurrency, latencies: [90, 10, 70, 30] });
			expect(listing.records).toEqual(numbered(1_000).filter(every(7)));
			expect(listing.report.records).toBe(1_000);
		},
	);

	it.each([
		[1, 1],
		[10, 10],
		[100, 100],
		[101, 100],
	])('counts only them for a limit of %d', async (limit, count) => {
		const { listing } = await search(every(10), { limit });
		expect(listing.records.map(placeOf)).toEqual(Array.from({ length: count }, (_, n) => n * 10));
	});

	it('goes on after a page that holds none of them', async () => {
		const { listing } = await search((record) => placeOf(record) === 555, { limit: 2 });
		expect(listing.records).toEqual([{ id: 'user-555' }]);
		expect(listing.report.records).toBe(1_000);
	});

	it('reads one page if the first one holds as many as the limit', async () => {
		const { asked, listing } = await search(every(5), { limit: 2, concurrency: 10 });
		expect(asked).toHaveLength(1);
		expect(listing.report.endedBy).toBe('limit');
	});

	it.each([1, 3, 5, 10])(
		'asks for few pages after the one with the last of them, with %d in flight',
		async (concurrency) => {
			const latencies = [50];
			const { asked } = await search(every(10), { limit: 20, concurrency, latencies });
			expect(asked.length).toBeLessThanOrEqual(21);
			const rare = await search((record) => placeOf(record) === 305, {
				limit: 1,
				concurrency,
				latencies,
			});
			expect(rare.listing.records).toHaveLength(1);
			expect(rare.asked.length).toBeLessThanOrEqual(31 + 2 * concurrency);
		},
	);

	it('starts at the page that was set', async () => {
		const { listing, asked } = await search(every(50), { firstPage: 12, limit: 2 });
		expect(listing.records.map(placeOf)).toEqual([150, 200]);
		expect(Math.min(...asked.map(({ page }) => page))).toBe(12);
	});

	it('finds the same whatever the service does with the page size', async () => {
		for (const sizing of [
			{ kind: 'clamped', maximum: 7 },
			{ kind: 'clampedKeepingOffset', maximum: 5 },
			{ kind: 'ignored', size: 30 },
			{ kind: 'raised', minimum: 25 },
		] as const) {
			const { listing } = await search(
				every(13),
				{},
				listOf(200, { ...sized(sizing), metadata: ['total'] }),
			);
			expect(listing.records.map(placeOf)).toEqual([...Array(16).keys()].map((n) => n * 13));
		}
	});

	it('returns the records a wrong ID left out, but only those that match', async () => {
		const records = Array.from({ length: 40 }, (_, n) => ({ id: `group-${n % 10}`, n }));
		const even = ({ n }: JsonObject) => Number(n) % 2 === 0;
		const { listing } = await search(even, {}, listOf(records));
		expect(listing.records).toEqual(records.filter(even));
		expect(listing.report.records).toBe(40);
	});

	it('leaves out a repeated record, and counts it once', async () => {
		const records = [...numbered(30), ...numbered(10, 20), ...numbered(20, 40)];
		const { listing } = await search(every(4), {}, listOf(records, { metadata: ['total'] }));
		expect(listing.records.map(placeOf)).toEqual([0, 4, 8, 12, 16, 20, 24, 28, 40, 44, 48, 52, 56]);
		expect(listing.report).toMatchObject({ records: 50, duplicates: 10 });
	});

	it('reads again until stable, even if nothing new is wanted', async () => {
		const { listing } = await search((record) => placeOf(record) === 3, { untilStable: true });
		expect(listing.records).toEqual([{ id: 'user-3' }]);
		expect(listing.report.sweeps).toEqual([1_000, 0]);
	});
});
