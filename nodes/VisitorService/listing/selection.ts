import type { JsonObject } from '../values/json';

/** What is wanted of a list, by whoever reads it. */
export interface Selection {
	/** How many more records are wanted; Infinity = all. */
	readonly remaining: number;
	/** How many more are wanted if these are kept. */
	remainingWith(records: readonly JsonObject[]): number;
	/** How many records have to be read for them, judged by how many of those read were wanted. */
	estimateToRead(recordsRead: number): number;
	/**
	 * Keeps a record if it is wanted.
	 *
	 * @param isHidden whether it is left out as a duplicate, and may have to come back
	 */
	keep(record: JsonObject, isHidden: boolean): void;
	restoreHidden(): void;
}

export interface SelectionOptions<Kept> {
	/** Max number of records wanted; undefined = all. */
	limit?: number;
	/** What to keep of a record: nothing else of it stays in memory. */
	transform: (record: JsonObject) => Kept;
}

/** The first records of a list, or all. */
export class FirstRecords<Kept> implements Selection {
	private readonly kept: Kept[] = [];

	private readonly hiddenIndexes = new Set<number>();

	constructor(private readonly options: SelectionOptions<Kept>) {}

	/** Up to the limit, in the order they were first received. */
	get records(): Kept[] {
		const { kept, hiddenIndexes } = this;
		const { limit = Infinity } = this.options;
		if (hiddenIndexes.size === 0 && kept.length <= limit) return kept;
		return kept.filter((_, index) => !hiddenIndexes.has(index)).slice(0, limit);
	}

	get remaining(): number {
		return (this.options.limit ?? Infinity) - this.kept.length + this.hiddenIndexes.size;
	}

	remainingWith(records: readonly JsonObject[]): number {
		return this.remaining - records.length;
	}

	estimateToRead(recordsRead: number): number {
		return (this.remaining * recordsRead) / this.kept.length;
	}

	keep(record: JsonObject, isHidden: boolean): void {
		if (isHidden) this.hiddenIndexes.add(this.kept.length);
		this.kept.push(this.options.transform(record));
	}

	restoreHidden(): void {
		this.hiddenIndexes.clear();
	}
}
