import { isJsonObject, type JsonObject, type JsonValue } from './json';
import { type StoredRecord, timeOf } from './recordStore';
import type { ListSwitches } from './switches';
import { cutToUnit, writeTime } from './times';

/**
 * The JSON of a record as the switches let it be seen. Without such switches it is the stored text
 * itself.
 */
export function shownJson(record: StoredRecord, switches: ListSwitches, renewal?: Renewal): string {
	if (renewal !== undefined)
		return JSON.stringify({ ...shownRecord(record, switches), ...renewal(record) });
	return shownAsStored(switches) ? record.json : JSON.stringify(shownRecord(record, switches));
}

/** What a record shows besides, and otherwise in another response or later on. */
export type Renewal = (record: StoredRecord) => JsonObject | undefined;

export function renewalOf(
	{ renewed }: ListSwitches,
	responseNumber: number,
	now: number,
): Renewal | undefined {
	if (renewed === null) return undefined;
	const mark = renewed.every === 'response' ? responseNumber : Math.floor(now / renewed.every);
	if (renewed.as === 'signature') return ({ sequence }) => ({ photo: `${sequence}?sig=${mark}` });
	// A set without an order, written as it comes.
	const tags = mark % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
	const photo = `https://photos.example.test/${mark}`;
	const { ofState = null } = renewed;
	return ({ json }) =>
		ofState === null || json.includes(`"state":"${ofState}"`) ? { photo, tags } : undefined;
}

export function shownRecord(record: StoredRecord, switches: ListSwitches): JsonObject {
	const { json, isNeverUpdated } = record;
	const isUndated = isNeverUpdated && switches.neverUpdated !== 'dated';
	const stored: unknown = JSON.parse(json);
	if (!isJsonObject(stored)) return {};
	if (shownAsStored(switches)) return stored;
	const shown: JsonObject = {};
	for (const [key, value] of Object.entries(stored)) {
		if (key === 'id') setAt(shown, switches.idField, value);
		else if (key === 'updatedAt')
			setAt(
				shown,
				switches.updatedAtField,
				isUndated ? switches.neverUpdatedAs : shownTime(value, switches),
			);
		else if (key === 'createdAt')
			setAt(shown, switches.createdAtField, shownTime(value, switches, switches.createdAheadMs));
		else shown[key] = value;
	}
	return shown;
}

function shownAsStored(switches: ListSwitches): boolean {
	const { createdAtField, idField, neverUpdated, timeUnit, updatedAtField } = switches;
	const namedAsStored =
		idField === 'id' && updatedAtField === 'updatedAt' && createdAtField === 'createdAt';
	const timedAsStored =
		switches.updatedAtFormat === 'iso' && timeUnit === 'ms' && switches.createdAheadMs === 0;
	return namedAsStored && timedAsStored && neverUpdated === 'dated';
}

function shownTime(stored: JsonValue, switches: ListSwitches, ahead = 0): JsonValue {
	const { timeUnit, updatedAtFormat, zoneOffsetMinutes } = switches;
	const milliseconds = timeOf(stored) + ahead;
	const isAsStored = updatedAtFormat === 'iso' && timeUnit === 'ms' && ahead === 0;
	if (isAsStored || Number.isNaN(milliseconds)) return stored;
	return writeTime(cutToUnit(milliseconds, timeUnit), updatedAtFormat, zoneOffsetMinutes);
}

/** Sets a value at a dot path; a null path drops it. */
function setAt(target: JsonObject, path: string | null, value: JsonValue): void {
	if (path === null) return;
	const dot = path.indexOf('.');
	if (dot < 0) {
		target[path] = value;
		return;
	}
	const head = path.slice(0, dot);
	const existing = target[head];
	const inner: JsonObject = isJsonObject(existing) ? existing : {};
	target[head] = inner;
	setAt(inner, path.slice(dot + 1), value);
}
