import type { Clock } from './httpMessage';
import { RateEstimate } from './rateEstimate';
import type { Admission, RequestPace, SlowDown } from './sendRequest';
import { ServiceFailure } from './serviceFailure';

/** In flight after the first answer; from there on one more with each answer. */
const SECOND_WINDOW = 5;
/** Of the time between two starts that would fill the window evenly; a little less, so as not to be what limits it. */
const SPREAD = 0.9;
/** Milliseconds between two starts at most: the first answer may be slow, and those after it fast. */
const FARTHEST_APART = 50;

interface Waiting {
	start: (admission: Admission) => void;
	fail: (error: unknown) => void;
}

/**
 * How fast the requests of one listing go: in flight at most `concurrency`, started slowly, halved when the
 * service says "slow down" and grown again with each answer. A wait the service asks for holds for all of them.
 * Where it limits the rate of requests, they are spread in time: otherwise every second would begin with a burst
 * and end in refused requests. Where it does not, they are spread over the time an answer takes: answers that come
 * together are read one after the other, and all that follow would wait for the last.
 */
export class AdaptivePace implements RequestPace {
	private readonly waiting: Waiting[] = [];

	/** Most requests in flight now. */
	private window = 1;

	private inFlight = 0;

	private slowedDownAt = -Infinity;

	private pausedUntil = 0;

	private nextStart = 0;

	/** Milliseconds the fastest answer took. */
	private latency = Infinity;

	/** When the one timer that is set runs out. */
	private wakesUpAt = Infinity;

	private closed = false;

	private readonly rate = new RateEstimate();

	constructor(
		private readonly concurrency: number,
		private readonly clock: Clock,
	) {}

	async admit(): Promise<Admission> {
		return await new Promise<Admission>((start, fail) => {
			if (this.closed) {
				fail(listingIsOver());
				return;
			}
			this.waiting.push({ start, fail });
			this.startDue();
		});
	}

	close(): void {
		this.failAll(listingIsOver());
	}

	/** Starts those who wait, first come first served, or sets the timer for the first of them. */
	private startDue(): void {
		while (this.inFlight < this.window && this.waiting.length > 0) {
			const now = this.clock.now();
			const due = Math.max(this.pausedUntil, this.nextStart);
			if (due > now) {
				this.wakeUpAt(due, now);
				return;
			}
			this.nextStart = now + Math.max(this.rate.intervalAt(now), this.evenInterval());
			this.inFlight++;
			this.rate.started(now);
			this.waiting.shift()?.start(this.admission(now));
		}
	}

	/** Whole milliseconds, for timers are no finer. */
	private evenInterval(): number {
		if (this.slowedDownAt > -Infinity || this.latency === Infinity) return 0;
		return Math.min(FARTHEST_APART, Math.floor((SPREAD * this.latency) / this.concurrency));
	}

	private admission(startedAt: number): Admission {
		return {
			accepted: () => {
				const now = this.clock.now();
				this.latency = Math.min(this.latency, now - startedAt);
				this.rate.letThrough(startedAt, now);
				const next = this.window < SECOND_WINDOW ? SECOND_WINDOW : this.window + 1;
				this.window = Math.min(this.concurrency, next);
			},
			limited: (slowDown) => {
				this.slowDown(slowDown, startedAt);
			},
			released: () => {
				this.inFlight--;
				this.startDue();
			},
		};
	}

	private slowDown({ statusCode, wait, isNamed }: SlowDown, startedAt: number): void {
		const now = this.clock.now();
		this.pausedUntil = Math.max(this.pausedUntil, now + wait);
		// Those that were under way together are refused together: one refusal, not many.
		if (startedAt > this.slowedDownAt) {
			this.slowedDownAt = now;
			this.window = Math.max(1, Math.floor(this.window / 2));
		}
		// 503 is an overload that passes; only 429 speaks of a rate (RFC 6585 §4).
		if (statusCode !== 429) return;
		const isWhole = isNamed && wait % 1000 === 0;
		const isNew = this.rate.refused(startedAt, now, this.pausedUntil, isWhole);
		if (isNew) this.nextStart = this.pausedUntil;
	}

	private wakeUpAt(time: number, now: number): void {
		if (this.wakesUpAt <= time) return;
		this.wakesUpAt = time;
		this.clock.sleep(time - now).then(
			() => {
				if (this.wakesUpAt === time) this.wakesUpAt = Infinity;
				this.startDue();
			},
			// The execution was cancelled.
			(error: unknown) => {
				this.failAll(error);
			},
		);
	}

	private failAll(error: unknown): void {
		this.closed = true;
		for (const { fail } of this.waiting.splice(0)) fail(error);
	}
}

function listingIsOver(): ServiceFailure {
	return new ServiceFailure('The listing is over.', 'Run the workflow again.', {
		kind: 'cancelled',
	});
}
