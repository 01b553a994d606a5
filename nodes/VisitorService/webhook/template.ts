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

/** As short as possible, and without what JSON or lines have and neither a URL nor a token. */
const FREE = '[^{}[\\]"<>\\x00-\\x1f]{0,2048}?';
/** ISO 8601 with a zone, and HTTP dates. */
const DATE =
	'\\d{4}-?\\d\\d-?\\d\\d[T ][\\d:.]{4,20}(?:Z| ?UTC| ?[+-]\\d\\d:?\\d\\d)|[A-Z][a-z]{2}, [\\w: ]{20,24} (?:GMT|[+-]\\d{4})';
/** That, or a number of seconds, ms, µs or ns since 1970. */
const TIME = `(?:\\d{10}|\\d{13}|\\d{16}|\\d{19})(?:\\.\\d{1,8})??|${DATE}`;
/** What begins and ends with a bracket, after its spaces and a byte order mark. */
const JSON_BODY = '(?:\\xef\\xbb\\xbf)?\\s{0,64}[{[][^]*[}\\]]\\s*';

/** As part of a pattern, and an example. */
const KINDS = {
	body: ['[^]*', '{}'],
	bodySha256Hex: ['[\\da-f]{64}', '0'.repeat(64)],
	bodySha256Base64: ['[\\w+/]{43}=', `${'A'.repeat(43)}=`],
	timestamp: [TIME, '1700000000'],
	id: ['[\\w.:@+/-]{1,256}?={0,2}', 'e-a'],
	method: ['[A-Z]{3,7}?', 'POST'],
	url: [`https?://${FREE}`, 'https://n8n.example.com/webhook'],
	path: [`/${FREE}`, '/webhook'],
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
	// Each alone first: what a long value cannot be is not searched for in the whole.
	const texts = values.map((value) => value.toString('latin1'));
	const isOfKind = (text: string, at: number) =>
		new RegExp(`^(?:${KINDS[template.values[at]?.kind ?? 'body'][0]})$`).test(text);
	if (!texts.every(isOfKind)) return false;
	const signed = Buffer.concat(fillIn(template, values)).toString('latin1');
	const found = patternsOf(template)
		.map((pattern) => pattern.exec(signed))
		.find((match) => match !== null);
	return texts.every((text, at) => text === found?.[at + 1]);
}

/** The first that matches counts. Only of JSON it is sure where it ends beside another value. */
function patternsOf({ values, end }: Template): RegExp[] {
	const touches = (at: number) => at > 0 && values[at]?.before === '';
	const isOther = (at: number) => values[at]?.kind.startsWith('body') === false;
	/** A time beside a value whose digits could be some of its own: in seconds only. */
	const joined = (at: number) => {
		const [isBehind, isBefore] = [
			touches(at) && isOther(at - 1),
			touches(at + 1) && isOther(at + 1),
		];
		if (!isBehind && !isBefore) return TIME;
		return `${isBehind ? '(?<![\\d.])' : ''}\\d{10}${isBefore ? '(?!\\d)' : ''}|${DATE}`;
	};
	/** Days later, an ID could hold the time that follows it, and the beginning of the body. */
	const withoutTime = (at: number) => {
		const [time, following] = [values[at + 1], values[at + 2]?.before ?? end];
		if (time?.kind !== 'timestamp' || time.before === '') return '';
		const held = `${literal(time.before)}(?:${TIME})${literal(following)}`;
		return `(?![\\w.:@+/-]{1,256}?${held}[\\w.:@+/-]*={0,2}${held})`;
	};
	return [true, false].map((isJson) => {
		const parts = values.map(({ before, kind }, at) => {
			let [pattern]: readonly string[] = KINDS[kind];
			if (kind === 'body' && isJson) pattern = JSON_BODY;
			else if (kind === 'body' && (touches(at) || touches(at + 1))) pattern = '(?!)';
			else if (kind === 'timestamp') pattern = joined(at);
			else if (kind === 'id') pattern = `${withoutTime(at)}${pattern}`;
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
