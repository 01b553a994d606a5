import fc from '../properties';
import type { JsonValue, ListSwitches, MetadataField, PageFault } from '../reference-service';
import { type Habit, HONEST, type ListTraits } from './listTraits';
import { type RecordKind, recordKinds } from './records';

const upTo = (max: number) => fc.integer({ min: 1, max });

/** Offsets of pages that are cut are computed from what is sent. */
const clamped = upTo(12).map((maxPageSize): Habit => ({ maxPageSize }));
/** The offset is the one of the size asked for. */
const clampedKeepingOffset = upTo(12).map(
	(maxPageSize): Habit => ({
		...{ maxPageSize, beyondMaximum: 'clampKeepingOffsetOfRequestedSize' },
	}),
);
/** A size of its own if more than the maximum is asked for. */
const ofDefault = fc.tuple(upTo(12), upTo(12)).map(
	([one, other]): Habit => ({
		maxPageSize: Math.max(one, other),
		defaultPageSize: Math.min(one, other),
		beyondMaximum: 'useDefault',
	}),
);
const ignored = upTo(12).map((size): Habit => ({ pageSizeIgnored: true, defaultPageSize: size }));
const raised = upTo(12).map((minPageSize): Habit => ({ minPageSize }));

/** Sizes are honoured three times as often as each other habit is drawn. */
const steadySizing = fc.oneof(
	{ weight: 3, arbitrary: fc.constant<Habit>({}) },
	...[clamped, clampedKeepingOffset, ofDefault, ignored, raised],
);

/** Sizes, and how they change. */
type Sizes = Pick<ListTraits, 'sizing' | 'laterMaximum'>;

const steadySizes = steadySizing.map((sizing): Sizes => ({ sizing }));
const changingSizes = fc
	.tuple(clamped, upTo(12), fc.integer({ min: 2, max: 6 }))
	.map(([sizing, maxPageSize, after]): Sizes => ({ sizing, laterMaximum: { after, maxPageSize } }));

const metadata = fc.uniqueArray(
	fc.constantFrom<MetadataField>(
		...(['total', 'totalPages', 'last', 'hasMore', 'pageSize', 'page', 'next'] as const),
	),
);

const outOfRange = (status: number, template: JsonValue = { message: 'No such page.' }): Habit => ({
	...{ pageBeyondEnd: 'error', badParameter: { status, body: { template } } },
});

const honestEnd = fc.constantFrom<Habit>(
	{},
	...(['null', 'missing', 'noContent'] as const).map((emptyAs) => ({
		...{ emptyAs, emptyOnlyBeyondEnd: true },
	})),
	outOfRange(200, { code: 404, message: 'No data.', data: [] }),
	...[404, 400, 422, 416].map((status) => outOfRange(status)),
);
const oddEnd = fc.constantFrom<Habit>(
	{ pageBeyondEnd: 'lastPage' },
	{ pageBeyondEnd: 'startsOver' },
);

const envelope = fc.constantFrom<ListSwitches['envelope']>(
	...(['data', 'named', 'items', 'content', 'value', 'embedded'] as const),
	...(['resultList', 'dataItems'] as const),
);

const mistake = fc.constantFrom<PageFault['fault']>(
	...(['null', 'emptyPage', 'earlierPage', 'shortPage', 'html', 'truncatedJson'] as const),
	{ status: 200, body: {} },
	{ status: 204, body: '' },
	{ status: 200, body: { error: 'The database is away.' } },
	...[404, 400, 500].map((status) => ({ status, body: { message: 'Not now.' } })),
);

type Totals = Pick<ListTraits, 'total' | 'totalFallsBy'>;

/** Of the page it stands on, of the list when more or fewer records were in it, or falling. */
const oddTotal = fc.oneof(
	fc.constant<Totals>({ total: { totalOf: 'page' } }),
	fc.integer({ min: -20, max: 20 }).map((totalLag): Totals => ({ total: { totalLag } })),
	upTo(4).map((totalFallsBy): Totals => ({ total: {}, totalFallsBy })),
);

/** Usually as it should be, sometimes not. */
function sometimes<T>(odd: fc.Arbitrary<T>, usual: fc.Arbitrary<T> | T): fc.Arbitrary<T> {
	const arbitrary = usual instanceof fc.Arbitrary ? usual : fc.constant(usual);
	return fc.oneof({ weight: 3, arbitrary }, { weight: 1, arbitrary: odd });
}

const hiddenIndexes = fc.oneof(
	fc.array(fc.nat(60), { maxLength: 20 }),
	fc
		.tuple(fc.nat(30), upTo(15))
		.map(([from, length]) => Array.from({ length }, (_, index) => from + index)),
);

/** A service with any number of bad habits at once. */
export const anyList: fc.Arbitrary<ListTraits> = fc
	.record({
		kind: fc.constantFrom(...recordKinds),
		count: fc.nat(60),
		sizes: sometimes<Sizes>(changingSizes, steadySizes),
		hidden: sometimes<number[]>(hiddenIndexes, fc.constant([])),
		envelope,
		metadata,
		totals: sometimes<Totals>(oddTotal, fc.constant<Totals>({ total: {} })),
		countsByRequestedSize: sometimes(fc.constant(true), fc.constant(false)),
		lastIfNotFull: sometimes(fc.constant(true), fc.constant(false)),
		end: sometimes(oddEnd, honestEnd),
		firstPageNumber: sometimes<0 | 1>(fc.constant(1), fc.constant(0)),
		pageIgnored: fc.oneof(
			{ weight: 15, arbitrary: fc.constant(false) },
			{ weight: 1, arbitrary: fc.constant(true) },
		),
		signsPhotos: sometimes(fc.constant(true), fc.constant(false)),
		sortedAnew: sometimes<ListTraits['sortedAnew']>(
			fc.record({ after: upTo(8), order: fc.array(fc.nat(60), { minLength: 1, maxLength: 60 }) }),
			fc.constant(undefined),
		),
		mistakes: sometimes<PageFault[]>(
			fc
				.oneof(
					fc.record({ page: upTo(8), fault: mistake, times: fc.constant(1) }),
					fc.constant<PageFault>({ page: 0, fault: 'shortPage', times: 1 }),
				)
				.map((one) => [one]),
			fc.constant([]),
		),
	})
	.map(({ sizes, totals, ...drawn }): ListTraits => ({ ...drawn, ...sizes, ...totals }))
	.map(withoutExplanations);

/** Without habits that explain each other's traces, so that nothing could tell them from a list. */
function withoutExplanations(drawn: ListTraits): ListTraits {
	const { kind, hidden, mistakes, pageIgnored, signsPhotos } = drawn;
	// A first page cut short and a total that is too small explain each other.
	// So do a maximum that changes, and records that are left out or flags for another size.
	const isChanging = drawn.laterMaximum !== undefined;
	const isTrueTotal = Object.keys(drawn.total).length === 0 && drawn.totalFallsBy === undefined;
	const explainsCut = mistakes.some(({ page }) => page === 0) && !isTrueTotal;
	// Records that move explain those that are hidden at their places, a page that is another one
	// by then, and a total that is too small. They are others if they have no ID and are signed
	// anew, or had one that was none.
	const hasId = kind === 'id' || kind === 'onlyId';
	const isRecognizable = hasId || (!signsPhotos && (kind === 'name' || kind === 'floor'));
	const mayMove = hidden.length === 0 && !pageIgnored && isTrueTotal && isRecognizable;
	return {
		...drawn,
		mistakes: explainsCut ? [] : mistakes,
		// Nothing would tell the floors apart but the signature, which changes.
		signsPhotos: signsPhotos && kind !== 'floor',
		pageIgnored: pageIgnored && !isChanging,
		countsByRequestedSize: drawn.countsByRequestedSize && !isChanging,
		sortedAnew: mayMove ? drawn.sortedAnew : undefined,
		hidden: isChanging ? [] : hidden,
	};
}

const tellable = fc.constantFrom<RecordKind>('id', 'onlyId', 'name');

/** A service that makes no mistakes: its sizes, its end and its numbering are its own. */
export const honestList: fc.Arbitrary<ListTraits> = fc
	.record({
		kind: tellable,
		count: fc.nat(90),
		sizing: steadySizing,
		envelope,
		metadata,
		end: honestEnd,
		firstPageNumber: fc.constantFrom<0 | 1>(0, 1),
		signsPhotos: fc.boolean(),
	})
	.map((drawn) => ({ ...HONEST, ...drawn }));

/** An honest service that states its total, and gives one wrong response. */
export const listWithOneMistake: fc.Arbitrary<ListTraits> = fc
	.record({
		kind: tellable,
		count: fc.integer({ min: 2, max: 90 }),
		sizing: steadySizing,
		end: honestEnd,
		mistakes: fc
			.record({ page: upTo(12), fault: mistake, times: fc.constant(1) })
			.map((one) => [one]),
	})
	.map((drawn) => ({ ...HONEST, ...drawn, metadata: ['total'] }));

/** An honest service that pages as asked, with records that have an ID. */
export const plainList: fc.Arbitrary<ListTraits> = fc
	.record({ count: fc.nat(90), envelope, metadata, end: honestEnd })
	.map((drawn) => ({ ...HONEST, ...drawn }));

/** A service whose responses depend on nothing but the question. */
export const steadyList: fc.Arbitrary<ListTraits> = fc.tuple(anyList, steadySizing).map(
	([drawn, sizing]): ListTraits => ({
		...drawn,
		sizing: drawn.laterMaximum === undefined ? drawn.sizing : sizing,
		...{ laterMaximum: undefined, totalFallsBy: undefined },
		signsPhotos: false,
		sortedAnew: undefined,
		mistakes: [],
	}),
);

/**
 * Services of which the pages after the first one show that they are: not those that ignore pages,
 * or start over after the end. For readings that begin with a later page.
 */
export const listOfLaterPages: fc.Arbitrary<ListTraits> = fc
	// Of equal records, those of a page that a reading begins within look like the next page.
	.tuple(
		anyList.filter(({ kind }) => kind !== 'floor'),
		steadySizing,
		honestEnd,
	)
	.map(([drawn, sizing, end]): ListTraits => {
		const isFiltered = drawn.hidden.length > 0;
		return {
			...drawn,
			sizing: drawn.laterMaximum === undefined ? drawn.sizing : sizing,
			laterMaximum: undefined,
			end: drawn.end.pageBeyondEnd === 'startsOver' ? end : drawn.end,
			pageIgnored: false,
			sortedAnew: undefined,
			// An empty page 0 is that of a service that counts from 1.
			hidden: drawn.hidden.filter((index) => index > 0),
			// Records that are left out explain a page that only a flag calls the last, or that was cut.
			lastIfNotFull: drawn.lastIfNotFull && !isFiltered,
			mistakes: isFiltered ? [] : drawn.mistakes,
		};
	});

/**
 * Services that are asked for one page after the other, each with a limit. Not those that say on a
 * page cut at the offset of the size asked for that it is the last: that is believed.
 */
export const listInParts: fc.Arbitrary<ListTraits> = fc
	.tuple(
		anyList.filter(({ kind }) => kind !== 'floor' && kind !== 'uncertainId'),
		steadySizing.filter(
			({ beyondMaximum }) => beyondMaximum !== 'clampKeepingOffsetOfRequestedSize',
		),
		honestEnd,
	)
	.map(
		([drawn, sizing, end]): ListTraits => ({
			...HONEST,
			kind: drawn.kind,
			count: drawn.count,
			sizing,
			end: drawn.end.pageBeyondEnd === 'startsOver' ? end : drawn.end,
			envelope: drawn.envelope,
			metadata: drawn.metadata,
			firstPageNumber: drawn.firstPageNumber,
			signsPhotos: drawn.signsPhotos,
		}),
	);
