import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { clientFingerprint, readClient } from '../authorization/client';
import { isNewer, isValidAt, readStoredToken, type Token } from '../authorization/storedToken';
import { toServiceFailure } from '../failure/serviceFailure';
import { isRetryableStatus, isSecondaryRateLimit } from '../http/backoff';
import { isExchangeRequested, requestExchange } from '../http/exchangeRequest';
import type { Clock, HttpRequest, HttpResponse, Transport } from '../http/message';
import { followSameOrigin } from '../http/redirects';
import { isList, type ListTarget } from '../response/records';
import { SECOND } from '../values/instant';
import type { TokenStates } from './tokenStates';

/** What n8n does for a connection, without its contexts: `operations/host.ts` makes it of them. */
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
 * Copies of a service may not have a new token yet, or not reject one that has just ended. And if a
 * new token ends the former one, another process that has got one stores it meanwhile.
 */
export const CONFIRMATION_PAUSE_MS = 2 * SECOND;
const MIN_CONFIRMED_AGE_MS = SECOND;

/** A stored credential that was read so recently is not read again. */
const STORED_CREDENTIAL_TTL_MS = SECOND;

/**
 * What follows a response: it stands; the request is sent again with the token that another one
 * has got meanwhile; the same token is tried once more after a pause; or the token is replaced.
 */
type Verdict = 'return' | 'resend' | 'confirm' | 'replace';

/**
 * The token of one run. A 401 rejects it, each time: one that is unverified, or less than a second
 * old, only if it is repeated. Any other response that is not a list may mean that a working token
 * is bad: the request is sent once more with another token, once a run.
 *
 * Four functions decide when a token is renewed: `verdictOn` here, after a response; `isValidAt`, a
 * little before it expires (here, and in `authorizeRequest` for other nodes); `getToken`
 * of `tokenSingleFlight`, whether that takes an exchange; and n8n, which calls `preAuthentication`
 * of the credential if `requestExchange` or a failed request tells it to.
 */
export class TokenSession {
	private current: { fields: ICredentialDataDecryptedObject; token: Token | undefined };

	/** However many requests wait for it. */
	private reading?: Promise<void>;

	private readAt: number;

	private hasRenewed = false;

	private readonly states: TokenStates;

	private readonly usedTokens = new Set<string>();

	constructor(
		fields: ICredentialDataDecryptedObject,
		private readonly host: TenantHost,
		private readonly target: ListTarget,
		private readonly startedAt = host.clock.now(),
	) {
		this.current = { fields, token: readStoredToken(fields) };
		this.states = host.tokenStatesOf(clientFingerprint(readClient(fields)));
		this.readAt = startedAt;
	}

	readonly send: Transport = async (request) => {
		let confirmed: Token | undefined;
		for (;;) {
			if (this.needsExchange()) await this.readStored();
			if (this.needsExchange() && this.states.finalDenial) return this.states.finalDenial;
			const { response, token } = await this.attempt(request);
			if (token === undefined) return response;
			const verdict = this.verdictOn(response, token, confirmed);
			if (verdict === 'return') return response;
			if (verdict === 'replace') this.states.onReplaced(token);
			if (verdict !== 'confirm') continue;
			confirmed = token;
			await this.readStored(CONFIRMATION_PAUSE_MS);
			// Nothing could replace it if it is rejected once more.
			if (this.isCurrent(token) && this.states.finalDenial) return response;
		}
	};

	/** What no message may show. */
	secrets(): string[] {
		return [readClient(this.current.fields).clientSecret, ...this.usedTokens];
	}

	get hasWorked(): boolean {
		return this.states.hasWorked;
	}

	/** By the time of issue, because some services issue the same text again. */
	private isCurrent(token: Token): boolean {
		return token.issuedAt === this.current.token?.issuedAt;
	}

	private needsExchange(): boolean {
		const { fields, token } = this.current;
		if (isExchangeRequested(fields) || token === undefined) return true;
		return !isValidAt(token, this.host.clock.now()) || this.states.stateOf(token) === 'rejected';
	}

	private async attempt(request: HttpRequest): Promise<{ response: HttpResponse; token?: Token }> {
		// A copy for each request: the token found in it afterwards is the one it was sent with.
		const { fields } = this.current;
		const sent = this.needsExchange() ? requestExchange(fields) : { ...fields };
		let token: Token | undefined;
		const sending = followSameOrigin(this.host.transportWith(sent))(request);
		const response = await sending.finally(() => {
			token = this.adopt(sent);
		});
		return { response, token };
	}

	/** @param confirmed the token that this request was already denied with */
	private verdictOn(response: HttpResponse, token: Token, confirmed?: Token): Verdict {
		const { states } = this;
		const now = this.host.clock.now();
		if (!mayBeTokenError(response, now)) return 'return';
		if (isList(response, this.target)) {
			states.onList(token);
			return 'return';
		}
		const state = states.stateOf(token);
		if (state === 'rejected' || !this.isCurrent(token)) return 'resend';
		if (response.statusCode !== 401) return this.verdictOnOther(response.statusCode, state);
		states.onDenied(response);
		const isNew = state === 'unverified' || now < token.issuedAt + MIN_CONFIRMED_AGE_MS;
		if (isNew && confirmed?.issuedAt !== token.issuedAt) return 'confirm';
		return states.isSpent ? 'return' : 'replace';
	}

	private verdictOnOther(statusCode: number, state: 'unverified' | 'working'): Verdict {
		const { confirmedStatuses, isSpent } = this.states;
		if (state === 'unverified') {
			// Any other may also be that of a page after the end, which would hide a bad token.
			if (statusCode === 403 || statusCode >= 500) confirmedStatuses.add(statusCode);
			return 'return';
		}
		if (this.hasRenewed || isSpent || confirmedStatuses.has(statusCode)) return 'return';
		this.hasRenewed = true;
		return 'replace';
	}

	private async readStored(delayMs = 0): Promise<void> {
		const isRecent = this.host.clock.now() < this.readAt + STORED_CREDENTIAL_TTL_MS;
		if (this.reading === undefined && delayMs === 0 && isRecent) return;
		this.reading ??= this.host.clock
			.sleep(delayMs)
			.then(async () => this.adopt(await this.host.readCredential().catch(rethrowAsFailure)))
			.then(() => {
				this.readAt = this.host.clock.now();
			})
			.finally(() => {
				this.reading = undefined;
			});
		await this.reading;
	}

	/** @returns the token of credential data that n8n has written or stored */
	private adopt(fields: ICredentialDataDecryptedObject): Token | undefined {
		const token = readStoredToken(fields);
		if (token === undefined) this.adoptEdit(fields);
		else this.adoptNewer(fields, token);
		return token;
	}

	/** With the next token, n8n 1.123 stores what is held over the edit. */
	private adoptEdit(fields: ICredentialDataDecryptedObject): void {
		this.current.fields = fields;
	}

	private adoptNewer(fields: ICredentialDataDecryptedObject, token: Token): void {
		this.usedTokens.add(token.accessToken);
		if (!isNewer(token, this.current.token) || this.states.stateOf(token) === 'rejected') return;
		this.current = { fields, token };
		if (token.issuedAt >= this.startedAt) this.states.onIssued(token);
	}
}

async function rethrowAsFailure(error: unknown): Promise<never> {
	return await Promise.reject(toServiceFailure(error));
}

/**
 * Whether a response may be that to a bad token. These are not: the path does not exist, the
 * request arrived too slowly (RFC 9110 §15.5.9), or the service has no time.
 */
function mayBeTokenError(response: HttpResponse, now: number): boolean {
	const isUnrelated =
		[404, 408].includes(response.statusCode) || isRetryableStatus(response.statusCode);
	return !isUnrelated && !isSecondaryRateLimit(response, now);
}
