import { endsBefore } from './endsBefore';

interface Readings<Value> {
	underWay: Promise<Value>;
	next?: Promise<Value>;
}

/** Milliseconds others wait for a reading before they read by themselves: one may never end. */
const LONGEST_WAIT = 5_000;

/**
 * Lets those who want the same read at the same time share a reading. Nobody is given what was read before they
 * asked: one who comes while a reading is under way waits for the next one, together with all who do.
 */
export class SharedReadings<Value> {
	private readonly readings = new Map<string, Readings<Value>>();

	/** @param key what is read; callers with the same key must be entitled to the same value */
	async read(key: string, read: () => Promise<Value>): Promise<Value> {
		const readings = this.readings.get(key);
		if (readings === undefined) return await this.begin(key, read);
		readings.next ??= endsBefore(readings.underWay, Date.now() + LONGEST_WAIT).then(() =>
			this.begin(key, read),
		);
		return await readings.next;
	}

	private begin(key: string, read: () => Promise<Value>): Promise<Value> {
		const readings: Readings<Value> = { underWay: read() };
		this.readings.set(key, readings);
		const end = () => {
			// Those who wait for the next reading share it, also where more come before it begins.
			if (this.readings.get(key) === readings && readings.next === undefined)
				this.readings.delete(key);
		};
		readings.underWay.then(end, end);
		return readings.underWay;
	}
}
