import type { Client } from '../../../credentials/authorization/client';
import { exchangeToken, type IssuedToken } from '../../../credentials/authorization/exchange';
import { isFresh } from '../../../credentials/authorization/storage';
import { ServiceFailure } from '../failure/serviceFailure';
import type { Clock, HttpAnswer, Transport } from '../http/message';
import { withinOrigin } from '../http/redirects';
import { sendRequest } from '../http/sendRequest';
import { isTemporary } from '../http/temporaryStatus';
import { explainAnswer } from '../tenant/refusal';
import { refusesToken, type TokenHolder, withTokenRenewal } from '../tenant/tokenRenewal';
import { PoliteTransport } from './politeTransport';

export interface DiagnosedTenant {
	client: Client;
	/** `{baseUrl}/api/external/{apiVersion}` */
	address: string;
	transport: Transport;
	clock: Clock;
	/** A number in [0, 1). */
	random: () => number;
	/** Dot path of the list of users; if it is empty, the list is detected. */
	itemsPath?: string;
	/** Called with every token the diagnosis gets: the service may have revoked the former one for it. */
	onIssued?: (token: IssuedToken) => void;
}

/**
 * An answer that says something about the request, or the reason why there is none: 429, 5xx and redirects to other
 * hosts say nothing. `unreachable` if the URL has to be corrected.
 */
export type Reply =
	| { kind: 'answer'; answer: HttpAnswer }
	| { kind: 'silence'; reason: string; statusCode?: number; unreachable: boolean };

export type Exchange =
	| { kind: 'issued'; token: IssuedToken }
	| { kind: 'failed'; failure: ServiceFailure };

export type Query = Readonly<Record<string, string | number>>;

const MEANS = { timeout: 20_000, maxRetries: 1 };

/** A service whose tokens end faster than this cannot be diagnosed. */
const MAX_RENEWALS = 3;

/** Asks one tenant, within the budget, through the same parts as the nodes. */
export class Conversation {
	readonly polite: PoliteTransport;

	/** Every value that no text may hold. */
	readonly secrets: string[];

	/** Tokens that were refused when a new one was not. */
	deaths = 0;

	private token?: IssuedToken;

	private renewals = 0;

	private renewedInVain = false;

	private readonly readable = new Set<string>();

	private readonly renewing: Transport;

	constructor(private readonly tenant: DiagnosedTenant) {
		this.polite = new PoliteTransport(tenant.transport, tenant.clock);
		this.secrets = [tenant.client.clientSecret];
		this.renewing = withTokenRenewal(this.holder(), tenant.clock, tenant.random);
	}

	/** Why the tenant is not asked any more; undefined while it may be. */
	get stopReason(): string | undefined {
		return this.polite.reasonToStop(this.tenant.address);
	}

	now(): number {
		return this.tenant.clock.now();
	}

	/** The path of a list, for sentences. */
	pathOf(segment: string): string {
		return new URL(this.urlOf(segment)).pathname;
	}

	/** Exchanges the client credentials. @throws ServiceFailure only if the execution was cancelled */
	async exchange(): Promise<Exchange> {
		try {
			return { kind: 'issued', token: await this.issue() };
		} catch (error) {
			return { kind: 'failed', failure: failureOf(error) };
		}
	}

	/** The token all further questions are asked with. */
	use(token: IssuedToken): void {
		this.token = token;
	}

	/** Asks for a list with the token in use, which is renewed if it is refused. */
	async ask(segment: string, query: Query): Promise<Reply> {
		return await this.reply(segment, async () => await this.send(this.renewing, segment, query));
	}

	/** Asks for a list with this very token, whatever the answer. */
	async askWith(token: string, segment: string, query: Query): Promise<Reply> {
		const transport: Transport = async ({ headers, ...request }) =>
			await this.polite.send({ ...request, headers: { ...headers, ...bearer(token) } });
		return await this.reply(segment, async () => await this.send(transport, segment, query));
	}

	/** Fetches a page as the nodes do it. @throws ServiceFailure for everything but status 2xx */
	async fetch(segment: string, query: Query): Promise<HttpAnswer> {
		const answer = await this.send(this.renewing, segment, query);
		const failure = this.explain(answer, segment);
		if (failure !== undefined) throw failure;
		return answer;
	}

	/** What it means that an answer is not a success; undefined if it is one. */
	explain(answer: HttpAnswer, segment: string): ServiceFailure | undefined {
		return explainAnswer(answer, this.pathOf(segment), this.secrets, this.now());
	}

	private async issue(): Promise<IssuedToken> {
		const { client, clock, random, onIssued } = this.tenant;
		const means = { ...MEANS, transport: this.polite.send, clock, random };
		const issued = await exchangeToken(client, means);
		this.secrets.push(issued.accessToken);
		onIssued?.(issued);
		return issued;
	}

	private async renew(): Promise<IssuedToken> {
		if (this.renewals++ === MAX_RENEWALS) {
			throw new ServiceFailure(
				'The service refuses its tokens again and again.',
				'Ask your service provider how long a token is valid.',
				{ kind: 'service' },
			);
		}
		this.token = await this.issue();
		return this.token;
	}

	/** The token in use. A path that refuses a new one too is refused for what it is, and no more is spent on it. */
	private holder(): TokenHolder {
		const usable = () =>
			this.token !== undefined && isFresh(this.token, this.now()) ? this.token : undefined;
		let isRepetition = false;
		return {
			current: () => this.token,
			isFresh: () => usable() !== undefined,
			// Nobody else stores a token of a diagnosis.
			reload: async () => await Promise.resolve(),
			discard: () => {
				this.token = undefined;
				isRepetition = true;
			},
			send: async (request) => {
				const wasRefused = isRepetition;
				isRepetition = false;
				const token = usable() ?? (await this.renew());
				const headers = { ...request.headers, ...bearer(token.accessToken) };
				const answer = await this.polite.send({ ...request, headers });
				const isRefused = refusesToken(answer) || answer.statusCode === 403;
				if (wasRefused && isRefused) this.renewedInVain = true;
				if (wasRefused && !isRefused) this.deaths++;
				const isKnown = this.readable.has(request.url) || this.deaths > 0;
				const isWorthIt = !wasRefused && (isKnown || !this.renewedInVain);
				return { answer, token: isWorthIt ? token : undefined };
			},
		};
	}

	private async reply(segment: string, send: () => Promise<HttpAnswer>): Promise<Reply> {
		try {
			const answer = await send();
			const { statusCode } = answer;
			if (statusCode < 300) this.readable.add(this.urlOf(segment));
			if (statusCode >= 300 && statusCode < 400) return redirected(statusCode);
			if (!isTemporary(statusCode)) return { kind: 'answer', answer };
			const reason = `The service answered ${statusCode}.`;
			return { kind: 'silence', reason, statusCode, unreachable: false };
		} catch (error) {
			const { message, statusCode, kind } = failureOf(error);
			const unreachable = kind === 'connection' || kind === 'blocked';
			return { kind: 'silence', reason: message, statusCode, unreachable };
		}
	}

	private async send(transport: Transport, segment: string, query: Query): Promise<HttpAnswer> {
		const { clock, random } = this.tenant;
		const headers = { Accept: 'application/json' };
		const { timeout, maxRetries } = MEANS;
		return await sendRequest(
			{ method: 'GET', url: this.urlOf(segment), headers, query: { ...query }, timeout },
			{ transport: withinOrigin(transport), clock, random, maxRetries, role: 'Tenant API URL' },
		);
	}

	private urlOf(segment: string): string {
		return `${this.tenant.address}/${segment}`;
	}
}

function bearer(token: string): Record<string, string> {
	return { Authorization: `Bearer ${token}` };
}

function redirected(statusCode: number): Reply {
	const reason =
		'The service redirects to another host, which is not followed. Set Tenant API URL in the credential to the final URL of the API.';
	return { kind: 'silence', reason, statusCode, unreachable: true };
}

/** The status of an answer; undefined if none came. */
export function statusOf(reply: Reply): number | undefined {
	return reply.kind === 'answer' ? reply.answer.statusCode : undefined;
}

/** @throws the error itself if it is no failure of the service: the execution was cancelled, or we have a defect */
export function failureOf(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure) || error.kind === 'cancelled') throw error;
	return error;
}
