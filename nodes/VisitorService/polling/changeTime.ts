import { readInstant } from '../listing/updatedSince';

/**
 * When a record was changed, as far as the service tells. Milliseconds since 1970; the two differ where a time is
 * written without its zone.
 */
export interface ChangeTime {
	earliest: number;
	latest: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The zones that are farthest from UTC: +14:00 and -12:00. */
const EASTERNMOST = 14 * HOUR;
const WESTERNMOST = 12 * HOUR;

const ISO_WITH_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;
const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;
const NO_ZONE = /^\d{4}-?\d{2}-?\d{2}([T ]\d{2}(:?\d{2}(:?\d{2}([.,]\d+)?)?)?)?$/;

/** A smaller number is a counter and no time: 1973 in seconds, 1970 in milliseconds. */
const SMALLEST_EPOCH = 1e8;

/** @returns undefined where the value is no point in time */
export function readChangeTime(value: unknown): ChangeTime | undefined {
	if (typeof value === 'string') return readText(value.trim());
	if (typeof value !== 'number' || value < SMALLEST_EPOCH) return undefined;
	return exactly(value);
}

function readText(text: string): ChangeTime | undefined {
	// Most services write it so, and a list may hold a million: this is far quicker than what reads all forms.
	if (ISO_WITH_ZONE.test(text)) {
		const time = Date.parse(text);
		return Number.isNaN(time) ? undefined : { earliest: time, latest: time };
	}
	const read = exactly(text);
	if (read === undefined || !NO_ZONE.test(text)) return read;
	return {
		earliest: read.earliest - EASTERNMOST,
		latest: read.latest + WESTERNMOST + (DATE_ONLY.test(text) ? DAY : 0),
	};
}

function exactly(value: unknown): ChangeTime | undefined {
	try {
		const time = readInstant(value, 'utc');
		return time === undefined ? undefined : { earliest: time, latest: time };
	} catch {
		return undefined;
	}
}
