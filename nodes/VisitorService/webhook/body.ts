import { isJsonObject, parseJson } from '../values/json';

type BodyResult =
	| { kind: 'value'; value: unknown }
	/** Not UTF-8, or more than n8n can handle. */
	| { kind: 'undecodable' | 'tooComplex' };

/** n8n walks through items by recursion, which deeper nesting would end. */
const MAX_NESTING = 200;
/**
 * Max values in a JSON body: 10,000 events with ten fields each. Parsing more would block all of
 * n8n for more than half a second.
 */
const MAX_VALUES = 100_000;
const MAX_FORM_FIELDS = 1000;

/**
 * A form has names and values without spaces and without characters of JSON, XML and sentences, so
 * that each `=` and `&` is one of the form.
 */
const FORM = /^[^\s"<>{}[\]=&]+=[^\s"<>{}]*$/;

/**
 * Reads a body by its bytes alone. The headers with its type and charset are not signed: by
 * changing them, a recorded delivery would get another meaning.
 *
 * @returns null for an empty body; the value of a JSON text, alone or as the only field of a form;
 *   an object of the fields of a form; else the text
 */
export function readBody(rawBody: Buffer): BodyResult {
	if (isTooComplex(rawBody)) return { kind: 'tooComplex' };
	let text: string;
	try {
		// Drops a byte order mark.
		text = new TextDecoder('utf-8', { fatal: true }).decode(rawBody);
	} catch {
		return { kind: 'undecodable' };
	}
	if (text.trim() === '') return { kind: 'value', value: null };
	const json = parseJson(text);
	if (json !== undefined) return { kind: 'value', value: json };
	return FORM.test(text) ? readForm(text) : { kind: 'value', value: text };
}

/** The begin of a JSON array or object, after white space (RFC 8259 section 2). */
const BRACKET = /^(?:\xef\xbb\xbf)?[ \t\n\r]*[[{]/;
const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = [0x5b, 0x7b, 0x5d, 0x7d];

/**
 * Whether parsing it as JSON would take too long, or return what n8n cannot handle. Counts brackets
 * and commas outside of texts, without parsing.
 */
function isTooComplex(bytes: Buffer): boolean {
	let [depth, values, isWithinText] = [0, 0, false];
	for (let at = 0; at < bytes.length; at++) {
		const byte = bytes[at];
		if (byte === QUOTE) isWithinText = !isWithinText;
		else if (isWithinText) at += byte === BACKSLASH ? 1 : 0;
		else if (byte === COMMA) values += 1;
		else if (byte === OPEN_LIST || byte === OPEN_OBJECT) [depth, values] = [depth + 1, values + 1];
		else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
		if (depth > MAX_NESTING || values > MAX_VALUES) return BRACKET.test(bytes.toString('latin1'));
	}
	return false;
}

/**
 * A field that occurs more than once becomes a list. A form of one field with JSON is only the
 * envelope of that JSON, as GitHub, Slack and Mandrill send it.
 */
function readForm(text: string): BodyResult {
	if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS)
		return { kind: 'value', value: text };
	const parameters = new URLSearchParams(text);
	// Where escaped bytes are not UTF-8, as in Latin-1 forms, they would be lost.
	if ([...parameters].flat().some((part) => part.includes('\ufffd')))
		return { kind: 'undecodable' };
	const [first = '', ...others] = parameters.values();
	if (others.length === 0) {
		if (isTooComplex(Buffer.from(first))) return { kind: 'tooComplex' };
		const json = parseJson(first);
		if (isJsonObject(json) || Array.isArray(json)) return { kind: 'value', value: json };
	}
	const fields = [...parameters.keys()].map((name) => {
		const [value, ...more] = parameters.getAll(name);
		return [name, more.length === 0 ? value : [value, ...more]] as const;
	});
	return { kind: 'value', value: Object.fromEntries(fields) };
}
