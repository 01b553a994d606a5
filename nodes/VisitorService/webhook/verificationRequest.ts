import { isJsonObject } from '../values/json';
import { readBody } from './body';
import { type Delivery, HANDSHAKE_HEADER, headerValue } from './delivery';

/** The response to a request with which a sender checks a new URL, and which starts nothing. */
export interface VerificationResponse {
	headers: Record<string, string>;
	text: string;
}

/** The text of the response is from a stranger, so no browser may show or run it. */
const HEADERS = {
	'X-Content-Type-Options': 'nosniff',
	'Content-Security-Policy': "default-src 'none'; sandbox",
	'Cache-Control': 'no-store',
	'Content-Type': 'text/plain; charset=utf-8',
};

/**
 * All that is ever sent back: what the services that check URLs use. Nothing in it can open a tag,
 * a text or a call, so that no browser takes it for a page or a script.
 */
const CHALLENGE = /^[\w .,:~+/=@|-]{1,512}$/;

/** Meta and WebSub, Dropbox and Nylas, Microsoft Graph. */
const CHALLENGE_PARAMETERS = ['hub.challenge', 'challenge', 'validationToken'];

/** Bytes. */
const MAX_LENGTH = 16_384;

/**
 * Finds the challenge of a request that holds nothing else, by which a service can only ask whether
 * this URL is meant. Whatever holds more is a delivery.
 *
 * @returns undefined for a delivery
 */
export function respondToVerification(delivery: Delivery): VerificationResponse | undefined {
	const { method, query, rawBody, headers } = delivery;
	// Trello looks whether anything responds.
	if (method === 'HEAD') return { headers: HEADERS, text: '' };
	if (rawBody.length > MAX_LENGTH) return undefined;
	const body = readBody(rawBody);
	if (body.kind !== 'value') return undefined;
	// Asana sends `{}`.
	const isEmpty = JSON.stringify(body.value ?? {}) === '{}';
	if (!isEmpty) return method === 'POST' ? respondToChallenge(body.value) : undefined;

	const secret = headerValue(headers, HANDSHAKE_HEADER);
	if (isChallenge(secret)) return { headers: { ...HEADERS, [HANDSHAKE_HEADER]: secret }, text: '' };
	const text = CHALLENGE_PARAMETERS.map((name) => query[name]).find(isChallenge);
	return text === undefined ? undefined : { headers: HEADERS, text };
}

/** Slack sends the type and a token beside it, Monday nothing. */
function respondToChallenge(body: unknown): VerificationResponse | undefined {
	const { challenge, type = 'url_verification', ...others } = isJsonObject(body) ? body : {};
	const holdsMore = Object.keys(others).some((name) => name !== 'token');
	if (type !== 'url_verification' || holdsMore || !isChallenge(challenge)) return undefined;
	const headers = { ...HEADERS, 'Content-Type': 'application/json' };
	return { headers, text: JSON.stringify({ challenge }) };
}

function isChallenge(value: unknown): value is string {
	return typeof value === 'string' && CHALLENGE.test(value);
}
