import { fieldName } from '../values/fieldName';
import { isRecord } from '../values/json';

/** What is read of an object to find the event in it, by name as `fieldName` writes it. */
export type EventFields = ReadonlyMap<string, unknown>;

/** Those that hold nothing but the name of an event; a record has a `type` too. */
const SURE_EVENT_NAMES = ['event', 'eventtype', 'eventname', 'webhookevent', 'triggerevent'];
const EVENT_NAMES = ['event', 'type', ...SURE_EVENT_NAMES.slice(1)];
const ID_NAMES = ['eventid', 'id', 'idempotencykey', 'messageid'];
const LIST_NAMES = ['events', 'items', 'data'];
const CONTENT_NAMES = ['data', 'payload', 'object', 'record', 'resource'];

const NAMES = new Set([
	...EVENT_NAMES,
	...ID_NAMES,
	...LIST_NAMES,
	...CONTENT_NAMES,
	'source',
	'specversion',
]);

/** Empty for anything but an object. `$type` and the like are notes of the program that wrote the JSON. */
export function eventFields(value: unknown): EventFields {
	const fields = new Map<string, unknown>();
	if (!isRecord(value)) return fields;
	for (const key of Object.keys(value)) {
		const name = fieldName(key);
		const isRead = NAMES.has(name) && !fields.has(name) && !/^[$@]/.test(key);
		if (isRead && value[key] !== null) fields.set(name, value[key]);
	}
	return fields;
}

/** The text that names the event. */
export function eventNameIn(fields: EventFields): string | null {
	return textUnder(fields, EVENT_NAMES) ?? null;
}

/** Whether the name in it is surely that of an event. */
export function hasSureName(fields: EventFields): boolean {
	return isCloudEvent(fields) || textUnder(fields, SURE_EVENT_NAMES) !== undefined;
}

/** CloudEvents 1.0 section 3.1: its `type` is that of the event, and its `id` too. */
export function isCloudEvent(fields: EventFields): boolean {
	return isText(fields.get('specversion'));
}

/** What may be the ID of the event, likelier ones first. */
export function idsIn(fields: EventFields): Array<{ value: string | number; isCalledId: boolean }> {
	return ID_NAMES.flatMap((name) => {
		const value = fields.get(name);
		return isId(value) ? [{ value, isCalledId: name === 'id' }] : [];
	});
}

/** The name under which a list of objects stands that may be events. */
export function listNameIn(fields: EventFields): string | undefined {
	return LIST_NAMES.find((name) => isListOfRecords(fields.get(name)));
}

/** Whether it holds what an event is about, as a record does not. */
export function hasContent(fields: EventFields): boolean {
	const contents = CONTENT_NAMES.map((name) => fields.get(name));
	return contents.some((content) => isRecord(content) || isListOfRecords(content));
}

/** Whether a field is one of those that name the event. */
export function isEventName(key: string): boolean {
	return EVENT_NAMES.includes(fieldName(key));
}

/** Whether a field is one of those that hold the ID of the event. */
export function isIdName(key: string): boolean {
	return ID_NAMES.includes(fieldName(key));
}

export function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

export function isId(value: unknown): value is string | number {
	return typeof value === 'number' || isText(value);
}

export function isListOfRecords(value: unknown): value is Array<Record<string, unknown>> {
	return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

function textUnder(fields: EventFields, names: readonly string[]): string | undefined {
	return names
		.map((name) => fields.get(name))
		.find(isText)
		?.trim();
}
