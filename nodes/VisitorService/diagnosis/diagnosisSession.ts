import type { Client } from '../authorization/client';
import { type ExchangeOptions, exchangeToken, type IssuedToken } from '../authorization/exchange';
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
import type { Records } from '../values/json';
import type { Finding } from './finding';

/** To all hosts together, including token requests, retries and redirects. */
const MAX_REQUESTS = 25;
/** After this many throttled requests, server errors or broken connections, no more are sent. */
const MAX_OVERLOADS = 3;
/** A longer Retry-After is not waited for. */
const MAX_PAUSE_MS = 10_000;
const SEND_OPTIONS = { timeoutMs: 20_000, maxRetries: 1 };

const budgetFailure = (reason: string, remedy: string) =>
	new ServiceFailure(reason, remedy, { kind: 'outOfTime' });
const BUDGET_SPENT = budgetFailure(
	`${MAX_REQUESTS} requests were sent, or the service had no time for them, so it was left alone.`,
	'Run Diagnose again later.',
);
export const TOKENS_REJECTED = budgetFailure(
	'Two tokens were rejected during the diagnosis, so they were not valid for long.',
	'Ask your service provider how long tokens are valid.',
);

export interface DiagnosedTenant extends Pick<ExchangeOptions, 'transport' | 'clock' | 'random'> {
	client: Client;
	/** `{baseUrl}/api/external/{apiVersion}` */
	apiUrl: string;
	/** Dot path of the list of users; if it is empty, the list is detected. */
	itemsPath: string;
	/**
	 * Called with every token that is issued, because the service may have revoked the former one.
	 */
	onIssued?: (token: IssuedToken) => void;
}

type Exchange =
	| { kind: 'issued'; token: IssuedToken }
	| { kind: 'failed'; failure: ServiceFailure };

export type Query = Readonly<Record<string, string | number>>;
type List = Pick<ListedResource, 'segment' | 'listNames'>;

/** What a request for a list returned. */
export type Reply = {
	query: Query;
	/** Undefined if it shows nothing about the request: no response, 429, 5xx, another host. */
	response?: HttpResponse;
	records: Records;
	metadata: PagingMetadata;
} & (
	| {
			kind: 'list';
			/** Dot path of the list; undefined if the response only says that it is empty. */
			path?: string;
	  }
	| { kind: 'failed'; failure: ServiceFailure }
);

/** Sends the requests of one diagnosis within its budget, through the same parts as the nodes. */
export class DiagnosisSession {
	/** Of several findings of one check, the first one counts. */
	readonly findings: Finding[] = [];

	/** Responses of the API, and when each was requested and received by our clock. */
	readonly responses: Array<HttpResponse & { sentAt: number; receivedAt: number }> = [];

	/** Values that no text may contain. */
	readonly secrets: string[];

	/** Tokens that were issued and not rejected since; the one in use first. */
	readonly tokens: string[] = [];

	private requestCount = 0;

	private overloadCount = 0;

	private readonly pace: AdaptiveRateLimiter;

	constructor(readonly tenant: DiagnosedTenant) {
		this.secrets = [tenant.client.clientSecret];
		this.pace = new AdaptiveRateLimiter(1, tenant.clock);
	}

	async issueToken(): Promise<Exchange> {
		// The second token is not required, so the request for it is not retried.
		const maxRetries = this.tokens.length === 0 ? SEND_OPTIONS.maxRetries : 0;
		const options = { ...this.tenant, ...SEND_OPTIONS, maxRetries, transport: this.send };
		try {
			const token = await exchangeToken(this.tenant.client, options);
			this.secrets.push(token.accessToken);
			this.tokens.push(token.accessToken);
			this.tenant.onIssued?.(token);
			return { kind: 'issued', token };
		} catch (error) {
			return { kind: 'failed', failure: requireFailure(error) };
		}
	}

	/** A denied request does not reject a token that can read the users. */
	async fetchList(query: Query, list: List = LISTED_RESOURCES.user): Promise<Reply> {
		const [token] = this.tokens;
		if (token === undefined) return failedReply(query, TOKENS_REJECTED);
		const reply = await this.fetchListWith(token, query, list);
		if (!isAccessDenied(reply)) return reply;
		const users = await this.fetchListWith(token);
		if (users.kind === 'list') return reply;
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
		const transport = followSameOrigin(this.send);
		const options = { ...this.tenant, ...SEND_OPTIONS, transport, limiter: this.pace };
		const request = { ...SEND_OPTIONS, url: `${apiUrl}/${segment}`, query };
		try {
			const result = await requestApi(request, options, () => this, token);
			const { body, headers } = result.response;
			const response = isAboutRequest(result) ? result.response : undefined;
			if (result.failure) return failedReply(query, result.failure, response);
			const found = findRecords(result.response, { listNames, itemsPath });
			if (isBodyError(found)) return failedReply(query, found.failure, response);
			const metadata = readPagingMetadata(body, headers);
			return { kind: 'list', query, response, records: found.records, metadata, path: found.path };
		} catch (error) {
			return failedReply(query, requireFailure(error));
		}
	}

	private readonly send: Transport = async (request) => {
		const { clock, transport } = this.tenant;
		if (this.isBudgetSpent()) throw BUDGET_SPENT;
		this.requestCount++;
		const isNeeded = request.method === 'GET' || this.tokens.length === 0;
		// Taken back by a response: the connection may break.
		if (isNeeded) this.overloadCount++;
		const sentAt = clock.now();
		const response = await transport(request);
		const receivedAt = clock.now();
		// The authorization server may be another machine.
		if (request.method === 'GET') this.responses.push({ ...response, sentAt, receivedAt });
		if (!isNeeded) return response;
		if (!isRetryableStatus(response.statusCode)) {
			this.overloadCount--;
			return response;
		}
		const pauseMs = parseRetryAfterMs(response.headers, receivedAt) ?? 0;
		if (pauseMs > MAX_PAUSE_MS) this.overloadCount = MAX_OVERLOADS;
		// No retry could be sent after the wait.
		if (this.isBudgetSpent()) throw BUDGET_SPENT;
		return response;
	};

	/** Whether no further request is sent. */
	isBudgetSpent(): boolean {
		return this.requestCount >= MAX_REQUESTS || this.overloadCount >= MAX_OVERLOADS;
	}
}

function failedReply(query: Query, failure: ServiceFailure, response?: HttpResponse): Reply {
	return { kind: 'failed', query, response, records: [], metadata: {}, failure };
}

/** Whether the response is about the request, and neither of another host nor of an overload. */
function isAboutRequest(result: { response: HttpResponse; failure?: ServiceFailure }): boolean {
	const { statusCode } = result.response;
	if (result.failure?.kind === 'configuration') return false;
	return !isThrottledOrServerError(statusCode) && !isRetryableStatus(statusCode);
}

export function isAccessDenied({ response }: Reply): boolean {
	return response !== undefined && [401, 403, 419].includes(response.statusCode);
}

/** @throws the error itself if the execution was cancelled, or we have a defect */
export function requireFailure(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure) || error.kind === 'cancelled') throw error;
	return error;
}
