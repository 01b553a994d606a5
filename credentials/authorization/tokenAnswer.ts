import { fieldsSeen } from '../../nodes/VisitorService/answer/fieldNames';
import { ServiceFailure } from '../../nodes/VisitorService/failure/serviceFailure';
import {
	fieldName,
	findField,
	isRecord,
	isText,
	joinPath,
	readDotPath,
	readField,
} from '../../nodes/VisitorService/values/json';
import { readDecimal } from '../../nodes/VisitorService/values/scalar';
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

/**
 * What an `Authorization` header can carry. RFC 6750 §2.1 allows fewer characters, but no service
 * keeps to that. A text that begins with = is an expression to n8n, which it would run as soon as
 * it is stored in the credential.
 */
const SENDABLE = /^(?!=)[\x21-\x7e]+$/;

/** Seconds. A longer lifetime is a mistake, such as milliseconds. */
const MAX_LIFETIME = 366 * 24 * 3600;

type Sought = Pick<Client, 'answerPath' | 'clientSecret'>;

/**
 * Understands the answer of a successful token request, whose shape the interface document does not
 * show.
 *
 * @throws ServiceFailure if there is no token, or one that is not a Bearer token. It quotes no
 *   value of the answer.
 */
export function readTokenAnswer(body: unknown, sought: Sought): TokenAnswer {
	const found = findToken(body, sought);
	if (found === undefined) throw withoutToken(body, sought);
	const { token, field } = found;
	// Type and lifetime stand beside the token, or at the top.
	const beside = readDotPath(body, field.split('.').slice(0, -1).join('.'));
	const valueOf = (name: string) => readField(beside, name) ?? readField(body, name);

	const type = valueOf('tokentype');
	if (typeof type === 'string' && !BEARER_TYPE.test(type.trim())) {
		throw new ServiceFailure(
			'The authorization server issued a token that is not of the type Bearer.',
			'Ask your service provider for a client ID that gets Bearer tokens (RFC 6750).',
			{ kind: 'authorization' },
		);
	}
	const accessToken = token.replace(/^\s*bearer\s/i, '').trim();
	if (!SENDABLE.test(accessToken)) {
		throw new ServiceFailure(
			'The token in the answer of the authorization server has characters that cannot be sent.',
			setTokenField(body, sought),
			{ kind: 'authorization' },
		);
	}
	const seconds = readDecimal(valueOf('expiresin')) ?? 0;
	const lifetime = seconds > 0 && seconds <= MAX_LIFETIME ? seconds : undefined;
	return { accessToken, field, lifetime };
}

/**
 * At Token Field, else under one of the names at the top or one level down. Objects about
 * refreshing tokens (RFC 6749 §1.5) and about errors hold no token that is meant here.
 */
export function findToken(body: unknown, { answerPath }: Pick<Client, 'answerPath'>) {
	if (answerPath !== '') {
		const token = readDotPath(body, answerPath);
		return isText(token) ? { token, field: answerPath } : undefined;
	}
	const entries = Object.entries(typeof body === 'object' && body !== null ? body : {}).filter(
		([name]) => !/refresh|error/.test(fieldName(name)),
	);
	for (const places of [[['', body] as const], entries]) {
		for (const name of TOKEN_NAMES) {
			for (const [path, value] of places) {
				const found = isRecord(value) ? findField(value, [name], isText) : undefined;
				if (found !== undefined) return { token: found.value, field: joinPath(path, found.key) };
			}
		}
	}
	return undefined;
}

function withoutToken(body: unknown, sought: Sought): ServiceFailure {
	// Text or nothing comes in an outage too: a later try may work.
	if (isText(body)) {
		return new ServiceFailure(
			'The authorization server answered with text instead of JSON.',
			'Check the Authorization Server URL in the credential: it may lead to a web page or a proxy.',
			{ kind: 'answer' },
		);
	}
	// What was set is not repeated: it may be a secret pasted into the wrong field.
	const place = sought.answerPath === '' ? '' : ' at the dot path in Token Field';
	const isNothing = (body ?? '') === '';
	return new ServiceFailure(
		`The answer of the authorization server holds no access token${place}.`,
		setTokenField(body, sought),
		{ kind: isNothing ? 'answer' : 'authorization' },
	);
}

/**
 * Names the fields of the answer. A server that echoes its request may turn anything into a name:
 * shown are such as a programmer would choose and the secret has no part in.
 */
function setTokenField(body: unknown, { clientSecret }: Sought): string {
	const mayShow = (name: string) =>
		/^[A-Za-z_-]{1,30}$/.test(name) && !clientSecret.includes(name) && !name.includes(clientSecret);
	const seen = fieldsSeen(body, mayShow, '');
	return `Set Token Field in the credential to the dot path of the access token. ${seen}`.trim();
}
