import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import fc from '../../../../properties';
import { drawnSizing } from '../../../../simulation/drawnSizing';
import type { Sizing } from '../../../../simulation/sizing';
import {
	type ChangingSizing,
	type EndStyle,
	honestList,
	type ListHabits,
	type Mistake,
	type TotalKind,
} from './drawnService';

/** What tells the records of a list apart, or seems to. */
const RECORD_KINDS = {
	/** An ID that is one. */
	id: (place: number): JsonObject => ({ id: `user-${place}`, name: `User ${place}` }),
	/** Nothing but an ID. */
	onlyId: (place: number): JsonObject => ({ id: place + 1 }),
	/** No ID. */
	name: (place: number): JsonObject => ({ name: `User ${place}`, floor: place % 4 }),
	/** No ID, and equal records. */
	floor: (place: number): JsonObject => ({ floor: `Floor ${place % 3}` }),
	/** A field called ID that is that of a group. */
	groupId: (place: number): JsonObject => ({
		id: `group-${Math.floor(place / 3)}`,
		name: `User ${place}`,
		badge: `badge-${place}`,
	}),
	/** A field called ID that repeats on later pages only, mostly. */
	lateId: (place: number): JsonObject => ({
		id: `card-${place % 17}`,
		name: `User ${place}`,
		badge: `badge-${place}`,
	}),
	/** A field that is often an ID, and is that of a card here. */
	doubtfulId: (place: number): JsonObject => ({ uid: `card-${place % 7}`, name: `User ${place}` }),
} as const;

export type RecordKind = keyof typeof RECORD_KINDS;

export function recordsOf(kind: RecordKind, count: number): JsonObject[] {
	return Array.from({ length: count }, (_, place) => RECORD_KINDS[kind](place));
}

export interface Asking {
	/** 0 unless told. */
	firstPage?: number;
	/** All records unless told. */
	limit?: number;
	pageSize: number;
	concurrency: number;
	/** Decides in which order answers arrive. */
	seed: number;
}

const upTo = (max: number) => fc.integer({ min: 1, max });

export const asking = fc.record<Asking>({
	pageSize: upTo(15),
	concurrency: upTo(10),
	seed: fc.nat(1_000),
});

export const steadySizing = drawnSizing(3);

const changingSizing = fc
	.tuple(upTo(12), upTo(12), fc.integer({ min: 2, max: 6 }))
	.map(([maximum, later, after]): ChangingSizing => ({ kind: 'changing', maximum, later, after }));

export const metadata = fc.uniqueArray(
	fc.constantFrom<ListHabits['metadata'][number]>(
		'total',
		'totalPages',
		'last',
		'hasMore',
		'pageSize',
	),
);

const HONEST_ENDS: EndStyle[] = [
	'empty',
	'null',
	'missing',
	'noContent',
	'noData',
	404,
	400,
	422,
	416,
];

export const honestEnd = fc.constantFrom(...HONEST_ENDS);

const oddEnd = fc.constantFrom<EndStyle>('lastPage', 'wrap');

export const envelope = fc.constantFrom<ListHabits['envelope']>(
	honestList.envelope,
	{ envelope: 'named', metadataUnder: 'meta', metadataNames: null },
	{ envelope: 'embedded', metadataUnder: null, metadataNames: null },
	{ envelope: 'resultList', metadataUnder: null, metadataNames: null },
);

export const mistakeKind = fc.constantFrom<Mistake>(
	...([
		'null',
		'emptyObject',
		'noContent',
		'empty',
		'earlierPage',
		'errorWith200',
		'shortPage',
	] as const),
	404,
	400,
);

const oddTotal: fc.Arbitrary<TotalKind> = fc.oneof(
	fc.constant<TotalKind>({ kind: 'page' }),
	fc.integer({ min: -20, max: 20 }).map((by): TotalKind => ({ kind: 'off', by })),
	upTo(4).map((by): TotalKind => ({ kind: 'falling', by })),
);

/** Usually as it should be, sometimes not. */
function sometimes<T>(odd: fc.Arbitrary<T>, usual: fc.Arbitrary<T>): fc.Arbitrary<T> {
	return fc.oneof({ weight: 1, arbitrary: odd }, { weight: 3, arbitrary: usual });
}

export interface DrawnList {
	kind: RecordKind;
	habits: ListHabits;
	asking: Asking;
}

/** A service with any number of bad habits at once. */
export const anyList: fc.Arbitrary<DrawnList> = fc
	.record({
		kind: fc.constantFrom(...(Object.keys(RECORD_KINDS) as RecordKind[])),
		count: fc.nat(60),
		asking,
		sizing: sometimes<Sizing | ChangingSizing>(changingSizing, steadySizing),
		hidden: sometimes(fc.array(fc.nat(60), { maxLength: 20 }), fc.constant<number[]>([])),
		hiddenRun: sometimes(fc.tuple(fc.nat(30), upTo(15)), fc.constant(undefined)),
		metadata,
		total: sometimes(oddTotal, fc.constant<TotalKind>({ kind: 'list' })),
		countsByAskedSize: sometimes(fc.constant(true), fc.constant(false)),
		flagsByFullness: sometimes(fc.constant(true), fc.constant(false)),
		end: sometimes(oddEnd, honestEnd),
		firstNumber: sometimes(fc.constant<0 | 1>(1), fc.constant<0 | 1>(0)),
		pageIgnored: fc.oneof(
			{ weight: 1, arbitrary: fc.constant(true) },
			{ weight: 15, arbitrary: fc.constant(false) },
		),
		signsPhotos: sometimes(fc.constant(true), fc.constant(false)),
		sortedAnew: sometimes(
			fc.record({ after: upTo(8), order: fc.array(fc.nat(60), { minLength: 1, maxLength: 60 }) }),
			fc.constant(undefined),
		),
		envelope,
		mistake: sometimes(
			fc.oneof(
				fc.record({ page: upTo(8), kind: mistakeKind, times: fc.constant(1) }),
				fc.constant({ page: 0, kind: 'shortPage' as const, times: 1 }),
			),
			fc.constant(undefined),
		),
	})
	.map(({ kind, count, asking, hidden, hiddenRun, ...habits }) => {
		const [from = 0, length = 0] = hiddenRun ?? [];
		const run = Array.from({ length }, (_, place) => from + place);
		// A first page cut short and a total that is too small explain each other.
		// So do a maximum that changes, and records that are left out or flags for another size.
		const isChanging = habits.sizing.kind === 'changing';
		// Records that move explain those that are hidden at their places, a page that is another one
		// by then, and a total that is too small. They are others if they have no ID and are signed
		// anew, or had one that was none.
		const hasId = kind === 'id' || kind === 'onlyId';
		const isKnownAgain = hasId || (!habits.signsPhotos && (kind === 'name' || kind === 'floor'));
		const isRight = !habits.pageIgnored && habits.total.kind === 'list';
		const mayMove = hidden.length + length === 0 && isRight && isKnownAgain;
		const explainsCut = habits.mistake?.page === 0 && habits.total.kind !== 'list';
		return {
			kind,
			asking,
			habits: {
				...honestList,
				...habits,
				mistake: explainsCut ? undefined : habits.mistake,
				// Nothing would tell the floors apart but the signature, which changes.
				signsPhotos: habits.signsPhotos && kind !== 'floor',
				pageIgnored: habits.pageIgnored && !isChanging,
				countsByAskedSize: habits.countsByAskedSize && !isChanging,
				sortedAnew: mayMove ? habits.sortedAnew : undefined,
				hidden: new Set(isChanging ? [] : [...hidden, ...run]),
				records: recordsOf(kind, count),
			},
		};
	});

export interface LaterReading extends DrawnList {
	/** Page that the user set. */
	firstPage: number;
	/** Place of the record that it begins with. */
	from: number;
}

/**
 * Readings that begin with a later page, of services of which the pages after the first one show
 * that they are: not of those that ignore pages, or start over after the end.
 */
export const laterReading: fc.Arbitrary<LaterReading> = fc
	.tuple(
		// Of equal records, those of a page that a reading begins within look like the next page.
		anyList.filter(({ kind }) => kind !== 'floor'),
		fc.integer({ min: 1, max: 3 }),
		steadySizing,
		honestEnd,
	)
	.map(([drawn, firstPage, steady, end]) => {
		const { asking, habits } = drawn;
		const isFiltered = habits.hidden.size > 0;
		return {
			...drawn,
			firstPage,
			from: (firstPage - habits.firstNumber) * asking.pageSize,
			asking: { ...asking, firstPage },
			habits: {
				...habits,
				sizing: habits.sizing.kind === 'changing' ? steady : habits.sizing,
				end: habits.end === 'wrap' ? end : habits.end,
				pageIgnored: false,
				sortedAnew: undefined,
				// An empty page 0 is that of a service that counts from 1.
				hidden: new Set([...habits.hidden].filter((place) => place > 0)),
				// Records that are left out explain a page that only a flag calls the last, or that was
				// cut short.
				flagsByFullness: habits.flagsByFullness && !isFiltered,
				mistake: isFiltered ? undefined : habits.mistake,
			},
		};
	});

/**
 * Services that are asked for one page after the other, each with a limit. Not of those that say on
 * a page cut at the offset of the size asked for that it is the last: that is believed.
 */
export const listInParts: fc.Arbitrary<DrawnList> = fc
	.tuple(
		anyList.filter(({ kind }) => kind !== 'floor' && kind !== 'doubtfulId'),
		steadySizing.filter(({ kind }) => kind !== 'clampedKeepingOffset'),
		fc.oneof(honestEnd, fc.constant<EndStyle>('lastPage')),
	)
	.map(([drawn, sizing, end]) => ({
		...drawn,
		habits: {
			...drawn.habits,
			sizing,
			end,
			total: { kind: 'list' },
			countsByAskedSize: false,
			flagsByFullness: false,
			hidden: new Set<number>(),
			pageIgnored: false,
			sortedAnew: undefined,
			mistake: undefined,
		},
	}));

/** What the service lets be seen, in its order, from a place on. */
export function shownOf({ records, hidden }: ListHabits, from = 0): JsonObject[] {
	return records.filter((_, place) => place >= from && !hidden.has(place));
}
