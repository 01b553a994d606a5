import { createHash } from 'node:crypto';
import { ServiceFailure } from '../failure/serviceFailure';
import { SECOND } from '../values/instant';
import { isRecord, type JsonObject, joinPath } from '../values/json';
import { type RecordFields, readUpdate, requireId } from './fields';
import type { PageOfRecords, PolledList } from './reading';
import { versionKey } from './versions';

/** 48 bits: compared for one record and one time only. */
const CONTENT_LENGTH = 8;

/** A field of a record may change just between two answers; hardly twice in a row. */
const MAX_ANSWERS = 3;

/**
 * What records hold, as far as it tells their states apart. Fields that differ in each answer are not part of it. They
 * are looked for before any content is remembered, and again if a content differs although the time is the same. A
 * content that was remembered with such a field cannot be compared any more, so its record is returned once more.
 */
export class Contents {
	private doubted?: PageOfRecords;

	/** @param volatile dot paths of the fields that are known to differ in each answer */
	constructor(public volatile: readonly string[]) {}

	digest(record: JsonObject): string {
		return contentDigest(record, this.volatile);
	}

	/** Notes that a record of this page differs although its time is the same. */
	doubt(page: PageOfRecords): void {
		this.doubted ??= page;
	}

	/** Looks for fields that differ in each answer, if that may be why a record differs. */
	async settle(list: PolledList, fields: RecordFields, asked: number | undefined): Promise<void> {
		if (this.doubted === undefined) return;
		const found = await findVolatileFields(list, fields, this.doubted, asked).catch(
			(error: unknown) => {
				// What differs is returned then.
				if (error instanceof ServiceFailure) return [];
				throw error;
			},
		);
		this.volatile = [...new Set([...this.volatile, ...found])];
	}
}

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
	const stateOf = (record: JsonObject) => {
		const id = requireId(record, fields.id, list.source.names);
		return versionKey(id, readUpdate(record, fields)?.written ?? null);
	};
	let answer = records;
	let names: string[] | undefined;
	for (let answers = 1; answers < MAX_ANSWERS && names?.length !== 0; answers++) {
		// What is signed with the time may be written in seconds. Without times such a record would be returned for ever.
		if (fields.updatedAt === '') await list.source.pause(1.1 * SECOND);
		const again = await list.readPage(query, asked);
		const differing = differingFields(answer, again, stateOf);
		names = names?.filter((name) => differing.includes(name)) ?? differing;
		answer = again;
	}
	return names ?? [];
}

/**
 * Dot paths of the fields that differ between two answers. A field of one record may have changed just then, so it has
 * to differ in most records that have it.
 *
 * @param stateOf the same for the same state of the same record
 */
export function differingFields(
	first: readonly JsonObject[],
	second: readonly JsonObject[],
	stateOf: (record: JsonObject) => string,
): string[] {
	const others = new Map(second.map((record) => [stateOf(record), record]));
	const fields = new Map<string, { present: number; differing: number }>();
	for (const record of first) {
		const other = others.get(stateOf(record));
		if (other === undefined) continue;
		const [before, after] = [valuesByPath(record), valuesByPath(other)];
		for (const path of new Set([...before.keys(), ...after.keys()])) {
			const field = fields.get(path) ?? { present: 0, differing: 0 };
			field.present++;
			if (before.get(path) !== after.get(path)) field.differing++;
			fields.set(path, field);
		}
	}
	return [...fields]
		.filter(([, { present, differing }]) => differing * 2 > present)
		.map(([path]) => path);
}

/**
 * Equal for records with equal contents, in whatever order their fields and the elements of their lists come.
 *
 * @param volatile dot paths of fields that differ in each answer
 */
export function contentDigest(record: JsonObject, volatile: readonly string[]): string {
	const text = JSON.stringify(inOrder(record, (path) => !volatile.includes(path)));
	return createHash('sha256').update(text).digest('base64url').slice(0, CONTENT_LENGTH);
}

/** @param keeps whether the field at a dot path is part of it; a path passes through lists */
function inOrder(value: unknown, keeps: (path: string) => boolean, path = ''): unknown {
	if (Array.isArray(value)) {
		return value.map((element) => JSON.stringify(inOrder(element, keeps, path))).sort();
	}
	if (!isRecord(value)) return value;
	return Object.keys(value)
		.sort()
		.filter((name) => keeps(joinPath(path, name)))
		.map((name) => [name, inOrder(value[name], keeps, joinPath(path, name))]);
}

/** What stands at each dot path; `null` and a field that is missing are the same. */
function valuesByPath(record: JsonObject): Map<string, string> {
	const found = new Map<string, string[]>();
	const collect = (value: unknown, path: string) => {
		if (Array.isArray(value)) for (const element of value) collect(element, path);
		else if (isRecord(value)) {
			for (const [name, field] of Object.entries(value)) collect(field, joinPath(path, name));
		} else if (value !== null) {
			found.set(path, [...(found.get(path) ?? []), JSON.stringify(value)]);
		}
	};
	collect(record, '');
	return new Map([...found].map(([path, values]) => [path, values.sort().join()]));
}
