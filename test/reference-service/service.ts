import { channel } from 'node:diagnostics_channel';
import { pageBody } from './envelopes';
import { ListFaults } from './faults';
import type { JsonObject } from './json';
import { ListEndpoint } from './listEndpoint';
import { BadParameter } from './listQuery';
import { RateLimiter } from './rateLimit';
import { RecordOrders } from './recordOrder';
import { type RecordId, RecordStore } from './recordStore';
import { isResource, type Resource, syntheticRecord } from './records';
import { type RecordedRequest, RequestLog, type RequestSummary } from './requestLog';
import { formOf, isForm, requestUrl } from './requestParts';
import { errorResponse, type Outcome, outcomeOf, responseOf } from './responses';
import { type ListRequestHook, REQUESTS, type ServiceRequest, type ServiceState } from './state';
import { type DeepPartial, mergeSwitches, Switches } from './switches';
import { respondToTokenRequest } from './tokenEndpoint';
import { Tokens } from './tokens';

export interface ServiceOptions {
	/** Default `reference-client`. */
	clientId?: string;
	/** Default `reference-secret`. */
	clientSecret?: string;
	/** Set from the start, and again by `resetSwitches`. */
	switches?: DeepPartial<Switches>;
	/** Milliseconds since 1970; default the real clock. For tests that move time. */
	clock?: () => number;
	/** How a latency is waited for. Default: it is not. */
	pause?: (milliseconds: number) => Promise<void>;
}

const announced = channel(REQUESTS);

const LOG_IN_PAGE = responseOf(200, {
	contentType: 'text/html',
	text: '<!doctype html><html><body>Log in.</body></html>',
});

/**
 * A Visitor Service with the published interface, without a network: a request in, a response out.
 * The server sends what it responds, and suites without a network ask it themselves.
 */
export class VisitorService {
	readonly clientId: string;
	/** May be replaced, as an administrator of the service does. */
	clientSecret: string;
	readonly switches = new Switches();

	protected readonly state: ServiceState;
	private readonly lists: ListEndpoint;

	constructor(private readonly options: ServiceOptions = {}) {
		this.clientId = options.clientId ?? 'reference-client';
		this.clientSecret = options.clientSecret ?? 'reference-secret';
		mergeSwitches(this.switches, options.switches ?? {});
		const { clock: realTime = Date.now } = options;
		const store = new RecordStore();
		this.state = {
			clientId: this.clientId,
			isSecret: (text) => text === this.clientSecret,
			switches: this.switches,
			store,
			orders: new RecordOrders(store),
			tokens: new Tokens(),
			log: new RequestLog(),
			limiter: new RateLimiter(),
			listFaults: new ListFaults(),
			listHooks: new Set(),
			serviceTime: () => realTime() + this.switches.clockOffsetMs,
			realTime,
			pause: async (milliseconds) => {
				if (milliseconds > 0) await options.pause?.(milliseconds);
			},
		};
		this.lists = new ListEndpoint(this.state);
	}

	/** Notes a request whose head has come; `respond` and `ended` complete it. */
	begin(request: Omit<ServiceRequest, 'body'>): RecordedRequest {
		const { authorization } = request.headers;
		const token = this.state.tokens.find(authorization);
		const headers = { ...request.headers };
		if (authorization !== undefined)
			headers.authorization = withoutToken(authorization, token?.number);
		return this.state.log.begin({
			at: Date.now(),
			method: request.method,
			url: request.url,
			...requestUrl(request.url),
			headers,
			...(token === undefined ? {} : { tokenNumber: token.number }),
		});
	}

	async respond(request: ServiceRequest, recorded: RecordedRequest): Promise<Outcome> {
		if (announced.hasSubscribers)
			announced.publish({ ...request, body: isForm(request) ? formOf(request) : request.body });
		const headers = this.headersOfEveryResponse();
		const outcome = await this.outcome(request, recorded);
		if (!('response' in outcome)) return outcome;
		const { response } = outcome;
		this.state.log.responded(recorded, response.status);
		return { ...outcome, response: { ...response, headers: { ...headers, ...response.headers } } };
	}

	/**
	 * A page without tokens, faults and HTTP, for suites that ask a million times.
	 *
	 * @returns null if the parameters are rejected; a body of its own for an empty page that has none
	 */
	page(resource: Resource, parameters: Record<string, string>): string | null {
		const cut = this.lists.cut(resource, parameters);
		return cut instanceof BadParameter
			? null
			: (pageBody(resource, cut, this.switches.list, '') ?? '');
	}

	/** The response is out or the connection gone. */
	ended(recorded: RecordedRequest): void {
		this.state.log.ended(recorded);
	}

	private async outcome(request: ServiceRequest, recorded: RecordedRequest): Promise<Outcome> {
		const { path } = requestUrl(request.url);
		if (path === '/auth/app-oauth' && request.method === 'POST')
			return await respondToTokenRequest(this.state, request, recorded);
		if (path.endsWith('/log-in')) return { kind: 'response', response: LOG_IN_PAGE };
		if (path.startsWith('/api/external/')) return await this.lists.respond(request);
		const { outage, list } = this.switches;
		return await outcomeOf(this.state, request, outage, () =>
			errorResponse(this.state, request, list.unknownPath, 'not_found', 'There is nothing here.'),
		);
	}

	private headersOfEveryResponse(): Record<string, string> {
		const date = new Date(this.state.serviceTime()).toUTCString();
		return this.switches.dateHeader ? { date } : {};
	}

	/**
	 * Every request since the start or the last `clearRequests`, in the order they came; `/control`
	 * is not in it.
	 */
	get requests(): readonly RecordedRequest[] {
		return this.state.log.requests;
	}

	/** Counts of the same. */
	summary(): RequestSummary {
		return this.state.log.summary();
	}

	clearRequests(): void {
		this.state.log.clear();
	}

	/** Changes the switches named. @throws Error for a name that is none */
	set(changes: DeepPartial<Switches>): void {
		mergeSwitches(this.switches, changes);
		if (changes.list?.rateLimit !== undefined) this.state.limiter.reset();
	}

	/** Back to the defaults and what the service was started with. */
	resetSwitches(): void {
		mergeSwitches(this.switches, new Switches());
		mergeSwitches(this.switches, this.options.switches ?? {});
		this.state.limiter.reset();
	}

	/**
	 * Replaces all records of a resource: by this many synthetic ones, or by these (with `id` and
	 * `updatedAt`, or not).
	 */
	seed(resource: Resource, records: number | JsonObject[]): Promise<void> {
		this.state.store.replace(
			resource,
			typeof records === 'number' ? syntheticRecords(resource, records) : records,
		);
		return Promise.resolve();
	}

	/**
	 * Adds a record or replaces the one with its `id`; without `updatedAt` it gets the service's
	 * time.
	 */
	upsert(resource: Resource, record: JsonObject): Promise<void> {
		const stamped = { ...record };
		// One that stands for none is kept.
		if (stamped.updatedAt === undefined)
			stamped.updatedAt = new Date(this.state.serviceTime()).toISOString();
		this.state.store.put(resource, stamped);
		return Promise.resolve();
	}

	remove(resource: Resource, id: RecordId): Promise<void> {
		this.state.store.remove(resource, id);
		return Promise.resolve();
	}

	/** How many records there are. */
	count(resource: Resource): number {
		return this.state.store.all(resource).length;
	}

	/** From now on every token given out is invalid. */
	revokeTokens(): void {
		this.state.tokens.revoke();
	}

	/** From now on every token given out has expired. */
	expireTokens(): void {
		this.state.tokens.expire();
	}

	/** A token as the token endpoint gives it out, for suites that are not about tokens. */
	issueToken(): string {
		const { tokens, realTime } = this.state;
		return tokens.issue(this.switches.token, realTime(), this.clientId).text;
	}

	/** How many were given out since the start. */
	get tokensIssued(): number {
		return this.state.tokens.count;
	}

	/**
	 * Calls the hook for each list request that is going to get a page, before the page
	 * is cut, and waits for it. @returns a function that takes the hook away
	 */
	onListRequest(hook: ListRequestHook): () => void {
		this.state.listHooks.add(hook);
		return () => {
			this.state.listHooks.delete(hook);
		};
	}
}

function withoutToken(authorization: string, number: number | undefined): string {
	if (!/^Bearer /i.test(authorization)) return '<another scheme>';
	return `Bearer <${number === undefined ? 'unknown token' : `token ${number}`}>`;
}

function* syntheticRecords(resource: Resource, count: number): Generator<JsonObject> {
	if (!isResource(resource)) throw new Error(`There is no resource "${String(resource)}".`);
	for (let number = 1; number <= count; number++) yield syntheticRecord(resource, number);
}
