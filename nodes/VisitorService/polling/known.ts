import { endOf, versionOf } from './versions';

/** What is remembered of one record. */
export interface Known {
	/** The states that were seen and may show again; the last one was seen last. */
	seen: string[];
	/** Complete readings in a row that did not meet it. */
	missed: number;
	/** Whether the reading under way met it. */
	isMet: boolean;
}

/** A record that is changed all the time has no more of them within one overlap. */
const MAX_SEEN = 100;

/** More readings than that prove nothing more. */
const MAX_MISSED = 9;

/** The records that are remembered, by the key of their ID. */
export class KnownRecords {
	private readonly records = new Map<string, Known>();

	/** What is unreadable is not known. */
	constructor(text: string) {
		for (const line of text.split('\n')) {
			const [, missed, met, seen = '', key] = LINE.exec(line) ?? [];
			if (key === undefined) continue;
			const known = { seen: seen.split('/'), missed: Number(missed), isMet: met === '+' };
			this.records.set(key, known);
		}
	}

	/** One line for each record: n8n would wrap each object of a list. */
	toText(): string {
		return [...this.records]
			.map(([key, { seen, missed, isMet }]) => {
				return `${missed || ''}${isMet ? '+' : ''}:${seen.join('/')} ${key}`;
			})
			.join('\n');
	}

	get size(): number {
		return this.records.size;
	}

	/** How many of them the reading under way met. */
	get met(): number {
		let met = 0;
		for (const { isMet } of this.records.values()) if (isMet) met++;
		return met;
	}

	get(key: string): Known | undefined {
		return this.records.get(key);
	}

	/** Notes a state that was met. Without a time the last one alone tells what has changed. */
	remember(key: string, state: string): void {
		const isOther = (one: string) => one !== state && versionOf(one) !== '';
		const before = this.records.get(key)?.seen.filter(isOther) ?? [];
		this.records.set(key, { seen: [...before, state].slice(-MAX_SEEN), missed: 0, isMet: true });
	}

	/** Whether something that the last reading met is missing in this one. */
	hasLost(): boolean {
		return [...this.records.values()].some(({ isMet, missed }) => !isMet && missed === 0);
	}

	/** Ends a reading. @param isComplete whether what it did not meet was not there */
	endReading(isComplete: boolean): void {
		for (const known of this.records.values()) {
			if (known.isMet) known.missed = 0;
			else if (isComplete) known.missed = Math.min(MAX_MISSED, known.missed + 1);
			known.isMet = false;
		}
	}

	/** Those that so many readings in a row did not meet. */
	missedBy(readings: number): Array<[string, Known]> {
		return [...this.records].filter(([, { missed }]) => missed >= readings);
	}

	delete(key: string): void {
		this.records.delete(key);
	}

	/**
	 * Forgets versions that cannot show any more, because they are older.
	 *
	 * @param keepsAll whether the last version of each record is needed all the same
	 */
	forget(before: number, unit: number | undefined, keepsAll: boolean): void {
		const isOld = (state: string) => endOf(versionOf(state), unit) < before;
		for (const [key, known] of this.records) {
			const last = known.seen.at(-1) ?? '';
			const seen = known.seen.filter((state) => !isOld(state));
			// What it holds can no longer change without a new version.
			known.seen =
				keepsAll && isOld(last) && !key.includes('?') ? [...seen, versionOf(last)] : seen;
			if (known.seen.length === 0) this.records.delete(key);
		}
	}
}

const LINE = /^(\d?)(\+?):([^ ]*) (.+)$/s;
