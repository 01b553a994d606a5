import { isUnsetTime } from '../answer/updateTimes';
import { DAY, HOUR, MINUTE, readInstant } from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';

/** At the end of a time that is written as text. */
const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/i;

/** The clocks of any two zones differ by a multiple of it. */
const QUARTER = 15 * MINUTE;

/**
 * The unit that all times of a list are cut to, in milliseconds; 0 if that is a minute or less, which a time shows itself.
 * They may be cut in another zone than they are written in: what counts is by how much they differ. A few times may
 * differ so by chance. Then a longer unit is taken for theirs than they have, which costs a little, but hides nothing.
 */
export function timeUnitOf(
	records: readonly JsonObject[],
	{ updatedAt, createdAt }: { updatedAt: string; createdAt: string },
): number {
	const timesAt = (path: string) =>
		records.map((record) => readDotPath(record, path)).filter((written) => isTime(written));
	const updates = timesAt(updatedAt);
	// The first update is written as the creation is.
	const times = updates.length > 0 ? updates : timesAt(createdAt);
	const [first, ...others] = times.flatMap((written) => startOf(written) ?? []);
	if (first === undefined) return 0;
	const differences = others.map((time) => Math.abs(time - first));
	const divisor = differences.reduce(greatestDivisor, first % QUARTER);
	if (divisor === 0) return times.some(isMidnight) ? DAY : HOUR;
	if (differences.every(isWholeDays) && differences.some((time) => time > HOUR)) return DAY;
	const unit = greatestDivisor(HOUR, divisor);
	return unit > MINUTE ? unit : 0;
}

function isTime(written: unknown): boolean {
	return !isUnsetTime(written) && startOf(written) !== undefined;
}

function startOf(written: unknown): number | undefined {
	return readInstant(written, 'utc')?.earliest;
}

/** In UTC, or in the zone it is written in. */
function isMidnight(written: unknown): boolean {
	const local = typeof written === 'string' ? written.replace(ZONE, '') : written;
	return [written, local].some((time) => (startOf(time) ?? NaN) % DAY === 0);
}

/** Give or take the hour by which clocks are set twice a year. */
function isWholeDays(difference: number): boolean {
	const rest = difference % DAY;
	return rest % HOUR === 0 && Math.min(rest, DAY - rest) <= HOUR;
}

function greatestDivisor(one: number, other: number): number {
	return other === 0 ? Math.abs(one) : greatestDivisor(other, one % other);
}
