import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Webhook } from 'standardwebhooks';

import { VisitorServiceApi } from '../../credentials/VisitorServiceApi.credentials';
import { VisitorServiceTrigger } from '../../nodes/VisitorService/VisitorServiceTrigger.node';
import { CredentialStore } from './harness/credentialStore';
import { hookContext, type WebhookTest } from './harness/webhookContext';
import { WebhookReceiver } from './harness/webhookReceiver';
import type { Delivery } from './harness/webhookRequest';

const TYPE = 'n8n-nodes-visitor-service.visitorServiceTrigger';
const SECRET = 'synthetic-webhook-secret';
const STANDARD_SECRET = `whsec_${Buffer.from(SECRET).toString('base64')}`;
const event = { event: 'visit.created', id: 'evt-000001', data: { visitor: 'User 000001' } };
const body = JSON.stringify(event);
const NOW = String(Date.now());

let workflows = 0;

function trigger(
	parameters: INodeParameters = {},
	credential: IDataObject | null = { webhookSecret: SECRET },
): WebhookTest {
	const credentials = new CredentialStore([new VisitorServiceApi()]);
	const used =
		credential === null ? undefined : credentials.add('visitorServiceApi', credential as never);
	workflows += 1;
	return {
		id: `workflow-${workflows}`,
		nodeTypes: { [TYPE]: new VisitorServiceTrigger() },
		nodes: [{ type: TYPE, parameters, credentials: used }],
		credentials,
	};
}

function sign(raw: string | Buffer, secret = SECRET): string {
	return createHmac('sha256', secret).update(raw).digest('hex');
}

function signed(raw: string | Buffer = body, headers: Delivery['headers'] = {}): Delivery {
	return {
		body: raw,
		headers: { 'Content-Type': 'application/json', 'X-Signature': sign(raw), ...headers },
	};
}

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
				'x-signature': sign(body),
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
				signedContent: '{id}.{timestamp}.{body}',
				timestampHeader: 'X-Time',
				idHeader: 'X-Id',
			},
			{ 'X-Id': '7', 'X-Time': NOW, 'X-Signature': sign(`7.${NOW}.${body}`) },
		],
	])('is verified by %s', async (_, parameters, headers = {}) => {
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

	it('is verified by standardWebhooks, signed by the public library', async () => {
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

	it('is accepted with the previous secret while secrets are replaced', async () => {
		const receiver = new WebhookReceiver(
			trigger({}, { webhookSecret: 'new secret', previousWebhookSecret: SECRET }),
		);
		expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 200 });
	});

	it.each([
		['no credential', null],
		['no secret', {}],
		['an empty secret', { webhookSecret: '', previousWebhookSecret: '' }],
	])('is refused with %s', async (_, credential) => {
		const receiver = new WebhookReceiver(trigger({}, credential));
		const answer = await receiver.deliver({ body, headers: { 'X-Signature': sign(body, '') } });
		expect(answer).toMatchObject({ statusCode: 401, by: 'node' });
		expect(receiver.executions).toEqual([]);
	});

	it('reads no credential where authentication is none', async () => {
		const test = trigger({ authentication: 'none' });
		await new WebhookReceiver(test).deliver({ body });
		expect(test.credentials?.reads).toBe(0);
	});

	it('is put off where the credential cannot be read, so that the sender tries again', async () => {
		const test = trigger();
		const [node] = test.nodes;
		if (node !== undefined) node.credentials = { visitorServiceApi: { id: 'gone', name: 'gone' } };
		const receiver = new WebhookReceiver(test);
		expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 503, by: 'node' });
		expect(receiver.executions).toEqual([]);
	});

	it('of an event that is not selected gets 200 at once', async () => {
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

	it('from an address that is not allowed gets 403', async () => {
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
		'is let in by no allowlist that is the expression %s',
		async (ipAllowlist) => {
			const receiver = new WebhookReceiver(trigger({ options: { ipAllowlist } }));
			expect((await receiver.deliver(signed())).statusCode).not.toBe(200);
			expect(receiver.executions).toEqual([]);
		},
	);

	it('of a batch gives one item for each element', async () => {
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
	])('%j gives %d', async (responseCode, expected) => {
		const receiver = new WebhookReceiver(trigger({ options: { responseCode } as INodeParameters }));
		expect(await receiver.deliver(signed())).toMatchObject({
			statusCode: expected,
			by: 'hostAfter',
		});
	});
});

describe('bodies', () => {
	const nested = `${'['.repeat(300)}${']'.repeat(300)}`;
	const megabytes = JSON.stringify({
		event: 'visit.created',
		note: 'x'.repeat(16 * 1024 * 1024 - 50),
	});

	it.each<[string, string | Buffer, string | undefined, unknown]>([
		['empty', '', 'application/json', null],
		['not JSON', 'hello', 'text/plain', 'hello'],
		['without a type', 'hello', undefined, 'hello'],
		['deeply nested', nested, 'application/json', nested],
		['form-encoded', 'event=a&x=1', 'application/x-www-form-urlencoded', { event: 'a', x: '1' }],
		[
			'in Latin-1',
			Buffer.from('{"a":"ü"}', 'latin1'),
			'application/json; charset=latin1',
			{ a: 'ü' },
		],
		[
			'in a charset n8n does not know',
			Buffer.from('{"a":"ü"}', 'latin1'),
			'application/x-json; charset=windows-1252',
			{ a: 'ü' },
		],
		['of 16 MB', megabytes, 'application/json', JSON.parse(megabytes)],
	])('%s', async (_, raw, contentType, expected) => {
		for (const parsesBodies of [true, false]) {
			const receiver = new WebhookReceiver(trigger());
			receiver.parsesBodies = parsesBodies;
			const headers: Delivery['headers'] = { 'X-Signature': sign(raw) };
			if (contentType !== undefined) headers['Content-Type'] = contentType;
			const answer = await receiver.deliver({ body: raw, headers });
			expect(answer).toMatchObject({ statusCode: 200, by: 'hostAfter' });
			expect(receiver.executions[0]?.map(({ json }) => json.body)).toEqual([expected]);
		}
	});

	it('gzip is undone by n8n, and what was packed is what is signed', async () => {
		for (const parsesBodies of [true, false]) {
			const receiver = new WebhookReceiver(trigger());
			receiver.parsesBodies = parsesBodies;
			const delivery = { ...signed(body, { 'Content-Encoding': 'gzip' }), body: gzipSync(body) };
			expect(await receiver.deliver(delivery)).toMatchObject({ statusCode: 200 });
			expect(receiver.executions[0]?.[0]?.json.body).toEqual(event);
		}
	});

	it('gzip that is none is refused where n8n leaves it to the node', async () => {
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
		['an unknown charset', { 'Content-Type': 'application/x-json; charset=x-unknown' }],
	])('%s is refused with 415', async (_, headers) => {
		const receiver = new WebhookReceiver(trigger());
		expect(await receiver.deliver(signed(body, headers))).toMatchObject({
			statusCode: 415,
			by: 'node',
		});
		expect(receiver.executions).toEqual([]);
	});

	it('that call themselves JSON and are none are answered by n8n with 422', async () => {
		const receiver = new WebhookReceiver(trigger());
		expect(await receiver.deliver(signed('{"a":'))).toMatchObject({
			statusCode: 422,
			by: 'hostBefore',
		});
	});
});

describe('the secrets', () => {
	it('are read once for deliveries that come together, and anew for later ones', async () => {
		const test = trigger();
		const receiver = new WebhookReceiver(test);
		const answers = await Promise.all(Array.from({ length: 50 }, () => receiver.deliver(signed())));
		expect(answers.map(({ statusCode }) => statusCode)).toEqual(new Array(50).fill(200));
		expect(receiver.executions).toHaveLength(50);
		// One for the first, and one more for those that came while it was under way.
		expect(test.credentials?.reads).toBe(2);

		test.credentials?.poke('visitorServiceApi-1', { webhookSecret: 'the-next-secret' });
		expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 401 });
		const resigned = signed(body, { 'X-Signature': sign(body, 'the-next-secret') });
		expect(await receiver.deliver(resigned)).toMatchObject({ statusCode: 200 });
	});

	it('of one credential are not used for another', async () => {
		const credentials = new CredentialStore([new VisitorServiceApi()]);
		// As after a change of the node: the same workflow and node, with another credential.
		const test = trigger();
		const receivers = ['one', 'other'].map((webhookSecret) => {
			const used = credentials.add('visitorServiceApi', { webhookSecret });
			return new WebhookReceiver({
				...test,
				credentials,
				nodes: [{ type: TYPE, credentials: used }],
			});
		});
		const secrets = ['one', 'other', 'one', 'other'];
		const statuses = await Promise.all(
			secrets.flatMap((secret) =>
				receivers.map(async (receiver) => {
					const delivery = signed(body, { 'X-Signature': sign(body, secret) });
					return (await receiver.deliver(delivery)).statusCode;
				}),
			),
		);
		expect(statuses).toEqual([200, 401, 401, 200, 200, 401, 401, 200]);
	});
});

describe('ignoring repeats', () => {
	const ignoring = () => trigger({ options: { ignoreRepeats: true } });

	it('makes exactly one execution of 50 deliveries that come at once', async () => {
		const receiver = new WebhookReceiver(ignoring());
		const answers = await Promise.all(Array.from({ length: 50 }, () => receiver.deliver(signed())));
		expect(receiver.executions).toHaveLength(1);
		expect(answers.filter(({ by }) => by === 'hostAfter')).toHaveLength(1);
		expect(answers.map(({ statusCode }) => statusCode)).toEqual(new Array(50).fill(200));
	});

	it('makes one execution of each of many', async () => {
		const receiver = new WebhookReceiver(ignoring());
		const bodies = Array.from({ length: 100 }, (_, index) =>
			JSON.stringify({ ...event, id: `evt-${index % 25}` }),
		);
		await Promise.all(bodies.map((raw) => receiver.deliver(signed(raw))));
		expect(new Set(receiver.executions.map(([item]) => item?.json.id)).size).toBe(25);
		expect(receiver.executions).toHaveLength(25);
	});

	it('is off by default', async () => {
		const receiver = new WebhookReceiver(trigger());
		await receiver.deliver(signed());
		await receiver.deliver(signed());
		expect(receiver.executions).toHaveLength(2);
		expect(receiver.saves).toBe(0);
	});

	it('keeps triggers of other workflows apart', async () => {
		for (const test of [ignoring(), ignoring()]) {
			const receiver = new WebhookReceiver(test);
			await receiver.deliver(signed());
			expect(receiver.executions).toHaveLength(1);
		}
	});

	it('lets the sender try again where n8n could make no execution', async () => {
		const receiver = new WebhookReceiver(ignoring());
		receiver.failing = true;
		expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 500, by: 'hostAfter' });
		receiver.failing = false;
		expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 200, by: 'hostAfter' });
		expect(await receiver.deliver(signed())).toMatchObject({
			by: 'node',
			body: { message: 'Already received' },
		});
		expect(receiver.executions).toHaveLength(1);
	});

	it('lets one of the repeats that came meanwhile take the place of one that failed', async () => {
		const receiver = new WebhookReceiver(ignoring());
		receiver.failing = true;
		const first = receiver.deliver(signed());
		receiver.failing = false;
		const repeats = [receiver.deliver(signed()), receiver.deliver(signed())];
		expect(await first).toMatchObject({ statusCode: 500, by: 'hostAfter' });
		expect((await Promise.all(repeats)).map(({ by }) => by).sort()).toEqual(['hostAfter', 'node']);
		expect(receiver.executions).toHaveLength(1);
	});

	it.each([true, false])(
		'knows by the answer what became of a sender that hung up (n8n fails: %p)',
		async (failing) => {
			const receiver = new WebhookReceiver(ignoring());
			receiver.failing = failing;
			receiver.hangingUp = true;
			const first = receiver.deliver(signed());
			Object.assign(receiver, { failing: false, hangingUp: false });
			const again = receiver.deliver(signed());
			expect(await first).toMatchObject({ statusCode: failing ? 500 : 200, by: 'hostAfter' });
			expect(await again).toMatchObject({ statusCode: 200, by: failing ? 'hostAfter' : 'node' });
			expect(receiver.executions).toHaveLength(1);
		},
	);

	it('puts off a repeat as long as the first is undecided', async () => {
		jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
		try {
			const receiver = new WebhookReceiver(ignoring());
			let make = () => {};
			receiver.making = async () => {
				await new Promise<void>((resolve) => (make = resolve));
			};
			const first = receiver.deliver(signed());
			const repeat = receiver.deliver(signed());
			await jest.advanceTimersByTimeAsync(10_000);
			expect(await repeat).toMatchObject({ statusCode: 503, by: 'node' });
			make();
			expect(await first).toMatchObject({ statusCode: 200, by: 'hostAfter' });
			expect(receiver.executions).toHaveLength(1);
		} finally {
			jest.useRealTimers();
		}
	});

	it('does not remember what was forged', async () => {
		const receiver = new WebhookReceiver(ignoring());
		await receiver.deliver({ ...signed(), body: `${body} ` });
		await receiver.deliver(signed());
		expect(receiver.executions).toHaveLength(1);
	});

	it('remembers across a restart what is in the static data', async () => {
		const test = ignoring();
		const receiver = new WebhookReceiver(test);
		await receiver.deliver(signed());
		// This process remembers by workflow, so another workflow stands for a process that remembers nothing.
		const restarted = new WebhookReceiver({ ...test, id: 'after the restart' });
		restarted.staticData = receiver.staticData;
		expect(await restarted.deliver(signed())).toMatchObject({ by: 'node' });
		expect(restarted.executions).toEqual([]);
	});

	it('keeps the stored state small', async () => {
		const receiver = new WebhookReceiver(ignoring());
		for (let index = 0; index < 400; index++) {
			await receiver.deliver(signed(JSON.stringify({ ...event, id: `evt-${index}` })));
		}
		expect(receiver.executions).toHaveLength(400);
		expect(JSON.stringify(receiver.staticData).length).toBeLessThan(6000);
	});

	it('does not apply to test events, which are sent again and again', async () => {
		const receiver = new WebhookReceiver({ ...ignoring(), mode: 'manual', isTest: true });
		await receiver.deliver(signed());
		await receiver.deliver(signed());
		expect(receiver.executions).toHaveLength(2);
	});
});

describe('activation', () => {
	const { default: hooks } = new VisitorServiceTrigger().webhookMethods;
	const create = async (test: WebhookTest) => {
		const { context } = hookContext(test);
		const warn = jest.spyOn(context.logger, 'warn').mockReturnValue(undefined);
		const created = await hooks.create.call(context);
		return { created, warnings: warn.mock.calls.map(([message]) => message) };
	};
	afterEach(() => jest.restoreAllMocks());

	it('succeeds with a secret, and has nothing to warn of', async () => {
		expect(await create(trigger())).toEqual({ created: true, warnings: [] });
	});

	it.each([
		['no credential', null],
		['no secret', {}],
		['a blank secret', { webhookSecret: ' ' }],
	])('fails with %s and says what to set', async (_, credential) => {
		for (const authentication of ['header', 'hmac', 'standardWebhooks']) {
			await expect(create(trigger({ authentication }, credential))).rejects.toThrow(
				/^No Webhook Secret is set.*Set Webhook Secret in the Visitor Service API credential/,
			);
		}
	});

	it('needs neither without authentication', async () => {
		expect(await create(trigger({ authentication: 'none' }, null))).toEqual({
			created: true,
			warnings: [],
		});
	});

	it('fails with settings that would keep everybody out', async () => {
		await expect(create(trigger({ signedContent: '{timestamp}' }))).rejects.toThrow(
			/Signed Content/,
		);
		await expect(create(trigger({ options: { ipAllowlist: '192.0.2.0/33' } }))).rejects.toThrow(
			/"192\.0\.2\.0\/33"/,
		);
	});

	it('warns of an address only this machine can reach, and goes on', async () => {
		const overrides = { webhookBaseUrl: 'http://localhost:5678/webhook' };
		const { created, warnings } = await create({ ...trigger(), overrides });
		expect(created).toBe(true);
		expect(warnings).toEqual([
			expect.stringMatching(/this machine only\. Set the environment variable WEBHOOK_URL/),
		]);
	});

	it('is checked anew each time, and leaves nothing to remove', async () => {
		expect(await hooks.checkExists()).toBe(false);
		expect(await hooks.delete()).toBe(true);
	});
});

describe('the description', () => {
	const { description } = new VisitorServiceTrigger();

	it('keeps the version of workflows made before, and gives new ones the newer', () => {
		expect(description.version).toEqual([1, 1.1]);
		expect(description.defaultVersion).toBe(1.1);
	});

	it('has the parameters and defaults of the contract', () => {
		const defaults = Object.fromEntries(
			description.properties
				.filter(({ type }) => type !== 'notice')
				.map(({ name, default: value }) => [name, value]),
		);
		expect(defaults).toEqual({
			authentication: 'hmac',
			headerName: 'X-Webhook-Token',
			signatureHeader: 'X-Signature',
			signaturePrefix: '',
			algorithm: 'sha256',
			encoding: 'hex',
			signedContent: '{body}',
			timestampHeader: '',
			idHeader: '',
			events: '',
			options: {},
		});
		const options = description.properties.find(({ name }) => name === 'options')?.options ?? [];
		expect(
			Object.fromEntries(
				options.map((option) => [option.name, 'default' in option && option.default]),
			),
		).toEqual({
			eventPath: '',
			idPath: '',
			itemsPath: '',
			tolerance: 300,
			ignoreRepeats: false,
			ipAllowlist: '',
			responseCode: 200,
		});
	});

	it('shows the credential wherever one is needed, and a warning where none is', () => {
		expect(description.credentials?.[0]).toMatchObject({
			required: true,
			displayOptions: { show: { authentication: ['header', 'hmac', 'standardWebhooks'] } },
		});
		const notices = description.properties.filter(({ type }) => type === 'notice');
		expect(notices.map(({ displayOptions }) => displayOptions)).toContainEqual({
			show: { authentication: ['none'] },
		});
		expect(description.hints?.[0]).toMatchObject({ type: 'warning' });
	});

	it('says what repeats cannot promise, and what does', () => {
		const options = description.properties.find(({ name }) => name === 'options')?.options ?? [];
		const ignoreRepeats = options.find(({ name }) => name === 'ignoreRepeats');
		expect(ignoreRepeats).toMatchObject({
			description: expect.stringMatching(/processes.*Remove Duplicates/) as string,
		});
	});
});
