import { shortDigest } from '../values/digest';
import {
	findField,
	isJsonObject,
	isNonBlank,
	type JsonObject,
	readAllAtPath,
	readDotPath,
} from '../values/json';
import { type Authentication, idHeaderOf, isSignedHeader, secretHeaders } from './authentication';
import { type HeaderFields, headerValue, isRedacted } from './delivery';

/** Where the name, ID and list of events are: dot paths and names of headers; '' = detect. */
export interface EventSources {
	eventPath: string;
	eventHeader: string;
	idPath: string;
	idHeader: string;
	itemsPath: string;
}

export interface WebhookEvent {
	event: string | null;
	id: string | number | null;
	/** Whether the ID is named by the settings or the signature, and cannot be forged. */
	isIdCertain: boolean;
	body: unknown;
}

/** Normalized names of fields, and headers; likeliest first. */
export const EVENT_NAMES = {
	fields: 'event eventtype eventname webhookevent triggerevent type'.split(' '),
	headers: `x-github-event x-gitlab-event x-gitea-event x-event-key x-shopify-topic
		twitch-eventsub-subscription-type ce-type x-event-type x-event-name x-event x-topic`.split(
		/\s+/,
	),
};
export const ID_NAMES = {
	fields: `eventid eventuuid eventguid id uuid guid
		idempotencykey messageid notificationid`.split(/\s+/),
	headers: `webhook-id svix-id x-github-delivery twitch-eventsub-message-id idempotency-key
		x-event-id x-delivery-id x-request-uuid x-shopify-webhook-id ce-id`.split(/\s+/),
};

/** More items, each with headers and query, would exhaust the memory of n8n. */
const MAX_ELEMENTS = 10_000;
/** Longer than the documentation of any service allows. */
const MAX_LENGTH = 512;
/** Max fields of an object to search. Those of an event are among the first. */
const MAX_FIELDS = 200;

/**
 * The events in a body: an item for each element of a list, at Items Path or the body itself, else
 * one with all of it.
 *
 * @returns undefined if there are too many
 */
export function findEvents(
	body: unknown,
	headers: HeaderFields,
	{ eventPath, eventHeader, idPath, idHeader, itemsPath }: EventSources,
	authentication: Authentication,
): WebhookEvent[] | undefined {
	const elements = elementsOf(body, itemsPath);
	if (elements.length > MAX_ELEMENTS) return undefined;
	// A header that can be changed without a key must not decide what an event is.
	const isSigned = (name: string) => isSignedHeader(authentication, name, headers);
	const hidden = secretHeaders(authentication);
	const isTrusted = (name: string) => isSigned(name) && !isRedacted(name, hidden);
	const lookFor = (names: typeof EVENT_NAMES, isFit: IsFit, path: string, header: string) => {
		const isNamed = path + header !== '';
		const from = isNamed ? [header] : names.headers.filter(isTrusted);
		const inHeaders = from.map((name) => headerValue(headers, name)).find(isFit);
		const fields = isNamed ? path : names.fields;
		return { isNamed, inBody: (value: unknown) => readFrom(value, fields, isFit), inHeaders };
	};
	const isName: IsFit = eventPath + eventHeader === '' ? isUsableText : isUsable;
	const header =
		idHeader === '' && idPath !== '' ? '' : idHeaderOf(authentication, idHeader, headers);
	const events = lookFor(EVENT_NAMES, isName, eventPath, eventHeader);
	const ids = lookFor(ID_NAMES, isUsable, idPath, header);
	const isHeaderSigned = isSigned(header);

	const eventOfAll = events.inBody(body) ?? events.inHeaders;
	return elements.map((element) => {
		const event = events.inBody(element) ?? eventOfAll;
		const inBody = ids.inBody(element);
		const id = inBody ?? ids.inHeaders ?? null;
		const isIdCertain = ids.isNamed && (inBody !== undefined || isHeaderSigned);
		const name = event === undefined ? null : String(event).trim();
		return { event: name, id, isIdCertain, body: element };
	});
}

/** @param from names to look for, or the path that was set; `''` is a path to nothing */
function readFrom(value: unknown, from: string | typeof EVENT_NAMES.fields, isFit: IsFit) {
	if (typeof from !== 'string') return findField(firstFieldsOf(value), from, isFit)?.value;
	const found = from === '' ? undefined : readDotPath(value, from);
	return isFit(found) ? found : undefined;
}

function elementsOf(body: unknown, itemsPath: string): unknown[] {
	const lists = itemsPath === '' ? [body] : readAllAtPath(body, itemsPath);
	return lists.every(Array.isArray) ? lists.flat() : [body];
}

/** The same text for two events if one is a repeat of the other; undefined without an ID. */
export function dedupKey({ event, id, isIdCertain, body }: WebhookEvent): string | undefined {
	if (id === null) return undefined;
	// A detected ID may be that of a record, which has several events. An ID that is not signed may
	// be forged, and must not make another event a duplicate.
	const content = isIdCertain ? '' : shortDigest(JSON.stringify(body), 22);
	return JSON.stringify([event, String(id), content]);
}

/**
 * Whether one of the names stands anywhere, for services with a field of their own. Searches the
 * parsed body, because PHP writes `/` as `\/`, others `ä` as `\u00e4`, and forms both as
 * `%…`.
 */
export function mentionsEvent(names: readonly string[], body: unknown, headers: HeaderFields) {
	const written = JSON.stringify([body, Object.values(headers)]);
	return names.some((name) => written.includes(JSON.stringify(name).slice(1, -1)));
}

type IsFit = (value: unknown) => value is string | number;

/** `$type` and the like are notes of the program that wrote the JSON. */
function firstFieldsOf(value: unknown): JsonObject {
	const first = isJsonObject(value) ? Object.entries(value).slice(0, MAX_FIELDS) : [];
	return Object.fromEntries(first.filter(([key]) => !/^[$@]/.test(key)));
}

function isUsableText(value: unknown): value is string {
	return isNonBlank(value) && isUsable(value);
}

function isUsable(value: unknown): value is string | number {
	return Number.isSafeInteger(value) || (isNonBlank(value) && value.length <= MAX_LENGTH);
}
