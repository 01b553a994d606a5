import { type CredentialFields, clientFingerprint, readClient, readTenantUrl } from './client';

/** An access token and its lifetime. Points in time of our clock. */
export interface Token {
	accessToken: string;
	/** When it was requested. Of two tokens of one client, the newer one counts. */
	issuedAt: number;
	/** When to replace it; undefined if the service named no lifetime. */
	renewAt?: number;
}

/** Whether the token is not yet to be replaced because of its lifetime. */
export function isValidAt({ renewAt }: Token, now: number): boolean {
	return renewAt === undefined || now < renewAt;
}

export function isNewer(token: Token, other: Token | undefined): boolean {
	return other === undefined || token.issuedAt > other.issuedAt;
}

/**
 * A token that was just stored is valid for so long in any case: n8n gets another one only once.
 */
const MIN_TTL_MS = 1000;

/**
 * What n8n stores of a token, encrypted. Every key is a hidden field of the credential.
 * `tokenState` is a constant and not an expression that becomes '' when the token expires, because
 * n8n would evaluate that in an isolate each time anything reads the credential.
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
 * The token of a credential. Undefined if the credential was edited since: the token is that of the
 * former client or tenant and must not be sent to the new URL.
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
