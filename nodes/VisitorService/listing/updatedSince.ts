import { DateTime } from 'luxon';

import { ServiceFailure } from '../transport/serviceFailure';

export type UpdatedSinceFormat = 'iso' | 'epochMs' | 'epochS';

/**
 * Reads a point in time as editors, expressions and other nodes give it: ISO 8601, SQL, RFC 2822 and HTTP dates,
 * a Date, luxon's DateTime, epoch seconds or milliseconds.
 *
 * @param zone where a value without a zone is at home, e.g. "Europe/Berlin"
 * @returns milliseconds since 1970, or undefined for an empty value
 * @throws ServiceFailure where the value cannot be read
 */
export function readInstant(value: unknown, zone: string): number | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	const instant = toMilliseconds(value, zone);
	if (instant !== undefined && Math.abs(instant) <= 8.64e15) return instant;
	throw new ServiceFailure(
		'Updated Since is not a point in time that can be read.',
		'Set it to a date like 2026-01-31T08:00:00Z, or to the number of milliseconds since 1970.',
		{ kind: 'configuration' },
	);
}

function toMilliseconds(value: unknown, zone: string): number | undefined {
	if (typeof value === 'number') return fromEpoch(value);
	if (value instanceof Date) return valid(value.getTime());
	if (typeof value === 'object' && value !== null && 'toMillis' in value) {
		const { toMillis } = value;
		// Another copy of luxon than ours may have made it, so that instanceof says nothing.
		const milliseconds: unknown = typeof toMillis === 'function' ? toMillis.call(value) : undefined;
		return typeof milliseconds === 'number' ? valid(milliseconds) : undefined;
	}
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	if (/^-?\d{9,}(\.\d+)?$/.test(text)) return fromEpoch(Number(text));
	const readings = [
		DateTime.fromISO(text, { zone }),
		DateTime.fromSQL(text, { zone }),
		DateTime.fromRFC2822(text, { zone }),
		DateTime.fromHTTP(text, { zone }),
	];
	return readings.find(({ isValid }) => isValid)?.toMillis();
}

/** Seconds until the year 5138, milliseconds beyond. */
function fromEpoch(number: number): number | undefined {
	return valid(Math.abs(number) < 1e11 ? number * 1000 : number);
}

function valid(milliseconds: number): number | undefined {
	return Number.isFinite(milliseconds) ? Math.round(milliseconds) : undefined;
}

/** Writes `updatedSince` as the service expects it; ISO 8601 is always in UTC. */
export function writeUpdatedSince(instant: number, format: UpdatedSinceFormat): string | number {
	if (format === 'epochMs') return instant;
	// Rounded down: a second more would skip what changed within it.
	if (format === 'epochS') return Math.floor(instant / 1000);
	return new Date(instant).toISOString();
}
