import type { JsonObject, ListSwitches, PageFault } from '../reference-service';
import { type RecordKind, recordsOf } from './records';

/** Some of the switches of the reference service. */
export type Habit = Partial<ListSwitches>;

/** How a service lists its users: what the published interface leaves open. Nothing but data. */
export interface ListTraits
	extends Pick<
		ListSwitches,
		'countsByRequestedSize' | 'envelope' | 'firstPageNumber' | 'lastIfNotFull' | 'pageIgnored'
	> {
	kind: RecordKind;
	count: number;
	metadata: Exclude<ListSwitches['metadata'], string>;
	/** What the service does with `pageSize`. */
	sizing: Habit;
	/** After so many responses the maximum is another one. */
	laterMaximum?: { after: number; maxPageSize: number };
	/** Places of records that are taken out after the page was cut. */
	hidden: number[];
	/** Of what the total is. */
	total: Habit;
	/** The total is lower by so many with each response. */
	totalFallsBy?: number;
	/** What comes after the last page. */
	end: Habit;
	/** Whether each response signs the addresses of the photos anew. */
	signsPhotos: boolean;
	/** After so many responses the records are in another order: that of these numbers, in turn. */
	sortedAnew?: { after: number; order: number[] };
	/** Wrong responses in place of pages. */
	mistakes: PageFault[];
}

export const HONEST: ListTraits = {
	kind: 'id',
	count: 0,
	sizing: {},
	hidden: [],
	envelope: 'data',
	metadata: [],
	total: {},
	countsByRequestedSize: false,
	lastIfNotFull: false,
	end: {},
	firstPageNumber: 0,
	pageIgnored: false,
	signsPhotos: false,
	mistakes: [],
};

/** What the service lets be seen, in its order, from a place on. */
export function shownOf({ kind, count, hidden }: ListTraits, from = 0): JsonObject[] {
	return recordsOf(kind, count).filter((_, index) => index >= from && !hidden.includes(index));
}

export function switchesOf(traits: ListTraits): Habit {
	const { countsByRequestedSize, envelope, firstPageNumber, lastIfNotFull, pageIgnored } = traits;
	const isHidden = new Set(traits.hidden);
	return {
		...{ maxPageSize: Infinity, ...traits.sizing, ...traits.end, ...traits.total },
		...{ countsByRequestedSize, envelope, firstPageNumber, lastIfNotFull, pageIgnored },
		metadata: [...traits.metadata],
		hiddenAfterPaging: (_, index) => isHidden.has(index),
		renewed: traits.signsPhotos ? { every: 'response', as: 'signature' } : null,
		pageFaults: traits.mistakes.map((mistake) => ({ ...mistake })),
	};
}

/** What changes before a response, counted from 1, is given. */
export function changesBefore({ laterMaximum, totalFallsBy }: ListTraits, number: number): Habit {
	const { after = Infinity, maxPageSize = Infinity } = laterMaximum ?? {};
	return {
		...(number > after && { maxPageSize }),
		...(totalFallsBy !== undefined && { totalLag: -totalFallsBy * (number - 1) }),
	};
}

/** The list in another order. */
export function sortedBy<T>(order: readonly number[], list: readonly T[]): T[] {
	const positionOf = (index: number) => order[index % order.length] ?? 0;
	return [...list.entries()]
		.sort(([one], [other]) => positionOf(one) - positionOf(other) || one - other)
		.map(([, record]) => record);
}
