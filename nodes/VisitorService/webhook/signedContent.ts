import { sha256 } from '../values/digest';
import { type Delivery, headerValue } from './delivery';
import type { Template, Value } from './template';

/**
 * The bytes of each value of a template.
 *
 * @param sent these two as they were sent, because that is what is signed
 * @returns undefined if one is missing
 */
export function signedValues(
	{ values }: Template,
	delivery: Delivery,
	sent: { timestamp: string; id: string },
): Buffer[] | undefined {
	const bytes = values.map((value) => bytesOf(value, delivery, sent));
	const known = bytes.filter((one) => one !== undefined);
	return known.length === bytes.length ? known : undefined;
}

function bytesOf(
	{ kind, name }: Value,
	{ rawBody, headers, query, method, url }: Delivery,
	{ timestamp, id }: { timestamp: string; id: string },
): Buffer | undefined {
	switch (kind) {
		case 'body':
			return rawBody;
		case 'bodySha256Hex':
			return Buffer.from(sha256(rawBody).toString('hex'));
		case 'bodySha256Base64':
			return Buffer.from(sha256(rawBody).toString('base64'));
		case 'timestamp':
			return asSent(timestamp);
		case 'id':
			return asSent(id);
		case 'header':
			return asSent(headerValue(headers, name));
		case 'query': {
			const value = Object.hasOwn(query, name) ? query[name] : undefined;
			const text = Array.isArray(value) ? value.join(',') : value;
			return typeof text === 'string' ? Buffer.from(text) : undefined;
		}
		case 'method':
			return Buffer.from(method);
		case 'url':
			return Buffer.from(url());
		case 'path':
			// Without the query. Only a URL has a path.
			return Buffer.from(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url())?.[1] ?? '');
	}
}

/** node:http reads header bytes as Latin-1; this returns the bytes as they were sent. */
function asSent(value: string): Buffer | undefined {
	return value === '' ? undefined : Buffer.from(value, 'latin1');
}
