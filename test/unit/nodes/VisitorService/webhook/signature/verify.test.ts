import type { HeaderFields } from '../../../../../../nodes/VisitorService/webhook/delivery/request';
import type { Authentication } from '../../../../../../nodes/VisitorService/webhook/signature/authentication';
import { verifySignature } from '../../../../../../nodes/VisitorService/webhook/signature/verify';
import fc from '../../../../../properties';
import { delivery, hmac, RECEIVED_AT, sign } from '../deliveries';

const header: Authentication = { kind: 'header', headerName: 'X-Webhook-Token' };
const standardWebhooks: Authentication = { kind: 'standardWebhooks', tolerance: 300 };

interface Vector {
	source: string;
	secret: string;
	body: string;
	headers: HeaderFields;
	authentication: Authentication;
	receivedAt?: number;
}

// Published examples of the signing services themselves, recomputed.
const vectors: Vector[] = [
	{
		source: 'Standard Webhooks, libraries/javascript, "sign function works"',
		secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
		body: '{"test": 2432232314}',
		headers: {
			'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
			'webhook-timestamp': '1614265330',
			'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
		},
		authentication: standardWebhooks,
	},
	{
		source: 'GitHub, "Validating webhook deliveries"',
		secret: "It's a Secret to Everybody",
		body: 'Hello, World!',
		headers: {
			'x-hub-signature-256':
				'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
		},
		authentication: hmac({ signatureHeaders: ['X-Hub-Signature-256'], signaturePrefix: 'sha256=' }),
	},
	{
		source: 'Slack, "Verifying requests from Slack"',
		secret: '8f742231b10e8888abcd99yyyzzz85a5',
		body: 'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
		headers: {
			'x-slack-request-timestamp': '1531420618',
			'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
		},
		authentication: hmac({
			signatureHeaders: ['X-Slack-Signature'],
			signaturePrefix: 'v0=',
			signedContent: 'v0:{timestamp}:{body}',
			timestampHeader: 'X-Slack-Request-Timestamp',
		}),
		receivedAt: 1_531_420_618_000,
	},
	{
		source: 'octokit/webhooks-methods.js',
		secret: 'mysecret',
		body: '{"foo":"bar"}',
		headers: {
			'x-hub-signature-256':
				'sha256=4864d2759938a15468b5df9ade20bf161da9b4f737ea61794142f3484236bda3',
		},
		authentication: hmac({ signatureHeaders: ['X-Hub-Signature-256'], signaturePrefix: 'sha256=' }),
	},
	{
		source: 'RFC 4231 test case 2, SHA-256',
		secret: 'Jefe',
		body: 'what do ya want for nothing?',
		headers: { 'x-signature': '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843' },
		authentication: hmac(),
	},
	{
		source: 'RFC 4231 test case 2, SHA-512',
		secret: 'Jefe',
		body: 'what do ya want for nothing?',
		headers: {
			'x-signature':
				'164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
		},
		authentication: hmac({ algorithm: 'sha512' }),
	},
	{
		source: 'RFC 4231 test case 2, SHA-384',
		secret: 'Jefe',
		body: 'what do ya want for nothing?',
		headers: {
			'x-signature':
				'af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649',
		},
		authentication: hmac({ algorithm: 'sha384' }),
	},
	{
		source: 'RFC 8032 section 7.1 test 2, Ed25519',
		secret: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
		body: 'r',
		headers: {
			'x-signature':
				'92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
		},
		authentication: hmac({ algorithm: 'ed25519', secretEncoding: 'hex' }),
	},
	{
		source: 'RFC 2202 test case 2, SHA-1',
		secret: 'Jefe',
		body: 'what do ya want for nothing?',
		headers: { 'x-signature': 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79' },
		authentication: hmac({ algorithm: 'sha1' }),
	},
];

describe('published vectors', () => {
	it.each(vectors)(
		'verifies the published example and refuses a changed one: $source',
		({ secret, body, headers, authentication, receivedAt = RECEIVED_AT }) => {
			const check = (raw: string, secrets: string[]) =>
				verifySignature(delivery(raw, headers, { receivedAt }), authentication, secrets);
			expect(check(body, [secret])).toEqual({ kind: 'verified' });
			expect(check(`${body} `, [secret])).toEqual({ kind: 'refused', reason: 'noMatch' });
			expect(check(body, [`${secret.slice(0, -4)}AAAA`])).toEqual({
				kind: 'refused',
				reason: 'noMatch',
			});
		},
	);
});

describe('secrets', () => {
	const body = '{"event":"visit.created"}';
	const signedBy = (secret: string) => ({
		'x-signature': sign(secret, body),
		'x-webhook-token': secret,
	});

	it.each([hmac(), header])(
		'accepts the current and the previous one ($kind)',
		(authentication) => {
			const check = (headers: HeaderFields, secrets: string[]) =>
				verifySignature(delivery(body, headers), authentication, secrets).kind === 'verified';
			expect(check(signedBy('current'), ['current', 'previous'])).toBe(true);
			expect(check(signedBy('previous'), ['current', 'previous'])).toBe(true);
			expect(check(signedBy('previous'), ['', 'previous'])).toBe(true);
			expect(check(signedBy('other'), ['current', 'previous'])).toBe(false);
		},
	);

	it.each([hmac(), header, standardWebhooks])(
		'never matches an empty one ($kind)',
		(authentication) => {
			for (const secrets of [[], [''], ['', ''], ['  ', '\n']]) {
				for (const value of ['', ' ', sign('', body)]) {
					const headers = {
						'x-signature': value,
						'x-webhook-token': value,
						'webhook-id': 'msg_1',
						'webhook-timestamp': '1614265330',
						'webhook-signature': `v1,${sign('', `msg_1.1614265330.${body}`, 'base64')}`,
					};
					expect(verifySignature(delivery(body, headers), authentication, secrets)).toEqual({
						kind: 'refused',
						reason: 'noSecret',
					});
				}
			}
		},
	);

	it.each([hmac(), header])(
		'never matches an empty or missing header ($kind)',
		(authentication) => {
			for (const headers of [
				{},
				{ 'x-signature': '', 'x-webhook-token': '' },
				{ 'x-signature': '  ' },
			]) {
				expect(verifySignature(delivery(body, headers), authentication, ['secret'])).toEqual({
					kind: 'refused',
					reason: 'signatureMissing',
				});
			}
		},
	);
});

describe('verifySignature', () => {
	it('verifies nothing where authentication is none', () => {
		expect(verifySignature(delivery('x'), { kind: 'none' }, [])).toEqual({ kind: 'verified' });
	});

	it('names a reason instead of throwing when a check breaks', () => {
		const broken = { ...hmac(), algorithm: 'md17' } as unknown as Authentication;
		const signed = delivery('x', { 'x-signature': sign('secret', 'x') });
		expect(verifySignature(signed, broken, ['secret']).kind).toBe('refused');
		const noHeaders = { ...signed, headers: undefined } as unknown as typeof signed;
		expect(verifySignature(noHeaders, hmac(), ['secret'])).toEqual({
			kind: 'refused',
			reason: 'notCheckable',
		});
	});

	it('accepts what was signed, in every form, and nothing else, for any content', () => {
		const text = fc.string({ unit: 'binary', maxLength: 40 });
		const token = fc.stringMatching(/^[\w.:-]{1,20}$/);
		fc.assert(
			fc.property(
				fc.uint8Array({ maxLength: 200 }),
				text.filter((secret) => secret.trim() !== ''),
				token,
				fc.constantFrom('sha256' as const, 'sha512' as const, 'sha1' as const),
				fc.constantFrom('hex' as const, 'base64' as const, 'base64url' as const),
				fc.constantFrom('', 'sha256=', 'v1=', 'v1,', 'HMAC '),
				fc.array(token, { maxLength: 3 }),
				fc.nat(),
				(bytes, secret, id, algorithm, written, prefix, others, flip) => {
					const body = Buffer.from(bytes);
					const time = '1614265330';
					const content = Buffer.concat([Buffer.from(`${id}.${time}.`), body]);
					const signature = sign(secret, content, written, algorithm);
					const rules = hmac({
						algorithm,
						encoding: written === 'hex' ? 'hex' : 'base64',
						signaturePrefix: prefix,
						signedContent: '{id}.{timestamp}.{body}',
						timestampHeader: 'X-Time',
						idHeader: 'X-Id',
					});
					const headers = {
						'x-id': id,
						'x-time': time,
						'x-signature': [...others, `${prefix}${signature}`, ...others].join(', '),
					};
					const check = (raw: Buffer, change: HeaderFields = {}) =>
						verifySignature(delivery(raw, { ...headers, ...change }), rules, [secret]).kind ===
						'verified';
					expect(check(body)).toBe(true);
					expect(check(Buffer.concat([body, Buffer.from([0])]))).toBe(false);
					expect(check(body, { 'x-id': `${id}x` })).toBe(false);
					expect(check(body, { 'x-time': '1614265331' })).toBe(false);
					if (body.length > 0) {
						const changed = Buffer.from(body);
						const position = flip % body.length;
						changed.writeUInt8(changed.readUInt8(position) ^ (1 << (flip % 8)), position);
						expect(check(changed)).toBe(false);
					}
				},
			),
			{ numRuns: 300 },
		);
	});
});
