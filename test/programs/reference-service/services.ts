import { request } from 'undici';

import {
	type ReferenceService,
	type ReferenceServiceOptions,
	startReferenceService,
} from '../../reference-service';

export interface Answered {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	text: string;
	/** The parsed body; undefined where it is not JSON. */
	json: unknown;
}

type Asked = Parameters<typeof request>[1];

/** A running service with the two calls of the published interface. */
export interface Running {
	service: ReferenceService;
	/** A token request; fields given replace the right ones, undefined leaves one out. */
	exchange: (fields?: Record<string, string | undefined>) => Promise<Answered>;
	/** A token that the service accepts. */
	token: () => Promise<string>;
	/**
	 * A list call, `users?page=0` for example, with a fresh token unless `authorization` is given
	 * (null = none).
	 */
	list: (
		target?: string,
		options?: { authorization?: string | null; headers?: Record<string, string> },
	) => Promise<Answered>;
	/** Any call. */
	call: (path: string, options?: Asked) => Promise<Answered>;
}

/** Starts services, in memory unless asked otherwise, and stops them after each test. */
export function referenceServices(): (options?: ReferenceServiceOptions) => Promise<Running> {
	const started: ReferenceService[] = [];
	afterEach(async () => {
		await Promise.all(started.splice(0).map((service) => service.stop()));
	});
	return async (options = {}) => {
		const service = await startReferenceService({ durable: false, ...options });
		started.push(service);
		return caller(service);
	};
}

export function caller(service: ReferenceService): Running {
	const call = (path: string, options?: Asked) => answered(`${service.url}${path}`, options);
	const exchange = (fields: Record<string, string | undefined> = {}) => {
		const form = new URLSearchParams();
		const sent: Record<string, string | undefined> = {
			grant_type: 'client_credentials',
			client_id: service.clientId,
			client_secret: service.clientSecret,
			...fields,
		};
		for (const [name, value] of Object.entries(sent)) {
			if (value !== undefined) form.append(name, value);
		}
		return call('/auth/app-oauth', {
			method: 'POST',
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
			body: form.toString(),
		});
	};
	const token = async () => {
		const { json } = await exchange();
		return (json as { access_token: string }).access_token;
	};
	return {
		service,
		call,
		exchange,
		token,
		list: async (target = 'users', { authorization, headers = {} } = {}) => {
			const sent = authorization === undefined ? `Bearer ${await token()}` : authorization;
			return await call(`/api/external/v2/${target}`, {
				headers: { ...headers, ...(sent === null ? {} : { authorization: sent }) },
			});
		},
	};
}

async function answered(url: string, options?: Asked): Promise<Answered> {
	const { statusCode, headers, body } = await request(url, options);
	const text = await body.text();
	return { status: statusCode, headers, text, json: parsed(text) };
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
