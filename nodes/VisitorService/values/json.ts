export type JsonObject = Record<string, unknown>;

/** Whether a parsed JSON value is an object, and no array. */
export function isRecord(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether it is text that says something: more than spaces. */
export function isText(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

/** @returns undefined if the text is not JSON */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/**
 * Reads the value at a dot path such as `result.list` or `data.0.items`.
 * A key that holds the whole rest of the path, dots included, is found too.
 *
 * @returns undefined if the path leads nowhere; the value itself for an empty path
 */
export function readDotPath(value: unknown, path: string): unknown {
	if (path === '') return value;
	if (Array.isArray(value)) {
		const [head = '', ...rest] = path.split('.');
		return /^\d+$/.test(head) ? readDotPath(value[Number(head)], rest.join('.')) : undefined;
	}
	if (!isRecord(value)) return undefined;
	if (Object.hasOwn(value, path)) return value[path];
	const keys = path.split('.');
	for (let length = keys.length - 1; length > 0; length--) {
		const head = keys.slice(0, length).join('.');
		if (Object.hasOwn(value, head)) return readDotPath(value[head], keys.slice(length).join('.'));
	}
	return undefined;
}

/** @param path dot path of the object the name stands in; '' at the top */
export function joinPath(path: string, name: string): string {
	return path === '' ? name : `${path}.${name}`;
}

/**
 * Reads every value at a dot path that passes through lists: `hosts.email` is the e-mail of each
 * host. As in `readDotPath`, a key that holds the whole rest of the path comes first, and a number
 * is a place in a list.
 *
 * @returns undefined for each place at which the path leads nowhere, so none only for an empty list
 * on the way
 */
export function valuesAt(value: unknown, path: string): unknown[] {
	if (path === '') return [value];
	// The common case, in which nothing has to be taken apart.
	if (isRecord(value) && Object.hasOwn(value, path)) return [value[path]];
	const keys = path.split('.');
	if (Array.isArray(value)) {
		const [head = '', ...rest] = keys;
		if (/^\d+$/.test(head)) return valuesAt(value[Number(head)], rest.join('.'));
		return value.flatMap((element: unknown) => valuesAt(element, path));
	}
	if (!isRecord(value)) return [undefined];
	for (let length = keys.length - 1; length > 0; length--) {
		const head = keys.slice(0, length).join('.');
		if (Object.hasOwn(value, head)) return valuesAt(value[head], keys.slice(length).join('.'));
	}
	return [undefined];
}
