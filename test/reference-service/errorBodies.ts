import type { JsonValue } from './json';
import type { ErrorBody } from './switches';
import { fillTemplate } from './template';

export interface ErrorFacts {
	status: number;
	/** Short and for programs, such as `not_found`. */
	code: string;
	/** One sentence. */
	message: string;
	/** The `Authorization` header as it came, for the style that gives it away. */
	authorization?: string | undefined;
}

export interface Body {
	contentType: string | null;
	text: string;
}

export function errorBody(
	style: ErrorBody,
	{ status, code, message, authorization }: ErrorFacts,
): Body {
	switch (style) {
		case 'json':
			return json({ error: code, message });
		case 'text':
			return { contentType: 'text/plain; charset=utf-8', text: message };
		case 'html':
			return htmlBody(`${status} ${code}`, message);
		case 'empty':
			return { contentType: null, text: '' };
		case 'echoAuthorization':
			return json({ error: code, message, request: { authorization: authorization ?? null } });
		default:
			return json(fillTemplate(style.template, { status, code, message }));
	}
}

export function json(value: JsonValue): Body {
	return { contentType: 'application/json; charset=utf-8', text: JSON.stringify(value) };
}

export function htmlBody(title: string, text: string): Body {
	return {
		contentType: 'text/html; charset=utf-8',
		text: `<!doctype html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>\n`,
	};
}
