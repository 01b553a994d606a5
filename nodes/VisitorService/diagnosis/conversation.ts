import type { Client } from '../../../credentials/authorization/client';
import {
	type ExchangeRules,
	exchangeToken,
	type IssuedToken,
} from '../../../credentials/authorization/exchange';
import { type PagingMetadata, readPagingMetadata } from '../answer/paging';
import { findRecords, meansNoRecords } from '../answer/records';
import { LISTED_RESOURCES } from '../answer/resources';
import { ServiceFailure } from '../failure/serviceFailure';
import type { HttpAnswer, Transport } from '../http/message';
import { withinOrigin } from '../http/redirects';
import { readRetryAfter } from '../http/retryTimes';
import { isOverload, isTemporary, TOO_MANY_REQUESTS } from '../http/temporaryStatus';
import { askApi, explainAnswer } from '../tenant/apiRequest';
import { mayMeanToken } from '../tenant/heldCredential';
import type { JsonObject } from '../values/json';

/** Of all hosts together, with token requests, repetitions and redirects. */
export const MAX_REQUESTS = 25;
/** Overloads, or connections that break, before the service is left alone. */
const MAX_OVERLOADS = 3;
/** Milliseconds. A longer pause is not waited for. */
const MAX_PAUSE = 10_000;
const USUAL_PAUSE = 1_000;
const REQUEST_RULES = { timeout: 20_000, maxRetries: 1 };

export interface DiagnosedTenant extends Pick<ExchangeRules, 'transport' | 'clock' | 'random'> {
	client: Client;
	/** `{baseUrl}/api/external/{apiVersion}` */
	apiUrl: string;
	/** Dot path of the list of users; if it is empty, the list is detected. */
	itemsPath: string;
	/** Gets every token that is issued: the service may have revoked the former one for it. */
	onIssued?: (token: IssuedToken) => void;
}

/** In this order, by which an answer is found again. */
export interface Query {
	page?: number;
	pageSize?: number;
	sort?: string;
	updatedSince?: string | number;
}

/** A page of a list, also one that only says that it is empty. */
export interface ListReply {
	kind: 'list';
	answer: HttpAnswer;
	query: Query;
	records: JsonObject[];
	metadata: PagingMetadata;
	/** Dot path of the list; undefined if the answer only says that it is empty. */
	path?: string;
	failure?: undefined;
}

export type Reply =
	| ListReply
	/** No status of success, or anything else than a list that can be found. */
	| { kind: 'refusal'; answer: HttpAnswer; failure: ServiceFailure }
	/** Nothing about the request itself: no answer, 429, 5xx, a redirect to another host. */
	| { kind: 'silence'; failure: ServiceFailure };

interface Asked {
	segment?: string;
	keys?: readonly string[];
	/** Used as it is; without it the token in use, which is renewed once if it is refused. */
	token?: string;
	/** Whether to ask again for a page that is known. */
	isFresh?: boolean;
}

export interface Attempt {
	method: string;
	/** Undefined if the connection broke. */
	answer?: HttpAnswer;
	/** Milliseconds of our clock. */
	sentAt: number;
	receivedAt: number;
}

/**
 * Asks one tenant within the budget, through the same parts as the nodes, and remembers what came.
 * A service that limits the rate is asked more slowly, an overloaded one is left alone.
 */
export class Conversation {
	readonly attempts: Attempt[] = [];

	/** Pages of users with records, in the order in which they came. */
	readonly pages: ListReply[] = [];

	/** Every value that no text may hold. */
	readonly secrets: string[];

	/** What a new token did when the one in use was refused. */
	renewal: 'none' | 'helped' | 'inVain' = 'none';

	/** Why the tenant is not asked any more; undefined while it may be. */
	stopReason?: string;

	private token = '';

	private overloads = 0;

	/** Milliseconds to keep between two requests. */
	private distance = 0;

	constructor(private readonly tenant: DiagnosedTenant) {
		this.secrets = [tenant.client.clientSecret];
	}

	/** Replaces the token in use. @throws ServiceFailure if none is issued */
	async issue(): Promise<IssuedToken> {
		const { client, clock, random, onIssued } = this.tenant;
		const rules = { ...REQUEST_RULES, transport: this.send, clock, random };
		const issued = await exchangeToken(client, rules);
		this.secrets.push(issued.accessToken);
		this.token = issued.accessToken;
		onIssued?.(issued);
		return issued;
	}

	/** Asks for a list: the users, unless another one is named. */
	async ask(query: Query = {}, asked: Asked = {}): Promise<Reply> {
		const { segment = LISTED_RESOURCES.user.segment, token, isFresh = false } = asked;
		const { sort, updatedSince } = query;
		const isPage = asked.keys === undefined && sort === undefined && updatedSince === undefined;
		const known = this.pages.find((page) => JSON.stringify(page.query) === JSON.stringify(query));
		if (isPage && !isFresh && token === undefined && known !== undefined) return known;
		const { apiUrl, clock, random } = this.tenant;
		const url = `${apiUrl}/${segment}`;
		const transport = withinOrigin(token === undefined ? this.renewing : this.send);
		try {
			const request = { url, query: { ...query }, timeout: REQUEST_RULES.timeout };
			const rules = { ...REQUEST_RULES, transport, clock, random };
			const answer = await askApi(request, rules, token);
			const failure = explainAnswer(answer, url, () => this.secrets, clock.now());
			const reply =
				failure === undefined ? this.read(answer, query, asked.keys) : refused(answer, failure);
			if (reply.kind === 'list' && isPage && reply.records.length > 0) this.pages.push(reply);
			return reply;
		} catch (error) {
			return { kind: 'silence', failure: requireFailure(error) };
		}
	}

	/** @param keys of another list than that of the users */
	private read(answer: HttpAnswer, query: Query, keys?: readonly string[]): Reply {
		const { itemsPath } = this.tenant;
		const ofUsers = { keys: LISTED_RESOURCES.user.keys, itemsPath };
		const reading = findRecords(answer, keys === undefined ? ofUsers : { keys, itemsPath: '' });
		if (reading.kind === 'records' || reading.kind === 'nothing' || meansNoRecords(reading)) {
			const metadata = readPagingMetadata(answer.body, answer.headers);
			const empty: ListReply = { kind: 'list', answer, query, records: [], metadata };
			if (reading.kind !== 'records') return empty;
			return { ...empty, records: reading.records, path: reading.path };
		}
		return { kind: 'refusal', answer, failure: reading.failure };
	}

	/** One new token for all questions: what a second one would show is said to be unclear. */
	private readonly renewing: Transport = async (request) => {
		const sendWithToken = async () => {
			const headers = { ...request.headers, Authorization: `Bearer ${this.token}` };
			return await this.send({ ...request, headers });
		};
		const isRefused = (answer: HttpAnswer) =>
			[401, 403].includes(answer.statusCode) && mayMeanToken(answer, this.tenant.clock.now());
		const first = await sendWithToken();
		if (!isRefused(first) || this.renewal === 'inVain') return first;
		if (this.renewal === 'helped')
			throw leftAlone('The service refuses tokens after few requests.');
		await this.issue();
		const second = await sendWithToken();
		this.renewal = isRefused(second) ? 'inVain' : 'helped';
		return second;
	};

	private readonly send: Transport = async (request) => {
		const { clock, transport } = this.tenant;
		this.requireLeave();
		const pause = (this.attempts.at(-1)?.sentAt ?? 0) + this.distance - clock.now();
		if (pause > 0) await clock.sleep(pause);
		const attempt: Attempt = { method: request.method, sentAt: clock.now(), receivedAt: 0 };
		this.attempts.push(attempt);
		try {
			attempt.answer = await transport(request);
		} finally {
			attempt.receivedAt = clock.now();
			this.learnFrom(attempt);
		}
		// A wait for the repetition would be in vain.
		if (isOverload(attempt.answer.statusCode)) this.requireLeave();
		return attempt.answer;
	};

	private requireLeave(): void {
		if (this.stopReason !== undefined) throw leftAlone(this.stopReason);
	}

	private learnFrom({ answer, receivedAt }: Attempt): void {
		if (answer === undefined || isOverload(answer.statusCode)) {
			const pause = (answer && readRetryAfter(answer.headers, receivedAt)) ?? 0;
			const isLimit = answer?.statusCode === TOO_MANY_REQUESTS;
			if (isLimit) this.distance = Math.max(2 * this.distance, pause || USUAL_PAUSE);
			if (++this.overloads >= MAX_OVERLOADS || Math.max(pause, this.distance) > MAX_PAUSE) {
				this.stopReason = 'The service had no time for a request, so it was left alone.';
			}
		}
		if (this.attempts.length >= MAX_REQUESTS) {
			this.stopReason = `The budget of ${MAX_REQUESTS} requests is used up.`;
		}
	}
}

function refused(answer: HttpAnswer, failure: ServiceFailure): Reply {
	const { statusCode } = answer;
	const isSilent = isTemporary(statusCode) || isOverload(statusCode);
	if (isSilent || failure.kind === 'configuration') return { kind: 'silence', failure };
	return { kind: 'refusal', answer, failure };
}

function leftAlone(reason: string): ServiceFailure {
	return new ServiceFailure(reason, 'Run the diagnosis again later.', { kind: 'outOfTime' });
}

/** @throws the error itself if the execution was cancelled, or we have a defect */
export function requireFailure(error: unknown): ServiceFailure {
	if (!(error instanceof ServiceFailure) || error.kind === 'cancelled') throw error;
	return error;
}
