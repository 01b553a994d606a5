import { isJsonObject, type JsonObject, joinPath, type Records, readDotPath } from '../values/json';
import { normalizedLocalName } from './fieldNames';
import { LISTED_RESOURCES, resourceNames } from './resources';

/** A field of records that may hold their ID or one of their times. */
export interface FieldCandidate {
	/** Dot path. */
	path: string;
	/** As `normalizedLocalName` writes it. */
	name: string;
	/** How many characters of the key `name` leaves out: one of `_id` and `@id`. */
	extraChars: number;
	/** How many objects are around it: 0 for a field of the record itself. */
	depth: number;
	/** Whether it is in an object of audit fields, and not in the record itself. */
	isAuditField: boolean;
	/** Dot path of the object around it, if that object stands for one value. */
	wrapperPath?: string;
	/** The records that have the field. */
	records: JsonObject[];
}

/** Objects with data about a record. */
const BOOKKEEPING =
	/^(meta|metadata|metainfo|audit|auditinfo|timestamps?|system|systemdata|sys|dates|tracking)$/;

/** Objects that hold the record itself: GraphQL, JSON:API, Elasticsearch, Siren, Jira. */
const WRAPPER = /^(node|attributes|source|properties|fields|details)$/;

/**
 * As `WRAPPER` (FHIR, CouchDB), but often another thing, which has fewer fields than the record.
 */
const LIKELY_WRAPPER = /^(document|doc|resource|item|entity|entry|record|data)$/;

/** Names of resources, which may be other things in a record. */
const OTHER_THINGS = new Set(Object.keys(LISTED_RESOURCES).flatMap(resourceNames));

/** Fields of an object that stands for one value: `{ "value": 7, "label": "ID" }`. */
const VALUE_NAMES = ['value', 'datetime', 'date', 'time', 'timestamp', 'at', 'on', 'iso'];

/**
 * The wanted fields of records, including those of objects that hold or describe a record. Any
 * other object in a record is another thing, with an ID and times of its own.
 *
 * @param names of the resource, which may also wrap a record: `{ "user": { … }, "role": "admin" }`
 */
export function fieldsOfRecords(
	records: Records,
	names: readonly string[],
	isWanted: (name: string) => boolean,
): FieldCandidate[] {
	const collector = new FieldCollector(names, isWanted);
	for (const record of records) collector.collect(record);
	// An object stands for one value only if it does so in every record where it is not null.
	return collector.candidates().filter(({ path, wrapperPath: object }) => {
		const isOne = (record: JsonObject) =>
			isScalar(readDotPath(record, path)) || readDotPath(record, object ?? '') === null;
		return object === undefined || records.every(isOne);
	});
}

class FieldCollector {
	private readonly found = new Map<string, FieldCandidate>();

	/** Cache, because thousands of records have the same fields. */
	private readonly namesRead = new Map<string, { name: string; isFit: boolean }>();

	constructor(
		private readonly resourceNames: readonly string[],
		private readonly isWanted: (name: string) => boolean,
	) {}

	candidates(): FieldCandidate[] {
		return [...this.found.values()];
	}

	/** @param holder the record itself, or an object in it that holds or describes it */
	collect(record: JsonObject, holder = record, path = '', depth = 0, isAuditField = false): void {
		const entries = Object.entries(holder);
		for (const [key, value] of entries) {
			const own = joinPath(path, key);
			const { name, isFit } = this.nameOf(key);
			if (isFit) {
				const extraChars = key.length - name.length;
				this.add(record, { name, path: own, depth, isAuditField, extraChars }, value);
			}
			if (!isJsonObject(value)) continue;
			const describes = BOOKKEEPING.test(name);
			if (describes && depth < 2) this.collect(record, value, own, depth + 1, true);
			else if (depth === 0 && this.wraps(name, value, entries)) this.collect(record, value, own, 1);
		}
	}

	private nameOf(key: string) {
		const read = this.namesRead.get(key);
		if (read !== undefined) return read;
		const name = normalizedLocalName(key);
		const added = { name, isFit: this.isWanted(name) };
		this.namesRead.set(key, added);
		return added;
	}

	private add(record: JsonObject, field: Omit<FieldCandidate, 'records'>, value: unknown): void {
		this.addOne(record, field);
		for (const inner of isJsonObject(value) ? Object.keys(value) : []) {
			const path = `${field.path}.${inner}`;
			if (VALUE_NAMES.includes(normalizedLocalName(inner)))
				this.addOne(record, { ...field, path, wrapperPath: field.path });
		}
	}

	private addOne(record: JsonObject, field: Omit<FieldCandidate, 'records'>): void {
		const before = this.found.get(field.path);
		const isSame = before !== undefined && before.wrapperPath === field.wrapperPath;
		if (isSame) before.records.push(record);
		else this.found.set(field.path, { ...field, records: [record] });
	}

	/** @param entries of the record */
	private wraps(name: string, value: JsonObject, entries: ReadonlyArray<[string, unknown]>) {
		if (WRAPPER.test(name)) return true;
		const isOwn = this.resourceNames.includes(name);
		if (OTHER_THINGS.has(name) && !isOwn) return false;
		if (entries.length === 1) return true;
		const isLikely = LIKELY_WRAPPER.test(name) || isOwn;
		const scalars = entries.filter(([, one]) => isScalar(one)).length;
		return isLikely && Object.keys(value).length >= scalars;
	}
}

function isScalar(value: unknown): boolean {
	return typeof value === 'string' || typeof value === 'number';
}
