import type { Client } from '../../../credentials/authorization/client';
import {
	type ExchangeRules,
	exchangeToken,
	type IssuedToken,
} from '../../../credentials/authorization/exchange';
import { type PagingMetadata, readPagingMetadata } from '../answer/paging';
import { findRecords } from '../answer/records';
import { LISTED_RESOURCES } from '../answer/resources';
import { ServiceFailure } from '../failure/serviceFailure';
import { AdaptivePace } from '../http/adaptivePace';
import type { HttpAnswer, Transport } from '../http/message';
import { withinOrigin } from '../http/redirects';
import { readRetryAfter } from '../http/retryTimes';
import { isOverload, isTemporary } from '../http/temporaryStatus';
import { askApi, explainAnswer } from '../tenant/apiRequest';
import { mayMeanToken } from '../tenant/heldCredential';
import type { JsonObject } from '../values/json';

/** Of all hosts together, with token requests, repetitions and redirects. */
const MAX_REQUESTS = 25;
/** Overloads, or connections that break, before the service is left alone. */
const MAX_OVERLOADS = 3;
/** Milliseconds. A longer pause is not waited for. */
const MAX_PAUSE = 10_000;
const RULES = { timeout: 20_000, maxRetries: 1 };

export interface DiagnosedTenant extends Pick<ExchangeRules, 'transport' | 'clock' | 'random'> {
	client: Client;
	/** `{baseUrl}/api/external/{apiVersion}` */
	apiUrl: string;
	/** Dot path of the list of users; if it is empty, the list is detected. */
	itemsPath: string;
	/** Gets every token that is issued: the service may have revoked the former one for it. */
	onIssued?: (token: IssuedToken) => void;
}

export interface Query {
	page?: number;
	pageSize?: number;
	sort?: string;
	updatedSince?: string | number;
}

export interface Reply {
	query: Query;
	/** Undefined if nothing was said about the request: no answer, 429, 5xx, another host. */
	answer?: HttpAnswer;
	/** Undefined if it is a list, even one that only says that it is empty. */
	failure?: ServiceFailure;
	records: JsonObject[];
	metadata: PagingMetadata;
	/** Dot path of the list; undefined if there is none in the answer. */
	path?: string;
}

export interface Attempt {
	method: string;
	/** Undefined if the connection broke. */
	answer?: HttpAnswer;
	/** Milliseconds of our clock. */
	sentAt: number;
	receivedAt: number;
}

/** Asks one tenant within the budget, through the same parts as the nodes. */
export class Conversation {
	readonly attempts: Attempt[] = [];

	/** Every value that no text may hold. */
	readonly secrets: string[];

	/** What a new token did when the one in use was refused. */
	renewal: 'none' | 'helped' | 'inVain' = 'none';

	/** Why the tenant is not asked any more; undefined while it may be. */
	stopReason?: string;

	private token = '';

	private overloads = 0;

	private readonly pace: AdaptivePace;

	constructor(readonly tenant: DiagnosedTenant) {
		this.secrets = [tenant.client.clientSecret];
		this.pace = new AdaptivePace(1, tenant.clock);
	}

	/** Replaces the token in use. @throws ServiceFailure if none is issued */
	async issue(): Promise<IssuedToken> {
		const issued = await exchangeToken(this.tenant.client, {
			...this.tenant,
			...RULES,
			transport: this.send,
		});
		this.secrets.push(issued.accessToken);
		this.token = issued.accessToken;
		this.tenant.onIssued?.(issued);
		return issued;
	}

	/**
	 * @param token used as it is; without it the one in use, which is renewed once if it is refused
	 * @param list another one than that of the users
	 */
	async ask(
		query: Query,
		token?: string,
		list?: { segment: string; keys: readonly string[] },
	): Promise<Reply> {
		const { apiUrl, clock, itemsPath } = this.tenant;
		const { segment, keys } = list ?? LISTED_RESOURCES.user;
		const url = `${apiUrl}/${segment}`;
		const transport = withinOrigin(token === undefined ? this.renewing : this.send);
		const nothing = { query, records: [], metadata: {} };
		try {
			const rules = { ...this.tenant, ...RULES, transport, pace: this.pace };
			const answer = await askApi({ ...RULES, url, query: { ...query } }, rules, token);
			const failure = explainAnswer(answer, url, () => this.secrets, clock.now());
			if (failure !== undefined) {
				const isSilent = isTemporary(answer.statusCode) || isOverload(answer.statusCode);
				const isElsewhere = failure.kind === 'configuration';
				return { ...nothing, failure, answer: isSilent || isElsewhere ? undefined : answer };
			}
			const sought = { keys, itemsPath: list === undefined ? itemsPath : '' };
			const reading = findRecords(answer, sought);
			if ('failure' in reading) return { ...nothing, answer, failure: reading.failure };
			const { records, path } = reading;
			const metadata = readPagingMetadata(answer.body, answer.headers);
			return { query, answer, records, path, metadata };
		} catch (error) {
			return { ...nothing, failure: requireFailure(error) };
		}
	}

	/** One new token for all questions: what a second one would show is said to be unclear. */
	private readonly renewing: Transport = async (request) => {
		for (let renewed = false; ; renewed = true) {
			const headers = { ...request.headers, Authorization: `Bearer ${this.token}` };
			const answer = await this.send({ ...request, headers });
			const mayRefuse = answer.statusCode === 401 || answer.statusCode === 403;
			const isRefused = mayRefuse && mayMeanToken(answer, this.tenant.clock.now());
			if (renewed) this.renewal = isRefused ? 'inVain' : 'helped';
			if (!isRefused || this.renewal === 'inVain') return answer;
			if (this.renewal === 'helped') throw leftAlone('The service refuses tokens early.');
			await this.issue();
		}
	};

	private readonly send: Transport = async (request) => {
		const { clock, transport } = this.tenant;
		this.requireLeave();
		const attempt: Attempt = { method: request.method, sentAt: clock.now(), receivedAt: 0 };
		this.attempts.push(attempt);
		try {
			attempt.answer = await transport(request);
		} finally {
			attempt.receivedAt = clock.now();
			this.stopReason = this.reasonToStop(attempt);
		}
		// A wait for the repetition would be in vain.
		if (isOverload(attempt.answer.statusCode)) this.requireLeave();
		return attempt.answer;
	};

	private requireLeave(): void {
		if (this.stopReason !== undefined) throw leftAlone(this.stopReason);
	}

	private reasonToStop({ answer, receivedAt }: Attempt): string | undefined {
		if (this.attempts.length >= MAX_REQUESTS) {
			return `The budget of ${MAX_REQUESTS} requests is used up.`;
		}
		if (answer !== undefined && !isOverload(answer.statusCode)) return undefined;
		const pause = (answer && readRetryAfter(answer.headers, receivedAt)) ?? 0;
		if (++this.overloads < MAX_OVERLOADS && pause <= MAX_PAUSE) return undefined;
		return 'The service had no time for a request, so it was left alone.';
	}
}

function leftAlone(reason: string): ServiceFailure {
	return new ServiceFailure(reason, 'Run the diagnosis again later.', { kind: 'outOfTime' });
}

/** @throws the error itself if the execution was cancelled, or we have a defect */
export function requireFailure(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure) || error.kind === 'cancelled') throw error;
	return error;
}
