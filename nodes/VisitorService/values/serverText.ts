import { ServiceFailure, TokenFailure } from '../failure/serviceFailure';
import { isJsonObject, normalizedFieldName } from './json';

const MAX_TEXT_LENGTH = 200;
const MAX_TEXT_READ = 2000;
/** Objects in objects that are searched for a sentence. */
const MAX_TEXT_DEPTH = 3;

/** Normalized field names of sentences, likeliest first: RFC 9457, RFC 6749 §5.2. */
const TEXT_NAMES = [
	...[/^errors$|^modelstate$/, /descri|detail$|diagnos/, /message|msg/, /title/, /reason|details/],
	/err|fault|exception|issue|violation|^code$/,
];
/** Anywhere in a body only if there is no sentence: codes, and the language of a sentence. */
const CODE_NAMES = /code$|^lang|^severity$/;

/** Texts of success beside an error: `{ errcode: 0, errmsg: "ok", … }`. */
const EMPTY_MESSAGE = /^[.!\s]*(?:(?:ok|success)[.!\s]*)?$/i;

/** Also as it stands in a URL, and in one that stands in another. */
const EMAIL = /(?<![^\s@"'<>])(?:[^\s@"'<>%]|%(?!(?:25)*40))+(?:@|%(?:25)*40)[^\s@"'<>]+/gi;
const IBAN = /\b[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]{4}){2,7}(?:[ -]?[A-Z\d]{1,3})?\b/g;

/** With the code of a country, with the 0 of an area, and as in North America. */
const PHONES = [
	/(?:\+|%2B|\b00)\s?[1-9](?:[\s()./-]{0,2}\d){6,13}\b/gi,
	/\(?\b0\d{1,4}\)?[\s/-]\s?\d(?:[\s/-]?\d){4,9}\b/g,
	/\(?\b\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}\b/g,
];

/**
 * The sentence of an error body, fit to be shown: one line, capped, and without anything that could
 * be a secret, a token or a person. Undefined if nothing worth showing is left, and for HTML.
 *
 * @param secrets values that must never be shown, whatever encoding they are echoed in
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

/** A word as a programmer chooses it; a dot only in the vocabulary of OData. */
const FIELD_NAME = /^[@_$]*(odata\.)?\p{L}[\p{L}\p{N}_:$-]*$/u;

/** IDs, dates and numbers have so many digits. */
const MANY_DIGITS = /(\d.*){4}/;

const MAX_NAME_LENGTH = 40;

/** Whether a key is the name of a field. Others are data, and may be personal: e-mails, dates. */
export function isFieldName(key: string): boolean {
	return FIELD_NAME.test(key) && !MANY_DIGITS.test(key);
}

/** Whether a message may show the name of a field. Half of a long one could be half a secret. */
export function isShownName(key: string): boolean {
	return key.length <= MAX_NAME_LENGTH && isFieldName(key);
}

/** A dot path that the service has written, as a message may show it. */
export function redactPath(path: string): string {
	const isShown = (name: string) => isShownName(name) || /^\d{1,3}$/.test(name);
	return path.split('.').every(isShown) ? path : '…';
}

/** For what n8n renders as HTML, such as hints: no sign that begins a tag. */
export function withoutTags(text: string): string {
	return text.replaceAll('<', '‹');
}

/** Without line breaks, and without signs that a terminal or a viewer of logs would obey. */
export function onOneLine(text: string): string {
	return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ');
}

/** Never within what may be a secret: `redactSecrets` does not recognize half a secret. */
function truncate(text: string, length: number): string {
	return text.slice(0, length).replace(/(?<![!-~])[!-~]+$/, '');
}

/**
 * @param isNamed whether a name says that what is here explains the error
 * @param withCodes whether a code is better than nothing
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

/** A shorter secret is a word or a number that a text holds by chance. */
const MIN_REDACTED_LENGTH = 8;

/** Whether a text holds one of the secrets, plain or in an encoding a service may echo it in. */
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
	// A text may have been cleaned before it is compared with secrets.
	const forms = [...written, ...written.map(redactPersonalData)];
	const read = withoutSigns(text);
	return forms.some((form) => !/^…?$/.test(form) && read.includes(withoutSigns(form)));
}

/** A character as HTML may write it, and as what was HTML before may hold it. */
const REFERENCE = /&(?:amp;)*(?:#(\d{1,7})|#(x[\da-f]{1,6})|\w{1,31});/gi;

/** With one sign for all that are neither letters nor digits, because HTML has names for them. */
function withoutSigns(text: string): string {
	return text
		.replace(REFERENCE, (_, decimal?: string, hex?: string) =>
			String.fromCharCode(Number(decimal ?? `0${hex}`)),
		)
		.replace(/[^\p{L}\p{N}]/gu, '·')
		.toLowerCase();
}

/** Without what depends on the text around it, such as `id:` before the secret of `Basic`. */
function inBase64(secret: string, offset: number): string[] {
	const bytes = Buffer.from(`${' '.repeat(offset)}${secret}`);
	const whole = [Math.ceil((offset * 4) / 3), Math.floor((bytes.length * 4) / 3)];
	return [bytes.toString('base64'), bytes.toString('base64url')].map((one) => one.slice(...whole));
}

/** A sentence made from a response, unless it repeats a secret. */
export function concealSecrets(sentence: string, secrets: readonly string[]): string {
	return containsSecret(sentence, secrets) ? CONCEALED : sentence;
}

export const CONCEALED =
	'Not shown: it repeats a secret or a token. Ask your service provider why.';

/** Texts made from a response may quote it, and a secret in it. */
export function redactSecrets(failure: ServiceFailure, secrets: readonly string[]): ServiceFailure {
	const { message, remedy, serverText = '', kind, statusCode, retryAfter } = failure;
	// It quotes nothing of the response, so what it says of the client is never hidden.
	if (failure instanceof TokenFailure) return failure;
	if (!containsSecret(`${message} ${remedy} ${serverText}`, secrets)) return failure;
	if (!containsSecret(`${message} ${remedy}`, secrets))
		return new ServiceFailure(message, remedy, { kind, statusCode, retryAfter });
	return new ServiceFailure(
		'The service returned a response that is not shown, because it repeats a secret or the access token.',
		'Ask your service provider why it does so.',
		{ kind, statusCode, retryAfter },
	);
}
