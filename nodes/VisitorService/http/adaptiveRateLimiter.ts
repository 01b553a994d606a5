import { exceedsMaxRetryAfter } from './backoff';
import type { Clock } from './message';
import { RateEstimator } from './rateEstimator';
import type { RateLimitInfo } from './rateLimitHeaders';

/**
 * In flight after the first response, at least: else half of what the user allows. All that are in
 * flight at the first limit are throttled.
 */
const WINDOW_AFTER_FIRST = 9;
/**
 * Responses after which one more may be in flight: before any throttling, and for each in flight
 * after it. Before any throttling it is each response once they are more than limits usually allow
 * at once, or as long as there are fewer requests a millisecond than most limits allow.
 */
const SUCCESSES_TO_GROW = 5;
const SUCCESSES_TO_REGROW = 3;
const USUAL_BURST = 20;
const MODERATE_RATE = 0.16;

/**
 * Pacing: share of the interval that spreads the window evenly over one response time. A little
 * less than all of it, because pacing must not be what limits the rate.
 */
const PACING_FACTOR = 0.9;
/** Between two starts: the first response may be slow, and those after it fast. */
const MAX_PACING_MS = 50;

/** Timers fire this late. It must not add up. */
const TIMER_LATENESS_MS = 3;

/** The right to send one request. Its outcome adapts the rate. */
export interface Permit {
	/** A response was received that does not ask for fewer requests. */
	reportSuccess(announced?: RateLimitInfo): void;
	/** The service asks for fewer requests. */
	reportThrottled(slowDown: Throttling): void;
	/** It ended, whatever its outcome. */
	release(): void;
}

export interface Throttling {
	statusCode: number;
	/** Milliseconds in which no request may be sent. */
	waitMs: number;
}

interface Waiter {
	resolve: (permit: Permit) => void;
	reject: (error: unknown) => void;
}

/**
 * Limits the requests of one run. Nothing is sent while the service wants a pause. After a pause a
 * single request goes first, then fewer than before, at the rate the service turned out to allow:
 * otherwise every second would begin with a burst and end with throttled requests. Without a limit
 * they are spread over the time a response takes: responses that arrive together are read one after
 * the other, and all that follow would wait for the last.
 */
export class AdaptiveRateLimiter {
	/** Since a request was last accepted. */
	consecutivePauses = 0;

	/** First come, first served. */
	private readonly waiting: Waiter[] = [];

	/** When the one timer is due, which is set for the first in the queue. */
	private wakeAt = Infinity;

	/** Why no permit is given any more. */
	private closedBy: unknown;

	private readonly estimator = new RateEstimator();

	/** The requests in flight, in the order they were sent. */
	private readonly inFlight = new Set<symbol>();

	/** How many may be in flight, as in the congestion control of TCP (RFC 5681 section 3.1). */
	private window = 1;

	private successCount = 0;

	/** Since the window last grew. */
	private successesSinceGrowth = 0;

	private nextStartAt = 0;

	/** Of the fastest response. */
	private minLatencyMs = Infinity;

	/** @param concurrency max number of requests in flight */
	constructor(
		private readonly concurrency: number,
		private readonly clock: Clock,
	) {}

	/** Resolves when the next request may be sent. */
	async acquire(): Promise<Permit> {
		return await new Promise<Permit>((resolve, reject) => {
			this.waiting.push({ resolve, reject });
			if (this.closedBy === undefined) this.dispatch();
			else this.close(this.closedBy);
		});
	}

	/** From now on no permit is given. */
	close(error: unknown = new Error('No further request may be sent.')): void {
		this.closedBy = error;
		for (const { reject } of this.waiting.splice(0)) reject(error);
	}

	private dispatch(): void {
		while (this.waiting.length > 0 && this.inFlight.size < this.currentWindow()) {
			const now = this.clock.now();
			const dueAt = this.nextStartAt;
			if (dueAt > now) {
				this.dispatchAt(dueAt, now);
				return;
			}
			const interval = Math.max(this.estimator.intervalAt(now), this.pacingIntervalMs());
			this.nextStartAt = (now - dueAt <= TIMER_LATENESS_MS ? dueAt : now) + interval;
			this.estimator.onSent(now);
			if (this.estimator.isThrottled) this.consecutivePauses++;
			this.waiting.shift()?.resolve(this.createPermit(now));
		}
	}

	private currentWindow(): number {
		return this.estimator.isThrottled ? 1 : Math.min(this.window, this.concurrency);
	}

	private dispatchAt(time: number, now: number): void {
		if (this.wakeAt <= time) return;
		this.wakeAt = time;
		this.clock.sleep(time - now).then(
			() => {
				if (this.wakeAt === time) this.wakeAt = Infinity;
				this.dispatch();
			},
			// The execution was cancelled.
			(error: unknown) => {
				this.close(error);
			},
		);
	}

	/** Whole milliseconds, because timers are not finer. */
	private pacingIntervalMs(): number {
		if (this.estimator.hasLimit || this.minLatencyMs === Infinity) return 0;
		return Math.min(
			MAX_PACING_MS,
			Math.floor((PACING_FACTOR * this.minLatencyMs) / this.concurrency),
		);
	}

	private createPermit(startedAt: number): Permit {
		const request = Symbol('request');
		this.inFlight.add(request);
		return {
			reportSuccess: (announced) => {
				this.onSuccess(startedAt);
				if (announced !== undefined) this.applyAnnouncedLimit(announced, request);
			},
			reportThrottled: ({ waitMs }: Throttling) => {
				this.pause(waitMs, startedAt);
			},
			release: () => {
				this.inFlight.delete(request);
				this.dispatch();
			},
		};
	}

	private onSuccess(startedAt: number): void {
		this.minLatencyMs = Math.min(this.minLatencyMs, this.clock.now() - startedAt);
		const outcome = this.estimator.onAccepted(startedAt);
		if (this.estimator.isThrottled) return;
		this.consecutivePauses = 0;
		if (outcome === 'as before') this.growWindow();
		if (outcome !== 'again') return;
		this.window = Math.max(1, this.window >> 1);
		this.nextStartAt = Math.max(this.nextStartAt, startedAt + this.estimator.intervalAt(startedAt));
	}

	private growWindow(): void {
		const { concurrency, estimator, minLatencyMs, window } = this;
		this.successCount++;
		const first = Math.max(WINDOW_AFTER_FIRST, concurrency >> 1);
		if (!estimator.hasLimit && window < first) {
			this.window = first;
			return;
		}
		const isModerate = window < MODERATE_RATE * minLatencyMs;
		const needed = isModerate || this.successCount > USUAL_BURST ? 1 : SUCCESSES_TO_GROW;
		const successes = estimator.hasLimit ? SUCCESSES_TO_REGROW * window : needed;
		if (++this.successesSinceGrowth < successes) return;
		this.window = Math.min(window + 1, concurrency);
		this.successesSinceGrowth = 0;
	}

	private pause(wait: number, startedAt: number): void {
		const now = this.clock.now();
		// A single request goes at its end, however slow the rate is.
		const until = now + wait;
		this.nextStartAt = this.estimator.isThrottled ? Math.max(this.nextStartAt, until) : until;
		this.estimator.onThrottled(startedAt, now);
		this.successesSinceGrowth = 0;
	}

	/**
	 * Pauses before the service throttles for the first time, if nothing is left for a request that
	 * would be sent now. Once it has throttled, its rate counts: the header may mean something else.
	 */
	private applyAnnouncedLimit({ remaining, resetInMs }: RateLimitInfo, request: symbol): void {
		if (this.estimator.hasLimit || resetInMs <= 0 || exceedsMaxRetryAfter(resetInMs)) return;
		const inFlight = [...this.inFlight];
		const later = inFlight.length - 1 - inFlight.indexOf(request);
		if (remaining <= later) this.pause(resetInMs, this.clock.now());
	}
}
