import { SECOND } from '../values/instant';
import { isRecord, type JsonObject, joinPath } from '../values/json';
import { type RecordFields, readUpdate, requireId } from './fields';
import type { PageOfRecords, PolledList } from './reading';
import { versionKey } from './versions';

/** A field of a record may change just between two answers; hardly twice in a row. */
const MAX_ANSWERS = 3;

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
	const stateOf = (record: JsonObject) => stateKey(record, fields, list);
	let answer = records;
	let names: string[] | undefined;
	for (let answers = 1; answers < MAX_ANSWERS && names?.length !== 0; answers++) {
		// What is signed with the time may be written in seconds. Without times such a record would be
		// returned for ever.
		if (fields.updatedAt === '') await list.source.pause(1.1 * SECOND);
		const again = await list.readPage(query, asked);
		const differing = differingFields(answer, again, stateOf);
		names = names?.filter((name) => differing.includes(name)) ?? differing;
		answer = again;
	}
	return names ?? [];
}

/**
 * Dot paths of the fields that differ between two answers. A field of one record may have changed
 * just then, so it has to differ in most records that have it.
 *
 * @param stateOf the same for the same state of the same record
 */
export function differingFields(
	first: readonly JsonObject[],
	second: readonly JsonObject[],
	stateOf: (record: JsonObject) => string,
): string[] {
	const statesOf = (records: readonly JsonObject[]) =>
		new Map(records.map((record) => [stateOf(record), valuesByPath(record)]));
	const differing = [...compareStates(statesOf(first), statesOf(second))]
		.filter(([, { present, differing }]) => differing * 2 > present)
		.map(([path]) => path);
	return differing.filter((path) => !isWithin(path, differing));
}

/** Whether a field stands in one of these. */
export function isWithin(path: string, fields: readonly string[]): boolean {
	return fields.some((field) => path.startsWith(joinPath(field, '')));
}

/** The same for the same state of the same record. */
export function stateKey(record: JsonObject, fields: RecordFields, { source }: PolledList): string {
	const id = requireId(record, fields.id, source.names);
	return versionKey(id, readUpdate(record, fields)?.state ?? null);
}

type ByPath = ReadonlyMap<string, string>;

/**
 * By dot path: in how many of the states that both have it is present, and in how many of these it
 * differs.
 */
function compareStates(
	before: ReadonlyMap<string, ByPath>,
	after: ReadonlyMap<string, ByPath>,
): Map<string, { present: number; differing: number }> {
	const fields = new Map<string, { present: number; differing: number }>();
	for (const [state, one] of before) {
		const other = after.get(state);
		if (other === undefined) continue;
		for (const path of new Set([...one.keys(), ...other.keys()])) {
			const field = fields.get(path) ?? { present: 0, differing: 0 };
			field.present++;
			if (one.get(path) !== other.get(path)) field.differing++;
			fields.set(path, field);
		}
	}
	return fields;
}

/**
 * What stands at each dot path, of an object its names; `null` and a field that is missing are the
 * same.
 */
export function valuesByPath(record: JsonObject): Map<string, string> {
	const found = new Map<string, string[]>();
	const note = (path: string, value: unknown) => {
		const values = found.get(path);
		if (values === undefined) found.set(path, [JSON.stringify(value)]);
		else values.push(JSON.stringify(value));
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
