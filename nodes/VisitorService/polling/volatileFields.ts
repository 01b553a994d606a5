import { shortDigest } from '../values/digest';
import { DAY, SECOND } from '../values/instant';
import { isRecord, type JsonObject, joinPath } from '../values/json';
import { type RecordFields, readUpdate, requireId } from './fields';
import type { PageOfRecords, PolledList } from './reading';
import { type Moment, versionKey } from './versions';

/** A field of a record may change just between two answers; hardly twice in a row. */
const MAX_ANSWERS = 3;

/**
 * Finds the fields that differ between answers made right after each other.
 *
 * @returns their dot paths
 */
export async function findVolatileFields(
	list: PolledList,
	fields: RecordFields,
	{ records, query }: PageOfRecords,
	asked?: number,
): Promise<string[]> {
	const stateOf = (record: JsonObject) => stateKey(record, fields, list);
	let answer = records;
	let names: string[] | undefined;
	for (let answers = 1; answers < MAX_ANSWERS && names?.length !== 0; answers++) {
		// What is signed with the time may be written in seconds. Without times such a record would be
		// returned for ever.
		if (fields.updatedAt === '') await list.source.pause(1.1 * SECOND);
		const again = await list.readPage(query, asked);
		const differing = differingFields(answer, again, stateOf);
		names = names?.filter((name) => differing.includes(name)) ?? differing;
		answer = again;
	}
	return names ?? [];
}

/**
 * Dot paths of the fields that differ between two answers. A field of one record may have changed
 * just then, so it has to differ in most records that have it.
 *
 * @param stateOf the same for the same state of the same record
 */
export function differingFields(
	first: readonly JsonObject[],
	second: readonly JsonObject[],
	stateOf: (record: JsonObject) => string,
): string[] {
	const statesOf = (records: readonly JsonObject[]) =>
		new Map(records.map((record) => [stateOf(record), valuesByPath(record)]));
	const differing = [...compareStates(statesOf(first), statesOf(second))]
		.filter(([, { present, differing }]) => differing * 2 > present)
		.map(([path]) => path);
	return differing.filter((path) => !isWithin(path, differing));
}

/** Whether a field stands in one of these. */
function isWithin(path: string, fields: readonly string[]): boolean {
	return fields.some((field) => path.startsWith(joinPath(field, '')));
}

/** What is known of the fields that differ without a change. */
export interface KnownVolatile {
	/** Their dot paths. */
	volatile: readonly string[];
	/** Of those that may prove to be renewed in all records at once. */
	renewals?: RenewalMemory;
}

/** What is kept of the first pages that were read last, to compare them with later ones. */
export interface RenewalMemory {
	/** By state of a record. */
	marks: Record<string, Mark>;
	/** Of a reading that one poll could not end: what takes their place when it ends. */
	next?: Record<string, Mark>;
	/** By dot path. */
	renewed: Record<string, Renewal>;
}

/** What one state of a record held. */
export interface Mark {
	/** By dot path: short digests. */
	fields: Record<string, string>;
	/** Whether it cannot change any more without another time. */
	isOver: boolean;
	/** The time its page was asked for changes since; undefined if it was one of the whole list. */
	asked?: number;
}

/** The first page of a list, or of what was changed since a time. */
export interface ShownPage {
	records: readonly JsonObject[];
	asked: number | undefined;
}

/**
 * How often in a row nearly all of the states differed in a field, and when they last did, by our
 * clock.
 */
export interface Renewal {
	times: number;
	at: number;
}

/** Enough to tell a field that is renewed from one that changes. */
const MAX_MARKED = 20;

/** Short: of what a field holds a mark tells hardly more than whether it is another value. */
const MARK_LENGTH = 3;

const NEARLY_ALL = 0.9;

/**
 * Between two renewals at most: what is renewed each day counts, what somebody imports now and then
 * does not.
 */
const MAX_RENEWAL_PAUSE = 2 * DAY;

/**
 * How many states have to show a field, and how often in a row nearly all of them have to differ.
 */
interface RequiredProof {
	states: number;
	times: number;
}

/** A state whose time has passed does not change without another time, and nobody signs a URL. */
const SURE: RequiredProof = { states: 1, times: 1 };

/** A few records, or all of them a few times, may well be changed by somebody. */
const OF_OTHERS: RequiredProof = { states: 10, times: 6 };

/** A state that a page of this poll shows. */
interface ShownState {
	record: JsonObject;
	asked: number | undefined;
	isOver: boolean;
}

/**
 * Finds the fields that are renewed in all records at once, such as a URL that is signed for an
 * hour. Answers made right after each other do not show them, but states do that can no longer
 * change, and differ from how they were shown before.
 */
export class RenewedFields {
	private readonly marks: ReadonlyMap<string, Mark>;

	private readonly next: ReadonlyMap<string, Mark>;

	private renewed: Record<string, Renewal>;

	private hasLooked = false;

	private readonly shown = new Map<string, ShownState>();

	/** @param isOver whether a state of this time cannot change any more */
	constructor(
		private readonly list: PolledList,
		private readonly fields: RecordFields,
		private readonly isOver: (made: Moment) => boolean,
		{ marks, next, renewed }: RenewalMemory = { marks: {}, renewed: {} },
	) {
		this.marks = new Map(Object.entries(marks));
		this.next = new Map(Object.entries(next ?? marks));
		this.renewed = renewed;
	}

	show({ records, asked }: ShownPage): void {
		const { fields, list } = this;
		for (const record of records) {
			const made = readUpdate(record, fields);
			const isOver = made !== undefined && this.isOver(made);
			this.shown.set(stateKey(record, fields, list), { record, asked, isOver });
		}
	}

	/**
	 * Reads the first pages anew on which the known states were, unless one of these has come
	 * already.
	 */
	async readAgain(pageSize: number): Promise<void> {
		const times = [...this.marks.values()].flatMap(({ asked }) => asked ?? []);
		for (const asked of [...(times.length > 0 ? [Math.min(...times)] : []), undefined]) {
			if ([...this.marks.keys()].some((state) => this.shown.has(state))) return;
			this.show({ records: await this.list.readPage({ pageSize }, asked), asked });
		}
	}

	/** @returns the dot paths of fields that proved to be renewed */
	find(volatile: readonly string[]): string[] {
		this.hasLooked = true;
		const before = new Map<string, ByPath>();
		const after = new Map<string, ByPath>();
		for (const [state, { fields }] of this.marks) {
			const again = this.shown.get(state);
			if (again === undefined) continue;
			before.set(state, new Map(Object.entries(fields)));
			after.set(state, marksOf(again.record, volatile));
		}
		const isPast = [...this.marks.values()].some(({ isOver }) => isOver);
		const renewed = new Map(Object.entries(this.renewed));
		const at = this.list.source.now();
		const found: string[] = [];
		for (const [path, { present, differing }] of compareStates(before, after)) {
			const isSigned = differing > 0 && isSignedAnew(before, after, path);
			const proof = isPast || isSigned ? SURE : OF_OTHERS;
			if (differing === 0 || (present < proof.states && differing === present)) continue;
			const last = renewed.get(path);
			// What differs in some records only was changed by somebody.
			renewed.delete(path);
			if (!isSigned && differing < present * NEARLY_ALL) continue;
			const isInRow = last !== undefined && Math.abs(at - last.at) <= MAX_RENEWAL_PAUSE;
			const times = isInRow ? last.times + 1 : 1;
			if (times < proof.times) renewed.set(path, { times, at });
			else found.push(path);
		}
		this.renewed = Object.fromEntries(renewed);
		return found.filter((path) => !isWithin(path, found));
	}

	/** @param isUnfinished whether records may come that were shown last when the known ones were */
	toMemory(volatile: readonly string[], isUnfinished: boolean): RenewalMemory {
		const next = this.latest(volatile);
		const { marks, renewed } = this;
		const isFirst = marks.size === 0;
		if (!isUnfinished || this.hasLooked || isFirst) return { marks: next, renewed };
		return { marks: Object.fromEntries(marks), next, renewed };
	}

	/** The states shown last; those that may still change only if there are no others. */
	private latest(volatile: readonly string[]): Record<string, Mark> {
		const shown = [...this.shown].map(([state, one]) => ({
			kind: 'shown' as const,
			state,
			...one,
		}));
		const known = [...this.next]
			.filter(([state]) => !this.shown.has(state))
			.map(([state, mark]) => ({ kind: 'known' as const, state, ...mark }));
		const all = [...shown, ...known];
		const past = all.filter(({ isOver }) => isOver);
		const kept = (past.length > 0 ? past : all).slice(0, MAX_MARKED);
		const marks = kept.map(({ state, asked, isOver, ...one }): [string, Mark] => {
			const fields =
				one.kind === 'shown' ? Object.fromEntries(marksOf(one.record, volatile)) : one.fields;
			return [state, { fields, isOver, ...(asked !== undefined && { asked }) }];
		});
		return Object.fromEntries(marks);
	}
}

function marksOf(record: JsonObject, volatile: readonly string[]): Map<string, string> {
	const kept = [...valuesByPath(record)].filter(
		([path]) => !volatile.includes(path) && !isWithin(path, volatile),
	);
	return new Map(kept.map(([path, value]) => [path, markOf(value)]));
}

/** Of what holds signed URLs also a mark of it without the signatures. */
function markOf(value: string): string {
	const rest = value.replace(URLS, (url) => url.replace(SIGNATURES, '$1'));
	const mark = shortDigest(value, MARK_LENGTH);
	return rest === value ? mark : `${mark}.${shortDigest(rest, MARK_LENGTH)}`;
}

const URLS = /"https?:\/\/[^"]*"/gi;

/** What signs a URL for a time, such as at Amazon, Google and Microsoft. */
const SIGNATURES =
	/([?&])(?:x-(?:amz|goog)-[a-z-]+|signature|sig|hmac|policy|expires|expiry|exp|se|st)=[^&#"]*/gi;

/** Whether a field differs in the signatures of URLs only. */
function isSignedAnew(
	before: ReadonlyMap<string, ByPath>,
	after: ReadonlyMap<string, ByPath>,
	path: string,
): boolean {
	return [...before].every(([state, marks]) => {
		const mark = marks.get(path);
		const other = after.get(state)?.get(path);
		const [, unsigned] = mark?.split('.') ?? [];
		return mark === other || (unsigned !== undefined && unsigned === other?.split('.')[1]);
	});
}

/** The same for the same state of the same record. */
function stateKey(record: JsonObject, fields: RecordFields, { source }: PolledList): string {
	const id = requireId(record, fields.id, source.names);
	return versionKey(id, readUpdate(record, fields)?.state ?? null);
}

type ByPath = ReadonlyMap<string, string>;

/**
 * By dot path: in how many of the states that both have it is present, and in how many of these it
 * differs.
 */
function compareStates(
	before: ReadonlyMap<string, ByPath>,
	after: ReadonlyMap<string, ByPath>,
): Map<string, { present: number; differing: number }> {
	const fields = new Map<string, { present: number; differing: number }>();
	for (const [state, one] of before) {
		const other = after.get(state);
		if (other === undefined) continue;
		for (const path of new Set([...one.keys(), ...other.keys()])) {
			const field = fields.get(path) ?? { present: 0, differing: 0 };
			field.present++;
			if (one.get(path) !== other.get(path)) field.differing++;
			fields.set(path, field);
		}
	}
	return fields;
}

/**
 * What stands at each dot path, of an object its names; `null` and a field that is missing are the
 * same.
 */
function valuesByPath(record: JsonObject): Map<string, string> {
	const found = new Map<string, string[]>();
	const note = (path: string, value: unknown) => {
		const values = found.get(path);
		if (values === undefined) found.set(path, [JSON.stringify(value)]);
		else values.push(JSON.stringify(value));
	};
	const collect = (value: unknown, path: string) => {
		if (Array.isArray(value)) for (const element of value) collect(element, path);
		else if (isRecord(value)) {
			const names = Object.keys(value).filter((name) => value[name] !== null);
			// What is kept by names of its own may get others in each answer.
			if (path !== '') note(path, names.sort());
			for (const name of names) collect(value[name], joinPath(path, name));
		} else if (value !== null) note(path, value);
	};
	collect(record, '');
	return new Map([...found].map(([path, values]) => [path, values.sort().join()]));
}
