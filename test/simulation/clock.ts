import type { Clock } from '../../nodes/VisitorService/http/message';

interface Timer {
	at: number;
	ring: () => void;
}

/**
 * A clock that jumps from one timer to the next as soon as nothing else is left to do.
 * Milliseconds.
 */
export class VirtualClock implements Clock {
	private time: number;

	private readonly timers: Timer[] = [];

	constructor(start = 0) {
		this.time = start;
	}

	now(): number {
		return this.time;
	}

	async sleep(milliseconds: number): Promise<void> {
		await new Promise<void>((resolve) => {
			this.startTimer(milliseconds, resolve);
		});
	}

	startTimer(milliseconds: number, ring: () => void): () => void {
		const timer = { at: this.time + milliseconds, ring };
		// After those of the same time: first come, first served, as the timers of Node.js do.
		const next = this.timers.findIndex(({ at }) => at > timer.at);
		this.timers.splice(next === -1 ? this.timers.length : next, 0, timer);
		return () => {
			const index = this.timers.indexOf(timer);
			if (index !== -1) this.timers.splice(index, 1);
		};
	}

	/**
	 * Lets so much time pass at once; less than none sets the clock back. What rings meanwhile is not
	 * waited for.
	 */
	pass(milliseconds: number): void {
		const until = this.time + milliseconds;
		while ((this.timers[0]?.at ?? Infinity) <= until) this.jump();
		this.time = until;
	}

	/**
	 * Lets time pass until the work is done.
	 *
	 * @throws Error if the work waits for something that never comes: a deadlock
	 */
	async run<T>(work: Promise<T>): Promise<T> {
		const state = { done: false };
		const finish = () => {
			state.done = true;
		};
		work.then(finish, finish);
		for (;;) {
			await drained();
			if (state.done) return await work;
			if (!this.jump()) throw new Error('Nothing is left that could end the work.');
		}
	}

	/** Lets everything that was started run out. */
	async runOut(): Promise<void> {
		do await drained();
		while (this.jump());
	}

	/** To the next timer; false if there is none. */
	private jump(): boolean {
		const timer = this.timers.shift();
		if (timer === undefined) return false;
		this.time = Math.max(this.time, timer.at);
		timer.ring();
		return true;
	}
}

/** Resolves when no promise callback is left to run. */
async function drained(): Promise<void> {
	await new Promise((resolve) => setImmediate(resolve));
}
