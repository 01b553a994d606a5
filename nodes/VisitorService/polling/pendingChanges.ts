import type { JsonObject } from '../values/json';
import { NO_TIMESTAMP, type RecordVersion } from './rememberedRecords';
import { NOTHING_PENDING_AT } from './watermark';

export interface Change {
	record: JsonObject;
	key: string;
	version: RecordVersion;
}

/** The changes found by one poll. What exceeds Max Items is found again by the next one. */
export class PendingChanges {
	private changes = new Map<string, Change>();

	/** The earliest time of a change that waits for the next poll. */
	pendingAt = NOTHING_PENDING_AT;

	constructor(private readonly maxItems: number) {}

	add(change: Change): void {
		const { key, version } = change;
		this.changes.set(`${key},${version.stampedAt}`, change);
		if (this.changes.size >= 2 * this.maxItems) this.keepOldest();
	}

	/** Lets a change of this time wait. */
	postpone(stampedAt: number): void {
		this.pendingAt = Math.min(this.pendingAt, stampedAt);
	}

	get all(): Iterable<Change> {
		return this.changes.values();
	}

	/** Those that start the workflow, the oldest first; the others wait. */
	select(): Change[] {
		this.keepOldest();
		return [...this.changes.values()];
	}

	private keepOldest(): void {
		const sorted = [...this.changes].sort(
			([, one], [, other]) => sortTimeOf(one) - sortTimeOf(other),
		);
		this.changes = new Map(sorted.slice(0, this.maxItems));
		const next = sorted[this.maxItems];
		if (next) this.postpone(sortTimeOf(next[1]));
	}
}

function sortTimeOf({ version }: Change): number {
	return version.stampedAt === NO_TIMESTAMP ? 0 : version.stampedAt;
}
