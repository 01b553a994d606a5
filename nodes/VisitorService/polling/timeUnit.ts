import { isUnsetTime } from '../answer/updateTimes';
import { DAY, HOUR, MINUTE, readInstant } from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';

/** At the end of a time that is written as text. */
const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/i;

/**
 * The unit that all times of a list are cut to, in milliseconds; 0 if that is a minute or less, which a time shows itself.
 * A few times may all be at full hours by chance. Then a longer unit is taken for theirs than they have, which costs a
 * little, but hides nothing.
 */
export function timeUnitOf(
	records: readonly JsonObject[],
	{ updatedAt, createdAt }: { updatedAt: string; createdAt: string },
): number {
	const clockTimes = (path: string) =>
		records.flatMap((record) => clockTime(readDotPath(record, path)) ?? []);
	const updates = clockTimes(updatedAt);
	// The first update is written as the creation is.
	const times = updates.length > 0 ? updates : clockTimes(createdAt);
	if (times.length === 0) return 0;
	const divisor = times.reduce(greatestDivisor, DAY);
	if (divisor >= HOUR) return divisor === DAY ? DAY : HOUR;
	return divisor > MINUTE ? divisor : 0;
}

/** What a clock in the zone it is written in showed: of a day that is written with its zone, midnight is that of the zone. */
function clockTime(written: unknown): number | undefined {
	if (isUnsetTime(written)) return undefined;
	const local = typeof written === 'string' ? written.replace(ZONE, '') : written;
	return readInstant(local, 'utc')?.earliest;
}

function greatestDivisor(one: number, other: number): number {
	return other === 0 ? Math.abs(one) : greatestDivisor(other, one % other);
}
