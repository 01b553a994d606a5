import { wideDigest } from '../values/digest';
import { readInstant } from '../values/instant';
import { isRecord, type JsonObject } from '../values/json';

/**
 * The fields whose values tell the records of a page apart, and do not say when something happened.
 */
export function findTellingFields(records: readonly JsonObject[]): string[] {
	return fieldsOfDifferent(
		records,
		(value) => typeof value === 'number' || (isFilledText(value) && !isTime(value)),
	);
}

/** The times that tell the records of a page apart. */
function findTellingTimes(records: readonly JsonObject[]): string[] {
	return fieldsOfDifferent(records, (value) => isFilledText(value) && isTime(value));
}

function fieldsOfDifferent(
	records: readonly JsonObject[],
	mayTell: (value: unknown) => boolean,
): string[] {
	const [first] = records;
	if (first === undefined) return [];
	return Object.keys(first).filter((field) => {
		const values = new Set<unknown>();
		for (const record of records) {
			const value = record[field];
			if (!mayTell(value) || values.has(value)) return false;
			values.add(value);
		}
		return true;
	});
}

const isFilledText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Digits alone are more likely an ID, and `2026-001` a number than a day of the year. */
const isTime = (value: string) => {
	const time = /^\d+$/.test(value) ? undefined : readInstant(value);
	return time !== undefined && (time.precision !== 'day' || /^\d{4}-\d\d-\d\d$/.test(value));
};

const FNV_BASIS = 0x811c9dc5;

/** 31 bits, so that a number needs no memory of its own. */
export function digest(value: unknown): number {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	let hash = FNV_BASIS;
	for (let place = 0; place < text.length; place++) {
		hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
	}
	return hash >>> 1;
}

/**
 * Digests of similar texts are similar, and so would be their sums (the last steps of MurmurHash3).
 */
function spread(hash: number): number {
	let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
	return (bits ^ (bits >>> 16)) >>> 1;
}

/** `undecided`: many fields differ, and a third answer will tell whether they do so each time. */
export type VolatileFields = { kind: 'found'; fields: string[] } | { kind: 'undecided' };

/**
 * Which fields differ between two answers that hold the same records: addresses with a signature,
 * counters, times.
 *
 * @param identify the ID of a record; without it two answers hold the same records if most fields
 *   agree, or one that tells them apart
 * @param isLast whether no further answer will tell
 */
export function volatileFieldsBetween(
	one: readonly JsonObject[],
	other: readonly JsonObject[],
	identify?: (record: JsonObject) => unknown,
	isLast = false,
): VolatileFields {
	const differing = new Set<string>();
	const fields = new Set<string>();
	for (const [place, again] of other.slice(0, one.length).entries()) {
		const record = one[place] ?? {};
		if (identify !== undefined) {
			const id = identify(record);
			if (id === undefined || id !== identify(again)) return { kind: 'found', fields: [] };
		}
		for (const field of Object.keys(record)) {
			fields.add(field);
			if (JSON.stringify(record[field]) !== JSON.stringify(again[field])) differing.add(field);
		}
	}
	const doMostAgree = identify !== undefined || 2 * differing.size < fields.size;
	const tellingFields = one.length > 1 && other.length > 1 ? findTellingFields(one) : [];
	// However many fields differ: one that agrees and tells the records apart may mean that they are
	// the same.
	const mayAgree =
		2 * differing.size === fields.size || tellingFields.some((field) => !differing.has(field));
	if (!doMostAgree && mayAgree && !isLast) return { kind: 'undecided' };
	const isSamePage = doMostAgree || mayAgree;
	return { kind: 'found', fields: isSamePage ? [...differing] : [] };
}

/** In the place of a field, because no field has this name. */
const ID = '';

interface Remembered {
	number: number;
	digests: ReadonlyMap<string, number>;
}

export interface Sameness {
	/** Number of the earlier page. */
	page: number;
	/** Whether nothing differs but what differs in each answer. */
	isCertain: boolean;
	/** Whether records can be told apart at all. Otherwise the page is equal, and may hold others. */
	tells: boolean;
}

/**
 * Recognizes pages that came before, by what stands on them: of records with an ID by their IDs, of
 * others by the fields that tell the records of the first page apart. What differs in each answer
 * does not hide it.
 */
export class PageMemory {
	private readonly pages: Remembered[] = [];

	private readonly index = new Map<string, number>();

	/** Fields by which a page may be taken for an earlier one. */
	private readonly telling: Set<string>;

	private readonly volatile = new Set<string>();

	/**
	 * Whether no two records of the first page are equal, so that a repeated page is known by all of
	 * it.
	 */
	private areDifferent: boolean;

	/** @param idsOf the IDs of records, in their order; undefined if they have none */
	constructor(
		private readonly firstRecords: readonly JsonObject[],
		private readonly idsOf?: (records: readonly JsonObject[]) => readonly unknown[],
	) {
		this.areDifferent = this.differ();
		const telling = idsOf === undefined ? findTellingFields(firstRecords) : [ID];
		this.telling = new Set(telling.length > 0 ? telling : findTellingTimes(firstRecords));
	}

	remember(number: number, records: readonly JsonObject[]): void {
		const digests = this.digestsOf(records);
		const place = this.pages.push({ number, digests }) - 1;
		for (const key of this.keysOf(digests)) this.index.set(key, place);
		// Later on no field may tell any more.
		if (this.idsOf === undefined) this.index.set(this.wholeOf(digests), place);
	}

	/** The earlier page that seems to be this one; a certain one if there is any. */
	find(records: readonly JsonObject[]): Sameness | undefined {
		if (this.pages.length === 0) return undefined;
		const tells = this.telling.size > 0 || this.areDifferent;
		const digests = this.digestsOf(records);
		let found: Sameness | undefined;
		for (const key of this.keysOf(digests)) {
			const page = this.pages[this.index.get(key) ?? -1];
			if (page === undefined) continue;
			const isCertain = this.haveSameDigests(page.digests, digests);
			if (isCertain) return { page: page.number, isCertain, tells };
			found ??= { page: page.number, isCertain, tells };
		}
		return found;
	}

	/** Whether an earlier page, asked for again, seems to hold what it held. */
	isStill(number: number, records: readonly JsonObject[]): boolean {
		const earlier = this.pages.find((page) => page.number === number);
		if (earlier === undefined) return true;
		const keys = new Set(this.keysOf(earlier.digests));
		return this.keysOf(this.digestsOf(records)).some((key) => keys.has(key));
	}

	/**
	 * What of a record tells it from others: if one of it is equal, it is the same record, as far as
	 * can be told.
	 */
	readonly fingerprintsOf = (record: JsonObject): string[] => {
		const { idsOf, telling, volatile } = this;
		if (idsOf !== undefined) return [JSON.stringify(idsOf([record])[0] ?? null)];
		if (telling.size === 0) return [contentOf(record, volatile)];
		return [...telling].map((field) => `${field}:${JSON.stringify(record[field] ?? null)}`);
	};

	/** Whether two pages hold the same records. */
	holdSame(one: readonly JsonObject[], other: readonly JsonObject[]): boolean {
		return (
			this.telling.size > 0 && this.haveSameDigests(this.digestsOf(one), this.digestsOf(other))
		);
	}

	/** These fields differ in each answer. */
	ignore(fields: readonly string[]): void {
		for (const field of fields) {
			this.volatile.add(field);
			if (this.telling.size > 1) this.telling.delete(field);
		}
		if (fields.length === 0) return;
		this.areDifferent = this.differ();
		for (const [place, { digests }] of this.pages.entries()) {
			this.index.set(this.wholeOf(digests), place);
		}
	}

	private differ(): boolean {
		const { firstRecords, idsOf, volatile } = this;
		if (idsOf !== undefined || firstRecords.length < 2) return false;
		return (
			new Set(firstRecords.map((one) => contentOf(one, volatile))).size === firstRecords.length
		);
	}

	/** A page seemed to be an earlier one and is not: the fields that said so tell nothing. */
	doubt(records: readonly JsonObject[]): void {
		if (this.idsOf !== undefined) return;
		const digests = this.digestsOf(records);
		for (const field of [...this.telling]) {
			if (this.index.has(`${field}:${digests.get(field)}`)) this.telling.delete(field);
		}
	}

	/** What a page is looked up by: each telling field, or all of it if there is none. */
	private keysOf(digests: ReadonlyMap<string, number>): string[] {
		if (this.telling.size === 0) return [this.wholeOf(digests)];
		return [...this.telling].map((field) => `${field}:${digests.get(field)}`);
	}

	private wholeOf(digests: ReadonlyMap<string, number>): string {
		return JSON.stringify([...digests].filter(([field]) => !this.volatile.has(field)));
	}

	private haveSameDigests(
		one: ReadonlyMap<string, number>,
		other: ReadonlyMap<string, number>,
	): boolean {
		for (const [field, value] of one) {
			if (!this.volatile.has(field) && other.get(field) !== value) return false;
		}
		return true;
	}

	private digestsOf(records: readonly JsonObject[]): Map<string, number> {
		const { idsOf } = this;
		if (idsOf !== undefined) return new Map([[ID, wideDigest(JSON.stringify(idsOf(records)))]]);
		const digests = new Map<string, number>([['#', records.length]]);
		for (const field of Object.keys(records[0] ?? {})) {
			digests.set(
				field,
				// A sum, because some services return the records of a page in another order each time.
				records.reduce((sum, record) => (sum + spread(digest(record[field] ?? null))) % 2 ** 31, 0),
			);
		}
		return digests;
	}
}

/** The record without what differs in each answer, as text. */
export function contentOf(record: JsonObject, volatile: ReadonlySet<string>): string {
	if (volatile.size === 0) return JSON.stringify(record);
	return JSON.stringify(record, (key, value: unknown) =>
		volatile.has(key) && !isRecord(value) ? undefined : value,
	);
}
