import fc from '../properties';
import {
	type ChangingSizing,
	type EndStyle,
	HONEST,
	type ListTraits,
	type Mistake,
	type MistakeKind,
	type TotalKind,
} from './listTraits';
import { type RecordKind, recordKinds } from './records';
import { steadySizing } from './sizing';

const upTo = (max: number) => fc.integer({ min: 1, max });

const changingSizing = fc
	.tuple(upTo(12), upTo(12), fc.integer({ min: 2, max: 6 }))
	.map(([maximum, later, after]): ChangingSizing => ({ kind: 'changing', maximum, later, after }));

const metadata = fc.uniqueArray(
	fc.constantFrom<ListTraits['metadata'][number]>(
		'total',
		'totalPages',
		'last',
		'hasMore',
		'pageSize',
		'page',
		'next',
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
const honestEnd = fc.constantFrom(...HONEST_ENDS);
const oddEnd = fc.constantFrom<EndStyle>('lastPage', 'wrap');

const envelope = fc.constantFrom<ListTraits['envelope']>(
	'data',
	'named',
	'items',
	'content',
	'value',
	'embedded',
	'resultList',
	'dataItems',
);

const mistakeKind = fc.constantFrom<MistakeKind>(
	'null',
	'emptyObject',
	'noContent',
	'emptyPage',
	'earlierPage',
	'errorWith200',
	'shortPage',
	'html',
	'truncatedJson',
	404,
	400,
	500,
);

const oddTotal: fc.Arbitrary<TotalKind> = fc.oneof(
	fc.constant<TotalKind>({ kind: 'page' }),
	fc.integer({ min: -20, max: 20 }).map((by): TotalKind => ({ kind: 'off', by })),
	upTo(4).map((by): TotalKind => ({ kind: 'falling', by })),
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
		sizing: sometimes<ListTraits['sizing']>(changingSizing, steadySizing),
		hidden: sometimes<number[]>(hiddenIndexes, fc.constant([])),
		envelope,
		metadata,
		total: sometimes<TotalKind>(oddTotal, fc.constant(HONEST.total)),
		countsByRequestedSize: sometimes(fc.constant(true), fc.constant(false)),
		flagsByFullness: sometimes(fc.constant(true), fc.constant(false)),
		end: sometimes(oddEnd, honestEnd),
		firstNumber: sometimes<0 | 1>(fc.constant(1), fc.constant(0)),
		pageIgnored: fc.oneof(
			{ weight: 15, arbitrary: fc.constant(false) },
			{ weight: 1, arbitrary: fc.constant(true) },
		),
		signsPhotos: sometimes(fc.constant(true), fc.constant(false)),
		sortedAnew: sometimes<ListTraits['sortedAnew']>(
			fc.record({ after: upTo(8), order: fc.array(fc.nat(60), { minLength: 1, maxLength: 60 }) }),
			fc.constant(undefined),
		),
		mistakes: sometimes<Mistake[]>(
			fc
				.oneof(
					fc.record({ page: upTo(8), kind: mistakeKind, times: fc.constant(1) }),
					fc.constant<Mistake>({ page: 0, kind: 'shortPage', times: 1 }),
				)
				.map((mistake) => [mistake]),
			fc.constant([]),
		),
	})
	.map(withoutExplanations);

/** Without habits that explain each other's traces, so that nothing could tell them from a list. */
function withoutExplanations(drawn: ListTraits): ListTraits {
	const { kind, hidden, mistakes, pageIgnored, signsPhotos, sizing, total } = drawn;
	// A first page cut short and a total that is too small explain each other.
	// So do a maximum that changes, and records that are left out or flags for another size.
	const isChanging = sizing.kind === 'changing';
	const explainsCut = mistakes.some(({ page }) => page === 0) && total.kind !== 'list';
	// Records that move explain those that are hidden at their places, a page that is another one
	// by then, and a total that is too small. They are others if they have no ID and are signed
	// anew, or had one that was none.
	const hasId = kind === 'id' || kind === 'onlyId';
	const isRecognizable = hasId || (!signsPhotos && (kind === 'name' || kind === 'floor'));
	const mayMove = hidden.length === 0 && !pageIgnored && total.kind === 'list' && isRecognizable;
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
		firstNumber: fc.constantFrom<0 | 1>(0, 1),
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
			.record({ page: upTo(12), kind: mistakeKind, times: fc.constant(1) })
			.map((mistake) => [mistake]),
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
		sizing: drawn.sizing.kind === 'changing' ? sizing : drawn.sizing,
		total: drawn.total.kind === 'falling' ? HONEST.total : drawn.total,
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
			sizing: drawn.sizing.kind === 'changing' ? sizing : drawn.sizing,
			end: drawn.end === 'wrap' ? end : drawn.end,
			pageIgnored: false,
			sortedAnew: undefined,
			// An empty page 0 is that of a service that counts from 1.
			hidden: drawn.hidden.filter((index) => index > 0),
			// Records that are left out explain a page that only a flag calls the last, or that was cut.
			flagsByFullness: drawn.flagsByFullness && !isFiltered,
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
		steadySizing.filter(({ kind }) => kind !== 'clampedKeepingOffset'),
		honestEnd,
	)
	.map(
		([drawn, sizing, end]): ListTraits => ({
			...HONEST,
			kind: drawn.kind,
			count: drawn.count,
			sizing,
			end: drawn.end === 'wrap' ? end : drawn.end,
			envelope: drawn.envelope,
			metadata: drawn.metadata,
			firstNumber: drawn.firstNumber,
			signsPhotos: drawn.signsPhotos,
		}),
	);
