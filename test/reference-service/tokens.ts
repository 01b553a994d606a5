import { createHmac, randomBytes } from 'node:crypto';

import type { TokenSwitches } from './switches';

export interface IssuedToken {
	/** Counted from 1. */
	readonly number: number;
	readonly text: string;
	/** Milliseconds since 1970. */
	expiresAt: number;
	/** API calls left; Infinity unless `lifetimeRequests` was set when it was issued. */
	usesLeft: number;
	revoked: boolean;
}

export type TokenState = 'valid' | 'missing' | 'invalid' | 'expired';

/**
 * The tokens given out since the service started. They do not outlive it: after a restart every
 * token is invalid.
 */
export class Tokens {
	private readonly issued = new Map<string, IssuedToken>();
	private last: IssuedToken | null = null;

	get count(): number {
		return this.last?.number ?? 0;
	}

	/** @param now milliseconds since 1970 */
	issue(switches: TokenSwitches, now: number, clientId: string): IssuedToken {
		if (switches.revokePrevious) this.revoke();
		const number = this.count + 1;
		const expiresAt = now + switches.lifetimeSeconds * 1_000;
		const text =
			switches.format === 'jwt'
				? signedJwt(clientId, now, expiresAt, number)
				: `${switches.prefix}${number}-${randomBytes(16).toString('base64url')}`;
		const usesLeft = switches.lifetimeRequests > 0 ? switches.lifetimeRequests : Infinity;
		this.last = { number, text, expiresAt, usesLeft, revoked: false };
		this.issued.set(text, this.last);
		return this.last;
	}

	/** The token in an `Authorization` header, if it is one of ours. */
	find(authorization: string | undefined): IssuedToken | undefined {
		const text = bearerToken(authorization);
		return text === undefined ? undefined : this.issued.get(text);
	}

	/** Judges a call's `Authorization` header and counts the use of its token. */
	use(authorization: string | undefined, now: number): TokenState {
		if (bearerToken(authorization) === undefined) return 'missing';
		const token = this.find(authorization);
		if (token === undefined || token.revoked) return 'invalid';
		if (now >= token.expiresAt || token.usesLeft <= 0) return 'expired';
		token.usesLeft--;
		return 'valid';
	}

	/** From now on every token given out is invalid. */
	revoke(): void {
		for (const token of this.issued.values()) token.revoked = true;
	}

	/** From now on every token given out has expired. */
	expire(): void {
		for (const token of this.issued.values()) token.expiresAt = -Infinity;
	}
}

// RFC 6750 section 2.1; the scheme is case-insensitive (RFC 9110 section 11.1).
function bearerToken(authorization: string | undefined): string | undefined {
	return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
}

function signedJwt(clientId: string, issuedAt: number, expiresAt: number, number: number): string {
	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const seconds = (milliseconds: number) => Math.floor(milliseconds / 1_000);
	const content = [
		part({ alg: 'HS256', typ: 'JWT' }),
		part({ sub: clientId, iat: seconds(issuedAt), exp: seconds(expiresAt), jti: String(number) }),
	].join('.');
	return `${content}.${createHmac('sha256', randomBytes(32)).update(content).digest('base64url')}`;
}
