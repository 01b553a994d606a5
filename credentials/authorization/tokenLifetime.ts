import { isRecord } from '../../nodes/VisitorService/json/isRecord';

const LIFETIME_NAMES = [
	'expires_in',
	'expiresIn',
	'ExpiresIn',
	'expires-in',
	'expire_in',
	'expireIn',
	'expires_in_seconds',
	'lifetime',
	'ttl',
];

const EXPIRY_NAMES = [
	'expires_at',
	'expiresAt',
	'ExpiresAt',
	'expires_on',
	'expiresOn',
	'expires',
	'expiration',
	'expiry',
	'valid_until',
	'validUntil',
	'exp',
];

/** A longer lifetime is a mistake of the service (a point in time, milliseconds); a 401 tells the truth then. */
const LONGEST_LIFETIME = 366 * 24 * 3600;

export interface LifetimeSources {
	/** The objects of the answer in which the lifetime may stand, nearest to the token first. */
	objects: ReadonlyArray<Record<string, unknown>>;
	accessToken: string;
	/** `Date` header of the answer. */
	date?: string;
	/** When the answer came, in milliseconds of our clock. */
	receivedAt: number;
}

/** How many seconds the token lives on after the answer; undefined where no usable lifetime is given. */
export function readLifetime(sources: LifetimeSources): number | undefined {
	const relative = usable(toNumber(firstOf(sources.objects, LIFETIME_NAMES)));
	if (relative !== undefined) return relative;

	const expiry = firstOf(sources.objects, EXPIRY_NAMES);
	const expiresAt = toInstant(expiry) ?? toInstant(readExpiryClaim(sources.accessToken));
	if (expiresAt !== undefined) return usable((expiresAt - serviceTime(sources)) / 1000);
	// "expires": 3600 is a lifetime in spite of its name.
	return usable(toNumber(expiry));
}

/** The first value under one of these names. */
export function firstOf(
	objects: ReadonlyArray<Record<string, unknown>>,
	names: readonly string[],
): unknown {
	for (const object of objects) {
		for (const name of names) {
			if (object[name] !== undefined && object[name] !== null) return object[name];
		}
	}
	return undefined;
}

/**
 * The service's time when it answered. A point in time it names is one of its own clock, which its `Date` header
 * tells to the second (RFC 9110 §6.6.1): ours is taken where it agrees, else the end of that second, so that a
 * lifetime comes out too short rather than too long.
 */
function serviceTime({ date, receivedAt }: LifetimeSources): number {
	const second = Date.parse(date ?? '');
	if (Number.isNaN(second)) return receivedAt;
	return receivedAt >= second && receivedAt < second + 1000 ? receivedAt : second + 1000;
}

function usable(seconds: number | undefined): number | undefined {
	return seconds !== undefined && seconds > 0 && seconds <= LONGEST_LIFETIME ? seconds : undefined;
}

function toNumber(value: unknown): number | undefined {
	if (typeof value === 'number') return value;
	if (typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value)) return Number(value);
	return undefined;
}

/** Epoch seconds, epoch milliseconds or a date with a zone, as milliseconds; undefined for a small number. */
function toInstant(value: unknown): number | undefined {
	const number = toNumber(value);
	if (number !== undefined) {
		if (number > 1e11) return number;
		return number > 1e9 ? number * 1000 : undefined;
	}
	// ISO 8601 with a zone, or an HTTP date. A time without a zone would be guessed hours off.
	if (
		typeof value !== 'string' ||
		!/^\d{4}-.+(Z|[+-]\d{2}:?\d{2})$|^[A-Z][a-z]{2,8},.+GMT$/.test(value)
	) {
		return undefined;
	}
	const parsed = Date.parse(value);
	return Number.isNaN(parsed) ? undefined : parsed;
}

/** The `exp` claim (RFC 7519 §4.1.4) of a token that is a JSON Web Token. */
function readExpiryClaim(token: string): unknown {
	const [, payload = ''] = token.split('.');
	try {
		const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
		return isRecord(claims) ? claims.exp : undefined;
	} catch {
		return undefined;
	}
}
