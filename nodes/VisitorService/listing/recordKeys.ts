import { findIdField, normalizeId, type RecordId, readId } from '../response/identity';
import { numericDigest } from '../values/digest';
import { readInstant } from '../values/instant';
import { isJsonObject, type JsonObject, type Records } from '../values/json';

/** Where the ID of the records is; each path is a dot path. */
export type IdField =
	| { kind: 'none' }
	| { kind: 'configured'; path: string }
	/** Set by the user, but no record of the first page has one there. */
	| { kind: 'notAtPath'; path: string }
	/** Dropped if different records share a value. */
	| { kind: 'detected'; path: string }
	/** Different records shared a value; or, if `isVolatile`, each response had another one. */
	| { kind: 'dropped'; path: string; isVolatile: boolean };

/** What a page, and repeated responses, have shown of the fields of records. */
interface KeyFields {
	id: IdField;
	/** Whether two responses to the same request had the same IDs. */
	isIdStable: boolean;
	/** Fields in which all records of the page differ; if there is an ID, only the likeliest one. */
	distinguishing: readonly string[];
	/** Fields that differ in each response. */
	volatile: ReadonlySet<string>;
	/** Records of that page. */
	sampleSize: number;
}

/** Decides which records are the same: by their ID, or else by their content. Immutable. */
export class RecordKeys {
	/** A page is compared several times, but its keys are read once. */
	private readonly keysByPage = new WeakMap<Records, RecordId[]>();

	/** Dot path of the ID; undefined if nothing identifies the records. */
	readonly idPath?: string;

	private constructor(readonly fields: KeyFields) {
		const { id } = fields;
		if (id.kind === 'configured' || id.kind === 'detected') this.idPath = id.path;
	}

	/** @param page the first one with records, in its longest response */
	static detect(page: Records, resource: string, idPath = ''): RecordKeys {
		const found = idPath === '' ? findIdField(page, resource) : undefined;
		const path = found?.isCertain === true ? found.field : idPath;
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

	/** Drops the ID field, which turned out not to identify records. */
	withoutId(): RecordKeys {
		const { idPath: path, fields } = this;
		const id =
			path === undefined ? fields.id : ({ kind: 'dropped', path, isVolatile: false } as const);
		return this.copyWith({ id, isIdStable: false });
	}

	/** The ID of each record; if it has none, its content and how many equal ones precede it. */
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

	/** Of the records that have one. */
	idsOf(page: Records): RecordId[] {
		const { idPath = '' } = this;
		const ids = page.map((record) => readId(record, idPath)).filter((id) => id !== undefined);
		return ids.map(normalizeId);
	}

	/** A digest of a page: some services return its records in another order each time. */
	pageDigest(page: Records): number {
		return numericDigest([...this.keysOf(page)].sort().join());
	}

	/** A digest of what a record holds, without its volatile fields. */
	readonly contentDigest = (record: JsonObject): number => numericDigest(this.stableText(record));

	/** How many of some records are among the others, by one field or else by their keys. */
	overlap(others: Records, some: Records, field?: string): 'none' | 'some' | 'all' {
		const keysOf = (records: Records): unknown[] =>
			field === undefined ? this.keysOf(records) : records.map((record) => record[field]);
		const otherKeys = new Set(keysOf(others));
		const { length } = keysOf(some).filter((key) => otherKeys.has(key));
		return length === 0 ? 'none' : length === some.length ? 'all' : 'some';
	}

	/** Whether two pages have the same first record, by its ID. */
	beginAlike(one: Records, other: Records): boolean {
		return this.hasIds && this.overlap(one.slice(0, 1), other.slice(0, 1)) === 'all';
	}

	/** Whether a page begins with the records of a shorter one, and each has an ID of its own. */
	areContinued(shorter: Records, page: Records): boolean {
		const keys = this.idsOf(page);
		const isSame = this.keysOf(shorter).every((key, index) => key === keys[index]);
		return isSame && new Set(keys).size === page.length;
	}

	/**
	 * Whether this may be an earlier page whose IDs, or other fields, change with each response: a
	 * distinguishing field of its first record is unchanged. All have to be if only one record showed
	 * which fields distinguish. Another response to the same request then shows the volatile fields.
	 */
	mayRepeat([record]: Records, [earlier]: Records): boolean {
		if (earlier === undefined || record === undefined || this.fields.isIdStable) return false;
		const areSame = this.stableFields.map((field) => earlier[field] === record[field]);
		const mayDiffer = !this.hasIds || this.fields.sampleSize > 1;
		return areSame.includes(true) && (mayDiffer || !areSame.includes(false));
	}

	/** Whether two pages hold the same records, by their IDs or their stable fields. */
	isSamePage(one: Records, other: Records): boolean {
		if (one.length !== other.length) return false;
		const { differing, all } = compareFields(one, other, this.fields.volatile);
		// If the ID is a row number, every page has the same IDs with other content.
		if (this.hasIds) return this.overlap(other, one) === 'all' && 2 * differing.size < all.size;
		const { stableFields } = this;
		return stableFields.length === 0
			? differing.size === 0
			: !stableFields.some((field) => differing.has(field));
	}

	/** Detects volatile fields: they differ between two responses to the same request. */
	detectVolatile(one: Records, other: Records): RecordKeys {
		const { differing, all } = compareFields(one, other);
		const { id, isIdStable, distinguishing } = this.fields;
		const [keys, keysAgain] = [this.keysOf(one), this.keysOf(other)];
		const length = Math.min(one.length, other.length);
		const isIdSame = this.hasIds && keys.slice(0, length).every((key, at) => key === keysAgain[at]);
		if (this.hasIds && !isIdSame && this.pageDigest(one) === this.pageDigest(other))
			return this.copyWith({ isIdStable: true });
		const isFieldSame = distinguishing.some((field) => !differing.has(field));
		// Without an ID, records are the same if most fields agree, or a distinguishing one.
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

	/** Distinguishes a record from others with its ID. V8 stores 31 bits without extra memory. */
	fingerprint(record: JsonObject): number {
		const [field] = this.fields.distinguishing;
		return digest(field === undefined ? this.stableText(record, true) : record[field]);
	}

	/** Whether it is another record with the same ID, as far as its fingerprint shows. */
	isDifferentRecord(fingerprint: number, record: JsonObject): boolean {
		const { distinguishing, volatile } = this.fields;
		const [field] = distinguishing;
		const isSteady = field === undefined ? volatile.size === 0 : !volatile.has(field);
		return isSteady && fingerprint !== this.fingerprint(record);
	}

	private copyWith(change: Partial<KeyFields>): RecordKeys {
		return new RecordKeys({ ...this.fields, ...change });
	}

	/** The distinguishing fields that are not volatile. */
	get stableFields(): string[] {
		const { distinguishing, volatile } = this.fields;
		return distinguishing.filter((field) => !volatile.has(field));
	}

	private stableText(record: JsonObject, withoutId = false): string {
		const { volatile } = this.fields;
		// One ID may be written in two ways.
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

/** The steady fields of two pages, and those that differ between records at the same index. */
function compareFields(
	one: Records,
	other: Records,
	volatile: ReadonlySet<string> = new Set(),
): Record<'all' | 'differing', Set<string>> {
	const found = { all: new Set<string>(), differing: new Set<string>() };
	for (const [index, again] of other.slice(0, one.length).entries()) {
		for (const [field, value] of Object.entries(one[index] ?? {})) {
			if (volatile.has(field)) continue;
			found.all.add(field);
			if (JSON.stringify(value) !== JSON.stringify(again[field])) found.differing.add(field);
		}
	}
	return found;
}

/**
 * The fields in which all records of a page differ, texts first. Times count only if there is no
 * other such field.
 */
function findDistinguishingFields(page: Records): string[] {
	const isFilled = (value: unknown) =>
		typeof value === 'number' || (typeof value === 'string' && value !== '');
	const different = Object.keys(page[0] ?? {}).filter((field) => {
		const values = new Set<unknown>();
		return page.every(
			({ [field]: value }) => isFilled(value) && values.size < values.add(value).size,
		);
	});
	const others = different.filter((field) => !page.every((record) => isTime(record[field])));
	const isText = (field: string) => typeof page[0]?.[field] === 'string';
	const found = others.length > 0 ? others : different;
	return [...found.filter(isText), ...found.filter((field) => !isText(field))];
}

/** Digits alone are more likely an ID than a time; so is `2026-001`, which is also a date. */
function isTime(value: unknown): boolean {
	const mayBe = typeof value === 'string' && !/^\d+(?:-\d+)?$/.test(value);
	return mayBe && readInstant(value) !== undefined;
}

/** FNV-1a, because it is fast: a list may hold a million records. */
function digest(value: unknown): number {
	const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
	let hash = 0x811c9dc5;
	for (let index = 0; index < text.length; index++) {
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
	}
	return hash >>> 1;
}
