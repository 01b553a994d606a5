import type { PollCursor } from './cursor';
import type { ListProfile } from './listProbe';
import { NO_TIMESTAMP } from './rememberedRecords';
import { latestAt, spreadMs } from './timePrecision';

/** What is of before the first reading ended, or so old that it counts as that. */
export class Baseline {
	/** Whether a record was met that the first reading missed. */
	hasMissed = false;

	constructor(
		private readonly cursor: PollCursor,
		private readonly profile: ListProfile,
	) {}

	/**
	 * Whether a state is only remembered: this is the first reading, or that one missed it although
	 * it is dated no later than the newest change it showed. Notes whether any was missed.
	 */
	includes(time = NO_TIMESTAMP, isRemembered = false): boolean {
		const { baselineAt = -Infinity, isBaseline = false } = this.cursor;
		const { precision } = this.profile.fields;
		// That a time may be of a full minute does not make it later than an equal one.
		const isMissed = !isRemembered && time + spreadMs(precision) <= baselineAt;
		// What is too old to be remembered is met in each reading.
		const isUnexpected = isMissed && (this.profile.reads === 'comparison' || !this.isTooOld(time));
		this.hasMissed ||= isUnexpected;
		return isBaseline || isMissed;
	}

	/** Whether a version does not count, because it is older than all that is remembered. */
	isTooOld(time: number): boolean {
		return this.endOf(time) < this.cursor.floorAt;
	}

	/** The latest moment that a time can mean. */
	endOf(time: number): number {
		return latestAt(time, spreadMs(this.profile.fields.precision));
	}
}
