import type { AnnouncedLimit } from './announcedLimit';
import { AnnouncedPauses } from './announcedPauses';
import type { Clock } from './message';
import { RateEstimate } from './rateEstimate';
import type { Admission, RequestPace, SlowDown } from './sendRequest';
import { WaitingLine } from './waitingLine';
import {
	afterAnswer,
	afterRefusal,
	afterStart,
	FIRST_WINDOW,
	isLimited,
	sizeOf,
	type Window,
} from './window';

/**
 * Of the time between two starts that would fill the window evenly; a little less, so as not to be
 * what limits it.
 */
const SPREAD = 0.9;
/**
 * Milliseconds between two starts at most: the first answer may be slow, and those after it fast.
 */
const MAX_APART = 50;

/** Milliseconds by which timers ring late. They must not add up. */
const LATE_TIMER = 3;

/**
 * How fast the requests of one listing go. Nothing is sent while the service wants a pause. After
 * one, a single request goes first, then fewer than before, at the rate the service turned out to
 * allow: otherwise every second would begin with a burst and end in refused requests. Without a
 * limit they are spread over the time an answer takes: answers that come together are read one
 * after the other, and all that follow would wait for the last.
 */
export class AdaptivePace implements RequestPace {
	private readonly line: WaitingLine<Admission>;

	private window: Window = FIRST_WINDOW;

	private readonly rate = new RateEstimate();

	private readonly announced = new AnnouncedPauses();

	/** The requests in flight, in their order. */
	private readonly inFlight = new Set<symbol>();

	private pausedUntil = 0;

	private nextStart = 0;

	/** Milliseconds the fastest answer took. */
	private latency = Infinity;

	constructor(
		private readonly concurrency: number,
		private readonly clock: Clock,
	) {
		this.line = new WaitingLine(clock, () => this.startDue());
	}

	get pausesInVain(): number {
		return this.window.kind === 'closed' ? this.window.tries : 0;
	}

	async admit(): Promise<Admission> {
		return await this.line.join();
	}

	close(): void {
		this.line.close();
	}

	private startDue(): void {
		while (
			!this.line.isEmpty &&
			this.inFlight.size < Math.min(sizeOf(this.window), this.concurrency)
		) {
			const now = this.clock.now();
			const due = Math.max(this.pausedUntil, this.nextStart);
			if (due > now) {
				this.line.lookAgainAt(due);
				return;
			}
			const interval = Math.max(this.rate.intervalAt(now), this.evenInterval());
			this.nextStart = (now - due <= LATE_TIMER ? due : now) + interval;
			this.rate.started(now);
			this.window = afterStart(this.window);
			this.line.admitFirst(this.admission(now));
		}
	}

	/** Whole milliseconds, because timers are not finer. */
	private evenInterval(): number {
		if (isLimited(this.window) || this.latency === Infinity) return 0;
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
		this.announced.answered(startedAt);
		const wasAccident = this.rate.letThrough(startedAt);
		if (wasAccident && this.window.kind === 'closed') {
			this.pausedUntil = this.window.namedUntil;
			this.nextStart = this.pausedUntil;
			this.window = this.window.before;
		} else {
			this.window = afterAnswer(this.window, startedAt, this.concurrency);
		}
	}

	private slowDown({ wait, isNamed }: SlowDown, startedAt: number): void {
		const now = this.clock.now();
		const until = now + wait;
		this.pausedUntil = Math.max(this.pausedUntil, until);
		// A single request goes at its end, however slow the rate is.
		this.nextStart = this.pausedUntil;
		this.window = afterRefusal(this.window, { startedAt, now, until, isNamed });
		this.rate.refused(startedAt, now, { wait, isNamed });
	}

	/**
	 * Pauses before the service has to refuse, if nothing is left for a request that would be sent
	 * now.
	 */
	private keepTo(limit: AnnouncedLimit, request: symbol): void {
		if (this.rate.isSure || this.window.kind === 'closed') return;
		const now = this.clock.now();
		const inFlight = [...this.inFlight];
		const later = inFlight.length - 1 - inFlight.indexOf(request);
		const wait = this.announced.pause(limit, later, now);
		if (wait === 0) return;
		this.pausedUntil = now + wait;
		this.rate.refused(now, now, { wait, isNamed: true });
	}
}
