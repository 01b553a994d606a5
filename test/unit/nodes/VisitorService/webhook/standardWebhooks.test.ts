import { generateKeyPairSync, sign as signWithKey } from 'node:crypto';

import { Webhook } from 'standardwebhooks';
import type { HeaderFields } from '../../../../../nodes/VisitorService/webhook/delivery';
import fc from '../../../../properties';
import { delivery, RECEIVED_AT, verdictOn } from './deliveries';

// The cases of libraries/javascript/src/webhook.test.ts of the specification, and what the
// specification says besides.
const SECRET = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const ID = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const BODY = '{"test": 2432232314}';
const NOW = RECEIVED_AT / 1000;

const sign = (seconds: number, secret = SECRET) =>
	new Webhook(secret).sign(ID, new Date(seconds * 1000), BODY);
const valid = sign(NOW);
const other = 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';
/** Headers of one family; undefined leaves one out. */
const headers = (id?: string, timestamp?: string, signature?: string, family = 'webhook') => ({
	[`${family}-id`]: id,
	[`${family}-timestamp`]: timestamp,
	[`${family}-signature`]: signature,
});
const verdict = (sent: HeaderFields, secret = SECRET, body: string | Buffer = BODY) =>
	verdictOn(delivery(body, sent), { kind: 'standardWebhooks', tolerance: 300 }, [secret]);
const signedWith = (signature: string, secret = SECRET) =>
	verdict(headers(ID, String(NOW), signature), secret);

describe('the cases of the specification', () => {
	it.each([undefined, '', ' '])('a part that is %j is missing', (value) => {
		expect(verdict(headers(value, String(NOW), valid))).toBe('partMissing');
		expect(verdict(headers(ID, value, valid))).toBe('partMissing');
		expect(verdict(headers(ID, String(NOW), value))).toBe('signatureMissing');
	});

	it.each(['hello', '1614265330.5', '1614265330000', '-1', '1e9', '0x60'])(
		'rejects the timestamp %s, which is not an integer of seconds',
		(timestamp) => {
			expect(verdict(headers(ID, timestamp, valid))).toBe('timestampUnreadable');
		},
	);

	it.each(['v1,', 'v1', '', ',', `${valid},`, `${other} v2,${other}`])(
		'the signature %j is rejected',
		(signature) => {
			expect(signedWith(signature)).not.toBe('verified');
		},
	);

	it('takes the headers of Svix, from whom the specification comes, and never mixes the two', () => {
		const svix = headers(ID, String(NOW), valid, 'svix');
		const own = headers(ID, String(NOW), valid);
		for (const foreign of [{}, { 'webhook-signature': 'v1,AAAA' }, { 'webhook-id': 'sub-5' }])
			expect(verdict({ ...foreign, ...svix })).toBe('verified');
		expect(verdict({ ...svix, 'svix-id': 'msg_other' })).toBe('noMatch');
		expect(verdict({ ...svix, 'svix-id': undefined, 'webhook-id': ID })).toBe('partMissing');
		expect(verdict({ ...svix, ...own, 'webhook-signature': 'v1,AAAA' })).not.toBe('verified');
		expect(verdict({ ...svix, ...own, 'svix-id': 'x' })).toBe('verified');
	});
});

it('asymmetric signatures are verified with the public key, and never mixed with symmetric ones', () => {
	const { privateKey, publicKey } = generateKeyPairSync('ed25519');
	const raw = Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url');
	const key = `whpk_${raw.toString('base64')}`;
	const made = signWithKey(null, Buffer.from(`${ID}.${NOW}.${BODY}`), privateKey);
	const signature = `v1a,${made.toString('base64')}`;
	expect(signedWith(signature, key)).toBe('verified');
	expect(verdict(headers(ID, String(NOW), signature), key, `${BODY} `)).toBe('noMatch');
	expect(signedWith(signature)).not.toBe('verified');
	const byPublicKey = sign(NOW, raw.toString('base64'));
	for (const symmetric of [valid, byPublicKey, byPublicKey.replace('v1,', 'v1a,')])
		expect(signedWith(symmetric, key)).not.toBe('verified');
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
			(text: string) => `${other} ${text} v2,AAAA`,
			(text: string) => text.replace('v1,', 'v2,'),
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
					const made = mutate(library.sign(id, new Date(seconds * 1000), body));
					const sent = headers(id, String(seconds), made) as Record<string, string>;
					const accepts = () => library.verify(body, sent);
					const judged = expect(accepts);
					if (verdict(sent, secret, body) === 'verified') judged.not.toThrow();
					else judged.toThrow();
				},
			),
			{ numRuns: 500 },
		);
	});
});

it.each([
	['v1,AAAA', SECRET],
	[`v1a,${Buffer.alloc(64).toString('base64')}`, `whpk_${Buffer.alloc(32, 7).toString('base64')}`],
])('a large body is not read for each of thousands of forgeries: %s', (forged, secret) => {
	const sent = headers(ID, String(NOW), new Array<string>(2000).fill(forged).join(' '));
	const start = process.cpuUsage();
	expect(verdict(sent, secret, Buffer.alloc(2 ** 24))).not.toBe('verified');
	// Microseconds of this process, however busy the machine is.
	expect(process.cpuUsage(start).user).toBeLessThan(5e6);
});
