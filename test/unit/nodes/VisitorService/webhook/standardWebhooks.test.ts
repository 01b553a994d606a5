import { generateKeyPairSync, sign as signWithKey } from 'node:crypto';

import { Webhook } from 'standardwebhooks';
import type { HeaderFields } from '../../../../../nodes/VisitorService/webhook/delivery';
import fc from '../../../../properties';
import { delivery, RECEIVED_AT, verdictOn } from './deliveries';

const verifyStandardWebhook = (
	sent: ReturnType<typeof delivery>,
	tolerance: number,
	secrets: string[],
) => verdictOn(sent, { kind: 'standardWebhooks', tolerance }, secrets);

// The cases of libraries/javascript/src/webhook.test.ts of the specification, and what the
// specification says besides.
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
	it.each([
		['id', 'partMissing'],
		['timestamp', 'partMissing'],
		['signature', 'signatureMissing'],
	])('a missing or empty %s is refused', (name, reason) => {
		for (const value of [undefined, '', ' ']) {
			expect(check({ [`webhook-${name}`]: value })).toEqual(reason);
		}
	});
	it.each(['hello', '1614265330.5', '1614265330000', '-1', '1e9', '0x60'])(
		'refuses the timestamp %s, which is not an integer of seconds',
		(timestamp) => {
			expect(check({ 'webhook-timestamp': timestamp })).toEqual('timestampUnreadable');
		},
	);
	it.each(['v1,dawfeoifkpqwoekfpqoekf', 'v1,', 'v1', 'v1,g0hM9', '', ','])(
		'the signature %j is refused',
		(signature) => {
			expect(check({ 'webhook-signature': signature })).not.toBe('verified');
		},
	);
	it('refuses a delivery outside the tolerance, in both directions', () => {
		const at = (seconds: number) =>
			verifyStandardWebhook(delivery(BODY, headersAt(seconds)), 300, [SECRET]);
		expect(at(NOW - 300)).toEqual('verified');
		expect(at(NOW - 301)).toEqual('timestampOutside');
		expect(at(NOW + 300)).toEqual('verified');
		expect(at(NOW + 301)).toEqual('timestampOutside');
	});
	it('one valid signature among several is enough', () => {
		const other = 'Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';
		const valid = String(headersAt(NOW)['webhook-signature']);
		expect(check({ 'webhook-signature': `v1,${other} v2,${other} ${valid} v1,${other}` })).toEqual(
			'verified',
		);
		expect(check({ 'webhook-signature': `v1,${other} v2,${other}` })).toEqual('noMatch');
		expect(check({ 'webhook-signature': valid.replace('v1,', 'v2,') })).not.toBe('verified');
		expect(check({ 'webhook-signature': valid.replace('v1,', 'v1a,') })).not.toBe('verified');
		expect(check({ 'webhook-signature': `${valid},` })).not.toBe('verified');
	});
	it('takes the headers of Svix, from whom the specification comes, and never mixes the two', () => {
		const {
			'webhook-id': id,
			'webhook-timestamp': time,
			'webhook-signature': signature,
		} = headersAt(NOW);
		const svix = { 'svix-id': id, 'svix-timestamp': time, 'svix-signature': signature };
		const verify = (headers: HeaderFields) =>
			verifyStandardWebhook(delivery(BODY, headers), 300, [SECRET]);
		expect(verify(svix)).toEqual('verified');
		expect(verify({ ...svix, 'svix-id': 'msg_other' })).not.toBe('verified');
		expect(
			verify({ 'webhook-id': id, 'svix-timestamp': time, 'svix-signature': signature }),
		).toEqual('partMissing');
		const both = { ...svix, ...headersAt(NOW), 'webhook-signature': 'v1,AAAA' };
		expect(verify(both)).not.toBe('verified');
		expect(verify({ ...both, 'webhook-signature': signature, 'svix-id': 'x' })).toBe('verified');
	});

	it.each([
		['webhook-signature', { 'webhook-signature': 'v1,AAAA' }],
		['webhook-signature and an ID', { 'webhook-signature': 'v1,AAAA', 'webhook-id': 'sub-5' }],
		['webhook-id', { 'webhook-id': 'sub-5' }],
	])('takes the complete headers of Svix beside a foreign %s', (_, foreign) => {
		const {
			'webhook-id': id,
			'webhook-timestamp': time,
			'webhook-signature': signature,
		} = headersAt(NOW);
		const svix = { 'svix-id': id, 'svix-timestamp': time, 'svix-signature': signature };
		const sent = delivery(BODY, { ...foreign, ...svix });
		expect(verifyStandardWebhook(sent, 300, [SECRET])).toEqual('verified');
	});
});

describe('asymmetric signatures', () => {
	const { privateKey, publicKey } = generateKeyPairSync('ed25519');
	const raw = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url');
	const key = `whpk_${raw.toString('base64')}`;
	const signature = signWithKey(null, Buffer.from(`${ID}.${NOW}.${BODY}`), privateKey);
	const signed = { 'webhook-signature': `v1a,${signature.toString('base64')}` };

	it('verifies asymmetric signatures with the public key', () => {
		expect(check(signed, [key])).toEqual('verified');
		expect(
			verifyStandardWebhook(delivery(`${BODY} `, { ...headersAt(NOW), ...signed }), 300, [key]),
		).toEqual('noMatch');
	});
	it('asymmetric signatures are not taken for symmetric ones, nor the other way round', () => {
		expect(check({}, [key])).not.toBe('verified');
		expect(check(signed, [SECRET])).not.toBe('verified');
		const symmetricByPublicKey = new Webhook(raw.toString('base64')).sign(
			ID,
			new Date(NOW * 1000),
			BODY,
		);
		expect(check({ 'webhook-signature': symmetricByPublicKey }, [key])).not.toBe('verified');
		expect(
			check({ 'webhook-signature': symmetricByPublicKey.replace('v1,', 'v1a,') }, [key]) ===
				'verified',
		).toBe(false);
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
			(text: string) => text.replace(/=+$/, ''),
			(text: string) => `${text} v1,AAAA`,
			(text: string) => `v1,AAAA ${text}`,
			(text: string) => text.replace('v1,', 'v1a,'),
			(text: string) => text.toLowerCase(),
		);
		fc.assert(
			fc.property(
				fc.base64String({ minLength: 4, maxLength: 64 }),
				fc.stringMatching(/^[\w:@+/-]{1,30}$/),
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
					const verdict = verifyStandardWebhook(delivery(body, headers), 300, [secret]);
					expect(verdict === 'verified').toBe(accepted);
				},
			),
			{ numRuns: 500 },
		);
	});
});

describe('a forged delivery with thousands of signatures', () => {
	const large = Buffer.alloc(2 ** 24);
	const forged = (signature: string, secret: string) => {
		const header = new Array<string>(2000).fill(signature).join(' ');
		const headers = { ...headersAt(NOW), 'webhook-signature': header };
		return verifyStandardWebhook(delivery(large, headers), 300, [secret]);
	};

	it.each([
		['v1,AAAA', SECRET],
		[
			`v1a,${Buffer.alloc(64).toString('base64')}`,
			`whpk_${Buffer.alloc(32, 7).toString('base64')}`,
		],
	])('does not have a large body read for each of them: %s', (signature, secret) => {
		const start = performance.now();
		expect(forged(signature, secret)).not.toBe('verified');
		expect(performance.now() - start).toBeLessThan(5000);
	});
});
