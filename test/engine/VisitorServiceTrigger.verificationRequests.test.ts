import type { INodeParameters } from 'n8n-workflow';

import { WebhookReceiver } from './harness/webhookReceiver';
import type { Delivery } from './harness/webhookRequest';
import { SECRET, sign, signed, trigger } from './webhookTrigger';

describe('a request that checks the address', () => {
	const answering = (parameters: INodeParameters = {}) => {
		const receiver = new WebhookReceiver(
			trigger({ ...parameters, options: { verificationRequests: 'answer' } }),
		);
		receiver.keepsHeaders = true;
		return receiver;
	};
	const json = { 'Content-Type': 'application/json' };
	const post = (value: unknown, headers: Delivery['headers'] = {}): Delivery => ({
		body: JSON.stringify(value),
		headers: { ...json, ...headers },
	});

	it.each<[string, Delivery, unknown]>([
		[
			'Meta',
			{ method: 'GET', search: '?hub.mode=subscribe&hub.challenge=1158201444' },
			'1158201444',
		],
		['Dropbox', { method: 'GET', search: '?challenge=abc_DEF-1' }, 'abc_DEF-1'],
		[
			'Microsoft Graph',
			{ search: '?validationToken=Validation%3A+Testing+client+Request-Id%3A+522a-8e7e' },
			'Validation: Testing client Request-Id: 522a-8e7e',
		],
		[
			'Slack',
			post({ token: 't', challenge: '3eZbrw1a', type: 'url_verification' }),
			{ challenge: '3eZbrw1a' },
		],
		['Monday', post({ challenge: '3eZbrw1a' }), { challenge: '3eZbrw1a' }],
		[
			'Twitch',
			post(
				{ challenge: 'pogchamp-kappa-360', subscription: { id: '1' } },
				{ 'Twitch-Eventsub-Message-Type': 'webhook_callback_verification' },
			),
			'pogchamp-kappa-360',
		],
		[
			'Okta',
			{ method: 'GET', headers: { 'X-Okta-Verification-Challenge': 'abc' } },
			{ verification: 'abc' },
		],
		[
			'Azure Event Grid',
			post([
				{
					eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent',
					data: { validationCode: '512d38b6' },
				},
			]),
			{ validationResponse: '512d38b6' },
		],
		[
			'Strava',
			{ method: 'GET', search: '?hub.verify_token=x&hub.challenge=15f7&hub.mode=subscribe' },
			{ 'hub.challenge': '15f7' },
		],
		['Trello', { method: 'HEAD' }, ''],
		['Mailchimp', { method: 'GET' }, ''],
		['Mailchimp, with a query in its URL', { method: 'GET', search: '?site=A' }, ''],
		['Front', post({ type: 'sync' }, { 'X-Front-Challenge': 'abc' }), 'abc'],
	])('answers a verification request as its sender expects: %s', async (_, delivery, expected) => {
		const receiver = answering();
		expect(await receiver.deliver(delivery)).toMatchObject({
			statusCode: 200,
			body: expected,
			by: 'node',
			headers: {
				'content-type':
					typeof expected === 'string'
						? 'text/plain; charset=utf-8'
						: 'application/json; charset=utf-8',
				'x-content-type-options': 'nosniff',
				'content-security-policy': "default-src 'none'; sandbox",
				'cache-control': 'no-store',
			},
		});
		expect(receiver.executions).toEqual([]);
		const off = new WebhookReceiver(trigger());
		expect((await off.deliver(delivery)).statusCode).toBeGreaterThanOrEqual(401);
	});

	it.each([
		['Asana', 'X-Hook-Secret', 'X-Hook-Secret', '{}'],
		['RingCentral', 'Validation-Token', 'Validation-Token', ''],
		[
			'Smartsheet',
			'Smartsheet-Hook-Challenge',
			'Smartsheet-Hook-Response',
			'{"challenge":"b537207f-20cbfa02","webhookId":5}',
		],
	])('returns to %s the header %s as %s', async (_, asked, name, raw) => {
		const delivery = { body: raw, headers: { ...json, [asked]: 'b537207f-20cbfa02' } };
		expect(await answering().deliver(delivery)).toMatchObject({
			statusCode: 200,
			body: '',
			headers: { [name.toLowerCase()]: 'b537207f-20cbfa02' },
		});
	});

	it('says in the log that it answered a verification request', async () => {
		const receiver = answering();
		const said: unknown[] = [];
		receiver.watch = ({ logger }) => {
			jest.spyOn(logger, 'info').mockImplementation((...[message]: unknown[]) => {
				said.push(message);
			});
		};
		await receiver.deliver(post({ challenge: '3eZbrw1a' }));
		jest.restoreAllMocks();
		expect(said).toEqual([expect.stringMatching(/: A verification request was answered/)]);
	});

	it('signs the challenge of Zoom only if the request itself is signed', async () => {
		const receiver = answering();
		const raw = JSON.stringify({
			event: 'endpoint.url_validation',
			payload: { plainToken: 'qgg8vlvZRS6UYooatFL8Aw' },
		});
		expect(await receiver.deliver(signed(raw))).toMatchObject({
			statusCode: 200,
			body: {
				plainToken: 'qgg8vlvZRS6UYooatFL8Aw',
				encryptedToken: sign('qgg8vlvZRS6UYooatFL8Aw'),
			},
		});
		expect(await receiver.deliver({ body: raw, headers: json })).toMatchObject({ statusCode: 401 });
		const forged = signed(raw, { 'X-Signature': sign(raw, 'other') });
		expect(await receiver.deliver(forged)).toMatchObject({ statusCode: 401 });
		expect(receiver.executions).toEqual([]);
	});

	it.each([
		'<script>alert(1)</script>',
		'"><img src=x>',
		'alert(1)',
		'a\nb',
		'é',
		'x'.repeat(513),
		'',
	])('gets nothing back that could be more than a challenge: %j', async (challenge) => {
		const receiver = answering();
		const search = `?challenge=${encodeURIComponent(challenge)}`;
		const answers = [
			await receiver.deliver({ method: 'GET', search }),
			await receiver.deliver({ search }),
			await receiver.deliver(post({ challenge })),
			await receiver.deliver({ body: '{}', headers: { ...json, 'X-Hook-Secret': challenge } }),
		];
		for (const { statusCode, body: answer, headers = {} } of answers) {
			expect(statusCode).toBeGreaterThanOrEqual(401);
			expect(answer).toEqual({ message: expect.any(String) as string });
			expect(headers['x-hook-secret']).toBeUndefined();
		}
	});

	/** Wherever a check may carry it, a mark of a stranger beside the challenge. */
	const marked = ({
		method = 'POST',
		search = '',
		body: raw,
		headers = {},
	}: Delivery): Delivery => {
		const value: unknown = JSON.parse(String(raw ?? 'null'));
		const isFlat = typeof value === 'object' && value !== null && !Array.isArray(value);
		return {
			method,
			search: `${search === '' ? '?' : `${search}&`}mark=stranger&stranger=1`,
			headers: { ...headers, 'X-Mark': 'stranger', 'User-Agent': 'stranger', Origin: 'stranger' },
			body: isFlat ? JSON.stringify({ ...value, token: 'stranger' }) : raw,
		};
	};

	it.each<[string, Delivery]>([
		['challenge', { search: '?challenge=abc' }],
		['hub.challenge', { search: '?hub.mode=subscribe&hub.challenge=abc' }],
		['validationToken', { search: '?validationToken=abc' }],
		['validationtoken', { search: '?validationtoken=abc' }],
		['X-Hook-Secret', { headers: { 'X-Hook-Secret': 'abc' } }],
		['Validation-Token', { headers: { 'Validation-Token': 'abc' } }],
		['X-Front-Challenge', { headers: { 'X-Front-Challenge': 'abc' } }],
		['X-Okta-Verification-Challenge', { headers: { 'X-Okta-Verification-Challenge': 'abc' } }],
		['Smartsheet-Hook-Challenge', { headers: { 'Smartsheet-Hook-Challenge': 'abc' } }],
		['challenge in the body', post({ challenge: 'abc', type: 'url_verification' })],
	])('gets nothing back beside its %s, by GET or by POST', async (_, delivery) => {
		const methods = delivery.body === undefined ? ['GET', 'POST'] : ['POST'];
		const fixed = ['content-security-policy', 'cache-control', 'x-content-type-options'];
		for (const method of methods) {
			for (const accept of [undefined, 'application/json', 'text/html']) {
				const sent = marked({ ...delivery, method });
				if (accept !== undefined) sent.headers = { ...sent.headers, Accept: accept };
				const receiver = answering();
				const { statusCode, body: answer, headers = {} } = await receiver.deliver(sent);
				expect([statusCode, receiver.executions]).toEqual([200, []]);
				const given = Object.entries(headers).filter(([name]) => !fixed.includes(name));
				const text = JSON.stringify([given, answer]);
				expect(text).not.toContain('stranger');
				expect(text.split('abc')).toHaveLength(2);
				expect(headers['content-type']).toMatch(/^(text\/plain|application\/json); charset=utf-8$/);
			}
		}
	});

	it('gets no challenge back that is in the body of a GET request, or in a URL beside other content', async () => {
		const url = { search: '?challenge=abc', body: '{"id":1}', headers: json };
		expect(await answering().deliver(url)).toMatchObject({ statusCode: 401 });
		const inBody = { ...post({ challenge: 'abc' }), method: 'GET' };
		expect(await answering().deliver(inBody)).toMatchObject({ statusCode: 200, body: '' });
	});

	it('does not mistake an event with a challenge in it for such a request', async () => {
		const receiver = answering();
		for (const value of [
			{ event: 'visit.created', challenge: 'abc' },
			{ challenge: 'abc', visitor: 'Ada' },
			{ event: 'visit.created', data: {} },
		]) {
			const delivery = signed(JSON.stringify(value), { 'X-Hook-Secret': 'abc' });
			expect(await receiver.deliver({ ...delivery, search: '?challenge=abc' })).toMatchObject({
				statusCode: 200,
				by: 'hostAfter',
			});
		}
		expect(receiver.executions).toHaveLength(3);
	});

	it('answers no verification request of a stranger', async () => {
		const receiver = new WebhookReceiver(
			trigger({ options: { verificationRequests: 'answer', ipAllowlist: '192.0.2.1' } }),
		);
		const delivery = { method: 'GET', search: '?challenge=abc' };
		expect(await receiver.deliver(delivery)).toMatchObject({ statusCode: 403 });
	});

	it('starts nothing on a GET request, even one with the right secret', async () => {
		for (const [verificationRequests, statusCode] of [
			['off', 405],
			['answer', 200],
		] as const) {
			const receiver = new WebhookReceiver(
				trigger({ authentication: 'header', options: { verificationRequests } }),
			);
			const headers = { 'X-Webhook-Token': SECRET };
			const delivery = { method: 'GET', search: '?event=visit.created', headers };
			expect(await receiver.deliver(delivery)).toMatchObject({ statusCode });
			await receiver.deliver({ method: 'GET', headers });
			expect(receiver.executions).toEqual([]);
		}
	});
});
