import { generateKeyPairSync, sign as signWithKey } from 'node:crypto';

import { Webhook } from 'standardwebhooks';
import type { HeaderFields } from '../../../../../nodes/VisitorService/webhook/delivery';
import {
	isStandardWebhooksSecret,
	verifyStandardWebhook,
} from '../../../../../nodes/VisitorService/webhook/standardWebhooks';
import fc from '../../../../properties';
import { delivery, RECEIVED_AT } from './deliveries';

// The cases of libraries/javascript/src/webhook.test.ts of the specification, and what the specification says besides.
const SECRET = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const BODY = '{"test": 2432232314}';
const NOW = RECEIVED_AT / 1000;

function headersAt(seconds: number, body = BODY, secret = SECRET): HeaderFields {
	return {
		'webhook-id': ID,
		'webhook-timestamp': String(seconds),
		'webhook-signature': new Webhook(secret).sign(ID, new Date(seconds * 1000), body),
	};
}

function check(change: HeaderFields = {}, secrets = [SECRET]) {
	return verifyStandardWebhook(delivery(BODY, { ...headersAt(NOW), ...change }), 300, secrets);
}

describe('the cases of the specification', () => {
	it('a valid signature is valid', () => {
		expect(check()).toEqual({ ok: true });
	});
	it('an empty key is refused', () => {
		expect(check({}, ['whsec_'])).toEqual({ ok: false, reason: 'secretUnusable' });
	});
	it.each([
		['id', 'idMissing'],
		['timestamp', 'timestampMissing'],
		['signature', 'signatureMissing'],
	])('a missing or empty %s is refused', (name, reason) => {
		for (const value of [undefined, '', ' ']) {
			expect(check({ [`webhook-${name}`]: value })).toEqual({ ok: false, reason });
		}
	});
	it.each(['hello', '1614265330.5', '1614265330000', '-1', '1e9', '0x60'])(
		'the timestamp %s is refused, for it is no integer of seconds',
		(timestamp) => {
			expect(check({ 'webhook-timestamp': timestamp })).toEqual({
				ok: false,
				reason: 'timestampUnreadable',
			});
		},
	);
	it.each(['v1,dawfeoifkpqwoekfpqoekf', 'v1,', 'v1', 'v1,g0hM9', '', ','])(
		'the signature %j is refused',
		(signature) => {
			expect(check({ 'webhook-signature': signature }).ok).toBe(false);
		},
	);
	it('is refused outside the tolerance, in both directions', () => {
		const at = (seconds: number) =>
			verifyStandardWebhook(delivery(BODY, headersAt(seconds)), 300, [SECRET]);
		expect(at(NOW - 300)).toEqual({ ok: true });
		expect(at(NOW - 301)).toEqual({ ok: false, reason: 'timestampTooOld' });
		expect(at(NOW + 300)).toEqual({ ok: true });
		expect(at(NOW + 301)).toEqual({ ok: false, reason: 'timestampTooNew' });
	});
	it('one valid signature among several is enough', () => {
		const other = 'Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';
		const valid = String(headersAt(NOW)['webhook-signature']);
		expect(check({ 'webhook-signature': `v1,${other} v2,${other} ${valid} v1,${other}` })).toEqual({
			ok: true,
		});
		expect(check({ 'webhook-signature': `v1,${other} v2,${other}` })).toEqual({
			ok: false,
			reason: 'noMatch',
		});
		expect(check({ 'webhook-signature': valid.replace('v1,', 'v2,') }).ok).toBe(false);
		expect(check({ 'webhook-signature': valid.replace('v1,', 'v1a,') }).ok).toBe(false);
		expect(check({ 'webhook-signature': `${valid},` }).ok).toBe(false);
	});
	it('the secret works with and without its prefix, and blanks around it do no harm', () => {
		expect(check({}, [SECRET])).toEqual({ ok: true });
		expect(check({}, [`whsec_${SECRET}`])).toEqual({ ok: true });
		expect(check({}, [` whsec_${SECRET}\n`])).toEqual({ ok: true });
		expect(check({}, ['whsec_AAAA', `whsec_${SECRET}`])).toEqual({ ok: true });
	});
	it('headers of other brands are not the headers of the specification', () => {
		const {
			'webhook-id': id,
			'webhook-timestamp': time,
			'webhook-signature': signature,
		} = headersAt(NOW);
		const branded = { 'svix-id': id, 'svix-timestamp': time, 'svix-signature': signature };
		expect(verifyStandardWebhook(delivery(BODY, branded), 300, [SECRET]).ok).toBe(false);
		expect(() => new Webhook(SECRET).verify(BODY, branded as Record<string, string>)).toThrow();
	});
});

describe('asymmetric signatures', () => {
	const { privateKey, publicKey } = generateKeyPairSync('ed25519');
	const raw = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url');
	const key = `whpk_${raw.toString('base64')}`;
	const signature = signWithKey(null, Buffer.from(`${ID}.${NOW}.${BODY}`), privateKey);
	const signed = { 'webhook-signature': `v1a,${signature.toString('base64')}` };

	it('are verified with the public key', () => {
		expect(check(signed, [key])).toEqual({ ok: true });
		expect(
			verifyStandardWebhook(delivery(`${BODY} `, { ...headersAt(NOW), ...signed }), 300, [key]),
		).toEqual({ ok: false, reason: 'noMatch' });
	});
	it('are not taken for symmetric ones, nor the other way round', () => {
		expect(check({}, [key]).ok).toBe(false);
		expect(check(signed, [SECRET]).ok).toBe(false);
		const symmetricByPublicKey = new Webhook(raw.toString('base64')).sign(
			ID,
			new Date(NOW * 1000),
			BODY,
		);
		expect(check({ 'webhook-signature': symmetricByPublicKey }, [key]).ok).toBe(false);
		expect(
			check({ 'webhook-signature': symmetricByPublicKey.replace('v1,', 'v1a,') }, [key]).ok,
		).toBe(false);
	});
	it('stand beside symmetric ones in one header', () => {
		const both = `${String(headersAt(NOW)['webhook-signature'])} ${signed['webhook-signature']}`;
		expect(check({ 'webhook-signature': both }, [key])).toEqual({ ok: true });
		expect(check({ 'webhook-signature': both }, [SECRET])).toEqual({ ok: true });
	});
});

describe('the public library', () => {
	afterEach(() => jest.restoreAllMocks());

	it('agrees on every signature and every mutation of it', () => {
		jest.spyOn(Date, 'now').mockReturnValue(RECEIVED_AT);
		const mutation = fc.constantFrom(
			(text: string) => text,
			(text: string) => text.slice(1),
			(text: string) => text.slice(0, -1),
			(text: string) => `${text} v1,AAAA`,
			(text: string) => `v1,AAAA ${text}`,
			(text: string) => text.replace('v1,', 'v1a,'),
			(text: string) => text.toLowerCase(),
			(text: string) => text.replace(/=+$/, ''),
		);
		fc.assert(
			fc.property(
				fc.base64String({ minLength: 4, maxLength: 64 }),
				fc.stringMatching(/^[!-~]{1,30}$/),
				fc.integer({ min: NOW - 310, max: NOW + 310 }),
				fc.json(),
				mutation,
				(secret, id, seconds, body, mutate) => {
					const library = new Webhook(secret);
					const headers = {
						'webhook-id': id,
						'webhook-timestamp': String(seconds),
						'webhook-signature': mutate(library.sign(id, new Date(seconds * 1000), body)),
					};
					const accepted = (() => {
						try {
							library.verify(body, headers);
							return true;
						} catch {
							return false;
						}
					})();
					expect(verifyStandardWebhook(delivery(body, headers), 300, [secret]).ok).toBe(accepted);
				},
			),
			{ numRuns: 500 },
		);
	});
});

describe('isStandardWebhooksSecret', () => {
	it.each([SECRET, `whsec_${SECRET}`, ` whsec_${SECRET} `, 'c2VjcmV0'])('takes %j', (secret) => {
		expect(isStandardWebhooksSecret(secret)).toBe(true);
	});
	it.each(['', 'whsec_', 'my secret', 'whsec_a', 'whpk_AAAA', 'whsec_-!', 'whpk_'])(
		'refuses %j',
		(secret) => {
			expect(isStandardWebhooksSecret(secret)).toBe(false);
		},
	);
});
