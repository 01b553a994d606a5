import type { JsonObject } from './findRecords';
import { type FoundIdentity, findIdentity } from './recordIdentity';

export interface CollectionRules<Kept> {
	/** Name of the resource, for ids such as `userId`. */
	resource: string;
	/** Most records wanted; undefined = all. */
	limit?: number;
	/** What to keep of a record; made as the record comes, so that nothing else of it stays in memory. */
	keepAs: (record: JsonObject) => Kept;
}

/** Keeps every record once, in the order they first came. */
export class RecordCollector<Kept> {
	readonly records: Kept[] = [];

	private identity?: FoundIdentity;

	private readonly kept = new Set<string | number>();

	/** Ids that came in this sweep; in the first one these are the ones kept. */
	private seen = this.kept;

	constructor(private readonly rules: CollectionRules<Kept>) {}

	/** The id field, found on the first page with records; undefined where they have none. */
	get idField(): string | undefined {
		return this.identity?.field;
	}

	/** How many records are still wanted. */
	get wanted(): number {
		const { limit } = this.rules;
		return limit === undefined ? Infinity : limit - this.records.length;
	}

	/** The list is read once more: from now on only ids that never came are new. */
	sweepAgain(): void {
		this.seen = new Set();
	}

	/** @returns how many records came for the first, and how many for a further time in this sweep */
	add(page: readonly JsonObject[]): { fresh: number; repeated: number } {
		if (this.records.length === 0) this.identity = findIdentity(page, this.rules.resource);
		let fresh = 0;
		let repeated = 0;
		for (const record of page) {
			if (this.wanted <= 0) break;
			if (this.isRepeated(record)) repeated++;
			else fresh++;
		}
		return { fresh, repeated };
	}

	private isRepeated(record: JsonObject): boolean {
		const sweepsAgain = this.seen !== this.kept;
		const id = this.identity?.identify(record);
		if (id === undefined) {
			// Without an id nothing tells whether an earlier sweep brought it.
			if (!sweepsAgain) this.keep(record);
			return false;
		}
		if (this.seen.has(id)) return true;
		this.seen.add(id);
		if (sweepsAgain && this.kept.has(id)) return false;
		this.kept.add(id);
		this.keep(record);
		return false;
	}

	private keep(record: JsonObject): void {
		this.records.push(this.rules.keepAs(record));
	}

	/** What makes a record the same one: its id, or all it holds. */
	readonly keyOf = (record: JsonObject): string | number =>
		this.identity?.identify(record) ?? JSON.stringify(record);

	readonly isKnown = (record: JsonObject): boolean => {
		const id = this.identity?.identify(record);
		return id !== undefined && this.kept.has(id);
	};

	/** Equal for pages that hold the same records. */
	fingerprint(page: readonly JsonObject[]): string {
		return JSON.stringify(page.map(this.keyOf));
	}
}
