import type {
	DeepPartial,
	Fault,
	JsonObject,
	JsonValue,
	ListSwitches,
	MetadataField,
	PageFault,
	WrongPage,
} from '../reference-service';
import { type RecordKind, recordsOf } from './records';
import { type Sizing, sized } from './sizing';

/** Never more than the maximum, which is another one after so many responses. */
export interface ChangingSizing {
	kind: 'changing';
	maximum: number;
	later: number;
	after: number;
}

/**
 * Of what a total is: of the list, of the page it stands on, or of the list when more or fewer
 * records were in it.
 */
export type TotalKind =
	| { kind: 'list' }
	| { kind: 'page' }
	| { kind: 'off'; by: number }
	/** Lower by so many with each response. */
	| { kind: 'falling'; by: number };

/** What comes after the last page. `wrap`: the list starts over. */
export type EndStyle =
	| 'empty'
	| 'null'
	| 'missing'
	| 'noContent'
	| 'lastPage'
	| 'wrap'
	| 'noData'
	| 404
	| 400
	| 422
	| 416;

/** A wrong response in place of a page. */
export type MistakeKind =
	| WrongPage
	| 'null'
	| 'emptyObject'
	| 'noContent'
	| 'errorWith200'
	| 'html'
	| 'truncatedJson'
	| 400
	| 404
	| 500;

export interface Mistake {
	page: number;
	kind: MistakeKind;
	/** 0 = always. */
	times: number;
}

/** How a service lists its users: what the published interface leaves open. Nothing but data. */
export interface ListTraits {
	kind: RecordKind;
	count: number;
	sizing: Sizing | ChangingSizing;
	/** Places of records that are taken out after the page was cut. */
	hidden: number[];
	envelope: ListSwitches['envelope'];
	metadata: MetadataField[];
	total: TotalKind;
	/** Whether page count and flags are computed from the size asked for. */
	countsByRequestedSize: boolean;
	/** Whether `last` and `hasMore` only say whether the page is full. */
	flagsByFullness: boolean;
	end: EndStyle;
	firstNumber: 0 | 1;
	pageIgnored: boolean;
	/** Whether each response signs the addresses of the photos anew. */
	signsPhotos: boolean;
	/** After so many responses the records are in another order: that of these numbers, in turn. */
	sortedAnew?: { after: number; order: number[] };
	mistakes: Mistake[];
}

export const HONEST: ListTraits = {
	kind: 'id',
	count: 0,
	sizing: { kind: 'honoured' },
	hidden: [],
	envelope: 'data',
	metadata: [],
	total: { kind: 'list' },
	countsByRequestedSize: false,
	flagsByFullness: false,
	end: 'empty',
	firstNumber: 0,
	pageIgnored: false,
	signsPhotos: false,
	mistakes: [],
};

/** What the service lets be seen, in its order, from a place on. */
export function shownOf({ kind, count, hidden }: ListTraits, from = 0): JsonObject[] {
	return recordsOf(kind, count).filter((_, index) => index >= from && !hidden.includes(index));
}

export function switchesOf(traits: ListTraits): DeepPartial<ListSwitches> {
	const { end, hidden, mistakes, sizing, total } = traits;
	const isHidden = new Set(hidden);
	return {
		maxPageSize: Infinity,
		...(sizing.kind === 'changing' ? { maxPageSize: sizing.maximum } : sized(sizing)),
		...atTheEnd(end),
		envelope: traits.envelope,
		metadata: [...traits.metadata],
		hiddenAfterPaging: (_, index) => isHidden.has(index),
		totalOf: total.kind === 'page' ? 'page' : 'list',
		totalLag: total.kind === 'off' ? total.by : 0,
		countsByRequestedSize: traits.countsByRequestedSize,
		lastIfNotFull: traits.flagsByFullness,
		firstPageNumber: traits.firstNumber,
		pageIgnored: traits.pageIgnored,
		renewed: traits.signsPhotos ? { every: 'response', as: 'signature' } : null,
		pageFaults: mistakes.map(
			({ page, kind, times }): PageFault => ({ page, times, fault: faultOf(kind) }),
		),
	};
}

/** What changes before a response, counted from 1, is given. */
export function changesBefore(
	{ sizing, total }: ListTraits,
	number: number,
): DeepPartial<ListSwitches> {
	return {
		...(sizing.kind === 'changing' && number > sizing.after && { maxPageSize: sizing.later }),
		...(total.kind === 'falling' && { totalLag: -total.by * (number - 1) }),
	};
}

/** The list in another order. */
export function sortedBy<T>(order: readonly number[], list: readonly T[]): T[] {
	const positionOf = (index: number) => order[index % order.length] ?? 0;
	return [...list.entries()]
		.sort(([one], [other]) => positionOf(one) - positionOf(other) || one - other)
		.map(([, record]) => record);
}

function atTheEnd(end: EndStyle): DeepPartial<ListSwitches> {
	if (typeof end === 'number') return outOfRange(end, { message: 'No such page.' });
	switch (end) {
		case 'empty':
			return {};
		case 'lastPage':
			return { pageBeyondEnd: 'lastPage' };
		case 'wrap':
			return { pageBeyondEnd: 'startsOver' };
		case 'noData':
			return outOfRange(200, { code: 404, message: 'No data.', data: [] });
		default:
			return { emptyAs: end, emptyOnlyBeyondEnd: true };
	}
}

function outOfRange(status: number, template: JsonValue): DeepPartial<ListSwitches> {
	return { pageBeyondEnd: 'error', badParameter: { status, body: { template } } };
}

function faultOf(kind: MistakeKind): Fault | WrongPage {
	const body = { message: 'Not now.' };
	if (typeof kind === 'number') return { status: kind, body };
	switch (kind) {
		case 'emptyObject':
			return { status: 200, body: {} };
		case 'noContent':
			return { status: 204, body: '' };
		case 'errorWith200':
			return { status: 200, body: { error: 'The database is away.' } };
		default:
			return kind;
	}
}
