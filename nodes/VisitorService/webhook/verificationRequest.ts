import { createHmac } from 'node:crypto';

import { isRecord, type JsonObject } from '../values/json';
import { type Delivery, headerValue } from './delivery/request';
import { eventFields, eventNameIn, eventNamesIn, idsIn } from './eventFields';
import type { Authentication } from './signature/authentication';
import { decodeSecret } from './signature/encoding';
import { verifySignature } from './signature/verify';

/**
 * What the sender gets for a verification request, by which it checks a new URL. Such a request
 * starts nothing.
 */
export type VerificationAnswer =
	| { kind: 'text'; text: string }
	| { kind: 'json'; value: Record<string, string> }
	/** An empty answer with this header. */
	| { kind: 'header'; name: string; value: string };

export type VerificationRequest =
	| { kind: 'none' }
	| { kind: 'challenge'; answer: VerificationAnswer }
	/** The answer is a signature, which nobody gets who does not know the secret. */
	| { kind: 'token'; token: string };

const NONE: VerificationRequest = { kind: 'none' };

/**
 * All that is ever sent back: what the services that check URLs use. Nothing in it can open a tag,
 * a text or a call, so that no browser takes it for a page or a script.
 */
const CHALLENGE = /^[\w .,:~+/=@|-]{1,512}$/;
/** Without spaces, commas and colons, so that its signature is that of no delivery. */
const TOKEN = /^[\w+/=-]{1,256}$/;

/** The query parameters of Meta, WebSub and Strava; of Dropbox and Nylas. */
const OPEN_PARAMETERS = ['hub.challenge', 'challenge'];
/** Microsoft Graph and SharePoint want text, whatever they say that they accept. */
const TEXT_PARAMETERS = ['validationToken', 'validationtoken'];
const CHALLENGE_PARAMETERS = [...OPEN_PARAMETERS, ...TEXT_PARAMETERS];

/** Asana, RingCentral: with an empty body. */
const ECHOED_HEADERS = ['X-Hook-Secret', 'Validation-Token'];

/**
 * Headers that nothing but a check has, whatever its body is, and the answers their services ask
 * for.
 */
const CHALLENGE_HEADERS: Record<string, (challenge: string) => VerificationAnswer> = {
	'x-front-challenge': (text) => ({ kind: 'text', text }),
	'x-okta-verification-challenge': (verification) => ({ kind: 'json', value: { verification } }),
	'smartsheet-hook-challenge': (value) => ({
		kind: 'header',
		name: 'Smartsheet-Hook-Response',
		value,
	}),
};

const CHALLENGE_FIELDS = ['challenge', 'token'];
const VERIFICATION_EVENT = /verif|valid|challenge|handshake|confirm|subscri/i;
/** What has happened is an event: `subscription.created`, `payment.confirmed`. */
const PAST_TENSE = /ed$/i;

/** @param body as it was read; null for an empty one */
export function findVerificationRequest(delivery: Delivery, body: unknown): VerificationRequest {
	if (asksForNothing(delivery)) return answered({ kind: 'text', text: '' });
	for (const [name, answer] of Object.entries(CHALLENGE_HEADERS)) {
		const challenge = headerValue(delivery.headers, name);
		if (TOKEN.test(challenge)) return answered(answer(challenge));
	}
	// Any other request with content is a delivery, whatever else it carries.
	if (delivery.method === 'GET' || isEmpty(body)) return requestWithoutBody(delivery);
	return requestInBody(delivery, body);
}

function answered(answer: VerificationAnswer): VerificationRequest {
	return { kind: 'challenge', answer };
}

/**
 * Whether sender and receiver share a secret that a token can be signed with. With
 * {@link Authentication} none, anybody could get a signature made.
 */
export function canSignTokens(authentication: Authentication): boolean {
	return (
		authentication.kind === 'header' ||
		(authentication.kind === 'hmac' && authentication.algorithm !== 'ed25519')
	);
}

/**
 * The value a sender expects for its token: HMAC-SHA256 in hex. Only for a delivery that is
 * verified, because whoever got signatures for texts of their choice could forge deliveries.
 *
 * @returns undefined if the delivery is not verified
 */
export function signToken(
	token: string,
	delivery: Delivery,
	authentication: Authentication,
	secrets: readonly string[],
): string | undefined {
	if (!canSignTokens(authentication)) return undefined;
	const secret = secrets.find(
		(one) => verifySignature(delivery, authentication, [one]).kind === 'verified',
	);
	if (secret === undefined) return undefined;
	const encoding = authentication.kind === 'hmac' ? authentication.secretEncoding : 'text';
	const key = decodeSecret(secret, encoding);
	return key === undefined ? undefined : createHmac('sha256', key).update(token).digest('hex');
}

function requestWithoutBody({ headers, query }: Delivery): VerificationRequest {
	for (const name of ECHOED_HEADERS) {
		const value = headerValue(headers, name);
		if (TOKEN.test(value)) return answered({ kind: 'header', name, value });
	}
	for (const name of CHALLENGE_PARAMETERS) {
		const challenge = Object.hasOwn(query, name) ? query[name] : undefined;
		if (!isChallenge(challenge)) continue;
		const isJson =
			!TEXT_PARAMETERS.includes(name) &&
			(wantsJson(headers) || (name === 'hub.challenge' && isStravas(query, challenge)));
		return answered(
			isJson ? { kind: 'json', value: { [name]: challenge } } : { kind: 'text', text: challenge },
		);
	}
	return NONE;
}

/**
 * Strava asks as Meta and WebSub do, and wants JSON: but the challenge of Meta is a whole number,
 * and WebSub names a topic (section 5.3).
 */
function isStravas(query: Delivery['query'], challenge: string): boolean {
	return !/^\d+$/.test(challenge) && !Object.hasOwn(query, 'hub.topic');
}

/** Beside the name of the event, only fields in the spelling their senders document. */
function requestInBody({ headers }: Delivery, body: unknown): VerificationRequest {
	const [element] = Array.isArray(body) && body.length === 1 ? (body as unknown[]) : [body];
	if (!isRecord(element)) return NONE;
	const { challenge, payload, data } = element;
	const name = eventNameIn(eventFields(element));

	if (headerValue(headers, 'twitch-eventsub-message-type') === 'webhook_callback_verification') {
		return isChallenge(challenge) ? answered({ kind: 'text', text: challenge }) : NONE;
	}
	// Zoom.
	if (name === 'endpoint.url_validation') {
		const token = isRecord(payload) ? payload.plainToken : undefined;
		return typeof token === 'string' && TOKEN.test(token) ? { kind: 'token', token } : NONE;
	}
	// Azure Event Grid.
	if (name === 'Microsoft.EventGrid.SubscriptionValidationEvent') {
		const code = isRecord(data) ? data.validationCode : undefined;
		if (!isChallenge(code)) return NONE;
		return answered({ kind: 'json', value: { validationResponse: code } });
	}
	// Slack, Lark, Monday.
	if (!isChallenge(challenge) || !isCheck(element)) return NONE;
	return answered({ kind: 'json', value: { challenge } });
}

function isChallenge(value: unknown): value is string {
	return typeof value === 'string' && CHALLENGE.test(value);
}

/**
 * Whether it is a check of the URL and not an event that has a challenge: that has an ID, or a
 * record.
 */
function isCheck(object: JsonObject): boolean {
	const fields = eventFields(object);
	const names = eventNamesIn(fields);
	const isFlat = Object.values(object).every((value) => !isRecord(value) && !Array.isArray(value));
	if (!isFlat || idsIn(fields).length > 0) return false;
	// Without a name, anything else beside the challenge may be what happened.
	if (names.length === 0) return Object.keys(object).every((key) => CHALLENGE_FIELDS.includes(key));
	return names.every((name) => VERIFICATION_EVENT.test(name) && !PAST_TENSE.test(name));
}

/**
 * Trello sends a HEAD request, Mailchimp a GET request, with the query that its URL has. What has a
 * challenge in it asks for that.
 */
function asksForNothing({ method, query, headers }: Delivery): boolean {
	if (method !== 'GET') return method === 'HEAD';
	const names = [...ECHOED_HEADERS, ...Object.keys(CHALLENGE_HEADERS)];
	return (
		CHALLENGE_PARAMETERS.every((name) => !Object.hasOwn(query, name)) &&
		names.every((name) => headerValue(headers, name) === '')
	);
}

/** Asana sends `{}`. */
function isEmpty(body: unknown): boolean {
	return body === null || (isRecord(body) && Object.keys(body).length === 0);
}

/** Text that is as welcome as JSON, because no weight stands after it (RFC 9110, 12.5.1). */
const TEXT_ALIKE = /(?:text\/plain|text\/\*|\*\/\*)\s*(?:,|$)/;

function wantsJson(headers: Delivery['headers']): boolean {
	const accepted = headerValue(headers, 'accept').toLowerCase();
	return accepted.startsWith('application/json') && !TEXT_ALIKE.test(accepted);
}
