import type { Client } from '../../../credentials/authorization/client';
import {
	type ExchangeRules,
	exchangeToken,
	type IssuedToken,
} from '../../../credentials/authorization/exchange';
import { type PagingMetadata, readPagingMetadata } from '../answer/paging';
import { findRecords } from '../answer/records';
import { LISTED_RESOURCES, type ListedResource } from '../answer/resources';
import { ServiceFailure } from '../failure/serviceFailure';
import { AdaptivePace } from '../http/adaptivePace';
import type { HttpAnswer, Transport } from '../http/message';
import { withinOrigin } from '../http/redirects';
import { readRetryAfter } from '../http/retryTimes';
import { isOverload, isTemporary, SERVICE_UNAVAILABLE } from '../http/temporaryStatus';
import { askApi, explainAnswer } from '../tenant/apiRequest';
import { mayMeanToken } from '../tenant/heldCredential';
import type { JsonObject } from '../values/json';

/** Of all hosts together, with token requests, repetitions and redirects. */
const MAX_REQUESTS = 25;
/** Overloads, or connections that break, before the service is left alone. */
const MAX_OVERLOADS = 3;
/** Milliseconds. A longer pause is not waited for. */
const MAX_PAUSE = 10_000;
const NO_ANSWER: HttpAnswer = { statusCode: SERVICE_UNAVAILABLE, headers: {}, body: '' };
const RULES = { timeout: 20_000, maxRetries: 1 };

const leftAlone = (reason: string, remedy = 'Run Diagnose again later.') =>
	new ServiceFailure(reason, remedy, { kind: 'outOfTime' });
const SPENT = leftAlone(`The budget of ${MAX_REQUESTS} requests is used up.`);
const BUSY = leftAlone('The service had no time for a request, so it was left alone.');
export const TOKENS_END_EARLY = leftAlone(
	'A token was refused during the diagnosis, so it was not valid for long.',
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
	/** 503 if the connection broke. */
	answer: HttpAnswer;
	/** Milliseconds of our clock. */
	sentAt: number;
	receivedAt: number;
}

/** Asks one tenant within the budget, through the same parts as the nodes. */
export class Conversation {
	readonly attempts: Attempt[] = [];

	/** Every value that no text may hold. */
	readonly secrets: string[];

	/** Whether a new token helped when the one in use was refused; undefined if none was. */
	renewal?: boolean;

	private token = '';

	private readonly pace: AdaptivePace;

	constructor(readonly tenant: DiagnosedTenant) {
		this.secrets = [tenant.client.clientSecret];
		this.pace = new AdaptivePace(1, tenant.clock);
	}

	/** Replaces the token in use. @throws ServiceFailure if none is issued */
	async issue(): Promise<IssuedToken> {
		const rules = { ...this.tenant, ...RULES, transport: this.send };
		const issued = await exchangeToken(this.tenant.client, rules);
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
		list: Pick<ListedResource, 'segment' | 'keys'> = LISTED_RESOURCES.user,
	): Promise<Reply> {
		const { apiUrl, clock } = this.tenant;
		const { segment, keys } = list;
		const itemsPath = list === LISTED_RESOURCES.user ? this.tenant.itemsPath : '';
		const url = `${apiUrl}/${segment}`;
		const transport = withinOrigin(token === undefined ? this.renewing : this.send);
		const reply: Reply = { query, records: [], metadata: {} };
		try {
			const rules = { ...this.tenant, ...RULES, transport, pace: this.pace };
			const answer = await askApi({ ...RULES, url, query }, rules, token);
			const { statusCode, body, headers } = answer;
			const failure = explainAnswer(answer, url, () => this.secrets, clock.now());
			const isElsewhere = failure?.kind === 'configuration';
			if (!isElsewhere && !isTemporary(statusCode) && !isOverload(statusCode))
				reply.answer = answer;
			const reading = failure ? { failure } : findRecords(answer, { keys, itemsPath });
			if ('failure' in reading) throw reading.failure;
			Object.assign(reply, reading, { metadata: readPagingMetadata(body, headers) });
		} catch (error) {
			reply.failure = requireFailure(error);
		}
		return reply;
	}

	/** One new token for all questions: what a second one would show is said to be unclear. */
	private readonly renewing: Transport = async (request) => {
		const send = async () => {
			const headers = { ...request.headers, Authorization: `Bearer ${this.token}` };
			return await this.send({ ...request, headers });
		};
		const isRefused = (answer: HttpAnswer) =>
			[401, 403].includes(answer.statusCode) && mayMeanToken(answer, this.tenant.clock.now());
		const answer = await send();
		if (!isRefused(answer) || this.renewal === false) return answer;
		if (this.renewal === true) throw TOKENS_END_EARLY;
		await this.issue();
		const second = await send();
		this.renewal = !isRefused(second);
		return second;
	};

	private readonly send: Transport = async (request) => {
		const { clock, transport } = this.tenant;
		this.requireLeave();
		const sent = { method: request.method, sentAt: clock.now() };
		const attempt: Attempt = { ...sent, answer: NO_ANSWER, receivedAt: 0 };
		this.attempts.push(attempt);
		const answer = await transport(request).finally(() => (attempt.receivedAt = clock.now()));
		attempt.answer = answer;
		// A wait for the repetition would be in vain.
		if (isOverload(answer.statusCode)) this.requireLeave();
		return answer;
	};

	private requireLeave(): void {
		if (this.stopped !== undefined) throw this.stopped;
	}

	/** Why the tenant is not asked any more; undefined while it may be. */
	get stopped(): ServiceFailure | undefined {
		if (this.attempts.length >= MAX_REQUESTS) return SPENT;
		const inVain = this.attempts.filter(({ answer }) => isOverload(answer.statusCode));
		const isPaused = inVain.some(
			({ answer, receivedAt: now }) => Number(readRetryAfter(answer.headers, now)) > MAX_PAUSE,
		);
		return inVain.length >= MAX_OVERLOADS || isPaused ? BUSY : undefined;
	}
}

/** @throws the error itself if the execution was cancelled, or we have a defect */
export function requireFailure(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure) || error.kind === 'cancelled') throw error;
	return error;
}
