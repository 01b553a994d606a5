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
	kind: (typeof KINDS)[number] | 'header' | 'query';
	/** That of the header or query parameter. */
	name: string;
}

const KINDS = [
	'body',
	'bodySha256Hex',
	'bodySha256Base64',
	'timestamp',
	'id',
	'method',
	'url',
	'path',
] as const;

/** What the name of a header may consist of (RFC 9110 section 5.6.2), as part of a pattern. */
export const HEADER_NAME = "[\\w!#$%&'*+.^`|~-]+";
const PLACEHOLDER = new RegExp(
	`\\{(?:(${KINDS.join('|')})|header\\.(${HEADER_NAME})|query\\.([^{}]+))\\}`,
	'g',
);

export function parseTemplate(text: string): Template {
	const values: Value[] = [];
	let end = 0;
	for (const { index, 0: whole, 1: value, 2: header, 3: query = '' } of text.matchAll(
		PLACEHOLDER,
	)) {
		const named = header === undefined ? 'query' : 'header';
		const kind = KINDS.find((one) => one === value) ?? named;
		values.push({ before: text.slice(end, index), kind, name: (header ?? query).trim() });
		end = index + whole.length;
	}
	return { text, values, end: text.slice(end) };
}

export function holds({ values }: Template, kind: Value['kind']): boolean {
	return values.some((value) => value.kind === kind);
}

export function isOfBody(kind: Value['kind']): boolean {
	return kind.startsWith('body');
}

/** Whether a signature over this content protects the body. */
export function protectsBody({ values }: Template): boolean {
	return values.some(({ kind }) => isOfBody(kind));
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

/**
 * Whether two values touch of which nothing says where the first one ends. The method and a hash
 * say so themselves, the body by its brackets, and a time behind an ID by its digits.
 */
export function hasOpenBorder({ values }: Template): boolean {
	return values.some(({ before, kind }, index) => {
		const previous = values[index - 1]?.kind;
		if (before !== '' || previous === undefined) return false;
		const says = [previous, kind].some((one) => isOfBody(one) || one === 'method');
		return !says && !(previous === 'id' && kind === 'timestamp');
	});
}
