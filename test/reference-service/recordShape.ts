import { isJsonObject, type JsonObject, type JsonValue } from './json';
import { type StoredRecord, timeOf } from './recordStore';
import type { ListSwitches } from './switches';
import { cutToUnit, writeTime } from './times';

/**
 * The JSON of a record as the switches let it be seen. Without such switches it is the stored text
 * itself.
 */
export function shownJson(record: StoredRecord, switches: ListSwitches): string {
	return shownAsStored(switches) ? record.json : JSON.stringify(shownRecord(record, switches));
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
			setAt(shown, switches.updatedAtField, isUndated ? null : shownTime(value, switches));
		else if (key === 'createdAt') shown[key] = shownTime(value, switches);
		else shown[key] = value;
	}
	return shown;
}

function shownAsStored(switches: ListSwitches): boolean {
	const { idField, neverUpdated, timeUnit, updatedAtField, updatedAtFormat } = switches;
	const namedAsStored = idField === 'id' && updatedAtField === 'updatedAt';
	const timedAsStored = updatedAtFormat === 'iso' && timeUnit === 'ms';
	return namedAsStored && timedAsStored && neverUpdated === 'dated';
}

function shownTime(stored: JsonValue, switches: ListSwitches): JsonValue {
	const { timeUnit, updatedAtFormat, zoneOffsetMinutes } = switches;
	const milliseconds = timeOf(stored);
	const isAsStored = updatedAtFormat === 'iso' && timeUnit === 'ms';
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
	const known = target[head];
	const inner: JsonObject = isJsonObject(known) ? known : {};
	target[head] = inner;
	setAt(inner, path.slice(dot + 1), value);
}
