import { ServiceFailure } from '../failure/serviceFailure';
import type { AnnouncedLimit } from './announcedLimit';
import type { Clock } from './message';
import { RateEstimate } from './rateEstimate';
import { isTooLong } from './retryTimes';
import type { Admission, RequestPace, SlowDown } from './sendRequest';

/** In flight after the first answer. All that are in flight when a limit is met are refused. */
const SECOND_WINDOW = 9;
/** Answers after which one more may be in flight: before any refusal, and for each in flight after one. */
const ANSWERS_TO_GROW = 5;
const ANSWERS_TO_GROW_BACK = 4;
/** Of the time between two starts that would fill the window evenly; a little less, so as not to be what limits it. */
const SPREAD = 0.9;
/** Milliseconds between two starts at most: the first answer may be slow, and those after it fast. */
const MAX_APART = 50;

/** Milliseconds by which timers ring late. They must not add up. */
const LATE_TIMER = 3;

interface Waiting {
	start: (admission: Admission) => void;
	fail: (error: unknown) => void;
}

/**
 * How fast the requests of one listing go. Nothing is sent while the service wants a pause. After one, a single
 * request goes first, then fewer than before, at the rate the service turned out to allow: otherwise every second
 * would begin with a burst and end in refused requests. Without a limit they are spread over the time an answer
 * takes: answers that come together are read one after the other, and all that follow would wait for the last.
 */
export class AdaptivePace implements RequestPace {
	pausesInVain = 0;

	private readonly waiting: Waiting[] = [];

	/** Max number of requests in flight now; and before the last refusal. */
	private window = 1;

	private windowBefore = 1;

	private answersSinceGrowth = 0;

	/** Starts of the requests in flight. */
	private readonly inFlight = new Set<{ startedAt: number }>();

	/** Whether the service has let nothing through since it refused a request. */
	private isRefused = false;

	private refusedAt = -Infinity;

	private pausedUntil = 0;

	private nextStart = 0;

	/** The end of the last pause that the service named. */
	private namedUntil = 0;

	/** Milliseconds the fastest answer took. */
	private latency = Infinity;

	/** When the one timer that is set runs out. */
	private wakesUpAt = Infinity;

	private closed = false;

	private readonly rate = new RateEstimate();

	/** The start of the latest request whose answer announced a limit, and what was let through since one was met. */
	private announcedAt = -Infinity;

	private sinceAnnounced = Infinity;

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
		while (this.inFlight.size < Math.min(this.window, this.concurrency)) {
			const next = this.waiting[0];
			if (next === undefined) return;
			const now = this.clock.now();
			const due = Math.max(this.pausedUntil, this.nextStart);
			if (due > now) {
				this.wakeUpAt(due, now);
				return;
			}
			const interval = Math.max(this.rate.intervalAt(now), this.evenInterval());
			this.nextStart = (now - due <= LATE_TIMER ? due : now) + interval;
			this.rate.started(now);
			if (this.isRefused) this.pausesInVain++;
			this.waiting.shift();
			next.start(this.admission(now));
		}
	}

	/** Whole milliseconds, because timers are not finer. */
	private evenInterval(): number {
		if (this.refusedAt > -Infinity || this.latency === Infinity) return 0;
		return Math.min(MAX_APART, Math.floor((SPREAD * this.latency) / this.concurrency));
	}

	private admission(startedAt: number): Admission {
		const request = { startedAt };
		this.inFlight.add(request);
		return {
			accepted: (announced) => {
				this.accept(startedAt);
				if (announced !== undefined) this.keepTo(announced, request);
			},
			limited: (slowDown) => {
				this.slowDown(slowDown, startedAt);
			},
			released: () => {
				this.inFlight.delete(request);
				this.startDue();
			},
		};
	}

	private accept(startedAt: number): void {
		this.latency = Math.min(this.latency, this.clock.now() - startedAt);
		this.sinceAnnounced++;
		const wasAccident = this.rate.letThrough(startedAt);
		if (wasAccident) {
			this.refusedAt = -Infinity;
			this.pausedUntil = this.namedUntil;
			this.nextStart = this.namedUntil;
		}
		if (wasAccident || (this.isRefused && startedAt > this.refusedAt)) {
			this.isRefused = false;
			this.pausesInVain = 0;
			this.answersSinceGrowth = 0;
			this.window = wasAccident
				? this.windowBefore
				: Math.max(1, Math.floor(this.windowBefore / 2));
		} else if (!this.isRefused) {
			this.grow();
		}
	}

	private grow(): void {
		if (this.window < SECOND_WINDOW && this.refusedAt === -Infinity) {
			this.window = SECOND_WINDOW;
			return;
		}
		const answers =
			this.refusedAt === -Infinity ? ANSWERS_TO_GROW : ANSWERS_TO_GROW_BACK * this.window;
		if (++this.answersSinceGrowth < answers) return;
		this.answersSinceGrowth = 0;
		this.window = Math.min(this.concurrency, this.window + 1);
	}

	private slowDown({ wait, isNamed }: SlowDown, startedAt: number): void {
		const now = this.clock.now();
		this.pausedUntil = Math.max(this.pausedUntil, now + wait);
		this.nextStart = this.pausedUntil;
		if (isNamed) this.namedUntil = this.pausedUntil;
		// Those that were under way together are refused together: one refusal, not many.
		if (startedAt > this.refusedAt) {
			if (!this.isRefused) this.windowBefore = Math.min(this.window, this.concurrency);
			this.refusedAt = now;
			this.isRefused = true;
			this.window = 1;
		}
		this.rate.refused(startedAt, now, { wait, isNamed });
	}

	/** Pauses before the service has to refuse, if nothing is left for a request that would be sent now. */
	private keepTo({ remaining, resetsIn }: AnnouncedLimit, request: { startedAt: number }): void {
		const { startedAt } = request;
		const now = this.clock.now();
		if (this.rate.isSure || startedAt < this.announcedAt || now < this.pausedUntil) return;
		this.announcedAt = startedAt;
		const inFlight = [...this.inFlight];
		const later = inFlight.length - 1 - inFlight.indexOf(request);
		if (remaining > later || resetsIn <= 0 || isTooLong(resetsIn)) return;
		// If the next request after a pause meets the same limit, the numbers mean something else.
		if (this.sinceAnnounced <= 1) this.announcedAt = Infinity;
		if (startedAt < this.announcedAt) return;
		this.sinceAnnounced = 0;
		this.pausedUntil = now + resetsIn;
		this.rate.refused(now, now, { wait: resetsIn, isNamed: true });
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
