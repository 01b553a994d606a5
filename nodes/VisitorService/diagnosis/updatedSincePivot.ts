import type { JsonObject } from '../listing/findRecords';
import { readUpdateTime, type UpdateTimes } from './updateTimes';

/** A time to filter by, and what the filter has to do with the records known. */
export interface Pivot {
	/** Milliseconds; the update time of one record. */
	time: number;
	path: string;
	/** Key of the record changed exactly then. */
	key: string;
	known: ReadonlyArray<{ key: string; time: number }>;
	/** Whether a record is known that was changed later, so that an empty answer is a wrong one. */
	laterKnown: boolean;
	/** Milliseconds by which the times may be shifted: they are written without zone. */
	shifts: readonly number[];
	/** Whether the record changed exactly then shows whether the filter includes its time. */
	exact: boolean;
	reasonNotExact?: string;
}

export type FilterVerdict = 'accepted' | 'holdsEarlier' | 'misread' | 'unclear';

/** Services compare in whole seconds, or read formats that have no fraction: within one, anything may come. */
const BLUR = 1_000;

const QUARTER_OF_AN_HOUR = 900_000;
const WIDEST_OFFSET = 14 * 4;

/**
 * Chooses the update time of a record such that others known are later, so that the filtered list cannot be empty,
 * and others on the unfiltered first page are earlier, so that it cannot be the whole one.
 *
 * @param pageSize records that are surely on an unfiltered first page
 * @param wholeListKnown whether `keys` is the whole list
 * @returns undefined where the update times do not differ enough
 */
export function choosePivot(
	keys: readonly string[],
	updateTimes: UpdateTimes,
	pageSize: number,
	wholeListKnown: boolean,
): Pivot | undefined {
	const known = keys.flatMap((key, index) => {
		const time = updateTimes.times[index];
		return time === undefined ? [] : [{ key, time }];
	});
	const zoneless = updateTimes.zone === 'none';
	const shifts = zoneless ? offsets() : [0];
	const margin = zoneless ? WIDEST_OFFSET * QUARTER_OF_AN_HOUR : 0;
	const firstPage = new Set(keys.slice(0, pageSize));
	const earliest = known
		.filter(({ key }) => firstPage.has(key))
		.reduce((least, { time }) => Math.min(least, time), Infinity);

	const newestFirst = [...known].sort((one, other) => other.time - one.time);
	const newest = newestFirst[0];
	if (newest === undefined) return undefined;
	const suits = ({ time }: { time: number }) =>
		time - margin - BLUR > earliest && time + margin + BLUR < newest.time;
	const suitable = newestFirst.filter(suits);
	const apart = (one: { time: number } | undefined, time: number) =>
		one === undefined || Math.abs(one.time - time) >= 2 * BLUR;
	const alone = newestFirst.filter(
		(one, place) =>
			suits(one) &&
			apart(newestFirst[place - 1], one.time) &&
			apart(newestFirst[place + 1], one.time),
	);
	const candidates = alone.length > 0 ? alone : suitable;
	// The later the time, the surer the filtered list fits on a page; some more records make the judgement surer.
	const place = wholeListKnown ? Math.min(3, candidates.length - 1) : 0;
	// Where records have two update times only, the later one has to do.
	const chosen =
		candidates[place] ?? (!zoneless && newest.time - BLUR > earliest ? newest : undefined);
	if (chosen === undefined) return undefined;
	const reasonNotExact = whyNotExact(updateTimes, neighbours(known, chosen.time).length);
	return {
		time: chosen.time,
		path: updateTimes.path,
		key: chosen.key,
		known,
		laterKnown: chosen.time + margin + BLUR < newest.time,
		shifts,
		exact: reasonNotExact === undefined,
		reasonNotExact,
	};
}

/**
 * What a filtered page shows: whether it holds the records changed since the pivot, and no others.
 *
 * @param wholeResult whether the page holds everything the filter lets through
 * @param sentExactly whether the time sent was the pivot's own, or one up to a second before it
 */
export function judgeFiltered(
	records: readonly JsonObject[],
	keys: readonly string[],
	pivot: Pivot,
	wholeResult: boolean,
	sentExactly: boolean,
): { verdict: FilterVerdict; inclusive?: boolean } {
	if (keys.length === 0) return { verdict: pivot.laterKnown ? 'misread' : 'unclear' };
	const times = records.map((record) => readUpdateTime(record, pivot.path));
	const came = new Set(keys);
	const holdsNoEarlier = (shift: number) =>
		times.every((time) => time !== undefined && time > pivot.time + shift - BLUR);
	const holdsAllLater = (shift: number) =>
		pivot.known.every(({ key, time }) => time < pivot.time + shift + BLUR || came.has(key));
	const possible = pivot.shifts.filter(holdsNoEarlier);
	if (possible.length === 0) return { verdict: 'holdsEarlier' };
	if (wholeResult && !possible.some(holdsAllLater)) return { verdict: 'unclear' };
	if (came.has(pivot.key)) {
		return { verdict: 'accepted', inclusive: pivot.exact && sentExactly ? true : undefined };
	}
	const excluded = wholeResult && pivot.shifts.length === 1;
	return { verdict: 'accepted', inclusive: excluded ? false : undefined };
}

function whyNotExact({ zone, precision }: UpdateTimes, neighbourCount: number): string | undefined {
	if (zone === 'none') return 'Update times have no zone, so none can be asked for exactly.';
	if (neighbourCount > 1) return 'Too many records were changed at the same time.';
	return precision === 'milliseconds'
		? undefined
		: `Update times are shown to the ${precision.slice(0, -1)}, so none can be asked for exactly.`;
}

function neighbours(known: ReadonlyArray<{ time: number }>, time: number): Array<{ time: number }> {
	return known.filter((other) => Math.abs(other.time - time) < 2 * BLUR);
}

function offsets(): number[] {
	return Array.from(
		{ length: 2 * WIDEST_OFFSET + 1 },
		(_, index) => (index - WIDEST_OFFSET) * QUARTER_OF_AN_HOUR,
	);
}
