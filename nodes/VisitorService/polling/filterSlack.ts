import { isUnsetTime } from '../answer/updateTimes';
import { DAY, HOUR, MINUTE, readInstant } from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';
import type { RecordFields } from './fields';

/** Filters may be exclusive and cut times to whole minutes: this much earlier than `since` they all agree. */
export const FILTER_SLACK = 61_000;

/** A service in the westernmost zone that takes the UTC it is asked with for its own time is asked for that much later. */
const WESTERNMOST = 12 * HOUR;

/** So few times may all be at full hours by chance, but hardly at midnight. */
const MAX_BY_CHANCE = 4;

/** At the end of a time that is written as text. */
const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/i;

/**
 * How much earlier than `since` the service has to be asked, so that its filter finds all that was changed since: the
 * times it compares may be cut as those it shows, and times without a zone are in one it may read ours in as well.
 */
export function slackFor(
	records: readonly JsonObject[],
	{ updatedAt, createdAt }: RecordFields,
): number {
	let unit = DAY;
	let times = 0;
	let hasZone = true;
	for (const record of records) {
		const updated = readDotPath(record, updatedAt);
		// The first update is written as the creation is.
		const written = isUnsetTime(updated) ? readDotPath(record, createdAt) : updated;
		if (isUnsetTime(written)) continue;
		const isText = typeof written === 'string';
		// Of a day that is written with its zone, midnight is that of the zone.
		const read = readInstant(isText ? written.replace(ZONE, '') : written, 'utc');
		if (read === undefined) continue;
		times++;
		unit = greatestDivisor(unit, read.earliest);
		if (readInstant(written)?.zone === 'none') hasZone = false;
	}
	const isCut = (unit === DAY && times > 0) || (unit > MINUTE && times > MAX_BY_CHANCE);
	const cut = isCut ? unit : 0;
	return FILTER_SLACK + cut + (hasZone ? 0 : WESTERNMOST);
}

function greatestDivisor(one: number, other: number): number {
	return other === 0 ? Math.abs(one) : greatestDivisor(other, one % other);
}
