import { type JsonObject, readDotPath } from '../values/json';
import type { Contents } from './contents';
import {
	missingTime,
	type RecordFields,
	type RecordNames,
	readUpdate,
	requireId,
	withCreationTimes,
} from './fields';
import type { RememberedVersion } from './memory';
import { movePlace, type PlaceMemory } from './place';
import { isQuiet, type Quiet, settleQuiet } from './quiet';
import type { PagePlace, ReadingEnd, ReadPage } from './reading';
import { Room, type RoomMemory, type WaitingMemory } from './room';
import type { ServiceTime } from './serviceTime';
import {
	comparePositions,
	earlierOf,
	isTickOver,
	type Position,
	readMoment,
	type Version,
	versionKey,
} from './versions';

/** What a poll starts the workflow for. */
export type TriggerOn = 'createdOrUpdated' | 'created' | 'updated' | 'removed';

/** What is kept of a list that is asked for changes. */
export interface ChangesMemory extends PlaceMemory, RoomMemory {
	/** When the first of the versions that wait may have been changed, if that is before `since`. */
	waitingFrom?: number;
	/** What the next poll remembers without returning it. */
	quiet?: Quiet;
	/** A reading that one poll could not end. */
	open?: PagePlace &
		WaitingMemory & {
			/** Where `since` may move to, once the list was read. */
			reachable: number;
			/** The same by our clock, if versions wait and the service says no time. */
			presumed: number;
			/** The oldest version that came although it is older than asked for. */
			oldest?: number;
			/** How many versions were met, and the sum of their hashes. */
			met: number;
			sum: number;
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
	quiet?: Quiet;
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

/** How much older than `since` records come from filters that do so. */
const BAND = 2 * FILTER_SLACK;

/** The same if a filter knows days only, or the times shown are in a zone they are not marked with. */
export const WIDE_BAND = 26 * 3_600_000;

const SUM_MODULUS = 2 ** 48;

/** A version that was not returned yet, or one that was returned with another content. */
type Candidate = Version & { isKnown: boolean };

/** Finds the versions that were not returned yet among all that are read from `since` on, in whatever order. */
export class ChangeFinder {
	/** Whether records came that were last changed long before the time asked for. */
	farTooOld = false;

	/** Where the times of records are, as far as pages have shown them. */
	fields: RecordFields;

	private readonly room: Room;

	private candidates: Candidate[] = [];

	/** To be remembered without being returned. */
	private readonly quiet: Version[] = [];

	private readonly metNow = new Set<string>();

	private met: number;

	private sum: number;

	private oldest?: number;

	private taken = 0;

	private timeless = 0;

	private hasTimeField = false;

	/** Settled when the first record comes, before it says more about the clock: one version must not seem two. */
	private reached?: number;

	constructor(private readonly rules: ChangesRules) {
		const { fields, memory, maxRemembered } = rules;
		this.fields = fields;
		this.room = new Room(memory, (version) => this.isPastOverlap(version), maxRemembered);
		this.met = memory.open?.met ?? 0;
		this.sum = memory.open?.sum ?? 0;
		this.oldest = memory.open?.oldest;
	}

	get metNothing(): boolean {
		return this.met === 0;
	}

	/** When to ask for changes since. */
	get asked(): number {
		const { memory, since } = this.rules;
		return Math.max(0, Math.min(since.time, memory.waitingFrom ?? Infinity) - FILTER_SLACK);
	}

	/** @throws ServiceFailure if a record has no ID */
	take(records: readonly JsonObject[], place: PagePlace): void {
		this.reached ??= this.rules.clock.reached;
		this.fields = withCreationTimes(this.fields, records, this.rules.names);
		for (const record of records) this.takeRecord(record, { records, place });
	}

	/**
	 * Chooses what is returned, and how far the place moves.
	 *
	 * @throws ServiceFailure if no record has a time that can be read
	 */
	finish(end: ReadingEnd): ChangesOutcome {
		const { clock, memory, overlap, since } = this.rules;
		const { room } = this;
		const notes = this.noteTimeless();
		const isWhole = memory.open === undefined && end.next === undefined;
		const { reachable, presumed } = memory.open ?? {
			reachable: clock.reached - overlap,
			presumed: clock.presumed - overlap,
		};
		const quiet = this.keepQuiet(end);
		const records = this.choose(isWhole);
		if (end.next === undefined) {
			// Without a Date our clock has to do if versions wait for room: the next change may be far away.
			const mustMakeRoom = room.wasFull && room.oldestWaiting !== undefined;
			const time = mustMakeRoom ? presumed : reachable;
			const position = earlierOf({ time, key: '' }, room.oldestWaiting);
			return { records, notes, ...this.complete(position, end, quiet) };
		}
		const { oldest, met, sum } = this;
		const open = {
			...end.next,
			...room.encodeWaiting(),
			...(oldest !== undefined && { oldest }),
			reachable,
			presumed,
			met,
			sum,
		};
		const remembered = room.remembered.encode();
		return { records, notes, since, memory: { ...memory, quiet, remembered, open } };
	}

	private takeRecord(record: JsonObject, page: ReadPage): void {
		const { fields } = this;
		const { clock, contents, quiet } = this.rules;
		this.taken++;
		const version = this.versionOf(record);
		if (version === undefined) {
			this.timeless++;
			if (readDotPath(record, fields.updatedAt) !== undefined) this.hasTimeField = true;
			return;
		}
		const { updated } = version;
		clock.noteUpdate(updated.earliest);
		if (this.metNow.has(version.key)) return;
		this.metNow.add(version.key);
		this.met++;
		this.sum = (this.sum + hashOf(version.key)) % SUM_MODULUS;
		if (this.cameOutForGood(version, updated.latest)) return;

		const known = this.compare(version);
		if (known === 'same') return;
		const candidate = { ...version, isKnown: known === 'otherContent' };
		if (candidate.isKnown) contents.doubt(page);
		// What differs from what was remembered has changed since.
		const isBefore = !candidate.isKnown && isQuiet(candidate, quiet);
		if (isBefore || this.isCreation(candidate)) this.quiet.push(candidate);
		else this.addCandidate(candidate);
	}

	/** @returns undefined if the record has no time that can be read */
	private versionOf(record: JsonObject) {
		const { fields } = this;
		const { names, triggerOn } = this.rules;
		const id = requireId(record, fields.id, names);
		const created = fields.createdAt === '' ? undefined : readMoment(record, fields.createdAt);
		const updated = readUpdate(record, fields) ?? (triggerOn === 'created' ? created : undefined);
		const moment = triggerOn === 'created' ? created : updated;
		if (updated === undefined || moment === undefined) return undefined;
		// A record is created once, whatever becomes of it later.
		const key = versionKey(id, triggerOn === 'created' ? 'created' : updated.written);
		const tick = triggerOn === 'created' ? 0 : moment.tick;
		return { key, time: moment.latest, earliest: moment.earliest, tick, updated, record };
	}

	/** Whether a version is one of those before `since`. */
	private cameOutForGood(version: Version, listedAt: number): boolean {
		const { isFiltered, memory, since, triggerOn } = this.rules;
		const isBefore = comparePositions(version, since) < 0;
		if (!isFiltered) return isBefore;
		// If older records were asked for on purpose, it is no wonder that they come.
		const age = Math.min(since.time, memory.waitingFrom ?? Infinity) - listedAt;
		if (age > WIDE_BAND) this.farTooOld = true;
		if (age <= BAND || age > WIDE_BAND || triggerOn === 'created') return isBefore;
		// The filter goes by another time than the one shown, so this may well be a new version.
		this.oldest = Math.min(this.oldest ?? Infinity, version.time);
		return false;
	}

	private compare(version: Version): 'unknown' | 'same' | 'otherContent' {
		const { key, record } = version;
		const { remembered } = this.room;
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
		this.room.remembered.remember({ time: version.time, key: version.key, content });
	}

	/** Whether it is the first version of a record that was created meanwhile, which does not count as an update. */
	private isCreation(version: Version): boolean {
		if (this.rules.triggerOn !== 'updated') return false;
		const creation = this.creationOf(version);
		return creation !== undefined && this.room.remembered.compare(creation.key, '') === 'unknown';
	}

	/** @returns undefined if the record was created before `since` */
	private creationOf({ record }: Version): RememberedVersion | undefined {
		const { fields } = this;
		const { names, since } = this.rules;
		const created = readMoment(record, fields.createdAt);
		if (created === undefined || created.latest < since.time) return undefined;
		const key = versionKey(requireId(record, fields.id, names), 'created');
		return { key, time: created.latest, content: '' };
	}

	private rememberQuietly(version: Version): void {
		const creation = this.rules.triggerOn === 'updated' ? this.creationOf(version) : undefined;
		if (!this.room.fits(creation ? 2 : 1)) {
			this.room.wait(version);
			return;
		}
		this.remember(version, false);
		if (creation) this.room.remembered.remember(creation);
	}

	/** Remembers what is not returned. @returns what stays quiet in the next poll */
	private keepQuiet({ next, requests }: ReadingEnd): Quiet | undefined {
		const { clock, memory, quiet } = this.rules;
		const isContinued = memory.open !== undefined;
		const settled = settleQuiet(quiet, clock, {
			isOpen: next !== undefined,
			isContinued,
			requests,
		});
		const isPresent = (version: Candidate) => !version.isKnown && settled.isPresent(version);
		this.quiet.push(...this.candidates.filter(isPresent));
		this.candidates = this.candidates.filter((version) => !isPresent(version));
		for (const version of this.quiet) this.rememberQuietly(version);
		if (settled.next?.kind === 'present') {
			for (const version of this.candidates.splice(0)) this.room.wait(version);
		}
		return settled.next;
	}

	private addCandidate(candidate: Candidate): void {
		const { maxItems, quiet } = this.rules;
		this.candidates.push(candidate);
		// Of a first reading it is not known yet what was there before.
		if (quiet?.kind !== 'present' && this.candidates.length >= 2 * maxItems) this.cutCandidates();
	}

	private cutCandidates(): void {
		const { maxItems } = this.rules;
		this.candidates.sort(comparePositions);
		for (const version of this.candidates.splice(maxItems)) this.room.wait(version);
	}

	private choose(isWhole: boolean): JsonObject[] {
		const records: JsonObject[] = [];
		this.cutCandidates();
		for (const version of this.candidates) {
			if (version.isKnown || this.room.admits(version, isWhole)) {
				this.remember(version, version.isKnown);
				records.push(version.record);
			} else {
				this.room.wait(version);
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
	private complete(reached: Position, { requests }: ReadingEnd, quiet: Quiet | undefined) {
		const { clock, memory, overlap } = this.rules;
		const { room } = this;
		const isWhole = memory.open === undefined;
		const isSure = (isWhole && requests === 1) || this.rules.quiet?.kind === 'present';
		const reading = { reached, isSure, digest: `${this.met}.${this.sum}` };
		const { since, ...place } = movePlace(this.rules.since, memory, reading, clock, overlap);
		this.forget();
		room.relieve(reached);
		const comesBefore = isWhole ? undefined : room.boundary();
		const waitingFrom = room.oldestWaiting?.earliest ?? Infinity;
		return {
			since,
			memory: {
				...place,
				quiet,
				remembered: room.remembered.encode(),
				...(waitingFrom < since.time && { waitingFrom }),
				...(comesBefore && { comesBefore }),
			},
		};
	}

	/** What was not asked for this time, and did not come, does not come again. */
	private forget(): void {
		const { since } = this.rules;
		const kept = this.oldest === undefined ? since : { time: this.oldest, key: '' };
		const from = earlierOf(kept, since);
		this.room.remembered.forget((version) => comparePositions(version, from) < 0);
	}

	/** @throws ServiceFailure if no record has a time that can be read, and there is no such field either */
	private noteTimeless(): string[] {
		const { fields } = this;
		const { knowsTimeless, names } = this.rules;
		if (this.timeless === 0) return [];
		if (this.timeless === this.taken && !this.hasTimeField && !knowsTimeless) {
			throw missingTime(fields.updatedAt, [], names);
		}
		return [timelessNote(names)];
	}
}

export function timelessNote({ plural }: RecordNames): string {
	return `Some ${plural} have no time that can be read, so they are left out. Ask your service provider why.`;
}

/** 48 of the 72 bits of a key. */
function hashOf(key: string): number {
	return Buffer.from(key.slice(0, 8), 'base64url').readUIntBE(0, 6);
}
