import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readClient } from '../../../credentials/authorization/credentialFields';
import { isFresh, type Token } from '../../../credentials/authorization/token';
import type { TokenCoordination } from '../../../credentials/authorization/tokenCoordination';
import { readStoredToken, withLaterToken } from '../../../credentials/authorization/tokenStorage';
import { failureOf } from '../operations/failedItem';
import type { HttpAnswer, HttpRequest, Transport } from './httpMessage';
import type { TokenHolder } from './tokenRenewal';

export interface CredentialMeans {
	/** Sends with a credential, into which n8n writes the new token where it exchanged one. */
	transportWith(fields: ICredentialDataDecryptedObject): Transport;
	/** Reads the stored credential. */
	read(): Promise<ICredentialDataDecryptedObject>;
	/** Is told of tokens that other processes stored. */
	coordination: TokenCoordination;
	/** Milliseconds. */
	now(): number;
}

/** The credential of one connection, kept up with the tokens its requests bring. */
export class HeldCredential implements TokenHolder {
	private refused?: Token;

	private readonly tokensSent = new Set<string>();

	constructor(
		private fields: ICredentialDataDecryptedObject,
		private readonly means: CredentialMeans,
	) {}

	current(): Token | undefined {
		return readStoredToken(this.fields);
	}

	isFresh(): boolean {
		const token = this.current();
		return (
			token !== undefined &&
			!isSame(token, this.refused) &&
			this.fields.tokenState !== '' &&
			isFresh(token, this.means.now())
		);
	}

	async send(request: HttpRequest): Promise<{ answer: HttpAnswer; token: Token | undefined }> {
		// A copy for each request: the token found in it afterwards is the one this very request was sent with.
		const fields = { ...this.fields, ...(!this.isFresh() && { tokenState: '' }) };
		try {
			const answer = await this.means.transportWith(fields)(request);
			return { answer, token: readStoredToken(fields) };
		} finally {
			this.fields = withLaterToken(this.fields, fields);
			const token = readStoredToken(fields);
			if (token !== undefined) this.tokensSent.add(token.accessToken);
		}
	}

	async reload(): Promise<void> {
		const stored = await this.means.read().catch((error: unknown) => {
			throw failureOf(error);
		});
		this.fields = withLaterToken(stored, this.fields);
		const token = this.current();
		if (token !== undefined) this.means.coordination.remember(readClient(this.fields), token);
	}

	discard(token: Token): void {
		// The refusal of an earlier token may come in when a later one has been refused already.
		if (isSame(token, this.current())) this.refused = token;
	}

	/** What no message may show. */
	secrets(): string[] {
		return [readClient(this.fields).clientSecret, ...this.tokensSent];
	}
}

/** Some services hand out the same text again: from then on it is another token, which may be tried. */
function isSame(one: Token, other: Token | undefined): boolean {
	return one.accessToken === other?.accessToken && one.issuedAt === other.issuedAt;
}
