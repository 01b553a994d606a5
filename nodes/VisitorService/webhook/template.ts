/** A template such as `v0:{timestamp}:{body}`, in its parts. */
export interface Template {
	/** As it was written. */
	text: string;
	values: readonly Value[];
	/** The text after the last value. */
	end: string;
}

export interface Value {
	/** The text before it. */
	before: string;
	kind: Kind;
	/** That of the header or query parameter. */
	name: string;
}

export type Kind = keyof typeof KINDS;

/** As short as possible, and without what JSON has and neither a URL, nor a path, nor a token. */
const FREE = '[^{}[\\]"<>]{0,2048}?';
/** ISO 8601 with a zone, and HTTP dates. */
const DATE =
	'\\d{4}-?\\d\\d-?\\d\\d[T ][\\d:.]{4,20}(?:Z|[+-]\\d\\d:?\\d\\d)|[A-Z][a-z]{2}, [\\w: ]{20,24} GMT';
/** That, or a number of seconds, ms, µs or ns since 1970. */
const TIME = `(?:\\d{10}|\\d{13}|\\d{16}|\\d{19})(?:\\.\\d{1,8})??|${DATE}`;
/** Behind an ID, whose last digits could be the first ones of a number. */
const JOINED_TIME = `(?<![\\d.])\\d{10}|${DATE}`;
/** What begins and ends with a bracket, after its spaces and a byte order mark. */
const JSON_BODY = '(?:\\xef\\xbb\\xbf)?\\s*[{[][^]*[}\\]]\\s*';

/** As part of a pattern, and an example. */
const KINDS = {
	body: ['[^]*', '{}'],
	bodySha256Hex: ['[\\da-f]{64}', '0'.repeat(64)],
	bodySha256Base64: ['[\\w+/]{43}=', `${'A'.repeat(43)}=`],
	timestamp: [TIME, '1700000000'],
	id: ['[\\w.:@+/-]{1,256}?={0,2}', 'e-a'],
	method: ['[A-Z]{3,7}?', 'POST'],
	url: [`https?://${FREE}`, 'https://n8n.example.com/webhook'],
	path: [FREE, '/webhook'],
	header: [FREE, 'ab'],
	query: [FREE, 'ab'],
} as const;

/** The name of a header: RFC 9110 section 5.6.2. */
const PLACEHOLDER = /\{(\w+)(?:\.(?:([\w!#$%&'*+.^`|~-]+)|([^{}]+)))?\}/g;

export function parseTemplate(text: string): Template {
	const values: Value[] = [];
	let end = 0;
	for (const { index, 0: whole, 1: word = '', 2: token, 3: other } of text.matchAll(PLACEHOLDER)) {
		const name = token ?? other;
		const isNamed = word === 'query' || (word === 'header' && other === undefined);
		if (!isKind(word) || isNamed !== (name !== undefined)) continue;
		values.push({ before: text.slice(end, index), kind: word, name: name?.trim() ?? '' });
		end = index + whole.length;
	}
	return { text, values, end: text.slice(end) };
}

function isKind(word: string): word is Kind {
	return Object.hasOwn(KINDS, word);
}

export function holds({ values }: Template, kind: Kind): boolean {
	return values.some((value) => value.kind === kind);
}

/** Whether a signature over this content protects the body. */
export function protectsBody({ values }: Template): boolean {
	return values.some(({ kind }) => kind.startsWith('body'));
}

/** @param values in the order of the template, each as the bytes that are signed */
export function fillIn({ values, end }: Template, bytes: readonly Buffer[]): Buffer[] {
	const parts = values.flatMap(({ before }, at) => [Buffer.from(before), bytes[at] ?? []]);
	return [...parts.map((part) => Buffer.from(part)), Buffer.from(end)];
}

/**
 * Whether signed bytes, taken apart again, are these values. There is one way to take them apart:
 * with a body of JSON if that is possible, and what stands before and after it as short as
 * possible. Otherwise whoever recorded a delivery could move the borders between its values, and
 * the same signature would be that of another time, ID or body.
 */
export function isReadAs(template: Template, values: readonly Buffer[]): boolean {
	const signed = Buffer.concat(fillIn(template, values)).toString('latin1');
	const found = patternsOf(template)
		.map((pattern) => pattern.exec(signed))
		.find((match) => match !== null);
	return values.every((value, at) => value.toString('latin1') === found?.[at + 1]);
}

/** The first that matches counts. Only of JSON it is sure where it ends beside another value. */
function patternsOf({ values, end }: Template): RegExp[] {
	const touches = (at: number) => at > 0 && values[at]?.before === '';
	return [true, false].map((isJson) => {
		const parts = values.map(({ before, kind }, at) => {
			let [pattern]: readonly string[] = KINDS[kind];
			if (kind === 'body' && isJson) pattern = JSON_BODY;
			else if (kind === 'body' && (touches(at) || touches(at + 1))) pattern = '(?!)';
			else if (kind === 'timestamp' && values[at - 1]?.kind === 'id' && touches(at)) {
				pattern = JOINED_TIME;
			}
			return `${literal(before)}(${pattern})`;
		});
		return new RegExp(`^${parts.join('')}${literal(end)}$`);
	});
}

/** A text as part of a pattern. */
export function literal(text: string): string {
	const bytes = Buffer.from(text).toString('latin1');
	return bytes.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

/** Whether two values touch of which nothing says where the first one ends. */
export function hasOpenBorder(template: Template): boolean {
	return !isReadAs(
		template,
		template.values.map(({ kind }) => Buffer.from(KINDS[kind][1])),
	);
}

/**
 * Finds what looks like a placeholder in a template and is not one: `{Body}`, `{ body }`,
 * `{{body}}`, `{body`, `${body}`; and `\n`, two characters where a line break is meant. In JSON
 * built around the body only names in braces are sure to be none.
 */
export function unknownPlaceholder({ text, values, end }: Template): string | undefined {
	const texts = [...values.map(({ before }) => before), end];
	const find = (pattern: RegExp) => texts.map((one) => pattern.exec(one)?.[0]).find(Boolean);
	const named = find(/\{[^{}"]*\}/);
	if (named !== undefined || text.includes('"')) return named;
	return find(/[{}]|\\[rn]/) ?? /\$\{/.exec(text)?.[0];
}
