import { readUrl } from '../values/scalar';
import type { HttpRequest, Transport } from './message';

const MAX_REDIRECTS = 3;

/**
 * Follows redirects of GET requests within the origin of the request. A redirect to another origin
 * is returned as the answer: the token must not go there, and what is there is not the tenant's
 * data.
 */
export function withinOrigin(transport: Transport): Transport {
	return async (request) => {
		let current: HttpRequest = request;
		for (let redirects = 0; ; redirects++) {
			const answer = await transport(current);
			const { location } = answer.headers;
			if (answer.statusCode < 300 || answer.statusCode >= 400 || location === undefined)
				return answer;
			const target = readUrl(location, current.url);
			if (target === undefined || redirects === MAX_REDIRECTS) return answer;
			if (target.origin !== new URL(request.url).origin) return answer;
			// The location is the whole URL, with its query (RFC 9110 §10.2.2). Some servers lose the
			// query, and would answer every page with the first one.
			const query = target.search === '' ? request.query : undefined;
			current = { ...current, url: target.href, query };
		}
	};
}
