import { findIdentity, type RecordId, type RecordIdentity, spelledAlike } from '../answer/identity';
import { wideDigest } from '../values/digest';
import { readInstant } from '../values/instant';
import { isRecord, type JsonObject } from '../values/json';

export interface IdentityRules {
	/** Name of the resource, for IDs such as `userId`. */
	resource: string;
	/** Dot path of the ID; if it is empty, the ID is detected. */
	idPath?: string;
}

type Records = readonly JsonObject[];

/**
 * What makes two records the same: their ID, or else what they hold. Which field is the ID may be a
 * guess: it is none if different records have it in common, or if it differs in each answer.
 */
export class RecordKeys {
	/** Dot path of the ID; undefined if the records have none. */
	idField?: string;

	/** The field that was taken for the ID and is none. */
	disprovedIdField?: string;

	/** Whether that is because it is another one in each answer. */
	isIdChanging = false;

	/** Whether no record of the first page has an ID where the user said it is. */
	isIdMissing = false;

	private readId?: RecordIdentity;

	/** Whether two answers to the same question had the same IDs. */
	private isIdLasting = false;

	/** Fields by which the records of the first page differ; beside an ID the likeliest one. */
	private telling: string[] = [];

	/** Fields that differ in each answer. */
	private readonly volatile = new Set<string>();

	/** Records of the page that showed what identifies them. */
	private begunWith = 0;

	/** A page is compared, maybe several times, and kept: its keys are read once. */
	private known = new WeakMap<Records, RecordId[]>();

	constructor(private readonly rules: IdentityRules) {}

	get hasIds(): boolean {
		return this.readId !== undefined;
	}

	get isGuessed(): boolean {
		return (this.rules.idPath ?? '') === '';
	}

	/** The first page with records, in its longest answer, shows what identifies them. */
	begin(page: Records): void {
		if (page.length <= this.begunWith) return;
		this.begunWith = page.length;
		this.known = new WeakMap();
		const { idPath, resource } = this.rules;
		const found = findIdentity(page, resource, idPath);
		const hasNone = page.every((record) => found?.identify(record) === undefined);
		this.isIdMissing = !this.isGuessed && hasNone;
		const isSure = found?.isDoubtful === false && !this.isIdMissing;
		this.idField = isSure ? found.field : undefined;
		this.readId = isSure ? found.identify : undefined;
		this.telling = fieldsThatTell(page).filter((field) => field !== this.idField);
		// A single record does not show which of its fields tell it apart.
		if (this.hasIds && page.length > 1) this.telling.splice(1);
	}

	/** The ID of each record; of one that lacks it, its content, and its place among equal ones. */
	of(page: Records): RecordId[] {
		const known = this.known.get(page);
		if (known !== undefined) return known;
		const counts = new Map<number, number>();
		const keys = page.map((record): RecordId => {
			const id = this.readId?.(record);
			if (id !== undefined) return spelledAlike(id);
			const content = this.contentOf(record);
			const count = (counts.get(content) ?? 0) + 1;
			counts.set(content, count);
			return `#${content}#${count}`;
		});
		this.known.set(page, keys);
		return keys;
	}

	/** A digest of a page: some services return its records in another order each time. */
	ofPage(page: Records): number {
		return wideDigest([...this.of(page)].sort().join());
	}

	/** A digest of what a record holds, without what differs in each answer. */
	readonly contentOf = (record: JsonObject): number => wideDigest(this.textOf(record));

	/** Whether no two records are equal, so that a repeated page is known by them. */
	areTold(page: Records): boolean {
		if (this.hasIds) return true;
		return page.length > 1 && new Set(page.map(this.contentOf)).size === page.length;
	}

	/** Whether all of these records are among the others. */
	areIn(some: Records, others: Records): boolean {
		const known = new Set(this.of(others));
		return this.of(some).every((key) => known.has(key));
	}

	/** Whether a page holds some of these records, or without an ID what may be some, and others. */
	overlaps(page: Records, others: Records): boolean {
		const [field] = this.hasIds ? [] : this.steady;
		const keysOf = (records: Records): unknown[] =>
			field === undefined ? this.of(records) : records.map((record) => record[field]);
		const known = new Set(keysOf(others));
		const again = [...new Set(keysOf(page))].filter((key) => known.has(key)).length;
		return again > 0 && again < page.length;
	}

	/**
	 * Whether a page may be this earlier one with other IDs, or without an ID: a field that tells
	 * records apart is the same again; or all of them, if one record had to show which do. Worth
	 * another answer, because what else differs may do so in each.
	 */
	beginsLike([record]: Records, [earlier]: Records): boolean {
		if (earlier === undefined || record === undefined || this.isIdLasting) return false;
		const { begunWith, hasIds, steady } = this;
		const areSame = steady.map((field) => earlier[field] === record[field]);
		return areSame.includes(true) && !(hasIds && begunWith === 1 && areSame.includes(false));
	}

	/** Whether two pages hold the same records, as far as what tells them apart shows. */
	areSame(one: Records, other: Records): boolean {
		if (one.length !== other.length) return false;
		const { differing } = this.fieldsOf(one, other);
		const { steady } = this;
		if (steady.length === 0) return differing.size === 0;
		return !steady.some((field) => differing.has(field));
	}

	/**
	 * Learns from two answers to the same question which fields differ in each answer.
	 *
	 * @returns whether they hold the same records, or others; or the ID is none
	 */
	compareAnswers(one: Records, other: Records): 'same' | 'others' | 'noId' {
		const { differing, all } = this.fieldsOf(one, other);
		const [keys, keysAgain] = [this.of(one), this.of(other)];
		const length = Math.min(one.length, other.length);
		const isIdSame = this.hasIds && keys.slice(0, length).every((key, at) => key === keysAgain[at]);
		const isTold = this.telling.some((field) => !differing.has(field));
		// Without an ID they are the same if most fields agree, or one that tells records apart.
		const doMostAgree = !this.hasIds && 2 * differing.size < all.size;
		this.isIdLasting ||= isIdSame;
		if (!isIdSame && !isTold && !doMostAgree) {
			return this.hasIds || 2 * differing.size > all.size ? 'others' : 'same';
		}
		const isNone = this.hasIds && !isIdSame;
		if (isNone && !this.isGuessed) return 'others';
		if (isNone) differing.add(this.idField?.split('.').at(-1) ?? '');
		this.isIdChanging ||= isNone;
		if (differing.size > 0) this.known = new WeakMap();
		for (const field of differing) this.volatile.add(field);
		return isNone ? 'noId' : 'same';
	}

	/** What tells a record from another one with its ID: 31 bits need no memory of their own. */
	traceOf(record: JsonObject): number {
		const [field] = this.telling;
		return digest(field === undefined ? this.textOf(record, true) : record[field]);
	}

	/** Whether a record is another one than that of a trace: a change leaves something as it was. */
	isOther(trace: number, record: JsonObject): boolean {
		const [field] = this.telling;
		const isSteady = field === undefined ? this.volatile.size === 0 : !this.volatile.has(field);
		return isSteady && trace !== this.traceOf(record);
	}

	/** Whether records on one page that have the same ID differ: then it is none. */
	areOthers(one: JsonObject, other: JsonObject): boolean {
		return this.isGuessed && this.textOf(one) !== this.textOf(other);
	}

	disproveId(): void {
		this.disprovedIdField = this.idField;
		this.idField = this.readId = undefined;
		this.isIdLasting = false;
		this.known = new WeakMap();
	}

	/** Of the telling fields those that are the same in each answer. */
	private get steady(): string[] {
		return this.telling.filter((field) => !this.volatile.has(field));
	}

	/** The fields of two pages, and those that differ between records at the same places. */
	private fieldsOf(one: Records, other: Records): Record<'all' | 'differing', Set<string>> {
		const found = { all: new Set<string>(), differing: new Set<string>() };
		for (const [place, again] of other.slice(0, one.length).entries()) {
			const record = one[place] ?? {};
			for (const field of Object.keys(record)) {
				found.all.add(field);
				const isSame = JSON.stringify(record[field]) === JSON.stringify(again[field]);
				if (!isSame) found.differing.add(field);
			}
		}
		return found;
	}

	/** A record without what differs in each answer, and maybe without its ID, as text. */
	private textOf(record: JsonObject, withoutId = false): string {
		// The ID may be written in two ways.
		const idName = withoutId ? this.idField?.split('.').at(-1) : undefined;
		if (this.volatile.size === 0 && idName === undefined) return JSON.stringify(record);
		return JSON.stringify(record, (field, value: unknown) => {
			const isLeftOut = this.volatile.has(field) || field === idName;
			return isLeftOut && !isRecord(value) ? undefined : value;
		});
	}
}

/**
 * The fields whose values tell the records of a page apart, texts first, and do not say when
 * something happened, unless only such do.
 */
function fieldsThatTell(page: Records): string[] {
	const isFilled = (value: unknown) =>
		typeof value === 'number' || (typeof value === 'string' && value !== '');
	const different = Object.keys(page[0] ?? {}).filter((field) => {
		const values = new Set(page.map((record) => record[field]));
		return values.size === page.length && [...values].every(isFilled);
	});
	const others = different.filter((field) => !page.every((record) => isTime(record[field])));
	const isText = (field: string) => typeof page[0]?.[field] === 'string';
	const found = others.length > 0 ? others : different;
	return [...found.filter(isText), ...found.filter((field) => !isText(field))];
}

/** Digits alone are more likely an ID, and `2026-001` a number than a day of the year. */
function isTime(value: unknown): boolean {
	if (typeof value !== 'string' || /^\d+$/.test(value)) return false;
	const time = readInstant(value);
	return time !== undefined && (time.precision !== 'day' || /^\d{4}-\d\d-\d\d$/.test(value));
}

/** FNV-1a: a list may hold a million records. */
function digest(value: unknown): number {
	const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
	let hash = 0x811c9dc5;
	for (let place = 0; place < text.length; place++) {
		hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
	}
	return hash >>> 1;
}
