import type { INodeParameters } from 'n8n-workflow';

import type { WebhookTest } from './harness/webhookContext';
import { WebhookReceiver } from './harness/webhookReceiver';
import type { Delivery } from './harness/webhookRequest';
import { body, SECRET, sign, signed, trigger } from './webhookTrigger';

describe('a delivery', () => {
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

	it.each(['={{ undefined }}', '={{ null }}', '={{ $json.no.such.thing }}', '={{ {} }}'])(
		'lets no delivery in with an allowlist that is the expression %s',
		async (ipAllowlist) => {
			const receiver = new WebhookReceiver(trigger({ options: { ipAllowlist } }));
			expect((await receiver.deliver(signed())).statusCode).not.toBe(200);
			expect(receiver.executions).toEqual([]);
		},
	);
});

describe('the success code', () => {
	it.each([
		[200, 200],
		['204', 204],
		['={{ 200 + 1 }}', 200],
		[410, 200],
		[200.5, 200],
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

// test/e2e sends the others, to n8n and to the node.
describe('bodies', () => {
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
});

describe('the secrets', () => {
	it('reads the secrets for each delivery, so that a new one holds at once', async () => {
		const test = trigger();
		const receiver = new WebhookReceiver(test);
		expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 200 });
		test.credentials?.poke('credential-1', { webhookSecret: 'the-next-secret' });
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
		const second = test.credentials?.add({ webhookSecret: 'second' });
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
