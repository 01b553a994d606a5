import { ServiceFailure, TokenFailure } from '../failure/serviceFailure';
import { isJsonObject, normalizedFieldName } from './json';

const MAX_TEXT_LENGTH = 200;
const MAX_TEXT_READ = 2000;
/** Deeper objects are not searched for a sentence. */
const MAX_TEXT_DEPTH = 3;

/** Normalized names of fields with a sentence, likeliest first: RFC 9457, RFC 6749 §5.2. */
const TEXT_NAMES = [
	...[/^errors$|^modelstate$/, /descri|detail$|diagnos/, /message|msg/, /title/, /reason|details/],
	/err|fault|exception|issue|violation|^code$/,
];
/** Names of codes and languages, which are shown only if there is no sentence. */
const CODE_NAMES = /code$|^lang|^severity$/;

/** Texts of success, which explain no error: `{ errcode: 0, errmsg: "ok", … }`. */
const EMPTY_MESSAGE = /^[.!\s]*(?:(?:ok|success)[.!\s]*)?$/i;

/** Also as written in a URL, and in a URL within a URL. */
const EMAIL = /(?<![^\s@"'<>])(?:[^\s@"'<>%]|%(?!(?:25)*40))+(?:@|%(?:25)*40)[^\s@"'<>]+/gi;
const IBAN = /\b[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]{4}){2,7}(?:[ -]?[A-Z\d]{1,3})?\b/g;

/** With a country code, with an area code that begins with 0, and as in North America. */
const PHONES = [
	/(?:\+|%2B|\b00)\s?[1-9](?:[\s()./-]{0,2}\d){6,13}\b/gi,
	/\(?\b0\d{1,4}\)?[\s/-]\s?\d(?:[\s/-]?\d){4,9}\b/g,
	/\(?\b\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}\b/g,
];

/**
 * The sentence of an error body, fit to be shown: on one line, capped, and without anything that
 * could be a secret, a token or personal data. Undefined if nothing is left, and for HTML.
 *
 * @param secrets values that must not be shown in any encoding
 */
export function sanitizeServerText(
	body: unknown,
	secrets: readonly string[] = [],
): string | undefined {
	const isText = typeof body === 'string';
	const text = findText(body, 0, isText, false) ?? findText(body, 0, isText, true);
	if (text === undefined || /<[a-z!/]/i.test(text)) return undefined;
	if (containsSecret(text, secrets)) return undefined;
	const cleaned = redactPersonalData(text);
	if (cleaned === '' || cleaned === '…') return undefined;
	return cleaned.length > MAX_TEXT_LENGTH ? `${truncate(cleaned, MAX_TEXT_LENGTH - 1)}…` : cleaned;
}

function redactPersonalData(text: string): string {
	const withoutTokens = onOneLine(text).replace(/\b(bearer|basic)\s+\S+/gi, '$1 …');
	return (
		[EMAIL, IBAN, ...PHONES]
			.reduce((line, pattern) => line.replace(pattern, '…'), withoutTokens)
			// Long unbroken runs are keys, tokens, hashes or encoded bodies, never the sentence.
			.replace(/[^\s]{40,}/g, '…')
			.replace(/["“”]/g, "'")
			.trim()
	);
}

/** A word as a programmer would choose it; with a dot only in names of OData. */
const FIELD_NAME = /^[@_$]*(odata\.)?\p{L}[\p{L}\p{N}_:$-]*$/u;

/** IDs, dates and numbers have this many digits. */
const MANY_DIGITS = /(\d.*){4}/;

const MAX_NAME_LENGTH = 40;

/** Whether a key is the name of a field. Other keys are data, which may be personal. */
export function isFieldName(key: string): boolean {
	return FIELD_NAME.test(key) && !MANY_DIGITS.test(key);
}

/** Whether a message may show the name of a field. Half of a long one could be half a secret. */
export function isShownName(key: string): boolean {
	return key.length <= MAX_NAME_LENGTH && isFieldName(key);
}

/** A dot path that the service has chosen, as a message may show it. */
export function redactPath(path: string): string {
	const isShown = (name: string) => isShownName(name) || /^\d{1,3}$/.test(name);
	return path.split('.').every(isShown) ? path : '…';
}

/** For texts that n8n renders as HTML, such as hints: without the character that begins a tag. */
export function withoutTags(text: string): string {
	return text.replaceAll('<', '‹');
}

/** The text without line breaks, and without control characters for terminals and log viewers. */
export function onOneLine(text: string): string {
	return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ');
}

/** Cuts between words only, because `redactSecrets` does not recognize half a secret. */
function truncate(text: string, length: number): string {
	return text.slice(0, length).replace(/(?<![!-~])[!-~]+$/, '');
}

/**
 * @param isNamed whether the name of the value means that it explains the error
 * @param withCodes whether fields with codes are searched too
 */
function findText(
	value: unknown,
	depth: number,
	isNamed: boolean,
	withCodes: boolean,
): string | undefined {
	if (typeof value === 'string') {
		if (!isNamed || EMPTY_MESSAGE.test(value)) return undefined;
		return value.length > MAX_TEXT_READ ? truncate(value, MAX_TEXT_READ) : value;
	}
	if (Array.isArray(value)) return findText(value[0], depth, isNamed, withCodes);
	if (!isJsonObject(value) || depth === MAX_TEXT_DEPTH) return undefined;
	const fields = Object.entries(value)
		.map(([key, inner]) => [normalizedFieldName(key), inner] as const)
		.filter(([name]) => withCodes || !CODE_NAMES.test(name));
	const named = TEXT_NAMES.flatMap((pattern) => fields.filter(([name]) => pattern.test(name)));
	// `status: { message }`; within errors also `{ sort: ["is unknown"] }`.
	const others = fields.filter(([, inner]) => isNamed || isJsonObject(inner));
	const textIn = (some: typeof fields, areNamed: boolean) =>
		some
			.map(([, inner]) => findText(inner, depth + 1, areNamed, withCodes))
			.find((text) => text !== undefined);
	return textIn(named, true) ?? textIn(others, isNamed);
}

/** A text may contain a shorter secret by chance, as a word or a number. */
const MIN_REDACTED_LENGTH = 8;

/** Whether a text contains a secret, plain or in an encoding that a service may use. */
export function containsSecret(text: string, secrets: readonly string[]): boolean {
	return secrets.some(
		(secret) => secret.length >= MIN_REDACTED_LENGTH && containsEncoded(text, secret),
	);
}

function containsEncoded(text: string, secret: string): boolean {
	const written = [
		secret,
		encodeURIComponent(secret),
		new URLSearchParams({ '': secret }).toString().slice(1),
		...[0, 1, 2].flatMap((offset) => inBase64(secret, offset)),
		Buffer.from(secret).toString('hex'),
		JSON.stringify(secret).slice(1, -1),
	];
	// Personal data may already have been redacted in the text.
	const forms = [...written, ...written.map(redactPersonalData)];
	const read = withoutSigns(text);
	return forms.some((form) => !/^…?$/.test(form) && read.includes(withoutSigns(form)));
}

/** A character as HTML may write it, and as what was HTML before may hold it. */
const REFERENCE = /&(?:amp;)*(?:#0*(\d{1,7});?|#x0*([\da-f]{1,6});?|\w{1,31};)/gi;
/** A byte in a URL, and in a URL within a URL. */
const ESCAPE = /%(?:25)*([\da-f]{2})/gi;

/** Replaces all characters but letters and digits by the same one, as HTML has names for them. */
function withoutSigns(text: string): string {
	return text
		.replace(REFERENCE, (_, decimal?: string, hex?: string) =>
			String.fromCharCode(Number(decimal ?? `0x${hex}`)),
		)
		.replace(ESCAPE, (_, hex: string) => String.fromCharCode(Number(`0x${hex}`)))
		.replace(/[^\p{L}\p{N}]/gu, '·')
		.toLowerCase();
}

/**
 * The part that does not depend on the text around it, such as `id:` before a secret in `Basic`.
 */
function inBase64(secret: string, offset: number): string[] {
	const bytes = Buffer.from(`${' '.repeat(offset)}${secret}`);
	const whole = [Math.ceil((offset * 4) / 3), Math.floor((bytes.length * 4) / 3)];
	return [bytes.toString('base64'), bytes.toString('base64url')].map((one) => one.slice(...whole));
}

/** Replaces a sentence that was made from a response if it repeats a secret. */
export function redactSentence(sentence: string, secrets: readonly string[]): string {
	return containsSecret(sentence, secrets) ? REDACTED : sentence;
}

export const REDACTED = 'Not shown: it repeats a secret or a token. Ask your service provider why.';

/** Removes secrets from a failure whose texts quote a response. */
export function redactSecrets(failure: ServiceFailure, secrets: readonly string[]): ServiceFailure {
	const { message, remedy, serverText = '', kind, statusCode, retryAfterMs } = failure;
	// It quotes nothing of a response, so its text is always shown.
	if (failure instanceof TokenFailure) return failure;
	if (!containsSecret(`${message} ${remedy} ${serverText}`, secrets)) return failure;
	if (!containsSecret(`${message} ${remedy}`, secrets))
		return new ServiceFailure(message, remedy, { kind, statusCode, retryAfterMs });
	return new ServiceFailure(
		'The service returned a response that is not shown, because it repeats a secret or the access token.',
		'Ask your service provider why it does so.',
		{ kind, statusCode, retryAfterMs },
	);
}
