import type { Client } from '../../../credentials/authorization/client';
import {
	type ExchangeRules,
	exchangeToken,
	type IssuedToken,
} from '../../../credentials/authorization/exchange';
import { isFresh } from '../../../credentials/authorization/storage';
import { findRecords, meansNoRecords, type RecordsSought } from '../answer/records';
import { LISTED_RESOURCES } from '../answer/resources';
import { ServiceFailure } from '../failure/serviceFailure';
import type { HttpAnswer, Transport } from '../http/message';
import { withinOrigin } from '../http/redirects';
import { isTemporary } from '../http/temporaryStatus';
import { askApi } from '../tenant/apiRequest';
import { mayMeanToken } from '../tenant/heldCredential';
import { explainAnswer } from '../tenant/refusal';
import { PoliteTransport } from './politeTransport';

export interface DiagnosedTenant extends Pick<ExchangeRules, 'transport' | 'clock' | 'random'> {
	client: Client;
	/** `{baseUrl}/api/external/{apiVersion}` */
	apiUrl: string;
	/** Dot path of the list of users; if it is empty, the list is detected. */
	itemsPath?: string;
	/** Gets every token that is issued: the service may have revoked the former one for it. */
	onIssued?: (token: IssuedToken) => void;
}

export type Reply =
	/** Nothing about the request itself: no answer, 429, 5xx, a redirect to another host. */
	| { kind: 'silence'; failure: ServiceFailure }
	/** Without a path if the answer only shows that the list is empty. */
	| { kind: 'list'; answer: HttpAnswer; path?: string; failure?: undefined }
	| Refusal;

/** No status of success, or anything else than a list that can be found. */
interface Refusal {
	kind: 'refusal';
	answer: HttpAnswer;
	failure: ServiceFailure;
}

export interface Query {
	page?: number;
	pageSize?: number;
	sort?: string;
	updatedSince?: string | number;
}

const REQUEST_RULES = { timeout: 20_000, maxRetries: 1 };

/** Asks one tenant, within the budget, through the same parts as the nodes. */
export class Conversation {
	/** The one way out of a diagnosis, whatever the checks ask for. */
	readonly polite: PoliteTransport;

	/** Every value that no text may hold. */
	readonly secrets: string[];

	/** How often a token was refused when a new one was not. */
	earlyRefusals = 0;

	private token?: IssuedToken;

	private renewedInVain = false;

	constructor(readonly tenant: DiagnosedTenant) {
		this.polite = new PoliteTransport(tenant.transport, tenant.clock);
		this.secrets = [tenant.client.clientSecret];
	}

	/** Why the tenant is not asked any more; undefined while it may be. */
	get stopReason(): string | undefined {
		return this.polite.stopReason;
	}

	/** Replaces the token in use. @throws ServiceFailure if none is issued */
	async issue(): Promise<IssuedToken> {
		const { client, clock, random, onIssued } = this.tenant;
		const rules = { ...REQUEST_RULES, transport: this.polite.send, clock, random };
		const issued = await exchangeToken(client, rules);
		this.secrets.push(issued.accessToken);
		this.token = issued;
		onIssued?.(issued);
		return issued;
	}

	/** Asks for a list. @param sought its token is used as it is; the one in use may be renewed */
	async ask(
		segment: string,
		query: Query,
		sought: Partial<RecordsSought> & { token?: string } = {},
	): Promise<Reply> {
		try {
			const sent = await this.send(segment, query, sought.token);
			const { answer } = sent;
			if (sent.kind === 'refusal') {
				const { failure } = sent;
				const isSilence = isTemporary(answer.statusCode) || failure.kind === 'configuration';
				return isSilence ? { kind: 'silence', failure } : sent;
			}
			const { keys } = LISTED_RESOURCES.user;
			const reading = findRecords(answer, { keys, itemsPath: '', ...sought });
			if (reading.kind === 'records') return { kind: 'list', answer, path: reading.path };
			if (reading.kind === 'nothing' || meansNoRecords(reading)) return { kind: 'list', answer };
			return { kind: 'refusal', answer, failure: reading.failure };
		} catch (error) {
			return { kind: 'silence', failure: requireFailure(error) };
		}
	}

	/** The answer with a page of a list. @throws ServiceFailure for everything but status 2xx */
	async get(segment: string, query: Query): Promise<HttpAnswer> {
		const sent = await this.send(segment, query);
		if (sent.kind === 'refusal') throw sent.failure;
		return sent.answer;
	}

	/** No second token is spent on a path that refuses a new one: it is refused for what it is. */
	private readonly renewing: Transport = async (request) => {
		const { clock } = this.tenant;
		const sendWith = async ({ accessToken }: IssuedToken) => {
			const headers = { ...request.headers, Authorization: `Bearer ${accessToken}` };
			return await this.polite.send({ ...request, headers });
		};
		const isRefused = (answer: HttpAnswer) =>
			[401, 403].includes(answer.statusCode) && mayMeanToken(answer, clock.now());
		const { token } = this;
		const first = await sendWith(token && isFresh(token, clock.now()) ? token : await this.issue());
		const isInVain = this.earlyRefusals === 0 && this.renewedInVain;
		if (!isRefused(first) || isInVain) return first;
		const second = await sendWith(await this.issue());
		if (isRefused(second)) this.renewedInVain = true;
		else this.earlyRefusals++;
		return second;
	};

	private async send(
		segment: string,
		query: Query,
		token?: string,
	): Promise<{ kind: 'success'; answer: HttpAnswer } | Refusal> {
		const { apiUrl, clock, random } = this.tenant;
		const url = `${apiUrl}/${segment}`;
		const transport = withinOrigin(token === undefined ? this.renewing : this.polite.send);
		const asked = { url, query: { ...query }, timeout: REQUEST_RULES.timeout };
		const answer = await askApi(asked, { ...REQUEST_RULES, transport, clock, random }, token);
		const failure = explainAnswer(answer, url, () => this.secrets, clock.now());
		return failure === undefined
			? { kind: 'success', answer }
			: { kind: 'refusal', answer, failure };
	}
}

/** @throws the error itself if the execution was cancelled, or we have a defect */
export function requireFailure(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure) || error.kind === 'cancelled') throw error;
	return error;
}
