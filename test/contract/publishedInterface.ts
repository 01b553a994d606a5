import { join } from 'node:path';

import OpenAPIBackend, { type Context, type Request } from 'openapi-backend';

/** A request as it was received: the fields of a form parsed, everything else as sent. */
export interface ReceivedRequest {
	method: string;
	/** Path and query. */
	url: string;
	headers: Record<string, string | string[] | undefined>;
	body?: unknown;
}

/** The published interface, as a judge of requests. */
export class PublishedInterface {
	private constructor(private readonly judge: OpenAPIBackend) {}

	/** @throws Error where the document itself is not valid OpenAPI 3.1 */
	static async load(): Promise<PublishedInterface> {
		const judge = new OpenAPIBackend({
			definition: join(__dirname, 'openapi.yaml'),
			strict: true,
			quick: false,
			ajvOpts: { strict: false },
		});
		judge.register({
			obtainAccessToken: allowed,
			listUsers: allowed,
			listOthers: allowed,
			notFound: () => 'There is no such path.',
			methodNotAllowed: () => 'The path does not accept this method.',
			unauthorizedHandler: () => 'The header Authorization with the scheme Bearer is missing.',
			validationFail: ({ validation }: Context) =>
				(validation.errors ?? [])
					.map(({ instancePath, message, params }) =>
						`${instancePath} ${message ?? ''} ${JSON.stringify(params)}`.trim(),
					)
					.join('; '),
		});
		judge.registerSecurityHandler('accessToken', (context: Context<unknown>) => {
			const { headers } = context.request as { headers: Record<string, unknown> };
			return /^Bearer \S/.test(String(headers.authorization));
		});
		await judge.init();
		return new PublishedInterface(judge);
	}

	/** What is wrong with a request by the published interface; undefined where nothing is. */
	async violation({ method, url, headers, body }: ReceivedRequest): Promise<string | undefined> {
		const [path = '', query = ''] = url.split('?');
		const received: Request = {
			method,
			path,
			query,
			headers: definedHeaders(headers),
			body: typeof body === 'object' && body !== null ? body : undefined,
		};
		// The validator looks at a body only where its media type is a published one.
		const published = this.mediaTypes(received);
		const [mediaType = ''] = String(headers['content-type']).split(';');
		if (published.length > 0 && !published.includes(mediaType.trim().toLowerCase())) {
			return `${method} ${path}: The media type of the body is not ${published.join(' or ')}.`;
		}
		const verdict: unknown = await this.judge.handleRequest(received);
		return typeof verdict === 'string' ? `${method} ${path}: ${verdict}` : undefined;
	}

	private mediaTypes(received: Request): string[] {
		const requestBody = this.judge.matchOperation(received)?.requestBody;
		return requestBody !== undefined && 'content' in requestBody
			? Object.keys(requestBody.content)
			: [];
	}
}

function allowed(): undefined {
	return undefined;
}

function definedHeaders(headers: ReceivedRequest['headers']): Record<string, string | string[]> {
	return Object.fromEntries(
		Object.entries(headers).flatMap(([name, value]) =>
			value === undefined ? [] : [[name, value]],
		),
	);
}
