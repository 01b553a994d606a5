/** A record that differed although its time was the same. */
export interface DifferingRecord {
	key: string;
	/** Digests by the names of fields. Not of nested fields, whose names may be personal data. */
	digests: Record<string, string>;
	/** The fields in which it differed last; none if that was the first time. */
	fields: string[];
	/** How often it differed, the last times in the same fields. */
	times: number;
}

/** Enough to meet one again that differs again. */
const MAX_RECORDS = 20;

/** A state may well change twice without a new time, as from expected to arrived to left. */
const MIN_TIMES = 3;

/** Names fields that are renewed now and then: records differ in them again and again. */
export class DifferingRecords {
	private readonly current = new Map<string, DifferingRecord>();

	/** @param earlier those of earlier polls */
	constructor(private earlier: readonly DifferingRecord[] = []) {}

	add(key: string, digestsOf: () => DifferingRecord['digests']): void {
		const before = this.earlier.find((one) => one.key === key);
		const isFull = before === undefined && this.current.size >= MAX_RECORDS;
		if (isFull || this.current.has(key)) return;
		const digests = digestsOf();
		const names = before ? Object.keys({ ...before.digests, ...digests }) : [];
		const fields = names.filter((name) => before?.digests[name] !== digests[name]);
		const isSame = before?.fields.join() === fields.join();
		const times = before === undefined ? 1 : isSame ? before.times + 1 : 2;
		// One that waits for Max Items has not differed again.
		const isWaiting = before !== undefined && fields.length === 0;
		this.current.set(key, isWaiting ? before : { key, digests, fields, times });
	}

	/** The fields in which a record differs again and again. */
	get fields(): readonly string[] {
		return [...this.current.values()].find(({ times }) => times >= MIN_TIMES)?.fields ?? [];
	}

	/** For the next poll. */
	get all(): DifferingRecord[] {
		const others = this.earlier.filter(({ key }) => !this.current.has(key));
		return [...this.current.values(), ...others].slice(0, MAX_RECORDS);
	}

	/** Begins anew, because other fields count. */
	clear(): void {
		this.earlier = [];
		this.current.clear();
	}
}
