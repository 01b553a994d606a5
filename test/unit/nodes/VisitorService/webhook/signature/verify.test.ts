import type { HeaderFields } from '../../../../../../nodes/VisitorService/webhook/delivery/request';
import type { Authentication } from '../../../../../../nodes/VisitorService/webhook/signature/authentication';
import { verifySignature } from '../../../../../../nodes/VisitorService/webhook/signature/verify';
import fc from '../../../../../properties';
import { delivery, hmac, sign } from '../deliveries';

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
