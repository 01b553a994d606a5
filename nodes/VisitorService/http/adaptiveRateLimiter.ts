import { exceedsMaxRetryAfter } from './backoff';
import type { Clock } from './message';
import { RateEstimator } from './rateEstimator';
import type { RateLimitInfo } from './rateLimitHeaders';
import { WaitQueue } from './waitQueue';

/**
 * In flight after the first answer. All that are in flight when a limit is first met are refused.
 */
const WINDOW_AFTER_FIRST = 9;
/**
 * Answers after which one more may be in flight: before any refusal, and for each in flight after
 * one.
 */
const SUCCESSES_TO_GROW = 5;
const SUCCESSES_TO_REGROW = 3;

/**
 * Of the time between two starts that would fill the room evenly; a little less, because the pace
 * must not be what limits it.
 */
const PACING_FACTOR = 0.9;
/**
 * Milliseconds between two starts at most: the first answer may be slow, and those after it fast.
 */
const MAX_PACING_MS = 50;

/** Milliseconds by which timers ring late. They must not add up. */
const TIMER_LATENESS_MS = 3;

/** One admitted request, whose outcome the pace learns from. */
export interface Permit {
	/** It was answered, and not by "slow down". */
	reportSuccess(announced?: RateLimitInfo): void;
	/** The service asks for fewer requests. */
	reportThrottled(slowDown: Throttling): void;
	/** It ended, whatever its outcome. */
	release(): void;
}

export interface Throttling {
	statusCode: number;
	/** Milliseconds in which nothing is admitted. */
	waitMs: number;
}

/**
 * How fast the requests of one run go. Nothing is sent while the service wants a pause. After
 * one, a single request goes first, then fewer than before, at the rate the service turned out to
 * allow: otherwise every second would begin with a burst and end in refused requests. Without a
 * limit they are spread over the time an answer takes: answers that come together are read one
 * after the other, and all that follow would wait for the last.
 */
export class AdaptiveRateLimiter {
	/** Since a request was last let through. */
	consecutivePauses = 0;

	private readonly queue: WaitQueue<Permit>;

	private readonly estimator = new RateEstimator();

	/** The requests in flight, in their order. */
	private readonly inFlight = new Set<symbol>();

	/** How many may be in flight, as in the congestion control of TCP (RFC 5681 section 3.1). */
	private window = 1;

	/** Since the room last grew. */
	private successesSinceGrowth = 0;

	private nextStartAt = 0;

	/** Milliseconds the fastest answer took. */
	private minLatencyMs = Infinity;

	/** @param concurrency max number of requests in flight */
	constructor(
		private readonly concurrency: number,
		private readonly clock: Clock,
	) {
		this.queue = new WaitQueue(clock, () => this.dispatch());
	}

	/** Resolves when the next request may be sent. */
	async acquire(): Promise<Permit> {
		return await this.queue.enqueue();
	}

	/** From now on nothing is admitted. */
	close(error = new Error('No further request may be sent.')): void {
		this.queue.close(error);
	}

	private dispatch(): void {
		while (
			!this.queue.isEmpty &&
			this.inFlight.size <
				(this.estimator.isThrottled ? 1 : Math.min(this.window, this.concurrency))
		) {
			const now = this.clock.now();
			const due = this.nextStartAt;
			if (due > now) {
				this.queue.dispatchAt(due);
				return;
			}
			const interval = Math.max(this.estimator.intervalAt(now), this.pacingIntervalMs());
			this.nextStartAt = (now - due <= TIMER_LATENESS_MS ? due : now) + interval;
			this.estimator.onSent(now);
			if (this.estimator.isThrottled) this.consecutivePauses++;
			this.queue.startFirst(this.admission(now));
		}
	}

	/** Whole milliseconds, because timers are not finer. */
	private pacingIntervalMs(): number {
		if (this.estimator.hasMetLimit || this.minLatencyMs === Infinity) return 0;
		return Math.min(
			MAX_PACING_MS,
			Math.floor((PACING_FACTOR * this.minLatencyMs) / this.concurrency),
		);
	}

	private admission(startedAt: number): Permit {
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
		const came = this.estimator.onAccepted(startedAt);
		if (this.estimator.isThrottled) return;
		this.consecutivePauses = 0;
		if (came === 'as before') this.growWindow();
		if (came !== 'again') return;
		this.window = Math.max(1, this.window >> 1);
		this.nextStartAt = Math.max(this.nextStartAt, startedAt + this.estimator.intervalAt(startedAt));
	}

	private growWindow(): void {
		if (!this.estimator.hasMetLimit && this.window < WINDOW_AFTER_FIRST) {
			this.window = WINDOW_AFTER_FIRST;
			return;
		}
		const needed = this.estimator.hasMetLimit
			? SUCCESSES_TO_REGROW * this.window
			: SUCCESSES_TO_GROW;
		if (++this.successesSinceGrowth < needed) return;
		this.window = Math.min(this.window + 1, this.concurrency);
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
	 * Pauses before the service first has to refuse, if nothing is left for a request that would be
	 * sent now. Once a limit was met its rate is kept: what is announced may mean something else.
	 */
	private applyAnnouncedLimit({ remaining, resetInMs }: RateLimitInfo, request: symbol): void {
		if (this.estimator.hasMetLimit || resetInMs <= 0 || exceedsMaxRetryAfter(resetInMs)) return;
		const inFlight = [...this.inFlight];
		const later = inFlight.length - 1 - inFlight.indexOf(request);
		if (remaining <= later) this.pause(resetInMs, this.clock.now());
	}
}
