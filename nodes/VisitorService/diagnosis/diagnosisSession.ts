import type { Client } from '../authorization/client';
import { type ExchangeRules, exchangeToken, type IssuedToken } from '../authorization/exchange';
import { ServiceFailure } from '../failure/serviceFailure';
import { AdaptiveRateLimiter } from '../http/adaptiveRateLimiter';
import { isRetryableStatus, isThrottledOrServerError, parseRetryAfterMs } from '../http/backoff';
import type { HttpResponse, Transport } from '../http/message';
import { followSameOrigin } from '../http/redirects';
import { isBodyError } from '../response/errorBody';
import { type PagingMetadata, readPagingMetadata } from '../response/paging';
import { findRecords } from '../response/records';
import { LISTED_RESOURCES, type ListedResource } from '../response/resources';
import { requestApi } from '../tenant/apiRequest';
import type { JsonObject } from '../values/json';
import type { Finding } from './finding';

/** Of all hosts together, with token requests, repetitions and redirects. */
const MAX_REQUESTS = 25;
/** Overloads, or connections that break, before the service is left alone. */
const MAX_OVERLOADS = 3;
/** Milliseconds. A longer pause is not waited for. */
const MAX_PAUSE = 10_000;
const RULES = { timeout: 20_000, maxRetries: 1 };

const budgetFailure = (reason: string, remedy: string) =>
	new ServiceFailure(reason, remedy, { kind: 'outOfTime' });
const BUDGET_SPENT = budgetFailure(
	`${MAX_REQUESTS} requests were sent, or the service had no time for them, so it was left alone.`,
	'Run Diagnose again later.',
);
export const TOKENS_REJECTED = budgetFailure(
	'Two tokens were refused during the diagnosis, so they were not valid for long.',
	'Ask your service provider how long tokens are valid.',
);

export interface DiagnosedTenant extends Pick<ExchangeRules, 'transport' | 'clock' | 'random'> {
	client: Client;
	/** `{baseUrl}/api/external/{apiVersion}` */
	apiUrl: string;
	/** Dot path of the list of users; if it is empty, the list is detected. */
	itemsPath: string;
	/** Gets every token that is issued: the service may have revoked the former one for it. */
	onIssued?: (token: IssuedToken) => void;
}

export type Query = Readonly<Record<string, string | number>>;
type List = Pick<ListedResource, 'segment' | 'listNames'>;

export interface Reply {
	query: Query;
	/** Undefined if nothing was said about the request: no answer, 429, 5xx, another host. */
	response?: HttpResponse;
	/** Undefined if it is a list, even one that only says that it is empty. */
	failure?: ServiceFailure;
	records: JsonObject[];
	metadata: PagingMetadata;
	/** Dot path of the list; undefined if there is none in the answer. */
	path?: string;
}

/** Asks one tenant within the budget, through the same parts as the nodes. */
export class DiagnosisSession {
	/** Of findings of one check the first one counts. */
	readonly findings: Finding[] = [];

	/** Those of the API, and when by our clock each was asked for and came. */
	readonly responses: Array<HttpResponse & { sentAt: number; receivedAt: number }> = [];

	/** Every value that no text may hold. */
	readonly secrets: string[];

	/** Issued, and not known to be over; the one in use first. */
	readonly tokens: string[] = [];

	private requests = 0;

	private overloads = 0;

	private readonly pace: AdaptiveRateLimiter;

	constructor(readonly tenant: DiagnosedTenant) {
		this.secrets = [tenant.client.clientSecret];
		this.pace = new AdaptiveRateLimiter(1, tenant.clock);
	}

	/** @throws ServiceFailure if no token is issued */
	async issue(): Promise<IssuedToken> {
		const rules = { ...this.tenant, ...RULES, transport: this.send };
		const issued = await exchangeToken(this.tenant.client, rules);
		this.secrets.push(issued.accessToken);
		this.tokens.push(issued.accessToken);
		this.tenant.onIssued?.(issued);
		return issued;
	}

	/** A refusal is not that of the token as long as that reads the users. */
	async fetchList(query: Query, list: List = LISTED_RESOURCES.user): Promise<Reply> {
		const [token] = this.tokens;
		if (token === undefined) return { query, records: [], metadata: {}, failure: TOKENS_REJECTED };
		const reply = await this.fetchListWith(token, query, list);
		if (!isAccessDenied(reply)) return reply;
		const users = await this.fetchListWith(token);
		if (users.failure === undefined) return reply;
		if (!isAccessDenied(users)) return { ...reply, response: undefined };
		this.tokens.shift();
		return await this.fetchList(query, list);
	}

	async fetchListWith(
		token: string,
		query: Query = {},
		{ segment, listNames }: List = LISTED_RESOURCES.user,
	): Promise<Reply> {
		const { apiUrl } = this.tenant;
		const itemsPath = segment === LISTED_RESOURCES.user.segment ? this.tenant.itemsPath : '';
		const url = `${apiUrl}/${segment}`;
		const reply: Reply = { query, records: [], metadata: {} };
		try {
			const transport = followSameOrigin(this.send);
			const rules = { ...this.tenant, ...RULES, transport, pace: this.pace };
			const asked = { ...RULES, url, query };
			const { response, failure } = await requestApi(asked, rules, () => this.secrets, token);
			const { statusCode, body, headers } = response;
			const isElsewhere = failure?.kind === 'configuration';
			if (!isElsewhere && !isThrottledOrServerError(statusCode) && !isRetryableStatus(statusCode))
				reply.response = response;
			if (failure) throw failure;
			const result = findRecords(response, { listNames, itemsPath });
			if (isBodyError(result)) throw result.failure;
			Object.assign(reply, result, { metadata: readPagingMetadata(body, headers) });
		} catch (error) {
			reply.failure = requireFailure(error);
		}
		return reply;
	}

	private readonly send: Transport = async (request) => {
		const { clock, transport } = this.tenant;
		if (this.isBudgetSpent()) throw BUDGET_SPENT;
		this.requests++;
		// Until it is answered: the connection may break.
		this.overloads++;
		const sentAt = clock.now();
		const answer = await transport(request);
		const receivedAt = clock.now();
		// The authorization server may be another machine.
		if (request.method === 'GET') this.responses.push({ ...answer, sentAt, receivedAt });
		if (isRetryableStatus(answer.statusCode)) {
			const pause = parseRetryAfterMs(answer.headers, receivedAt) ?? 0;
			if (pause > MAX_PAUSE) this.overloads = MAX_OVERLOADS;
			// A wait for the repetition would be in vain.
			if (this.isBudgetSpent()) throw BUDGET_SPENT;
		} else this.overloads--;
		return answer;
	};

	/** Whether the tenant is not asked any more. */
	isBudgetSpent(): boolean {
		return this.requests >= MAX_REQUESTS || this.overloads >= MAX_OVERLOADS;
	}
}

function isAccessDenied({ response }: Reply): boolean {
	return response !== undefined && [401, 403, 419].includes(response.statusCode);
}

/** @throws the error itself if the execution was cancelled, or we have a defect */
export function requireFailure(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure) || error.kind === 'cancelled') throw error;
	return error;
}
