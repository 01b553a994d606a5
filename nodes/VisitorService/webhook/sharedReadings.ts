interface Readings<Value> {
	underWay: Promise<Value>;
	next?: Promise<Value>;
}

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
		const begin = () => this.begin(key, read);
		readings.next ??= readings.underWay.then(begin, begin);
		return await readings.next;
	}

	private begin(key: string, read: () => Promise<Value>): Promise<Value> {
		const readings: Readings<Value> = { underWay: read() };
		this.readings.set(key, readings);
		const end = () => {
			if (this.readings.get(key) === readings) this.readings.delete(key);
		};
		readings.underWay.then(end, end);
		return readings.underWay;
	}
}
