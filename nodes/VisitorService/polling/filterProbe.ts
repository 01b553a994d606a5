import { configurationFailure } from '../failure/serviceFailure';
import { isLaterThanClocks } from '../response/updateTimes';
import { DAY, HOUR } from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';
import { filterLookbackMs, missingFieldFailure, type RecordFields, readLastChange } from './fields';
import { mayRejectTime, type PolledList } from './polledList';

/** Max pages of a sample, and max attempts to find the newest record. */
export const MAX_PROBE_PAGES = 10;

/** By how much the times that the filter compares may be earlier than those that are shown. */
const FILTER_LAGS_MS = [0, HOUR, DAY];

/** How to find changes of a list that accepts `updatedSince`. */
interface FilterUse {
	/**
	 * `changes`: with the filter; `all`: by the times of all records, because it is not sure that the
	 * filter finds all.
	 */
	reads: 'changes' | 'all';
	/** How much earlier than a time to request changes, so that all since that time are found. */
	lookbackMs: number;
	/** What the user should know. */
	notes: string[];
}

const FAR_TOO_SHORT_NOTE =
	'The service rejects each "updatedSince", even that of a day ago, so each poll reads the whole list. Choose another Updated Since Format in the options, or ask your service provider how far back "updatedSince" may lie.';

const LEFT_OUT_NOTE =
	'The service leaves users that were never updated out of what it finds by "updatedSince", or was too slow to show that it does not, so each poll reads the whole list. Ask your service provider to give them an update time, or lower Page Size.';

/** Finds out how a service reads `updatedSince`. */
export class FilterProbe {
	private rejectsADayAgo = false;

	/** @throws ServiceFailure that names the option, if the records have no update time */
	constructor(
		private readonly list: PolledList,
		private readonly fields: RecordFields,
		private readonly sample: { pageSize: number; records: readonly JsonObject[] },
	) {
		if (fields.updatedAt === '')
			throw missingFieldFailure('updatedAt', '', sample.records, list.source.names);
	}

	/**
	 * Whether the filter finds every change, or the whole list has to be read. A service that reads
	 * `updatedSince` in another format or zone may take it for a later time and never find a change.
	 * A filter like `updated_at >= ?` leaves out records without update time, so that new records
	 * would never be returned.
	 *
	 * @throws ServiceFailure that names the option, if the filter is misread
	 */
	async run(): Promise<FilterUse> {
		const lagMs = await this.findLag(true, FILTER_LAGS_MS);
		if (lagMs === undefined)
			throw configurationFailure(
				'The service seems to expect another date format: no changes were returned for a period that has some.',
				'Choose another Updated Since Format in the options. The operation Diagnose finds out which one the service reads.',
			);
		const showsUpdates = this.newestUpdateOf(this.sample.records) !== -Infinity;
		const lagOfNewMs = this.rejectsADayAgo
			? 0
			: await this.findLag(false, showsUpdates ? [lagMs] : FILTER_LAGS_MS);
		const lookbackMs = filterLookbackMs(this.fields) + Math.max(lagMs, lagOfNewMs ?? 0);
		if (this.rejectsADayAgo) return { reads: 'all', lookbackMs, notes: [FAR_TOO_SHORT_NOTE] };
		if (lagOfNewMs === undefined) return { reads: 'all', lookbackMs, notes: [LEFT_OUT_NOTE] };
		return { reads: 'changes', lookbackMs, notes: [] };
	}

	/** The newest update time of some records; -Infinity without one. */
	newestUpdateOf(records: readonly JsonObject[]): number {
		return latestOf(this.timesOf(records, true));
	}

	/**
	 * By how much the filter is behind. It shows with the time of the newest record that was read, by
	 * that record or an older one: later ones alone do not show it.
	 *
	 * @param wereUpdated whether by the records that were updated, or by those that never were
	 * @param lags to try
	 * @returns undefined if the filter does not find that record
	 */
	private async findLag(
		wereUpdated: boolean,
		lags: readonly number[],
	): Promise<number | undefined> {
		const { fields, list, sample } = this;
		const newestOf = (records: readonly JsonObject[]) =>
			latestOf(this.timesOf(records, wereUpdated));
		let shown = newestOf(sample.records);
		if (shown === -Infinity && !wereUpdated && fields.createdAt !== '') {
			shown = newestOf(await list.fetchSample(MAX_PROBE_PAGES, sample.pageSize));
			// Time ran out before such a record was found, so the filter may leave them out.
			if (shown === -Infinity && list.ranOutOfTime) return undefined;
		}
		let newest = shown;
		for (let probes = 0; probes < MAX_PROBE_PAGES && newest !== -Infinity; probes++) {
			const found = await this.findSince(newest, wereUpdated, lags);
			if (found === undefined) return 0;
			const { lagMs, times } = found;
			// If times are ahead of the service's clock, it was asked from that much earlier.
			const earlierMs = Math.max(0, newest - lagMs - list.clock.latestAt);
			if (times.some((time) => time <= newest)) return lagMs + earlierMs;
			// The first page of a long list may hold none of the newest records.
			newest = latestOf(times);
			if (times.length > 0) continue;
			if (!wereUpdated) return undefined;
			// The newest record may have left that page.
			newest = newestOf(await list.fetchSample(1, sample.pageSize));
			if (newest >= shown) return undefined;
			shown = newest;
		}
		return 0;
	}

	/**
	 * The times since the newest one; requested from an earlier time if there are none.
	 *
	 * @returns undefined if the service rejects it, because it is too long ago
	 */
	private async findSince(
		newestAt: number,
		wereUpdated: boolean,
		lags: readonly number[],
	): Promise<{ lagMs: number; times: number[] } | undefined> {
		for (const lagMs of lags) {
			// Users that were just created may fill the first page.
			for (const pages of wereUpdated ? [1, MAX_PROBE_PAGES] : [MAX_PROBE_PAGES]) {
				const records = await this.fetchSince(pages, newestAt - lagMs);
				if (records === undefined) return undefined;
				const times = this.timesOf(records, wereUpdated);
				if (times.length > 0) return { lagMs, times };
				if (records.length === 0) break;
			}
		}
		return { lagMs: 0, times: [] };
	}

	/** If the service rejects the time, also finds out whether it rejects a day ago. */
	private async fetchSince(pages: number, timeAt: number): Promise<JsonObject[] | undefined> {
		const { fields, list, sample } = this;
		// If the filter compares times as they were before the cut, those are later.
		const precision = fields.precision && { ...fields.precision, unitMs: 0 };
		// Update times may be ahead of the service's clock, and it may reject times in the future.
		const latestAt = Math.min(timeAt, list.clock.latestAt);
		const sinceAt = latestAt - filterLookbackMs({ ...fields, precision });
		const fetch = async (count: number, at: number) =>
			await list.fetchSample(count, sample.pageSize, Math.max(0, at)).catch((error: unknown) => {
				if (!mayRejectTime(error)) throw error;
				return undefined;
			});
		const records = await fetch(pages, sinceAt);
		if (records === undefined) this.rejectsADayAgo = !(await fetch(1, list.clock.latestAt - DAY));
		return records;
	}

	private timesOf(records: readonly JsonObject[], wereUpdated: boolean): number[] {
		return records
			.filter((record) => !this.isAlwaysFound(record))
			.map((record) => readLastChange(record, this.fields))
			.filter(({ isNeverUpdated }) => isNeverUpdated !== wereUpdated)
			.flatMap(({ changedAt }) => changedAt ?? [])
			.filter((time) => time < this.list.latestPlausibleAt);
	}

	/** Whether each filter finds a record, so that it shows nothing of others. */
	private isAlwaysFound(record: JsonObject): boolean {
		return isLaterThanClocks(readDotPath(record, this.fields.updatedAt));
	}
}

/** Not Math.max, because a list may hold more users than a function takes arguments. */
function latestOf(times: readonly number[]): number {
	return times.reduce((one, other) => Math.max(one, other), -Infinity);
}
