import type { HttpRequest } from '../../nodes/VisitorService/http/message';

/** A request as it goes over HTTP. */
export function overHttp({ url, headers, query, form }: HttpRequest): {
	target: URL;
	headers: Record<string, string>;
	body?: string;
} {
	const target = new URL(url);
	for (const [name, value] of Object.entries(query ?? {})) {
		target.searchParams.append(name, String(value));
	}
	if (form === undefined) return { target, headers: { ...headers } };
	const fields = new URLSearchParams();
	for (const [name, value] of form) fields.append(name, value);
	return {
		target,
		headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
		body: fields.toString(),
	};
}

/** A body as n8n's client hands it over: JSON parsed, anything else as text. */
export function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
