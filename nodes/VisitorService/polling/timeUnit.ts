import { FILTER_SLACK } from '../answer/updatedSince';
import { isUnsetTime, readUpdateTime } from '../answer/updateTimes';
import { DAY, HOUR, MINUTE, readInstant, WESTERNMOST } from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';

/** The clocks of any two zones differ by a multiple of it. */
const QUARTER = 15 * MINUTE;

/**
 * The unit that all times at a dot path are cut to, in milliseconds; 0 if that is a minute or less,
 * which a time shows itself. They may be cut in another zone than they are written in: what counts
 * is by how much they differ. A few times may differ so by chance. Then a longer unit is taken for
 * theirs than they have, which costs a little, but hides nothing.
 *
 * @returns undefined if no time shows
 */
export function timeUnitOf(records: readonly JsonObject[], path: string): number | undefined {
	const [first, ...others] = records.flatMap((record) => readUpdateTime(record, path) ?? []);
	if (first === undefined) return undefined;
	const differences = others.map((time) => Math.abs(time - first));
	const divisor = differences.reduce(greatestDivisor, first % QUARTER);
	if (divisor === 0) return DAY;
	if (differences.every(isWholeDays) && differences.some((time) => time > HOUR)) return DAY;
	const unit = greatestDivisor(HOUR, divisor);
	return unit > MINUTE ? unit : 0;
}

/** Give or take the hour by which clocks are set twice a year. */
function isWholeDays(difference: number): boolean {
	const rest = difference % DAY;
	return rest % HOUR === 0 && Math.min(rest, DAY - rest) <= HOUR;
}

function greatestDivisor(one: number, other: number): number {
	return other === 0 ? Math.abs(one) : greatestDivisor(other, one % other);
}

/** Whether the zone of any time at a dot path is left open. */
export function isZoneOpen(records: readonly JsonObject[], path: string): boolean {
	return records.some((record) => {
		const written = readDotPath(record, path);
		return !isUnsetTime(written) && readInstant(written)?.zone === 'none';
	});
}

/**
 * How much earlier than a time the service has to be asked, so that its filter finds all that was
 * changed since: what it compares may be cut as what it shows, and times without a zone are in one
 * it may read ours in as well: the westernmost, in which the UTC it is asked with is that much
 * later.
 *
 * @param unit what its times are cut to
 */
export function filterSlack(unit: number, isOpen: boolean): number {
	return FILTER_SLACK + unit + (isOpen ? WESTERNMOST : 0);
}
