import { VirtualClock } from '../simulation/clock';
import { showTimeOf } from '../simulation/processTime';

/**
 * The time of a whole process: while work of it is under way, `Date` and every timer go by this
 * clock, those of n8n's `sleep` too. So the package is run as it is, and a wait costs nothing.
 */
export class VirtualTime extends VirtualClock {
	private static readonly underWay = new Set<VirtualTime>();

	private works = 0;

	private state: 'open' | 'ended' = 'open';

	private restore?: () => void;

	/** What a test left running as it ran out of its time must not hold the clock of the next one. */
	static endUnfinished(): void {
		for (const time of VirtualTime.underWay) {
			time.state = 'ended';
			time.restore?.();
		}
		VirtualTime.underWay.clear();
	}

	/**
	 * Works of one process may overlap; there may be no real connection meanwhile.
	 *
	 * @throws Error if a work waits for what never comes
	 */
	async during<T>(work: () => Promise<T>): Promise<T> {
		if (this.hasEnded()) throw new Error('The test that began this time is over.');
		if (this.works++ === 0) this.restore = this.replaceTimers();
		VirtualTime.underWay.add(this);
		try {
			return await this.run(work());
		} finally {
			if (--this.works === 0 && !this.hasEnded()) {
				VirtualTime.underWay.delete(this);
				this.restore?.();
			}
		}
	}

	/** A method, because it may change while a work is under way. */
	private hasEnded(): boolean {
		return this.state === 'ended';
	}

	private replaceTimers(): () => void {
		const { setTimeout, clearTimeout } = globalThis;
		const ofSignals = Object.getOwnPropertyDescriptor(AbortSignal, 'timeout') ?? {};
		const showRealTime = showTimeOf(this);
		Object.assign(globalThis, {
			setTimeout: (ring: () => void, milliseconds = 0) => this.startTimer(milliseconds, ring),
			clearTimeout: (stop?: () => void) => stop?.(),
		});
		AbortSignal.timeout = (milliseconds) => {
			const controller = new AbortController();
			// Node.js has no longer timers. The stack of an error costs much, and hardly any timer rings.
			this.startTimer(milliseconds < 2 ** 31 ? milliseconds : 1, () =>
				controller.abort(new DOMException('The operation timed out.', 'TimeoutError')),
			);
			return controller.signal;
		};
		return () => {
			showRealTime();
			Object.assign(globalThis, { setTimeout, clearTimeout });
			Object.defineProperty(AbortSignal, 'timeout', ofSignals);
		};
	}
}
