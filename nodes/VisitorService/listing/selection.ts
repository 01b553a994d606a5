import type { JsonObject } from '../values/json';

/** Which records of a list to keep. */
export interface Selection {
	/** How many more records to keep; Infinity = all. */
	readonly remaining: number;
	/** How many more to keep after these. */
	remainingWith(records: readonly JsonObject[]): number;
	/** How many more records have to be read, by the share of those read that were kept. */
	estimateToRead(recordsRead: number): number;
	/** @param isHidden whether the record is left out as a duplicate, until `restoreHidden` */
	keep(record: JsonObject, isHidden: boolean): void;
	restoreHidden(): void;
}

export interface SelectionOptions<Kept> {
	/** Max number of records; undefined = all. */
	limit?: number;
	/** What to keep of a record. Nothing else of it stays in memory. */
	transform: (record: JsonObject) => Kept;
}

/** The first records of a list, or all. */
export class FirstRecords<Kept> implements Selection {
	private readonly kept: Kept[] = [];

	private readonly hiddenIndexes = new Set<number>();

	constructor(private readonly options: SelectionOptions<Kept>) {}

	/** At most the limit, in the order they were first received. */
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
