import type { JsonObject } from '../values/json';
import type { RecordFields, RecordNames } from './fields';
import type { NextPage, PageQuery } from './pagesRead';
import { type MetMemory, MetVersions, movePlace, type Place, type PlaceMemory } from './place';
import type { PageOfRecords, ReadingEnd } from './reading';
import { VersionReader } from './recordVersions';
import { type ReturnedMemory, type ReturnedRules, ReturnedVersions } from './returned';
import { comparePositions, earlierOf, type Position, type Version } from './versions';

/** What is kept of a list that is asked for changes. */
export interface ChangesMemory extends PlaceMemory, ReturnedMemory {
	/** The newest time that was met, or the place the trigger began with, if that is later. */
	newestMet?: number;
	/** As of `ChangesRules`, as long as the first reading lasts. */
	beginsAt?: number;
	/** A reading that one poll could not end. */
	unfinished?: NextPage &
		NonNullable<ReturnedMemory['unfinished']> & {
			/** Until when the list shows every change, once it was read. */
			completeUntil: number;
			/** The same by our clock, if versions wait and the service says no time. */
			presumedUntil: number;
			met: MetMemory;
			/** As of `ChangesRules`, if the place was put back. */
			sinceBefore?: Position;
		};
}

export interface ChangesRules extends ReturnedRules {
	memory: ChangesMemory;
	fields: RecordFields;
	names: RecordNames;
	maxItems: number;
	/** Where the place was before it was put back to look for what was missed. */
	sinceBefore: Position;
	/** What was changed before is only remembered. Milliseconds; undefined = nothing is. */
	beginsAt?: number;
}

export interface ChangesOutcome {
	/** Oldest change first. */
	records: JsonObject[];
	since: Position;
	memory: ChangesMemory;
	notes: string[];
}

/** A version that was not returned yet, or one that was returned with another content. */
type CandidateVersion = Version & { isKnown: boolean };

/** As `beginsAt`: whatever shows while the first reading lasts was there before. */
export const AFTER_ALL_THAT_SHOWS = Number.MAX_SAFE_INTEGER;

/**
 * Finds the versions that were not returned yet among all that are read from `since` on, in
 * whatever order.
 */
export class ChangeFinder {
	private readonly reader: VersionReader;

	private readonly returned: ReturnedVersions;

	private candidates: CandidateVersion[] = [];

	/** To be remembered without being returned. */
	private readonly onlyRemembered: Version[] = [];

	private readonly met: MetVersions;

	private newestMet: number;

	constructor(private readonly rules: ChangesRules) {
		const { fields, memory, names, triggerOn } = rules;
		this.reader = new VersionReader(fields, names, triggerOn);
		this.returned = new ReturnedVersions(rules, this.reader);
		this.met = new MetVersions(memory.unfinished?.met);
		this.newestMet = memory.newestMet ?? rules.sinceBefore.time;
	}

	/** Whether records came that were last changed long before the time asked for. */
	get farTooOld(): boolean {
		return this.returned.farTooOld;
	}

	/**
	 * Whether the filter was seen to find what it should: a user dated in the future is found however
	 * it is misread.
	 */
	metChange = false;

	/**
	 * Whether a version came that is newer than all that was met before, and yet before the place:
	 * the clock that stamps changes is further behind than it was.
	 */
	hasMissed = false;

	/** Where the times of records are, as far as pages have shown them. */
	get fields(): RecordFields {
		return this.reader.fields;
	}

	/** When to ask for changes since. */
	get asked(): number {
		return this.returned.asked;
	}

	/** @throws ServiceFailure if a record has no ID */
	take(records: readonly JsonObject[], query: PageQuery): void {
		this.reader.look(records);
		for (const record of records) this.takeRecord(record, { records, query });
	}

	/** Chooses what is returned, and how far the place moves. */
	finish(end: ReadingEnd): ChangesOutcome {
		const { clock, memory, overlap, since } = this.rules;
		const { oldest, store } = this.returned;
		const notes = this.reader.noteTimeless();
		const isWhole = memory.unfinished === undefined && end.kind === 'ended';
		const uncertain = overlap + clock.zoneSetBack;
		const { unfinished: before } = memory;
		// A clock may be set back while the list is read.
		const completeUntil = Math.min(before?.completeUntil ?? Infinity, clock.reached - uncertain);
		const presumedUntil = Math.min(
			before?.presumedUntil ?? Infinity,
			clock.presumablyReached - uncertain,
		);
		for (const version of this.onlyRemembered) this.returned.rememberOnly(version);
		const records = this.choose(isWhole);
		// Without a Date our clock has to do if versions wait: the next change may be far away.
		const mustMakeRoom = store.wasFull && store.oldestWaiting !== undefined;
		const time = mustMakeRoom ? presumedUntil : completeUntil;
		const returnedUntil = earlierOf({ time, key: '' }, store.oldestWaiting);
		const place = this.movedPlace(end, returnedUntil);
		const isPutBack = comparePositions(place.since, since) < 0;
		// What was put back is read from its beginning.
		if (end.kind === 'ended' || isPutBack) {
			if (end.kind === 'ended') {
				// Asked from an earlier time, a filter that knows days only may find what it did before.
				if (this.met.count > 0) this.returned.forget();
				store.relieve(returnedUntil);
			}
			return { records, notes, ...this.keep(place, end) };
		}
		const unfinished = {
			...end.next,
			...store.encodeWaiting(),
			...(oldest !== undefined && { oldest }),
			completeUntil,
			presumedUntil,
			met: this.met.toMemory(),
			...(this.wasPutBack && { sinceBefore: this.rules.sinceBefore }),
		};
		const { newestMet } = this;
		const { unproved } = place;
		const remembered = store.remembered.encode();
		const { beginsAt } = this.rules;
		const kept = { ...memory, unproved, newestMet, beginsAt, remembered, unfinished };
		return { records, notes, since, memory: kept };
	}

	private takeRecord(record: JsonObject, page: PageOfRecords): void {
		const { clock, contents, beginsAt = -Infinity } = this.rules;
		const shown = this.reader.read(record);
		if (shown === undefined) return;
		const { updated } = shown;
		clock.noteUpdate(shown.earliest);
		const version = this.returned.stand(shown, updated.latest);
		if (!clock.isMistake(updated.earliest)) this.noteMet(shown, updated.latest);
		if (!this.met.add(version)) return;
		const known = this.returned.compare(version, updated.latest);
		if (known === 'same') return;
		const candidate = { ...version, isKnown: known === 'otherContent' };
		if (candidate.isKnown) contents.doubt(page);
		const isOld = candidate.time < beginsAt || this.returned.isCreation(candidate);
		// What differs from what was remembered has changed since.
		const isChanged = candidate.isKnown && beginsAt !== AFTER_ALL_THAT_SHOWS;
		if (isOld && !isChanged) this.onlyRemembered.push(candidate);
		else this.addCandidate(candidate);
	}

	/** @param listedAt the latest moment the service may list it by */
	private noteMet({ time }: Version, listedAt: number): void {
		const { sinceBefore } = this.rules;
		const newest = Math.max(time, listedAt);
		// What is found by a time long before its own would be found if that is misread as a later one.
		if (!this.wasPutBack || time <= this.newestBefore) this.metChange = true;
		if (this.wasPutBack && time > this.newestBefore && newest < sinceBefore.time)
			this.hasMissed = true;
		this.newestMet = Math.max(this.newestMet, newest, this.returned.foundUntil(listedAt));
	}

	private get wasPutBack(): boolean {
		const { sinceBefore, since } = this.rules;
		return comparePositions(since, sinceBefore) < 0;
	}

	/** What was put back begins there; a reading under way has met newer ones since. */
	private get newestBefore(): number {
		const { memory, sinceBefore, since } = this.rules;
		return this.wasPutBack ? since.time : (memory.newestMet ?? sinceBefore.time);
	}

	private addCandidate(candidate: CandidateVersion): void {
		this.candidates.push(candidate);
		if (this.candidates.length >= 2 * this.rules.maxItems) this.cutCandidates();
	}

	private cutCandidates(): void {
		const { maxItems } = this.rules;
		this.candidates.sort(comparePositions);
		for (const version of this.candidates.splice(maxItems)) this.returned.store.wait(version);
	}

	private choose(isWhole: boolean): JsonObject[] {
		const { returned } = this;
		const records: JsonObject[] = [];
		this.cutCandidates();
		for (const version of this.candidates) {
			if (version.isKnown || returned.store.admits(version, isWhole)) {
				returned.remember(version, version.isKnown);
				records.push(version.record);
			} else {
				returned.store.wait(version);
			}
		}
		return records;
	}

	/** @param returnedUntil up to where every version was returned, if the reading missed none */
	private movedPlace(end: ReadingEnd, returnedUntil: Position): Place {
		const { clock, memory, overlap, since } = this.rules;
		if (this.hasMissed) {
			// What was changed since the clock was set back may be older than the newest change before.
			const time = this.newestBefore - clock.learnAnew() - overlap;
			return { since: { time, key: '' }, unproved: [] };
		}
		const { digest, unproved, unfinished } = memory;
		const isSure = unfinished === undefined && end.requests === 1;
		const reading = { returnedUntil, isSure, digest: this.met.digest };
		const before = { since, unproved, ...(digest !== undefined && { digest }) };
		return movePlace(before, end.kind === 'ended' ? reading : undefined, clock, overlap);
	}

	/** What is kept if the next reading begins at the place. */
	private keep(
		{ since, ...place }: Place,
		{ kind }: ReadingEnd,
	): Pick<ChangesOutcome, 'since' | 'memory'> {
		const { createdBefore, store } = this.returned;
		const onlyBefore = kind === 'ended' ? store.boundary() : this.rules.memory.onlyBefore;
		const waitingFrom = store.oldestWaiting?.earliest ?? Infinity;
		return {
			since,
			memory: {
				...place,
				newestMet: this.newestMet,
				...(kind === 'interrupted' && { beginsAt: this.rules.beginsAt }),
				remembered: store.remembered.encode(),
				...(waitingFrom < since.time && { waitingFrom }),
				...(since.time < createdBefore && { createdBefore }),
				...(onlyBefore && { onlyBefore }),
			},
		};
	}
}
