import { isRecord } from '../json/isRecord';
import { readChangeTime } from './changeTime';
import type { Left } from './oldestVersions';
import type { ClockMemory } from './serviceTime';
import type { UserFields } from './userFields';
import type { Position } from './userVersion';

/** What is known of a list of several pages, which has to be read again before the cursor moves. */
export interface Look {
	/** What the cursor may move to after each of the last readings, unless news of before come to light. */
	lines: Position[];
	/** Of all versions the last reading met, where it showed no movement. */
	digest?: string;
}

/** A list that could not be read to its end in one poll. */
export interface OpenReading {
	page: number;
	pageSize: number;
	/** What the cursor may move to, once the list was read. */
	line: number;
	/** The oldest of the versions that are still to come out. */
	left?: Left;
	/** The oldest version that came to light. */
	news?: Position;
	/** Versions of before this time are only remembered. */
	quietUntil?: number;
}

/**
 * The place of one trigger in the changes of a tenant, as it is stored between polls. `since` has the same meaning
 * in every shape there ever was and will be: every version before it has come out.
 */
export interface PollCursor {
	version: 1;
	since: Position;
	/** When the first of the versions that wait may have been changed, where that is before `since`. */
	from?: number;
	/** What came out of the versions from `since` on; text of `SeenVersions`. */
	seen: string;
	/** Tells tenants, clients and ways to read a list apart. */
	service: string;
	/** Undefined as long as the tenant has no users. */
	fields?: UserFields;
	/** Whether the service pays attention to `updatedSince`. */
	filter?: 'honoured' | 'ignored';
	clock?: ClockMemory;
	look?: Look;
	reading?: OpenReading;
}

/**
 * Reads a stored cursor. One of another shape keeps its place as long as it has a `since`, an older one as text or
 * number among them; what else is not understood is forgotten, so that versions come out again at worst.
 *
 * @returns undefined where there is none
 */
export function readCursor(stored: unknown): PollCursor | undefined {
	if (!isRecord(stored)) return undefined;
	const since = readPosition(stored.since) ?? readTime(stored.since);
	if (since === undefined) return undefined;
	const cursor: PollCursor = { version: 1, since, seen: '', service: '' };
	if (stored.version !== 1) return cursor;
	return {
		...cursor,
		seen: typeof stored.seen === 'string' ? stored.seen : '',
		service: typeof stored.service === 'string' ? stored.service : '',
		...readParts(stored),
	};
}

function readParts(stored: Record<string, unknown>): Partial<PollCursor> {
	const { filter, from } = stored;
	const fields = readFields(stored.fields);
	const clock = readClock(stored.clock);
	const look = readLook(stored.look);
	const reading = readReading(stored.reading);
	return {
		...(isNumber(from) && { from }),
		...(fields && { fields }),
		...((filter === 'honoured' || filter === 'ignored') && { filter }),
		...(clock && { clock }),
		...(look && { look }),
		...(reading && { reading }),
	};
}

function readTime(value: unknown): Position | undefined {
	const time = readChangeTime(value)?.earliest;
	return time === undefined ? undefined : { time, key: '' };
}

function readPosition(value: unknown): Position | undefined {
	if (!isRecord(value) || !isNumber(value.time) || typeof value.key !== 'string') return undefined;
	return { time: value.time, key: value.key };
}

function readLeft(value: unknown): Left | undefined {
	const position = readPosition(value);
	if (position === undefined || !isRecord(value)) return undefined;
	return { ...position, earliest: isNumber(value.earliest) ? value.earliest : position.time };
}

function readFields(value: unknown): UserFields | undefined {
	if (!isRecord(value) || typeof value.id !== 'string' || typeof value.updatedAt !== 'string')
		return undefined;
	return { id: value.id, updatedAt: value.updatedAt };
}

function readClock(value: unknown): ClockMemory | undefined {
	if (!isRecord(value)) return undefined;
	const { difference, at, date, lead } = value;
	if (!isNumber(difference) || !isNumber(at) || !isNumber(date)) return undefined;
	return { difference, at, date, ...(isNumber(lead) && { lead }) };
}

function readLook(value: unknown): Look | undefined {
	if (!isRecord(value) || !Array.isArray(value.lines)) return undefined;
	const { digest } = value;
	const lines = value.lines.map(readPosition).filter((line) => line !== undefined);
	return { lines, ...(typeof digest === 'string' && { digest }) };
}

function readReading(value: unknown): OpenReading | undefined {
	if (!isRecord(value)) return undefined;
	const { page, pageSize, line, quietUntil } = value;
	if (!isNumber(page) || !isNumber(pageSize) || !isNumber(line)) return undefined;
	const left = readLeft(value.left);
	const news = readPosition(value.news);
	return {
		page,
		pageSize,
		line,
		...(left && { left }),
		...(news && { news }),
		...(isNumber(quietUntil) && { quietUntil }),
	};
}

function isNumber(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value);
}
