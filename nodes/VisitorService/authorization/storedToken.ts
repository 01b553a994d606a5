import { type CredentialFields, clientFingerprint, readClient, readTenantUrl } from './client';

/** An access token and its lifetime. Times in milliseconds of our clock. */
export interface Token {
	accessToken: string;
	/** When it was requested. Of two tokens of one client the newer one counts. */
	issuedAt: number;
	/** When it is to be replaced; undefined if the service named no lifetime. */
	renewAt?: number;
}

/** Whether the token is not to be replaced because of its lifetime. */
export function isValidAt({ renewAt }: Token, now: number): boolean {
	return renewAt === undefined || now < renewAt;
}

/** @param other undefined if there is no other token */
export function isNewer(token: Token, other: Token | undefined): boolean {
	return other === undefined || token.issuedAt > other.issuedAt;
}

/** A token that has just been stored is sent in any case: n8n gets another one only once. */
const MIN_TTL_MS = 1000;

/**
 * What n8n stores of a token, encrypted; every key is a hidden field of the credential. The state
 * is a constant: an expression could turn '' when the time of the token is over, but n8n would
 * evaluate it each time anything reads the credential, in an isolate of its own.
 */
export function storeToken(
	{ accessToken, issuedAt, renewAt }: Token,
	fields: CredentialFields,
	now: number,
) {
	return {
		tokenState: 'valid',
		accessToken,
		issuedAt,
		/** 0 = the service named no lifetime. */
		renewAt: renewAt === undefined ? 0 : Math.floor(Math.max(renewAt, now + MIN_TTL_MS)),
		tokenOwner: ownerFingerprint(fields),
	};
}

/** The fields of a credential without what `storeToken` adds. */
export function withoutToken(fields: CredentialFields): CredentialFields {
	const none = { tokenState: undefined, accessToken: undefined, tokenOwner: undefined };
	return { ...fields, ...none, issuedAt: undefined, renewAt: undefined };
}

/**
 * The token a credential holds. A credential that was edited still holds the one of the former
 * client or tenant, which must not reach the new URL: undefined, as if there were none.
 *
 * @throws ServiceFailure if the credential names no client
 */
export function readStoredToken(fields: CredentialFields): Token | undefined {
	const { accessToken, issuedAt, renewAt, tokenOwner } = fields;
	if (typeof accessToken !== 'string' || accessToken === '') return undefined;
	if (tokenOwner !== ownerFingerprint(fields)) return undefined;
	return {
		accessToken,
		issuedAt: typeof issuedAt === 'number' ? issuedAt : 0,
		...(typeof renewAt === 'number' && renewAt > 0 && { renewAt }),
	};
}

function ownerFingerprint(fields: CredentialFields): string {
	return clientFingerprint(readClient(fields), readTenantUrl(fields));
}
