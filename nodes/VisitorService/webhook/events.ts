import { type Fields, fieldName } from '../values/fieldName';
import { isRecord, isText, readDotPath, valuesAt } from '../values/json';
import { type HeaderFields, headerValue } from './delivery/request';
import {
	type EventSources,
	eventFields,
	eventNameIn,
	hasContent,
	hasSureName,
	isEventName,
	isIdName,
	isList,
	listIn,
	listsIn,
} from './eventFields';
import { chooseId, deliveryIds, detectIds, type Id, type Identity, idAtPath } from './eventIds';

export interface FoundEvent {
	/** Name of the event, null if none was found. */
	event: string | null;
	/** ID for the output, null if none was found. */
	id: string | number | null;
	/** What tells a repeat; undefined if nothing does. */
	identity: Identity | undefined;
	/** Takes a search of the whole body. All searches of one delivery together are bounded. */
	searchNames(): EventNames;
	/** The element of a batch, or the whole body. */
	body: unknown;
}

/** By what an event may be selected: its own name, those in headers, and those inside lists that are kept whole. */
export interface EventNames {
	known: Array<string | null>;
	/** Whether it holds more than was looked at. */
	mayHaveMore: boolean;
}

export type FoundEvents = { kind: 'found'; events: FoundEvent[] } | { kind: 'tooMany' };

/** Enough for every sender known, and few enough for n8n to hold as items. */
export const MAX_ELEMENTS = 10_000;

/** Objects in which a name is looked for, of one delivery: more would take seconds, in which n8n does nothing else. */
const MAX_SEARCHED = 100_000;

interface Search {
	left: number;
	/** Whether the last event held more. */
	isCutOff: boolean;
}

/** What the elements of a batch get from around them. */
interface Surroundings {
	name: string | null;
	/** Names in headers, of which nobody knows whether they mean the event. */
	doubtfulNames: string[];
	ids: Id[];
	/** Whether the name is surely that of an event, so that the `type` of an element may be that of a record. */
	namesElements: boolean;
}

/** A list of events, and the name of the field that holds it; `''` if there is none. */
interface EventList {
	key: string;
	value: readonly unknown[];
}

/** Headers that hold the name of the event and nothing else, by what their senders document. */
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

/** Headers such as X-Event-Type, which anybody may use for anything: what the body says goes before them. */
const DOUBTFUL_EVENT_HEADER = /(?:^|-)(?:event|topic)(?:-(?:type|name|key))?$/;

/**
 * Finds the events of a body: one for each element of a batch, else the body itself. What an element lacks is taken from
 * around it. A batch is an array, or the list at Items Path. Without a path, a list beside which nothing stands that its
 * elements would lose is one too.
 */
export function findEvents(
	body: unknown,
	headers: HeaderFields,
	sources: EventSources,
): FoundEvents {
	const fields = eventFields(body);
	const around: Surroundings = {
		name: deliveryName(body, fields, headers, sources),
		doubtfulNames: isNameDetected(sources) ? doubtfulNames(headers) : [],
		ids: deliveryIds(body, fields, headers, sources),
		namesElements: nameAt(headers, EVENT_HEADERS) !== null && sources.eventPath === '',
	};
	const search: Search = { left: MAX_SEARCHED, isCutOff: false };
	const named = listAt(body, sources.itemsPath);
	if (named !== undefined) {
		if (named.value.length > MAX_ELEMENTS) return { kind: 'tooMany' };
		return { kind: 'found', events: elementsOf(named, fields, around, sources, search) };
	}

	const found = sources.itemsPath === '' ? listIn(fields) : undefined;
	if (isRecord(body) && found !== undefined && found.value.length <= MAX_ELEMENTS) {
		const elements = elementsOf(found, fields, around, sources, search);
		const losesNothing = Object.entries(body).every(
			([field, value]) =>
				value === found.value || elements.every((element) => shows(element, field, value)),
		);
		if (losesNothing) return { kind: 'found', events: elements };
	}
	const { name, ids } = around;
	const event: FoundEvent = {
		event: name,
		...chooseId(ids, 0),
		searchNames: () => namesOf(body, fields, around, sources, search),
		body,
	};
	return { kind: 'found', events: [event] };
}

function elementsOf(
	list: EventList,
	holder: Fields,
	outside: Surroundings,
	sources: EventSources,
	search: Search,
): FoundEvent[] {
	const around = surroundings(list, holder, outside, sources);
	const sharedIds = around.ids.map((id) => ({ ...id, isShared: true }));
	return list.value.map((body, position) => {
		const fields = eventFields(body);
		const ownName = elementName(body, fields, around, sources);
		const name = ownName ?? around.name;
		const atPath = idAtPath(body, sources);
		// Beside a name around it, an element without one is a record, and its "id" that of the record.
		const isRecordOfEvent = ownName === null && around.name !== null;
		const own = detectIds(fields);
		const ids = isRecordOfEvent
			? [...own.filter(({ isOfRecord }) => !isOfRecord), ...sharedIds, ...own]
			: [...own, ...sharedIds];
		const found = chooseId([...atPath, ...ids], position);
		return {
			event: name,
			...found,
			searchNames: () => namesOf(body, fields, { ...around, name }, sources, search),
			body,
		};
	});
}

/** @param holder the fields of what holds the list */
function surroundings(
	{ key }: EventList,
	holder: Fields,
	outside: Surroundings,
	sources: EventSources,
): Surroundings {
	const isNamed = outside.namesElements || (sources.eventPath === '' && hasSureName(holder));
	// In a list of that name the elements are events, whatever stands around them.
	return { ...outside, namesElements: isNamed && fieldName(key) !== 'events' };
}

/** @returns null if the element has no name, or one that may be that of a record */
function elementName(
	body: unknown,
	fields: Fields,
	{ namesElements }: Surroundings,
	sources: EventSources,
): string | null {
	const isNamedOutside = sources.eventPath === '' && sources.eventHeader !== '';
	// Its `type` may say what record it is, rather than what happened.
	const isRecordOnly = namesElements && !hasSureName(fields) && !hasContent(fields);
	return isNamedOutside || isRecordOnly ? null : nameIn(body, fields, sources);
}

/** A filter that is too narrow would lose the event. */
function namesOf(
	body: unknown,
	fields: Fields,
	around: Surroundings,
	sources: EventSources,
	search: Search,
): EventNames {
	const doubtful = hasSureName(fields) ? [] : around.doubtfulNames;
	search.isCutOff = false;
	const inside = namesInside(body, fields, around, sources, search);
	const known = [...new Set([around.name, ...doubtful, ...inside])];
	return { known, mayHaveMore: search.isCutOff };
}

/** The names inside the lists that an item keeps, and inside the lists in these. */
function* namesInside(
	value: unknown,
	fields: Fields,
	outside: Surroundings,
	sources: EventSources,
	search: Search,
): Generator<string> {
	for (const list of isList(value) ? [{ key: '', value }] : listsIn(fields)) {
		const around = surroundings(list, fields, outside, sources);
		for (const element of list.value) {
			if (typeof element !== 'object' || element === null) continue;
			search.isCutOff = search.left === 0;
			if (search.isCutOff) return;
			search.left--;
			const inner = eventFields(element);
			const name = elementName(element, inner, around, sources);
			if (name !== null) yield name;
			yield* namesInside(element, inner, around, sources, search);
		}
	}
}

/** @returns undefined if the body is not a list, and has none at the path */
function listAt(body: unknown, itemsPath: string): EventList | undefined {
	const lists = itemsPath === '' ? [] : valuesAt(body, itemsPath);
	if (lists.length > 0 && lists.every(isList)) {
		return { key: itemsPath.slice(itemsPath.lastIndexOf('.') + 1), value: lists.flat() };
	}
	return isList(body) ? { key: '', value: body } : undefined;
}

/** Whether a field that stands beside the list is seen in the item of an element: as its name or as its ID. */
function shows({ event, id }: FoundEvent, field: string, value: unknown): boolean {
	if (isEventName(field)) return isText(value) && value.trim() === event;
	return isIdName(field) && value === id;
}

function deliveryName(
	body: unknown,
	fields: Fields,
	headers: HeaderFields,
	sources: EventSources,
): string | null {
	const { eventPath, eventHeader } = sources;
	if (!isNameDetected(sources)) {
		return (
			(eventPath === '' ? null : nameIn(body, fields, sources)) ?? nameAt(headers, [eventHeader])
		);
	}
	return (
		nameAt(headers, EVENT_HEADERS) ??
		nameIn(body, fields, sources) ??
		doubtfulNames(headers)[0] ??
		null
	);
}

function isNameDetected({ eventPath, eventHeader }: EventSources): boolean {
	return eventPath === '' && eventHeader === '';
}

function doubtfulNames(headers: HeaderFields): string[] {
	return Object.keys(headers)
		.filter((name) => DOUBTFUL_EVENT_HEADER.test(name))
		.map((name) => headerValue(headers, name))
		.filter(isText);
}

function nameAt(headers: HeaderFields, names: readonly string[]): string | null {
	return names.map((name) => headerValue(headers, name)).find(isText) ?? null;
}

function nameIn(value: unknown, fields: Fields, { eventPath }: EventSources): string | null {
	if (eventPath === '') return eventNameIn(fields);
	const name = readDotPath(value, eventPath);
	// Some systems number their events; if the user points at a number, it is the name.
	if (Number.isSafeInteger(name)) return String(name);
	return isText(name) ? name.trim() : null;
}
