import type { JsonObject } from '../../../../../nodes/VisitorService/listing/findRecords';
import fc from '../../../../properties';
import { type Fault, readSimulated } from './readSimulated';
import {
	type MetadataField,
	numbered,
	plainList,
	type SimulatedList,
	type Sizing,
	sizeUsed,
} from './simulatedService';

const RUNS = 800;

const upTo = (max: number) => fc.integer({ min: 1, max });
const sizing: fc.Arbitrary<Sizing> = fc.oneof(
	fc.constant<Sizing>({ kind: 'honoured' }),
	upTo(12).map((maximum): Sizing => ({ kind: 'clamped', maximum })),
	upTo(12).map((maximum): Sizing => ({ kind: 'clampedKeepingOffset', maximum })),
	fc.tuple(upTo(12), upTo(12)).map(
		([one, other]): Sizing => ({
			kind: 'default',
			maximum: Math.max(one, other),
			size: Math.min(one, other),
		}),
	),
	upTo(12).map((size): Sizing => ({ kind: 'ignored', size })),
	upTo(12).map((minimum): Sizing => ({ kind: 'raised', minimum })),
);
const metadata = fc.uniqueArray(
	fc.constantFrom<MetadataField>('total', 'totalPages', 'last', 'hasMore'),
);
const beyondEnd = fc.constantFrom<SimulatedList['beyondEnd']>(
	'empty',
	'null',
	'missing',
	'notFound',
);
const repeatingEnd = fc.constantFrom<SimulatedList['beyondEnd']>('lastPage', 'wrap');
const envelope = fc.constantFrom<SimulatedList['envelope']>(
	(records, facts) => ({ data: records, ...facts }),
	(records, facts) => ({ content: records, ...facts }),
	(records, facts) => ({ users: records, meta: facts }),
	(records, page) => ({ _embedded: { users: records }, page }),
	(records, facts) => ({ included: [{ id: 'site-1' }], ...facts, list: records }),
	(records, facts) => ({ result: { list: records, ...facts } }),
);
/** How the node reads: what a user may set, and what the network does. */
const reading = fc.record({
	pageSize: upTo(15),
	concurrency: upTo(16),
	latencies: fc.array(fc.nat(100), { minLength: 1, maxLength: 7 }),
});

const shown = ({ records, hidden }: SimulatedList): JsonObject[] =>
	records.filter((_, place) => !hidden.has(place));

/** Records of the first page, and how many it would hold without a filter. */
function firstPage(list: SimulatedList, asked: number) {
	const { size } = sizeUsed(list.sizing, asked);
	const came = Array.from({ length: Math.min(size, list.records.length) }, (_, place) => place);
	return { size, came: came.filter((place) => !list.hidden.has(place)).length };
}

describe('a list read page by page', () => {
	it('comes whole and in order, whatever the service does with the page size', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(80),
				sizing,
				metadata,
				beyondEnd,
				envelope,
				fc.boolean(),
				fc.constantFrom(0 as const, 1 as const),
				reading,
				async (count, size, fields, end, wrapped, metadataOfAskedSize, firstNumber, how) => {
					const list: SimulatedList = {
						...plainList,
						records: numbered(count),
						sizing: size,
						metadata: fields,
						metadataOfAskedSize,
						beyondEnd: end,
						firstNumber,
						envelope: wrapped,
					};
					fc.pre(!endIsMisstated(list, how.pageSize));
					const { listing } = await readSimulated(list, how);
					expect(listing.records).toEqual(list.records);
					expect(listing.report.duplicates).toBe(0);
				},
			),
			{ numRuns: 2 * RUNS },
		);
	});

	it('comes whole where records are filtered out after paging', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(80),
				fc.array(fc.nat(80)),
				sizing,
				metadata,
				beyondEnd,
				fc.boolean(),
				reading,
				async (count, hidden, size, fields, end, totalCountsHidden, how) => {
					const list: SimulatedList = {
						...plainList,
						records: numbered(count),
						hidden: new Set(hidden.filter((place) => place < count)),
						totalCountsHidden,
						sizing: size,
						metadata: fields,
						beyondEnd: end,
					};
					// Offsets of another size and a filter together leave no trace that a reader could follow.
					fc.pre(size.kind !== 'clampedKeepingOffset');
					fc.pre(!holdsEmptyPage(list, how.pageSize) && !totalAgreesTooEarly(list, how.pageSize));
					const { listing } = await readSimulated(list, how);
					expect(listing.records).toEqual(shown(list));
					expect(listing.report.duplicates).toBe(0);
				},
			),
			{ numRuns: RUNS },
		);
	});

	it('comes whole without ids, equal records included', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.nat(3), { maxLength: 60 }),
				fc.array(fc.nat(60)),
				fc.boolean(),
				sizing,
				metadata,
				beyondEnd,
				reading,
				async (names, hidden, filters, size, fields, end, how) => {
					const list: SimulatedList = {
						...plainList,
						records: names.map((name) => ({ name: `User ${name}` })),
						hidden: new Set(filters ? hidden.filter((place) => place < names.length) : []),
						sizing: size,
						metadata: fields,
						beyondEnd: end,
					};
					fc.pre(!filters || size.kind !== 'clampedKeepingOffset');
					fc.pre(!endIsMisstated(list, how.pageSize));
					fc.pre(!holdsEmptyPage(list, how.pageSize) && !totalAgreesTooEarly(list, how.pageSize));
					try {
						const { listing } = await readSimulated(list, how);
						expect(listing.records).toEqual(shown(list));
					} catch (error) {
						// Three equal pages in a row are the one sign there is of a service that ignores `page`.
						if (!/ignores the parameter "page"/.test(String(error))) throw error;
						expect(hasEqualPages(list)).toBe(true);
					}
				},
			),
			{ numRuns: RUNS },
		);
	});

	it('comes whole where pages behind the end repeat the last or the first ones', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(80),
				sizing,
				metadata,
				repeatingEnd,
				fc.constantFrom(0 as const, 1 as const),
				reading,
				async (count, size, fields, end, firstNumber, how) => {
					const list: SimulatedList = {
						...plainList,
						records: numbered(count),
						sizing: size,
						metadata: fields,
						beyondEnd: end,
						firstNumber,
					};
					fc.pre(!endIsMisstated(list, how.pageSize));
					// One page that always comes, whatever is asked for, may be a list or the start of one.
					const { size: used, stride } = sizeUsed(size, Math.ceil(how.pageSize / 2));
					const sizeIsFixed = size.kind === 'ignored' || size.kind === 'raised';
					fc.pre(!sizeIsFixed || count > Math.max(used, stride));
					fc.pre(end !== 'wrap' || firstNumber === 0);
					const { listing } = await readSimulated(list, how);
					expect(listing.records).toEqual(list.records);
					expect(listing.report.duplicates).toBe(0);
				},
			),
			{ numRuns: RUNS },
		);
	});

	it('comes whole with totals that lag', async () => {
		await fc.assert(
			fc.asyncProperty(
				upTo(80),
				fc.integer({ min: -30, max: 30 }),
				sizing,
				metadata,
				beyondEnd,
				reading,
				async (count, totalLag, size, fields, end, how) => {
					const list: SimulatedList = {
						...plainList,
						records: numbered(count),
						totalLag,
						sizing: size,
						metadata: ['total', ...fields.filter((field) => field !== 'total')],
						beyondEnd: end,
					};
					fc.pre(!pageCountAgreesTooEarly(list, how.pageSize));
					fc.pre(!endIsMisstated(list, how.pageSize));
					fc.pre(!totalAgreesTooEarly(list, how.pageSize));
					const { listing } = await readSimulated(list, how);
					expect(listing.records).toEqual(list.records);
				},
			),
			{ numRuns: RUNS },
		);
	});

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
					const list: SimulatedList = {
						...plainList,
						records: numbered(count),
						sizing: size,
						metadata: fields,
						beyondEnd: end,
					};
					fc.pre(!endIsMisstated(list, how.pageSize));
					const { listing, sent } = await readSimulated(list, { ...how, faults, maxRetries: 40 });
					expect(listing.records).toEqual(list.records);
					expect(sent).toBeGreaterThan(0);
				},
			),
			{ numRuns: RUNS },
		);
	});

	it('gives the records from a later page on, up to a limit', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(80),
				fc.nat(8),
				fc.integer({ min: 1, max: 90 }),
				sizing,
				metadata,
				beyondEnd,
				reading,
				async (count, page, limit, size, fields, end, how) => {
					const list: SimulatedList = {
						...plainList,
						records: numbered(count),
						sizing: size,
						metadata: fields,
						// As a first answer they are no list: there is nothing else to tell that they are a page.
						beyondEnd: end === 'notFound' || end === 'missing' ? 'empty' : end,
					};
					fc.pre(!endIsMisstated(list, how.pageSize, page));
					const { stride } = sizeUsed(size, how.pageSize);
					const { listing } = await readSimulated(list, { ...how, firstPage: page, limit });
					expect(listing.records).toEqual(list.records.slice(page * stride).slice(0, limit));
					expect(listing.report.duplicates).toBe(0);
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
					const list: SimulatedList = { ...plainList, records: numbered(count), metadata: fields };
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
					const list: SimulatedList = { ...plainList, records: [...originals], metadata: fields };
					let answered = 0;
					const beforePage = () => {
						answered++;
						if (additions.includes(answered)) list.records.unshift({ id: `added-${answered}` });
					};
					// Pages this small may repeat as a whole, as if the service ignored `page`.
					fc.pre(how.pageSize > additions.length && count >= how.pageSize);
					// A record may move to a page that was read before; in parallel only untilStable finds it.
					const { listing } = await readSimulated(list, { ...how, concurrency: 1, beforePage });
					const ids = listing.records.map(({ id }) => id);
					expect(new Set(ids).size).toBe(ids.length);
					expect(originals.filter(({ id }) => !ids.includes(id))).toEqual([]);
				},
			),
			{ numRuns: RUNS },
		);
	});

	it('takes no more requests than the statements of the service leave open', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(80),
				fc.integer({ min: -20, max: 20 }),
				metadata,
				beyondEnd,
				reading,
				async (count, lag, fields, end, how) => {
					const needed = Math.max(1, Math.ceil(count / how.pageSize));
					const countsPages = fields.includes('totalPages');
					const statesEnd = fields.some((field) => field === 'last' || field === 'hasMore');
					const endIsKnown = countsPages || (statesEnd && needed === 1);
					const totalLag = endIsKnown ? 0 : lag;
					const list: SimulatedList = {
						...plainList,
						records: numbered(count),
						totalLag,
						metadata: fields,
						beyondEnd: end,
					};
					fc.pre(!totalAgreesTooEarly(list, how.pageSize));
					const { asked, mostInFlight } = await readSimulated(list, how);
					const endIsPlanned = fields.includes('total') && totalLag === 0;
					const lastIsFull = count > 0 && count % how.pageSize === 0;
					const spareOfPlan = lastIsFull && !statesEnd ? 1 : 0;
					const spare = endIsKnown ? 0 : endIsPlanned ? spareOfPlan : Math.max(3, how.concurrency);
					// Where a page is refused, one or two known ones are read again to see whether it was a fault.
					const confirming = end === 'notFound' && spare > 0 ? 2 : 0;
					expect(asked.length).toBeLessThanOrEqual(needed + spare + confirming);
					expect(mostInFlight).toBeLessThanOrEqual(how.concurrency);
				},
			),
			{ numRuns: RUNS },
		);
	});
});

/**
 * A service that says on a clamped first page that it is the last, because it computes that from the size asked
 * for, and names no total that shows otherwise. Such a statement is believed.
 */
function endIsMisstated(list: SimulatedList, asked: number, page = 0): boolean {
	const { size, stride } = sizeUsed(list.sizing, asked);
	const { length } = list.records;
	const read = Math.min(length, page * stride + size);
	const computesFromAsked = list.metadataOfAskedSize || list.sizing.kind === 'clampedKeepingOffset';
	const saysLast = list.metadata.some((field) => field !== 'total') && length <= (page + 1) * asked;
	const named = list.metadata.includes('total') ? length + list.totalLag : 0;
	return computesFromAsked && saysLast && read < length && named <= read;
}

/** A filter that leaves nothing of a page ends the list for every reader. */
function holdsEmptyPage(list: SimulatedList, asked: number): boolean {
	const { size, stride } = sizeUsed(list.sizing, asked);
	for (let start = 0; start < list.records.length; start += stride) {
		const places = Array.from({ length: size }, (_, place) => start + place);
		if (places.every((place) => place >= list.records.length || list.hidden.has(place)))
			return true;
	}
	return false;
}

/** A total that happens to be the number of records read so far, after a short page, is believed. */
function totalAgreesTooEarly(list: SimulatedList, asked: number): boolean {
	if (!list.metadata.includes('total')) return false;
	const { records, hidden, totalCountsHidden, totalLag } = list;
	const total = records.length - (totalCountsHidden ? 0 : hidden.size) + totalLag;
	if (hidden.size === 0) return totalLag < 0 && total <= firstPage(list, asked).came;
	return totalCountsHidden && total < records.length;
}

/** A page count computed from too low a total is believed where so many full pages hold just that total. */
function pageCountAgreesTooEarly(list: SimulatedList, asked: number): boolean {
	const { size } = sizeUsed(list.sizing, asked);
	const total = list.records.length + list.totalLag;
	return list.metadata.includes('totalPages') && list.totalLag < 0 && total % size === 0;
}

/** Whether the list holds three equal stretches in a row, at whatever size. */
function hasEqualPages(list: SimulatedList): boolean {
	const names = shown(list).map((record) => JSON.stringify(record));
	for (let size = 1; size <= 15; size++) {
		for (let start = 0; start + 3 * size <= names.length; start++) {
			const equal = names
				.slice(start, start + 2 * size)
				.every((name, place) => name === names[start + place + size]);
			if (equal) return true;
		}
	}
	return false;
}
