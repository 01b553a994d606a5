import type { Clock } from './message';

interface Waiting<T> {
	start: (admission: T) => void;
	fail: (error: unknown) => void;
}

/**
 * Those who wait to be admitted, first come first served, and the one timer that is set for the
 * first of them.
 */
export class WaitingLine<T> {
	private readonly waiting: Array<Waiting<T>> = [];

	/** When the timer rings. */
	private ringsAt = Infinity;

	/** Why nobody is admitted any more. */
	private closedBy: unknown;

	/** @param admitDue admits those whose time has come */
	constructor(
		private readonly clock: Clock,
		private readonly admitDue: () => void,
	) {}

	get isEmpty(): boolean {
		return this.waiting.length === 0;
	}

	async join(): Promise<T> {
		return await new Promise<T>((start, fail) => {
			this.waiting.push({ start, fail });
			if (this.closedBy === undefined) this.admitDue();
			else this.close(this.closedBy);
		});
	}

	admitFirst(admission: T): void {
		this.waiting.shift()?.start(admission);
	}

	/** Looks again at that time. */
	lookAgainAt(time: number): void {
		if (this.ringsAt <= time) return;
		this.ringsAt = time;
		this.clock.sleep(time - this.clock.now()).then(
			() => {
				if (this.ringsAt === time) this.ringsAt = Infinity;
				this.admitDue();
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
