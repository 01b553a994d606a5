import { spelledAlike } from '../answer/identity';
import { shortDigest } from '../values/digest';
import { SECOND } from '../values/instant';
import type { JsonObject } from '../values/json';
import { contentDigest, type Sample, sampleOf } from './contents';
import type { PollCursor } from './cursor';
import {
	completeFields,
	type RecordFields,
	type RecordNames,
	readCreation,
	readUpdate,
	requireId,
	showsTime,
} from './fields';
import type { Known, KnownRecords } from './known';
import type { PollSettings } from './open';
import { NEVER } from './place';
import {
	ANY_ZONE,
	endOf,
	isState,
	type Moment,
	stateText,
	timeOf,
	versionOf,
	versionText,
} from './versions';

export interface DifferenceRules
	extends Pick<PollCursor, 'floor' | 'isBaseline'>,
		Pick<PollSettings, 'holds' | 'maxItems' | 'triggerOn'> {
	known: KnownRecords;
	fields: RecordFields;
	names: RecordNames;
	/** Whether the records of the whole list are remembered, so that any other one is new. */
	isCompared: boolean;
	/** What the service's clock shows. */
	now: () => number;
	/** Dot paths of fields that do not count. */
	without: readonly string[];
	/** What one record held at the last poll. */
	sample: Sample | undefined;
}

interface Candidate {
	record: JsonObject;
	key: string;
	state: string;
}

/** The state of a record that matches; that of any other one is empty. Neither has a time. */
const MATCHES = stateText('', 'm');

/** A service may write a record once more as soon as it is created. */
const WRITTEN_TWICE = 2 * SECOND;

/** 54 bits: among 200,000 records no other one is taken for a known one. */
const KEY_LENGTH = 9;

/** Finds what differs between what a list shows and what is remembered of it. */
export class Differences {
	/** Where the times of records are, and how they are written, as far as pages have shown that. */
	fields: RecordFields;

	/** How many records came, mistakes apart. */
	met = 0;

	/** Whether a record was left out because it has no time. */
	hasTimeless = false;

	/** Whether a record has something where its time is looked for; and one that has not. */
	hasField = false;

	withoutField?: JsonObject;

	/** The oldest time that came although it is of before; Infinity if none. */
	oldest = Infinity;

	/** How many records hold the same, or something else, at the same time as before. */
	readonly compared = { same: 0, differing: 0 };

	/** The record that the next poll is compared with, whatever the order of the list. */
	private sampled?: { key: string; record: JsonObject };

	private candidates = new Map<string, Candidate>();

	private waitingFrom = NEVER;

	/** The newest time of each record. */
	private readonly times = new Map<string, number>();

	constructor(private readonly rules: DifferenceRules) {
		this.fields = rules.fields;
	}

	/**
	 * The newest time that two records reached. A list of one record begins at its time, or an older
	 * state of it, from a copy that lags, would be taken for new.
	 */
	get newest(): number {
		const { isBaseline, now } = this.rules;
		const [first = -Infinity, second] = [...this.times.values()].sort((a, b) => b - a);
		if (second !== undefined) return second;
		return isBaseline && first <= now() ? first : -Infinity;
	}

	get sample(): Sample | undefined {
		const { sample, without } = this.rules;
		return this.sampled ? sampleOf(this.sampled.key, this.sampled.record, without) : sample;
	}

	/** The fields that differ in the record that the last poll was compared with. */
	get differing(): string[] {
		const { sample } = this.rules;
		const { digests, key } = this.sample ?? {};
		if (sample === undefined || digests === undefined || key !== sample.key) return [];
		const names = Object.keys({ ...sample.digests, ...digests });
		return names.filter((name) => sample.digests[name] !== digests[name]);
	}

	/** @throws ServiceFailure if a record has no ID */
	take(records: readonly JsonObject[]): void {
		this.fields = completeFields(this.fields, records, this.rules.names, this.rules.triggerOn);
		for (const record of records) this.takeRecord(record);
	}

	/** The records that start the workflow, the oldest first; the others wait. */
	choose(): { records: JsonObject[]; waitingFrom: number } {
		this.cut(this.rules.maxItems);
		const chosen = [...this.candidates.values()];
		for (const { key, state } of chosen) this.rules.known.remember(key, state);
		return { records: chosen.map(({ record }) => record), waitingFrom: this.waitingFrom };
	}

	private takeRecord(record: JsonObject): void {
		const { fields } = this;
		const { holds, isBaseline, isCompared, known, names, triggerOn } = this.rules;
		const id = requireId(record, fields.id, names);
		if (triggerOn === 'removed') {
			const alike = spelledAlike(id);
			const written = alike === id ? '' : JSON.stringify(id);
			known.remember(JSON.stringify(alike), stateText('', written));
			return;
		}
		const key = shortDigest(JSON.stringify(spelledAlike(id)), KEY_LENGTH);
		const before = known.get(key);
		if (before) before.isMet = true;
		if (triggerOn === 'startsToMatch') {
			this.met++;
			const state = holds(record) ? MATCHES : '';
			if (state !== before?.seen.at(-1)) this.settle({ record, key, state }, state !== '');
			return;
		}
		const isCreated = triggerOn === 'created';
		const made = isCreated ? readCreation(record, fields) : readUpdate(record, fields);
		if (showsTime(record, fields.updatedAt)) this.hasField = true;
		else this.withoutField ??= record;
		if (made === undefined && !isCompared) {
			this.hasTimeless = true;
			return;
		}
		this.noteTime(key, made);
		const version = versionText(made);
		const state = stateText(version, this.contentOf(record, made));
		if (state !== version && !(key > (this.sampled?.key ?? key))) this.sampled = { key, record };
		const isSameVersion = before?.seen.some((one) => versionOf(one) === version) === true;
		if (isSameVersion && !this.differs(before.seen, state)) return;
		if (!isSameVersion && this.isOfBefore(version, before?.seen)) return;
		if (!isBaseline && this.isDoubted(key, version, before?.seen)) return;
		const isWanted = isSameVersion || this.wants(record, made, before !== undefined);
		this.settle({ record, key, state }, isWanted && holds(record));
	}

	/** A state that shows for the first time is remembered, and may be one to return. */
	private settle(candidate: Candidate, isWanted: boolean): void {
		const { isBaseline, known, maxItems } = this.rules;
		if (isBaseline || !isWanted) known.remember(candidate.key, candidate.state);
		else this.candidates.set(`${candidate.key} ${candidate.state}`, candidate);
		if (this.candidates.size >= 2 * maxItems) this.cut(maxItems);
	}

	private noteTime(key: string, made: Moment | undefined): void {
		const { time } = made ?? { time: -Infinity };
		// Later than any clock may show: somebody wrote it by mistake.
		if (time >= this.rules.now() + ANY_ZONE) return;
		this.met++;
		if (made) this.times.set(key, Math.max(time, this.times.get(key) ?? time));
	}

	/** Empty if no other content can have the same version. */
	private contentOf(record: JsonObject, made: Moment | undefined): string {
		const { triggerOn, without } = this.rules;
		return triggerOn === 'created' || made?.tick === 0 ? '' : contentDigest(record, without);
	}

	/**
	 * Whether a version that was seen holds something else now. If it was seen last, it may hold
	 * again what it held before.
	 */
	private differs(seen: readonly string[], state: string): boolean {
		const last = seen.at(-1) ?? '';
		const isLast = versionOf(last) === versionOf(state);
		const differs = !(isLast ? isState(last, state) : seen.some((one) => isState(one, state)));
		if (last !== versionOf(last)) this.compared[differs ? 'differing' : 'same']++;
		return differs;
	}

	private isOfBefore(version: string, seen?: readonly string[]): boolean {
		const { floor, isCompared } = this.rules;
		const end = endOf(version, this.fields.unit);
		if (!(end < floor) || (isCompared && !seen)) return false;
		this.oldest = Math.min(this.oldest, end);
		return true;
	}

	/**
	 * Whether an older version than one that was seen shows for the first time: it may come from a
	 * copy that lags behind. If the next reading shows it too, it counts.
	 */
	private isDoubted(key: string, version: string, seen: readonly string[] = []): boolean {
		const { known } = this.rules;
		const time = timeOf(version);
		if (!seen.some((one) => timeOf(one) > time)) return false;
		const doubt = `${key}?${version}`;
		// A page returned twice in one reading is not a second witness.
		const { isMet = true, missed = 0 } = known.get(doubt) ?? {};
		if (!isMet && missed === 0) return false;
		known.remember(doubt, version);
		this.waitingFrom = Math.min(this.waitingFrom, time);
		return true;
	}

	/** Whether another version of a record is what the user wants, or a record that was not known. */
	private wants(record: JsonObject, made: Moment | undefined, isKnown: boolean): boolean {
		const { floor, isCompared, triggerOn } = this.rules;
		const creation = readCreation(record, this.fields);
		// The first state of a record, be it late. With coarse times an update may look like it.
		const isFirst = creation && made && made.tick <= 1 && made.time === creation.time;
		if (triggerOn === 'updated' && isFirst) return false;
		if (triggerOn === 'createdOrUpdated' || isKnown) return true;
		// Without a time of its creation, one that a whole list did not show is new.
		if (creation === undefined) return isCompared === (triggerOn === 'created');
		if (triggerOn === 'created') return true;
		const created = endOf(versionText(creation), this.fields.unit);
		return created < floor || created + WRITTEN_TWICE < (made?.time ?? 0);
	}

	/** Leaves the oldest of the candidates. */
	private cut(count: number): void {
		const time = ({ state }: Candidate) => timeOf(state) || 0;
		const sorted = [...this.candidates].sort(([, one], [, other]) => time(one) - time(other));
		this.candidates = new Map(sorted.slice(0, count));
		const next = sorted[count];
		if (next) this.waitingFrom = Math.min(this.waitingFrom, time(next[1]));
	}
}

/** The ID of a record that may be removed, as it was written last. */
export function idOf(key: string, { seen: [state = ''] }: Known): unknown {
	return JSON.parse(state.slice(1) || key);
}
