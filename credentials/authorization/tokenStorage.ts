import { clientFingerprint } from './clientFingerprint';
import { type CredentialFields, readClient, readTenantAddress } from './credentialFields';
import type { Token } from './token';

/** What n8n stores of a token, encrypted; every key is a hidden field of the credential. */
export type StoredToken = {
	/** '' makes n8n call `preAuthentication`. */
	tokenState: string;
	accessToken: string;
	issuedAt: number;
	/** 0 = the lifetime is not known. */
	renewAt: number;
	/** Which client and tenant the token belongs to. */
	tokenOwner: string;
};

/**
 * n8n resolves expressions in credentials each time it reads them, so the state turns '' at the right moment
 * without a request that fails first. A token of unknown lifetime stays valid until it is refused.
 */
export function storeToken(
	{ accessToken, issuedAt, renewAt }: Token,
	fields: CredentialFields,
): StoredToken {
	return {
		tokenState:
			renewAt === undefined ? 'valid' : '={{ Date.now() < $self.renewAt ? "valid" : "" }}',
		accessToken,
		issuedAt,
		renewAt: Math.floor(renewAt ?? 0),
		tokenOwner: fingerprint(fields),
	};
}

/**
 * The token a credential holds. A credential that was edited still holds the one of the former client or tenant,
 * which must not reach the new address: undefined, as where there is none.
 *
 * @throws ServiceFailure where the credential names no client
 */
export function readStoredToken(fields: CredentialFields): Token | undefined {
	const { accessToken, renewAt, tokenOwner } = fields;
	if (typeof accessToken !== 'string' || accessToken === '') return undefined;
	if (tokenOwner !== fingerprint(fields)) return undefined;
	return {
		accessToken,
		issuedAt: issuedAt(fields),
		...(typeof renewAt === 'number' && renewAt > 0 && { renewAt }),
	};
}

/** The credential with the other's token in the place of its own, where that is the later one. */
export function withLaterToken<Fields extends CredentialFields>(
	fields: Fields,
	other: Fields,
): Fields {
	if (issuedAt(other) < issuedAt(fields)) return fields;
	return { ...fields, ...Object.fromEntries(STORED_FIELDS.map((name) => [name, other[name]])) };
}

const STORED_FIELDS: ReadonlyArray<keyof StoredToken> = [
	'tokenState',
	'accessToken',
	'issuedAt',
	'renewAt',
	'tokenOwner',
];

function issuedAt(fields: CredentialFields): number {
	return typeof fields.issuedAt === 'number' ? fields.issuedAt : 0;
}

function fingerprint(fields: CredentialFields): string {
	return clientFingerprint(readClient(fields), readTenantAddress(fields));
}
