/** The parts of a request target; of a repeated query parameter the last one counts. */
export function requestUrl(url: string): { path: string; query: Record<string, string> } {
	const question = url.indexOf('?');
	if (question < 0) return { path: url, query: {} };
	return {
		path: url.slice(0, question),
		query: Object.fromEntries(new URLSearchParams(url.slice(question + 1))),
	};
}
