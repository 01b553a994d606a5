import { readHttpDate } from '../../nodes/VisitorService/http/retryTimes';
import { readDecimal } from '../../nodes/VisitorService/values/decimal';
import { fieldsOf, readField } from '../../nodes/VisitorService/values/fieldName';
import { readInstant } from '../../nodes/VisitorService/values/instant';
import { isRecord, type JsonObject, parseJson } from '../../nodes/VisitorService/values/json';

/** As `fieldName` writes them. */
const LIFETIME_NAMES = ['expiresin', 'expirein', 'expiresinseconds', 'lifetime', 'ttl'];

const EXPIRY_NAMES = [
	'expiresat',
	'expireson',
	'expires',
	'expiration',
	'expiry',
	'validuntil',
	'exp',
];

/**
 * Seconds. A longer lifetime is a mistake, such as milliseconds; then a 401 tells when the token
 * has expired.
 */
const MAX_LIFETIME = 366 * 24 * 3600;

export interface LifetimeSources {
	/** The objects of the answer that may hold the lifetime, nearest to the token first. */
	objects: readonly JsonObject[];
	accessToken: string;
	/** `Date` header of the answer. */
	date?: string;
	/** When the answer came, in milliseconds of our clock. */
	receivedAt: number;
}

/**
 * How many seconds the token lives on after the answer; undefined if no usable lifetime is given.
 */
export function readLifetime(sources: LifetimeSources): number | undefined {
	const relative = usable(readDecimal(firstValueOf(sources.objects, LIFETIME_NAMES)));
	if (relative !== undefined) return relative;

	const expiry = firstValueOf(sources.objects, EXPIRY_NAMES);
	const expiresAt = toTime(expiry) ?? toTime(readExpiryClaim(sources.accessToken));
	if (expiresAt !== undefined) return usable((expiresAt - latestServiceTime(sources)) / 1000);
	// "expires": 3600 is a lifetime in spite of its name.
	return usable(readDecimal(expiry));
}

/** The first value under one of these names. */
export function firstValueOf(objects: readonly JsonObject[], names: readonly string[]): unknown {
	return objects
		.map((object) => readField(fieldsOf(object), names))
		.find((value) => value !== undefined);
}

/**
 * The service's time when it answered. A point in time it names is one of its own clock, which its
 * `Date` header tells to the second (RFC 9110 §6.6.1). Ours is taken if it agrees, else the end of
 * that second, so that a lifetime is measured too short rather than too long.
 */
function latestServiceTime({ date, receivedAt }: LifetimeSources): number {
	const second = readHttpDate(date);
	if (second === undefined) return receivedAt;
	return receivedAt >= second && receivedAt < second + 1000 ? receivedAt : second + 1000;
}

function usable(seconds: number | undefined): number | undefined {
	return seconds !== undefined && seconds > 0 && seconds <= MAX_LIFETIME ? seconds : undefined;
}

/** Milliseconds. Undefined for a time without a zone too, because it would be guessed hours off. */
function toTime(value: unknown): number | undefined {
	const instant = readInstant(value);
	return instant?.zone === 'none' ? undefined : instant?.earliest;
}

/** The `exp` claim (RFC 7519 §4.1.4) of a token that is a JSON Web Token. */
function readExpiryClaim(token: string): unknown {
	const [, payload = ''] = token.split('.');
	const claims = parseJson(Buffer.from(payload, 'base64url').toString('utf8'));
	return isRecord(claims) ? claims.exp : undefined;
}
