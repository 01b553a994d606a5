import { ServiceFailure } from '../failure/serviceFailure';
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

	private isClosed = false;

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
			if (this.isClosed) {
				fail(listingIsOver());
				return;
			}
			this.waiting.push({ start, fail });
			this.admitDue();
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
	close(error: unknown = listingIsOver()): void {
		this.isClosed = true;
		for (const { fail } of this.waiting.splice(0)) fail(error);
	}
}

function listingIsOver(): ServiceFailure {
	return new ServiceFailure('The listing is over.', 'Run the workflow again.', {
		kind: 'cancelled',
	});
}
