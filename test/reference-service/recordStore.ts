import { isJsonObject, type JsonObject, type JsonValue } from './json';
import { type Resource, resources } from './records';

export type RecordId = string | number;

/** One record as it is kept: what lists need to know of it, and the JSON to be sent. */
export interface StoredRecord {
	/** Place in the order of insertion; never given twice. */
	readonly sequence: number;
	/** null for a record without one. */
	id: RecordId | null;
	/** Milliseconds since 1970; NaN where the record has no readable update time. */
	updatedAt: number;
	/** Whether that is the time of its creation. */
	isNeverUpdated: boolean;
	json: string;
}

interface Collection {
	/** In order of insertion. */
	records: StoredRecord[];
	byId: Map<string, StoredRecord>;
	nextSequence: number;
	/**
	 * Changes with every change, so that what was derived from the records can be told to be stale.
	 */
	version: number;
}

/** The records of one tenant. 7 and `'7'` are the same ID. */
export class RecordStore {
	private readonly collections = new Map<Resource, Collection>(
		resources.map((resource) => [resource, emptyCollection(0)]),
	);

	/** All records in order of insertion; not to be changed. */
	all(resource: Resource): readonly StoredRecord[] {
		return this.collection(resource).records;
	}

	version(resource: Resource): number {
		return this.collection(resource).version;
	}

	/** Replaces every record of the resource. Records may repeat IDs or have none. */
	replace(resource: Resource, records: Iterable<JsonObject>): void {
		const collection = emptyCollection(this.version(resource) + 1);
		for (const record of records) add(collection, record);
		this.collections.set(resource, collection);
	}

	/** Adds the record, or replaces the one with its `id` where it stands. */
	put(resource: Resource, record: JsonObject): void {
		const collection = this.collection(resource);
		collection.version++;
		const id = idOf(record);
		const existing = id === null ? undefined : collection.byId.get(String(id));
		if (existing === undefined) add(collection, record);
		else Object.assign(existing, storedRecord(existing.sequence, record));
	}

	remove(resource: Resource, id: RecordId): void {
		const collection = this.collection(resource);
		const existing = collection.byId.get(String(id));
		if (existing === undefined) return;
		collection.byId.delete(String(id));
		collection.records.splice(collection.records.indexOf(existing), 1);
		collection.version++;
	}

	private collection(resource: Resource): Collection {
		const collection = this.collections.get(resource);
		if (collection === undefined) throw new Error(`There is no resource "${resource}".`);
		return collection;
	}
}

function emptyCollection(version: number): Collection {
	return { records: [], byId: new Map(), nextSequence: 0, version };
}

function add(collection: Collection, record: JsonObject): void {
	const stored = storedRecord(collection.nextSequence++, record);
	collection.records.push(stored);
	if (stored.id !== null) collection.byId.set(String(stored.id), stored);
}

function storedRecord(sequence: number, record: JsonObject): StoredRecord {
	if (!isJsonObject(record)) throw new Error('A record is a JSON object.');
	const updatedAt = timeOf(record.updatedAt);
	const isNeverUpdated = updatedAt === timeOf(record.createdAt);
	return { sequence, id: idOf(record), updatedAt, isNeverUpdated, json: JSON.stringify(record) };
}

function idOf({ id }: JsonObject): RecordId | null {
	return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** @returns NaN for what is no time */
export function timeOf(value: JsonValue | undefined): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' ? Date.parse(value) : NaN;
}
