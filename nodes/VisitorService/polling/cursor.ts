import { isRecord } from '../values/json';
import type { OpenedList } from './open';
import type { NextPage, ServiceClock } from './pages';
import { type Place, startPlace } from './place';

/** What one trigger knows of a list, as it is stored between polls. */
export interface PollCursor extends Place {
	version: typeof VERSION;
	/** Tells tenants, clients, lists and ways to read them apart. */
	service: string;
	/** Undefined as long as the list has no records. */
	list?: OpenedList;
	/** Text of `KnownRecords`. */
	known: string;
	/** Whether the first reading is not over: what it meets is only remembered. */
	isBaseline: boolean;
	/** A reading that one poll could not end. */
	reading?: {
		next: NextPage;
		/** Since when changes are asked for; none for the whole list. */
		since?: number;
		/** As of `ReadingProof`. */
		startedAt: number;
		waitingFrom: number;
		/** What it doubted so far. */
		doubted: string[];
	};
	/** Keys and versions that the last reading showed for the first time, after newer ones. */
	doubted: string[];
	/** Whether records moved from page to page during the last reading that ended. */
	hasMoved?: boolean;
	/** Our time of the poll, but later than that of the poll before in any case. */
	polledAt: number;
	/** What the user was told already, so that it is not said at every poll. */
	told: string[];
}

const VERSION = 4 as const;

/** What is said if the cursor of another version was found. */
export const BEGINS_ANEW =
	'What an earlier version of this trigger stored cannot be read, so it continues from the time stored there. Changes of a few minutes may be missed or repeated.';

/** What is said if what was known of the list tells nothing of what counts now. */
export const REMEMBERS_ANEW =
	'This trigger was changed, so it only remembers the list as it is now. What changed since its last poll does not start the workflow.';

/**
 * The one look at what is stored: this version wrote it as a whole; or its place is all that is
 * understood, as if it were that of another tenant.
 *
 * @returns undefined if there is none
 */
export function readCursor(stored: unknown): PollCursor | undefined {
	if (isCursor(stored)) return stored;
	const place = readPlace(stored);
	if (place === undefined) return undefined;
	const times = { place, floor: place, date: place, provedAt: place, unproved: [] };
	// What the first reading has not met yet is of before, too.
	const isBaseline = isRecord(stored) && stored.isBaseline === true;
	return { ...times, ...emptyCursor, told: [], service: '', isBaseline, polledAt: 0 };
}

const emptyCursor = { version: VERSION, known: '', doubted: [] };

function isCursor(stored: unknown): stored is PollCursor {
	return (
		isRecord(stored) &&
		stored.version === VERSION &&
		[stored.place, stored.floor, stored.date, stored.provedAt, stored.polledAt].every(
			Number.isFinite,
		) &&
		typeof stored.known === 'string' &&
		Array.isArray(stored.unproved) &&
		Array.isArray(stored.doubted) &&
		Array.isArray(stored.told)
	);
}

/** @returns milliseconds since 1970 */
function readPlace(stored: unknown): number | undefined {
	const place = isRecord(stored) ? stored.place : undefined;
	return typeof place === 'number' && Number.isFinite(place) ? place : undefined;
}

/** @param start milliseconds since 1970; undefined = from now on */
export function firstCursor(
	{ clock, now, service }: CursorOrigin,
	start: number | undefined,
): PollCursor {
	const isBaseline = start === undefined;
	const place = startPlace(clock, start);
	return { ...emptyCursor, ...place, told: [], service, isBaseline, polledAt: now };
}

/** Where a cursor begins: of which list, and when by its clock and ours. */
interface CursorOrigin {
	service: string;
	clock: ServiceClock;
	now: number;
}

/**
 * Another tenant, list or way to read it: the trigger goes on from the same time, if times tell
 * what is of before, there and here. So changes of the overlap may come again. Otherwise it
 * remembers the list anew.
 */
export function cursorOfOther(
	stored: PollCursor,
	origin: CursorOrigin,
	{ isDated, overlap }: { isDated: boolean; overlap: number },
): PollCursor {
	const first = firstCursor(origin, undefined);
	const { isBaseline, known, list, newest: reached, place, told } = stored;
	const isTimeless = list?.reads === 'comparison' && reached === undefined;
	if (!isDated || isBaseline || isTimeless) return first;
	const floor = Math.max(stored.floor, Math.min(place, reached?.time ?? -Infinity) - overlap);
	return { ...first, place, floor, known, told, isBaseline };
}
