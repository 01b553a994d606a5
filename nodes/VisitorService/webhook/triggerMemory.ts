import { shortDigest } from '../values/digest';
import { isText } from '../values/json';

/** Events remembered of one trigger: two of the largest batches. */
const MAX_KEYS = 20_000;
/** Events remembered in all; the quietest trigger is forgotten first. */
const MAX_KEYS_OF_ALL = 500_000;
/** What goes into the static data of the workflow, which n8n reads and writes each time. */
const MAX_STORED = 250;

/** The digests of events, and whether their execution does not exist yet. */
type Known = Map<string, 'pending' | 'passedOn'>;

/** `undecided`: it was seen, but what becomes of it is not known yet. */
export type Claim = 'first' | 'repeat' | 'undecided';

/**
 * What one process remembers of its triggers, within fixed bounds. Looking and remembering is one
 * step without waiting in between, so of any number of deliveries that come at once exactly one is
 * the first.
 */
export class TriggerMemory {
	private readonly triggers = new Map<string, Known>();

	/**
	 * Opens the events of one trigger for one more delivery; `stored` is what `toStore` returned to
	 * an earlier one.
	 */
	repeats(trigger: string, stored: unknown): Repeats {
		const known = this.triggers.get(trigger) ?? (new Map() as Known);
		this.triggers.delete(trigger);
		this.triggers.set(trigger, known);
		const keys = () => [...this.triggers.values()].reduce((sum, { size }) => sum + size, 0);
		for (const name of this.triggers.keys()) {
			if (keys() <= MAX_KEYS_OF_ALL) break;
			this.triggers.delete(name);
		}
		return new Repeats(known, stored);
	}
}

/** The events of one trigger, as one delivery sees them. */
export class Repeats {
	private readonly claimed = new Set<string>();

	constructor(
		private readonly known: Known,
		stored: unknown,
	) {
		// Another process, or this one before a restart, may have passed on what this one has not seen.
		for (const digest of Array.isArray(stored) ? stored.slice(-MAX_STORED) : []) {
			if (isText(digest) && !known.has(digest)) this.add(digest, 'passedOn');
		}
	}

	/** Remembers an event, unless it is known. */
	claim(key: string): Claim {
		const digest = shortDigest(key, 16);
		const state = this.known.get(digest);
		// Elements of one delivery do not repeat each other.
		if (state === undefined || this.claimed.has(digest)) {
			this.add(digest, 'pending');
			this.claimed.add(digest);
			return 'first';
		}
		return state === 'pending' ? 'undecided' : 'repeat';
	}

	/** What is to be kept across restarts; what other deliveries have not finished is left out. */
	toStore(): string[] {
		const latest = [...this.known.keys()].slice(-MAX_STORED);
		return latest.filter((one) => this.known.get(one) === 'passedOn' || this.claimed.has(one));
	}

	/** Tells what became of the delivery. If it was not passed on, it may come again. */
	settle(passedOn: boolean): void {
		for (const digest of this.claimed) {
			if (!passedOn) this.known.delete(digest);
			else if (this.known.has(digest)) this.known.set(digest, 'passedOn');
		}
	}

	private add(digest: string, state: 'pending' | 'passedOn'): void {
		this.known.set(digest, state);
		// A map keeps the order in which its entries came.
		const [oldest] = this.known.keys();
		if (this.known.size > MAX_KEYS && oldest !== undefined) this.known.delete(oldest);
	}
}
