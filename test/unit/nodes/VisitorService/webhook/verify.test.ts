import { generateKeyPairSync, sign as signWithKey } from 'node:crypto';
import { decodeBytes, keyOf } from '../../../../../nodes/VisitorService/webhook/authentication';
import type { HeaderFields } from '../../../../../nodes/VisitorService/webhook/delivery';
import { splitSignatures } from '../../../../../nodes/VisitorService/webhook/verify';
import fc from '../../../../properties';
import { delivery, hmac, RECEIVED_AT, sign, verdictOn } from './deliveries';

const SECRET = 'synthetic-secret';
const BODY = '{"event":"visit.created","id":"evt-000001"}';
const SECONDS = String(RECEIVED_AT / 1000);

const hex = sign(SECRET, BODY);
const other = sign('another secret', BODY);
const signedContent = '{timestamp}.{body}';
const timed = sign(SECRET, `${SECONDS}.${BODY}`);
const base64 = sign(SECRET, BODY, 'base64url').replace(/=+$/, '');
const own = (signature: string) => ({ 'x-signature': signature });

it.each<[string, Parameters<typeof hmac>[0], HeaderFields, string]>([
	['hex in upper case', {}, own(hex.toUpperCase()), 'verified'],
	['sent twice', {}, { 'x-signature': [other, hex] }, 'verified'],
	['after others', {}, own(`t=1, none, ${other}  ${hex}`), 'verified'],
	['a prefix', { signaturePrefix: '$1|(' }, own(`$1|(${hex}`), 'verified'],
	['no prefix', { signaturePrefix: 'v1=' }, own(hex), 'signatureUnreadable'],
	['more than it', { signaturePrefix: 'v1=' }, own(`xv1=${hex}`), 'signatureUnreadable'],
	['a pattern', { signaturePrefix: 'v.=' }, own(`v1=${hex}`), 'signatureUnreadable'],
	['bare Base64', { encoding: 'base64' }, own(base64), 'verified'],
	['Base64 for hex', {}, own(base64), 'signatureUnreadable'],
	['another case', { signatureHeaders: ['X-SIGNATURE'] }, own(hex), 'verified'],
	['a prototype', { signatureHeaders: ['__proto__', 'toString', ''] }, {}, 'signatureMissing'],
	['no body', { signedContent: '{url}' }, own(hex), 'notCheckable'],
	['no time', { signedContent }, own(timed), 'partMissing'],
	['a time beside it', { signedContent }, own(`${SECONDS};${timed}`), 'verified'],
	[
		'the time in the other header',
		{ signedContent, signatureHeaders: ['X-A', 'X-B'] },
		{ 'x-a': timed, 'x-b': `t=${SECONDS}` },
		'verified',
	],
	[
		'the time named in its own header',
		{ signedContent, timestampHeader: 'X-Time' },
		{ ...own(timed), 'x-time': `t=${SECONDS},a=b` },
		'verified',
	],
	[
		'an old time that is not signed',
		{ timestampHeader: 'X-Time' },
		{ ...own(hex), 'x-time': '1000000000' },
		'timestampOutside',
	],
	['no ID', { signedContent: '{id}.{body}', idHeader: 'X-Id' }, own(hex), 'partMissing'],
])('a signature with %s', (_, rules, headers, expected) => {
	expect(verdictOn(delivery(BODY, headers), hmac(rules), [SECRET])).toBe(expected);
});

it('a signature is that of the bytes as they came', () => {
	const raw = Buffer.from([0xff, 0x00, 0xfe, 0x0a, 0xc3]);
	expect(verdictOn(delivery(raw, own(sign(SECRET, raw))), hmac(), [SECRET])).toBe('verified');
});

it('a signature made with a key pair is among the first four, because each has the body read', () => {
	const { privateKey, publicKey } = generateKeyPairSync('ed25519');
	const secret = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
	const genuine = signWithKey(null, Buffer.from(BODY), privateKey).toString('hex');
	const rules = hmac({ algorithm: 'ed25519', secretEncoding: 'hex' });
	const verdicts = [3, 4].map((others) => {
		const field = [...new Array<string>(others).fill('0'.repeat(128)), genuine].join(',');
		return verdictOn(delivery(BODY, own(field)), rules, [secret]);
	});
	expect(verdicts).toEqual(['verified', 'noMatch']);
});

const bytes = (text: string, charset: 'utf8' | 'latin1' = 'utf8') =>
	Buffer.from(text, charset).toString('latin1');

it.each([
	['abc', ['abc'], 'verified'],
	['abcd', ['abc'], 'noMatch'],
	['old', ['new', 'old'], 'verified'],
	['old', ['', 'old'], 'verified'],
	['', [' ', ''], 'secretUnusable'],
	['', ['abc'], 'signatureMissing'],
	// As senders write other characters, in Latin-1 and in UTF-8, and never cut down.
	['gehéim', ['gehéim'], 'verified'],
	[bytes('gehéim'), ['gehéim'], 'verified'],
	[bytes('秘密'), ['秘密'], 'verified'],
	[bytes('秘密', 'latin1'), ['秘密'], 'noMatch'],
	// Its last byte is a space of Unicode.
	[` \t${bytes('ключР')} `, ['ключР'], 'verified'],
	[`${bytes('ключР')}\xa0`, ['ключР'], 'noMatch'],
])('a secret sent as %j for %j', (value, secrets, expected) => {
	const rules = { kind: 'header' as const, headerName: 'X-Webhook-Token' };
	const sent = delivery('', { 'x-webhook-token': value });
	expect(verdictOn(sent, rules, secrets)).toBe(expected);
});

it('a header that breaks the check has verified nothing', () => {
	const sent = { ...delivery(BODY), headers: undefined as unknown as HeaderFields };
	expect(verdictOn(sent, hmac(), [SECRET])).toBe('notCheckable');
});

const key = Buffer.from([1, 2, 0xfb, 0xff]);
it.each([
	[' ä ', 'text', Buffer.from(' ä ')],
	[`${key.toString('base64')}\n`, 'base64', key],
	[`whsec_${key.toString('base64url')}`, 'base64', key],
	[key.toString('hex').toUpperCase(), 'hex', key],
	['not base64!', 'base64', undefined],
	['', 'base64', undefined],
	['whsec_whpk_c2VjcmV0', 'base64', undefined],
	['whsec_00', 'hex', undefined],
	['abc', 'hex', undefined],
	// Anybody could sign with a secret without any bytes.
	['', 'text', undefined],
] as const)('the secret %j, written as %s', (secret, secretEncoding, expected) => {
	expect(keyOf(secret, { algorithm: 'sha256', secretEncoding })).toEqual(expected);
});

it('each form of some bytes is read back to them', () => {
	fc.assert(
		fc.property(fc.uint8Array({ minLength: 1 }), (drawn) => {
			const bytes = Buffer.from(drawn);
			const text = bytes.toString('base64');
			for (const form of [text, text.replace(/=+$/, ''), bytes.toString('base64url')])
				expect(decodeBytes(form, 'base64')).toEqual(bytes);
			expect(decodeBytes(bytes.toString('hex').toUpperCase(), 'hex')).toEqual(bytes);
		}),
	);
});

it.each(['Zg=', 'Z', 'Z===', 'Zg===', '=Zg=', '', '=', 'Z g=', 'Zg==\n', 'Zm9=v', 'Zé=='])(
	'%j is no bytes, because nobody means anything by it',
	(text) => {
		expect(decodeBytes(text, 'base64')).toBeUndefined();
		expect(decodeBytes(text, 'hex')).toBeUndefined();
	},
);

it.each([
	['a,b c;d', '', ['a', 'b', 'c', 'd']],
	['a ,, b', '', ['a', 'b']],
	['sha256=a, SHA256=b, sha1=c', 'sha256=', ['a', 'b']],
	['v1,a v1a,b v1,c', 'v1,', ['a', 'c']],
	['HMAC a', 'HMAC ', ['a']],
	['', '', []],
	['sha256=', 'sha256=', []],
	['t=1,v1="a",v1="b"', 'v1=', ['a', 'b']],
	['signature="a"', 'signature="', ['a']],
	['t=1&s=a|s=b', 's=', ['a', 'b']],
	['1312701386:a', '', ['1312701386', 'a']],
	['t:1312701386,v1:a', 'v1:', ['a']],
	// Copied along with what separates the parts.
	['t=1;h1=a', ';h1=', ['a']],
	['t=1, "v1=a"', ', "v1=', ['a']],
	['a,b', ',', ['a', 'b']],
	['"a"', ' "', ['a']],
])('the signatures in %j with the prefix %j', (header, prefix, expected) => {
	expect(splitSignatures(header, prefix)).toEqual(expected);
});

it('finding signatures needs a number of steps in proportion to the header', () => {
	// A pattern that tries again at each space would need minutes for these.
	const long = [`a${' '.repeat(2 ** 20)},`, ' ,'.repeat(2 ** 19), 'v1=,'.repeat(2 ** 18)];
	expect(long.flatMap((header) => splitSignatures(header, 'v1='))).toEqual([]);
});
