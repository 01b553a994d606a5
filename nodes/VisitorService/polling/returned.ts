import { FILTER_SLACK } from '../answer/updatedSince';
import type { Contents } from './contents';
import type { RememberedVersion } from './memory';
import type { VersionReader } from './recordVersions';
import type { ServiceTime } from './serviceTime';
import { VersionStore, type VersionsMemory, type WaitingMemory } from './versionStore';
import {
	comparePositions,
	earlierOf,
	isTickOver,
	laterOf,
	MAX_ZONE_SHIFT,
	type Position,
	type TriggerOn,
	type Version,
} from './versions';

export interface ReturnedMemory extends VersionsMemory {
	/** When the first of the versions that wait may have been changed, if that is before `since`. */
	waitingFrom?: number;
	/** If `since` was set back: where it had been. What was created before it is not new. */
	createdBefore?: number;
	unfinished?: WaitingMemory & {
		/** The oldest version that came although it is older than asked for. */
		oldest?: number;
	};
}

export interface ReturnedRules {
	/** Each version before it was returned. */
	since: Position;
	memory: ReturnedMemory;
	triggerOn: TriggerOn;
	/** Whether the service is relied on to send nothing older than asked for. */
	isFiltered: boolean;
	/** As of `KnownList`. */
	findsUndated?: boolean;
	/** As `slackFor`. */
	slack?: number;
	clock: ServiceTime;
	/** Milliseconds. */
	overlap: number;
	maxRemembered?: number;
	contents: Contents;
}

/** Tells versions that were returned from others, and remembers those that are returned now. */
export class ReturnedVersions {
	/** Whether records came that were last changed long before the time asked for. */
	farTooOld = false;

	readonly store: VersionStore;

	/** The oldest version that came although it is older than asked for. */
	oldest?: number;

	constructor(
		private readonly rules: ReturnedRules,
		private readonly reader: VersionReader,
	) {
		const { clock, memory, maxRemembered, overlap } = rules;
		// No older version will show any more.
		const isPastOverlap = ({ time }: Position) => time < clock.presumablyReached - overlap;
		this.store = new VersionStore(memory, isPastOverlap, maxRemembered);
		this.oldest = memory.unfinished?.oldest;
	}

	/** When to ask for changes since. */
	get asked(): number {
		const { memory, since } = this.rules;
		// The moment the first of those that wait may be of is the earliest its filter can take it for.
		const forWaiting = (memory.waitingFrom ?? Infinity) - FILTER_SLACK;
		return Math.max(0, Math.min(since.time - this.slack, forWaiting));
	}

	/** What was created before it is not new. */
	get createdBefore(): number {
		const { memory, since } = this.rules;
		return Math.max(since.time, memory.createdBefore ?? -Infinity);
	}

	/**
	 * Until when a version is found that the filter found by a time it does not show: as long as one
	 * that was changed just now.
	 *
	 * @param listedAt the latest moment the service may list it by
	 */
	foundUntil(listedAt: number): number {
		const { clock, isFiltered } = this.rules;
		const reach = this.slack + FILTER_SLACK;
		return isFiltered && this.ageOf(listedAt) > reach ? clock.startedAt + reach : -Infinity;
	}

	/**
	 * The version as it counts: a change that no time shows was made after the place.
	 *
	 * @param listedAt the latest moment the service may list it by
	 */
	stand(version: Version, listedAt: number): Version {
		const { isFiltered, findsUndated, since, triggerOn } = this.rules;
		const isUndated = isFiltered && this.ageOf(listedAt) > MAX_ZONE_SHIFT;
		if (!isUndated || !findsUndated || triggerOn === 'created') return version;
		return { ...version, time: since.time, earliest: since.time, isUndated };
	}

	/**
	 * @param listedAt the latest moment the service may list it by
	 * @returns how a version compares with what was returned
	 */
	compare(version: Version, listedAt: number): 'unknown' | 'same' | 'otherContent' {
		if (this.isBeforePlace(version, listedAt)) return 'same';
		const { key, record } = version;
		const { remembered } = this.store;
		if (!remembered.comparesContent(key)) {
			// Of an undated change only the content tells whether it was returned.
			return version.isUndated ? 'unknown' : remembered.compare(key, '');
		}
		const { contents } = this.rules;
		const result = remembered.compare(key, contents.digest(record));
		contents.count(result === 'same');
		if (result === 'same') this.remember(version, true);
		return result;
	}

	remember(version: Version, wasMetBefore: boolean): void {
		const { isUndated, key, record, tick, time: latest } = version;
		const { clock, contents, overlap } = this.rules;
		const { reached, sinceLastPoll } = clock;
		const isOver =
			!isUndated && isTickOver({ tick, latest }, { reached, overlap, sinceLastPoll }, wasMetBefore);
		const content = isOver ? '' : contents.digest(record);
		// An undated change may be found as long as one that was made just now.
		const time = isUndated ? Math.max(latest, clock.reachedByOurs + this.slack) : latest;
		this.store.remembered.remember({ time, key, content });
	}

	/**
	 * Whether it is the first version of a record that was created meanwhile, which does not count as
	 * an update.
	 */
	isCreation(version: Version): boolean {
		const creation = this.creationOf(version);
		return creation !== undefined && this.store.remembered.compare(creation.key, '') === 'unknown';
	}

	/** Remembers a version that is not returned, or lets it wait for room. */
	rememberOnly(version: Version): void {
		const creation = this.creationOf(version);
		if (!this.store.hasRoom) {
			this.store.wait(version);
			return;
		}
		this.remember(version, false);
		if (creation) this.store.remembered.remember(creation);
	}

	/** What was not asked for this time, and did not come, does not come again. */
	forget(): void {
		const { since } = this.rules;
		const kept = this.oldest === undefined ? since : { time: this.oldest, key: '' };
		const from = earlierOf(kept, since);
		this.store.remembered.forget((version) => comparePositions(version, from) < 0);
	}

	private isBeforePlace(version: Version, listedAt: number): boolean {
		const { isFiltered, since, triggerOn } = this.rules;
		const isBefore = comparePositions(version, since) < 0;
		if (!isFiltered) return isBefore;
		const age = this.ageOf(listedAt);
		if (age > MAX_ZONE_SHIFT && !this.store.remembered.has(version.key)) this.farTooOld = true;
		if (version.isUndated) return false;
		if (!isBefore || age > MAX_ZONE_SHIFT || triggerOn === 'created') return isBefore;
		// The filter goes by another time than the one shown, so this may well be a new version. One
		// that was returned stays remembered as long as the filter finds it, if there is room: the
		// place may move on so far that nothing else tells it.
		const { remembered, wasFull } = this.store;
		const isTold = wasFull || !remembered.has(version.key);
		if (age <= this.slack + FILTER_SLACK && isTold) return isBefore;
		this.oldest = Math.min(this.oldest ?? Infinity, version.time);
		return false;
	}

	/**
	 * How much older than `since` records are asked for. A filter returns none that is older still by
	 * more than it cuts.
	 */
	private get slack(): number {
		return this.rules.slack ?? FILTER_SLACK;
	}

	/** How much older a version is than the oldest that was asked for on purpose. */
	private ageOf(listedAt: number): number {
		return this.oldestAsked - listedAt;
	}

	/** Records are too old only if they are older than the oldest that were asked for on purpose. */
	private get oldestAsked(): number {
		const { memory, since } = this.rules;
		return Math.min(since.time, memory.waitingFrom ?? Infinity);
	}

	private creationOf(version: Version): RememberedVersion | undefined {
		const { since, triggerOn } = this.rules;
		if (triggerOn !== 'updated') return undefined;
		const known = laterOf(since, { time: this.createdBefore, key: '' });
		return this.reader.creationOf(version, known, since);
	}
}
