import type { Clock } from './message';

interface Waiter<T> {
	start: (admission: T) => void;
	fail: (error: unknown) => void;
}

/**
 * Those who wait to be admitted, first come first served, and the one timer that is set for the
 * first of them.
 */
export class WaitQueue<T> {
	private readonly waiting: Array<Waiter<T>> = [];

	/** When the timer rings. */
	private timerAt = Infinity;

	/** Why nobody is admitted any more. */
	private closedBy: unknown;

	/** @param dispatch admits those whose time has come */
	constructor(
		private readonly clock: Clock,
		private readonly dispatch: () => void,
	) {}

	get isEmpty(): boolean {
		return this.waiting.length === 0;
	}

	async enqueue(): Promise<T> {
		return await new Promise<T>((start, fail) => {
			this.waiting.push({ start, fail });
			if (this.closedBy === undefined) this.dispatch();
			else this.close(this.closedBy);
		});
	}

	startFirst(admission: T): void {
		this.waiting.shift()?.start(admission);
	}

	/** Looks again at that time. */
	dispatchAt(time: number): void {
		if (this.timerAt <= time) return;
		this.timerAt = time;
		this.clock.sleep(time - this.clock.now()).then(
			() => {
				if (this.timerAt === time) this.timerAt = Infinity;
				this.dispatch();
			},
			// The execution was cancelled.
			(error: unknown) => {
				this.close(error);
			},
		);
	}

	/** Nobody is admitted any more. */
	close(error: unknown): void {
		this.closedBy = error;
		for (const { fail } of this.waiting.splice(0)) fail(error);
	}
}
