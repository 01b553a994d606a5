import fc from '../../../../properties';
import type { DeepPartial, ListSwitches, MetadataField } from '../../../../reference-service';
import { drawnSizing } from '../../../../simulation/drawnSizing';
import { type Sizing, sized, sizeUsed } from '../../../../simulation/sizing';
import {
	type Fault,
	readSimulated,
} from '../../../../unit/nodes/VisitorService/listing/readSimulated';
import {
	listOf,
	numbered,
	type SimulatedList,
} from '../../../../unit/nodes/VisitorService/listing/simulatedList';

const RUNS = 800;

const upTo = (max: number) => fc.integer({ min: 1, max });
const sizing = drawnSizing(1);
const metadata = fc.uniqueArray(
	fc.constantFrom<MetadataField>('total', 'totalPages', 'last', 'hasMore'),
);
type Habits = DeepPartial<ListSwitches>;
const beyondEnd = fc.constantFrom<Habits>(
	{ emptyAs: 'array' },
	{ emptyAs: 'null' },
	{ emptyAs: 'missing' },
	...[404, 400, 416, 422].map(
		(status): Habits => ({ pageBeyondEnd: 'error', badParameter: { status } }),
	),
);
/** How the node reads: what a user may set, and what the network does. */
const reading = fc.record({
	pageSize: upTo(15),
	concurrency: upTo(16),
	latencies: fc.array(fc.nat(100), { minLength: 1, maxLength: 7 }),
});

describe('a list read page by page', () => {
	it('comes whole in spite of refused, failed and broken requests', async () => {
		const fault = fc.constantFrom<Fault>(undefined, undefined, 429, 502, 503, 504, 'reset');
		await fc.assert(
			fc.asyncProperty(
				fc.nat(80),
				sizing,
				metadata,
				beyondEnd,
				fc.array(fault, { maxLength: 40 }),
				reading,
				async (count, size, fields, end, faults, how) => {
					const list = listOf(count, { ...sized(size), ...end, metadata: fields });
					fc.pre(!endIsMisstated(list, size, how.pageSize));
					const { listing, sent } = await readSimulated(list, { ...how, faults, maxRetries: 40 });
					expect(listing.records).toEqual(list.records);
					expect(sent).toBeGreaterThan(0);
				},
			),
			{ numRuns: RUNS },
		);
	});

	it('comes whole with untilStable although records were deleted while it was read', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(60),
				fc.array(fc.record({ before: fc.nat(12), place: fc.nat(59) }), { maxLength: 8 }),
				metadata,
				reading,
				async (count, deletions, fields, how) => {
					const list = listOf(count, { metadata: fields });
					let answered = 0;
					const beforePage = () => {
						answered++;
						for (const { before, place } of deletions) {
							if (before === answered && place < list.records.length) list.records.splice(place, 1);
						}
					};
					// All deletions within the first sweep, so that the second one finds a list at rest.
					fc.pre(deletions.every(({ before }) => before * how.pageSize <= count));
					const { listing } = await readSimulated(list, { ...how, untilStable: true, beforePage });
					const ids = listing.records.map(({ id }) => id);
					expect(new Set(ids).size).toBe(ids.length);
					expect(list.records.filter(({ id }) => !ids.includes(id))).toEqual([]);
				},
			),
			{ numRuns: RUNS },
		);
	});

	it('holds each record once although records were added in front while it was read', async () => {
		await fc.assert(
			fc.asyncProperty(
				upTo(60),
				fc.array(upTo(12), { maxLength: 4 }),
				metadata,
				reading,
				async (count, additions, fields, how) => {
					const originals = numbered(count);
					const list = listOf([...originals], { metadata: fields });
					let answered = 0;
					const beforePage = () => {
						answered++;
						if (additions.includes(answered)) list.records.unshift({ id: `added-${answered}` });
					};
					// Pages this small may repeat as a whole, as if the service ignored `page`.
					fc.pre(how.pageSize > additions.length && count >= how.pageSize);
					// A record may move to a page that was read before; in parallel only untilStable finds
					// it.
					const { listing } = await readSimulated(list, { ...how, concurrency: 1, beforePage });
					const ids = listing.records.map(({ id }) => id);
					expect(new Set(ids).size).toBe(ids.length);
					expect(originals.filter(({ id }) => !ids.includes(id))).toEqual([]);
				},
			),
			{ numRuns: RUNS },
		);
	});
});

/**
 * A service that says on a clamped first page that it is the last, because it computes that from
 * the size asked for, and names no total that shows otherwise. Such a statement is believed.
 */
function endIsMisstated(
	{ records, habits }: SimulatedList,
	sizing: Sizing,
	asked: number,
	page = 0,
): boolean {
	const { size, stride } = sizeUsed(sizing, asked);
	const { length } = records;
	const fields = Array.isArray(habits.metadata) ? habits.metadata : [];
	const read = Math.min(length, page * stride + size);
	const saysLast = fields.some((field) => field !== 'total') && length <= (page + 1) * asked;
	const named = fields.includes('total') ? length : 0;
	return sizing.kind === 'clampedKeepingOffset' && saysLast && read < length && named <= read;
}
