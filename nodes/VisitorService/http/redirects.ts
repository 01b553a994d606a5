import { readUrl } from '../values/scalar';
import type { HttpRequest, Transport } from './message';

const MAX_REDIRECTS = 3;

/**
 * Follows redirects of GET requests within the origin of the request. A redirect to another origin
 * is returned as the response: the token must not be sent there, and the data there is not the
 * tenant's.
 */
export function followSameOrigin(transport: Transport): Transport {
	return async (request) => {
		let current: HttpRequest = request;
		for (let redirects = 0; ; redirects++) {
			const response = await transport(current);
			const { location } = response.headers;
			if (response.statusCode < 300 || response.statusCode >= 400 || location === undefined)
				return response;
			const target = readUrl(location, current.url);
			if (target === undefined || redirects === MAX_REDIRECTS) return response;
			if (target.origin !== new URL(request.url).origin) return response;
			// The location replaces the query too (RFC 9110 §10.2.2). But some servers leave the query
			// out of it, and would then return the first page for every page.
			const query = target.search === '' ? request.query : undefined;
			current = { ...current, url: target.href, query };
		}
	};
}
