import { createHash } from 'node:crypto';

import { type Fields, fieldName } from '../values/fieldName';
import { readDotPath } from '../values/json';
import { type Delivery, type HeaderFields, headerValue } from './delivery/request';
import {
	cloudEventSource,
	type EventSources,
	idsIn,
	isId,
	type ProvenSources,
} from './eventFields';
import { isEventHeader } from './eventNames';
import { familyOf } from './signature/standardWebhooks';

/** An ID, and what has to be the same beside it for a delivery to be a repeat. */
export interface Id {
	value: string | number;
	/**
	 * What the ID belongs to beside the event: the source of a CloudEvent, or the other IDs beside a
	 * guess.
	 */
	of: string;
	/** That of the whole delivery. */
	isShared: boolean;
	/**
	 * Nobody said that this is the ID of the event, or JSON rounded it, so that the content counts
	 * too.
	 */
	isGuess: boolean;
}

/**
 * Headers with the ID of a delivery or of its event, compared by `fieldName`. Not a request ID,
 * which a proxy makes anew for each attempt; that of Bitbucket stays.
 */
const ID_HEADER =
	/delivery$|(?:delivery|event|message|notification|transmission)(?:id|uuid|guid)$|idempotency(?:id|key|token)$|^xrequestuuid$|^xshopifywebhookid$/;

/**
 * The ID of the subscription with some services, the same in each delivery, and that of the event
 * with others.
 */
const WEBHOOK_ID_HEADER = /(?:^svixid|webhook(?:id|uuid|guid))$/;

/** What of an event tells whether it is a repeat. */
interface Repeatable {
	event: string | null;
	/**
	 * Beside a sure ID nothing else counts: a header can be changed by who sends the delivery again.
	 */
	nameInBody: string | null;
	identity: Id | undefined;
	body: unknown;
}

/** The IDs of a whole delivery, best first. */
export function deliveryIds(
	body: unknown,
	fields: Fields,
	headers: HeaderFields,
	sources: ProvenSources,
): Id[] {
	const at = (name: string, isGuess: boolean) => idInHeader(headers, name, '', isGuess);
	return [
		...idAtPath(body, sources),
		...at(sources.idHeader, false),
		...at(sources.schemeIdHeader, !sources.isStandard),
		...cloudEventIds(headers, sources),
		...detectIds(fields),
		...guessedIds(headers),
	];
}

/** CloudEvents 1.0 in binary mode: as in {@link detectIds}, if nobody can change one of them. */
function cloudEventIds(headers: HeaderFields, { isProven }: ProvenSources): Id[] {
	const source = headerValue(headers, 'ce-source');
	if (source === '') return [];
	return idInHeader(headers, 'ce-id', source, !isProven('ce-id') || !isProven('ce-source'));
}

/** One is enough: for a guess all of them count, by {@link besideTheBody}. */
function guessedIds(headers: HeaderFields): Id[] {
	const family = familyOf(headers);
	const isStandard = ['signature', 'timestamp'].every(
		(part) => headerValue(headers, `${family}-${part}`) !== '',
	);
	const names = Object.keys(headers).filter((name) => ID_HEADER.test(fieldName(name)));
	return (isStandard ? [`${family}-id`, ...names.sort()] : names.sort())
		.flatMap((name) => idInHeader(headers, name, '', true))
		.slice(0, 1);
}

function idInHeader(headers: HeaderFields, name: string, of: string, isGuess: boolean): Id[] {
	const value = headerValue(headers, name);
	return value === '' ? [] : [{ value, of, isShared: true, isGuess }];
}

/** The value at the path of the user is the ID of the event, whatever it is called. */
export function idAtPath(value: unknown, { idPath }: EventSources): Id[] {
	const id = idPath === '' ? undefined : readDotPath(value, idPath);
	return isId(id) ? [{ value: id, of: '', isShared: false, isGuess: !isExact(id) }] : [];
}

/** The IDs that stand under usual names in an object. */
export function detectIds(fields: Fields): Array<Id & { isOfRecord: boolean }> {
	const source = cloudEventSource(fields);
	return idsIn(fields).map(({ value, isCalledId }) => {
		// CloudEvents 1.0 section 3.1.1: source and ID together are those of one event.
		const isSure = isCalledId && source !== undefined && isExact(value);
		const of = isSure ? source : '';
		return { value, of, isShared: false, isGuess: !isSure, isOfRecord: isCalledId };
	});
}

/**
 * Of the candidates, best first, the output gets the first; a repeat is recognized by one that was
 * not guessed. Of guesses all have to be the same, because nobody knows which of them is the ID of
 * the event.
 */
export function chooseId(candidates: readonly Id[]): {
	id: string | number | null;
	identity: Id | undefined;
} {
	const [first, ...others] = candidates;
	if (first === undefined) return { id: null, identity: undefined };
	const sure = candidates.find(({ isGuess }) => !isGuess);
	const of = JSON.stringify([first.of, ...others.map(({ value, of }) => [value, of])]);
	return { id: first.value, identity: sure ?? { ...first, of } };
}

/**
 * The same text for two events exactly if one is a repeat of the other.
 *
 * @param beside what {@link besideTheBody} returns
 * @returns undefined if nothing tells
 */
export function repeatKey(
	{ event, nameInBody, identity, body }: Repeatable,
	beside: () => string,
): string | undefined {
	if (identity === undefined) return undefined;
	const { value, of, isShared, isGuess } = identity;
	// What is taken for the ID of the event may be that of its record, which has other events too.
	const nameBesideId = isShared ? '' : nameInBody;
	return JSON.stringify([
		isGuess ? event : nameBesideId,
		of,
		String(value),
		isGuess ? [sha256(JSON.stringify(body)), beside()] : '',
	]);
}

/**
 * What differs between two deliveries whose bodies have the same values: the query, headers that
 * look like an ID or the name of an event, and what JSON.parse does not keep, such as digits of
 * long numbers or a field that comes twice.
 */
export function besideTheBody(
	{ rawBody, headers, query }: Pick<Delivery, 'rawBody' | 'headers' | 'query'>,
	body: unknown,
): string {
	const fields = Object.keys(headers)
		.filter((name) => isIdHeader(name) || isEventHeader(name))
		.map((name) => [name, headerValue(headers, name)])
		.sort();
	const isKeptWhole = withoutSpaces(rawBody) === withoutSpaces(Buffer.from(JSON.stringify(body)));
	return sha256(JSON.stringify([query, fields, isKeptWhole ? '' : sha256(rawBody)]));
}

function isIdHeader(header: string): boolean {
	const name = fieldName(header);
	return ID_HEADER.test(name) || WEBHOOK_ID_HEADER.test(name);
}

/** Spaces in texts are left out too, but these are in the values as well. */
function withoutSpaces(json: Buffer): string {
	return json.toString('latin1').replace(/[ \t\r\n]+/g, '');
}

function sha256(content: string | Buffer): string {
	return createHash('sha256').update(content).digest('base64url');
}

/** JSON.parse rounds other numbers, so that two IDs become one. */
function isExact(id: string | number): boolean {
	return typeof id === 'string' || Number.isSafeInteger(id);
}
