import {
	type Client,
	exchangeToken,
	type IssuedToken,
} from '../../../credentials/authorization/tokenExchange';
import type { Clock, HttpAnswer, Transport } from '../transport/httpMessage';
import { withinOrigin } from '../transport/redirects';
import { refusesToken } from '../transport/refusesToken';
import { sendRequest } from '../transport/sendRequest';
import { ServiceFailure } from '../transport/serviceFailure';
import { PoliteTransport } from './politeTransport';

export interface DiagnosedTenant {
	client: Client;
	/** `{baseUrl}/api/external/{apiVersion}` */
	address: string;
	transport: Transport;
	clock: Clock;
	/** A number in [0, 1). */
	random: () => number;
	/** Called with every token the diagnosis gets: the service may have revoked the former one for it. */
	onIssued?: (token: IssuedToken) => void;
}

/**
 * An answer that says something about the request, or the reason why there is none: 429, 5xx and redirects to other
 * hosts say nothing. `unreachable` where it is the address that has to be mended.
 */
export type Reply = AnsweredReply | { reason: string; statusCode?: number; unreachable?: boolean };

export interface AnsweredReply {
	answer: HttpAnswer;
}

export type Query = Record<string, string | number>;

const TIMEOUT = 20_000;
const MAX_RETRIES = 1;
const RETRY_STATUS_CODES = new Set([429, 502, 503, 504]);
/** A service whose tokens die faster than this cannot be diagnosed. */
const MOST_RENEWALS = 3;

/** Asks one tenant, within the budget, with a token that is renewed where it dies in between. */
export class Conversation {
	readonly polite: PoliteTransport;

	/** Every value that no text may hold. */
	readonly secrets: string[];

	/** Tokens that died: refused where a new one was not. */
	deaths = 0;

	private renewals = 0;

	/** Whether a new token was refused as well, so that other paths may be refused for what they are. */
	private renewedInVain = false;

	private token = '';

	private readonly readable = new Set<string>();

	private readonly transport: Transport;

	constructor(private readonly tenant: DiagnosedTenant) {
		this.polite = new PoliteTransport(tenant.transport, tenant.clock);
		this.transport = withinOrigin(this.polite.send);
		this.secrets = [tenant.client.clientSecret];
	}

	/** Why the tenant is not asked any more; undefined while it may be. */
	get stopReason(): string | undefined {
		return this.polite.reasonToStop(this.tenant.address);
	}

	/** Exchanges the client credentials. @throws ServiceFailure only where the execution was cancelled */
	async exchange(): Promise<IssuedToken | ServiceFailure> {
		try {
			const issued = await exchangeToken(this.tenant.client, {
				transport: this.polite.send,
				clock: this.tenant.clock,
				random: this.tenant.random,
				timeout: TIMEOUT,
				maxRetries: MAX_RETRIES,
			});
			this.secrets.push(issued.accessToken);
			this.tenant.onIssued?.(issued);
			return issued;
		} catch (error) {
			return failureOf(error);
		}
	}

	/** The token all further questions are asked with. */
	use(token: string): void {
		this.token = token;
	}

	/** Asks for a list with the token in use. */
	async ask(segment: string, query: Query): Promise<Reply> {
		const reply = await this.askWith(this.token, segment, query);
		if (!isAnswered(reply) || !this.mayBeExpiry(reply.answer, segment)) return reply;
		if (this.renewedInVain && this.deaths === 0 && !this.readable.has(segment)) return reply;
		if (this.renewals >= MOST_RENEWALS)
			return { reason: 'The service refuses its tokens again and again.' };
		this.renewals++;
		const issued = await this.exchange();
		if (issued instanceof ServiceFailure) return { reason: issued.message };
		this.use(issued.accessToken);
		const renewed = await this.askWith(issued.accessToken, segment, query);
		if (isAnswered(renewed) && this.mayBeExpiry(renewed.answer, segment)) this.renewedInVain = true;
		else if (isAnswered(renewed)) this.deaths++;
		return renewed;
	}

	/** Some services answer an expired token with 403; where the list could be read before, it is no lack of permission. */
	private mayBeExpiry(answer: HttpAnswer, segment: string): boolean {
		return refusesToken(answer) || (answer.statusCode === 403 && this.readable.has(segment));
	}

	/** Asks for a list with this token, once, whatever the answer. */
	async askWith(token: string, segment: string, query: Query): Promise<Reply> {
		try {
			const answer = await sendRequest(
				{
					method: 'GET',
					url: `${this.tenant.address}/${segment}`,
					headers: { Accept: 'application/json', Authorization: `Bearer ${token}` },
					query,
					timeout: TIMEOUT,
				},
				{
					transport: this.transport,
					clock: this.tenant.clock,
					random: this.tenant.random,
					maxRetries: MAX_RETRIES,
					mayRetry: (statusCode) => RETRY_STATUS_CODES.has(statusCode),
					role: 'Tenant API URL',
				},
			);
			const { statusCode } = answer;
			if (statusCode < 300) this.readable.add(segment);
			if (statusCode >= 300 && statusCode < 400) return redirected(statusCode);
			if (statusCode !== 429 && statusCode < 500) return { answer };
			return { reason: `The service answered ${statusCode}.`, statusCode };
		} catch (error) {
			const { message, statusCode, kind } = failureOf(error);
			return {
				reason: message,
				statusCode,
				unreachable: kind === 'connection' || kind === 'blocked',
			};
		}
	}
}

function redirected(statusCode: number): Reply {
	const reason =
		'The service redirects to another host, which is not followed. Set Tenant API URL in the credential to the final address of the API.';
	return { reason, statusCode, unreachable: true };
}

export function isSuccess(reply: Reply): boolean {
	return isAnswered(reply) && reply.answer.statusCode >= 200 && reply.answer.statusCode < 300;
}

export function isAnswered(reply: Reply): reply is AnsweredReply {
	return 'answer' in reply;
}

/** @throws the error itself where it is no failure of the service: the execution was cancelled, or we have a defect */
export function failureOf(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure) || error.kind === 'cancelled') throw error;
	return error;
}
