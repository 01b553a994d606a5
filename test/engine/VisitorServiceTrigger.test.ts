import { gzipSync } from 'node:zlib';

import type { INodeParameters } from 'n8n-workflow';
import { Webhook } from 'standardwebhooks';

import type { WebhookTest } from './harness/webhookContext';
import { WebhookReceiver } from './harness/webhookReceiver';
import type { Delivery } from './harness/webhookRequest';
import { body, event, SECRET, sign, signed, trigger } from './webhookTrigger';

const STANDARD_SECRET = `whsec_${Buffer.from(SECRET).toString('base64')}`;
const NOW = String(Date.now());

describe('a delivery', () => {
	it('starts the workflow with the item of the contract', async () => {
		const receiver = new WebhookReceiver(trigger());
		const before = Date.now();
		const answer = await receiver.deliver({
			...signed(body, { Authorization: 'Bearer abc', Cookie: 'a=b', 'User-Agent': 'test' }),
			query: { tenant: 'a' },
		});
		expect(answer).toEqual({ statusCode: 200, body: undefined, by: 'hostAfter' });
		const [[item] = []] = receiver.executions;
		expect(item?.json).toEqual({
			event: 'visit.created',
			id: 'evt-000001',
			receivedAt: expect.any(String) as string,
			body: event,
			headers: {
				'content-type': 'application/json',
				'x-signature': '[redacted]',
				authorization: '[redacted]',
				cookie: '[redacted]',
				'user-agent': 'test',
			},
			query: { tenant: 'a' },
		});
		const receivedAt = Date.parse(item?.json.receivedAt as string);
		expect(receivedAt).toBeGreaterThanOrEqual(before);
		expect(receivedAt).toBeLessThanOrEqual(Date.now());
	});

	it.each<[string, INodeParameters, Delivery['headers']]>([
		['none', { authentication: 'none' }, {}],
		['header', { authentication: 'header' }, { 'X-Webhook-Token': SECRET }],
		['hmac', { authentication: 'hmac' }, { 'X-Signature': sign(body) }],
		[
			'hmac with timestamp and ID',
			{
				authentication: 'hmac',
				signatureFormat: 'custom',
				signedContent: '{id}.{timestamp}.{body}',
				timestampHeader: 'X-Time',
				idHeader: 'X-Id',
			},
			{ 'X-Id': '7', 'X-Time': NOW, 'X-Signature': sign(`7.${NOW}.${body}`) },
		],
	])('verifies a delivery by %s', async (_, parameters, headers = {}) => {
		const receiver = new WebhookReceiver(trigger(parameters));
		expect(await receiver.deliver({ body, headers })).toMatchObject({
			statusCode: 200,
			by: 'hostAfter',
		});
		expect(receiver.executions).toHaveLength(1);
		if (parameters.authentication === 'none') return;
		for (const [name, value] of Object.entries(headers)) {
			const forged = { ...headers, [name]: `${String(value).slice(0, -1)}0` };
			const answer = await receiver.deliver({ body: `${body} `, headers: forged });
			expect(answer).toEqual({ statusCode: 401, body: { message: 'Unauthorized' }, by: 'node' });
		}
		expect(receiver.executions).toHaveLength(1);
	});

	it('verifies a delivery by standardWebhooks, signed by the public library', async () => {
		const receiver = new WebhookReceiver(
			trigger({ authentication: 'standardWebhooks' }, { webhookSecret: STANDARD_SECRET }),
		);
		const now = new Date();
		const headers = {
			'webhook-id': 'msg_1',
			'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
			'webhook-signature': new Webhook(STANDARD_SECRET).sign('msg_1', now, body),
		};
		expect(await receiver.deliver({ body, headers })).toMatchObject({ statusCode: 200 });
		expect(receiver.executions[0]?.[0]?.json.id).toBe('msg_1');
		expect(await receiver.deliver({ body: `${body} `, headers })).toMatchObject({
			statusCode: 401,
		});
	});

	it.each<[string, Partial<WebhookTest>, string, string]>([
		[
			'production',
			{},
			'https://public.example.test/n8n/webhook/own/visitor%20service%20trigger/webhook',
			'401',
		],
		[
			'test',
			{ mode: 'manual', isTest: true },
			'https://public.example.test/webhook/1/webhook',
			'no signature matches',
		],
	])('verifies a signature over the %s URL with its query', async (_, mode, url, refusal) => {
		const test = {
			...trigger({ signatureFormat: 'custom', signedContent: '{url}{body}' }),
			id: 'own',
		};
		const overrides = { webhookBaseUrl: 'https://public.example.test/n8n/webhook' };
		const receiver = new WebhookReceiver({ ...test, ...mode, overrides });
		const search = '?site=a%20b';
		const signedAt = (content: string) => ({
			...signed(body, { 'X-Signature': sign(`${content}${body}`) }),
			search,
		});
		expect(await receiver.deliver(signedAt(`${url}${search}`))).toMatchObject({ statusCode: 200 });
		const told = await receiver
			.deliver(signedAt(url))
			.then(({ statusCode }) => String(statusCode), String);
		expect(told).toMatch(refusal);
	});

	it('accepts a delivery with the previous secret while secrets are replaced', async () => {
		const receiver = new WebhookReceiver(
			trigger({}, { webhookSecret: 'new secret', previousWebhookSecret: SECRET }),
		);
		expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 200 });
	});

	it.each([
		['no credential', null],
		['no secret', {}],
		['an empty secret', { webhookSecret: '', previousWebhookSecret: '' }],
	])('refuses a delivery with %s', async (_, credential) => {
		const receiver = new WebhookReceiver(trigger({}, credential));
		const answer = await receiver.deliver({ body, headers: { 'X-Signature': sign(body, '') } });
		expect(answer).toMatchObject({ statusCode: 401, by: 'node' });
		expect(receiver.executions).toEqual([]);
	});

	it('reads no credential if authentication is none', async () => {
		const test = trigger({ authentication: 'none' });
		await new WebhookReceiver(test).deliver({ body });
		expect(test.credentials?.reads).toBe(0);
	});

	it('puts off a delivery if the credential cannot be read, so that the sender tries again', async () => {
		const test = trigger();
		const [node] = test.nodes;
		if (node !== undefined) node.credentials = { visitorServiceApi: { id: 'gone', name: 'gone' } };
		const receiver = new WebhookReceiver(test);
		expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 503, by: 'node' });
		expect(receiver.executions).toEqual([]);
	});

	it('answers 200 at once to an event that is not selected', async () => {
		const receiver = new WebhookReceiver(
			trigger({ events: 'visit.ended', options: { responseCode: 202 } }),
		);
		expect(await receiver.deliver(signed())).toEqual({
			statusCode: 200,
			body: { message: 'Event not selected' },
			by: 'node',
		});
		expect(receiver.executions).toEqual([]);
	});

	it('answers 403 to a delivery from an IP address that is not allowed', async () => {
		const receiver = new WebhookReceiver(trigger({ options: { ipAllowlist: '192.0.2.0/24' } }));
		expect(await receiver.deliver({ ...signed(), ip: '203.0.113.1' })).toEqual({
			statusCode: 403,
			body: { message: 'Forbidden' },
			by: 'node',
		});
		expect(await receiver.deliver({ ...signed(), ip: '::ffff:192.0.2.1' })).toMatchObject({
			statusCode: 200,
		});
	});

	it.each(['={{ undefined }}', '={{ null }}', '={{ $json.no.such.thing }}', '={{ {} }}'])(
		'lets no delivery in with an allowlist that is the expression %s',
		async (ipAllowlist) => {
			const receiver = new WebhookReceiver(trigger({ options: { ipAllowlist } }));
			expect((await receiver.deliver(signed())).statusCode).not.toBe(200);
			expect(receiver.executions).toEqual([]);
		},
	);

	it('emits one item for each selected element of a batch', async () => {
		const receiver = new WebhookReceiver(trigger({ events: 'a' }));
		await receiver.deliver(
			signed(JSON.stringify([{ event: 'a', n: 1 }, { event: 'b' }, { event: 'a', n: 2 }])),
		);
		expect(receiver.executions[0]?.map(({ json }) => json.body)).toEqual([
			{ event: 'a', n: 1 },
			{ event: 'a', n: 2 },
		]);
	});

	it('keeps the shared secret out of the output', async () => {
		const receiver = new WebhookReceiver(
			trigger({ authentication: 'header', headerName: 'x-TOKEN' }),
		);
		await receiver.deliver({ body, headers: { 'X-Token': SECRET } });
		expect(receiver.executions).toHaveLength(1);
		expect(JSON.stringify(receiver.executions)).not.toContain(SECRET);
	});
});

describe('the success code', () => {
	it.each([
		[200, 200],
		[202, 202],
		[299, 299],
		['204', 204],
		['={{ 200 + 1 }}', 200],
		[410, 200],
		[500, 200],
		[99, 200],
		[1000, 200],
		[200.5, 200],
		[-1, 200],
		['', 200],
		['abc', 200],
		['=', 200],
		[null, 200],
	])('turns the Response Code %j into the status %d', async (responseCode, expected) => {
		const receiver = new WebhookReceiver(trigger({ options: { responseCode } as INodeParameters }));
		expect(await receiver.deliver(signed())).toMatchObject({
			statusCode: expected,
			by: 'hostAfter',
		});
	});
});

describe('bodies', () => {
	const megabytes = JSON.stringify({
		event: 'visit.created',
		note: 'x'.repeat(16 * 1024 * 1024 - 50),
	});

	it.each<[string, string | Buffer, string | undefined, unknown]>([
		['empty', '', 'application/json', null],
		['not JSON', 'hello', 'text/plain', 'hello'],
		['without a type', 'hello', undefined, 'hello'],
		['form-encoded', 'event=a&x=1', 'application/x-www-form-urlencoded', { event: 'a', x: '1' }],
		['of 16 MB', megabytes, 'application/json', JSON.parse(megabytes)],
	])(
		'outputs the same body whether n8n parses it or the node does: %s',
		async (_, raw, contentType, expected) => {
			for (const parsesBodies of [true, false]) {
				const receiver = new WebhookReceiver(trigger());
				receiver.parsesBodies = parsesBodies;
				const headers: Delivery['headers'] = { 'X-Signature': sign(raw) };
				if (contentType !== undefined) headers['Content-Type'] = contentType;
				const answer = await receiver.deliver({ body: raw, headers });
				expect(answer).toMatchObject({ statusCode: 200, by: 'hostAfter' });
				expect(receiver.executions[0]?.map(({ json }) => json.body)).toEqual([expected]);
			}
		},
	);

	it('gzip is undone by n8n, and what was packed is what is signed', async () => {
		for (const parsesBodies of [true, false]) {
			const receiver = new WebhookReceiver(trigger());
			receiver.parsesBodies = parsesBodies;
			const delivery = { ...signed(body, { 'Content-Encoding': 'gzip' }), body: gzipSync(body) };
			expect(await receiver.deliver(delivery)).toMatchObject({ statusCode: 200 });
			expect(receiver.executions[0]?.[0]?.json.body).toEqual(event);
		}
	});

	it('gzip that is none is refused if n8n leaves it to the node', async () => {
		const receiver = new WebhookReceiver(trigger());
		receiver.parsesBodies = false;
		expect(await receiver.deliver(signed(body, { 'Content-Encoding': 'gzip' }))).toMatchObject({
			statusCode: 400,
			by: 'node',
		});
		expect(receiver.executions).toEqual([]);
	});

	it.each([
		['br', { 'Content-Encoding': 'br', 'Content-Type': 'application/octet-stream' }],
		['multipart/form-data', { 'Content-Type': 'multipart/form-data; boundary=x' }],
	])('%s is refused with 415', async (_, headers) => {
		const receiver = new WebhookReceiver(trigger());
		expect(await receiver.deliver(signed(body, headers))).toMatchObject({
			statusCode: 415,
			by: 'node',
		});
		expect(receiver.executions).toEqual([]);
	});

	it('leaves it to n8n to answer 422 to a body that claims to be JSON and is not', async () => {
		const receiver = new WebhookReceiver(trigger());
		expect(await receiver.deliver(signed('{"a":'))).toMatchObject({
			statusCode: 422,
			by: 'hostBefore',
		});
	});
});

describe('the secrets', () => {
	it('reads the secrets for each delivery, so that a new one holds at once', async () => {
		const test = trigger();
		const receiver = new WebhookReceiver(test);
		expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 200 });
		test.credentials?.poke('visitorServiceApi-1', { webhookSecret: 'the-next-secret' });
		expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 401 });
		const resigned = signed(body, { 'X-Signature': sign(body, 'the-next-secret') });
		expect(await receiver.deliver(resigned)).toMatchObject({ statusCode: 200 });
	});

	it('the secrets are read once for deliveries that come at the same time, each of which is verified', async () => {
		const test = trigger();
		const receiver = new WebhookReceiver(test);
		const forged = signed(body, { 'X-Signature': sign(body, 'another-secret') });
		const sent = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? signed() : forged));
		const answers = await Promise.all(sent.map((one) => receiver.deliver(one)));
		expect(answers.map(({ statusCode }) => statusCode)).toEqual(
			sent.map((one) => (one === forged ? 401 : 200)),
		);
		expect(test.credentials?.reads).toBe(1);
	});

	it('the secrets are those of each trigger and each credential, whatever comes at the same time', async () => {
		const test = trigger();
		const second = test.credentials?.add('visitorServiceApi', { webhookSecret: 'second' });
		const [node] = test.nodes;
		if (node === undefined) throw new Error('A trigger is a node.');
		const withSecond = { ...test, nodes: [{ ...node, credentials: second }] };
		// Its credential has the ID of the first one.
		const another = trigger({}, { webhookSecret: 'third' });
		const bySecret = { [SECRET]: test, second: withSecond, third: another };
		const answers = await Promise.all(
			Object.entries(bySecret).map(async ([secret, one]) => {
				const delivery = signed(body, { 'X-Signature': sign(body, secret) });
				return await new WebhookReceiver(one).deliver(delivery);
			}),
		);
		expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
	});

	it.each<[string, INodeParameters, Delivery]>([
		['from an address that is not allowed', { options: { ipAllowlist: '192.0.2.0/24' } }, signed()],
		['without a signature', {}, { body }],
		['without the secret in the header', { authentication: 'header' }, { body }],
		['without a signature', { authentication: 'standardWebhooks' }, { body }],
	])('the secrets are not read for a delivery %s', async (_, parameters, delivery) => {
		const test = trigger(parameters);
		const answer = await new WebhookReceiver(test).deliver(delivery);
		expect(answer.statusCode).toBeGreaterThanOrEqual(401);
		expect(test.credentials?.reads).toBe(0);
	});
});
