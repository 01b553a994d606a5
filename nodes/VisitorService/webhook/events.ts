import { type Fields, fieldName } from '../values/fieldName';
import { isRecord, isText, readDotPath } from '../values/json';
import { type HeaderFields, headerValue } from './delivery/request';
import {
	eventFields,
	eventNameIn,
	hasContent,
	hasSureName,
	isEventName,
	isIdName,
	listIn,
} from './eventFields';
import { chooseId, deliveryIds, detectIds, type Id, type Identity, idAtPath } from './eventIds';
import type { EventSources } from './settings';

export interface FoundEvent {
	/** Name of the event, null if none was found. */
	event: string | null;
	/** ID for the output, null if none was found. */
	id: string | number | null;
	/** What tells a repeat; undefined if nothing does. */
	identity: Identity | undefined;
	/** Names by which the event may be selected: its own, and those inside a list that is kept whole. */
	names: Array<string | null>;
	/** The element of a batch, or the whole body. */
	body: unknown;
}

export type FoundEvents = { kind: 'found'; events: FoundEvent[] } | { kind: 'tooMany' };

/** Enough for every sender known, and few enough for n8n to hold as items. */
export const MAX_ELEMENTS = 10_000;

/** What the elements of a batch get from around them. */
interface Surroundings {
	name: string | null;
	ids: Id[];
	/** Whether the name is surely that of an event, so that the `type` of an element may be that of a record. */
	namesElements: boolean;
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
/** Headers that anybody may use for anything: what the body says goes before them. */
const DOUBTFUL_EVENT_HEADERS = [
	'x-webhook-event',
	'x-webhook-topic',
	'x-event-type',
	'x-event-name',
	'x-event',
];

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
		ids: deliveryIds(body, fields, headers, sources),
		namesElements:
			sources.eventPath === '' && (hasSureName(fields) || nameAt(headers, EVENT_HEADERS) !== null),
	};
	const named = listAt(body, sources.itemsPath);
	if (named !== undefined) {
		if (named.length > MAX_ELEMENTS) return { kind: 'tooMany' };
		return { kind: 'found', events: elementsOf(named, around, sources) };
	}

	const found = sources.itemsPath === '' ? listIn(fields) : undefined;
	if (!isRecord(body) || found === undefined || found.value.length > MAX_ELEMENTS) {
		return { kind: 'found', events: [wholeBody(body, around, [])] };
	}
	const { key, value: list } = found;
	// In a list of that name the elements are events, whatever stands around them.
	const isOfEvents = fieldName(key) === 'events';
	const elements = elementsOf(
		list,
		{ ...around, namesElements: around.namesElements && !isOfEvents },
		sources,
	);
	const losesNothing = Object.entries(body).every(
		([field, value]) => value === list || elements.every((element) => shows(element, field, value)),
	);
	if (losesNothing) return { kind: 'found', events: elements };
	return { kind: 'found', events: [wholeBody(body, around, elements)] };
}

/** @param inside what would have been the elements, had they lost nothing */
function wholeBody(body: unknown, around: Surroundings, inside: FoundEvent[]): FoundEvent {
	const { name, ids } = around;
	const names = [name, ...inside.map(({ event }) => event)];
	return {
		event: name,
		...chooseId(ids, 0),
		names: [...new Set(names)],
		body,
	};
}

function elementsOf(list: unknown[], around: Surroundings, sources: EventSources): FoundEvent[] {
	const isEventNamedOutside = sources.eventPath === '' && sources.eventHeader !== '';
	const sharedIds = around.ids.map((id) => ({ ...id, isShared: true }));
	return list.map((body, position) => {
		const fields = eventFields(body);
		// Its `type` may say what record it is, rather than what happened.
		const isRecordOnly = around.namesElements && !hasSureName(fields) && !hasContent(fields);
		const ownName = isEventNamedOutside || isRecordOnly ? null : nameIn(body, fields, sources);
		const name = ownName ?? around.name;
		const atPath = idAtPath(body, sources);
		// Beside a name around it, an element without one is a record, and its "id" that of the record.
		const isRecordOfEvent = ownName === null && around.name !== null;
		const own = detectIds(fields);
		const ids = isRecordOfEvent
			? [...own.filter(({ isOfRecord }) => !isOfRecord), ...sharedIds, ...own]
			: [...own, ...sharedIds];
		const found = chooseId([...atPath, ...ids], position);
		return { event: name, ...found, names: [name], body };
	});
}

/** @returns undefined if the body is not a list and has none at the path */
function listAt(body: unknown, itemsPath: string): unknown[] | undefined {
	const items = itemsPath === '' ? undefined : readDotPath(body, itemsPath);
	return [items, body].find((value): value is unknown[] => Array.isArray(value));
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
	if (eventPath !== '' || eventHeader !== '') {
		return (
			(eventPath === '' ? null : nameIn(body, fields, sources)) ?? nameAt(headers, [eventHeader])
		);
	}
	return (
		nameAt(headers, EVENT_HEADERS) ??
		nameIn(body, fields, sources) ??
		nameAt(headers, DOUBTFUL_EVENT_HEADERS)
	);
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
