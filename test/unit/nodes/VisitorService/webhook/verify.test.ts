import { generateKeyPairSync, sign as signWithKey } from 'node:crypto';
import { decodeBytes, parseKey } from '../../../../../nodes/VisitorService/webhook/authentication';
import type { HeaderFields } from '../../../../../nodes/VisitorService/webhook/delivery';
import {
	checkTimestamp,
	namedTimestamp,
	splitSignatures,
	timestampInList,
} from '../../../../../nodes/VisitorService/webhook/verify';
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
	['more than it', { signaturePrefix: 'v1=' }, own(`xv1=${hex}`), 'signatureUnreadable'],
	['a pattern', { signaturePrefix: 'v.=' }, own(`v1=${hex}`), 'signatureUnreadable'],
	['bare Base64', { encoding: 'base64' }, own(base64), 'verified'],
	['Base64 for hex', {}, own(base64), 'signatureUnreadable'],
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
	['old', ['', 'old'], 'verified'],
	['', [' ', ''], 'secretUnusable'],
	['', ['abc'], 'signatureMissing'],
	// As senders write other characters, in Latin-1 and in UTF-8, and never cut down.
	['gehéim', ['gehéim'], 'verified'],
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
	expect(parseKey(secret, { algorithm: 'sha256', secretEncoding })).toEqual(expected);
});

it.each(['Zg=', 'Z', 'Z===', 'Zg===', '=Zg=', '', '=', 'Z g=', 'Zg==\n', 'Zm9=v', 'Zé=='])(
	'%j is no bytes, because nobody means anything by it',
	(text) => {
		expect(decodeBytes(text, 'base64')).toBeUndefined();
		expect(decodeBytes(text, 'hex')).toBeUndefined();
	},
);

it.each([
	['a ,, b', '', ['a', 'b']],
	['sha256=a, SHA256=b, sha1=c', 'sha256=', ['a', 'b']],
	['v1,a v1a,b v1,c', 'v1,', ['a', 'c']],
	['sha256=', 'sha256=', []],
	['t=1,v1="a",v1="b"', 'v1=', ['a', 'b']],
	['signature="a"', 'signature="', ['a']],
	['t=1&s=a|s=b', 's=', ['a', 'b']],
	['1312701386:a', '', ['1312701386', 'a']],
	// Copied along with what separates the parts.
	['t=1, "v1=a"', ', "v1=', ['a']],
	['"a"', ' "', ['a']],
])('the signatures in %j with the prefix %j', (header, prefix, expected) => {
	expect(splitSignatures(header, prefix)).toEqual(expected);
});

it('finding signatures needs a number of steps in proportion to the header', () => {
	// A pattern that tries again at each space would need minutes for these.
	const long = [`a${' '.repeat(2 ** 20)},`, ' ,'.repeat(2 ** 19), 'v1=,'.repeat(2 ** 18)];
	expect(long.flatMap((header) => splitSignatures(header, 'v1='))).toEqual([]);
});

// How times may be written is in values/instant.test.ts.
it.each<[string | undefined, string[]]>([
	[undefined, ['1614265330', '1614265030', '1614265630', '1614265330000', '1614265030.999']],
	[undefined, ['2021-02-25T15:02:10Z', '2021-02-25T16:02:10+01:00', '2021-02-25T15:06Z']],
	['timestampOutside', ['1614265029', '1614265631', '1614265631000', '-1614265330', '1000000000']],
	['timestampUnreadable', ['now', '0', '2021-02-25', '2021-02-25T15:02:10', '0x6553f100']],
	['partMissing', ['']],
])('the age of a timestamp is checked: %s for each of %j', (expected, timestamps) => {
	const found = timestamps.map((timestamp) => checkTimestamp(timestamp, RECEIVED_AT, 300));
	expect(found).toEqual(timestamps.map(() => expected));
});

it.each([
	['1614265330', ['t=1614265330,v1=a', 'ts=1614265330;h1=a', 'h1=a;ts=1614265330']],
	['1614265330', ['timestamp="1614265330", signature="a"', 'time=1614265330,signature=a']],
	['5', ['v1=a, t=5', 't:5,v1:a', 't=5&s=a', 't=5|s=a', 'T=5']],
	['1312701386', ['1312701386,fe1d2d,ab', '1312701386 fe1d2d', '1312701386:fe1d2d']],
	[undefined, ['h1=a;tss=5', '1614265330', 'v1=a,at=5', 't=', 't=1614265330.25,v1=a']],
	[undefined, ['v1=a, Tue 10:00', '12,ab', '12:34:56,ab', 'Tue, 14 Nov 2023 22:13:20 GMT']],
])('the timestamp %j is found in each of the headers %j', (expected, headers) => {
	expect(headers.map(timestampInList)).toEqual(headers.map(() => expected));
});

it('a number without a name is no named timestamp, because that is a header sent twice', () => {
	expect(namedTimestamp('1312701386,1')).toBeUndefined();
	expect(namedTimestamp('t=1312701386,v1=a')).toBe('1312701386');
});
