import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { readClient } from '../authorization/client';
import { isValidAt, readStoredToken, type Token } from '../authorization/storedToken';
import { toServiceFailure } from '../failure/serviceFailure';
import { isRetryableStatus, isSecondaryRateLimit } from '../http/backoff';
import type { Clock, HttpRequest, HttpResponse, Transport } from '../http/message';
import { followSameOrigin } from '../http/redirects';
import { isList, type ListTarget } from '../response/records';
import { SECOND } from '../values/instant';

/** What n8n does for a connection, without its contexts: `operations/host.ts` makes it of them. */
export interface TenantHost {
	/**
	 * Sends with n8n's request helper, which adds the token of this credential data. If its
	 * `tokenState` is '', n8n first exchanges a token, writes it into the data and stores it.
	 */
	transportWith(fields: ICredentialDataDecryptedObject): Transport;
	readCredential(): Promise<ICredentialDataDecryptedObject>;
	clock: Clock;
	/** A number in [0, 1). */
	random(): number;
	/** Tokens issued since the execution began that no list came with yet, of all input items. */
	unverifiedTokens: Set<string>;
	/** Status codes that a new token did not change, of all input items: 403 and those of servers. */
	confirmedStatuses: Set<number>;
}

interface CurrentCredential {
	fields: ICredentialDataDecryptedObject;
	token: Token | undefined;
	/** The one time the stored credential is read again for it, however many requests wait. */
	reloaded?: Promise<void>;
}

/**
 * The credential of one run. An answer that is not a list, to a token that is of an earlier run or
 * has served this one, is asked once more before it is believed: with a new token, once a run, or
 * with the one that another process has stored meanwhile. If the lifetime is not known, a 401
 * tells that it is over, as often as it comes.
 */
export class TokenSession {
	private current: CurrentCredential;
	private hasRenewed = false;
	private readonly usedTokens = new Set<string>();

	constructor(
		fields: ICredentialDataDecryptedObject,
		private readonly host: TenantHost,
		private readonly target: ListTarget,
		private readonly startedAt = host.clock.now(),
	) {
		this.current = { fields, token: readStoredToken(fields) };
		// It has just been read.
		if (this.needsExchange()) this.current.reloaded = Promise.resolve();
	}

	readonly send: Transport = async (request) => {
		for (;;) {
			if (this.needsExchange()) await this.reloadStored();
			const { response, token } = await this.attempt(request);
			if (token === undefined || !mayBeTokenError(response, this.host.clock.now())) return response;
			const hasList = isList(response, this.target);
			if (hasList) this.host.unverifiedTokens.delete(token.accessToken);
			if (hasList || !(await this.shouldRetryWithOther(token, response.statusCode)))
				return response;
		}
	};

	/** What no message may show. */
	secrets(): string[] {
		return [readClient(this.current.fields).clientSecret, ...this.usedTokens];
	}

	/** By the time of issue, because some services issue the same text again. */
	private isCurrent(token: Token): boolean {
		return token.issuedAt === this.current.token?.issuedAt;
	}

	private needsExchange(): boolean {
		const { fields, token } = this.current;
		return fields.tokenState === '' || !token || !isValidAt(token, this.host.clock.now());
	}

	private async attempt(request: HttpRequest): Promise<{ response: HttpResponse; token?: Token }> {
		// A copy for each request: the token found in it afterwards is the one it was sent with.
		const fields = { ...this.current.fields };
		if (this.needsExchange()) fields.tokenState = '';
		let token: Token | undefined;
		const sending = followSameOrigin(this.host.transportWith(fields))(request);
		const response = await sending.finally(() => {
			token = this.adoptNewer(fields);
		});
		return { response, token };
	}

	/** @returns whether there is another token to try */
	private async shouldRetryWithOther(token: Token, statusCode: number): Promise<boolean> {
		// Another request of the same moment has had it replaced, or is about to.
		if (!this.isCurrent(token) || this.current.fields.tokenState === '') return true;
		const isExpired = statusCode === 401 && token.renewAt === undefined;
		const { confirmedStatuses, unverifiedTokens } = this.host;
		const isUnverified = unverifiedTokens.has(token.accessToken);
		// Any other may also be that of a page after the end, which would hide that a token is over.
		if (isUnverified && (statusCode === 403 || statusCode >= 500))
			confirmedStatuses.add(statusCode);
		const shouldExchange =
			!isUnverified && !confirmedStatuses.has(statusCode) && (isExpired || !this.hasRenewed);
		this.hasRenewed ||= !isExpired;
		if (shouldExchange) this.current.fields = { ...this.current.fields, tokenState: '' };
		// Where a new token ends the old one, another process has just got the one that counts, and
		// stores it within a second.
		else if (statusCode === 401) await this.reloadStored(SECOND);
		return shouldExchange || !this.isCurrent(token);
	}

	private async reloadStored(delay = 0): Promise<void> {
		this.current.reloaded ??= this.host.clock.sleep(delay).then(async () => {
			const stored = this.host.readCredential();
			this.adoptNewer(
				await stored.catch((error: unknown) => Promise.reject(toServiceFailure(error))),
			);
		});
		await this.current.reloaded;
	}

	/** Of two tokens the newer one. */
	private adoptNewer(fields: ICredentialDataDecryptedObject): Token | undefined {
		const token = readStoredToken(fields);
		// It was edited: with the next token, n8n 1.123 stores what is held over the edit.
		if (token === undefined) this.current.fields = fields;
		else this.usedTokens.add(token.accessToken);
		if (token && token.issuedAt > (this.current.token?.issuedAt ?? -1)) {
			this.current = { fields, token };
			if (token.issuedAt >= this.startedAt) this.host.unverifiedTokens.add(token.accessToken);
		}
		return token;
	}
}

/**
 * Whether an answer may be that to a bad token. These are not: the path is unknown, the request
 * came too slowly (RFC 9110 §15.5.9), or the service has no time.
 */
function mayBeTokenError(response: HttpResponse, now: number): boolean {
	const isUnrelated =
		[404, 408].includes(response.statusCode) || isRetryableStatus(response.statusCode);
	return !isUnrelated && !isSecondaryRateLimit(response, now);
}
