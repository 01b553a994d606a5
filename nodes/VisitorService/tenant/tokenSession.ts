import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { clientFingerprint, readClient } from '../authorization/client';
import { rejectedTokens } from '../authorization/rejectedTokens';
import { isNewer, isValidAt, readStoredToken, type Token } from '../authorization/storedToken';
import { toServiceFailure } from '../failure/serviceFailure';
import { isRetryableStatus, isSecondaryRateLimit } from '../http/backoff';
import { isExchangeRequested, requestExchange } from '../http/exchangeRequest';
import type { Clock, HttpRequest, HttpResponse, Transport } from '../http/message';
import { followSameOrigin } from '../http/redirects';
import { hasOnlyRecords } from '../response/chooseList';
import { isBodyError } from '../response/errorBody';
import { isOutOfRangeStatus } from '../response/pageReader';
import { findRecords, type ListTarget } from '../response/records';
import { SECOND } from '../values/instant';
import { readDotPath } from '../values/json';
import type { TokenStates } from './tokenStates';

/** What a connection needs of n8n. `operations/execution.ts` makes it of n8n's contexts. */
export interface TenantHost {
	/**
	 * Sends with n8n's request helper, which adds the token of this credential data. If the data
	 * requests an exchange, n8n first gets a token, writes it into the data and stores it.
	 */
	transportWith(fields: ICredentialDataDecryptedObject): Transport;
	readCredential(): Promise<ICredentialDataDecryptedObject>;
	clock: Clock;
	/** A number in [0, 1). */
	random(): number;
	/** What all input items of the execution share, by `clientFingerprint`. */
	tokenStatesOf(client: string): TokenStates;
}

/**
 * Replicas of a service may not accept a new token yet, or still accept a revoked one. And if each
 * new token revokes the former one, another process stores its new one meanwhile.
 */
export const CONFIRMATION_PAUSE_MS = 2 * SECOND;
const MIN_CONFIRMED_AGE_MS = SECOND;

/** A stored credential is not read again within this time. */
const STORED_CREDENTIAL_TTL_MS = SECOND;

/**
 * What to do with a response. `resend`: send the request again, with another token; `confirm`:
 * after a pause, with the same token, unless a newer one was stored meanwhile.
 */
type Verdict = 'return' | 'resend' | 'confirm';

/**
 * The token of one listing, one poll, or the fields in the editor. A 401 rejects it, each time: one
 * that is unverified, or less than a second old, only if it is repeated. Any other response that is
 * not a page may mean that a working token is bad: the request is sent once more with another
 * token, once an execution.
 *
 * Four functions decide when a token is renewed: `judge` here, after a response; `isValidAt`, a
 * little before it expires (here, and in `authorizeRequest` for other nodes); `getToken`
 * of `tokenSingleFlight`, whether that takes an exchange; and n8n, which calls `preAuthentication`
 * of the credential if `requestExchange` or a failed request tells it to.
 */
export class TokenSession {
	readonly states: TokenStates;

	private token: Token | undefined;

	/** Shared by all requests that wait for it. */
	private reading?: Promise<void>;

	private readAt: number;

	private readonly usedTokens: Set<string>;

	/** Dot path of the list on the last page with records; '' if that is not known. */
	private listPath = '';

	constructor(
		private fields: ICredentialDataDecryptedObject,
		private readonly host: TenantHost,
		private readonly target: ListTarget,
		private readonly startedAt = host.clock.now(),
	) {
		this.token = readStoredToken(fields);
		this.usedTokens = new Set(this.token && [this.token.accessToken]);
		this.states = host.tokenStatesOf(clientFingerprint(readClient(fields)));
		this.readAt = startedAt;
	}

	readonly send: Transport = async (request) => {
		let denied: Token | undefined;
		for (;;) {
			if (this.needsExchange()) await this.readStored();
			if (this.needsExchange() && this.states.finalDenial) return this.states.finalDenial;
			const { response, token } = await this.attempt(request);
			const isJudged = token !== undefined && request.isTrial !== true;
			const verdict = isJudged ? this.judge(response, token, request, denied) : 'return';
			if (verdict === 'return') return response;
			if (verdict === 'resend') continue;
			denied = token;
			await this.host.clock.sleep(CONFIRMATION_PAUSE_MS);
			await this.readStored();
		}
	};

	/** Values that no message may show. */
	secrets(): string[] {
		return [readClient(this.fields).clientSecret, ...this.usedTokens];
	}

	/** By the time of issue, because some services issue the same text again. */
	private isCurrent(token: Token): boolean {
		return token.issuedAt === this.token?.issuedAt;
	}

	private needsExchange(): boolean {
		const { fields, host, states, token } = this;
		if (token === undefined || isExchangeRequested(fields)) return true;
		return !isValidAt(token, host.clock.now()) || states.stateOf(token) === 'rejected';
	}

	private async attempt(request: HttpRequest): Promise<{ response: HttpResponse; token?: Token }> {
		const { fields, token } = this;
		// A copy for each request. Afterwards it holds the token that the request was sent with.
		const sent = this.needsExchange() ? requestExchange(fields) : { ...fields };
		const tokenSent = () => (sent.issuedAt === fields.issuedAt ? token : this.adopt(sent));
		const send = followSameOrigin(this.host.transportWith(sent));
		const response = await send(request).finally(tokenSent);
		return { response, token: tokenSent() };
	}

	/**
	 * Decides what to do with a response, and records in the states what it shows of the token.
	 *
	 * @param denied the token with which this request was denied before
	 */
	private judge(
		response: HttpResponse,
		token: Token,
		request: HttpRequest,
		denied: Token | undefined,
	): Verdict {
		const { states } = this;
		const now = this.host.clock.now();
		if (!mayBeTokenError(response, request, now)) return 'return';
		if (this.isPage(response)) {
			states.onPageRead(token);
			return 'return';
		}
		const state = states.stateOf(token);
		if (state === 'rejected' || !this.isCurrent(token)) return 'resend';
		if (response.statusCode !== 401) return this.judgeOther(response.statusCode, token);
		const isNew = state === 'unverified' || now < token.issuedAt + MIN_CONFIRMED_AGE_MS;
		const isFinal = denied?.issuedAt === token.issuedAt || states.areExchangesSpent;
		if (isNew && !isFinal) return 'confirm';
		states.onDenied(response);
		if (states.areExchangesSpent) return 'return';
		rejectedTokens.add(token);
		return 'resend';
	}

	/** Whether it is a page with a success status: a list, or `null`, `{}` and 204 instead. */
	private isPage(response: HttpResponse): boolean {
		if (response.statusCode < 200 || response.statusCode >= 300) return false;
		const { listPath } = this;
		// To find a list takes long, and a token with which records come is accepted.
		if (listPath !== '' && hasOnlyRecords(readDotPath(response.body, listPath))) return true;
		const result = findRecords(response, this.target);
		if (isBodyError(result)) return false;
		if (result.records.length > 0) this.listPath = result.path ?? '';
		return true;
	}

	private judgeOther(statusCode: number, token: Token): Verdict {
		const { states } = this;
		const isNew = states.stateOf(token) === 'unverified';
		if (isNew || states.areExchangesSpent || states.hasTriedNewToken) {
			// A page after the end may have any other status, which says nothing of the token.
			states.hasTriedNewToken ||= isNew && (statusCode === 403 || statusCode >= 500);
			return 'return';
		}
		states.hasTriedNewToken = true;
		rejectedTokens.add(token);
		return 'resend';
	}

	/** Reads what the user or another process has stored meanwhile. */
	private async readStored(): Promise<void> {
		const { clock } = this.host;
		if (clock.now() < this.readAt + STORED_CREDENTIAL_TTL_MS) return;
		this.reading ??= this.host
			.readCredential()
			.catch(async (error: unknown) => await Promise.reject(toServiceFailure(error)))
			.then((fields) => {
				this.adopt(fields);
				this.readAt = clock.now();
			})
			.finally(() => {
				this.reading = undefined;
			});
		await this.reading;
	}

	/** @param fields as n8n has changed or stored them. @returns their token */
	private adopt(fields: ICredentialDataDecryptedObject): Token | undefined {
		const token = readStoredToken(fields);
		if (token === undefined) {
			// They were edited, or no exchange has succeeded. The edit must not be lost: with the next
			// token, n8n 1.123 stores all of these fields.
			this.fields = fields;
			return undefined;
		}
		this.usedTokens.add(token.accessToken);
		if (!isNewer(token, this.token) || this.states.stateOf(token) === 'rejected') return token;
		this.token = token;
		this.fields = fields;
		if (token.issuedAt >= this.startedAt) this.states.onIssued(token);
		return token;
	}
}

/**
 * Whether a bad token may be the reason for a response. It is not if the path does not exist, or
 * page 0 of a list that counts from 1, if the request timed out (RFC 9110 §15.5.9), or if the
 * service is overloaded.
 */
function mayBeTokenError(response: HttpResponse, { query }: HttpRequest, now: number): boolean {
	const { statusCode } = response;
	const hasOtherReason =
		[404, 408].includes(statusCode) ||
		(query?.page === 0 && isOutOfRangeStatus(statusCode)) ||
		isRetryableStatus(statusCode);
	return !hasOtherReason && !isSecondaryRateLimit(response, now);
}
