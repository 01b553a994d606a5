import type { Level } from 'level';

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

const batchSize = 10_000;

/**
 * The records of one tenant: served from memory, kept in a `level` store.
 *
 * A change is in memory only after the store has it, and one change follows the other: two for the
 * same new record must not both find it missing. Without a store (`null`) everything is in memory
 * only.
 */
export class RecordStore {
	private readonly collections = new Map<Resource, Collection>(
		resources.map((resource) => [resource, emptyCollection()]),
	);

	private lastChange: Promise<unknown> = Promise.resolve();

	constructor(private readonly database: Level | null) {}

	/** Reads what an earlier run left. */
	async load(): Promise<void> {
		if (this.database === null) return;
		for (const resource of resources) {
			const collection = emptyCollection();
			const entries = this.database.iterator(keyRange(resource));
			try {
				for (;;) {
					const batch = await entries.nextv(batchSize);
					if (batch.length === 0) break;
					for (const [key, json] of batch) {
						add(collection, storedRecord(Number(key.slice(key.indexOf('/') + 1)), json));
					}
				}
			} finally {
				await entries.close();
			}
			this.collections.set(resource, collection);
		}
	}

	/** All records in order of insertion; not to be changed. */
	all(resource: Resource): readonly StoredRecord[] {
		return this.collection(resource).records;
	}

	version(resource: Resource): number {
		return this.collection(resource).version;
	}

	/** Replaces every record of the resource. Records may repeat ids or have none. */
	replace(resource: Resource, records: Iterable<JsonObject>): Promise<void> {
		return this.inTurn(() => this.replaceNow(resource, records));
	}

	/**
	 * Adds the record, or replaces the one with its `id` where it stands. 7 and `'7'` are the same
	 * id.
	 * @returns whether it was new
	 */
	put(resource: Resource, record: JsonObject): Promise<boolean> {
		return this.inTurn(() => this.putNow(resource, record));
	}

	/** @returns whether there was such a record */
	remove(resource: Resource, id: RecordId): Promise<boolean> {
		return this.inTurn(() => this.removeNow(resource, id));
	}

	private inTurn<T>(change: () => Promise<T>): Promise<T> {
		const done = this.lastChange.then(change);
		this.lastChange = done.catch(() => undefined);
		return done;
	}

	private async replaceNow(resource: Resource, records: Iterable<JsonObject>): Promise<void> {
		const collection = emptyCollection();
		collection.version = this.version(resource) + 1;
		if (this.database !== null) await this.database.clear(keyRange(resource));
		let batch: StoredRecord[] = [];
		for (const record of records) {
			const stored = storedRecord(collection.nextSequence, JSON.stringify(record), record);
			add(collection, stored);
			if (batch.push(stored) === batchSize) {
				await this.write(resource, batch);
				batch = [];
			}
		}
		await this.write(resource, batch);
		this.collections.set(resource, collection);
	}

	private async putNow(resource: Resource, record: JsonObject): Promise<boolean> {
		const collection = this.collection(resource);
		const id = idOf(record);
		const known = id === null ? undefined : collection.byId.get(String(id));
		const sequence = known?.sequence ?? collection.nextSequence++;
		const stored = storedRecord(sequence, JSON.stringify(record), record);
		await this.write(resource, [stored]);
		if (known === undefined) add(collection, stored);
		else Object.assign(known, stored);
		collection.version++;
		return known === undefined;
	}

	private async removeNow(resource: Resource, id: RecordId): Promise<boolean> {
		const collection = this.collection(resource);
		const known = collection.byId.get(String(id));
		if (known === undefined) return false;
		await this.database?.del(keyOf(resource, known.sequence));
		collection.byId.delete(String(id));
		collection.records.splice(collection.records.indexOf(known), 1);
		collection.version++;
		return true;
	}

	private collection(resource: Resource): Collection {
		const collection = this.collections.get(resource);
		if (collection === undefined) throw new Error(`There is no resource "${resource}".`);
		return collection;
	}

	private async write(resource: Resource, records: StoredRecord[]): Promise<void> {
		if (this.database === null || records.length === 0) return;
		await this.database.batch(
			records.map(({ sequence, json }) => ({
				type: 'put' as const,
				key: keyOf(resource, sequence),
				value: json,
			})),
		);
	}
}

function emptyCollection(): Collection {
	return { records: [], byId: new Map(), nextSequence: 0, version: 0 };
}

function add(collection: Collection, stored: StoredRecord): void {
	collection.records.push(stored);
	if (stored.id !== null) collection.byId.set(String(stored.id), stored);
	collection.nextSequence = Math.max(collection.nextSequence, stored.sequence + 1);
}

export function storedRecord(sequence: number, json: string, parsed?: JsonObject): StoredRecord {
	const record: unknown = parsed ?? JSON.parse(json);
	if (!isJsonObject(record)) throw new Error('A record is a JSON object.');
	const updatedAt = timeOf(record.updatedAt);
	const isNeverUpdated = updatedAt === timeOf(record.createdAt);
	return { sequence, id: idOf(record), updatedAt, isNeverUpdated, json };
}

function idOf({ id }: JsonObject): RecordId | null {
	return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** @returns NaN for what is no time */
export function timeOf(value: JsonValue | undefined): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' ? Date.parse(value) : NaN;
}

// Digits of equal length keep the store's order of keys the order of insertion.
function keyOf(resource: Resource, sequence: number): string {
	return `${resource}/${String(sequence).padStart(12, '0')}`;
}

function keyRange(resource: Resource): { gte: string; lt: string } {
	return { gte: `${resource}/`, lt: `${resource}0` };
}
