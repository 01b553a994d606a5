import { ServiceFailure } from '../failure/serviceFailure';
import { shortDigest } from '../values/digest';
import { SECOND } from '../values/instant';
import { isJsonObject, type JsonObject, joinPath, readDotPath } from '../values/json';
import { type RecordFields, readUpdatedAt } from './fields';
import type { PolledList } from './polledList';

/** 36 bits, because digests are only compared for one version of one record. */
export const CONTENT_LENGTH = 6;

/** At every 6th level of lists and objects, a digest stands for what is nested deeper. */
const DIGEST_EVERY = 6;
const NESTED_LENGTH = 22;

/** Deeper than any service nests. Below it, the order of fields counts. */
const MAX_LEVEL = 100;

/**
 * Equal for records with equal contents, in whatever order their fields and the elements of their
 * lists come; `null` and a field that is missing are the same.
 *
 * @param without dot paths of fields that do not count
 */
export function contentDigest(record: JsonObject, without: readonly string[]): string {
	return shortDigest(JSON.stringify(canonicalize(record, without)), CONTENT_LENGTH);
}

/**
 * @param without dot paths of fields that do not count; a path passes through lists
 * @param level how many lists and objects the value is in
 */
function canonicalize(value: unknown, without: readonly string[], path = '', level = 0): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (level > MAX_LEVEL) return JSON.stringify(value);
	const whole = Array.isArray(value)
		? value.map((one) => JSON.stringify(canonicalize(one, without, path, level + 1))).sort()
		: canonicalFields(value, without, path, level);
	// Texts are nested in texts, and each level escapes the quotation marks of the one below.
	return level % DIGEST_EVERY === DIGEST_EVERY - 1
		? shortDigest(JSON.stringify(whole), NESTED_LENGTH)
		: whole;
}

function canonicalFields(value: object, without: readonly string[], path: string, level: number) {
	const fields = isJsonObject(value) ? value : {};
	return Object.keys(fields)
		.sort()
		.filter((name) => fields[name] !== null && !without.includes(joinPath(path, name)))
		.map((name) => [name, canonicalize(fields[name], without, joinPath(path, name), level + 1)]);
}

/** @param without dot paths of fields that do not count */
export function fieldDigests(
	record: JsonObject,
	without: readonly string[],
): Record<string, string> {
	const digests = Object.entries(record).map(
		([name, value]) => [name, contentDigest({ [name]: value }, without)] as const,
	);
	return Object.fromEntries(digests);
}

/** A page that may hold a field which differs in each response. */
export interface SeenPage {
	page: number;
	pageSize: number;
	sinceAt?: number;
	records: readonly JsonObject[];
}

/**
 * Finds the fields that differ in each response: in most of the records that have them, and that
 * show the same time, between three responses a second apart.
 *
 * @returns their dot paths; none if no record comes twice with the same time, which proves nothing
 */
export async function findRenewedFields(
	list: PolledList,
	fields: RecordFields,
	{ page, pageSize, records, sinceAt }: SeenPage,
): Promise<string[]> {
	let found: string[] | undefined;
	let before = records;
	for (let looks = 0; looks < 2 && found?.length !== 0; looks++) {
		// A signature may change with the time in whole seconds.
		await list.source.pause(1.1 * SECOND);
		const look = list.fetchSample(1, pageSize, sinceAt, page);
		const after = await look.catch((error: unknown) => {
			// A slow service leaves time for one look.
			if (found === undefined || !(error instanceof ServiceFailure)) throw error;
		});
		if (after === undefined) break;
		const differing = findDifferences(before, after, fields);
		found = found?.filter((path) => differing.includes(path)) ?? differing;
		before = after;
	}
	return found ?? [];
}

function findDifferences(
	records: readonly JsonObject[],
	later: readonly JsonObject[],
	fields: RecordFields,
): string[] {
	const stateOf = (record: JsonObject) =>
		JSON.stringify([readDotPath(record, fields.id), readUpdatedAt(record, fields)]);
	const again = new Map(later.map((record) => [stateOf(record), valuesByPath(record)]));
	const counts = new Map<string, number>();
	for (const record of records) {
		const after = again.get(stateOf(record));
		if (after === undefined) continue;
		const before = valuesByPath(record);
		for (const path of new Set([...before.keys(), ...after.keys()])) {
			const differs = textAt(before, path) !== textAt(after, path);
			counts.set(path, (counts.get(path) ?? 0) + (differs ? 1 : -1));
		}
	}
	return [...counts].flatMap(([path, count]) => (count > 0 ? path : []));
}

const textAt = (values: Map<string, string[]>, path: string) => values.get(path)?.sort().join();

/** The values at each dot path; `null` and a missing field are the same. */
function valuesByPath(value: unknown, path = '', found = new Map<string, string[]>()) {
	if (Array.isArray(value)) for (const element of value) valuesByPath(element, path, found);
	else if (isJsonObject(value)) {
		for (const name of Object.keys(value)) valuesByPath(value[name], joinPath(path, name), found);
	} else if (value !== null) {
		const texts = found.get(path) ?? [];
		texts.push(JSON.stringify(value));
		found.set(path, texts);
	}
	return found;
}
