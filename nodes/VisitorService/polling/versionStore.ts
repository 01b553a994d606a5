import { MAX_REMEMBERED, RememberedVersions, WaitingVersions } from './memory';
import { comparePositions, earlierOf, type Position, type Version } from './versions';

/** The oldest version that waits, and the earliest moment any of them may be of. */
export type OldestWaiting = Position & { earliest: number };

/** What is kept of versions between polls. */
export interface VersionsMemory {
	/** The versions from `since` on that were returned; text of `RememberedVersions`. */
	remembered: string;
	/**
	 * Only versions before it are returned: those after it wait until there is room to remember them.
	 */
	onlyBefore?: Position;
	/** Of a reading that one poll could not end. */
	unfinished?: WaitingMemory;
}

export interface WaitingMemory {
	/** The oldest of them; text of `RememberedVersions`. */
	waiting: string;
	waitingCount: number;
	oldestWaiting?: OldestWaiting;
}

/**
 * Decides which versions are returned: those that can be remembered, because any other would come
 * again and again. The others wait for a later poll, the oldest first.
 */
export class VersionStore {
	readonly remembered: RememberedVersions;

	oldestWaiting?: OldestWaiting;

	/** Whether there was little room when the poll began. */
	readonly wasFull: boolean;

	private readonly waiting: WaitingVersions;

	/**
	 * Of a reading that takes several polls, how many versions are returned before it is known how
	 * many wait.
	 */
	private readonly maxUncounted: number;

	/** With the room for those that have to be returned before `since` can move. */
	private readonly capacity: number;

	/** @param isPastOverlap whether no older version will show any more */
	constructor(
		private readonly memory: VersionsMemory,
		private readonly isPastOverlap: (position: Position) => boolean,
		private readonly maxRemembered = MAX_REMEMBERED,
	) {
		const { unfinished, remembered } = memory;
		this.maxUncounted = Math.ceil(maxRemembered / 2);
		this.capacity = maxRemembered + Math.ceil(maxRemembered / 4);
		this.remembered = RememberedVersions.decode(remembered);
		this.wasFull = this.remembered.size >= this.maxUncounted;
		this.waiting = new WaitingVersions(
			unfinished?.waiting ?? '',
			Math.ceil(maxRemembered / 2),
			unfinished?.waitingCount,
		);
		this.oldestWaiting = unfinished?.oldestWaiting;
	}

	/** Whether another one can be remembered without being returned. */
	get hasRoom(): boolean {
		return this.remembered.size < this.capacity;
	}

	/**
	 * There is always room for the oldest versions, which have to be returned before `since` can
	 * move: of a list that was read at once they are known, of any other they were counted in the
	 * reading before.
	 */
	admits(version: Position, isWhole: boolean): boolean {
		const { onlyBefore } = this.memory;
		const { size } = this.remembered;
		const isFinal = this.isPastOverlap(version) && this.hasRoom;
		if (isWhole) return size < this.maxRemembered || isFinal;
		if (onlyBefore === undefined) return size < this.maxUncounted;
		return isFinal && comparePositions(version, onlyBefore) < 0;
	}

	wait(version: Version): void {
		const { time, key, earliest } = version;
		const oldest = earlierOf({ time, key }, this.oldestWaiting);
		this.oldestWaiting = {
			time: oldest.time,
			key: oldest.key,
			earliest: Math.min(earliest, this.oldestWaiting?.earliest ?? Infinity),
		};
		this.waiting.add(version);
	}

	/** What is kept of those that wait while a reading is under way. */
	encodeWaiting(): WaitingMemory {
		return {
			waiting: this.waiting.encode(),
			waitingCount: this.waiting.count,
			...(this.oldestWaiting && { oldestWaiting: this.oldestWaiting }),
		};
	}

	/**
	 * Makes room if older versions came to light than any that is remembered: the newest are returned
	 * twice.
	 */
	relieve(returnedUntil: Position): void {
		const { capacity, oldestWaiting, remembered } = this;
		if (oldestWaiting === undefined || remembered.size < capacity) return;
		if (!this.isPastOverlap(oldestWaiting) || remembered.reachesBefore(returnedUntil)) return;
		// They wait for room as well, and must not take it from the older ones again.
		for (const version of remembered.forgetNewest(Math.ceil(capacity / 2))) {
			this.waiting.add(version);
		}
	}

	/** The position before which there is room for all that waits. */
	boundary(): Position | undefined {
		const { capacity, maxUncounted, remembered, waiting } = this;
		if (waiting.count <= maxUncounted - remembered.size) return undefined;
		return waiting.boundary(Math.max(0, capacity - remembered.size));
	}
}
