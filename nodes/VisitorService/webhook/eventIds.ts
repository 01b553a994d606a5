import { sha256 } from '../values/digest';
import { type Fields, fieldName } from '../values/fieldName';
import { headerFieldName } from '../values/headerFieldName';
import { isRecord, readDotPath } from '../values/json';
import { isReadExactly } from './delivery/body';
import { type Delivery, type HeaderFields, headerValue } from './delivery/request';
import {
	cloudEventSource,
	type EventSources,
	eventFields,
	hasContent,
	idsIn,
	isId,
	isName,
	type ProvenSources,
} from './eventFields';
import { isEventHeader, isNameDetected, mayBeNames } from './eventNames';
import { completeFamily } from './signature/standardWebhooks';

/** An ID, and what has to be the same beside it for a delivery to be a repeat. */
export interface EventId {
	value: string | number;
	/**
	 * What the ID belongs to beside the event: the source of a CloudEvent, or the other IDs beside a
	 * guess.
	 */
	of: string;
	/** That of the whole delivery. */
	isShared: boolean;
	/**
	 * Nobody said that this is the ID of the event, or it is not signed as the body is, or JSON
	 * rounded it, so that the content counts too.
	 */
	isGuess: boolean;
	/** Anybody can have added it, and nobody asked for it. */
	isUnsigned: boolean;
}

/** What tells a repeat: an ID that is sure, or a guess and the other guesses. */
export interface Identity extends EventId {
	others: readonly EventId[];
}

/**
 * Headers with the ID of a delivery or of its event, compared by `fieldName`. Not a request ID,
 * which a proxy makes anew for each attempt; that of Bitbucket stays.
 */
const ID_HEADER =
	/delivery$|(?:delivery|event|message|notification|transmission)(?:id|uuid|guid)$|idempotency(?:id|key|token)$|^xrequestuuid$|^xshopifywebhookid$/;

/**
 * The ID of the subscription with some services, the same in each delivery, and that of the event
 * with others. Of a CloudEvent, ID and source are one only together, but each tells it apart.
 */
const MAYBE_ID_HEADER = /^(?:svixid|ceid|cesource)$|webhook(?:id|uuid|guid)$/;

/**
 * Counts deliveries, or the events of one record, or says when the event happened: no ID, but
 * another one for another event. Not the time of the request, which each attempt has anew.
 */
const SEQUENCE_HEADER =
	/(?:seq(?:uence)?(?:id|no|number)?|(?:event|message|notification)(?:no|num|number))$/;
const TIME_HEADER =
	/event(?:time|timestamp|date)$|(?:triggered|occurred|happened|created)(?:at|on|time|date)$|^cetime$/;

/** Says something about the attempt to deliver, such as its number: another one in each repeat. */
const ATTEMPT_HEADER = /retr(?:y|ies)|attempt|redeliver|(?<!p)resen[dt]/;
/** The same in a body, where other names with these words mean what the event is about. */
const ATTEMPT_FIELD =
	/^(?:is|(?:number|no|num|count)of)?(?:webhook|event|message|notification|delivery)?(?:attempts?|retry|retries|redelivery|redelivered|resend|resent)(?:no|num|number|count|counter)?$/;
const COUNT_OR_FLAG = /^\s*(?:\d{1,9}|true|false|yes|no)\s*$/i;

/** What of an event tells whether it is a repeat. */
interface Repeatable {
	event: string | null;
	nameInBody: string | null;
	identity: Identity | undefined;
	body: unknown;
}

/** What tells repeats beside the body. */
export interface Beside {
	/**
	 * Names in headers by which an event is another one. Who recorded a delivery can send it again
	 * with another header, so they are those that are as sure as the body, and that of the user.
	 */
	names: ReadonlyArray<readonly [header: string, name: string]>;
	/** Those that are as sure as the body. */
	provenNames: Beside['names'];
	/** For a guess: whatever may differ between two events. */
	everything(): string;
	/** In the body and around it, unless the user says which field names the event. */
	namesInBody(body: unknown): unknown[];
}

/** The IDs of a whole delivery, best first. */
export function deliveryIds(
	body: unknown,
	fields: Fields,
	headers: HeaderFields,
	sources: ProvenSources,
): EventId[] {
	const { isProven, isStandard, idHeader, schemeIdHeader } = sources;
	return [
		...idAtPath(body, sources),
		...idInHeader(headers, idHeader, { isGuess: !isProven(idHeader) }),
		...idInHeader(headers, schemeIdHeader, { isGuess: !isStandard }),
		...cloudEventIds(headers, sources),
		...detectIds(fields),
		...guessedIds(headers, sources),
	];
}

/** CloudEvents 1.0 in binary mode: as in {@link detectIds}, if nobody can change one of them. */
function cloudEventIds(headers: HeaderFields, { isProven }: ProvenSources): EventId[] {
	const of = headerValue(headers, 'ce-source');
	const isUnsigned = !isProven('ce-id') || !isProven('ce-source');
	if (!isName(of)) return [];
	return idInHeader(headers, 'ce-id', { of, isGuess: isUnsigned, isUnsigned });
}

/** One is enough: for a guess all of them count, by {@link besideTheBody}. */
function guessedIds(headers: HeaderFields, { isProven }: ProvenSources): EventId[] {
	const names = Object.keys(headers).filter(
		(name) => ID_HEADER.test(fieldName(name)) && !isOfAttempt(name),
	);
	const family = completeFamily(headers);
	return [...(family === undefined ? [] : [`${family}-id`]), ...names.sort()]
		.flatMap((name) => idInHeader(headers, name, { isGuess: true, isUnsigned: !isProven(name) }))
		.slice(0, 1);
}

function idInHeader(
	headers: HeaderFields,
	name: string,
	{ of = '', isUnsigned = false, ...rest }: Pick<EventId, 'isGuess'> & Partial<EventId>,
): EventId[] {
	const value = headerValue(headers, name);
	return isId(value) ? [{ ...rest, value, of, isShared: true, isUnsigned }] : [];
}

/** The value at the path of the user is the ID of the event, whatever it is called. */
export function idAtPath(value: unknown, { idPath }: EventSources): EventId[] {
	const id = idPath === '' ? undefined : readDotPath(value, idPath);
	if (!isId(id)) return [];
	return [{ value: id, of: '', isShared: false, isGuess: !isExact(id), isUnsigned: false }];
}

/** The IDs that stand under usual names in an object. */
export function detectIds(fields: Fields): Array<EventId & { isOfRecord: boolean }> {
	const source = cloudEventSource(fields);
	return idsIn(fields).map(({ value, isCalledId, isOfRecord }) => {
		// CloudEvents 1.0 section 3.1.1: source and ID together are those of one event.
		const isSure = isCalledId && source !== undefined && isExact(value);
		const of = isSure ? source : '';
		const isGuess = !isSure;
		return { value, of, isShared: false, isGuess, isUnsigned: false, isOfRecord };
	});
}

/**
 * Of the candidates, best first, the output gets the first, or one that nobody can have added if
 * there is one; a repeat is recognized by one that was not guessed. Of guesses all have to be the
 * same, because nobody knows which of them is the ID of the event.
 */
export function chooseId(found: readonly EventId[]): {
	id: string | number | null;
	identity: Identity | undefined;
} {
	const [first, ...others] = [
		...found.filter(({ isUnsigned }) => !isUnsigned),
		...found.filter(({ isUnsigned }) => isUnsigned),
	];
	if (first === undefined) return { id: null, identity: undefined };
	const sure = found.find(({ isGuess }) => !isGuess);
	const identity = sure === undefined ? { ...first, others } : { ...sure, others: [] };
	return { id: first.value, identity };
}

/**
 * The same text for two events exactly if one is a repeat of the other: if the ID is sure, and so
 * is the name, else if the content is the same too. The ID of a whole delivery needs no name.
 *
 * @returns undefined if nothing tells
 */
export function repeatKey(
	{ event, nameInBody, identity, body }: Repeatable,
	beside: Beside,
): string | undefined {
	if (identity === undefined) return undefined;
	const { value, of, isShared, isGuess, others } = identity;
	const parts = [of, String(value), others.map((other) => [other.value, other.of])];
	if (isGuess && event === null && others.length === 0 && isRecordIdOnly(body)) return undefined;
	const contentDigest = () => deliveryDigest(JSON.stringify(withoutAttempts(body)));
	if (isGuess)
		return deliveryDigest(JSON.stringify([event, ...parts, contentDigest(), beside.everything()]));
	// What is taken for the ID of the event may be that of its record, which has other events too.
	const names = isShared ? beside.provenNames : beside.names;
	const isKnown = isShared || nameInBody !== null || names.length > 0;
	const content = isKnown ? '' : contentDigest();
	return deliveryDigest(
		JSON.stringify([nameInBody, beside.namesInBody(body), ...parts, names, content]),
	);
}

/**
 * An event without the number of the attempt to deliver it. That stands beside the ID of the event,
 * or around what it is about; beside other fields it may be that of a login.
 */
function withoutAttempts(body: unknown): unknown {
	if (!isRecord(body)) return body;
	const others = Object.entries(body).filter(([field, value]) => !isAttempt(field, value));
	if (others.length === Object.keys(body).length) return body;
	const fields = eventFields(body);
	const isEnvelope = hasContent(fields) || idsIn(fields).some(({ isOfRecord }) => !isOfRecord);
	return isEnvelope ? Object.fromEntries(others) : body;
}

/** The next change of the record has the same content, as with Mollie. */
function isRecordIdOnly(body: unknown): boolean {
	const fields = eventFields(body);
	return fields.size === 1 && idsIn(fields).some(({ isOfRecord }) => isOfRecord);
}

function isAttempt(field: string, value: unknown): boolean {
	const isCount = ['string', 'number', 'boolean'].includes(typeof value);
	return isCount && COUNT_OR_FLAG.test(String(value)) && ATTEMPT_FIELD.test(fieldName(field));
}

export function besideTheBody(
	{ rawBody, headers, query }: Pick<Delivery, 'rawBody' | 'headers' | 'query'>,
	body: unknown,
	sources: ProvenSources,
): Beside {
	const headersThat = (isMeant: (header: string) => boolean) =>
		Object.keys(headers)
			.filter(isMeant)
			.map((name) => [name, headerValue(headers, name)] as const)
			.sort();
	const eventHeader = headerFieldName(sources.eventHeader);
	const names = headersThat((name) =>
		isNameDetected(sources) ? isEventHeader(name) && sources.isProven(name) : name === eventHeader,
	);
	// Made once: the sender sets how many fields stand beside how many elements.
	let aroundElements: string | undefined;
	const namesAroundElements = () => (aroundElements ??= digestOfNames(mayBeNames(body)));
	let everything: string | undefined;
	const digestOfAll = () => {
		const lost = isReadExactly(rawBody, headers, body) ? '' : deliveryDigest(rawBody);
		return deliveryDigest(JSON.stringify([query, headersThat(tellsDeliveriesApart), lost]));
	};
	return {
		names,
		provenNames: names.filter(([name]) => sources.isProven(name)),
		namesInBody: (event) => {
			if (!isNameDetected(sources)) return [];
			return [mayBeNames(event), event === body ? '' : namesAroundElements()];
		},
		everything: () => (everything ??= digestOfAll()),
	};
}

/** `''` if there are none, as for an event that stands alone. */
function digestOfNames(names: readonly unknown[]): string {
	return names.length === 0 ? '' : deliveryDigest(JSON.stringify(names));
}

/** Whether a header may be another one for another event. */
function tellsDeliveriesApart(header: string): boolean {
	if (isOfAttempt(header)) return false;
	const name = fieldName(header);
	const isOrdered = SEQUENCE_HEADER.test(name) || TIME_HEADER.test(name);
	return isIdHeader(header) || isEventHeader(header) || isOrdered;
}

function isOfAttempt(header: string): boolean {
	return ATTEMPT_HEADER.test(fieldName(header));
}

function isIdHeader(header: string): boolean {
	const name = fieldName(header);
	return ID_HEADER.test(name) || MAYBE_ID_HEADER.test(name);
}

function deliveryDigest(content: string | Buffer): string {
	return sha256(content).toString('base64url');
}

/** JSON.parse rounds other numbers, so that two IDs become one. */
function isExact(id: string | number): boolean {
	return typeof id === 'string' || Number.isSafeInteger(id);
}
