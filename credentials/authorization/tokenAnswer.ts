import { readDotPath } from '../../nodes/VisitorService/json/dotPath';
import { isRecord } from '../../nodes/VisitorService/json/isRecord';
import type { HttpAnswer } from '../../nodes/VisitorService/transport/httpMessage';
import {
	type FailureKind,
	ServiceFailure,
} from '../../nodes/VisitorService/transport/serviceFailure';
import { firstOf, readLifetime } from './tokenLifetime';

export interface TokenAnswer {
	accessToken: string;
	/** Seconds; undefined where the answer gives no usable lifetime. */
	lifetime?: number;
	/** Dot path at which the token was found; '' where the body is the token itself. */
	field: string;
}

export interface TokenExpectations {
	/** Dot path of the token; empty = detect. */
	tokenField: string;
	/** No part of it must be shown. */
	clientSecret: string;
}

/** RFC 6749 §5.1 first, then the spellings services use, the less likely the later. */
const TOKEN_NAMES = [
	'access_token',
	'accessToken',
	'AccessToken',
	'access-token',
	'accesstoken',
	'bearer_token',
	'bearerToken',
	'auth_token',
	'authToken',
	'authorizationToken',
	'authorization_token',
	'jwt_token',
	'jwtToken',
	'jwt',
	'api_token',
	'apiToken',
	'token',
	'Token',
	'id_token',
	'idToken',
];

/** Named in many ways (Apigee: BearerToken; others: JWT); what is refused needs a proof or a scheme of its own. */
const BEARER_TYPE = /^\s*((bearer|jwt|oauth|access)[\s_-]?(token)?)?\s*$/i;

const TYPE_NAMES = ['token_type', 'tokenType', 'TokenType'];

/** Objects within objects that are searched for a token. */
const DEEPEST_LEVEL = 3;
const MOST_ENTRIES = 50;

/**
 * What an `Authorization` header can carry. RFC 6750 §2.1 allows fewer characters, but no service keeps to that. A
 * text that begins with = is an expression to n8n, which it would run as soon as it is stored in the credential.
 */
const SENDABLE = /^(?!=)[\x21-\x7e]+$/;

/** A text that can only be a token: one long word with a digit in it, as no error message is. */
const BARE_TOKEN = /^(?=.*\d)[\w.~+/-]{16,}=*$/;

/**
 * Understands the answer of a successful token request, whose shape the interface document does not show.
 *
 * @param receivedAt when the answer came, in milliseconds
 * @throws ServiceFailure where there is no token, or one that is not a Bearer token; no value of the answer is in it
 */
export function readTokenAnswer(
	answer: HttpAnswer,
	{ tokenField, clientSecret }: TokenExpectations,
	receivedAt: number,
): TokenAnswer {
	const names = shownNames(answer.body, clientSecret);
	const { token, field } =
		tokenField === '' ? detectToken(answer.body, names) : pickToken(answer.body, tokenField, names);
	const objects = objectsAround(answer.body, field);

	const type = firstOf(objects, TYPE_NAMES);
	if (typeof type === 'string' && !BEARER_TYPE.test(type)) {
		throw fail(
			'The authorization server issued a token that is not of the type Bearer.',
			'Ask the operator of the service for a client that gets Bearer tokens (RFC 6750).',
		);
	}
	const accessToken = token.replace(/^\s*bearer\s/i, '').trim();
	if (!SENDABLE.test(accessToken)) {
		throw fail(
			'The token in the answer of the authorization server has characters that cannot be sent.',
			`Set Token Field in the credential to the dot path of the access token.${names}`,
		);
	}
	const lifetime = readLifetime({ objects, accessToken, date: answer.headers.date, receivedAt });
	return { accessToken, field, lifetime };
}

interface FoundToken {
	token: string;
	field: string;
}

function pickToken(body: unknown, path: string, names: string): FoundToken {
	const token = readDotPath(body, path);
	if (isText(token)) return { token, field: path };
	throw fail(
		// What was set there is not repeated: it may be a secret that was pasted into the wrong field.
		'The answer of the authorization server has no token at the dot path in Token Field.',
		`Correct or empty Token Field in the credential.${names}`,
	);
}

function detectToken(body: unknown, names: string): FoundToken {
	if (typeof body === 'string' && BARE_TOKEN.test(body.trim())) return { token: body, field: '' };
	if (isText(body)) {
		throw fail(
			'The authorization server answered with text instead of JSON.',
			'Check the Authorization Server URL in the credential: it may lead to a web page or a proxy.',
			// As in an outage too: a later try may work.
			'answer',
		);
	}
	// Level by level: a token at the top is meant, one deeper may be part of something else.
	let level: Array<[path: string, value: unknown]> = [['', body]];
	for (let depth = 0; depth < DEEPEST_LEVEL; depth++) {
		for (const name of TOKEN_NAMES) {
			for (const [path, value] of level) {
				const token = isRecord(value) ? value[name] : undefined;
				if (isText(token)) return { token, field: join(path, name) };
			}
		}
		level = level.flatMap(([path, value]) =>
			entriesOf(value).map(([name, inner]): [string, unknown] => [join(path, name), inner]),
		);
	}
	throw fail(
		'The answer of the authorization server holds no access token.',
		`Set Token Field in the credential to the dot path of the token.${names}`,
		body === undefined || body === null || typeof body === 'string' ? 'answer' : 'authorization',
	);
}

function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

/** What is named for the refreshing of tokens holds none that is meant here (RFC 6749 §1.5). */
function entriesOf(value: unknown): Array<[string, unknown]> {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value as Record<string, unknown>)
		.filter(([name]) => !/refresh/i.test(name))
		.slice(0, MOST_ENTRIES);
}

function join(path: string, name: string): string {
	return path === '' ? name : `${path}.${name}`;
}

/**
 * The names in an answer, as a sentence to be added to a remedy. Only such as a programmer would choose and the
 * secret has no part in: a server that echoes its request may turn anything into a name.
 */
function shownNames(body: unknown, secret: string): string {
	if (!isRecord(body)) return '';
	const names = Object.keys(body).filter(
		(name) => /^[A-Za-z_-]{1,30}$/.test(name) && !secret.includes(name) && !name.includes(secret),
	);
	return names.length === 0 ? '' : ` Fields seen: ${names.slice(0, 10).join(', ')}.`;
}

/** The objects around the token, nearest first: type and lifetime stand beside it or above. */
function objectsAround(body: unknown, field: string): Array<Record<string, unknown>> {
	const keys = field.split('.');
	return keys
		.map((_, index) => readDotPath(body, keys.slice(0, index).join('.')))
		.filter(isRecord)
		.reverse();
}

function fail(
	message: string,
	remedy: string,
	kind: FailureKind = 'authorization',
): ServiceFailure {
	return new ServiceFailure(message, remedy, { kind });
}
