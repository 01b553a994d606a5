import { generateKeyPairSync, sign as signWithKey } from 'node:crypto';
import type { Delivery } from '../../../../../nodes/VisitorService/webhook/delivery/request';
import { receiveDelivery } from '../../../../../nodes/VisitorService/webhook/receive';
import { couldNotHandle, refusedBody } from '../../../../../nodes/VisitorService/webhook/refusals';
import type { Authentication } from '../../../../../nodes/VisitorService/webhook/signature/authentication';
import { delivery, hmac, settings, sign } from './deliveries';

const SECRET = 'synthetic-secret';

/** What becomes of a request if verification requests are answered. */
async function check(sent: Delivery, authentication: Authentication = { kind: 'none' }) {
	const rules = settings({ answersVerificationRequests: true, authentication });
	const secrets = async () => await Promise.resolve(['another-secret', SECRET]);
	return await receiveDelivery(sent, rules, secrets, undefined);
}

const get = (query: Delivery['query'], headers = {}) =>
	delivery('', headers, { method: 'GET', query });
const post = (body: unknown, headers = {}) =>
	delivery(JSON.stringify(body), { 'content-type': 'application/json', ...headers });

describe('A request that checks a new webhook URL', () => {
	it.each<[string, Delivery, object]>([
		['HEAD', delivery('', {}, { method: 'HEAD' }), { kind: 'text', text: '' }],
		['Mailchimp', get({}), { kind: 'text', text: '' }],
		['Mailchimp with a query in its URL', get({ site: 'A' }), { kind: 'text', text: '' }],
		[
			'Smartsheet',
			post({ challenge: 'abc', webhookId: 5 }, { 'smartsheet-hook-challenge': 'abc' }),
			{ kind: 'header', name: 'Smartsheet-Hook-Response', value: 'abc' },
		],
		[
			'Front',
			post({ type: 'sync' }, { 'x-front-challenge': 'abc' }),
			{ kind: 'text', text: 'abc' },
		],
		['Meta', get({ 'hub.mode': 'subscribe', 'hub.challenge': '42' }), { kind: 'text', text: '42' }],
		[
			'Strava',
			get({
				'hub.mode': 'subscribe',
				'hub.verify_token': 'x',
				'hub.challenge': '15f7d1a91c1f40f8a748fd134752feb3',
			}),
			{ kind: 'json', value: { 'hub.challenge': '15f7d1a91c1f40f8a748fd134752feb3' } },
		],
		[
			'WebSub',
			get({ 'hub.mode': 'subscribe', 'hub.topic': 'https://a.test/feed', 'hub.challenge': 'a1' }),
			{ kind: 'text', text: 'a1' },
		],
		[
			'a sender that takes JSON only',
			get({ 'hub.challenge': '42' }, { accept: 'application/json' }),
			{ kind: 'json', value: { 'hub.challenge': '42' } },
		],
		[
			'a sender of GET requests with content',
			delivery('{"a":1}', {}, { method: 'GET', query: { challenge: '42' } }),
			{ kind: 'text', text: '42' },
		],
		['Dropbox', get({ challenge: 'a b' }), { kind: 'text', text: 'a b' }],
		[
			'a sender that likes another type better than JSON',
			get({ challenge: '42' }, { accept: 'text/html, application/json' }),
			{ kind: 'text', text: '42' },
		],
		[
			'a sender that likes JSON and text alike, as axios sends it',
			get({ challenge: '42' }, { accept: 'application/json, text/plain, */*' }),
			{ kind: 'text', text: '42' },
		],
		[
			'a sender that likes anything as much as JSON',
			get({ challenge: '42' }, { accept: 'application/json,*/*' }),
			{ kind: 'text', text: '42' },
		],
		[
			'a sender that likes JSON better than text',
			get({ challenge: '42' }, { accept: 'application/json, text/plain;q=0.9, */*; q=0.8' }),
			{ kind: 'json', value: { challenge: '42' } },
		],
		[
			'Microsoft Graph',
			delivery('', {}, { query: { validationToken: 'Validation: 1' } }),
			{ kind: 'text', text: 'Validation: 1' },
		],
		[
			'Microsoft Graph, whatever it accepts',
			delivery('', { accept: 'application/json' }, { query: { validationToken: 'a' } }),
			{ kind: 'text', text: 'a' },
		],
		[
			'Asana',
			post({}, { 'x-hook-secret': 'abc-1' }),
			{ kind: 'header', name: 'X-Hook-Secret', value: 'abc-1' },
		],
		[
			'RingCentral',
			delivery('', { 'validation-token': 'abc' }),
			{ kind: 'header', name: 'Validation-Token', value: 'abc' },
		],
		[
			'Okta',
			get({}, { 'x-okta-verification-challenge': 'abc' }),
			{ kind: 'json', value: { verification: 'abc' } },
		],
		[
			'Slack',
			post({ type: 'url_verification', challenge: 'abc', token: 'x' }),
			{ kind: 'json', value: { challenge: 'abc' } },
		],
		[
			'a check by its name, with a time beside the challenge',
			post({ type: 'url_verification', challenge: 'abc', timestamp: 1_767_225_600 }),
			{ kind: 'json', value: { challenge: 'abc' } },
		],
		['Monday', post({ challenge: 'abc' }), { kind: 'json', value: { challenge: 'abc' } }],
		[
			'Twitch',
			post(
				{ challenge: 'abc', subscription: {} },
				{ 'twitch-eventsub-message-type': 'webhook_callback_verification' },
			),
			{ kind: 'text', text: 'abc' },
		],
		[
			'Azure Event Grid',
			post([
				{
					eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent',
					data: { validationCode: 'abc' },
				},
			]),
			{ kind: 'json', value: { validationResponse: 'abc' } },
		],
		[
			'a sender of Event Grid that writes names in another way',
			post({
				event_type: ' Microsoft.EventGrid.SubscriptionValidationEvent',
				data: { validationCode: 'abc' },
			}),
			{ kind: 'json', value: { validationResponse: 'abc' } },
		],
	])('gets the answer that %s expects', async (_, sent, answer) => {
		expect(await check(sent)).toEqual({ kind: 'verificationRequest', answer });
	});

	it('gets the token of Zoom signed with the secret that verifies the request', async () => {
		const body = JSON.stringify({
			event: 'endpoint.url_validation',
			payload: { plainToken: 'abc' },
		});
		const signed = delivery(body, { 'x-signature': sign(SECRET, body) });
		expect(await check(signed, hmac())).toEqual({
			kind: 'verificationRequest',
			answer: {
				kind: 'json',
				value: { plainToken: 'abc', encryptedToken: sign(SECRET, 'abc') },
			},
		});
	});

	it('gets the token of Zoom signed with the secret that it sends in a header', async () => {
		const sent = post(
			{ event: 'endpoint.url_validation', payload: { plainToken: 'abc' } },
			{ 'x-token': SECRET },
		);
		const answer = await check(sent, { kind: 'header', headerName: 'X-Token' });
		expect(answer).toEqual({
			kind: 'verificationRequest',
			answer: {
				kind: 'json',
				value: { plainToken: 'abc', encryptedToken: sign(SECRET, 'abc') },
			},
		});
	});

	it.each(['v0:1614265330:abc', 'a,b', 'a.b', 'a b', 'a|b', '{}', '', ['abc'], 7, true])(
		'gets no signature for the token %j of a verified check, which may be that of a delivery',
		async (plainToken) => {
			const body = JSON.stringify({ event: 'endpoint.url_validation', payload: { plainToken } });
			const outcome = await check(delivery(body, { 'x-signature': sign(SECRET, body) }), hmac());
			expect(outcome.kind).toBe('passedOn');
			expect(JSON.stringify(outcome)).not.toContain(sign(SECRET, String(plainToken)));
		},
	);

	it.each<[string, Authentication, RegExp]>([
		['it is forged', hmac(), /^no signature matches/],
		[
			'it has another secret',
			{ kind: 'header', headerName: 'X-Signature' },
			/^no signature matches/,
		],
		['a key pair is used', hmac({ algorithm: 'ed25519' }), /choose HMAC Signature/],
		['nothing is verified', { kind: 'none' }, /choose HMAC Signature/],
		[
			'the sender follows Standard Webhooks',
			{ kind: 'standardWebhooks', tolerance: 300 },
			/choose HMAC Signature/,
		],
	])('gets no signature for Zoom and starts nothing if %s', async (_, authentication, reason) => {
		const forged = post(
			{ event: 'endpoint.url_validation', payload: { plainToken: 'abc' } },
			{ 'x-signature': sign('no-secret', 'abc') },
		);
		expect(await check(forged, authentication)).toMatchObject({
			kind: 'refused',
			statusCode: 401,
			reason: expect.stringMatching(reason) as string,
		});
	});

	it('gets no signature made with a public key', async () => {
		const { publicKey, privateKey } = generateKeyPairSync('ed25519');
		const key = publicKey.export({ format: 'jwk' }).x ?? '';
		const body = '{"event":"endpoint.url_validation","payload":{"plainToken":"abc"}}';
		const signature = signWithKey(null, Buffer.from(body), privateKey).toString('hex');
		const rules = settings({
			answersVerificationRequests: true,
			authentication: hmac({ algorithm: 'ed25519', secretEncoding: 'base64' }),
		});
		const sent = delivery(body, { 'x-signature': signature });
		const outcome = await receiveDelivery(sent, rules, () => Promise.resolve([key]), undefined);
		expect(outcome).toMatchObject({ kind: 'refused', statusCode: 401 });
	});

	it.each<[string, Delivery]>([
		['a challenge that may be a page', post({ challenge: '<b>' })],
		['a challenge of more than 512 characters', post({ challenge: 'a'.repeat(513) })],
		['a challenge that is a number', post({ challenge: 1 })],
		['an event with a challenge', post({ type: 'visit.created', challenge: 'abc' })],
		[
			'a challenge in what has happened',
			post({ type: 'payment.confirmed', challenge: '3ds', token: 'x' }),
		],
		[
			'a challenge in what has happened, by a name with a space after it',
			post({ type: 'payment.confirmed ', challenge: '3ds' }),
		],
		[
			'a challenge in an event that has an ID',
			post({ type: 'visitor.verification', challenge: 'abc', id: 5 }),
		],
		[
			'a challenge beside a token that is a record',
			post({ type: 'visitor.verification', challenge: 'abc', token: { id: 5 } }),
		],
		['a challenge beside two names', post({ type: 'a', event: 'verify', challenge: 'abc' })],
		[
			'a challenge beside a record',
			post({ event: 'subscription.change', challenge: 'abc', data: { id: 1 } }),
		],
		[
			'a challenge beside a list',
			post({ event: 'subscription.change', challenge: 'abc', visits: [1] }),
		],
		['a record with a challenge', post({ challenge: 'abc', visit: 1 })],
		['several elements', post([{ challenge: 'abc' }, { challenge: 'abc' }])],
		['a text', post('challenge')],
		['content beside a challenge in the query', { ...post({ id: 1 }), query: { challenge: '1' } }],
		[
			'a check of Twitch without a challenge',
			post({ a: 1 }, { 'twitch-eventsub-message-type': 'webhook_callback_verification' }),
		],
		[
			'a check of Zoom without a token',
			post({ event: 'endpoint.url_validation', challenge: 'abc' }),
		],
		[
			'a check of Zoom with a token of two words',
			post({ event: 'endpoint.url_validation', payload: { plainToken: 'a b' } }),
		],
		[
			'a check of Event Grid without a code',
			post({ type: 'Microsoft.EventGrid.SubscriptionValidationEvent', challenge: 'abc' }),
		],
		['a header of two words', delivery('', { 'x-hook-secret': 'a b' })],
		['a challenge of two words in a header', post({ id: 1 }, { 'x-front-challenge': 'a b' })],
		[
			'a challenge that may be a page, in a header',
			post({ challenge: 'abc', webhookId: 5 }, { 'smartsheet-hook-challenge': '<b>' }),
		],
		['a challenge of another kind in the query', get({ challenge: '<b>' })],
		['a body that cannot be read', delivery('', { 'content-type': 'text/plain; charset=none' })],
	])('takes no request with %s for a verification request', async (_, sent) => {
		expect((await check(sent)).kind).not.toBe('verificationRequest');
	});

	it.each(Array.from('<>"\'&();{}[]`\\%$!?*^#é\n'))(
		'gets no challenge back that has the character %j',
		async (character) => {
			expect((await check(get({ challenge: `a${character}` }))).kind).toBe('refused');
		},
	);

	it('gets no token back of more than 256 characters', async () => {
		const asked = async (length: number) =>
			(await check(post({}, { 'x-hook-secret': 'a'.repeat(length) }))).kind;
		expect(await asked(256)).toBe('verificationRequest');
		expect(await asked(257)).toBe('passedOn');
	});

	it('looks for no verification request in a large body', async () => {
		const challenge = 'abc';
		const padded = (length: number) => {
			const body = JSON.stringify({ challenge, token: '' });
			return post({ challenge, token: 'x'.repeat(length - body.length) });
		};
		expect((await check(padded(16_384))).kind).toBe('verificationRequest');
		expect((await check(padded(16_385))).kind).toBe('passedOn');
	});

	it.each([hmac(), { kind: 'header', headerName: 'X-Token' }] as const)(
		'costs no reading of the secret if nothing proves where it comes from ($kind)',
		async (authentication) => {
			const rules = settings({ answersVerificationRequests: true, authentication });
			const readSecrets = jest.fn(() => Promise.resolve([SECRET]));
			const outcome = await receiveDelivery(post({ id: 1 }), rules, readSecrets, undefined);
			expect(outcome).toMatchObject({ kind: 'refused', statusCode: 401 });
			expect(readSecrets).not.toHaveBeenCalled();
		},
	);

	it.each([
		['a GET request with a challenge that may be a page', get({ 'hub.challenge': '<b>' }), 405],
		['a GET request with two challenges', get({ challenge: ['a', 'b'] }), 405],
		['a PUT request', { ...post({ challenge: 'abc', id: 1 }), method: 'PUT' }, 405],
		['a delivery without a signature', post({ id: 1 }), 401],
	])('takes %s for no verification request, and refuses it', async (_, sent, statusCode) => {
		expect(await check(sent, hmac())).toMatchObject({ kind: 'refused', statusCode });
	});
});

describe('A refusal', () => {
	it('says of a body whether it was cut off or is too large', () => {
		expect(refusedBody('cutOff')).toMatchObject({ statusCode: 400 });
		expect(refusedBody('tooLarge')).toMatchObject({ statusCode: 413 });
	});

	it('asks the sender to try again if the delivery could not be handled', () => {
		expect(couldNotHandle('No secret. Is it set?.')).toMatchObject({
			kind: 'failed',
			statusCode: 503,
			reason: 'No secret. Is it set?',
		});
	});
});
