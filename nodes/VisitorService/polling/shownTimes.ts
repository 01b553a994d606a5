import { findUpdatedAtField } from '../response/updateTimes';
import type { JsonObject } from '../values/json';
import { redactPath } from '../values/serverText';
import {
	hasTimeValue,
	missingFieldFailure,
	type RecordFields,
	type RecordNames,
	readUpdatedAt,
} from './fields';
import { MAX_ZONE_SPREAD_MS } from './timePrecision';

/** The newest times of two records, mistakes apart, because one may be wrong. */
export type NewestTimes = ReadonlyArray<{ key: string; time: number }>;

/** What the times of the records of one poll show. */
export class ShownTimes {
	/** Whether any record has an update time, even an unset one; and a record that has none. */
	private hasUpdateTime = false;

	private recordWithoutUpdateTime?: JsonObject;

	/** Whether any record of this poll showed a time. */
	hasAny = false;

	/** Whether a record was left out because it has no time. */
	hasRecordWithoutTime = false;

	/** The oldest time that was received and is too old to count; Infinity if none. */
	private oldestTooOldAt = Infinity;

	/** @param newest those that earlier polls of the same reading showed */
	constructor(
		private readonly fields: RecordFields,
		private readonly names: RecordNames,
		public newest: NewestTimes = [],
	) {}

	/** The newest time that two records reached. */
	get newestAt(): number {
		return this.newest[1]?.time ?? -Infinity;
	}

	noteUpdateTime(record: JsonObject): void {
		if (this.hasUpdateTime) return;
		this.hasUpdateTime = hasTimeValue(record, this.fields.updatedAt);
		this.recordWithoutUpdateTime ??= record;
	}

	/** @param time when the record of this key was changed last */
	note(key: string, time: number): void {
		this.hasAny = true;
		if (time <= this.newestAt) return;
		const own = this.newest.find((one) => one.key === key)?.time ?? time;
		const others = this.newest.filter((one) => one.key !== key);
		this.newest = [...others, { key, time: Math.max(time, own) }]
			.sort((one, other) => other.time - one.time)
			.slice(0, 2);
	}

	noteTooOld(time: number): void {
		this.oldestTooOldAt = Math.min(this.oldestTooOldAt, time);
	}

	/**
	 * What the user should know.
	 *
	 * @param isCreated whether only creations count
	 * @param sinceAt since when changes were requested; none if the whole list was read
	 * @throws ServiceFailure if the update time has another name by now, or is gone
	 */
	warnings(isCreated: boolean, sinceAt: number | undefined): string[] {
		const { fields, names, recordWithoutUpdateTime } = this;
		const { createdAt, updatedAt } = fields;
		const { name, plural } = names;
		if (updatedAt === '') return [];
		const isMissing = !isCreated && recordWithoutUpdateTime !== undefined && !this.hasUpdateTime;
		if (
			isMissing &&
			(!readUpdatedAt(recordWithoutUpdateTime, fields) ||
				findUpdatedAtField([recordWithoutUpdateTime], name))
		)
			throw missingFieldFailure('updatedAt', updatedAt, [recordWithoutUpdateTime], names);
		const isUnfiltered =
			sinceAt === undefined || this.oldestTooOldAt < sinceAt - MAX_ZONE_SPREAD_MS;
		const [path, option] = isCreated ? [createdAt, 'Created'] : [updatedAt, 'Updated'];
		const gone = `Some ${plural} show no time at "${redactPath(path)}", so changes may be missed. Ask your service provider why, or set ${option} At Path to another time.`;
		const older = `The service ignores "updatedSince", or finds users by another time than "${redactPath(updatedAt)}": it also sends users that were changed earlier, which do not start the workflow. Ask your service provider, or set Updated Since Format or Updated At Path.`;
		const notes = this.hasRecordWithoutTime || (isMissing && isUnfiltered) ? [gone] : [];
		// Older creations are found by later updates.
		if (sinceAt !== undefined && isUnfiltered && !isCreated) notes.push(older);
		return notes;
	}
}
