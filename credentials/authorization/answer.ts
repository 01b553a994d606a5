import { fieldsSeen } from '../../nodes/VisitorService/answer/fieldNames';
import {
	type FailureKind,
	ServiceFailure,
} from '../../nodes/VisitorService/failure/serviceFailure';
import type { HttpAnswer } from '../../nodes/VisitorService/http/message';
import {
	type Fields,
	fieldName,
	fieldsOf,
	findField,
} from '../../nodes/VisitorService/values/fieldName';
import { isRecord, isText, joinPath, readDotPath } from '../../nodes/VisitorService/values/json';
import type { Client } from './client';
import { firstValueOf, readLifetime } from './lifetime';

export interface TokenAnswer {
	accessToken: string;
	/** Seconds; undefined if the answer has no usable lifetime. */
	lifetime?: number;
	/** Dot path at which the token was found; '' if the body is the token itself. */
	field: string;
}

/**
 * RFC 6749 §5.1 first, then what services use, the less likely the later. As `fieldName` writes
 * them.
 */
const TOKEN_NAMES = [
	'accesstoken',
	'bearertoken',
	'authtoken',
	'authorizationtoken',
	'jwttoken',
	'jwt',
	'apitoken',
	'token',
	'idtoken',
];

/**
 * Named in many ways (Apigee: BearerToken; others: JWT); what is refused needs a proof or a scheme
 * of its own.
 */
const BEARER_TYPE = /^\s*((bearer|jwt|oauth|access)[\s_-]?(token)?)?\s*$/i;

const TYPE_NAMES = ['tokentype'];

/** How many levels of objects are searched for a token, and how many fields of each object. */
const MAX_TOKEN_DEPTH = 3;
const MAX_ENTRIES = 50;

/**
 * What an `Authorization` header can carry. RFC 6750 §2.1 allows fewer characters, but no service
 * keeps to that. A text that begins with = is an expression to n8n, which it would run as soon as
 * it is stored in the credential.
 */
const SENDABLE = /^(?!=)[\x21-\x7e]+$/;

/** A text that can only be a token: one long word with a digit in it, as no error message is. */
const BARE_TOKEN = /^(?=.*\d)[\w.~+/-]{16,}=*$/;

/**
 * Understands the answer of a successful token request, whose shape the interface document does not
 * show.
 *
 * @param receivedAt when the answer came, in milliseconds
 * @throws ServiceFailure if there is no token, or one that is not a Bearer token. It quotes no
 *   value of the answer.
 */
export function readTokenAnswer(
	answer: HttpAnswer,
	{ tokenField, clientSecret }: Pick<Client, 'tokenField' | 'clientSecret'>,
	receivedAt: number,
): TokenAnswer {
	const seen = fieldsSeen(answer.body, { mayShow: mayShow(clientSecret), ifNone: '' });
	const names = seen === '' ? '' : ` ${seen}`;
	const { token, field } =
		tokenField === '' ? detectToken(answer.body, names) : pickToken(answer.body, tokenField, names);
	const objects = objectsAround(answer.body, field);

	const type = firstValueOf(objects, TYPE_NAMES);
	if (typeof type === 'string' && !BEARER_TYPE.test(type)) {
		throw fail(
			'The authorization server issued a token that is not of the type Bearer.',
			'Ask your service provider for a client ID that gets Bearer tokens (RFC 6750).',
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
	const found = findToken(body);
	if (found !== undefined) return found;
	throw fail(
		'The answer of the authorization server holds no access token.',
		`Set Token Field in the credential to the dot path of the token.${names}`,
		body === undefined || body === null || typeof body === 'string' ? 'answer' : 'authorization',
	);
}

/** Level by level: a token at the top is meant, one deeper may be part of something else. */
function findToken(body: unknown): FoundToken | undefined {
	let level: Array<[path: string, value: unknown]> = [['', body]];
	for (let depth = 0; depth < MAX_TOKEN_DEPTH; depth++) {
		const objects = level.flatMap(
			([path, value]): Array<[string, Fields]> =>
				isRecord(value) ? [[path, fieldsOf(value)]] : [],
		);
		for (const name of TOKEN_NAMES) {
			for (const [path, fields] of objects) {
				const field = findField(fields, [name], isText);
				if (field !== undefined) return { token: field.value, field: joinPath(path, field.key) };
			}
		}
		level = level.flatMap(([path, value]) =>
			entriesOf(value).map(([name, inner]): [string, unknown] => [joinPath(path, name), inner]),
		);
	}
	return undefined;
}

/** Whether an answer holds a token, whatever else it says. */
export function holdsToken(body: unknown, tokenField: string): boolean {
	if (tokenField !== '') return isText(readDotPath(body, tokenField));
	return findToken(body) !== undefined;
}

/**
 * Objects about refreshing tokens (RFC 6749 §1.5) and about errors hold no token that is meant
 * here.
 */
function entriesOf(value: unknown): Array<[string, unknown]> {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value as Record<string, unknown>)
		.filter(([name]) => !/refresh|error/.test(fieldName(name)))
		.slice(0, MAX_ENTRIES);
}

/**
 * A server that echoes its request may turn anything into a name: shown are such as a programmer
 * would choose and the secret has no part in.
 */
function mayShow(secret: string): (name: string) => boolean {
	return (name) =>
		/^[A-Za-z_-]{1,30}$/.test(name) && !secret.includes(name) && !name.includes(secret);
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
