import type { AnnouncedLimit } from './announcedLimit';
import type { Clock } from './message';
import { RateEstimate } from './rateEstimate';
import { isTooLong } from './retryTimes';
import { WaitingLine } from './waitingLine';

/**
 * In flight after the first answer. All that are in flight when a limit is first met are refused.
 */
const SECOND_SIZE = 9;
/**
 * Answers after which one more may be in flight: before any refusal, and for each in flight after
 * one.
 */
const ANSWERS_TO_GROW = 5;
const ANSWERS_TO_GROW_BACK = 3;

/**
 * Of the time between two starts that would fill the room evenly; a little less, because the pace
 * must not be what limits it.
 */
const SPREAD = 0.9;
/**
 * Milliseconds between two starts at most: the first answer may be slow, and those after it fast.
 */
const MAX_APART = 50;

/** Milliseconds by which timers ring late. They must not add up. */
const LATE_TIMER = 3;

/** One admitted request, whose outcome the pace learns from. */
export interface Admission {
	/** It was answered, and not by "slow down". */
	accepted(announced?: AnnouncedLimit): void;
	/** The service asks for fewer requests. */
	limited(slowDown: SlowDown): void;
	/** It ended, whatever its outcome. */
	released(): void;
}

export interface SlowDown {
	statusCode: number;
	/** Milliseconds in which nothing is admitted. */
	wait: number;
}

/**
 * How fast the requests of one run go. Nothing is sent while the service wants a pause. After
 * one, a single request goes first, then fewer than before, at the rate the service turned out to
 * allow: otherwise every second would begin with a burst and end in refused requests. Without a
 * limit they are spread over the time an answer takes: answers that come together are read one
 * after the other, and all that follow would wait for the last.
 */
export class AdaptivePace {
	/** Since a request was last let through. */
	pausesInVain = 0;

	private readonly line: WaitingLine<Admission>;

	private readonly rate = new RateEstimate();

	/** The requests in flight, in their order. */
	private readonly inFlight = new Set<symbol>();

	/** How many may be in flight, as in the congestion control of TCP (RFC 5681 section 3.1). */
	private room = 1;

	/** Since the room last grew. */
	private answers = 0;

	private nextStart = 0;

	/** Milliseconds the fastest answer took. */
	private latency = Infinity;

	/** @param concurrency max number of requests in flight */
	constructor(
		private readonly concurrency: number,
		private readonly clock: Clock,
	) {
		this.line = new WaitingLine(clock, () => this.startDue());
	}

	/** Resolves when the next request may be sent. */
	async admit(): Promise<Admission> {
		return await this.line.join();
	}

	/** From now on nothing is admitted. */
	close(error = new Error('No further request may be sent.')): void {
		this.line.close(error);
	}

	private startDue(): void {
		while (
			!this.line.isEmpty &&
			this.inFlight.size < (this.rate.isClosed ? 1 : Math.min(this.room, this.concurrency))
		) {
			const now = this.clock.now();
			const due = this.nextStart;
			if (due > now) {
				this.line.lookAgainAt(due);
				return;
			}
			const interval = Math.max(this.rate.intervalAt(now), this.evenInterval());
			this.nextStart = (now - due <= LATE_TIMER ? due : now) + interval;
			this.rate.started(now);
			if (this.rate.isClosed) this.pausesInVain++;
			this.line.admitFirst(this.admission(now));
		}
	}

	/** Whole milliseconds, because timers are not finer. */
	private evenInterval(): number {
		if (this.rate.isLimited || this.latency === Infinity) return 0;
		return Math.min(MAX_APART, Math.floor((SPREAD * this.latency) / this.concurrency));
	}

	private admission(startedAt: number): Admission {
		const request = Symbol('request');
		this.inFlight.add(request);
		return {
			accepted: (announced) => {
				this.accept(startedAt);
				if (announced !== undefined) this.keepTo(announced, request);
			},
			limited: ({ wait }: SlowDown) => {
				this.pause(wait, startedAt);
			},
			released: () => {
				this.inFlight.delete(request);
				this.startDue();
			},
		};
	}

	private accept(startedAt: number): void {
		this.latency = Math.min(this.latency, this.clock.now() - startedAt);
		const came = this.rate.accepted(startedAt);
		if (this.rate.isClosed) return;
		this.pausesInVain = 0;
		if (came === 'as before') this.makeRoom();
		if (came !== 'again') return;
		this.room = Math.max(1, this.room >> 1);
		this.nextStart = Math.max(this.nextStart, startedAt + this.rate.intervalAt(startedAt));
	}

	private makeRoom(): void {
		if (!this.rate.isLimited && this.room < SECOND_SIZE) {
			this.room = SECOND_SIZE;
			return;
		}
		const needed = this.rate.isLimited ? ANSWERS_TO_GROW_BACK * this.room : ANSWERS_TO_GROW;
		if (++this.answers < needed) return;
		this.room = Math.min(this.room + 1, this.concurrency);
		this.answers = 0;
	}

	private pause(wait: number, startedAt: number): void {
		const now = this.clock.now();
		// A single request goes at its end, however slow the rate is.
		const until = now + wait;
		this.nextStart = this.rate.isClosed ? Math.max(this.nextStart, until) : until;
		this.rate.refused(startedAt, now);
		this.answers = 0;
	}

	/**
	 * Pauses before the service first has to refuse, if nothing is left for a request that would be
	 * sent now. Once a limit was met its rate is kept: what is announced may mean something else.
	 */
	private keepTo({ remaining, resetsIn }: AnnouncedLimit, request: symbol): void {
		if (this.rate.isLimited || resetsIn <= 0 || isTooLong(resetsIn)) return;
		const inFlight = [...this.inFlight];
		const later = inFlight.length - 1 - inFlight.indexOf(request);
		if (remaining <= later) this.pause(resetsIn, this.clock.now());
	}
}
