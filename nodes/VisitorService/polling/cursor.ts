import type { EarlierReading } from '../listing/listFacts';
import { isJsonObject, type JsonObject } from '../values/json';
import type { ListProfile } from './listProbe';
import type { ServiceClock } from './polledList';
import type { ResumePoint } from './readingResult';
import type { NewestTimes } from './shownTimes';
import { MAX_ZONE_SPREAD_MS } from './timePrecision';

/**
 * What one trigger keeps of a list between polls. Times are milliseconds since 1970 by the clock
 * that stamps changes.
 */
export interface PollCursor {
	/** Fingerprint of the tenant, the client, the list and the way it is read. */
	fingerprint: string;
	/** Undefined as long as the list has no records. */
	profile?: ListProfile;
	/** The records, as `RememberedRecords` writes them. */
	remembered: string;
	/** Set until the first reading has ended, which is only remembered. */
	isBaseline?: true;
	/**
	 * A first reading of several requests may miss records. Until a later reading is sure to have
	 * them all, those that end by this time count as part of the baseline.
	 */
	baselineAt?: number;
	reading?: Reading;
	/** What the last reading of the whole list showed, unless the number of records has changed. */
	earlier?: EarlierReading;
	/** All changes before it were delivered, except those that appear late. */
	watermarkAt: number;
	/** The next watermark, if another reading has to confirm it; none after a single request. */
	pendingWatermarkAt?: number;
	/** Versions that are certainly older are not delivered, because they are no longer remembered. */
	floorAt: number;
	/** The newest time that two records have, as one may be wrong; and the service's time then. */
	newest?: { stampedAt: number; seenAt: number };
	/** How far the service's clock was ahead of ours at the last poll, if it sends `Date`. */
	clockOffsetMs?: number;
	/** Until then, by our clock, the watermark stays, because the service's was set forward. */
	heldUntilAt?: number;
	/** When the filter last found something, was tried or was not used, by the service's clock. */
	filterVerifiedAt: number;
	/** Notes that were logged, so that they are not logged again at every poll. */
	reportedNotes: string[];
}

/** A reading that goes on in the next poll. */
export interface Reading {
	next: ResumePoint;
	/** Since when changes are requested; none for the whole list. */
	sinceAt?: number;
	/** The service's time when it began. */
	startedAt: number;
	/** The earliest time of a change that waits for the next poll, or `NOTHING_PENDING_AT`. */
	pendingAt: number;
	/** What its records have shown so far. */
	newest?: NewestTimes;
}

/** What is stored of a trigger. */
export type StoredCursor =
	| { kind: 'none' }
	/** Only the watermark can be used. */
	| { kind: 'otherVersion'; cursor: PollCursor }
	| { kind: 'current'; cursor: PollCursor };

const VERSION = 9;

/**
 * The cursor of a trigger that has not read its list yet.
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
		...(startAt === undefined && { isBaseline: true }),
		watermarkAt,
		floorAt: watermarkAt,
		filterVerifiedAt: latestAt,
		reportedNotes: [],
	};
}

type CursorData = PollCursor & { version: typeof VERSION };

export function writeCursor(cursor: PollCursor): CursorData {
	return { version: VERSION, ...cursor };
}

/** The one reader of what is stored; `writeCursor` is its counterpart. */
export function readCursor(stored: unknown): StoredCursor {
	if (!isJsonObject(stored)) return { kind: 'none' };
	// Versions before 9 wrote `place`.
	const watermarkAt = stored.watermarkAt ?? stored.place;
	if (typeof watermarkAt !== 'number') return { kind: 'none' };
	const first = initialCursor('', { latestAt: watermarkAt, earliestAt: watermarkAt }, watermarkAt);
	if (isCursorData(stored)) return { kind: 'current', cursor: stored };
	// Records that an unfinished first reading did not reach predate the baseline, too.
	const isBaseline = stored.isBaseline === true;
	return { kind: 'otherVersion', cursor: { ...first, ...(isBaseline && { isBaseline }) } };
}

/** The types of all fields. A list has that of its elements; `?` follows what may be missing. */
type TypesOf<T> = T extends string
	? 'string'
	: T extends number
		? 'number'
		: T extends boolean
			? 'boolean'
			: T extends ReadonlyArray<infer Element>
				? readonly [TypesOf<Element>]
				: {
						[Name in keyof T & string as undefined extends T[Name] ? `${Name}?` : Name]-?: TypesOf<
							NonNullable<T[Name]>
						>;
					};

const CURSOR_DATA: TypesOf<CursorData> = {
	version: 'number',
	fingerprint: 'string',
	'profile?': {
		fields: {
			...{ id: 'string', updatedAt: 'string', createdAt: 'string' },
			'precision?': { unitMs: 'number', hasZone: 'boolean' },
		},
		...{ 'firstPageNumber?': 'number', reads: 'string', lookbackMs: 'number', without: ['string'] },
		'renewed?': ['string'],
		'differing?': [{ key: 'string', digests: {}, fields: ['string'], times: 'number' }],
	},
	remembered: 'string',
	...{ 'isBaseline?': 'boolean', 'baselineAt?': 'number' },
	'reading?': {
		next: { page: 'number', pageSize: 'number', 'first?': 'number' },
		...{ 'sinceAt?': 'number', startedAt: 'number', pendingAt: 'number' },
		'newest?': [{ key: 'string', time: 'number' }],
	},
	'earlier?': { recordCount: 'number', hasTotal: 'boolean', pageSize: 'number' },
	...{ watermarkAt: 'number', 'pendingWatermarkAt?': 'number', floorAt: 'number' },
	'newest?': { stampedAt: 'number', seenAt: 'number' },
	...{ 'clockOffsetMs?': 'number', 'heldUntilAt?': 'number', filterVerifiedAt: 'number' },
	reportedNotes: ['string'],
};

function isCursorData(stored: JsonObject): stored is JsonObject & CursorData {
	return stored.version === VERSION && hasTypes(stored, CURSOR_DATA);
}

function hasTypes(value: unknown, types: unknown): boolean {
	if (Array.isArray(types))
		return Array.isArray(value) && value.every((one) => hasTypes(one, types[0]));
	if (!isJsonObject(types)) return typeof value === types;
	if (!isJsonObject(value)) return false;
	return Object.entries(types).every(([written, type]) => {
		const [name = '', mayBeMissing] = written.split('?');
		const field = value[name];
		return (field === undefined && mayBeMissing !== undefined) || hasTypes(field, type);
	});
}
