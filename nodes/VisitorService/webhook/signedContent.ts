import { sha256 } from '../values/digest';
import { endsWithBracket, startsWithBracket } from './body';
import { type Delivery, headerValue } from './delivery';
import { hasOpenBorder, isOfBody, type Template, type Value } from './template';

/** `ambiguous`: the bytes could be those of another delivery too. */
type Missing = 'partMissing' | 'ambiguous';

/**
 * The signed bytes in the order of the template, or why they are not to be had.
 *
 * @param sent these two as they were sent, because that is what is signed
 */
export function signedBytes(
	template: Template,
	delivery: Delivery,
	sent: { timestamp: string; id: string },
): Buffer[] | Missing {
	const { values, end } = template;
	const bytes = values.map((value) => bytesOf(value, delivery, sent));
	const known = bytes.filter((one) => one !== undefined);
	if (known.length < bytes.length) return 'partMissing';
	if (hasOpenBorder(template) || !hasOneReading(template, known)) return 'ambiguous';
	const parts = values.flatMap(({ before }, index) => [Buffer.from(before), known[index] ?? []]);
	return [...parts.map((part) => Buffer.from(part)), Buffer.from(end)];
}

function bytesOf(
	{ kind, name }: Value,
	{ rawBody, headers, query, method, url }: Delivery,
	{ timestamp, id }: { timestamp: string; id: string },
): Buffer | undefined {
	switch (kind) {
		case 'body':
			return rawBody;
		case 'bodySha256Hex':
			return Buffer.from(sha256(rawBody).toString('hex'));
		case 'bodySha256Base64':
			return Buffer.from(sha256(rawBody).toString('base64'));
		case 'timestamp':
			return asSent(timestamp);
		case 'id':
			return asSent(id);
		case 'header':
			return asSent(headerValue(headers, name));
		case 'query': {
			const value = Object.hasOwn(query, name) ? query[name] : undefined;
			const text = Array.isArray(value) ? value.join(',') : value;
			return typeof text === 'string' ? Buffer.from(text) : undefined;
		}
		case 'method':
			return Buffer.from(method);
		case 'url':
			return Buffer.from(url());
		case 'path':
			// Without the query. Only a URL has a path.
			return Buffer.from(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url())?.[1] ?? '');
	}
}

/** node:http reads header bytes as Latin-1; this returns the bytes as they were sent. */
function asSent(value: string): Buffer | undefined {
	return value === '' ? undefined : Buffer.from(value, 'latin1');
}

/** Nothing a body of JSON could begin with. */
const ID = /^[\w.:@+/-]{1,256}={0,2}$/;
/** What JSON has and neither a URL, nor a time, nor a token. */
const SIGN_OF_JSON = /[{}[\]"<>]/;
const ENDS_WITH_DIGIT = /[\d.]$/;
const NUMBER = /^[\d.]+$/;

/**
 * Whether the signed bytes can be taken apart in one way only. Otherwise whoever recorded a
 * delivery could move the borders between its values, and the same signature would be that of
 * another time, ID or body. A bracket tells where the body is, because no other value has one; any
 * other value must not hold the text between itself and its neighbor on the side of the body.
 */
function hasOneReading({ values }: Template, bytes: readonly Buffer[]): boolean {
	const of = values.findIndex(({ kind }) => isOfBody(kind));
	const body = bytes[of];
	// A hash has one length.
	const isHash = body === undefined || values[of]?.kind !== 'body';
	const isInBrackets =
		!isHash && startsWithBracket(body) && (of === values.length - 1 || endsWithBracket(body));
	const isClear = isHash || isInBrackets;
	if (!isClear && values.length > 1 && /[{[]/.test(body.toString('latin1'))) return false;
	return values.every(({ kind, before }, at) => {
		if (isOfBody(kind)) return true;
		const text = String(bytes[at]);
		if (SIGN_OF_JSON.test(text) || (kind === 'id' && !ID.test(text))) return false;
		const next = values[at + 1];
		const isJoinedToTime = next?.kind === 'timestamp' && next.before === '';
		if (kind === 'id' && isJoinedToTime && ENDS_WITH_DIGIT.test(text)) {
			// Its last digits could be the first ones of the time.
			if (NUMBER.test(String(bytes[at + 1]))) return false;
		}
		const neighbor = at < of ? next : values[at - 1];
		if (neighbor === undefined) return true;
		const between = at < of ? neighbor.before : before;
		const isTimed = at < of && neighbor.kind === 'timestamp';
		// What is not the whole of a time is none.
		if (isClear && (isTimed || isOfBody(neighbor.kind))) return true;
		return between === '' ? !isOfBody(neighbor.kind) : isFree(text, between);
	});
}

/** Whether a text is found beside a value, and neither in it nor at its edges. */
function isFree(value: string, text: string): boolean {
	return !`${text}${value}${text}`.slice(1, -1).includes(text);
}
