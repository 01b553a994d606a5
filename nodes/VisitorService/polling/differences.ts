import { shownPath } from '../answer/fieldNames';
import { spelledAlike } from '../answer/identity';
import { findUpdateTimes } from '../answer/updateTimes';
import { shortDigest } from '../values/digest';
import { SECOND } from '../values/instant';
import type { JsonObject } from '../values/json';
import { contentDigest, fieldDigests, type Sample } from './contents';
import type { PollCursor } from './cursor';
import { isNeverUpdated, mustSet, readCreation, readUpdate, requireId, showsTime } from './fields';
import { type Known, KnownRecords, type State, TIMELESS } from './known';
import { ANY_ZONE, endOf, readTime, tickOf } from './moment';
import type { OpenedList, PollSettings } from './open';
import type { PolledList } from './pages';
import { NEVER } from './place';

/** A poll of a list that was opened. */
export interface OpenPoll {
	list: PolledList;
	settings: PollSettings;
	cursor: PollCursor;
	opened: OpenedList;
}

interface Candidate {
	record: JsonObject;
	key: string;
	state: State;
}

/** What stands for the content of a record that matches. */
const MATCHES = 'm';

/** So many records that differ at once, and no other one, speak of a field that is renewed. */
const MANY = 3;

/** A service may write a record once more as soon as it is created. */
const WRITTEN_TWICE = 2 * SECOND;

/** 54 bits: among 200,000 records no other one is taken for a known one. */
const KEY_LENGTH = 9;

/** Finds what differs between what a list shows and what is remembered of it. */
export class Differences {
	readonly known: KnownRecords;

	/** Whether a record was left out because it has no time. */
	private hasTimeless = false;

	/** Whether a record shows an update time, be it one that stands for none; one that does not. */
	private hasField = false;

	private withoutField?: JsonObject;

	/** The oldest time that came although it is of before; Infinity if none. */
	private oldest = Infinity;

	/** How many records hold the same, or something else, at the same time as before. */
	private readonly compared = { same: 0, differing: 0 };

	/** What the record holds by which the next poll names fields that differ. */
	sample?: Sample;

	/** The fields that differ in the record that the last poll kept. */
	private readonly differing = new Set<string>();

	private candidates = new Map<string, Candidate>();

	private waitingFrom = NEVER;

	/** The newest time of each record, mistakes apart. */
	readonly times = new Map<string, number>();

	/** Whether the records of the whole list are remembered, so that any other one is new. */
	private readonly isCompared: boolean;

	constructor(private readonly poll: OpenPoll) {
		this.known = new KnownRecords(poll.cursor.known);
		this.isCompared = poll.opened.reads === 'comparison';
		const { sample } = poll.opened;
		if (sample && this.known.get(sample.key)?.missed === 0) this.sample = sample;
	}

	/** The newest time that two records reached, as one may be wrong. */
	get newest(): number {
		const [, second = -Infinity] = [...this.times.values()].sort((one, other) => other - one);
		return second;
	}

	/** @throws ServiceFailure if a record has no ID */
	readonly take = (records: readonly JsonObject[]): void => {
		const { list, opened, settings } = this.poll;
		for (const record of records) {
			const id = requireId(record, opened.fields.id, list.source.names);
			const key = shortDigest(JSON.stringify(spelledAlike(id)), KEY_LENGTH);
			const before = this.known.get(key);
			if (before) before.isMet = true;
			if (settings.triggerOn === 'removed')
				this.known.remember(key, {
					time: TIMELESS,
					content: encodeURIComponent(JSON.stringify(id)),
				});
			else if (settings.triggerOn === 'startsToMatch') this.takeMatch(record, key, before);
			else this.takeVersion(record, key, before?.seen);
		}
	};

	/** The records that start the workflow, the oldest first; the others wait. */
	choose(): { records: JsonObject[]; waitingFrom: number } {
		this.cut(this.poll.settings.maxItems);
		const chosen = [...this.candidates.values()];
		for (const { key, state } of chosen) this.known.remember(key, state);
		return { records: chosen.map(({ record }) => record), waitingFrom: this.waitingFrom };
	}

	/**
	 * What the user should know of the times and contents that came.
	 *
	 * @param since the time that was asked for; none if the whole list was read
	 * @throws ServiceFailure if the update time has another name by now, or is gone
	 */
	remarks(since: number | undefined): string[] {
		const { compared, differing, hasField, hasTimeless, oldest, poll, withoutField } = this;
		const { names } = poll.list.source;
		const { fields } = poll.opened;
		const { updatedAt } = fields;
		const { name, plural } = names;
		const where =
			differing.size > 0
				? ` at ${[...differing].map((field) => `"${shownPath(field)}"`).join(', ')}`
				: '';
		const although = updatedAt === '' ? '' : ' although their times are the same';
		const renewed = `All ${plural} differ${where}${although}, so each of them started the workflow. If a field is renewed again and again, such as a signed URL, add it to Ignore Fields.`;
		const notes = compared.same === 0 && compared.differing >= MANY ? [renewed] : [];
		if (updatedAt === '') return notes;
		const isCreated = poll.settings.triggerOn === 'created';
		const isMissing = !isCreated && withoutField !== undefined && !hasField;
		if (isMissing && (!readUpdate(withoutField, fields) || findUpdateTimes([withoutField], name)))
			throw mustSet('updatedAt', updatedAt, [withoutField], names);
		const cameWhole = since === undefined || oldest < since - ANY_ZONE;
		const [path, option] = isCreated ? [fields.createdAt, 'Created'] : [updatedAt, 'Updated'];
		const gone = `Some ${plural} do not show a time at "${path}" any more, so changes may be missed. Ask your service provider why, or set ${option} At Path to another time.`;
		const older = `The service ignores "updatedSince", or finds users by another time than "${updatedAt}": it also sends users that were changed earlier, which do not start the workflow. Ask your service provider, or set Updated Since Format or Updated At Path.`;
		if (hasTimeless || (isMissing && cameWhole)) notes.push(gone);
		// Of creations, those of before are found by later updates.
		if (since !== undefined && cameWhole && !isCreated) notes.push(older);
		return notes;
	}

	private takeMatch(record: JsonObject, key: string, before: Known | undefined): void {
		const content = this.poll.settings.holds(record) ? MATCHES : '';
		if (content === before?.seen.at(-1)?.content) return;
		this.settle({ record, key, state: { time: TIMELESS, content } }, content !== '');
	}

	private takeVersion(record: JsonObject, key: string, seen: readonly State[] | undefined): void {
		const { cursor, list, opened, settings } = this.poll;
		const { fields } = opened;
		const isCreated = settings.triggerOn === 'created';
		const made = isCreated ? readCreation(record, fields) : readUpdate(record, fields);
		if (showsTime(record, fields.updatedAt)) this.hasField = true;
		else this.withoutField ??= record;
		if (made === undefined && !this.isCompared) {
			this.hasTimeless = true;
			return;
		}
		const state = isCreated ? { time: made ?? TIMELESS, content: '' } : this.stateOf(record, made);
		const { content, time } = state;
		// Later than any clock may show: somebody wrote it by mistake.
		if (time < list.clock.shown + ANY_ZONE)
			this.times.set(key, Math.max(time, this.times.get(key) ?? time));
		if (content !== '' && key === (this.sample?.key ?? key)) this.takeSample(record, key);
		const isSameVersion = seen?.some((one) => one.time === time) === true;
		const isNews = isSameVersion ? this.differs(seen, state) : !this.isOfBefore(time, seen);
		if (!isNews || (!cursor.isBaseline && this.isDoubted(key, time, seen))) return;
		const isWanted = isSameVersion || this.wants(record, made, seen !== undefined);
		this.settle({ record, key, state }, isWanted && settings.holds(record));
	}

	/** @param made when the record was changed last, if it shows that */
	private stateOf(record: JsonObject, made = TIMELESS): State {
		const { fields, without } = this.poll.opened;
		// Without an update time of its own, what is compared may change at any time.
		const isUndated = isNeverUpdated(record, fields);
		const time = this.isCompared && isUndated ? TIMELESS : made;
		// A change may leave the time as it is, or leave the update time empty.
		const mayHide = time === TIMELESS || tickOf(time) > 0 || isUndated;
		return { time, content: mayHide ? contentDigest(record, without) : '' };
	}

	private takeSample(record: JsonObject, key: string): void {
		const digests = fieldDigests(record, this.poll.opened.without);
		const before = this.sample?.digests ?? digests;
		const names = Object.keys({ ...before, ...digests });
		for (const name of names) if (before[name] !== digests[name]) this.differing.add(name);
		this.sample = { key, digests };
	}

	/** A new state is one to return, or is remembered at once: what is cut off must come again. */
	private settle(candidate: Candidate, isWanted: boolean): void {
		const { cursor, settings } = this.poll;
		const { key, state } = candidate;
		if (cursor.isBaseline || !isWanted) this.known.remember(key, state);
		else this.candidates.set([key, state.time, state.content].join(), candidate);
		if (this.candidates.size >= 2 * settings.maxItems) this.cut(settings.maxItems);
	}

	/**
	 * Whether a version that was seen holds something else now. If it was seen last, it may hold
	 * again what it held before.
	 */
	private differs(seen: readonly State[], { content, time }: State): boolean {
		const [last] = seen.slice(-1);
		const isAlike = (one: State) =>
			one.time === time && (one.content === '' || one.content === content);
		const differs = !(last?.time === time ? [last] : seen).some(isAlike);
		if (last?.content !== '') this.compared[differs ? 'differing' : 'same']++;
		return differs;
	}

	private isOfBefore(time: number, seen: readonly State[] | undefined): boolean {
		const end = endOf(time, this.poll.opened.fields.unit);
		if (!(end < this.poll.cursor.floor) || (this.isCompared && !seen)) return false;
		this.oldest = Math.min(this.oldest, end);
		return true;
	}

	/**
	 * Whether an older version than one that was seen shows for the first time: it may come from a
	 * copy that lags behind. If the next reading shows it too, it counts.
	 */
	private isDoubted(key: string, time: number, seen: readonly State[] = []): boolean {
		// One without a time may be older than any that has one.
		const isLater = (one: State) => one.time !== TIMELESS && (time === TIMELESS || one.time > time);
		if (!seen.some(isLater)) return false;
		const doubt = `${key}?${time}`;
		// A page returned twice in one reading is not a second witness.
		if (this.known.get(doubt)?.isMet === false) return false;
		this.known.remember(doubt, { time, content: '' });
		this.waitingFrom = Math.min(this.waitingFrom, time);
		return true;
	}

	/** Whether another version of a record is what the user wants, or a record that was not known. */
	private wants(record: JsonObject, made: number | undefined, isKnown: boolean): boolean {
		const { cursor, opened, settings } = this.poll;
		const { triggerOn } = settings;
		const creation = readCreation(record, opened.fields);
		// The first state of a record, be it late. With coarse times an update may look like it.
		const isFirst = creation !== undefined && made === creation && tickOf(made) === 0;
		if (triggerOn === 'updated' && isFirst) return false;
		if (triggerOn === 'createdOrUpdated' || isKnown) return true;
		// Without a time of its creation, one that a whole list did not show is new.
		if (creation === undefined) return this.isCompared === (triggerOn === 'created');
		if (triggerOn === 'created') return true;
		const { createdAt, unit = 0, updatedAt } = opened.fields;
		// Of a list that is compared, what was not known was not there.
		const wasThere = !this.isCompared && endOf(creation, unit) < cursor.floor;
		const saysZone = (path: string) => readTime(record, path)?.hasZone;
		// Two times of one record that do not say their zone are in the same one.
		const isInOneZone = saysZone(createdAt) === saysZone(updatedAt);
		const created = endOf(creation, isInOneZone ? unit % ANY_ZONE : unit);
		return wasThere || created + WRITTEN_TWICE < (made ?? 0);
	}

	/** Keeps the oldest of the candidates; the others wait. */
	private cut(count: number): void {
		const sorted = [...this.candidates].sort(([, one], [, other]) => timeOf(one) - timeOf(other));
		this.candidates = new Map(sorted.slice(0, count));
		const next = sorted[count];
		if (next) this.waitingFrom = Math.min(this.waitingFrom, timeOf(next[1]));
	}
}

function timeOf({ state }: Candidate): number {
	return state.time === TIMELESS ? 0 : state.time;
}

/** The ID of a record that may be removed, as it was written last; undefined if it is damaged. */
export function idOf({ seen: [state] }: Known): unknown {
	try {
		return JSON.parse(decodeURIComponent(state?.content ?? ''));
	} catch {
		return undefined;
	}
}
