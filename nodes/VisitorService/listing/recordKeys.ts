import { findIdField, normalizeId, type RecordId, readId } from '../response/identity';
import { numericDigest } from '../values/digest';
import { readInstant } from '../values/instant';
import { isJsonObject, type JsonObject, type Records } from '../values/json';

/** What is known of the ID of the records; each path is a dot path. */
export type IdField =
	| { kind: 'none' }
	| { kind: 'configured'; path: string }
	/** Set by the user, but no record of the first page has one there. */
	| { kind: 'notAtPath'; path: string }
	/** Dropped if different records have it in common. */
	| { kind: 'detected'; path: string }
	/** Different records had the same one; `isVolatile`: each response had another one. */
	| { kind: 'dropped'; path: string; isVolatile: boolean };

/** What is known of the fields of records. */
interface KeyFields {
	id: IdField;
	/** Whether two responses to the same request had the same IDs. */
	isIdStable: boolean;
	/** Fields by which the records of the first page differ; beside an ID the likeliest one. */
	distinguishing: readonly string[];
	/** Fields that differ in each response. */
	volatile: ReadonlySet<string>;
	/** Records of the page that showed all this. */
	sampleSize: number;
}

/** What makes two records the same: their ID, or else what they hold. Never changes. */
export class RecordKeys {
	/** A page is compared, maybe several times, and kept: its keys are read once. */
	private readonly keysByPage = new WeakMap<Records, RecordId[]>();

	/** Dot path of the ID; undefined if nothing identifies the records. */
	readonly idPath?: string;

	private constructor(readonly fields: KeyFields) {
		const { id } = fields;
		if (id.kind === 'configured' || id.kind === 'detected') this.idPath = id.path;
	}

	/** As a page shows it: the first one with records, in its longest response. */
	static detect(page: Records, resource: string, idPath = ''): RecordKeys {
		const found = idPath === '' ? findIdField(page, resource) : undefined;
		const path = found?.isUncertain === false ? found.field : idPath;
		const hasId = path !== '' && page.some((record) => readId(record, path) !== undefined);
		const fields = findDistinguishingFields(page).filter((field) => !hasId || field !== path);
		return new RecordKeys({
			id: hasId
				? { kind: idPath === '' ? 'detected' : 'configured', path }
				: idPath === ''
					? { kind: 'none' }
					: { kind: 'notAtPath', path },
			isIdStable: false,
			// A single record does not show by which of its fields records differ.
			distinguishing: hasId && page.length > 1 ? fields.slice(0, 1) : fields,
			volatile: new Set(),
			sampleSize: page.length,
		});
	}

	get hasIds(): boolean {
		return this.idPath !== undefined;
	}

	/** If the detected field turns out not to be the ID. */
	withoutId(): RecordKeys {
		const { idPath: path, fields } = this;
		const id =
			path === undefined ? fields.id : ({ kind: 'dropped', path, isVolatile: false } as const);
		return this.copyWith({ id, isIdStable: false });
	}

	/** The ID of each record; of one that lacks it, its content, and its place among equal ones. */
	keysOf(page: Records): RecordId[] {
		const read = this.keysByPage.get(page);
		if (read !== undefined) return read;
		const { idPath } = this;
		const counts = new Map<number, number>();
		const keys = page.map((record): RecordId => {
			const id = idPath === undefined ? undefined : readId(record, idPath);
			if (id !== undefined) return normalizeId(id);
			const content = this.contentDigest(record);
			const count = (counts.get(content) ?? 0) + 1;
			counts.set(content, count);
			return `#${content}#${count}`;
		});
		this.keysByPage.set(page, keys);
		return keys;
	}

	/** A digest of a page: some services return its records in another order each time. */
	pageDigest(page: Records): number {
		return numericDigest([...this.keysOf(page)].sort().join());
	}

	/** A digest of what a record holds, without its volatile fields. */
	readonly contentDigest = (record: JsonObject): number => numericDigest(this.stableText(record));

	/** How many of these records are among the others, by a field or by all that tells them apart. */
	overlap(others: Records, some: Records, field?: string): 'none' | 'some' | 'all' {
		const keysOf = (records: Records): unknown[] =>
			field === undefined ? this.keysOf(records) : records.map((record) => record[field]);
		const otherKeys = new Set(keysOf(others));
		const { length } = keysOf(some).filter((key) => otherKeys.has(key));
		return length === 0 ? 'none' : length === some.length ? 'all' : 'some';
	}

	/**
	 * Whether a page may be this earlier one with other IDs, or without an ID: a field that tells
	 * records apart is the same again; or all of them, if one record had to show which do. Worth
	 * another response, because what else differs may do so in each.
	 */
	mayRepeat([record]: Records, [earlier]: Records): boolean {
		if (earlier === undefined || record === undefined || this.fields.isIdStable) return false;
		const areSame = this.stableFields.map((field) => earlier[field] === record[field]);
		const mayDiffer = !this.hasIds || this.fields.sampleSize > 1;
		return areSame.includes(true) && (mayDiffer || !areSame.includes(false));
	}

	/** Whether two pages hold the same records, as far as what tells them apart shows. */
	isSamePage(one: Records, other: Records): boolean {
		if (one.length !== other.length) return false;
		const { differing, all } = compareFields(one, other);
		// Numbers of rows come again on each page, with others.
		if (this.hasIds) return this.overlap(other, one) === 'all' && 2 * differing.size < all.size;
		const { stableFields } = this;
		return stableFields.length === 0
			? differing.size === 0
			: !stableFields.some((field) => differing.has(field));
	}

	/** Detects the fields that differ in each response, by two to the same request. */
	detectVolatile(one: Records, other: Records): RecordKeys {
		const { differing, all } = compareFields(one, other);
		const { id, isIdStable, distinguishing } = this.fields;
		const [keys, keysAgain] = [this.keysOf(one), this.keysOf(other)];
		const length = Math.min(one.length, other.length);
		const isIdSame = this.hasIds && keys.slice(0, length).every((key, at) => key === keysAgain[at]);
		if (this.hasIds && !isIdSame && this.pageDigest(one) === this.pageDigest(other))
			return this.copyWith({ isIdStable: true });
		const isFieldSame = distinguishing.some((field) => !differing.has(field));
		// Without an ID they are the same if most fields agree, or one by which records differ.
		const doMostAgree = !this.hasIds && 2 * differing.size < all.size;
		const isIdVolatile = this.hasIds && !isIdSame;
		const areOthers = !isIdSame && !isFieldSame && !doMostAgree;
		if (areOthers || (isIdVolatile && id.kind === 'configured')) return this;
		if (isIdVolatile) differing.add(lastSegment(this.idPath));
		const keysNow = isIdVolatile ? this.withoutId() : this;
		return keysNow.withVolatile(differing, !isIdVolatile && (isIdStable || isIdSame));
	}

	private withVolatile(differing: ReadonlySet<string>, isIdStable: boolean): RecordKeys {
		const { id } = this.fields;
		const volatile = new Set([...this.fields.volatile, ...differing]);
		const isVolatile = id.kind === 'dropped' && volatile.has(lastSegment(id.path));
		return this.copyWith({ isIdStable, volatile, id: isVolatile ? { ...id, isVolatile } : id });
	}

	/** What tells a record from another one with its ID: 31 bits need no memory of their own. */
	fingerprint(record: JsonObject): number {
		const [field] = this.fields.distinguishing;
		return digest(field === undefined ? this.stableText(record, true) : record[field]);
	}

	/** Whether a record is another one than that of a trace: a change leaves something as it was. */
	isDifferentRecord(trace: number, record: JsonObject): boolean {
		const { distinguishing, volatile } = this.fields;
		const [field] = distinguishing;
		const isSteady = field === undefined ? volatile.size === 0 : !volatile.has(field);
		return isSteady && trace !== this.fingerprint(record);
	}

	private copyWith(change: Partial<KeyFields>): RecordKeys {
		return new RecordKeys({ ...this.fields, ...change });
	}

	/** Of the distinguishing fields those that are the same in each response. */
	get stableFields(): string[] {
		const { distinguishing, volatile } = this.fields;
		return distinguishing.filter((field) => !volatile.has(field));
	}

	/** A record without its volatile fields, and maybe without its ID, as text. */
	private stableText(record: JsonObject, withoutId = false): string {
		const { volatile } = this.fields;
		// The ID may be written in two ways.
		const idName = withoutId ? lastSegment(this.idPath) : '';
		if (volatile.size === 0 && idName === '') return JSON.stringify(record);
		return JSON.stringify(record, (field, value: unknown) => {
			const isLeftOut = volatile.has(field) || field === idName;
			return isLeftOut && !isJsonObject(value) ? undefined : value;
		});
	}
}

/** The last name on the path; '' if there is no path. */
function lastSegment(path = ''): string {
	return path.split('.').at(-1) ?? '';
}

/** The fields of two pages, and those that differ between records at the same places. */
function compareFields(one: Records, other: Records): Record<'all' | 'differing', Set<string>> {
	const found = { all: new Set<string>(), differing: new Set<string>() };
	for (const [index, again] of other.slice(0, one.length).entries()) {
		for (const [field, value] of Object.entries(one[index] ?? {})) {
			found.all.add(field);
			if (JSON.stringify(value) !== JSON.stringify(again[field])) found.differing.add(field);
		}
	}
	return found;
}

/**
 * The fields whose values tell the records of a page apart, texts first, and do not say when
 * something happened, unless only such do.
 */
function findDistinguishingFields(page: Records): string[] {
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
	const mayBe = typeof value === 'string' && !/^\d+(?:-\d+)?$/.test(value);
	return mayBe && readInstant(value) !== undefined;
}

/** FNV-1a: a list may hold a million records. */
function digest(value: unknown): number {
	const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
	let hash = 0x811c9dc5;
	for (let index = 0; index < text.length; index++) {
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
	}
	return hash >>> 1;
}
