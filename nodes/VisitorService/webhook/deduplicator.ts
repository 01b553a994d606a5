import { shortDigest } from '../values/digest';
import { isNonBlank } from '../values/json';

/** Max events to remember of one trigger: two of the largest batches. */
const MAX_KEYS = 20_000;
/** Max events in the static data of the workflow, which n8n reads and writes each time. */
const MAX_STORED = 250;

/** Digests of events. `inProgress`: the execution was not created yet. */
export type SeenEvents = Map<string, 'inProgress' | 'passedOn'>;

/** `inProgress`: the event was seen, but n8n has not created its execution yet. */
export type Claim = 'new' | 'duplicate' | 'inProgress';

/**
 * Recognizes duplicates among the events of one trigger; one for each delivery. `claim` checks and
 * remembers in one synchronous step, so that of simultaneous deliveries exactly one is the first.
 */
export class Deduplicator {
	private readonly claimed = new Set<string>();

	/** @param stored what `toStore` returned to an earlier delivery */
	constructor(
		private readonly seen: SeenEvents,
		stored: unknown,
	) {
		// Another process, or this one before a restart, may have passed on what this one has not seen.
		for (const digest of Array.isArray(stored) ? stored.slice(-MAX_STORED) : []) {
			if (isNonBlank(digest) && !seen.has(digest)) this.add(digest, 'passedOn');
		}
	}

	/** Remembers an event unless it was seen before. */
	claim(key: string): Claim {
		const digest = shortDigest(key, 16);
		const state = this.seen.get(digest);
		// Elements of one delivery do not repeat each other.
		if (state === undefined || this.claimed.has(digest)) {
			this.add(digest, 'inProgress');
			this.claimed.add(digest);
			return 'new';
		}
		return state === 'inProgress' ? 'inProgress' : 'duplicate';
	}

	/** The events to store, without those that other deliveries have in progress. */
	toStore(): string[] {
		const latest = [...this.seen.keys()].slice(-MAX_STORED);
		return latest.filter((one) => this.seen.get(one) === 'passedOn' || this.claimed.has(one));
	}

	/** Completes the delivery. Events that were not passed on are new when they are sent again. */
	complete(passedOn: boolean): void {
		for (const digest of this.claimed) {
			if (passedOn) this.add(digest, 'passedOn');
			else this.seen.delete(digest);
		}
	}

	private add(digest: string, state: 'inProgress' | 'passedOn'): void {
		this.seen.set(digest, state);
		// A map keeps its entries in the order in which they were added.
		const [oldest] = this.seen.keys();
		if (this.seen.size > MAX_KEYS && oldest !== undefined) this.seen.delete(oldest);
	}
}
