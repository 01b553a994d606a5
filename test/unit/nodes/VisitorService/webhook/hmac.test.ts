import { generateKeyPairSync, sign as signWithKey } from 'node:crypto';

import type { HeaderFields } from '../../../../../nodes/VisitorService/webhook/delivery';
import { splitSignatures } from '../../../../../nodes/VisitorService/webhook/verify';
import { delivery, hmac, RECEIVED_AT, sign, verdictOn } from './deliveries';

const SECRET = 'synthetic-secret';
const BODY = '{"event":"visit.created","id":"evt-000001"}';
const SECONDS = String(RECEIVED_AT / 1000);

function check(
	rules: Parameters<typeof hmac>[0],
	headers: HeaderFields,
	raw: string | Buffer = BODY,
) {
	return verdictOn(delivery(raw, headers), hmac(rules), [SECRET]);
}

describe('the signature header', () => {
	const hex = sign(SECRET, BODY);
	const other = sign('another secret', BODY);

	it.each([
		['hex in upper case', hex.toUpperCase()],
		['several, comma-separated', `${other},${hex}`],
		['several, with spaces', `${other}  ${hex} ${other}`],
		['several, with commas and spaces', `${other}, ${hex}`],
		['after values that are not signatures', `t=1, none, ${hex}`],
	])('accepts a header with the signature in this form: %s', (_, value) => {
		expect(check({}, { 'x-signature': value })).toEqual('verified');
	});

	it('sent several times is one list, as RFC 9110 section 5.3 says', () => {
		expect(check({}, { 'x-signature': [other, hex] })).toEqual('verified');
	});

	it.each([
		['sha256=', `sha256=${hex}`],
		['sha256=', `SHA256=${hex}`],
		['v1=', `t=${SECONDS},v1=${other},v1=${hex},v0=${other}`],
		['v1,', `v1,${other} v1,${hex}`],
		['HMAC ', `HMAC ${hex}`],
		['$1|(', `$1|(${hex}`],
	])('accepts a signature with the prefix %s', (signaturePrefix, value) => {
		expect(check({ signaturePrefix }, { 'x-signature': value })).toEqual('verified');
	});

	it('takes only what has the prefix', () => {
		expect(check({ signaturePrefix: 'v1=' }, { 'x-signature': `v0=${hex}, ${hex}` })).toEqual(
			'signatureUnreadable',
		);
		expect(check({ signaturePrefix: 'v1=' }, { 'x-signature': `xv1=${hex}` })).not.toBe('verified');
		expect(check({ signaturePrefix: 'v.=' }, { 'x-signature': `v1=${hex}` })).not.toBe('verified');
	});

	it.each(['base64', 'base64url'] as const)(
		'accepts a signature in %s, with and without padding',
		(form) => {
			const written = sign(SECRET, BODY, form).replace(/=+$/, '');
			expect(check({ encoding: 'base64' }, { 'x-signature': `${written}=` })).toEqual('verified');
			expect(check({ encoding: 'base64' }, { 'x-signature': written })).toEqual('verified');
			expect(check({ encoding: 'hex' }, { 'x-signature': written })).not.toBe('verified');
		},
	);

	it('finds the signature header whatever the case in which its name was typed', () => {
		expect(check({ signatureHeaders: ['X-SIGNATURE'] }, { 'x-signature': hex })).toEqual(
			'verified',
		);
	});

	it.each(['__proto__', 'constructor', 'toString', ''])(
		'named %j is never there unless it was sent',
		(name) => {
			expect(check({ signatureHeaders: [name] }, {})).toEqual('signatureMissing');
		},
	);
});

describe('the signed content', () => {
	it('the signed content is the bytes as they were sent, even if they are not text', () => {
		const raw = Buffer.from([0xff, 0x00, 0xfe, 0x0a, 0xc3]);
		expect(check({}, { 'x-signature': sign(SECRET, raw) }, raw)).toEqual('verified');
	});

	it('the signed content is not the body written anew', () => {
		const raw = '{ "b" : 1.0, "a" : "\\u00e9" }';
		const anew = JSON.stringify(JSON.parse(raw));
		expect(check({}, { 'x-signature': sign(SECRET, raw) }, raw)).toEqual('verified');
		expect(check({}, { 'x-signature': sign(SECRET, anew) }, raw)).not.toBe('verified');
	});

	it('verifies nothing if the signed content has no {body}', () => {
		const headers = { 'x-signature': sign(SECRET, SECONDS), 'x-time': SECONDS };
		expect(check({ signedContent: '{timestamp}', timestampHeader: 'X-Time' }, headers)).toEqual(
			'ambiguous',
		);
	});

	it('needs the ID where it holds one', () => {
		const rules = { signedContent: '{id}.{body}', idHeader: 'X-Id' };
		const headers = { 'x-signature': sign(SECRET, `7.${BODY}`), 'x-id': '7' };
		expect(check(rules, headers)).toEqual('verified');
		expect(check(rules, { ...headers, 'x-id': '8' })).toEqual('noMatch');
		expect(check(rules, { ...headers, 'x-id': '' })).toEqual('partMissing');
	});
});

describe('the timestamp', () => {
	it.each([':', ',', ';', ' '])(
		'finds the timestamp before %j and the signature in one header',
		(between) => {
			const rules = { signedContent: '{timestamp}.{body}' };
			const value = (time: string) => `${time}${between}${sign(SECRET, `${SECONDS}.${BODY}`)}`;
			expect(check(rules, { 'x-signature': value(SECONDS) })).toEqual('verified');
			expect(check(rules, { 'x-signature': value(`${Number(SECONDS) + 1}`) })).toEqual('noMatch');
		},
	);

	const rules = { signedContent: '{timestamp}.{body}', timestampHeader: 'X-Time' };
	const at = (time: string) => ({ 'x-time': time, 'x-signature': sign(SECRET, `${time}.${BODY}`) });

	it.each([
		['seconds', SECONDS],
		['milliseconds', String(RECEIVED_AT)],
		['seconds with a fraction', `${SECONDS}.25`],
		['ISO 8601', new Date(RECEIVED_AT).toISOString()],
	])('verifies a signature over a timestamp in %s as the sender wrote it', (_, time) => {
		expect(check(rules, at(time))).toEqual('verified');
	});

	it.each([
		[-300_000, 'verified'],
		[-301_000, 'timestampOutside'],
		[300_000, 'verified'],
		[301_000, 'timestampOutside'],
	])('judges a timestamp %d ms away', (difference, expected) => {
		expect(check(rules, at(String(RECEIVED_AT + difference)))).toEqual(expected);
		expect(check(rules, at(String((RECEIVED_AT + difference) / 1000)))).toEqual(expected);
	});

	it('finds the timestamp as t=… in the signature header or in a header of its own', () => {
		const value = `t=${SECONDS},v1=${sign(SECRET, `${SECONDS}.${BODY}`)}`;
		const signedContent = '{timestamp}.{body}';
		expect(check({ signedContent, signaturePrefix: 'v1=' }, { 'x-signature': value })).toEqual(
			'verified',
		);
		const both = { signedContent, signaturePrefix: 'v1=', timestampHeader: 'X-Signature' };
		expect(check(both, { 'x-signature': value })).toEqual('verified');
	});

	it.each([
		['first', { 'x-sig-1': `t=${SECONDS}`, 'x-sig-2': sign(SECRET, `${SECONDS}.${BODY}`) }],
		['second', { 'x-sig-1': sign(SECRET, `${SECONDS}.${BODY}`), 'x-sig-2': `t=${SECONDS}` }],
	])('finds the timestamp in the %s of two signature headers', (_, headers) => {
		const rules = { signedContent: '{timestamp}.{body}', signatureHeaders: ['X-Sig-1', 'X-Sig-2'] };
		expect(check(rules, headers)).toEqual('verified');
	});

	it('checks the timestamp if its header is set, signed or not', () => {
		const headers = { 'x-signature': sign(SECRET, BODY) };
		expect(check({ timestampHeader: 'X-Time' }, headers)).toEqual('partMissing');
		expect(check({ timestampHeader: 'X-Time' }, { ...headers, 'x-time': '1000000000' })).toEqual(
			'timestampOutside',
		);
	});

	it('needs the timestamp if the content holds it', () => {
		expect(
			check({ signedContent: '{timestamp}.{body}' }, { 'x-signature': sign(SECRET, `.${BODY}`) }),
		).toEqual('partMissing');
	});
});

describe('splitSignatures', () => {
	it.each([
		['a', '', ['a']],
		['a,b c;d', '', ['a', 'b', 'c', 'd']],
		['a ,, b', '', ['a', 'b']],
		['sha256=a', 'sha256=', ['a']],
		['sha256=a, SHA256=b, sha1=c', 'sha256=', ['a', 'b']],
		['t=1,v1=a,v1=b', 'v1=', ['a', 'b']],
		['v1,a v1a,b v1,c', 'v1,', ['a', 'c']],
		['HMAC a', 'HMAC ', ['a']],
		['', '', []],
		['sha256=', 'sha256=', []],
		['t=1,v1="a",v1="b"', 'v1=', ['a', 'b']],
		['signature="a"', 'signature=', ['a']],
		['signature="a"', 'signature="', ['a']],
		['t=1&s=a|s=b', 's=', ['a', 'b']],
		['1312701386,a,b', '', ['1312701386', 'a', 'b']],
		['1312701386:a', '', ['1312701386', 'a']],
		['t:1312701386,v1:a', 'v1:', ['a']],
		// Copied along with what separates the parts.
		['t=1;h1=a', ';h1=', ['a']],
		['t=1, "v1=a"', ', "v1=', ['a']],
		['a,b', ',', ['a', 'b']],
		['"a"', ' "', ['a']],
	])('%j with the prefix %j', (header, prefix, expected) => {
		expect(splitSignatures(header, prefix)).toEqual(expected);
	});

	it('needs a number of steps in proportion to the header, whatever is in it', () => {
		// A pattern that tries again at each space would need minutes for these.
		for (const header of [
			`a${' '.repeat(2 ** 20)},`,
			' ,'.repeat(2 ** 19),
			'v1=,'.repeat(2 ** 18),
		]) {
			expect(splitSignatures(header, 'v1=')).toEqual([]);
		}
	});
});

describe('signatures made with a key pair', () => {
	const { privateKey, publicKey } = generateKeyPairSync('ed25519');
	const secret = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
	const rules = hmac({ algorithm: 'ed25519', secretEncoding: 'hex' });
	const genuine = signWithKey(null, Buffer.from(BODY), privateKey).toString('hex');
	const other = '0'.repeat(128);

	it.each([
		[3, 'verified'],
		[4, 'noMatch'],
	])(
		'the signature made with a key pair, after %d others, is %s, because each has the body read',
		(others, kind) => {
			const field = [...new Array<string>(others).fill(other), genuine].join(',');
			const sent = delivery(BODY, { 'x-signature': field });
			expect(verdictOn(sent, rules, [secret])).toBe(kind);
		},
	);
});
