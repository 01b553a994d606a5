import { endOf } from './moment';

/** One state of a record. */
export interface State {
	/** Milliseconds since 1970, or `TIMELESS`. */
	time: number;
	/** A mark of contents that may change within the time, or of a match; or an ID; else empty. */
	content: string;
}

/** Of a state without time: it may be of any, so no other one is older than it. */
export const TIMELESS = Infinity;

/** What is remembered of one record. */
export interface Known {
	/** The states that were seen and may show again; the last one was seen last. */
	seen: State[];
	/** Complete readings in a row that did not meet it. */
	missed: number;
	/** Whether the reading under way met it. */
	isMet: boolean;
}

/** Of a version in doubt, which counts if the next reading shows it too. */
const isDoubt = (key: string) => key.includes('?');

/** States of one record, of which an integration may write one at each poll. */
const MAX_SEEN = 100;

/** One line for each record, because n8n would wrap each object of a list. */
const LINE = /^(\d*)(\+?):([^ ]*) (.+)$/;

/** The records that are remembered, by the key of their ID; by `key?time` versions in doubt. */
export class KnownRecords extends Map<string, Known> {
	/** What is unreadable is not known. */
	constructor(text: string) {
		super();
		for (const line of text.split('\n')) {
			const [, missed, met, seen = '', key] = LINE.exec(line) ?? [];
			if (key === undefined) continue;
			const states = seen.split('/').map(stateOf);
			this.set(key, { seen: states, missed: Number(missed), isMet: met === '+' });
		}
	}

	toText(): string {
		return [...this]
			.map(([key, { seen, missed, isMet }]) => {
				return `${missed || ''}${isMet ? '+' : ''}:${seen.map(textOf).join('/')} ${key}`;
			})
			.join('\n');
	}

	/** Notes a state that was met. Without a time the last one alone tells what has changed. */
	remember(key: string, state: State): void {
		const isOther = ({ content, time }: State) =>
			time !== TIMELESS && (time !== state.time || content !== state.content);
		const before = this.get(key)?.seen.filter(isOther) ?? [];
		this.set(key, { seen: [...before, state].slice(-MAX_SEEN), missed: 0, isMet: true });
	}

	/** Ends a reading. @param isComplete whether what it did not meet was not there */
	endReading(isComplete: boolean): void {
		for (const [key, known] of this) {
			if (known.isMet) known.missed = 0;
			else if (isComplete) known.missed++;
			known.isMet = false;
			if (isDoubt(key) && known.missed > 0) this.delete(key);
		}
	}

	/** Those that so many readings in a row did not meet. */
	missedBy(readings: number): Array<[string, Known]> {
		return [...this].filter(([, { missed }]) => missed >= readings);
	}

	/**
	 * Forgets versions that cannot show any more, because they are older.
	 *
	 * @param keepsAll whether the last version of each record is needed all the same
	 */
	forget(before: number, unit: number | undefined, keepsAll: boolean): void {
		const isOld = ({ time }: State) => endOf(time, unit) < before;
		for (const [key, known] of this) {
			const last = known.seen.at(-1);
			known.seen = known.seen.filter((state) => !isOld(state));
			// What it holds can no longer change without a new version. A doubt is over by now.
			if (keepsAll && last && isOld(last) && !isDoubt(key))
				known.seen.push({ ...last, content: '' });
			if (known.seen.length === 0) this.delete(key);
		}
	}
}

function textOf({ content, time }: State): string {
	const version = time === TIMELESS ? '' : time.toString(36);
	return content === '' ? version : `${version}.${content}`;
}

function stateOf(text: string): State {
	const [version = '', ...content] = text.split('.');
	const time = version === '' ? TIMELESS : Number.parseInt(version, 36);
	return { time, content: content.join('.') };
}
