import { sha256 } from '../values/digest';
import { HEADER_NAME } from '../values/parameters';
import { type Delivery, headerValue } from './delivery';

/**
 * A template such as `v0:{timestamp}:{body}`: its values, the text before each and the one after
 * the last. `name` is that of the header or query parameter; of an ID that of its header.
 */
export interface Template {
	/** As it was written. */
	text: string;
	values: ReadonlyArray<{ before: string; kind: Kind; name: string }>;
	end: string;
}

type Kind = keyof typeof PLACEHOLDERS;

/** A delivery, and the time as it was sent, because that is what is signed. */
type SignedDelivery = Delivery & { timestamp: string };

/*
 * Patterns of the values: whatever a sender could send that would be accepted. A quantifier in
 * braces with a comma leaves a choice; of it, and of nothing else, `boundaryPatterns` makes the
 * shortest.
 */

/** Without what JSON or lines have and neither a URL nor a token. */
const FREE = '[^{}[\\]"<>\\x00-\\x1f]{0,2048}';
/**
 * ISO 8601. A zone that follows belongs to the time: without it no time would be accepted. It has
 * minutes, because a text that begins with `00` or `:00` could give them to a zone of hours alone.
 */
const ISO_TIME =
	'\\d{4}-?\\d\\d-?\\d\\d[T ][\\d:.]{4,20}(?: ?(?:Z|UTC|[+-]\\d\\d:?\\d\\d)|(?![\\d:.]| ?(?:Z|UTC|[+-]\\d\\d)))';
const HTTP_DATE = '[A-Z][a-z]{2}, [\\w: ]{20,24} (?:GMT|[+-]\\d{4})';
/** These, or a number of seconds, ms, µs or ns since 1970 until 2065. */
const TIME = `[12]\\d{9}(?:\\d{3}){0,3}(?:\\.\\d{1,8}){0,1}|${ISO_TIME}|${HTTP_DATE}`;

type Row = readonly [
	pattern: string,
	example: string,
	read: (sent: SignedDelivery, name: string) => Buffer | string | undefined,
];

const hash = (form: 'hex' | 'base64') => (sent: SignedDelivery) =>
	sha256(sent.rawBody).toString(form);
const timeOf: Row[2] = ({ timestamp }) => toHeaderBytes(timestamp);
const headerOf: Row[2] = ({ headers }, name) => toHeaderBytes(headerValue(headers, name));
/** A URL with its path, which ends before the query. */
const PATH = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*([^?#]*)/i;

/** What each placeholder stands for. */
const PLACEHOLDERS = {
	body: ['[^]{0,}', '{}', ({ rawBody }) => rawBody],
	bodySha256Hex: ['[\\da-f]{64}', '0'.repeat(64), hash('hex')],
	bodySha256Base64: ['[\\w+/]{43}=', `${'A'.repeat(43)}=`, hash('base64')],
	timestamp: [TIME, '1700000000', timeOf],
	timestampSeconds: ['[12]\\d{9}', '1700000000', timeOf],
	timestampMilliseconds: ['[12]\\d{12}', '1700000000000', timeOf],
	timestampIso: [ISO_TIME, '2023-11-14T22:13:20Z', timeOf],
	id: ['[\\w.:@+/-]{1,256}={0,2}', 'e-a', headerOf],
	method: ['POST', 'POST', ({ method }) => method],
	url: [`https?://${FREE}`, 'https://n8n.example.com/webhook', ({ url }) => url()],
	path: [`/${FREE}`, '/webhook', ({ url }) => PATH.exec(url())?.[1] ?? ''],
	header: [FREE, 'ab', headerOf],
	query: [FREE, 'ab', queryOf],
} as const satisfies Record<string, Row>;
const KIND_NAMES = Object.keys(PLACEHOLDERS) as Kind[];

/** node:http reads header bytes as Latin-1; this returns the bytes as they were sent. */
function toHeaderBytes(value: string): Buffer | undefined {
	return value === '' ? undefined : Buffer.from(value, 'latin1');
}

/** Not a repeated parameter: joined, its values could also be those of one. */
function queryOf({ query }: SignedDelivery, name: string): string | undefined {
	const value = query[name];
	return typeof value === 'string' ? value : undefined;
}

const PLACEHOLDER = /\{(\w+)(?:\.([^{}]+))?\}/g;

/** @param idHeader the header that `{id}` stands for; `''` if there is none */
export function parseTemplate(text: string, idHeader = ''): Template {
	const values: Array<Template['values'][number]> = [];
	let end = 0;
	for (const { index, 0: whole, 1: word = '', 2: name } of text.matchAll(PLACEHOLDER)) {
		const isNamed = word === 'query' || (word === 'header' && HEADER_NAME.test(name ?? ''));
		const kind = KIND_NAMES.find((one) => one === word);
		if (kind === undefined || isNamed !== (name !== undefined)) continue;
		const ownName = word === 'id' ? idHeader : (name?.trim() ?? '');
		values.push({ before: text.slice(end, index), kind, name: ownName });
		end = index + whole.length;
	}
	return { text, values, end: text.slice(end) };
}

/**
 * The two ways to divide signed bytes that differ most: with the longest and with the shortest
 * values. Two divisions of any kind differ in one of these.
 */
function boundaryPatterns({ values, end }: Template, bytes: readonly Buffer[]): RegExp[] {
	const parts = values.map(
		({ before, kind }, index) =>
			`${escapePattern(before)}(${patternOf(kind, String(bytes[index]))})`,
	);
	const longest = `^${parts.join('')}${escapePattern(end)}$`;
	return [longest, longest.replace(/\{\d+,\d*\}/g, '$&?')].map((one) => new RegExp(one));
}

/** n8n chooses the path and all of the URL but its query, so that they are certain. */
function patternOf(kind: Kind, value: string): string {
	if (kind === 'path') return escapePattern(value);
	if (kind === 'url') return `${escapePattern(value.replace(/\?.*/s, ''))}(?:\\?${FREE}){0,1}`;
	return PLACEHOLDERS[kind][0];
}

/** A text as part of a pattern. */
export function escapePattern(text: string): string {
	const bytes = Buffer.from(text).toString('latin1');
	return bytes.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

/** @param kind `body` stands for its hashes too, `timestamp` for its forms */
export function hasPlaceholder({ values }: Template, kind: Kind): boolean {
	return values.some((value) => value.kind.startsWith(kind));
}

/** The bytes of each value of a template; undefined if one is missing. */
export function signedValues({ values }: Template, sent: SignedDelivery): Buffer[] | undefined {
	const read = values.map(({ kind, name }) => PLACEHOLDERS[kind][2](sent, name));
	const given = read.filter((one) => one !== undefined);
	if (given.length < read.length) return undefined;
	return given.map((one) => (typeof one === 'string' ? Buffer.from(one) : one));
}

/** @param values in the order of the template, each as the bytes that are signed */
export function renderSignedContent({ values, end }: Template, bytes: readonly Buffer[]): Buffer[] {
	const parts = values.map(({ before }, at) => [Buffer.from(before), ...bytes.slice(at, at + 1)]);
	return [...parts.flat(), Buffer.from(end)];
}

/**
 * Whether signed bytes can be divided into these values only: the division with the longest values
 * is the one with the shortest. Otherwise whoever recorded a delivery could move the borders
 * between its values, and the same signature would be that of another time, ID or body.
 */
export function hasOneDivision(template: Template, values: readonly Buffer[]): boolean {
	const signed = Buffer.concat(renderSignedContent(template, values)).toString('latin1');
	const texts = values.map((value) => value.toString('latin1'));
	return boundaryPatterns(template, values).every((reading) => {
		const [, ...read] = reading.exec(signed) ?? [];
		return read.length === texts.length && read.every((text, at) => text === texts[at]);
	});
}

/** Whether two values touch of which nothing says where the first one ends. */
export function hasAmbiguousBorder(template: Template): boolean {
	const examples = template.values.map(({ kind }) => Buffer.from(PLACEHOLDERS[kind][1]));
	return !hasOneDivision(template, examples);
}

/** Values that may have any length. */
const OPEN_KINDS: readonly Kind[] = ['body', 'id', 'url', 'header', 'query'];

/**
 * Whether the time to divide signed bytes may grow with their square: after the body, which may end
 * anywhere, so may two more values.
 */
export function isSlowToDivide({ values }: Template): boolean {
	const kinds = values.map(({ kind }) => kind);
	const fromBody = kinds.slice(Math.max(kinds.indexOf('body'), 0));
	return fromBody[0] === 'body' && fromBody.filter((kind) => OPEN_KINDS.includes(kind)).length > 2;
}

/** What some senders send, by a text beside it. */
const UNUSUAL: ReadonlyArray<readonly [Kind, what: string, example: (beside: string) => string]> = [
	['timestamp', 'a fraction of a second', () => '1700000000.5'],
	['timestamp', 'a time in milliseconds', () => '1712345678901'],
	['id', 'an ID that ends in digits', () => 'e-170'],
	['id', 'an ID that holds the text beside it', (beside) => `e${beside}1`],
	['header', 'a header that holds the text beside it', (beside) => `e${beside}1`],
	['query', 'a query parameter that holds the text beside it', (beside) => `e${beside}1`],
	['body', 'a text or form that looks like the part beside it', (beside) => `123${beside}1`],
	['url', 'a query in the URL', () => 'https://n8n.example.com/a?b=c'],
];

/** What makes a delivery rejected, because its signed content can then be divided in two ways. */
export function uncertainValues(template: Template): string[] {
	const { values, end } = template;
	const isUncertain = ([kind, , example]: (typeof UNUSUAL)[number]) => {
		const index = values.findIndex((value) => value.kind === kind);
		if (index < 0) return false;
		const beside = [values[index]?.before ?? '', values[index + 1]?.before ?? end];
		return beside.map(example).some((text) => {
			const examples = values.map((value, at) =>
				Buffer.from(at === index ? text : PLACEHOLDERS[value.kind][1]),
			);
			return isOf(kind, text) && !hasOneDivision(template, examples);
		});
	};
	return UNUSUAL.filter(isUncertain).map(([, what]) => what);
}

function isOf(kind: Kind, text: string): boolean {
	return new RegExp(`^(?:${PLACEHOLDERS[kind][0]})$`).test(text);
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
