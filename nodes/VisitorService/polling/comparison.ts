import { type RecordId, spelledAlike } from '../answer/identity';
import { ServiceFailure } from '../failure/serviceFailure';
import type { JsonObject } from '../values/json';
import { type ComparedRecord, decodeRecords, encodeRecords, MAX_MISSED } from './comparedRecords';
import type { Contents } from './contents';
import { type RecordFields, type RecordNames, readCreation, readUpdate, requireId } from './fields';
import type { NextPage, PageQuery } from './pagesRead';
import type { CompleteReading } from './place';
import type { PageOfRecords, ReadingEnd } from './reading';
import type { ServiceTime } from './serviceTime';
import {
	isTickOver,
	MAX_ZONE_SHIFT,
	type Moment,
	type Position,
	type TriggerOn,
	versionKey,
} from './versions';

/** What is kept of a list that is compared with what it held before. */
export interface ComparisonMemory {
	/** The service's time of the first reading. */
	startedAt: number;
	/** One line for each record. */
	records: string;
	/** Whether the list was read to its end once, so that each further record is new. */
	hasBeenRead: boolean;
	/** Whether records moved from page to page during the last reading that ended. */
	hasMoved: boolean;
	/** As of `PlaceMemory`. */
	unproved: Position[];
	/** A reading that one poll could not end. */
	unfinished?: NextPage & {
		/** Until when every state was returned, once the list was read. */
		returnedUntil: number;
	};
}

export interface ComparisonRules {
	memory: ComparisonMemory;
	fields: RecordFields;
	names: RecordNames;
	triggerOn: TriggerOn;
	clock: ServiceTime;
	/** Milliseconds. */
	overlap: number;
	maxItems: number;
	maxCompared?: number;
	contents: Contents;
}

export interface ComparisonOutcome {
	/** Oldest change first, as far as it is known. */
	records: JsonObject[];
	memory: ComparisonMemory;
	notes: string[];
	/** Undefined as long as the list was not read to its end. */
	complete?: CompleteReading;
}

/**
 * Records that are compared: 23 bytes for each, as a rule; for what was removed its ID and 5 bytes.
 */
const MAX_COMPARED = 50_000;

type State = Pick<ComparedRecord, 'time' | 'content'>;

interface CandidateRecord {
	record: JsonObject;
	/**
	 * When its state was made, as far as it is wanted: of its creation alone, if that is what counts.
	 */
	made: Moment | undefined;
	known: ComparedRecord | undefined;
}

/** Finds what differs between a list and what it held at the last readings. */
export class ListComparison {
	private readonly records: Map<string, ComparedRecord>;

	private readonly candidates = new Map<string, CandidateRecord>();

	/** Of those that may be removed: the key of each ID, however it is written. */
	private readonly written = new Map<RecordId, string>();

	constructor(private readonly rules: ComparisonRules) {
		this.records = decodeRecords(rules.memory.records);
		if (rules.triggerOn !== 'removed') return;
		for (const key of this.records.keys()) this.written.set(spelledAlike(idOf(key)), key);
	}

	/** @throws ServiceFailure if a record has no ID, or there are more than can be compared */
	take(records: readonly JsonObject[], query: PageQuery): void {
		for (const record of records) this.takeRecord(record, { records, query });
		if (this.records.size + this.candidates.size <= this.maxCompared) return;
		if (this.countMet() > this.maxCompared) throw this.tooMany(this.maxCompared);
	}

	/** Chooses what is returned; what is more than wanted is found again by the next reading. */
	finish(end: ReadingEnd): ComparisonOutcome {
		const { clock, fields, maxItems, memory, overlap, triggerOn } = this.rules;
		const isSnapshot =
			memory.unfinished === undefined && end.kind === 'ended' && end.requests === 1;
		const sorted = [...this.candidates].sort(
			([, one], [, other]) => changedAt(one) - changedAt(other),
		);
		const chosen = sorted.slice(0, maxItems);
		const waiting = sorted.slice(maxItems).map(([, candidate]) => changedAt(candidate));
		const returnedUntil = Math.min(
			memory.unfinished?.returnedUntil ?? Infinity,
			clock.reached - overlap,
			waiting[0] ?? Infinity,
		);
		for (const [key, candidate] of chosen) this.note(key, this.stateOf(candidate));
		this.forgetLongGone();
		const records = chosen.map(([, { record }]) => record);
		if (end.kind === 'interrupted') {
			const kept = { ...memory, records: encodeRecords(this.records) };
			return {
				records,
				memory: { ...kept, unfinished: { ...end.next, returnedUntil } },
				notes: [],
			};
		}
		const notes: string[] = [];
		// Records that came twice, such as those of a list without an order, stand in for others that
		// did not come.
		const met = this.countMet();
		const isComplete = end.isComplete && (end.total ?? 0) <= met;
		const gone = isComplete ? this.findGone(isSnapshot) : this.forgetMet();
		// For the others, what comes back as it was has not changed.
		if (triggerOn === 'removed') {
			for (const key of gone.slice(0, maxItems)) {
				this.records.delete(key);
				records.push({ [fields.id]: idOf(key) });
			}
			if (!isComplete) notes.push(this.unreadable('nothing counts as removed'));
		} else if (!end.isComplete && met > 0) {
			notes.push(this.unreadable('changes may be missed'));
		}
		const { startedAt, hasBeenRead, unproved } = memory;
		const compared = encodeRecords(this.records);
		return {
			records,
			memory: {
				startedAt,
				records: compared,
				hasBeenRead: hasBeenRead || isComplete || met > 0,
				hasMoved: end.hasMoved,
				unproved,
			},
			notes,
			complete: {
				returnedUntil: { time: returnedUntil, key: '' },
				isSure: isSnapshot && isComplete,
				// What an incomplete reading has not met says nothing.
				digest: isComplete ? compared : '',
			},
		};
	}

	private get maxCompared(): number {
		return this.rules.maxCompared ?? MAX_COMPARED;
	}

	/**
	 * How many records the list has, as far as it was read. What is missing from it counts no more.
	 */
	private countMet(): number {
		const met = [...this.records.values()].filter(({ isMet }) => isMet);
		const unknown = [...this.candidates.values()].filter(({ known }) => known === undefined);
		return met.length + unknown.length;
	}

	/** What left the list is remembered as long as there is room, the latest as a rule. */
	private forgetLongGone(): void {
		let tooMany = this.records.size - 2 * this.maxCompared;
		for (const [key, { isMet }] of this.records) {
			if (tooMany <= 0) return;
			if (isMet) continue;
			this.records.delete(key);
			tooMany--;
		}
	}

	private takeRecord(record: JsonObject, page: PageOfRecords): void {
		const { clock, fields, memory, names, triggerOn } = this.rules;
		const id = requireId(record, fields.id, names);
		const made = triggerOn === 'created' ? this.creationOf(record) : readUpdate(record, fields);
		if (made) clock.noteUpdate(made.earliest);
		if (triggerOn === 'removed') {
			this.note(this.writtenKey(id), { time: undefined, content: '' });
			return;
		}
		const key = versionKey(id, '');
		const known = this.records.get(key);
		const candidate = { record, made, known };
		// Of two states that one reading shows the first one counts: what happened meanwhile shows in
		// the next one.
		if (known?.isMet || this.candidates.has(key)) return;
		if (known && isBefore(made?.earliest, known.time) && !known.wasOlder) {
			// It may come from a copy of the list that lags behind. What the next reading shows as well
			// is believed.
			Object.assign(known, { isMet: true, wasOlder: true });
			return;
		}
		const isWanted =
			known === undefined
				? memory.hasBeenRead && this.wants(record)
				: this.differs(candidate, known, page);
		if (known) known.isMet = true;
		if (isWanted) this.candidates.set(key, candidate);
		else this.note(key, this.stateOf(candidate));
	}

	/** The ID as it was written first: a service may come to write it in another way. */
	private writtenKey(id: RecordId): string {
		const alike = spelledAlike(id);
		const key = this.written.get(alike) ?? JSON.stringify(id);
		this.written.set(alike, key);
		return key;
	}

	private differs(
		{ record, made }: CandidateRecord,
		known: ComparedRecord,
		page: PageOfRecords,
	): boolean {
		const { contents, triggerOn } = this.rules;
		// An ID may be used again.
		if (triggerOn === 'created') return isBefore(known.time, made?.earliest);
		if (known.time !== made?.earliest) {
			return triggerOn !== 'updated' || !this.wasCreatedAfter(known, record);
		}
		if (known.content === '') return false;
		const isSame = known.content === contents.digest(record);
		contents.count(isSame);
		if (!isSame) contents.doubt(page);
		return !isSame;
	}

	private note(key: string, state: State): void {
		this.records.set(key, { ...state, missed: 0, isMet: true, wasOlder: false });
	}

	/**
	 * Whether a record that was not there before is what the user wants: one that only came back was
	 * not created.
	 */
	private wants(record: JsonObject): boolean {
		const { memory, triggerOn } = this.rules;
		if (triggerOn === 'createdOrUpdated') return true;
		const created = this.creationOf(record);
		// The clock that stamps records may be in another zone than it says.
		const isNew = created === undefined || created.latest >= memory.startedAt - MAX_ZONE_SHIFT;
		return isNew === (triggerOn === 'created');
	}

	/** Whether the record is another one than was known, with the same ID. */
	private wasCreatedAfter({ time = Infinity }: ComparedRecord, record: JsonObject): boolean {
		// Its first version may show a creation after its update, by another clock or in another zone.
		return (this.creationOf(record)?.earliest ?? 0) > time + MAX_ZONE_SHIFT;
	}

	private creationOf(record: JsonObject): Moment | undefined {
		return readCreation(record, this.rules.fields);
	}

	/** What is to be remembered of a record. */
	private stateOf({ record, made, known }: CandidateRecord): State {
		const { clock, contents, overlap, triggerOn } = this.rules;
		const { reached, sinceLastPoll } = clock;
		const time = made?.earliest;
		const isOver =
			made !== undefined &&
			isTickOver(made, { reached, overlap, sinceLastPoll }, known?.time === time);
		const isAllThatCounts = isOver || triggerOn === 'created';
		return { time, content: isAllThatCounts ? '' : contents.digest(record) };
	}

	/** @returns the keys of records that are gone for good */
	private findGone(isSnapshot: boolean): string[] {
		const missing = [...this.records].filter(([, { isMet }]) => !isMet);
		const hasLost = missing.some(([, { missed }]) => missed === 0);
		for (const known of this.records.values()) {
			known.missed = known.isMet ? 0 : Math.min(MAX_MISSED, known.missed + 1);
			known.isMet = false;
		}
		// In one answer nothing moves out of sight; nor had it, if during the last reading nothing
		// moved, and nothing that it met is missing now.
		const wasStill = !this.rules.memory.hasMoved && !hasLost;
		const enough = isSnapshot || wasStill ? 2 : MAX_MISSED;
		return missing.filter(([, { missed }]) => missed >= enough).map(([key]) => key);
	}

	private forgetMet(): string[] {
		for (const known of this.records.values()) known.isMet = false;
		return [];
	}

	private tooMany(most: number): ServiceFailure {
		const { plural } = this.rules.names;
		return new ServiceFailure(
			`The list has more than ${most} ${plural}, the maximum this trigger can compare.`,
			`List the ${plural} on a schedule with the Visitor Service node, and keep them in a data table.`,
			{ kind: 'configuration' },
		);
	}

	private unreadable(consequence: string): string {
		const { plural } = this.rules.names;
		return `The list of ${plural} could not be read to a sure end, so ${consequence}. Run Diagnose to see what the service says of its pages.`;
	}
}

/** @param key of a record that may be removed */
function idOf(key: string): RecordId {
	const id: unknown = JSON.parse(key);
	return typeof id === 'number' ? id : String(id);
}

function isBefore(one: number | undefined, other: number | undefined): boolean {
	return one !== undefined && other !== undefined && one < other;
}

function changedAt({ made }: CandidateRecord): number {
	return made?.earliest ?? 0;
}
