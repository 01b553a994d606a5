import { findUpdatedAtPath, readTime } from '../response/updateTimes';
import { DAY, MAX_EAST_OFFSET_MS, MAX_WEST_OFFSET_MS, MINUTE } from '../values/instant';
import type { JsonObject, Records } from '../values/json';
import { formatCount, formatNumber } from '../values/scalar';
import { redactPath } from '../values/serverText';

/** How far off a time may be: cut to minutes, or, without a zone, a whole day in any zone. */
const ZONED_SPREAD_MS = MINUTE;
const ZONELESS_SPREAD_MS = MAX_EAST_OFFSET_MS + MAX_WEST_OFFSET_MS + DAY;

/** Counts records that were changed before Updated Since, which the service should leave out. */
export class UpdatedSinceCheck {
	private path?: string;

	private recordCount = 0;

	private earlierCount = 0;

	/** @param sinceAt milliseconds since 1970; undefined = no filter */
	constructor(
		private readonly sinceAt: number | undefined,
		private readonly resource: string,
	) {}

	/** Detects the field with the update time, in the first page that shows it. */
	readonly detectField = (page: Records): void => {
		if (this.sinceAt !== undefined) this.path ??= findUpdatedAtPath(page, this.resource);
	};

	readonly add = (record: JsonObject): void => {
		this.recordCount++;
		const { path, sinceAt } = this;
		if (path === undefined || sinceAt === undefined) return;
		const instant = readTime(record, path);
		if (instant === undefined) return;
		const spread = instant.hasZone ? ZONED_SPREAD_MS : ZONELESS_SPREAD_MS;
		if (instant.earliestAt + spread <= sinceAt) this.earlierCount++;
	};

	warnings(plural: string): string[] {
		const { earlierCount, path, recordCount } = this;
		if (earlierCount === 0) return [];
		const field = redactPath(path ?? '');
		const of = `${formatNumber(earlierCount)} of ${formatCount(recordCount, plural, plural)}`;
		return [
			`${of} were changed before Updated Since, by "${field}": the service seems to ignore it, or to round it. Leave them out with a condition on "${field}", or ask your service provider how to filter.`,
		];
	}
}
