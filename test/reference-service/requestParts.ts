import type { ServiceRequest } from './state';

/** The parts of a request target; of a repeated query parameter the last one counts. */
export function requestUrl(url: string): { path: string; query: Record<string, string> } {
	const question = url.indexOf('?');
	if (question < 0) return { path: url, query: {} };
	return {
		path: url.slice(0, question),
		query: Object.fromEntries(new URLSearchParams(url.slice(question + 1))),
	};
}

export type Form = Record<string, string | string[]>;

export function isForm({ headers }: Pick<ServiceRequest, 'headers'>): boolean {
	const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
	return mediaType === 'application/x-www-form-urlencoded';
}

/** The fields of a form, to the letter of the URL standard; a repeated field becomes a list. */
export function formOf(request: Pick<ServiceRequest, 'headers' | 'body'>): Form {
	const form: Form = {};
	// Bodies of other media types are not read at all.
	if (!isForm(request)) return form;
	for (const [name, value] of new URLSearchParams(request.body)) {
		const earlier = form[name];
		form[name] = earlier === undefined ? value : [earlier, value].flat();
	}
	return form;
}
