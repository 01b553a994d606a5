import { type Fields, fieldName } from '../values/fieldName';
import { isRecord, readDotPath } from '../values/json';
import { type HeaderFields, headerValue } from './delivery/request';
import {
	contentsIn,
	type EventSources,
	eventFields,
	eventNameIn,
	eventNamesIn,
	eventNumbersIn,
	hasContent,
	hasSureName,
	isList,
	isName,
	isNameField,
	isWholeEvent,
	listsIn,
	type ProvenSources,
} from './eventFields';

/**
 * By what an event may be selected: its own name, those in headers, and those inside lists that are
 * kept whole.
 */
export interface EventNames {
	known: Array<string | null>;
	/** Whether it holds more than was looked at. */
	mayHaveMore: boolean;
}

/**
 * Objects in which a name is looked for, of one delivery: more would take seconds, in which n8n
 * does nothing else.
 */
const MAX_SEARCHED = 100_000;

/** What may hold lists of events: an event, or the record that one is about. */
export interface Holder {
	value: unknown;
	fields: Fields;
	kind: 'event' | 'record';
}

/** What is left of the objects that may be searched in one delivery. */
export interface Search {
	left: number;
	/** Whether the last event held more. */
	isCutOff: boolean;
}

/** What the names around an event say about it. */
export interface NamesAround {
	/** That of the whole delivery. */
	name: string | null;
	/** Whether that is more than the content of a header that anybody may use for anything. */
	isNamed: boolean;
	/** That in the body of the whole delivery. */
	inBody: string | null;
	/** Names in headers, of which nobody knows whether they mean the event. */
	doubtful: string[];
	/**
	 * Whether the name is surely that of an event, so that the `type` of an element may be that of a
	 * record.
	 */
	namesElements: boolean;
}

/** A list of events. Its key is the name of the field that holds it, or `''` if it stands alone. */
export interface EventList {
	key: string;
	value: readonly unknown[];
}

/**
 * Headers that hold the name of the event and nothing else, by what their senders document, unless
 * anybody can add them.
 */
const EVENT_HEADERS = [
	'x-github-event',
	'x-gitlab-event',
	'x-gitea-event',
	'x-event-key',
	'x-shopify-topic',
	'x-wc-webhook-topic',
	'x-discourse-event',
	'twitch-eventsub-subscription-type',
	'sentry-hook-resource',
	'linear-event',
	'ce-type',
];

/**
 * Headers such as X-Event-Type, by `fieldName`, which anybody may use for anything: what the body
 * says goes before them. A field of that name may name the event beside another.
 */
const DOUBTFUL_EVENT_NAME =
	/(?:event|topic|(?<!trans|inter)action|(?:web)?hook)(?:type|name|key)$|(?:event|topic|(?<!trans|inter)action)$/;

/** Whether an event may be selected by what is in this header, if nobody says where its name is. */
export function isEventHeader(header: string): boolean {
	return EVENT_HEADERS.includes(header) || DOUBTFUL_EVENT_NAME.test(fieldName(header));
}

/** The values of all fields of an event that may name it: `type` and `action`, or a number. */
export function mayBeNames(body: unknown): Array<readonly [field: string, name: unknown]> {
	return Object.entries(isRecord(body) ? body : {})
		.filter(([field]) => isNameField(field) || DOUBTFUL_EVENT_NAME.test(fieldName(field)))
		.filter(([, value]) => isName(value) || Number.isSafeInteger(value))
		.sort();
}

export function openSearch(): Search {
	return { left: MAX_SEARCHED, isCutOff: false };
}

/** What the headers and the outermost object of a delivery say of its name. */
export function namesOfDelivery(
	body: unknown,
	fields: Fields,
	headers: HeaderFields,
	sources: ProvenSources,
): NamesAround {
	const name = deliveryName(body, fields, headers, sources);
	const isOpen = isNameDetected(sources) && !isSurelyNamed(fields, sources);
	const doubtful = isOpen ? namesAt(headers, Object.keys(headers).filter(isEventHeader)) : [];
	return {
		name: name ?? doubtful[0] ?? null,
		isNamed: name !== null,
		inBody: nameIn(body, fields, sources),
		doubtful,
		namesElements:
			namesAt(headers, provenHeaders(sources)).length > 0 &&
			sources.eventPath === '' &&
			!sources.isStandard,
	};
}

/** @param holder the fields of what holds the list */
export function namesAround(
	{ key }: EventList,
	holder: Fields,
	outside: NamesAround,
	sources: ProvenSources,
): NamesAround {
	const isNamed = outside.namesElements || (sources.eventPath === '' && hasSureName(holder));
	// In a list of that name the elements are events, whatever stands around them.
	return { ...outside, namesElements: isNamed && fieldName(key) !== 'events' };
}

/** @returns null if the element has no name, or one that may be that of a record */
export function elementName(
	body: unknown,
	fields: Fields,
	{ namesElements }: NamesAround,
	sources: ProvenSources,
): string | null {
	const isNamedOutside = sources.eventPath === '' && sources.eventHeader !== '';
	// Its `type` may say what record it is, rather than what happened.
	const isRecordOnly = namesElements && !hasSureName(fields) && !hasContent(fields);
	return isNamedOutside || isRecordOnly ? null : nameIn(body, fields, sources);
}

/**
 * Finds every name an event may be selected by, because a filter that is too narrow would lose it.
 *
 * @param around its own name as the output shows it, and what is said of names around it
 */
export function eventNamesOf(
	holder: Holder,
	around: NamesAround,
	sources: ProvenSources,
	search: Search,
): EventNames {
	const { value, fields } = holder;
	const doubtful = isSurelyNamed(fields, sources) ? [] : around.doubtful;
	const own = ownNames(elementName(value, fields, around, sources), fields, sources);
	search.isCutOff = false;
	const inside = namesInside(holder, around, sources, search);
	const known = [...new Set([around.name, ...own, ...doubtful, ...inside])];
	return { known, mayHaveMore: search.isCutOff };
}

/** Nobody knows which of them is meant, so all are, unless the user says where the name is. */
function ownNames(name: string | null, fields: Fields, sources: ProvenSources): string[] {
	const isDetected = isNameDetected(sources);
	const numbers = isDetected && !hasSureName(fields) ? eventNumbersIn(fields) : [];
	if (name === null) return numbers;
	return isDetected ? [...eventNamesIn(fields), ...numbers] : [name];
}

/**
 * The names inside the lists that an item keeps, and inside the lists in these or in what it is
 * about: `data.events`.
 */
function* namesInside(
	{ value, fields, kind }: Holder,
	outside: NamesAround,
	sources: ProvenSources,
	search: Search,
): Generator<string> {
	const isToldByPath = sources.eventPath !== '' && nameIn(value, fields, sources) !== null;
	const lists = isList(value)
		? [{ key: '', value, isOfEvents: true }]
		: listsIn(fields, isToldByPath ? 'record' : kind);
	for (const list of lists) {
		const around = namesAround(list, fields, outside, sources);
		for (const element of list.value) {
			if (typeof element !== 'object' || element === null) continue;
			if (isSpent(search)) return;
			const inner = eventFields(element);
			if (!list.isOfEvents && !isWholeEvent(inner)) continue;
			const name = elementName(element, inner, around, sources);
			yield* ownNames(name, inner, sources);
			const kind = name === null ? 'record' : 'event';
			yield* namesInside({ value: element, fields: inner, kind }, around, sources, search);
		}
	}
	const around = namesAround({ key: '', value: [] }, fields, outside, sources);
	for (const content of contentsIn(fields)) {
		if (isSpent(search)) return;
		const record: Holder = { value: content, fields: eventFields(content), kind: 'record' };
		yield* namesInside(record, around, sources, search);
	}
}

/** Counts what is searched, as so many objects, unless that is too much. */
export function isSpent(search: Search, objects = 1): boolean {
	search.isCutOff = search.left < objects;
	if (!search.isCutOff) search.left -= objects;
	return search.isCutOff;
}

function deliveryName(
	body: unknown,
	fields: Fields,
	headers: HeaderFields,
	sources: ProvenSources,
): string | null {
	const { eventPath, eventHeader } = sources;
	const inBody = nameIn(body, fields, sources);
	if (!isNameDetected(sources)) {
		return (eventPath === '' ? null : inBody) ?? namesAt(headers, [eventHeader])[0] ?? null;
	}
	// Who recorded a delivery can send it again with any header that is not signed.
	const proven = namesAt(headers, provenHeaders(sources));
	return proven[0] ?? inBody ?? namesAt(headers, EVENT_HEADERS)[0] ?? null;
}

/** Those that are as sure as the body. */
function provenHeaders({ isProven }: ProvenSources): string[] {
	return EVENT_HEADERS.filter((name) => isProven(name));
}

function isSurelyNamed(fields: Fields, { isStandard }: ProvenSources): boolean {
	return hasSureName(fields) || (isStandard && eventNameIn(fields) !== null);
}

/** Whether the user did not say where the name is. */
export function isNameDetected({ eventPath, eventHeader }: EventSources): boolean {
	return eventPath === '' && eventHeader === '';
}

function namesAt(headers: HeaderFields, names: readonly string[]): string[] {
	return names.map((name) => headerValue(headers, name)).filter(isName);
}

/** Where the user says, else where it usually is. */
export function nameIn(value: unknown, fields: Fields, { eventPath }: EventSources): string | null {
	if (eventPath === '') return eventNameIn(fields);
	const name = readDotPath(value, eventPath);
	// Some systems number their events; if the user points at a number, it is the name.
	if (Number.isSafeInteger(name)) return String(name);
	return isName(name) ? name.trim() : null;
}
