export type JsonObject = Record<string, unknown>;
export type Records = readonly JsonObject[];

/** Whether a parsed JSON value is an object, and not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether it is text with more than white space. */
export function isNonBlank(value: unknown): value is string {
	return typeof value === 'string' && value.trim() !== '';
}

interface JsonReading {
	value: unknown;
	/** Names of fields that hold long integers; '' for one without a name. */
	longIntegers: readonly string[];
}

/**
 * The one reader of JSON; undefined for any other text. Numbers are exact up to 2^53 (RFC 8259 §6),
 * so a longer integer, such as that of an access card, becomes the text as it is written.
 */
export function readJson(text: string): JsonReading | undefined {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return undefined;
	}
	return mayHoldLongInteger(text) ? readExactly(text) : { value, longIntegers: [] };
}

/** @returns undefined if the text is not JSON */
export function parseJson(text: string): unknown {
	return readJson(text)?.value;
}

/** Digits of 2^53. */
const LONG = 16;

const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

/** Before an integer. Digits after other characters are those of texts and fractions. */
const BEFORE_INTEGER = '[,:- \n\r\t';

/**
 * Fast, as it looks at every 16th character, and at those before it only if that is a digit. Short
 * numbers often have one length: what parts them is looked for first where it was the last time.
 */
function mayHoldLongInteger(json: string): boolean {
	let shift = 0;
	for (let at = LONG - 1; at < json.length; at += LONG) {
		const last = at;
		at -= shift;
		if (!isDigit(json.charCodeAt(at))) continue;
		for (at = last; last - at < LONG && isDigit(json.charCodeAt(at)); ) at--;
		// At most half of the way, so that texts do not slow it down.
		shift = (last - at) % (LONG / 2);
		if (last - at < LONG) continue;
		if (BEFORE_INTEGER.includes(json.charAt(at))) return true;
		for (at = last; isDigit(json.charCodeAt(at)); ) at++;
	}
	return false;
}

/** Enough for any record, while a forged object may have any number of such fields. */
const MAX_NAMES = 100;

/** Outside of texts, JSON has digits only in numbers. */
const TEXT_OR_NUMBER = /"|-?\d[\d.eE+-]*/g;
const COLON = /\s*:/y;

/** As {@link readJson}, of a text that is valid JSON. */
function readExactly(json: string): JsonReading {
	const names = new Set<string>();
	let [written, name, from] = ['', '""', 0];
	TEXT_OR_NUMBER.lastIndex = 0;
	for (let found = TEXT_OR_NUMBER.exec(json); found !== null; found = TEXT_OR_NUMBER.exec(json)) {
		const { 0: token, index } = found;
		if (token === '"') {
			const end = endOfText(json, index);
			TEXT_OR_NUMBER.lastIndex = end;
			COLON.lastIndex = end;
			if (COLON.test(json)) name = json.slice(index, end);
		} else if (!/e/i.test(token) && Math.abs(Number(token)) > Number.MAX_SAFE_INTEGER) {
			if (names.size < MAX_NAMES) names.add(name);
			written += `${json.slice(from, index)}"${token}"`;
			from = index + token.length;
		}
	}
	const value: unknown = JSON.parse(written + json.slice(from));
	return { value, longIntegers: [...names].map((one) => JSON.parse(one) as string) };
}

/**
 * Where the text ends that begins at this quotation mark. Not a pattern, because one that matches
 * escapes overflows the stack of V8 if there are millions of them.
 */
function endOfText(json: string, start: number): number {
	for (let at = json.indexOf('"', start + 1); ; at = json.indexOf('"', at + 1)) {
		let before = at;
		while (json[before - 1] === '\\') before--;
		if ((at - before) % 2 === 0) return at + 1;
	}
}

/**
 * The value at a dot path such as `result.list` or `data.0.items`; the value itself for an empty
 * path. A key may contain dots.
 */
export function readDotPath(value: unknown, path: string): unknown {
	if (path === '') return value;
	// As most paths are; without an object for each step.
	if (isJsonObject(value) && Object.hasOwn(value, path)) return value[path];
	const step = stepInto(value, path);
	return step && readDotPath(step.value, step.rest);
}

/**
 * Every value at a dot path that passes through lists: `hosts.email` is the e-mail of each host. A
 * value is undefined if the path leads nowhere. No value at all means an empty list.
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
	/** The rest of the path. */
	rest: string;
}

/** Follows the longest key that begins the path, or an index of a list. */
export function stepInto(value: unknown, path: string): Step | undefined {
	if (isJsonObject(value)) {
		const key = findKey(value, path);
		return key === undefined
			? undefined
			: { key, value: value[key], rest: path.slice(key.length + 1) };
	}
	const [index = ''] = path.split('.', 1);
	if (!Array.isArray(value) || !/^\d+$/.test(index)) return undefined;
	return { key: index, value: value[Number(index)], rest: path.slice(index.length + 1) };
}

/** To look up a key takes time in line with its length, and a name may hold thousands of dots. */
const MAX_KEYS_TRIED = 32;

/** The longest key that begins a path and ends with it, or before a dot. */
function findKey(object: JsonObject, path: string): string | undefined {
	let end = path.length;
	for (let tried = 0; end >= 0 && tried < MAX_KEYS_TRIED; tried++) {
		const key = path.slice(0, end);
		if (Object.hasOwn(object, key)) return key;
		end = end === 0 ? -1 : path.lastIndexOf('.', end - 1);
	}
	if (end < 0) return undefined;
	const keys = Object.keys(object).filter((key) => path.startsWith(`${key}.`));
	return keys.sort((one, other) => other.length - one.length)[0];
}

/** @param path dot path of the object the name stands in; '' at the top */
export function joinPath(path: string, name: string): string {
	return path === '' ? name : `${path}.${name}`;
}

/**
 * The name of a field without differences in spelling. `.` and `:` stay, because they separate the
 * name from its vocabulary: `@odata.count`, `hydra:member`.
 */
export function normalizedFieldName(name: string): string {
	return name.toLowerCase().replace(/[-_\s$@]+/g, '');
}

/**
 * The field under the first of these names that holds a wanted value. Of several keys with the same
 * name, the shortest counts: `id`, `_id`, `@id`.
 *
 * @param names normalized, likeliest first
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

/** The value under a normalized name, unless it is missing or null. */
export function readField(object: unknown, name: string): unknown {
	return isJsonObject(object) ? findField(object, [name], isGiven)?.value : undefined;
}

function isGiven(value: unknown): value is string | number | boolean | object {
	return value !== undefined && value !== null;
}
