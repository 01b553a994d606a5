import { clientFingerprint, readClient, readTenantUrl } from './client';
import type { CredentialFields } from './credentialFields';

/** An access token and what is known of its life. Times in milliseconds of our clock. */
export interface Token {
	accessToken: string;
	/** When it was asked for. Of two tokens of one client the newer one counts: see `isNewer`. */
	issuedAt: number;
	/** From then on it is to be replaced; undefined if the lifetime is not known. */
	renewAt?: number;
}

/** Whether the token may be sent, as far as its lifetime is known. */
export function isFresh({ renewAt }: Token, now: number): boolean {
	return renewAt === undefined || now < renewAt;
}

/**
 * The one comparison of tokens. Equal is not newer.
 *
 * @param other undefined if there is no token to compare with
 */
export function isNewer(token: Issue, other: Issue | undefined): boolean {
	return other === undefined || token.issuedAt > other.issuedAt;
}

/**
 * Whether two tokens are of one issue. Some services issue the same text again, which counts as
 * another token.
 */
export function isSameIssue(token: Token, other: Token | undefined): boolean {
	return token.accessToken === other?.accessToken && token.issuedAt === other.issuedAt;
}

type Issue = Pick<Token, 'issuedAt'>;

/** What n8n stores of a token, encrypted; every key is a hidden field of the credential. */
export type StoredToken = {
	/** '' makes n8n call `preAuthentication`; a stored token never has it. */
	tokenState: string;
	accessToken: string;
	issuedAt: number;
	/** 0 = the lifetime is not known. */
	renewAt: number;
	storedAt: number;
	/** Which client and tenant the token belongs to. */
	tokenOwner: string;
};

/**
 * The state is a constant. An expression could turn '' when the time of the token is over, but n8n
 * would evaluate it each time anything reads the credential, in an isolate of its own. `isSendable`
 * is asked when a token is sent.
 *
 * @param now milliseconds
 */
export function storeToken(
	{ accessToken, issuedAt, renewAt }: Token,
	fields: CredentialFields,
	now: number,
): StoredToken {
	return {
		tokenState: 'valid',
		accessToken,
		issuedAt,
		renewAt: Math.floor(renewAt ?? 0),
		storedAt: now,
		tokenOwner: fingerprint(fields),
	};
}

/**
 * Milliseconds in which a token that has just been stored is sent in any case: n8n asks for another
 * one only once.
 */
const GRACE = 5000;

/** Whether n8n may send the token of a credential, or has to get a new one first. */
export function isSendable(token: Token, { storedAt }: CredentialFields, now: number): boolean {
	return isFresh(token, now) || (typeof storedAt === 'number' && now < storedAt + GRACE);
}

/**
 * The token a credential holds. A credential that was edited still holds the one of the former
 * client or tenant, which must not reach the new URL: undefined, as if there were none.
 *
 * @throws ServiceFailure if the credential names no client
 */
export function readStoredToken(fields: CredentialFields): Token | undefined {
	const { accessToken, renewAt, tokenOwner } = fields;
	if (typeof accessToken !== 'string' || accessToken === '') return undefined;
	if (tokenOwner !== fingerprint(fields)) return undefined;
	return {
		accessToken,
		...issueOf(fields),
		...(typeof renewAt === 'number' && renewAt > 0 && { renewAt }),
	};
}

/** The credential with the token of the other one, unless its own is newer. */
export function withNewerToken<Fields extends CredentialFields>(
	fields: Fields,
	other: Fields,
): Fields {
	if (isNewer(issueOf(fields), issueOf(other))) return fields;
	return { ...fields, ...Object.fromEntries(STORED_FIELDS.map((name) => [name, other[name]])) };
}

/**
 * Whether both hold the same token in the same state. Reading it would ask whose it is, which takes
 * time.
 */
export function holdSameToken(fields: CredentialFields, other: CredentialFields): boolean {
	return STORED_FIELDS.every((name) => fields[name] === other[name]);
}

const STORED_FIELDS: ReadonlyArray<keyof StoredToken> = [
	'tokenState',
	'accessToken',
	'issuedAt',
	'renewAt',
	'storedAt',
	'tokenOwner',
];

function issueOf({ issuedAt }: CredentialFields): Issue {
	return { issuedAt: typeof issuedAt === 'number' ? issuedAt : 0 };
}

function fingerprint(fields: CredentialFields): string {
	return clientFingerprint(readClient(fields), readTenantUrl(fields));
}
