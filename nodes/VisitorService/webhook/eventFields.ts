import {
	type Field,
	type Fields,
	fieldName,
	fieldsOf,
	findField,
	hasField,
} from '../values/fieldName';
import { isRecord, isText, type JsonObject } from '../values/json';
import type { Proof } from './signature/authentication';

/** Where name, ID and elements of an event are: dot paths and names of headers; `''` = detect. */
export interface EventSources {
	eventPath: string;
	eventHeader: string;
	idPath: string;
	idHeader: string;
	itemsPath: string;
}

export type ProvenSources = EventSources & Proof;

/** Those that hold nothing but the name of an event; a record has a `type` too. */
const SURE_EVENT_NAMES = ['event', 'eventtype', 'eventname', 'webhookevent', 'triggerevent'];
const EVENT_NAMES = ['event', 'type', ...SURE_EVENT_NAMES.slice(1)];
/** As the ID of a record may be called too. */
const NAMES_OF_RECORD_IDS = ['id', 'uuid', 'guid'];
const EVENT_ID_NAMES = [
	...withId('event'),
	...NAMES_OF_RECORD_IDS,
	'idempotencykey',
	...withId('message'),
	...withId('notification'),
];
const LIST_NAMES = ['events', 'items', 'data'];
const CONTENT_NAMES = ['data', 'payload', 'object', 'record', 'resource'];
/** Names and IDs of all services known are shorter. Each item of a list repeats those beside it. */
const MAX_EVENT_NAME_LENGTH = 512;

/**
 * None for anything but an object. `$type` and the like are notes of the program that wrote the
 * JSON.
 */
export function eventFields(value: unknown): Fields {
	const nameOf = (key: string) => (/^[$@]/.test(key) ? key : fieldName(key));
	return fieldsOf(isRecord(value) ? value : {}, nameOf);
}

/** The texts that may name the event, likelier ones first. */
export function eventNamesIn(fields: Fields): string[] {
	return EVENT_NAMES.flatMap((name) => fields.get(name) ?? [])
		.map(({ value }) => value)
		.filter(isName)
		.map((name) => name.trim());
}

/** The text that names the event. */
export function eventNameIn(fields: Fields): string | null {
	return eventNamesIn(fields)[0] ?? null;
}

/** Some systems number their events. A `type` that is a number may be that of anything. */
export function eventNumbersIn(fields: Fields): string[] {
	return SURE_EVENT_NAMES.flatMap((name) => fields.get(name) ?? [])
		.map(({ value }) => value)
		.filter(Number.isSafeInteger)
		.map(String);
}

/** Whether the name in it is surely that of an event. */
export function hasSureName(fields: Fields): boolean {
	return isCloudEvent(fields) || textUnder(fields, SURE_EVENT_NAMES) !== undefined;
}

/** CloudEvents 1.0 section 3.1: its `type` is that of the event, and its `id` too. */
function isCloudEvent(fields: Fields): boolean {
	return textUnder(fields, ['specversion']) !== undefined;
}

/** Where the event happened, by CloudEvents 1.0 section 3.1.1. */
export function cloudEventSource(fields: Fields): string | undefined {
	return isCloudEvent(fields) ? textUnder(fields, ['source']) : undefined;
}

/** What may be the ID of the event. */
export interface NamedId {
	value: string | number;
	isCalledId: boolean;
	/** Whether the ID of a record may have that name. */
	isOfRecord: boolean;
}

/** Likelier ones first. */
export function idsIn(fields: Fields): NamedId[] {
	return EVENT_ID_NAMES.flatMap((name) => {
		const id = findField(fields, [name], isId);
		if (id === undefined) return [];
		const isOfRecord = NAMES_OF_RECORD_IDS.includes(name);
		return [{ value: id.value, isCalledId: name === 'id', isOfRecord }];
	});
}

function withId(what: string): string[] {
	return ['id', 'uuid', 'guid'].map((id) => `${what}${id}`);
}

/** A list of objects that may be events. */
export function listIn(fields: Fields): Field<JsonObject[]> | undefined {
	return findField(fields, LIST_NAMES, isListOfRecords);
}

/** A list, and whether its elements are events because of where it stands. */
export interface ListPlace extends Field<readonly unknown[]> {
	isOfEvents: boolean;
}

/**
 * The lists in which there may be events: those of a usual name; and any other, if nothing that is
 * one record stands beside it. A list in a record is its own, as a history is, unless nothing else
 * is in there.
 */
export function listsIn(fields: Fields, holder: 'event' | 'record'): ListPlace[] {
	const lists: Array<Field<unknown[]> & { name: string }> = [];
	let isEnvelope = true;
	// Most of the many objects in a large body hold no list.
	for (const [name, same] of fields) {
		for (const { key, value } of same) {
			if (isList(value)) lists.push({ name, key, value });
			else if (holder === 'record' || isRecord(value)) isEnvelope = false;
		}
	}
	return lists.map(({ name, key, value }) => {
		return { key, value, isOfEvents: isEnvelope || LIST_NAMES.includes(name) };
	});
}

/** Whether it is an event wherever it stands. */
export function isWholeEvent(fields: Fields): boolean {
	return hasSureName(fields) && hasContent(fields);
}

/** What an event is about, as far as it is one record. */
export function contentsIn(fields: Fields): JsonObject[] {
	return CONTENT_NAMES.flatMap((name) => fields.get(name) ?? [])
		.map(({ value }) => value)
		.filter(isRecord);
}

/** Whether it holds what an event is about, as a record does not. */
export function hasContent(fields: Fields): boolean {
	return hasField(
		fields,
		CONTENT_NAMES,
		(content) => isRecord(content) || isListOfRecords(content),
	);
}

/** Whether a field is one of those that name the event. */
export function isNameField(key: string): boolean {
	return EVENT_NAMES.includes(fieldName(key));
}

/** Whether a field is one of those that hold the ID of the event. */
export function isIdField(key: string): boolean {
	return EVENT_ID_NAMES.includes(fieldName(key));
}

/** A yes or no is something else, such as `X-Test-Delivery: false`. */
export function isId(value: unknown): value is string | number {
	return (
		typeof value === 'number' || (isName(value) && !/^\s*(?:true|false|yes|no)\s*$/i.test(value))
	);
}

/** Whether a text may be the name or the ID of an event. */
export function isName(value: unknown): value is string {
	return isText(value) && value.length <= MAX_EVENT_NAME_LENGTH;
}

/** `Array.isArray` would make `any[]` of it. */
export function isList(value: unknown): value is unknown[] {
	return Array.isArray(value);
}

function isListOfRecords(value: unknown): value is JsonObject[] {
	return isList(value) && value.length > 0 && value.every(isRecord);
}

function textUnder(fields: Fields, names: readonly string[]): string | undefined {
	return findField(fields, names, isName)?.value.trim();
}
