import { isJsonObject, type JsonObject } from '../values/json';
import type { ListProfile } from './listProbe';
import type { ResumePoint, ServiceClock } from './polledList';
import { MAX_ZONE_SPREAD_MS } from './timePrecision';

/**
 * What one trigger knows of a list, as it is stored between polls. Times are milliseconds since
 * 1970 by the clock that stamps changes.
 */
export interface PollCursor {
	version: typeof VERSION;
	/** Tells tenants, clients, lists and ways to read them apart. */
	service: string;
	/** Undefined as long as the list has no records. */
	list?: ListProfile;
	/** Text of `KnownRecords`. */
	known: string;
	/** Whether the first reading is not over: what it meets is only remembered. */
	isBaseline: boolean;
	reading?: Reading;
	/** Whatever changed before was found, changes apart that show late. */
	place: number;
	/** Where the place may move to once another reading proved it; none after one request. */
	reached?: number;
	/** A version that ends before, and is not remembered, is one of before. */
	floor: number;
	/**
	 * The newest time that two records reached, as one may be wrong; and what the service's clock
	 * showed then, which tells how far the two clocks are apart.
	 */
	newest?: { time: number; date: number };
	/** By how much the service's clock was ahead of ours at the last poll, if it says its time. */
	ahead?: number;
	/** When the service's filter last found something, or was tried, by the service's clock. */
	provedAt: number;
	/** What the user was told already, so that it is not said at every poll. */
	told: string[];
}

/** A reading that one poll could not end. */
export interface Reading {
	next: ResumePoint;
	/** Since when changes are asked for; none for the whole list. */
	since?: number;
	/** The service's time when it began. */
	startedAt: number;
	/** The earliest time of what waits for the next poll, or `NEVER`. */
	waitingFrom: number;
}

const VERSION = 8 as const;

/** What is said if the cursor of another version was found. */
export const WATERMARK_KEPT_NOTE =
	'Of what another version of this trigger stored only the time can be read, so it continues from there. Changes of a few minutes may be missed or repeated.';

/** What is said if what was known of the list tells nothing of what counts now. */
export const BASELINE_RESET_NOTE =
	'This trigger was changed, so it only remembers the list as it is now. What changed since its last poll does not start the workflow.';

/**
 * Where a trigger begins that knows nothing of a list.
 *
 * @param start undefined = from now on, however far the clocks are apart
 */
export function initialCursor(
	service: string,
	{ latestAt, earliestAt: now }: Pick<ServiceClock, 'latestAt' | 'earliestAt'>,
	start?: number,
): PollCursor {
	const place = start ?? now - MAX_ZONE_SPREAD_MS;
	const times = { place, floor: place, provedAt: latestAt };
	const isBaseline = start === undefined;
	return { version: VERSION, ...times, service, known: '', isBaseline, told: [] };
}

/**
 * The one look at what is stored: this version wrote it as a whole; or its place is all that is
 * understood, as if it were that of another tenant.
 *
 * @returns undefined if there is none
 */
export function readCursor(stored: unknown): PollCursor | undefined {
	if (!isJsonObject(stored) || typeof stored.place !== 'number') return undefined;
	const first = initialCursor(
		'',
		{ latestAt: stored.place, earliestAt: stored.place },
		stored.place,
	);
	// What the first reading has not met yet is of before, too.
	return isCursor(stored, first) ? stored : { ...first, isBaseline: stored.isBaseline === true };
}

function isCursor(stored: JsonObject, like: PollCursor): stored is JsonObject & PollCursor {
	const kindOf = (value: unknown) => typeof (value ?? undefined);
	const isLike = Object.entries(like).every(([name, one]) => kindOf(stored[name]) === kindOf(one));
	return isLike && stored.version === VERSION;
}
