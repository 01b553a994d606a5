import type { Authentication } from '../../../../../nodes/VisitorService/webhook/authentication';
import type { HeaderFields } from '../../../../../nodes/VisitorService/webhook/delivery';
import fc from '../../../../properties';
import { delivery, hmac, sign, verdictOn } from './deliveries';

const header: Authentication = { kind: 'header', headerName: 'X-Webhook-Token' };
const standardWebhooks: Authentication = { kind: 'standardWebhooks', tolerance: 300 };

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
				verdictOn(delivery(body, headers), authentication, secrets) === 'verified';
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
					expect(verdictOn(delivery(body, headers), authentication, secrets)).toEqual('noSecret');
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
				expect(verdictOn(delivery(body, headers), authentication, ['secret'])).toEqual(
					'signatureMissing',
				);
			}
		},
	);
});

describe('verifySignature', () => {
	it('verifies nothing where authentication is none', () => {
		expect(verdictOn(delivery('x'), { kind: 'none' }, [])).toEqual('verified');
	});

	it('names a reason instead of throwing when a check breaks', () => {
		const broken = { ...hmac(), algorithm: 'md17' } as unknown as Authentication;
		const signed = delivery('x', { 'x-signature': sign('secret', 'x') });
		expect(verdictOn(signed, broken, ['secret'])).not.toBe('verified');
		const noHeaders = { ...signed, headers: undefined } as unknown as typeof signed;
		expect(verdictOn(noHeaders, hmac(), ['secret'])).toEqual('notCheckable');
	});

	it('accepts what was signed, in every form, and nothing else, for any content', () => {
		const text = fc.string({ unit: 'binary', maxLength: 40 });
		const token = fc.stringMatching(/^[\w.:-]{1,20}$/);
		fc.assert(
			fc.property(
				fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from([0x7b, ...bytes])),
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
						verdictOn(delivery(raw, { ...headers, ...change }), rules, [secret]) === 'verified';
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
