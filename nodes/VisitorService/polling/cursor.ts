import { isJsonObject, type JsonObject } from '../values/json';
import type { RecordFields } from './fields';
import type { ListProfile } from './listProbe';
import type { ResumePoint, ServiceClock } from './polledList';
import { MAX_ZONE_SPREAD_MS, type Precision, spreadMs } from './timePrecision';

/**
 * What one trigger keeps of a list between polls. Times are milliseconds since 1970 by the clock
 * that stamps changes.
 */
export interface PollCursor {
	/** Of the tenant, the client, the list and the way it is read. */
	fingerprint: string;
	/** Undefined as long as the list has no records. */
	profile?: ListProfile;
	/** Text of `RememberedRecords`. */
	remembered: string;
	/** Whether the first reading is not over: its records are only remembered. */
	isBaseline: boolean;
	reading?: Reading;
	/** All changes before it were delivered, except those that appear late. */
	watermarkAt: number;
	/** Where the watermark moves to once another reading confirms it; none after one request. */
	pendingWatermarkAt?: number;
	/** A version that ends before it, and is not remembered, is not delivered. */
	floorAt: number;
	/** The newest time that two records show, as one may be wrong; and the service's clock then. */
	newest?: { stampedAt: number; seenAt: number };
	/** How far the service's clock was ahead of ours at the last poll, if it sends `Date`. */
	clockOffsetMs?: number;
	/** When the service's filter last found something, or was tried, by the service's clock. */
	filterVerifiedAt: number;
	/** What the log says already, so that it is not said at every poll. */
	reportedNotes: string[];
}

/** A reading that one poll could not end. */
export interface Reading {
	next: ResumePoint;
	/** Since when changes are requested; none for the whole list. */
	sinceAt?: number;
	/** The service's time when it began. */
	startedAt: number;
	/** The earliest time of what waits for the next poll, or `NOTHING_PENDING_AT`. */
	pendingAt: number;
}

/** What is stored of a trigger. */
export type StoredCursor =
	| { kind: 'none' }
	/** The watermark is all that can be read, as if it were that of another tenant. */
	| { kind: 'otherVersion'; cursor: PollCursor }
	| { kind: 'current'; cursor: PollCursor };

const VERSION = 8;

/**
 * Where a trigger begins that has read nothing of a list.
 *
 * @param startAt undefined = from now on, however far the clocks are apart
 */
export function initialCursor(
	fingerprint: string,
	{ latestAt, earliestAt }: Pick<ServiceClock, 'latestAt' | 'earliestAt'>,
	startAt?: number,
): PollCursor {
	const watermarkAt = startAt ?? earliestAt - MAX_ZONE_SPREAD_MS;
	return {
		fingerprint,
		remembered: '',
		isBaseline: startAt === undefined,
		watermarkAt,
		floorAt: watermarkAt,
		filterVerifiedAt: latestAt,
		reportedNotes: [],
	};
}

/** As n8n stores a cursor: names that saved workflows hold. */
interface CursorData {
	version: typeof VERSION;
	service: string;
	known: string;
	isBaseline: boolean;
	place: number;
	floor: number;
	provedAt: number;
	told: string[];
	reached?: number;
	ahead?: number;
	newest?: { time: number; date: number };
	list?: Omit<ListProfile, 'fields'> & { fields: FieldsData };
	reading?: { next: ResumePoint; since?: number; startedAt: number; waitingFrom: number };
}

/** `unit`: what times are cut to, and the zone spread if they name no zone. */
type FieldsData = Omit<RecordFields, 'precision'> & { unit?: number };

/** The one reader of what is stored; `writeCursor` is its counterpart. */
export function readCursor(stored: unknown): StoredCursor {
	if (!isJsonObject(stored) || typeof stored.place !== 'number') return { kind: 'none' };
	const { place } = stored;
	const first = initialCursor('', { latestAt: place, earliestAt: place }, place);
	if (!isCursorData(stored, writeCursor(first))) {
		// Records that the first reading has not reached are from before it, too.
		const isBaseline = stored.isBaseline === true;
		return { kind: 'otherVersion', cursor: { ...first, isBaseline } };
	}
	const { isBaseline, list, newest, reading } = stored;
	const cursor: PollCursor = {
		fingerprint: stored.service,
		profile: list && { ...list, fields: readFields(list.fields) },
		remembered: stored.known,
		isBaseline,
		reading: reading && {
			next: reading.next,
			sinceAt: reading.since,
			startedAt: reading.startedAt,
			pendingAt: reading.waitingFrom,
		},
		watermarkAt: place,
		pendingWatermarkAt: stored.reached,
		floorAt: stored.floor,
		newest: newest && { stampedAt: newest.time, seenAt: newest.date },
		clockOffsetMs: stored.ahead,
		filterVerifiedAt: stored.provedAt,
		reportedNotes: stored.told,
	};
	return { kind: 'current', cursor };
}

export function writeCursor(cursor: PollCursor): CursorData {
	const { newest, profile, reading } = cursor;
	return {
		version: VERSION,
		service: cursor.fingerprint,
		known: cursor.remembered,
		isBaseline: cursor.isBaseline,
		place: cursor.watermarkAt,
		floor: cursor.floorAt,
		provedAt: cursor.filterVerifiedAt,
		told: cursor.reportedNotes,
		reached: cursor.pendingWatermarkAt,
		ahead: cursor.clockOffsetMs,
		newest: newest && { time: newest.stampedAt, date: newest.seenAt },
		list: profile && { ...profile, fields: writeFields(profile.fields) },
		reading: reading && {
			next: reading.next,
			since: reading.sinceAt,
			startedAt: reading.startedAt,
			waitingFrom: reading.pendingAt,
		},
	};
}

function readFields({ unit, ...paths }: FieldsData): RecordFields {
	if (unit === undefined) return paths;
	const hasZone = unit < MAX_ZONE_SPREAD_MS;
	const precision: Precision = { unitMs: hasZone ? unit : unit - MAX_ZONE_SPREAD_MS, hasZone };
	return { ...paths, precision };
}

function writeFields({ precision, ...paths }: RecordFields): FieldsData {
	return { ...paths, ...(precision && { unit: spreadMs(precision) }) };
}

function isCursorData(stored: JsonObject, like: CursorData): stored is JsonObject & CursorData {
	const kindOf = (value: unknown) => typeof (value ?? undefined);
	const required = Object.entries(like).filter(([, value]) => value !== undefined);
	const isLike = required.every(([name, value]) => kindOf(stored[name]) === kindOf(value));
	return isLike && stored.version === VERSION;
}
