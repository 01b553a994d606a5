import type { HeaderFields } from '../../../../../nodes/VisitorService/webhook/delivery';
import { verifyHmacSignature } from '../../../../../nodes/VisitorService/webhook/hmacSignature';
import { delivery, hmac, RECEIVED_AT, sign } from './deliveries';

const SECRET = 'synthetic-secret';
const BODY = '{"event":"visit.created","id":"evt-000001"}';
const SECONDS = String(RECEIVED_AT / 1000);

function check(
	rules: Parameters<typeof hmac>[0],
	headers: HeaderFields,
	raw: string | Buffer = BODY,
) {
	return verifyHmacSignature(delivery(raw, headers), hmac(rules), [SECRET]);
}

describe('the signature header', () => {
	const hex = sign(SECRET, BODY);
	const other = sign('another secret', BODY);

	it.each([
		['hex in upper case', hex.toUpperCase()],
		['several, comma-separated', `${other},${hex}`],
		['several, with blanks', `${other}  ${hex} ${other}`],
		['several, with commas and blanks', `${other}, ${hex}`],
		['after values that are no signatures', `t=1, none, ${hex}`],
	])('%s', (_, value) => {
		expect(check({}, { 'x-signature': value })).toEqual({ ok: true });
	});

	it('sent several times is one list, as RFC 9110 section 5.3 says', () => {
		expect(check({}, { 'x-signature': [other, hex] })).toEqual({ ok: true });
	});

	it.each([
		['sha256=', `sha256=${hex}`],
		['sha256=', `SHA256=${hex}`],
		['v1=', `t=${SECONDS},v1=${other},v1=${hex},v0=${other}`],
		['v1,', `v1,${other} v1,${hex}`],
		['HMAC ', `HMAC ${hex}`],
		['$1|(', `$1|(${hex}`],
	])('with the prefix %s', (signaturePrefix, value) => {
		expect(check({ signaturePrefix }, { 'x-signature': value })).toEqual({ ok: true });
	});

	it('takes only what has the prefix', () => {
		expect(check({ signaturePrefix: 'v1=' }, { 'x-signature': `v0=${hex}, ${hex}` })).toEqual({
			ok: false,
			reason: 'signatureUnreadable',
		});
		expect(check({ signaturePrefix: 'v1=' }, { 'x-signature': `xv1=${hex}` }).ok).toBe(false);
		expect(check({ signaturePrefix: 'v.=' }, { 'x-signature': `v1=${hex}` }).ok).toBe(false);
	});

	it.each(['base64', 'base64url'] as const)('in %s, with and without padding', (form) => {
		const written = sign(SECRET, BODY, form).replace(/=+$/, '');
		expect(check({ encoding: 'base64' }, { 'x-signature': `${written}=` })).toEqual({ ok: true });
		expect(check({ encoding: 'base64' }, { 'x-signature': written })).toEqual({ ok: true });
		expect(check({ encoding: 'hex' }, { 'x-signature': written }).ok).toBe(false);
	});

	it('is found whatever the case in which its name was typed', () => {
		expect(check({ signatureHeader: ' X-SIGNATURE ' }, { 'x-signature': hex })).toEqual({
			ok: true,
		});
	});

	it.each(['__proto__', 'constructor', 'toString', ''])(
		'named %j is never there by itself',
		(signatureHeader) => {
			expect(check({ signatureHeader }, {})).toEqual({ ok: false, reason: 'signatureMissing' });
		},
	);
});

describe('the signed content', () => {
	it('is the bytes as they came, also where they are no text', () => {
		const raw = Buffer.from([0xff, 0x00, 0xfe, 0x0a, 0xc3]);
		expect(check({}, { 'x-signature': sign(SECRET, raw) }, raw)).toEqual({ ok: true });
	});

	it('is not the body written anew', () => {
		const raw = '{ "b" : 1.0, "a" : "\\u00e9" }';
		const anew = JSON.stringify(JSON.parse(raw));
		expect(check({}, { 'x-signature': sign(SECRET, raw) }, raw)).toEqual({ ok: true });
		expect(check({}, { 'x-signature': sign(SECRET, anew) }, raw).ok).toBe(false);
	});

	it('without {body} verifies nothing', () => {
		const headers = { 'x-signature': sign(SECRET, SECONDS), 'x-time': SECONDS };
		expect(check({ signedContent: '{timestamp}', timestampHeader: 'X-Time' }, headers)).toEqual({
			ok: false,
			reason: 'bodyNotSigned',
		});
	});

	it('needs the ID where it holds one', () => {
		const rules = { signedContent: '{id}.{body}', idHeader: 'X-Id' };
		const headers = { 'x-signature': sign(SECRET, `7.${BODY}`), 'x-id': '7' };
		expect(check(rules, headers)).toEqual({ ok: true });
		expect(check(rules, { ...headers, 'x-id': '8' })).toEqual({ ok: false, reason: 'noMatch' });
		expect(check(rules, { ...headers, 'x-id': '' })).toEqual({ ok: false, reason: 'idMissing' });
	});
});

describe('the timestamp', () => {
	const rules = { signedContent: '{timestamp}.{body}', timestampHeader: 'X-Time' };
	const at = (time: string) => ({ 'x-time': time, 'x-signature': sign(SECRET, `${time}.${BODY}`) });

	it.each([
		['seconds', SECONDS],
		['milliseconds', String(RECEIVED_AT)],
		['seconds with a fraction', `${SECONDS}.25`],
		['ISO 8601', new Date(RECEIVED_AT).toISOString()],
	])('in %s is signed as it is written', (_, time) => {
		expect(check(rules, at(time))).toEqual({ ok: true });
	});

	it.each([
		[-300_000, { ok: true }],
		[-301_000, { ok: false, reason: 'timestampTooOld' }],
		[300_000, { ok: true }],
		[301_000, { ok: false, reason: 'timestampTooNew' }],
	])('%d ms away', (difference, expected) => {
		expect(check(rules, at(String(RECEIVED_AT + difference)))).toEqual(expected);
		expect(check(rules, at(String((RECEIVED_AT + difference) / 1000)))).toEqual(expected);
	});

	it('is found as t=… in the signature header or in a header of its own', () => {
		const value = `t=${SECONDS},v1=${sign(SECRET, `${SECONDS}.${BODY}`)}`;
		const signedContent = '{timestamp}.{body}';
		expect(check({ signedContent, signaturePrefix: 'v1=' }, { 'x-signature': value })).toEqual({
			ok: true,
		});
		const both = { signedContent, signaturePrefix: 'v1=', timestampHeader: 'X-Signature' };
		expect(check(both, { 'x-signature': value })).toEqual({ ok: true });
	});

	it('is checked where its header is set, signed or not', () => {
		const headers = { 'x-signature': sign(SECRET, BODY) };
		expect(check({ timestampHeader: 'X-Time' }, headers)).toEqual({
			ok: false,
			reason: 'timestampMissing',
		});
		expect(check({ timestampHeader: 'X-Time' }, { ...headers, 'x-time': '1' })).toEqual({
			ok: false,
			reason: 'timestampTooOld',
		});
	});

	it('is needed where the content holds it', () => {
		expect(
			check({ signedContent: '{timestamp}.{body}' }, { 'x-signature': sign(SECRET, `.${BODY}`) }),
		).toEqual({
			ok: false,
			reason: 'timestampMissing',
		});
	});
});
