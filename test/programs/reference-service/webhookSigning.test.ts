import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

import type { HmacSigning } from '../../reference-service';
import { signatureHeaders } from '../../reference-service/webhookSigning';

const at = 1_614_265_330_000;
const hmac = (secret: string, body: string, others: Partial<HmacSigning> = {}, when = at) =>
	signatureHeaders({ scheme: 'hmac', secret, ...others }, 'evt-1', Buffer.from(body), when);

describe('signatureHeaders', () => {
	it('adds no header for the scheme none', () => {
		expect(signatureHeaders({ scheme: 'none' }, 'i', Buffer.from('{}'), at)).toEqual({});
	});

	it('sends the secret itself for the scheme header', () => {
		const signing = { scheme: 'header', secret: 's' } as const;
		expect(signatureHeaders(signing, 'i', Buffer.from('{}'), at)).toEqual({
			'X-Webhook-Token': 's',
		});
		expect(signatureHeaders({ ...signing, headerName: 'X-Key' }, 'i', Buffer.from(''), at)).toEqual(
			{
				'X-Key': 's',
			},
		);
	});

	it('hmac: the public example of GitHub', () => {
		expect(
			hmac("It's a Secret to Everybody", 'Hello, World!', {
				signatureHeader: 'X-Hub-Signature-256',
				signaturePrefix: 'sha256=',
			}),
		).toEqual({
			'X-Hub-Signature-256':
				'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
		});
	});

	it('hmac: case 2 of RFC 4231', () => {
		const content = 'what do ya want for nothing?';
		expect(hmac('Jefe', content)).toEqual({
			'X-Signature': '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
		});
		expect(hmac('Jefe', content, { algorithm: 'sha512' })['X-Signature']).toMatch(
			/^164b7a7bfcf819e2/,
		);
		expect(hmac('Jefe', content, { algorithm: 'sha1' })['X-Signature']).toBe(
			'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79',
		);
	});

	it('writes an HMAC in each encoding', () => {
		const encoded = (encoding: HmacSigning['encoding']) =>
			hmac('Jefe', 'what do ya want for nothing?', { encoding })['X-Signature'];
		const base64 = 'W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=';
		expect(encoded('base64')).toBe(base64);
		expect(encoded('base64NoPadding')).toBe(base64.slice(0, -1));
		expect(encoded('base64url')).toBe(
			base64.slice(0, -1).replaceAll('+', '-').replaceAll('/', '_'),
		);
		expect(encoded('HEX')).toMatch(/^5BDCC146/);
	});

	it('hmac: timestamp and id in the signed content, in headers of their own', () => {
		const headers = hmac('secret', '{"a":1}', {
			signedContent: 'v0:{timestamp}:{id}:{body}.',
			timestampHeader: 'X-Time',
			timestampUnit: 'ms',
			idHeader: 'X-Id',
			signaturePrefix: 't={timestamp},v1=',
		});
		const same = hmac('secret', `v0:${at}:evt-1:{"a":1}.`)['X-Signature'];
		expect(headers).toEqual({
			'X-Signature': `t=${at},v1=${same}`,
			'X-Time': String(at),
			'X-Id': 'evt-1',
		});
		expect(hmac('secret', '', { timestampHeader: 'X-Time' })['X-Time']).toBe('1614265330');
	});

	it('hmac: bytes that are not text are signed as they are', () => {
		const bytes = Buffer.from([0xff, 0x00, 0xc3]);
		const signed = (signedContent: string) =>
			signatureHeaders({ scheme: 'hmac', secret: 's', signedContent }, 'i', bytes, at)[
				'X-Signature'
			];
		expect(signed('{body}')).toBe(createHmac('sha256', 's').update(bytes).digest('hex'));
		expect(signed('{body}')).not.toBe(hmac('s', bytes.toString())['X-Signature']);
	});

	it('hmac: two secrets during a rotation', () => {
		const both = hmac('new', 'b', {
			previousSecret: 'old',
			separator: ' ',
			signaturePrefix: 'v1=',
		});
		expect(both['X-Signature']).toBe(
			`v1=${hmac('new', 'b')['X-Signature']} v1=${hmac('old', 'b')['X-Signature']}`,
		);
	});

	it('standardWebhooks: the public example, and what the public library accepts', () => {
		const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
		const headers = signatureHeaders(
			{ scheme: 'standardWebhooks', secret },
			'msg_p5jXN8AQM9LWM0D4loKWxJek',
			Buffer.from('{"test": 2432232314}'),
			at,
		);
		expect(headers).toEqual({
			'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
			'webhook-timestamp': '1614265330',
			'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
		});
		const other = `whsec_${Buffer.from('another secret of some length').toString('base64')}`;
		const rotated = signatureHeaders(
			{ scheme: 'standardWebhooks', secret: other, previousSecret: secret },
			'i',
			Buffer.from('{}'),
			Date.now(),
		);
		expect(new Webhook(secret).verify('{}', rotated)).toEqual({});
		expect(new Webhook(other).verify('{}', rotated)).toEqual({});
	});
});
