import type { AnnouncedLimit } from './announcedLimit';
import { isTooLong } from './retryTimes';

/** When to pause before the service has to refuse. */
export class AnnouncedPauses {
	/** The end of the last pause. */
	private until = -Infinity;

	/** Answers to requests that were sent after it. */
	private answers = Infinity;

	private areBelieved = true;

	answered(startedAt: number): void {
		if (startedAt >= this.until) this.answers++;
	}

	/**
	 * @param underWay requests that were sent after the one whose answer announced the limit
	 * @returns milliseconds; 0 if there is something left for the next request
	 */
	pause({ remaining, resetsIn }: AnnouncedLimit, underWay: number, now: number): number {
		const isUsedUp = remaining <= underWay && resetsIn > 0 && !isTooLong(resetsIn);
		if (!this.areBelieved || !isUsedUp || now < this.until) return 0;
		// If the next request after a pause meets the same limit, the numbers mean something else.
		this.areBelieved = this.answers > 1;
		if (!this.areBelieved) return 0;
		this.answers = 0;
		this.until = now + resetsIn;
		return resetsIn;
	}
}
