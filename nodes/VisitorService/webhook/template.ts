import { sha256 } from '../values/digest';
import { type Delivery, headerValue } from './delivery';

/** A template such as `v0:{timestamp}:{body}`, in its parts. */
export interface Template {
	/** As it was written. */
	text: string;
	values: readonly Value[];
	/** The text after the last value. */
	end: string;
	/** The ways to take signed bytes apart: with any body, and with one of JSON. */
	patterns: readonly RegExp[];
}

interface Value {
	/** The text before it. */
	before: string;
	kind: Kind;
	/** That of the header or query parameter; of an ID that of its header. */
	name: string;
}

type Kind = keyof typeof KINDS;

/** A delivery, and the time as it was sent, because that is what is signed. */
type Sent = Delivery & { timestamp: string };

/** As short as possible, and without what JSON or lines have and neither a URL nor a token. */
const FREE = '[^{}[\\]"<>\\x00-\\x1f]{0,2048}?';
/** ISO 8601 with a zone, and HTTP dates. */
const DATE =
	'\\d{4}-?\\d\\d-?\\d\\d[T ][\\d:.]{4,20}(?:Z| ?UTC| ?[+-]\\d\\d:?\\d\\d)|[A-Z][a-z]{2}, [\\w: ]{20,24} (?:GMT|[+-]\\d{4})';
/** That, or a number of seconds, ms, µs or ns since 1970. */
const TIME = `(?:\\d{10}|\\d{13}|\\d{16}|\\d{19})(?:\\.\\d{1,8})??|${DATE}`;
/** But for what could be a fraction of a second before JSON. */
const ANY_BODY = '(?!\\d{1,8}\\.[{[])[^]*';
/** What begins and ends with a bracket, after its spaces and a byte order mark. */
const JSON_BODY = '(?:\\xef\\xbb\\xbf)?\\s{0,64}[{[][^]*[}\\]]\\s*';

type Row = readonly [
	pattern: string,
	example: string,
	read: (sent: Sent, name: string) => Buffer | string | undefined,
];

const hash = (form: 'hex' | 'base64') => (sent: Sent) => sha256(sent.rawBody).toString(form);
const headerOf: Row[2] = ({ headers }, name) => asSent(headerValue(headers, name));
/** A URL with its path, which ends before the query. */
const PATH = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*([^?#]*)/i;

/** What each placeholder stands for. */
const KINDS = {
	body: ['[^]*', '{}', ({ rawBody }) => rawBody],
	bodySha256Hex: ['[\\da-f]{64}', '0'.repeat(64), hash('hex')],
	bodySha256Base64: ['[\\w+/]{43}=', `${'A'.repeat(43)}=`, hash('base64')],
	timestamp: [TIME, '1700000000', ({ timestamp }) => asSent(timestamp)],
	id: ['[\\w.:@+/-]{1,256}?={0,2}', 'e-a', headerOf],
	method: ['[A-Z]{3,7}?', 'POST', ({ method }) => method],
	url: [`https?://${FREE}`, 'https://n8n.example.com/webhook', ({ url }) => url()],
	path: [`/${FREE}`, '/webhook', ({ url }) => PATH.exec(url())?.[1] ?? ''],
	header: [FREE, 'ab', headerOf],
	query: [FREE, 'ab', queryOf],
} as const satisfies Record<string, Row>;

/** node:http reads header bytes as Latin-1; this returns the bytes as they were sent. */
function asSent(value: string): Buffer | undefined {
	return value === '' ? undefined : Buffer.from(value, 'latin1');
}

function queryOf({ query }: Sent, name: string): string | undefined {
	const value = Object.hasOwn(query, name) ? query[name] : undefined;
	const text = Array.isArray(value) ? value.join(',') : value;
	return typeof text === 'string' ? text : undefined;
}

/** The name of a header: RFC 9110 section 5.6.2. */
const PLACEHOLDER = /\{(\w+)(?:\.(?:([\w!#$%&'*+.^`|~-]+)|([^{}]+)))?\}/g;

/** @param idHeader the header that `{id}` stands for; `''` if there is none */
export function parseTemplate(text: string, idHeader = ''): Template {
	const values: Value[] = [];
	let end = 0;
	for (const { index, 0: whole, 1: word = '', 2: token, 3: other } of text.matchAll(PLACEHOLDER)) {
		const name = token ?? other;
		const isNamed = word === 'query' || (word === 'header' && other === undefined);
		if (!isKind(word) || isNamed !== (name !== undefined)) continue;
		const ownName = word === 'id' ? idHeader : (name?.trim() ?? '');
		values.push({ before: text.slice(end, index), kind: word, name: ownName });
		end = index + whole.length;
	}
	const parts = { text, values, end: text.slice(end) };
	return { ...parts, patterns: [ANY_BODY, JSON_BODY].map((body) => patternOf(parts, body)) };
}

function isKind(word: string): word is Kind {
	return Object.hasOwn(KINDS, word);
}

/** @param anyBody the pattern of a body of which the text around it says where it ends */
function patternOf({ values, end }: Omit<Template, 'patterns'>, anyBody: string): RegExp {
	const isBody = (at: number) => values[at]?.kind.startsWith('body') === true;
	const touches = (at: number) => at > 0 && values[at]?.before === '' && !isBody(at);
	const parts = values.map(({ before, kind }, at) => {
		const [former, next] = [values[at - 1], values[at + 1]];
		let [pattern]: Row = KINDS[kind];
		if (kind === 'body') {
			// Only of JSON it is sure where it begins and ends.
			const isOpen =
				(former && isOf(former.kind, KINDS[former.kind][1] + before)) ||
				(next && isOf(next.kind, next.before + KINDS[next.kind][1]));
			pattern = isOpen ? JSON_BODY : anyBody;
		} else if (kind === 'timestamp') {
			// Beside a value whose digits could be some of its own: in seconds only.
			const [isBehind, isBefore] = [touches(at) && !isBody(at - 1), touches(at + 1)];
			const seconds = `${isBehind ? '(?<![\\d.])' : ''}\\d{10}${isBefore ? '(?!\\d)' : ''}|${DATE}`;
			if (isBehind || isBefore) pattern = seconds;
		}
		return `${literal(before)}(${pattern})`;
	});
	return new RegExp(`^${parts.join('')}${literal(end)}$`);
}

function isOf(kind: Kind, text: string): boolean {
	return new RegExp(`^(?:${KINDS[kind][0]})$`).test(text);
}

/** A text as part of a pattern. */
export function literal(text: string): string {
	const bytes = Buffer.from(text).toString('latin1');
	return bytes.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

export function holds({ values }: Template, kind: Kind): boolean {
	return values.some((value) => value.kind === kind);
}

/** Whether a signature over this content protects the body. */
export function protectsBody({ values }: Template): boolean {
	return values.some(({ kind }) => kind.startsWith('body'));
}

/** The bytes of each value of a template; undefined if one is missing. */
export function signedValues({ values }: Template, sent: Sent): Buffer[] | undefined {
	const read = values.map(({ kind, name }) => KINDS[kind][2](sent, name));
	const known = read.filter((one) => one !== undefined);
	if (known.length < read.length) return undefined;
	return known.map((one) => (typeof one === 'string' ? Buffer.from(one) : one));
}

/** @param values in the order of the template, each as the bytes that are signed */
export function fillIn({ values, end }: Template, bytes: readonly Buffer[]): Buffer[] {
	const parts = values.map(({ before }, at) => [Buffer.from(before), ...bytes.slice(at, at + 1)]);
	return [...parts.flat(), Buffer.from(end)];
}

/**
 * Whether signed bytes, taken apart again, are these values, and nothing else. Each value is as
 * short as possible then, before a body as long as possible. Otherwise whoever recorded a delivery
 * could move the borders between its values, and the same signature would be that of another time,
 * ID or body.
 */
export function isReadAs(template: Template, values: readonly Buffer[]): boolean {
	// Each alone first: what a long value cannot be is not searched for in the whole.
	const texts = values.map((value) => value.toString('latin1'));
	if (!texts.every((text, at) => isOf(template.values[at]?.kind ?? 'body', text))) return false;
	const signed = Buffer.concat(fillIn(template, values)).toString('latin1');
	const readings = template.patterns.flatMap((pattern) => pattern.exec(signed)?.slice(1) ?? []);
	return readings.length > 0 && readings.every((text, at) => text === texts[at % texts.length]);
}

/** Whether two values touch of which nothing says where the first one ends. */
export function hasOpenBorder(template: Template): boolean {
	const examples = template.values.map(({ kind }) => Buffer.from(KINDS[kind][1]));
	return !isReadAs(template, examples);
}

/**
 * Finds what looks like a placeholder in a template and is not one: `{Body}`, `{ body }`,
 * `{{body}}`, `{body`, `${body}`; and `\n`, two characters where a line break is meant. In JSON
 * built around the body only names in braces are sure to be none.
 */
export function unknownPlaceholder({ text, values, end }: Template): string | undefined {
	const rest = [...values.map(({ before }) => before), end].join('\ufffd');
	const named = /\{[^{}"\ufffd]*\}/.exec(rest)?.[0];
	if (named !== undefined || text.includes('"')) return named;
	return /[{}]|\\[rn]|\$(?=\ufffd)/.exec(rest)?.[0];
}
