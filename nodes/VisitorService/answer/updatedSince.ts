import { ServiceFailure } from '../failure/serviceFailure';
import { readInstant } from '../values/instant';
import { isUnset } from '../values/parameters';

export type UpdatedSinceFormat = 'iso' | 'epochMs' | 'epochS';

/**
 * Reads a time that a user set, in milliseconds since 1970.
 *
 * @param zone where a value without a zone is at home, e.g. "Europe/Berlin"
 * @throws ServiceFailure that names the parameter
 */
export function readUpdatedSince(value: unknown, label: string, zone: string): number {
	const instant = readInstant(value, zone);
	if (instant !== undefined) return instant.earliest;
	throw new ServiceFailure(
		`${label} is not a point in time that can be read.`,
		`Set ${label} to a date like 2026-01-31T08:00:00Z, or to the number of milliseconds since 1970.`,
		{ kind: 'configuration' },
	);
}

/** Filters may be exclusive and cut times to whole minutes: so many milliseconds cover both. */
export const FILTER_SLACK = 61_000;

/** @returns undefined for an empty value */
export function readTimeIfSet(value: unknown, label: string, zone: string): number | undefined {
	return isUnset(value) ? undefined : readUpdatedSince(value, label, zone);
}

/** Writes `updatedSince` as the service expects it; ISO 8601 is always in UTC. */
export function writeUpdatedSince(instant: number, format: UpdatedSinceFormat): string | number {
	if (format === 'epochMs') return instant;
	// Rounded down: a second more would skip what changed within it.
	if (format === 'epochS') return Math.floor(instant / 1000);
	// Some services do not read a fraction.
	return new Date(instant).toISOString().replace('.000Z', 'Z');
}
