import { exceedsMaxRetryAfter } from './backoff';
import type { Clock } from './message';
import { RateEstimator } from './rateEstimator';
import type { RateLimitInfo } from './rateLimitHeaders';

/**
 * The window after the first response: this, or half of Concurrency if that is more. Not all of it,
 * because all requests in flight at the first limit are throttled.
 */
const WINDOW_AFTER_FIRST = 9;
/**
 * Successes after which the window grows by one: before any throttling, and after it (times the
 * window). Before any throttling one success is enough after `USUAL_BURST` of them, which is more
 * than limits usually allow at once, or below `MODERATE_RATE` requests a millisecond.
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
/** Max time between two requests, because the first response may be slower than those after it. */
const MAX_PACING_MS = 50;

/** Timers fire this late. The delay must not add up over many requests. */
const TIMER_LATENESS_MS = 3;

/** The right to send one request. Its outcome adapts the rate. */
export interface Permit {
	/** A response was received that does not throttle. */
	reportSuccess(announced?: RateLimitInfo): void;
	/** The service throttled the request. */
	reportThrottled(throttling: Throttling): void;
	/** The request ended, with any outcome. */
	release(): void;
}

export interface Throttling {
	statusCode: number;
	/** Time in which no request may be sent. */
	waitMs: number;
}

interface Waiter {
	resolve: (permit: Permit) => void;
	reject: (error: unknown) => void;
}

/**
 * Limits the requests of one run. Nothing is sent while the service asks for a pause. After a pause
 * one request is sent first, then fewer at a time than before, at the rate the service turned out
 * to allow: otherwise every second would begin with a burst and end with throttled requests. If
 * there is no limit, requests are spread over the time a response takes: responses that arrive
 * together are parsed one after the other, and all requests after them would wait for the last one.
 */
export class AdaptiveRateLimiter {
	/** Pauses since a request was last accepted. */
	consecutivePauses = 0;

	/** First come, first served. */
	private readonly waiting: Waiter[] = [];

	/** When the timer is due that is set for the first in the queue. */
	private wakeAt = Infinity;

	/** The error with which no permit is given any more. */
	private closedBy: unknown;

	private readonly estimator = new RateEstimator();

	/** The requests in flight, in the order they were sent. */
	private readonly inFlight = new Set<symbol>();

	/** How many requests may be in flight, as in congestion control of TCP (RFC 5681 section 3.1). */
	private window = 1;

	private successCount = 0;

	/** Since the window last grew. */
	private successesSinceGrowth = 0;

	private nextStartAt = 0;

	/** Latency of the fastest response. */
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

	/** Rejects all that wait for a permit, and all later ones. */
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
			const interval = Math.max(this.estimator.intervalMsAt(now), this.pacingIntervalMs());
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
		if (outcome === 'unchanged') this.growWindow();
		if (outcome !== 'resumed') return;
		this.window = Math.max(1, this.window >> 1);
		this.nextStartAt = Math.max(
			this.nextStartAt,
			startedAt + this.estimator.intervalMsAt(startedAt),
		);
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

	private pause(waitMs: number, startedAt: number): void {
		const now = this.clock.now();
		// One request is sent at the end of the pause, however low the rate is.
		const until = now + waitMs;
		this.nextStartAt = this.estimator.isThrottled ? Math.max(this.nextStartAt, until) : until;
		this.estimator.onThrottled(startedAt, now);
		this.successesSinceGrowth = 0;
	}

	/**
	 * Pauses before the first throttling, if the announced quota leaves nothing for another request.
	 * Once the service has throttled, the estimated rate counts, because the header may mean
	 * something else.
	 */
	private applyAnnouncedLimit({ remaining, resetInMs }: RateLimitInfo, request: symbol): void {
		if (this.estimator.hasLimit || resetInMs <= 0 || exceedsMaxRetryAfter(resetInMs)) return;
		const inFlight = [...this.inFlight];
		const later = inFlight.length - 1 - inFlight.indexOf(request);
		if (remaining <= later) this.pause(resetInMs, this.clock.now());
	}
}
