import type { PollCursor } from './cursor';
import { NO_TIMESTAMP } from './rememberedRecords';
import { latestAt, type Precision, spreadMs } from './timePrecision';

/** What is of before the first reading ended, or so old that it counts as that. */
export class Baseline {
	/** Whether a record was met that the first reading missed. */
	hasMissed = false;

	constructor(
		private readonly cursor: PollCursor,
		private readonly precision: Precision | undefined,
	) {}

	/**
	 * Whether the first reading met a state, or missed it although it is dated no later than the
	 * newest change that reading showed.
	 */
	includes(time: number | undefined, isRemembered: boolean): boolean {
		const { baselineAt = -Infinity, isBaseline = false } = this.cursor;
		const isMissed = !isRemembered && this.endOf(time ?? NO_TIMESTAMP) <= baselineAt;
		this.hasMissed ||= isMissed;
		return isBaseline || isMissed;
	}

	/** Whether a version is so old that it would no longer be remembered. */
	hasForgotten(time: number): boolean {
		return this.endOf(time) < this.cursor.floorAt;
	}

	/** The latest moment that a time can mean. */
	endOf(time: number): number {
		return latestAt(time, spreadMs(this.precision));
	}
}
