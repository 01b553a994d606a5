/*
 * Readers of single values as services and people write them, and their form in sentences.
 */

/** Numbers as services write them. */
const DECIMAL = /^\s*-?\d+(?:\.\d+)?\s*$/;

/** Numbers as people type them: `+5`, `.5`, `1e3`. Number() would read '' as 0, and 0x10. */
const TYPED_DECIMAL = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;

const TRUE = /^(?:true|yes|y|1)$/i;
const FALSE = /^(?:false|no|n|0)$/i;

/** The one reader of numbers that may be text: finite, and written in decimal digits. */
export function readDecimal(value: unknown, form = DECIMAL): number | undefined {
	const number = typeof value === 'string' && form.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Numbers without sign, without leading zeros, and with no more digits than are exact. */
const CODE_DECIMAL = /^\s*(?=[\d.]{1,16}\s*$)(?:0|[1-9]\d*)(?:\.\d+)?\s*$/;

/** As `readDecimal`, for values that may be codes: `007`, `12E4` and long card numbers are text. */
export function readCodeDecimal(value: unknown): number | undefined {
	const number = readDecimal(value, CODE_DECIMAL);
	const isRounded = typeof value === 'string' && Number(number) > Number.MAX_SAFE_INTEGER;
	return isRounded ? undefined : number;
}

/** As `readDecimal`, for what a person typed. */
export function readUserDecimal(value: unknown): number | undefined {
	return readDecimal(value, TYPED_DECIMAL);
}

/** A number as sentences show it, with commas between thousands. */
export function formatNumber(number: number): string {
	return number.toLocaleString('en-US');
}

/** So many of something, e.g. "1 user" and "2,600 users". */
export function formatCount(number: number, one: string, many = `${one}s`): string {
	return `${formatNumber(number)} ${number === 1 ? one : many}`;
}

/**
 * The one reader of true and false as services write them: also as text, and as 1 and 0 (SQL, PHP,
 * XML). What a person sets is read by `values/parameters`.
 */
export function readBoolean(value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value;
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const word = String(value).trim();
	if (TRUE.test(word)) return true;
	return FALSE.test(word) ? false : undefined;
}

/**
 * Undefined if the text is not a URL. Not `URL.canParse`, which in Node.js 20.20, after some
 * thousand calls, returns false for any letter beyond ASCII.
 */
export function readUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** RFC 6761 §6.3 (localhost), RFC 1122 §3.2.1.3 (127.0.0.0/8), RFC 4291 §2.5.3 (::1). */
export function isLoopback(hostname: string): boolean {
	return /^((.+\.)?localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/.test(hostname);
}
