import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { readClient } from '../../../credentials/authorization/client';
import type { TokenCoordination } from '../../../credentials/authorization/coordination';
import {
	holdSameToken,
	isFresh,
	isSameIssue,
	readStoredToken,
	type Token,
	withNewerToken,
} from '../../../credentials/authorization/storage';
import { failureOf } from '../failure/failureOf';
import type { HttpAnswer, HttpRequest, Transport } from '../http/message';
import type { TokenHolder } from './tokenRenewal';

/** What a held credential asks of n8n and of its process. */
export interface CredentialHost {
	/**
	 * Sends with this credential data. If n8n exchanges a token for it, it writes the new one into
	 * the data.
	 */
	transportWith(fields: ICredentialDataDecryptedObject): Transport;
	/** Reads the stored credential. */
	read(): Promise<ICredentialDataDecryptedObject>;
	/** Is told of tokens that other processes stored. */
	coordination: TokenCoordination;
	/** Milliseconds. */
	now(): number;
}

/**
 * The credential of one connection. It keeps the newest token that came with a request or was
 * stored meanwhile.
 */
export class HeldCredential implements TokenHolder {
	private token?: Token;

	private refused?: Token;

	private readonly tokensSent = new Set<string>();

	constructor(
		private fields: ICredentialDataDecryptedObject,
		private readonly host: CredentialHost,
	) {
		this.token = readStoredToken(fields);
	}

	current(): Token | undefined {
		return this.token;
	}

	isFresh(): boolean {
		const token = this.current();
		return (
			token !== undefined &&
			!isSameIssue(token, this.refused) &&
			this.fields.tokenState !== '' &&
			isFresh(token, this.host.now())
		);
	}

	async send(request: HttpRequest): Promise<{ answer: HttpAnswer; token: Token | undefined }> {
		// A copy for each request: the token found in it afterwards is the one this very request was
		// sent with.
		const fields = { ...this.fields, ...(!this.isFresh() && { tokenState: '' }) };
		let token: Token | undefined;
		const answer = await this.host
			.transportWith(fields)(request)
			.finally(() => {
				token = this.learnFrom(fields);
			});
		return { answer, token };
	}

	/** @returns the token a request was sent with that got these fields */
	private learnFrom(fields: ICredentialDataDecryptedObject): Token | undefined {
		let { token } = this;
		if (!holdSameToken(fields, this.fields)) {
			token = readStoredToken(fields);
			this.keep(withNewerToken(this.fields, fields));
		}
		if (token !== undefined) this.tokensSent.add(token.accessToken);
		return token;
	}

	private keep(fields: ICredentialDataDecryptedObject): void {
		this.fields = fields;
		this.token = readStoredToken(fields);
	}

	async reload(): Promise<void> {
		const stored = await this.host.read().catch((error: unknown) => {
			throw failureOf(error);
		});
		this.keep(withNewerToken(stored, this.fields));
		const { token } = this;
		if (token !== undefined) this.host.coordination.remember(readClient(this.fields), token);
	}

	discard(token: Token): void {
		// The refusal of an older token may come in when a newer one has been refused already.
		if (isSameIssue(token, this.current())) this.refused = token;
	}

	/** What no message may show. */
	secrets(): string[] {
		return [readClient(this.fields).clientSecret, ...this.tokensSent];
	}
}
