export type JsonObject = Record<string, unknown>;
export type Records = readonly JsonObject[];

/** Whether a parsed JSON value is an object, and no array. */
export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether it is text with more than white space. */
export function isNonBlank(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

interface JsonReading {
	value: unknown;
	/** Names of the first fields that hold long integers; '' for one without a name. */
	longIntegers: readonly string[];
}

/**
 * The one reader of JSON, undefined for other text. A number is exact up to 2^53 (RFC 8259 §6), so
 * one beyond that, such as that of an access card, becomes text, as it is written.
 */
export function readJson(text: string): JsonReading | undefined {
	const names = new Set<string>();
	try {
		const exact = MAYBE_LONG.test(text) ? quoteLongNumbers(text, names) : text;
		const value: unknown = JSON.parse(exact);
		return { value, longIntegers: [...names].map((name) => JSON.parse(name) as string) };
	} catch {
		return undefined;
	}
}

/** @returns undefined if the text is not JSON */
export function parseJson(text: string): unknown {
	return readJson(text)?.value;
}

/** Enough for any record; a forged object may have any number of such fields. */
const MAX_NAMES = 100;

/**
 * As many digits as 2^53 has, or an exponent at the end of a value; either may also be in a text.
 * The look-behind keeps the search linear in the digits of a number.
 */
const MAYBE_LONG = /(?<!\d)\d{16}|\de\+?\d+\s*(?:[,}\]]|$)/i;

/** A text to its end, or to that of all; else a number or a word, and what is written like one. */
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[\w.+-]+/g;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e\+?\d+)?$/i;
const COLON = /\s*:/y;

/**
 * Quotes whole numbers that are values, and nothing else: invalid JSON must stay invalid.
 *
 * @param names gets the name that stands before each of them, in its quotation marks
 */
function quoteLongNumbers(text: string, names: Set<string>): string {
	let [written, name, from] = ['', '""', 0];
	for (const { 0: token, index } of text.matchAll(TOKEN)) {
		const end = index + token.length;
		const isLong = NUMBER.test(token) && Math.abs(Number(token)) > Number.MAX_SAFE_INTEGER;
		if (!isLong && !token.startsWith('"')) continue;
		COLON.lastIndex = end;
		const isName = COLON.test(text);
		if (isName && !isLong) name = token;
		if (isName || !isLong) continue;
		if (names.size < MAX_NAMES) names.add(name);
		written += `${text.slice(from, index)}"${token}"`;
		from = end;
	}
	return written + text.slice(from);
}

/**
 * The value at a dot path such as `result.list` or `data.0.items`; the value itself for an empty
 * path. A key that holds the whole rest of the path, dots included, is found too.
 */
export function readDotPath(value: unknown, path: string): unknown {
	if (path === '') return value;
	const step = stepInto(value, path);
	return step && readDotPath(step.value, step.rest);
}

/**
 * Every value at a dot path that passes through lists: `hosts.email` is the e-mail of each host.
 * Undefined wherever the path leads nowhere. No values at all means an empty list.
 */
export function readAllAtPath(value: unknown, path: string): unknown[] {
	if (path === '') return [value];
	if (Array.isArray(value) && value.length === 0) return [];
	const step = stepInto(value, path);
	if (step !== undefined) return readAllAtPath(step.value, step.rest);
	return Array.isArray(value)
		? value.flatMap((one: unknown) => readAllAtPath(one, path))
		: [undefined];
}

interface Step {
	/** A name, or an index of a list. */
	key: string;
	value: unknown;
	/** Of the path, from here on. */
	rest: string;
}

/** Follows the longest key that begins the path, or an index of a list. */
export function stepInto(value: unknown, path: string): Step | undefined {
	// The common case, in which nothing has to be taken apart.
	if (isJsonObject(value) && Object.hasOwn(value, path)) {
		return { key: path, value: value[path], rest: '' };
	}
	const names = path.split('.');
	const [index = ''] = names;
	if (Array.isArray(value) && /^\d+$/.test(index)) {
		return { key: index, value: value[Number(index)], rest: names.slice(1).join('.') };
	}
	for (let length = names.length - 1; length > 0 && isJsonObject(value); length--) {
		const key = names.slice(0, length).join('.');
		const rest = names.slice(length).join('.');
		if (Object.hasOwn(value, key)) return { key, value: value[key], rest };
	}
	return undefined;
}

/** @param path dot path of the object the name stands in; '' at the top */
export function joinPath(path: string, name: string): string {
	return path === '' ? name : `${path}.${name}`;
}

/**
 * The name of a field without what differs between services. `.` and `:` stay, because they part it
 * from the vocabulary it belongs to: `@odata.count`, `hydra:member`.
 */
export function normalizedFieldName(name: string): string {
	return name.toLowerCase().replace(/[-_\s$@]+/g, '');
}

/**
 * The field under the first of these names, likeliest first, that holds what is looked for; of one
 * name that with the shortest key: `id`, `_id`, `@id`.
 *
 * @returns `key`: the name as it stands in the object
 */
export function findField<T>(
	object: JsonObject,
	names: readonly string[],
	holds: (value: unknown) => value is T,
): { key: string; value: T } | undefined {
	const fields = Object.entries(object)
		.map(([key, value]) => [normalizedFieldName(key), { key, value }] as const)
		.sort(([, one], [, other]) => one.key.length - other.key.length);
	for (const wanted of names) {
		for (const [name, { key, value }] of fields) {
			if (name === wanted && holds(value)) return { key, value };
		}
	}
	return undefined;
}

/** The value under a name that is neither missing nor null. */
export function readField(object: unknown, name: string): unknown {
	return isJsonObject(object) ? findField(object, [name], isGiven)?.value : undefined;
}

function isGiven(value: unknown): value is string | number | boolean | object {
	return value !== undefined && value !== null;
}
