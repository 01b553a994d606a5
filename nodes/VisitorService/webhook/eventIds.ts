import { createHash } from 'node:crypto';

import type { Fields } from '../values/fieldName';
import { readDotPath } from '../values/json';
import { type HeaderFields, headerValue } from './delivery/request';
import { cloudEventSource, type EventSources, idsIn, isId } from './eventFields';

/** An ID, and what has to be the same beside it for a delivery to be a repeat. */
export interface Id {
	value: string | number;
	/** What the ID belongs to beside the event: the source of a CloudEvent, or the other IDs beside a guess. */
	of: string;
	/** Shared by all elements of a batch, so that the place counts too. */
	isShared: boolean;
	/** Nobody said that this is the ID of the event, or JSON rounded it, so that the content counts too. */
	isGuess: boolean;
}

export interface Identity extends Id {
	/** Place in the batch. */
	position: number;
}

/** A number of so many signs is kept by JSON.parse as it was written. */
const MAX_EXACT_DIGITS = 15;

const ID_HEADERS = [
	'webhook-id',
	'svix-id',
	'x-github-delivery',
	'x-gitlab-event-uuid',
	'x-gitea-delivery',
	'x-request-uuid',
	'x-shopify-webhook-id',
	'x-wc-webhook-delivery-id',
	'twitch-eventsub-message-id',
	'linear-delivery',
];

/** The IDs of a whole delivery, best first. */
export function deliveryIds(
	body: unknown,
	fields: Fields,
	headers: HeaderFields,
	sources: EventSources,
): Id[] {
	const at = (name: string, isGuess: boolean): Id[] => {
		const value = headerValue(headers, name);
		return value === '' ? [] : [{ value, of: '', isShared: true, isGuess }];
	};
	const source = headerValue(headers, 'ce-source');
	return [
		...idAtPath(body, sources),
		...at(sources.idHeader, false),
		...(source === '' ? [] : at('ce-id', false).map((id) => ({ ...id, of: source }))),
		...detectIds(fields),
		...ID_HEADERS.flatMap((name) => at(name, true)),
	];
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
 * Of the candidates, best first, the output gets the first; a repeat is recognized by one that was not guessed. Of guesses all
 * have to be the same, because nobody knows which of them is the ID of the event.
 */
export function chooseId(
	candidates: readonly Id[],
	position: number,
): { id: string | number | null; identity: Identity | undefined } {
	const [first, ...others] = candidates;
	if (first === undefined) return { id: null, identity: undefined };
	const sure = candidates.find(({ isGuess }) => !isGuess);
	const of = JSON.stringify(others.map(({ value }) => value));
	return { id: first.value, identity: { ...(sure ?? { ...first, of }), position } };
}

/**
 * The same text for two events exactly if one is a repeat of the other.
 *
 * @param bodyDigest of the bytes that came
 * @returns undefined if nothing tells
 */
export function repeatKey(
	{
		event,
		identity,
		body,
	}: { event: string | null; identity: Identity | undefined; body: unknown },
	bodyDigest: () => string,
): string | undefined {
	if (identity === undefined) return undefined;
	const { value, of, isShared, isGuess, position } = identity;
	return JSON.stringify([
		// What is taken for the ID of the event may be that of its record, which has other events too.
		isShared && !isGuess ? '' : event,
		of,
		String(value),
		isShared ? position : '',
		isGuess ? contentKey(body, bodyDigest) : '',
	]);
}

/** JSON.parse makes one number of two that are very large or long: only the bytes tell them apart. */
function contentKey(body: unknown, bodyDigest: () => string): string {
	let longest = 0;
	const text = JSON.stringify(body, (_, value: unknown) => {
		if (typeof value === 'number') longest = Math.max(longest, String(value).length);
		return value;
	});
	const digest = createHash('sha256').update(text).digest('base64url');
	return longest > MAX_EXACT_DIGITS ? `${digest}${bodyDigest()}` : digest;
}

/** JSON.parse rounds other numbers, so that two IDs become one. */
function isExact(id: string | number): boolean {
	return typeof id === 'string' || Number.isSafeInteger(id);
}
