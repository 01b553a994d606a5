import { createHash } from 'node:crypto';

/** What is remembered of one trigger in one process. */
const MOST_KEYS = 5000;
/** Triggers remembered at a time; the one that was quiet longest goes first. */
const MOST_TRIGGERS = 100;
/** What goes into the static data of the workflow, which n8n reads and writes with each delivery. */
const MOST_STORED = 250;

interface Keys {
	known: Set<string>;
	/** Those of `known` whose execution does not exist yet, and the end of the delivery that is to start it. */
	pending: Map<string, Promise<void>>;
}

/**
 * The deliveries one process has passed on, each trigger's own, within fixed bounds.
 * Looking and remembering is one step without waiting in between, so of any number of deliveries that come at
 * once exactly one is the first.
 */
export class RepeatMemory {
	private readonly triggers = new Map<string, Keys>();

	/** Opens the memory of one trigger for one delivery; `stored` is what `toStore` gave an earlier one. */
	open(trigger: string, stored: unknown): Repeats {
		const keys = this.triggers.get(trigger) ?? { known: new Set(), pending: new Map() };
		this.triggers.delete(trigger);
		this.triggers.set(trigger, keys);
		dropOldest(this.triggers, MOST_TRIGGERS);
		return new Repeats(keys, stored);
	}
}

/** The memory of one trigger, as one delivery uses it. */
export class Repeats {
	private added: string[] = [];

	/** The ends of the other deliveries that hold a key of this one and may still fail. */
	private readonly holders = new Set<Promise<void>>();

	private end: () => void = () => undefined;

	private readonly ended = new Promise<void>((resolve) => {
		this.end = resolve;
	});

	constructor(
		private readonly keys: Keys,
		stored: unknown,
	) {
		// Another process, or this one before a restart, may have passed on what this one has not seen.
		const digests: unknown[] = Array.isArray(stored) ? stored.slice(-MOST_STORED) : [];
		for (const digest of digests) if (typeof digest === 'string') keys.known.add(digest);
		dropOldest(keys.known, MOST_KEYS);
	}

	/** Remembers a key; true where it was not known. */
	isFirst(key: string): boolean {
		const digest = createHash('sha256').update(key).digest('base64url').slice(0, 16);
		if (this.keys.known.has(digest)) {
			const holder = this.keys.pending.get(digest);
			if (holder !== undefined && holder !== this.ended) this.holders.add(holder);
			return false;
		}
		this.keys.known.add(digest);
		this.keys.pending.set(digest, this.ended);
		this.added.push(digest);
		dropOldest(this.keys.known, MOST_KEYS);
		return true;
	}

	/**
	 * Where another delivery holds a key of this one, nothing is decided until that one ended. Until then this one gives
	 * up what it holds itself, so that no two wait for each other, and looks at everything again.
	 *
	 * @returns when all those ended; undefined where there are none
	 */
	endsOfHolders(): Promise<unknown> | undefined {
		if (this.holders.size === 0) return undefined;
		const ends = Promise.all(this.holders);
		this.holders.clear();
		this.release(false);
		return ends;
	}

	/** What is to be kept across restarts; what other deliveries have not finished is left out. */
	toStore(): string[] {
		const own = new Set(this.added);
		return [...this.keys.known]
			.filter((digest) => own.has(digest) || !this.keys.pending.has(digest))
			.slice(-MOST_STORED);
	}

	/** Tells what became of the delivery. Where it was not passed on, it may come again. */
	settle(passedOn: boolean): void {
		this.release(passedOn);
		this.end();
	}

	private release(passedOn: boolean): void {
		for (const digest of this.added) {
			this.keys.pending.delete(digest);
			if (!passedOn) this.keys.known.delete(digest);
		}
		this.added = [];
	}
}

/** Maps and sets keep the order in which their entries came. */
function dropOldest(entries: Map<string, unknown> | Set<string>, most: number): void {
	for (const key of entries.keys()) {
		if (entries.size <= most) return;
		entries.delete(key);
	}
}
