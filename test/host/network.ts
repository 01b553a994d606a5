import { Readable } from 'node:stream';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';
import type { ServiceResponse } from '../reference-service/responses';
import type { VisitorService } from '../reference-service/service';
import type { ServiceRequest } from '../reference-service/state';
import type { VirtualTime } from './virtualTime';

interface Site {
	service: VisitorService;
	/** A certificate of its own, which only Ignore SSL Issues accepts. */
	selfSigned: boolean;
}

/** What the client of n8n throws: axios. */
class AxiosError extends Error {
	override name = 'AxiosError';

	constructor(
		message: string,
		readonly code: string,
		readonly response?: { status: number; headers: IDataObject; data: unknown },
	) {
		super(message);
	}
}

const MAX_REDIRECTS = 21;

/**
 * The services of this process by their origin, and n8n's two request helpers without a network.
 * It follows `http/axios/request.js` of @n8n/backend-network (n8n 2.41.1).
 */
export class Network {
	private readonly sites = new Map<string, Site>();

	constructor(
		private readonly time: VirtualTime,
		/** Milliseconds a request takes on its way there, and again on its way back. */
		readonly latency: () => number = () => 0,
	) {}

	add(origin: string, service: VisitorService, { selfSigned = false } = {}): void {
		this.sites.set(origin, { service, selfSigned });
	}

	/** `helpers.httpRequest`. */
	async httpRequest(options: IHttpRequestOptions): Promise<unknown> {
		const { body, disableFollowRedirect, json, method = 'GET', qs, url } = options;
		const headers = lowerCase(options.headers);
		if (json === true) headers.accept = 'application/json';
		const request = { method, url: targetOf(url, qs), headers, body: formOf(body) };
		const redirects = disableFollowRedirect === true ? 0 : MAX_REDIRECTS;
		return resultOf(await this.follow(request, options, redirects), options);
	}

	/** From now on this responds to each request instead, or with what `send` gets. */
	intercept(
		respond: (options: IHttpRequestOptions, send: Network['httpRequest']) => Promise<unknown>,
	): void {
		const send = this.httpRequest.bind(this);
		this.httpRequest = async (options) => await respond(options, send);
	}

	/** `helpers.request`, as a credential test gets it. */
	async request({ encoding, uri, useStream, ...options }: LegacyRequest): Promise<unknown> {
		const inMemory = encoding === null ? 'arraybuffer' : options.json === true ? 'json' : 'text';
		return await this.httpRequest({
			...options,
			url: uri,
			encoding: useStream === true ? 'stream' : inMemory,
			disableFollowRedirect: options.followRedirect === false,
			ignoreHttpStatusErrors: options.simple === false,
			returnFullResponse: options.resolveWithFullResponse,
			skipSslCertificateValidation: options.rejectUnauthorized === false,
		});
	}

	private async follow(
		request: ServiceRequest,
		options: IHttpRequestOptions,
		redirects: number,
	): Promise<ServiceResponse> {
		const response = await this.send(request, options);
		const { location } = response.headers;
		if (response.status < 300 || response.status > 399 || location === undefined) return response;
		if (redirects === 0) return response;
		const url = new URL(location, request.url).href;
		return await this.follow({ ...request, url }, options, redirects - 1);
	}

	private async send(
		request: ServiceRequest,
		options: IHttpRequestOptions,
	): Promise<ServiceResponse> {
		const { skipSslCertificateValidation: insecure, timeout = 0 } = options;
		const signal = options.abortSignal as AbortSignal | undefined;
		const { origin, host, hostname, pathname, search } = new URL(request.url);
		const site = this.sites.get(origin);
		if (site === undefined) throw new AxiosError(`getaddrinfo ENOTFOUND ${hostname}`, 'ENOTFOUND');
		if (site.selfSigned && insecure !== true)
			throw new AxiosError('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT');
		return await new Promise<ServiceResponse>((resolve, reject) => {
			const canceled = () => reject(new AxiosError('canceled', 'ERR_CANCELED'));
			if (signal?.aborted === true) {
				canceled();
				return;
			}
			signal?.addEventListener('abort', canceled);
			const stopTimer = this.time.startTimer(timeout > 0 ? timeout : Infinity, () =>
				reject(new AxiosError(`timeout of ${timeout}ms exceeded`, 'ECONNABORTED')),
			);
			const headers = { ...request.headers, host };
			// The client of n8n stops its clock at the headers.
			void this.exchange(
				site.service,
				{ ...request, url: `${pathname}${search}`, headers },
				stopTimer,
			)
				.then(resolve, reject)
				.finally(() => {
					stopTimer();
					signal?.removeEventListener('abort', canceled);
				});
		});
	}

	protected async exchange(
		service: VisitorService,
		request: ServiceRequest,
		headersReceived: () => void,
	): Promise<ServiceResponse> {
		const recorded = service.begin(request);
		try {
			await this.pass();
			const outcome = await service.respond(request, recorded);
			await this.pass();
			switch (outcome.kind) {
				case 'response':
					return outcome.response;
				case 'reset':
					throw new AxiosError('socket hang up', 'ECONNRESET');
				case 'cut':
					throw new AxiosError('stream has been aborted', 'ERR_BAD_RESPONSE');
				case 'stall':
				case 'trickle':
					headersReceived();
					return await new Promise<never>(() => undefined);
				case 'hang':
					return await new Promise<never>(() => undefined);
			}
		} finally {
			service.ended(recorded);
		}
	}

	private async pass(): Promise<void> {
		const milliseconds = this.latency();
		if (milliseconds > 0) await this.time.sleep(milliseconds);
	}
}

/** What n8n's older helper takes, whose type n8n calls deprecated. */
interface LegacyRequest {
	uri: string;
	method?: IHttpRequestOptions['method'];
	headers?: Record<string, string>;
	qs?: IDataObject;
	body?: string;
	timeout?: number;
	json?: boolean;
	/** False: every status is a response. */
	simple?: boolean;
	resolveWithFullResponse?: boolean;
	followRedirect?: boolean;
	rejectUnauthorized?: boolean;
	/** Null: bytes. */
	encoding?: string | null;
	useStream?: boolean;
}

function lowerCase(headers: object = {}): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value as string]),
	);
}

function targetOf(url: string, query: object = {}): string {
	const target = new URL(url);
	for (const [name, value] of Object.entries(query))
		target.searchParams.append(name, value as string);
	return target.href;
}

function formOf(body: unknown): string {
	return body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
}

function resultOf(
	{ content, contentType, status, headers: sent }: ServiceResponse,
	{ encoding, ignoreHttpStatusErrors: ignored, returnFullResponse }: IHttpRequestOptions,
): unknown {
	const headers = { ...sent, ...(contentType !== null && { 'content-type': contentType }) };
	const bytes = Buffer.from(content);
	const text = () => bytes.toString().replace(/^\uFEFF/, '');
	// Without an encoding axios parses whatever is JSON, a bare number too.
	const data =
		encoding === 'stream'
			? Readable.from([bytes])
			: encoding === 'arraybuffer'
				? bytes
				: encoding === 'text'
					? text()
					: parsed(text());
	const isAccepted =
		typeof ignored === 'object'
			? !ignored.except.includes(status)
			: ignored === true || (status >= 200 && status < 300);
	if (!isAccepted) {
		const code = status < 500 ? 'ERR_BAD_REQUEST' : 'ERR_BAD_RESPONSE';
		const message = `Request failed with status code ${status}`;
		throw new AxiosError(message, code, { status, headers, data });
	}
	return returnFullResponse === true
		? { body: data, headers, statusCode: status, statusMessage: '' }
		: data;
}

/** JSON as a value, anything else as text. */
function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
