import { shortDigest } from '../values/digest';
import { SECOND } from '../values/instant';
import { isJsonObject, type JsonObject, joinPath, readDotPath } from '../values/json';
import { type RecordFields, readUpdatedAt } from './fields';
import type { PolledList } from './polledList';

/** 36 bits: compared for one record and one version only. */
const CONTENT_LENGTH = 6;

/** What one record holds, so that the fields can be named that differ in the next poll. */
export interface RecordSample {
	key: string;
	/** Of its fields, by their names; names of what these hold may be personal data. */
	digests: Record<string, string>;
}

/**
 * Equal for records with equal contents, in whatever order their fields and the elements of their
 * lists come; `null` and a field that is missing are the same.
 *
 * @param without dot paths of fields that do not count
 */
export function contentDigest(record: JsonObject, without: readonly string[]): string {
	const text = JSON.stringify(canonicalize(record, (path) => !without.includes(path)));
	return shortDigest(text, CONTENT_LENGTH);
}

/** @param keeps whether the field at a dot path is part of it; a path passes through lists */
function canonicalize(value: unknown, keeps: (path: string) => boolean, path = ''): unknown {
	if (Array.isArray(value)) {
		return value.map((element) => JSON.stringify(canonicalize(element, keeps, path))).sort();
	}
	if (!isJsonObject(value)) return value;
	return Object.keys(value)
		.sort()
		.filter((name) => value[name] !== null && keeps(joinPath(path, name)))
		.map((name) => [name, canonicalize(value[name], keeps, joinPath(path, name))]);
}

/** @param without dot paths of fields that do not count */
export function fieldDigests(
	record: JsonObject,
	without: readonly string[],
): RecordSample['digests'] {
	const digests = Object.entries(record).map(
		([name, value]) => [name, contentDigest({ [name]: value }, without)] as const,
	);
	return Object.fromEntries(digests);
}

/**
 * Finds the fields that differ between two answers made a second apart, in most of the records that
 * have the same time in both.
 *
 * @param records those of the first page, or more
 * @returns their dot paths
 */
export async function findVolatileFields(
	list: PolledList,
	fields: RecordFields,
	{ pageSize, records }: { pageSize: number; records: readonly JsonObject[] },
): Promise<string[]> {
	// What is signed with the time may be written in seconds.
	await list.source.pause(1.1 * SECOND);
	const stateOf = (record: JsonObject) =>
		JSON.stringify([readDotPath(record, fields.id), readUpdatedAt(record, fields)]);
	const answer = await list.fetchSample(1, pageSize);
	const again = new Map(answer.map((record) => [stateOf(record), valuesByPath(record)]));
	const counts = new Map<string, number>();
	for (const record of records) {
		const after = again.get(stateOf(record));
		if (after === undefined) continue;
		const before = valuesByPath(record);
		for (const path of new Set([...before.keys(), ...after.keys()])) {
			const differs = before.get(path)?.join() !== after.get(path)?.join();
			counts.set(path, (counts.get(path) ?? 0) + (differs ? 1 : -1));
		}
	}
	return [...counts].flatMap(([path, count]) => (count > 0 ? path : []));
}

/** What stands at each dot path; `null` and a field that is missing are the same. */
function valuesByPath(value: unknown, path = '', found = new Map<string, string[]>()) {
	if (Array.isArray(value)) for (const element of value) valuesByPath(element, path, found);
	else if (isJsonObject(value)) {
		for (const name of Object.keys(value)) valuesByPath(value[name], joinPath(path, name), found);
	} else if (value !== null) {
		found.set(path, [...(found.get(path) ?? []), JSON.stringify(value)].sort());
	}
	return found;
}
