import { FILTER_SLACK } from '../answer/updatedSince';
import { isUnsetTime } from '../answer/updateTimes';
import { DAY, readInstant, WESTERNMOST } from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';
import { isNeverUpdated, type RecordFields } from './fields';
import { timeUnitOf } from './timeUnit';
import type { TriggerOn } from './versions';

/**
 * How much earlier than `since` the service has to be asked, so that its filter finds all that was
 * changed since: the times it compares may be cut as those it shows, and times without a zone are
 * in one it may read ours in as well: the westernmost, in which the UTC it is asked with is that
 * much later.
 *
 * @param triggerOn if updates alone count, who may have been created since has to be met as well
 */
export function slackFor(
	records: readonly JsonObject[],
	fields: RecordFields,
	triggerOn?: TriggerOn,
): number {
	const units: number[] = [];
	const pathOf = (record: JsonObject) =>
		isNeverUpdated(record, fields) ? fields.createdAt : fields.updatedAt;
	for (const path of new Set(records.map(pathOf))) {
		const unit = timeUnitOf(
			records.filter((record) => pathOf(record) === path),
			path,
		);
		if (unit !== undefined) units.push(unit);
	}
	if (triggerOn === 'updated') units.push(timeUnitOf(records, fields.createdAt) ?? 0);
	const hasZone = records.every((record) => {
		const written = readDotPath(record, pathOf(record));
		return isUnsetTime(written) || readInstant(written)?.zone !== 'none';
	});
	const unit = units.length === 0 ? DAY : Math.max(...units);
	return FILTER_SLACK + unit + (hasZone ? 0 : WESTERNMOST);
}
