import { sha256 } from '../../values/digest';
import { type Delivery, HEADER_NAME, headerValue } from '../delivery/request';

/** A template such as `{id}.{timestamp}.{body}`, in its parts. */
export type Part =
	| { kind: 'text'; text: string }
	| { kind: 'value'; name: ValueName }
	/** A header or query parameter of that name. */
	| { kind: 'header' | 'query'; name: string };

type ValueName = (typeof SIGNED_VALUE_NAMES)[number];

const SIGNED_VALUE_NAMES = [
	'body',
	'bodySha256Hex',
	'bodySha256Base64',
	'timestamp',
	'id',
	'method',
	'url',
	'path',
] as const;

const PLACEHOLDER = new RegExp(
	`\\{(?:(?<value>${SIGNED_VALUE_NAMES.join('|')})|header\\.(?<header>${HEADER_NAME})|query\\.(?<query>[^{}]+))\\}`,
	'g',
);

/**
 * What is meant as a placeholder, and is none: whatever stands in braces, unless JSON is built
 * around the body.
 */
const UNKNOWN = /\{[^{}"]*\}/;

export function parseTemplate(template: string): Part[] {
	const parts: Part[] = [];
	let end = 0;
	for (const { index, 0: whole, groups = {} } of template.matchAll(PLACEHOLDER)) {
		parts.push({ kind: 'text', text: template.slice(end, index) });
		end = index + whole.length;
		const { header, query = '' } = groups;
		const value = SIGNED_VALUE_NAMES.find((one) => one === groups.value);
		if (value !== undefined) parts.push({ kind: 'value', name: value });
		else if (header !== undefined) parts.push({ kind: 'header', name: header });
		else parts.push({ kind: 'query', name: query.trim() });
	}
	parts.push({ kind: 'text', text: template.slice(end) });
	return parts;
}

export function hasValue(parts: readonly Part[], name: ValueName): boolean {
	return parts.some((part) => part.kind === 'value' && part.name === name);
}

/** Whether a signature over this content protects the body. */
export function protectsBody(parts: readonly Part[]): boolean {
	return (['body', 'bodySha256Hex', 'bodySha256Base64'] as const).some((name) =>
		hasValue(parts, name),
	);
}

/**
 * Finds what looks like a placeholder in a template and is not one: `{Body}`, `{ body }`,
 * `{{body}}`, `{body`, `${body}`.
 *
 * @returns undefined if there is nothing of the kind
 */
export function unknownPlaceholder(template: string): string | undefined {
	const texts = parseTemplate(template).flatMap((part) => (part.kind === 'text' ? part.text : []));
	const named = texts.map((text) => UNKNOWN.exec(text)?.[0]).find((found) => found !== undefined);
	if (named !== undefined || template.includes('"')) return named;
	const braces = texts.map((text) => /[{}]/.exec(text)?.[0]);
	return [...braces, /\$\{/.exec(template)?.[0]].find((found) => found !== undefined);
}

/**
 * The signed bytes in the order of the template. The body stays the bytes that came.
 *
 * @returns undefined if a header or query parameter is missing
 */
export function signedBytes(
	parts: readonly Part[],
	delivery: Delivery,
	{ timestamp, id }: { timestamp: string; id: string },
): Buffer[] | undefined {
	const bytes = parts.map((part) => {
		switch (part.kind) {
			case 'text':
				return Buffer.from(part.text, 'utf8');
			case 'header':
				return asSent(headerValue(delivery.headers, part.name));
			case 'query':
				return queryValue(delivery.query, part.name);
			case 'value':
				return valueOf(part.name, delivery, timestamp, id);
		}
	});
	const known = bytes.filter((part) => part !== undefined);
	return known.length === bytes.length ? known : undefined;
}

function valueOf(name: ValueName, delivery: Delivery, timestamp: string, id: string): Buffer {
	switch (name) {
		case 'body':
			return delivery.rawBody;
		case 'bodySha256Hex':
			return Buffer.from(sha256(delivery.rawBody).toString('hex'));
		case 'bodySha256Base64':
			return Buffer.from(sha256(delivery.rawBody).toString('base64'));
		case 'timestamp':
			return Buffer.from(timestamp, 'latin1');
		case 'id':
			return Buffer.from(id, 'latin1');
		case 'method':
			return Buffer.from(delivery.method);
		case 'url':
			return Buffer.from(delivery.url());
		case 'path':
			return Buffer.from(pathOf(delivery.url()));
	}
}

/** node:http reads header bytes as Latin-1; this returns the bytes as they were sent. */
function asSent(value: string): Buffer | undefined {
	return value === '' ? undefined : Buffer.from(value, 'latin1');
}

function queryValue(query: Record<string, unknown>, name: string): Buffer | undefined {
	const value = Object.hasOwn(query, name) ? query[name] : undefined;
	const text = Array.isArray(value) ? value.join(',') : value;
	return typeof text === 'string' ? Buffer.from(text, 'utf8') : undefined;
}

/** Without the query. Only a URL has a path. */
function pathOf(url: string): string {
	return /^[a-z][a-z\d+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? '';
}
