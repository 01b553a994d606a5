import { parseJson } from '../../values/json';
import { type HeaderFields, headerValue, isMultipartForm, mediaType } from './request';

export type Body = { kind: 'content'; value: unknown } | { kind: 'unknownCharset' };

/** n8n walks the items of an execution by recursion; what is nested deeper would end it. */
const MAX_NESTING = 200;
const MAX_FORM_FIELDS = 1000;
/** Characters of a number of JSON; `JSON.parse` keeps 17 digits at most. */
const MAX_NUMBER_LENGTH = 30;
/**
 * A number with at most 15 digits is kept as it is (IEEE 754), unless its exponent is too large.
 * Without bounds the pattern would take more of the stack than there is.
 */
const NUMBER_TO_CHECK = /-?\d[\d.e+-]{15,30}|-?\d[\d.]{0,14}e[\d+-]{1,30}/gi;

/** What a body may begin with to say how it is written. */
const BYTE_ORDER_MARKS = [
	{ charset: 'utf-8', bytes: Buffer.from('efbbbf', 'hex') },
	{ charset: 'utf-16be', bytes: Buffer.from('feff', 'hex') },
	{ charset: 'utf-16le', bytes: Buffer.from('fffe', 'hex') },
];

/**
 * Tells whether the bytes n8n hands over are the content itself. n8n undoes gzip and deflate,
 * written in small letters only; and it reads a form with files itself, so that its bytes are gone.
 */
export function isReadableContent(headers: HeaderFields): boolean {
	const coding = headerValue(headers, 'content-encoding');
	return ['', 'identity', 'gzip', 'deflate'].includes(coding) && !isMultipartForm(headers);
}

/**
 * Reads a body by what it is rather than by what it is called, because senders often call it
 * something else.
 *
 * @returns null for an empty body; the value of a JSON text, alone or as the only field of a form;
 *   an object of the fields of a form; else the text
 */
export function readBody(rawBody: Buffer, headers: HeaderFields): Body {
	const text = decodeText(rawBody, headers);
	if (text === undefined) return { kind: 'unknownCharset' };
	if (text.trim() === '') return { kind: 'content', value: null };
	const json = parseShallowJson(text);
	if (json !== undefined) return { kind: 'content', value: json };
	return { kind: 'content', value: parseForm(text, headers) ?? text };
}

/**
 * By the byte order mark, else the charset of the WHATWG Encoding Standard that the sender names,
 * else UTF-8. As in that standard the mark goes first, and is removed.
 */
function decodeText(rawBody: Buffer, headers: HeaderFields): string | undefined {
	const mark = BYTE_ORDER_MARKS.find(({ bytes }) =>
		rawBody.subarray(0, bytes.length).equals(bytes),
	);
	const contentType = headerValue(headers, 'content-type');
	const named = /;\s*charset\s*=\s*["']?([^"',;\s]+)/i.exec(contentType)?.[1];
	const charset = mark?.charset ?? named ?? 'utf-8';
	try {
		return new TextDecoder(charset).decode(rawBody);
	} catch {
		return undefined;
	}
}

/** @returns undefined if the text is not JSON or too deeply nested to be handled further. */
function parseShallowJson(text: string): unknown {
	const value = parseJson(text);
	return isNestedDeeper(value, MAX_NESTING) ? undefined : value;
}

/**
 * JSON as it stands in a text: one value, or a list of those on its lines. Line by line millions of
 * them would take seconds.
 *
 * @returns undefined if the text is neither
 */
export function parseJsonText(text: string): unknown {
	const value = parseShallowJson(text);
	if (value !== undefined) return value;
	return parseShallowJson(`[${text.trim().replace(/[\r\n]+/g, ',')}]`);
}

function isNestedDeeper(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (levels === 0) return true;
	const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
	return inner.some((one) => isNestedDeeper(one, levels - 1));
}

/**
 * Whether nothing of JSON was lost when it was read: `JSON.parse` rounds numbers and keeps the last
 * of the fields with one name, and bytes that are not in the charset are replaced.
 *
 * @param body as it was read
 */
export function isReadExactly(rawBody: Buffer, headers: HeaderFields, body: unknown): boolean {
	const text = decodeText(rawBody, headers);
	if (text === undefined || text.includes('\ufffd')) return false;
	// Backslashes are in texts only, and what is escaped ends none.
	const outsideTexts = text.replace(/\\./gs, '').replace(/"[^"]*"/g, '');
	const numbers = outsideTexts.match(NUMBER_TO_CHECK) ?? [];
	return countColons(outsideTexts) === countFields(body) && numbers.every(isExactNumber);
}

function countColons(text: string): number {
	let count = 0;
	for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) count += 1;
	return count;
}

function countFields(value: unknown): number {
	if (typeof value !== 'object' || value === null) return 0;
	const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
	let count = Array.isArray(value) ? 0 : inner.length;
	for (const one of inner) count += countFields(one);
	return count;
}

/** Whether it is the number that JSON.parse makes of it, maybe written in another way. */
function isExactNumber(written: string): boolean {
	const read = String(Number(written));
	if (written === read) return true;
	return written.length <= MAX_NUMBER_LENGTH && digitsOf(written) === digitsOf(read);
}

/** Without the zeros around them: what rounds a number changes its digits, not only their place. */
function digitsOf(number: string): string {
	const [digits = ''] = number.replace('.', '').split(/e/i);
	return digits.replace(/^-?0*|0+$/g, '');
}

/**
 * A field that comes more than once becomes a list. A form of one field is nothing but the envelope
 * of the JSON in it, as GitHub, Slack and Mandrill send it.
 *
 * @returns undefined if it is not a form
 */
function parseForm(text: string, headers: HeaderFields): unknown {
	if (mediaType(headers) !== 'application/x-www-form-urlencoded') return undefined;
	const parameters = new URLSearchParams(text);
	if (parameters.size > MAX_FORM_FIELDS) return undefined;
	const [first, ...others] = parameters.values();
	const json = first === undefined || others.length > 0 ? undefined : parseShallowJson(first);
	if (typeof json === 'object' && json !== null) return json;
	const values = (name: string) => {
		const all = parameters.getAll(name);
		return all.length === 1 ? all[0] : all;
	};
	return Object.fromEntries(
		[...new Set(parameters.keys())].map((name) => [name, values(name) ?? '']),
	);
}
