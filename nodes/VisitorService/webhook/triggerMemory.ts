import { shortDigest } from '../values/digest';

/** Deliveries remembered of one trigger: two of the largest batches. */
const MAX_KEYS = 20_000;
/**
 * Deliveries remembered of all triggers together; the trigger that was quiet longest is forgotten
 * first.
 */
const MAX_KEYS_OF_ALL = 500_000;
const MAX_TRIGGERS = 1000;
/**
 * What goes into the static data of the workflow, which n8n reads and writes with each delivery.
 */
const MAX_STORED = 250;
/** Milliseconds between two messages of one kind. */
const QUIET = 60_000;

interface Memory {
	known: Set<string>;
	/** The latest of `known`. */
	latest: Set<string>;
	/** Those of `known` whose execution does not exist yet. */
	pending: Set<string>;
	said: Map<string, { at: number; unsaid: number }>;
}

/** `undecided`: it was seen, but what becomes of it is not known yet. */
export type Claim = 'first' | 'repeat' | 'undecided';

/**
 * What one process remembers of its triggers, within fixed bounds: the deliveries that were passed
 * on, and when what was said. Looking and remembering is one step without waiting in between, so of
 * any number of deliveries that come at once exactly one is the first.
 */
export class TriggerMemory {
	private readonly triggers = new Map<string, Memory>();

	/**
	 * Opens the deliveries of one trigger for one more; `stored` is what `toStore` returned to an
	 * earlier one.
	 */
	repeats(trigger: string, stored: unknown): Repeats {
		const memory = this.open(trigger);
		let total = [...this.triggers.values()].reduce((sum, { known }) => sum + known.size, 0);
		for (const [name, { known }] of this.triggers) {
			if (total <= MAX_KEYS_OF_ALL) break;
			total -= known.size;
			this.triggers.delete(name);
		}
		return new Repeats(memory, stored);
	}

	/**
	 * Tells whether something is to be said, so that a log is not flooded.
	 *
	 * @param kind one of a few: each is said once a minute
	 * @param now milliseconds since 1970
	 * @returns how often it was not said since the last time; undefined if it is too soon
	 */
	turnToTell(trigger: string, kind: string, now: number): number | undefined {
		const { said } = this.open(trigger);
		const last = said.get(kind);
		// The clock may have been set back meanwhile.
		if (last !== undefined && Math.abs(now - last.at) < QUIET) {
			last.unsaid += 1;
			return undefined;
		}
		said.set(kind, { at: now, unsaid: 0 });
		return last?.unsaid ?? 0;
	}

	private open(trigger: string): Memory {
		const memory = this.triggers.get(trigger) ?? {
			known: new Set(),
			latest: new Set(),
			pending: new Set(),
			said: new Map(),
		};
		this.triggers.delete(trigger);
		this.triggers.set(trigger, memory);
		dropOldest(this.triggers, MAX_TRIGGERS);
		return memory;
	}
}

/** The deliveries of one trigger, as one delivery sees them. */
export class Repeats {
	private readonly claimed = new Set<string>();

	constructor(
		private readonly memory: Memory,
		stored: unknown,
	) {
		// Another process, or this one before a restart, may have passed on what this one has not seen.
		const digests: unknown[] = Array.isArray(stored) ? stored : [];
		for (const digest of digests) {
			if (typeof digest === 'string' && !memory.known.has(digest)) this.add(digest);
		}
	}

	/** Remembers an event, unless it is known. */
	claim(key: string): Claim {
		const digest = shortDigest(key, 16);
		const { known, pending } = this.memory;
		if (known.has(digest)) {
			return pending.has(digest) && !this.claimed.has(digest) ? 'undecided' : 'repeat';
		}
		this.add(digest);
		pending.add(digest);
		this.claimed.add(digest);
		return 'first';
	}

	/** What is to be kept across restarts; what other deliveries have not finished is left out. */
	toStore(): string[] {
		const { latest, pending } = this.memory;
		return [...latest].filter((digest) => this.claimed.has(digest) || !pending.has(digest));
	}

	/** Tells what became of the delivery. If it was not passed on, it may come again. */
	settle(passedOn: boolean): void {
		const { known, latest, pending } = this.memory;
		for (const digest of this.claimed) {
			pending.delete(digest);
			if (passedOn) continue;
			known.delete(digest);
			latest.delete(digest);
		}
	}

	private add(digest: string): void {
		const { known, latest } = this.memory;
		known.add(digest);
		latest.add(digest);
		dropOldest(known, MAX_KEYS);
		dropOldest(latest, MAX_STORED);
	}
}

/** Maps and sets keep the order in which their entries came. */
function dropOldest(entries: Map<string, unknown> | Set<string>, max: number): void {
	for (const key of entries.keys()) {
		if (entries.size <= max) return;
		entries.delete(key);
	}
}
