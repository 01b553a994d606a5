import type { JsonObject } from '../values/json';
import { type Beginning, isFromBefore, settleBeginning } from './beginning';
import type { Contents } from './contents';
import type { RecordFields, RecordNames } from './fields';
import type { RememberedVersion } from './memory';
import { type MetMemory, MetVersions, movePlace, type PlaceMemory } from './place';
import type { PageOfRecords, PageQuery, ReadingEnd } from './reading';
import { VersionReader } from './recordVersions';
import type { ServiceTime } from './serviceTime';
import { VersionStore, type VersionsMemory, type WaitingMemory } from './versionStore';
import {
	comparePositions,
	earlierOf,
	isTickOver,
	MAX_ZONE_SHIFT,
	type Position,
	type TriggerOn,
	type Version,
} from './versions';

/** What is kept of a list that is asked for changes. */
export interface ChangesMemory extends PlaceMemory, VersionsMemory {
	/** When the first of the versions that wait may have been changed, if that is before `since`. */
	waitingFrom?: number;
	/** If `since` was set back: where it had been. What was created before it is not new. */
	createdBefore?: number;
	/** What the next poll remembers without returning it. */
	beginning?: Beginning;
	/** A reading that one poll could not end. */
	unfinished?: PageQuery &
		WaitingMemory & {
			/** Where `since` may move to, once the list was read. */
			reachable: number;
			/** The same by our clock, if versions wait and the service says no time. */
			presumed: number;
			/** The oldest version that came although it is older than asked for. */
			oldest?: number;
			met: MetMemory;
		};
}

export interface ChangesRules {
	since: Position;
	memory: ChangesMemory;
	fields: RecordFields;
	names: RecordNames;
	triggerOn: TriggerOn;
	/** Whether the service is relied on to send nothing older than asked for. */
	isFiltered: boolean;
	clock: ServiceTime;
	/** Milliseconds. */
	overlap: number;
	maxItems: number;
	maxRemembered?: number;
	contents: Contents;
	/** What is only remembered. */
	beginning?: Beginning;
	/** Whether the user knows that there are records without times. */
	knowsTimeless: boolean;
}

export interface ChangesOutcome {
	/** Oldest change first. */
	records: JsonObject[];
	since: Position;
	memory: ChangesMemory;
	notes: string[];
}

/** Filters may be exclusive and cut times to whole minutes: this much earlier than `since` they all agree. */
export const FILTER_SLACK = 61_000;

/** How much older than asked for records are at most that such a filter returns. */
const MAX_SLACK = 2 * FILTER_SLACK;

/** A version that was not returned yet, or one that was returned with another content. */
type Candidate = Version & { isKnown: boolean };

/** Finds the versions that were not returned yet among all that are read from `since` on, in whatever order. */
export class ChangeFinder {
	/** Whether records came that were last changed long before the time asked for. */
	farTooOld = false;

	private readonly reader: VersionReader;

	private readonly store: VersionStore;

	private candidates: Candidate[] = [];

	/** To be remembered without being returned. */
	private readonly onlyRemembered: Version[] = [];

	private readonly met: MetVersions;

	private oldest?: number;

	/** Settled when the first record comes, before it says more about the clock: one version must not seem two. */
	private reached?: number;

	constructor(private readonly rules: ChangesRules) {
		const { fields, memory, maxRemembered, names, triggerOn } = rules;
		this.reader = new VersionReader(fields, names, triggerOn);
		this.store = new VersionStore(memory, (version) => this.isPastOverlap(version), maxRemembered);
		this.met = new MetVersions(memory.unfinished?.met);
		this.oldest = memory.unfinished?.oldest;
	}

	get metNothing(): boolean {
		return this.met.count === 0;
	}

	/** Where the times of records are, as far as pages have shown them. */
	get fields(): RecordFields {
		return this.reader.fields;
	}

	/** When to ask for changes since. */
	get asked(): number {
		const { memory, since } = this.rules;
		return Math.max(0, Math.min(since.time, memory.waitingFrom ?? Infinity) - FILTER_SLACK);
	}

	/** @throws ServiceFailure if a record has no ID */
	take(records: readonly JsonObject[], query: PageQuery): void {
		this.reached ??= this.rules.clock.reached;
		this.reader.look(records);
		for (const record of records) this.takeRecord(record, { records, query });
	}

	/**
	 * Chooses what is returned, and how far the place moves.
	 *
	 * @throws ServiceFailure if no record has a time that can be read
	 */
	finish(end: ReadingEnd): ChangesOutcome {
		const { clock, memory, overlap, since } = this.rules;
		const { store } = this;
		const notes = this.reader.noteTimeless(this.rules.knowsTimeless);
		const isWhole = memory.unfinished === undefined && end.kind === 'ended';
		const { reachable, presumed } = memory.unfinished ?? {
			reachable: clock.reached - overlap,
			presumed: clock.presumed - overlap,
		};
		const beginning = this.rememberBeginning(end);
		const records = this.choose(isWhole);
		if (end.kind === 'ended') {
			// Without a Date our clock has to do if versions wait for room: the next change may be far away.
			const mustMakeRoom = store.wasFull && store.oldestWaiting !== undefined;
			const time = mustMakeRoom ? presumed : reachable;
			const position = earlierOf({ time, key: '' }, store.oldestWaiting);
			return { records, notes, ...this.complete(position, end, beginning) };
		}
		const { oldest } = this;
		const unfinished = {
			...end.next,
			...store.encodeWaiting(),
			...(oldest !== undefined && { oldest }),
			reachable,
			presumed,
			met: this.met.toMemory(),
		};
		const remembered = store.remembered.encode();
		return { records, notes, since, memory: { ...memory, beginning, remembered, unfinished } };
	}

	private takeRecord(record: JsonObject, page: PageOfRecords): void {
		const { clock, contents, beginning } = this.rules;
		const version = this.reader.read(record);
		if (version === undefined) return;
		const { updated } = version;
		clock.noteUpdate(updated.earliest);
		if (!this.met.add(version)) return;
		if (this.wasReturned(version, updated.latest)) return;

		const known = this.compare(version);
		if (known === 'same') return;
		const candidate = { ...version, isKnown: known === 'otherContent' };
		if (candidate.isKnown) contents.doubt(page);
		// What differs from what was remembered has changed since.
		const isBefore = !candidate.isKnown && isFromBefore(candidate, beginning);
		if (isBefore || this.isCreation(candidate)) this.onlyRemembered.push(candidate);
		else this.addCandidate(candidate);
	}

	/** Whether a version is one of those before `since`. */
	private wasReturned(version: Version, listedAt: number): boolean {
		const { isFiltered, memory, since, triggerOn } = this.rules;
		const isBefore = comparePositions(version, since) < 0;
		if (!isFiltered) return isBefore;
		// If older records were asked for on purpose, it is no wonder that they come.
		const age = Math.min(since.time, memory.waitingFrom ?? Infinity) - listedAt;
		if (age > MAX_ZONE_SHIFT) this.farTooOld = true;
		if (age <= MAX_SLACK || age > MAX_ZONE_SHIFT || triggerOn === 'created') return isBefore;
		// The filter goes by another time than the one shown, so this may well be a new version.
		this.oldest = Math.min(this.oldest ?? Infinity, version.time);
		return false;
	}

	private compare(version: Version): 'unknown' | 'same' | 'otherContent' {
		const { key, record } = version;
		const { remembered } = this.store;
		if (!remembered.comparesContent(key)) return remembered.compare(key, '');
		const result = remembered.compare(key, this.rules.contents.digest(record));
		if (result === 'same') this.remember(version, true);
		return result;
	}

	private remember(version: Version, wasMetBefore: boolean): void {
		const { tick, time: latest } = version;
		const { reached = -Infinity } = this;
		const { clock, overlap } = this.rules;
		const { sinceLastPoll } = clock;
		const isOver = isTickOver({ tick, latest }, { reached, overlap, sinceLastPoll }, wasMetBefore);
		const content = isOver ? '' : this.rules.contents.digest(version.record);
		this.store.remembered.remember({ time: version.time, key: version.key, content });
	}

	/** Whether it is the first version of a record that was created meanwhile, which does not count as an update. */
	private isCreation(version: Version): boolean {
		if (this.rules.triggerOn !== 'updated') return false;
		const creation = this.creationOf(version);
		return creation !== undefined && this.store.remembered.compare(creation.key, '') === 'unknown';
	}

	private creationOf(version: Version): RememberedVersion | undefined {
		const { memory, since } = this.rules;
		return this.reader.creationOf(version, Math.max(since.time, memory.createdBefore ?? -Infinity));
	}

	private rememberOnly(version: Version): void {
		const creation = this.rules.triggerOn === 'updated' ? this.creationOf(version) : undefined;
		if (!this.store.fits(creation ? 2 : 1)) {
			this.store.wait(version);
			return;
		}
		this.remember(version, false);
		if (creation) this.store.remembered.remember(creation);
	}

	/** Remembers what is not returned. @returns what the next poll only remembers */
	private rememberBeginning({ kind, requests }: ReadingEnd): Beginning | undefined {
		const { clock, memory, beginning } = this.rules;
		const isContinued = memory.unfinished !== undefined;
		const settled = settleBeginning(beginning, clock, {
			isUnfinished: kind === 'interrupted',
			isContinued,
			requests,
		});
		const isPresent = (version: Candidate) => !version.isKnown && settled.isPresent(version);
		this.onlyRemembered.push(...this.candidates.filter(isPresent));
		this.candidates = this.candidates.filter((version) => !isPresent(version));
		for (const version of this.onlyRemembered) this.rememberOnly(version);
		if (settled.next?.kind === 'firstReading') {
			for (const version of this.candidates.splice(0)) this.store.wait(version);
		}
		return settled.next;
	}

	private addCandidate(candidate: Candidate): void {
		const { maxItems, beginning } = this.rules;
		this.candidates.push(candidate);
		// Of a first reading it is not known yet what was there before.
		if (beginning?.kind !== 'firstReading' && this.candidates.length >= 2 * maxItems)
			this.cutCandidates();
	}

	private cutCandidates(): void {
		const { maxItems } = this.rules;
		this.candidates.sort(comparePositions);
		for (const version of this.candidates.splice(maxItems)) this.store.wait(version);
	}

	private choose(isWhole: boolean): JsonObject[] {
		const records: JsonObject[] = [];
		this.cutCandidates();
		for (const version of this.candidates) {
			if (version.isKnown || this.store.admits(version, isWhole)) {
				this.remember(version, version.isKnown);
				records.push(version.record);
			} else {
				this.store.wait(version);
			}
		}
		return records;
	}

	/** Whether no older version will show any more. */
	private isPastOverlap({ time }: Position): boolean {
		const { clock, overlap } = this.rules;
		return time < clock.presumed - overlap;
	}

	/** @param reached up to where every version was returned, if the reading missed none */
	private complete(reached: Position, { requests }: ReadingEnd, beginning: Beginning | undefined) {
		const { clock, memory, overlap } = this.rules;
		const { store } = this;
		const isWhole = memory.unfinished === undefined;
		const isSure = (isWhole && requests === 1) || this.rules.beginning?.kind === 'firstReading';
		const reading = { reached, isSure, digest: this.met.digest };
		const { since, ...place } = movePlace(this.rules.since, memory, reading, clock, overlap);
		this.forget();
		store.relieve(reached);
		const onlyBefore = isWhole ? undefined : store.boundary();
		const waitingFrom = store.oldestWaiting?.earliest ?? Infinity;
		const createdBefore = Math.max(this.rules.since.time, memory.createdBefore ?? -Infinity);
		return {
			since,
			memory: {
				...place,
				beginning,
				remembered: store.remembered.encode(),
				...(waitingFrom < since.time && { waitingFrom }),
				...(since.time < createdBefore && { createdBefore }),
				...(onlyBefore && { onlyBefore }),
			},
		};
	}

	/** What was not asked for this time, and did not come, does not come again. */
	private forget(): void {
		const { since } = this.rules;
		const kept = this.oldest === undefined ? since : { time: this.oldest, key: '' };
		const from = earlierOf(kept, since);
		this.store.remembered.forget((version) => comparePositions(version, from) < 0);
	}
}
