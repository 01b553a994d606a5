import { ServiceFailure } from '../failure/serviceFailure';
import { shortDigest } from '../values/digest';
import { SECOND } from '../values/instant';
import { isRecord, type JsonObject, joinPath, readDotPath } from '../values/json';
import { type RecordFields, readUpdate } from './fields';
import type { PageQuery, PolledList } from './pages';

/** 36 bits: compared for one record and one version only. */
const CONTENT_LENGTH = 6;

/** A field of a record may change just between two answers; hardly twice in a row. */
const MAX_ANSWERS = 3;

export interface PageOfRecords {
	records: readonly JsonObject[];
	query: PageQuery;
}

/**
 * Equal for records with equal contents, in whatever order their fields and the elements of their
 * lists come.
 *
 * @param without dot paths of fields that do not count
 */
export function contentDigest(record: JsonObject, without: readonly string[]): string {
	const text = JSON.stringify(inOrder(record, (path) => !without.includes(path)));
	return shortDigest(text, CONTENT_LENGTH);
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

/**
 * Finds the fields that differ between answers made right after each other.
 *
 * @param since as the page was asked for
 * @returns their dot paths; none if the service does not answer
 */
export async function findVolatile(
	list: PolledList,
	fields: RecordFields,
	{ records, query }: PageOfRecords,
	since?: number,
): Promise<string[]> {
	let answer = records;
	let paths: string[] | undefined;
	for (let answers = 1; answers < MAX_ANSWERS && paths?.length !== 0; answers++) {
		// What is signed with the time may be written in seconds. Without times such a record would be
		// returned for ever.
		if (fields.updatedAt === '') await list.source.pause(1.1 * SECOND);
		const again = await list.page(query, since);
		const differing = differingFields(answer, again, fields);
		paths = paths?.filter((path) => differing.includes(path)) ?? differing;
		answer = again;
	}
	return paths ?? [];
}

/** The same for a trigger that runs: what was read is not to be read again. */
export async function findVolatileLater(
	...page: Parameters<typeof findVolatile>
): Promise<string[]> {
	return await findVolatile(...page).catch((error: unknown) => {
		if (error instanceof ServiceFailure) return [];
		throw error;
	});
}

/**
 * Dot paths of the fields that differ between two answers in most records that have them: that of
 * one record may have changed just then.
 */
function differingFields(
	first: readonly JsonObject[],
	second: readonly JsonObject[],
	fields: RecordFields,
): string[] {
	const stateOf = (record: JsonObject) =>
		JSON.stringify([readDotPath(record, fields.id), readUpdate(record, fields)]);
	const again = new Map(second.map((record) => [stateOf(record), valuesByPath(record)]));
	const counts = new Map<string, number>();
	for (const record of first) {
		const after = again.get(stateOf(record));
		if (after === undefined) continue;
		const before = valuesByPath(record);
		for (const path of new Set([...before.keys(), ...after.keys()])) {
			const differs = before.get(path) !== after.get(path);
			counts.set(path, (counts.get(path) ?? 0) + (differs ? 1 : -1));
		}
	}
	const differing = [...counts].flatMap(([path, count]) => (count > 0 ? path : []));
	const isWithin = (path: string) => differing.some((one) => path.startsWith(joinPath(one, '')));
	return differing.filter((path) => !isWithin(path));
}

/**
 * What stands at each dot path, of an object its names; `null` and a field that is missing are the
 * same.
 */
function valuesByPath(record: JsonObject): Map<string, string> {
	const found = new Map<string, string[]>();
	const note = (path: string, value: unknown) => {
		found.set(path, [...(found.get(path) ?? []), JSON.stringify(value)]);
	};
	const collect = (value: unknown, path: string) => {
		if (Array.isArray(value)) for (const element of value) collect(element, path);
		else if (isRecord(value)) {
			const names = Object.keys(value).filter((name) => value[name] !== null);
			// What is kept by names of its own may get others in each answer.
			if (path !== '') note(path, names.sort());
			for (const name of names) collect(value[name], joinPath(path, name));
		} else if (value !== null) note(path, value);
	};
	collect(record, '');
	return new Map([...found].map(([path, values]) => [path, values.sort().join()]));
}

/** Of each top-level field a short digest, to name later the ones that differ. */
export function marksOf(record: JsonObject, without: readonly string[]): Record<string, string> {
	const kept = Object.entries(record).filter(([name]) => !without.includes(name));
	return Object.fromEntries(
		kept.map(([name, value]) => [name, contentDigest({ value }, []).slice(0, 3)]),
	);
}
