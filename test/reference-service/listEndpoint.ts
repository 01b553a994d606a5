import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { callerRejection } from './authorization';
import { pageBody } from './envelopes';
import { isWrongPage } from './faults';
import { BadParameter, listQuery } from './listQuery';
import { cutPage, type Page } from './page';
import { rateLimitHeaders, retryAfter } from './rateLimit';
import { renewalOf, shownRecord } from './recordShape';
import { type Resource, resources } from './records';
import { requestUrl } from './requestParts';
import {
	damagesPlainResponse,
	errorResponse,
	forcedResponse,
	type Outcome,
	outcomeOf,
	redirectResponse,
	type ServiceResponse,
} from './responses';
import type { ServiceRequest, ServiceState } from './state';
import { type ErrorResponse, ListSwitches, type WrongPage } from './switches';

const compress = promisify(gzip);

/**
 * Responds to everything under `/api/external/`: section 4.2 of the interface, and more.
 */
export class ListEndpoint {
	private respondedCount = 0;
	private inWork = 0;

	constructor(private readonly state: ServiceState) {}

	async respond(request: ServiceRequest): Promise<Outcome> {
		const { outage, list: switches } = this.state.switches;
		const { path, query } = requestUrl(request.url);
		const resource = this.resourceAt(path);
		const page = query.page === undefined ? switches.firstPageNumber : Number(query.page);
		const played =
			outage !== 'none'
				? outage
				: resource === null
					? 'none'
					: this.state.listFaults.next(switches, page);
		const wrong = isWrongPage(played) ? played : null;
		const fault = isWrongPage(played) ? 'none' : played;
		if (fault !== 'none' && !damagesPlainResponse(fault)) await this.latency();
		return await outcomeOf(
			this.state,
			request,
			fault,
			async () =>
				await this.limited(request, () =>
					this.plainResponse(request, resource, page, query, wrong),
				),
		);
	}

	/** The resource at a path of this tenant, or null. */
	private resourceAt(path: string): Resource | null {
		const { apiVersions, paths } = this.state.switches.list;
		const [, version, segment] = /^\/api\/external\/([^/]+)\/(.+)$/.exec(path) ?? [];
		if (version === undefined || !apiVersions.includes(version)) return null;
		return resources.find((resource) => paths[resource] === segment) ?? null;
	}

	/** Lets a call through to `respond` when its token is good and the limit not reached. */
	private async limited(
		request: ServiceRequest,
		response: () => Promise<ServiceResponse>,
	): Promise<ServiceResponse> {
		const { redirectTo, redirectStatus, rateLimit } = this.state.switches.list;
		if (redirectTo !== null) {
			return redirectResponse(redirectStatus, `${redirectTo.replace(/\/+$/, '')}${request.url}`);
		}
		const rejection = callerRejection(this.state, request);
		if (rejection !== null) return rejection;

		const now = this.state.serviceTime();
		const admission = this.state.limiter.admit(rateLimit, this.state.realTime());
		const headers = rateLimitHeaders(rateLimit, admission, now);
		const crowded = rateLimit.concurrent > 0 && this.inWork >= rateLimit.concurrent;
		if (!admission.admitted || crowded) {
			const wait = retryAfter(rateLimit.retryAfter, admission.wait, now);
			if (wait !== undefined) headers['retry-after'] = wait;
			return this.rejection(request, rateLimit, 'too_many_requests', 'Too many requests.', headers);
		}
		this.inWork++;
		try {
			const plain = await response();
			return { ...plain, headers: { ...headers, ...plain.headers } };
		} finally {
			this.inWork--;
		}
	}

	private async plainResponse(
		request: ServiceRequest,
		resource: Resource | null,
		page: number,
		parameters: Record<string, string>,
		wrong: WrongPage | null,
	): Promise<ServiceResponse> {
		const { state } = this;
		let { list: switches } = state.switches;
		if (resource === null)
			return this.rejection(request, switches.unknownPath, 'not_found', 'There is nothing here.');
		if (request.method !== 'GET') {
			const notAllowed = { status: 405, body: switches.unknownPath.body };
			return this.rejection(request, notAllowed, 'method_not_allowed', 'Lists are read with GET.', {
				allow: 'GET',
			});
		}
		const { permission } = state.switches.authorization;
		if (permission !== 'all' && (permission === 'none' || !permission.includes(resource))) {
			const { forbidden } = state.switches.authorization;
			return this.rejection(request, forbidden, 'forbidden', 'This client may not read this.');
		}
		await this.latency();
		const number = ++this.respondedCount;
		const requested = { resource, page, query: parameters, number };
		for (const hook of state.listHooks) await hook(requested);
		if (switches.respondWith !== null) {
			return forcedResponse(state, request, switches.respondWith(requested));
		}

		const before = { ...parameters, page: String(Math.max(0, page - 1)) };
		const cut = this.cut(resource, wrong === 'earlierPage' ? before : parameters);
		if (cut instanceof BadParameter)
			return this.rejection(request, switches.badParameter, 'bad_request', cut.message);
		if (wrong === 'shortPage') cut.records.length = Math.ceil(cut.records.length / 2);
		if (wrong === 'emptyPage') {
			cut.records = [];
			switches = Object.assign(new ListSwitches(), switches, { metadata: 'none' });
		}
		const nextUrl = nextPageUrl(request, cut.metadata.page);
		const headers: Record<string, string> = {};
		if (switches.totalHeader) headers['x-total-count'] = String(cut.metadata.total);
		const renewal = renewalOf(switches, number, state.serviceTime());
		const body = pageBody(resource, cut, switches, nextUrl, renewal);
		if (body === null) return { status: 204, headers, contentType: null, content: '' };
		return await this.encoded(request, {
			status: 200,
			headers,
			contentType: switches.contentType,
			content: switches.byteOrderMark ? `\uFEFF${body}` : body,
		});
	}

	private rejection(
		request: ServiceRequest,
		style: ErrorResponse,
		code: string,
		message: string,
		headers = {},
	): ServiceResponse {
		return errorResponse(this.state, request, style, code, message, headers);
	}

	/** The page that query parameters ask for. */
	cut(resource: Resource, parameters: Record<string, string>): Page | BadParameter {
		const { orders, serviceTime, switches } = this.state;
		const fields = parameters.sort === undefined ? null : this.fieldsOf(resource);
		const query = listQuery(resource, parameters, switches.list, fields, serviceTime());
		if (query instanceof BadParameter) return query;
		return cutPage(orders.list(resource, query, switches.list), query, switches.list);
	}

	private async encoded(
		request: ServiceRequest,
		response: ServiceResponse,
	): Promise<ServiceResponse> {
		const accepted = request.headers['accept-encoding'];
		if (!this.state.switches.list.gzip || !String(accepted).includes('gzip')) return response;
		const headers = { ...response.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' };
		return { ...response, headers, content: await compress(response.content) };
	}

	/** The names the first record shows, which is what `sort` may name. */
	private fieldsOf(resource: Resource): ReadonlySet<string> | null {
		const first = this.state.store.all(resource)[0];
		if (first === undefined) return null;
		const { list: switches } = this.state.switches;
		const names = Object.keys(shownRecord(first, switches));
		return new Set([...names, switches.idField ?? 'id', switches.updatedAtField ?? 'updatedAt']);
	}

	private latency(): Promise<void> {
		return this.state.pause(this.state.switches.list.latencyMs);
	}
}

function nextPageUrl(request: ServiceRequest, page: number): string {
	const url = new URL(request.url, `http://${request.headers.host ?? 'localhost'}`);
	url.searchParams.set('page', String(page + 1));
	return url.href;
}
