import { fieldsSeen } from '../../nodes/VisitorService/answer/fieldNames';
import {
	type FailureKind,
	ServiceFailure,
} from '../../nodes/VisitorService/failure/serviceFailure';
import { readDecimal } from '../../nodes/VisitorService/values/decimal';
import {
	fieldName,
	fieldsOf,
	findField,
	readField,
} from '../../nodes/VisitorService/values/fieldName';
import { isRecord, isText, joinPath, readDotPath } from '../../nodes/VisitorService/values/json';
import type { Client } from './client';

export interface TokenAnswer {
	accessToken: string;
	/** Seconds; undefined if the answer has no usable lifetime. Then a 401 tells that it is over. */
	lifetime?: number;
	/** Dot path at which the token was found. */
	field: string;
}

/** RFC 6749 §5.1 first, then what services use. As `fieldName` writes them. */
const TOKEN_NAMES = ['accesstoken', 'token', 'authtoken', 'jwt'];

/**
 * Named in many ways (Apigee: BearerToken; others: JWT); what is refused needs a proof or a scheme
 * of its own.
 */
const BEARER_TYPE = /^((bearer|jwt|oauth|access)[\s_-]?(token)?)?$/i;

/** How many fields of the answer are searched for a token. */
const MAX_ENTRIES = 50;

/**
 * What an `Authorization` header can carry. RFC 6750 §2.1 allows fewer characters, but no service
 * keeps to that. A text that begins with = is an expression to n8n, which it would run as soon as
 * it is stored in the credential.
 */
const SENDABLE = /^(?!=)[\x21-\x7e]+$/;

/** Seconds. A longer lifetime is a mistake, such as milliseconds. */
const MAX_LIFETIME = 366 * 24 * 3600;

/**
 * Understands the answer of a successful token request, whose shape the interface document does not
 * show.
 *
 * @throws ServiceFailure if there is no token, or one that is not a Bearer token. It quotes no
 *   value of the answer.
 */
export function readTokenAnswer(body: unknown, client: TokenPlace & Secret): TokenAnswer {
	const found = findToken(body, client);
	if (found === undefined) throw withoutToken(body, client);
	const { field } = found;
	// Type and lifetime stand beside the token, or above it.
	const places = field.split('.').map((_, depth, keys) => keys.slice(0, depth).join('.'));
	const objects = places
		.map((place) => readDotPath(body, place))
		.filter(isRecord)
		.reverse();
	const valueOf = (name: string) =>
		objects.map((one) => readField(fieldsOf(one), [name])).find((value) => value !== undefined);

	const type = valueOf('tokentype');
	if (typeof type === 'string' && !BEARER_TYPE.test(type.trim())) {
		throw fail(
			'The authorization server issued a token that is not of the type Bearer.',
			'Ask your service provider for a client ID that gets Bearer tokens (RFC 6750).',
		);
	}
	const accessToken = found.token.replace(/^\s*bearer\s/i, '').trim();
	if (!SENDABLE.test(accessToken)) {
		throw fail(
			'The token in the answer of the authorization server has characters that cannot be sent.',
			`Set Token Field in the credential to the dot path of the access token.${namesIn(body, client)}`,
		);
	}
	const seconds = readDecimal(valueOf('expiresin')) ?? 0;
	const lifetime = seconds > 0 && seconds <= MAX_LIFETIME ? seconds : undefined;
	return { accessToken, field, lifetime };
}

type TokenPlace = Pick<Client, 'answerPath'>;
type Secret = Pick<Client, 'clientSecret'>;

interface FoundToken {
	token: string;
	field: string;
}

/** A token at the top is meant, one level down it may be part of something else. */
export function findToken(body: unknown, { answerPath }: TokenPlace): FoundToken | undefined {
	if (answerPath !== '') {
		const token = readDotPath(body, answerPath);
		return isText(token) ? { token, field: answerPath } : undefined;
	}
	for (const places of [[['', body] as const], entriesOf(body)]) {
		for (const name of TOKEN_NAMES) {
			for (const [path, value] of places) {
				const found = isRecord(value) ? findField(fieldsOf(value), [name], isText) : undefined;
				if (found !== undefined) return { token: found.value, field: joinPath(path, found.key) };
			}
		}
	}
	return undefined;
}

/**
 * Objects about refreshing tokens (RFC 6749 §1.5) and about errors hold no token that is meant
 * here.
 */
function entriesOf(value: unknown): Array<[name: string, value: unknown]> {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value)
		.filter(([name]) => !/refresh|error/.test(fieldName(name)))
		.slice(0, MAX_ENTRIES);
}

function withoutToken(body: unknown, client: TokenPlace & Secret): ServiceFailure {
	if (client.answerPath !== '') {
		return fail(
			// What was set there is not repeated: it may be a secret pasted into the wrong field.
			'The answer of the authorization server has no token at the dot path in Token Field.',
			`Correct or empty Token Field in the credential.${namesIn(body, client)}`,
		);
	}
	if (isText(body)) {
		return fail(
			'The authorization server answered with text instead of JSON.',
			'Check the Authorization Server URL in the credential: it may lead to a web page or a proxy.',
			// As in an outage too: a later try may work.
			'answer',
		);
	}
	const isEmpty = body === undefined || body === null || body === '';
	return fail(
		'The answer of the authorization server holds no access token.',
		`Set Token Field in the credential to the dot path of the token.${namesIn(body, client)}`,
		isEmpty ? 'answer' : 'authorization',
	);
}

/**
 * The fields of the answer. A server that echoes its request may turn anything into a name: shown
 * are such as a programmer would choose and the secret has no part in.
 */
function namesIn(body: unknown, { clientSecret }: Secret): string {
	const mayShow = (name: string) =>
		/^[A-Za-z_-]{1,30}$/.test(name) && !clientSecret.includes(name) && !name.includes(clientSecret);
	const seen = fieldsSeen(body, { mayShow, ifNone: '' });
	return seen === '' ? '' : ` ${seen}`;
}

function fail(
	message: string,
	remedy: string,
	kind: FailureKind = 'authorization',
): ServiceFailure {
	return new ServiceFailure(message, remedy, { kind });
}
