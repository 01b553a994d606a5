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
		['an unknown charset', { 'Content-Type': 'application/x-json; charset=x-unknown' }],
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

describe('ignoring repeats', () => {
	const ignoring = () => trigger({ options: { ignoreRepeats: true } });

	it('makes exactly one execution of 50 deliveries that come at once', async () => {
		const receiver = new WebhookReceiver(ignoring());
		const answers = await Promise.all(Array.from({ length: 50 }, () => receiver.deliver(signed())));
		expect(receiver.executions).toHaveLength(1);
		expect(answers.filter(({ by }) => by === 'hostAfter')).toHaveLength(1);
		// The others do not know yet what becomes of the first: their senders are to try again.
		expect(answers.filter(({ statusCode }) => statusCode === 503)).toHaveLength(49);
		expect(await receiver.deliver(signed())).toMatchObject({
			statusCode: 200,
			body: { message: 'Already received' },
		});
		expect(receiver.executions).toHaveLength(1);
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

	it('passes repeats on by default', async () => {
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

	it('lets the sender try again if n8n could not start an execution', async () => {
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

	it('lets a repeat take the place of a delivery that failed', async () => {
		const receiver = new WebhookReceiver(ignoring());
		receiver.failing = true;
		const first = receiver.deliver(signed());
		receiver.failing = false;
		expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 503, by: 'node' });
		expect(await first).toMatchObject({ statusCode: 500, by: 'hostAfter' });
		expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 200, by: 'hostAfter' });
		expect(receiver.executions).toHaveLength(1);
	});

	it.each([true, false])(
		'knows by the answer what became of a sender that hung up, minutes later too (n8n fails: %p)',
		async (failing) => {
			jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
			try {
				const receiver = new WebhookReceiver(ignoring());
				receiver.failing = failing;
				receiver.hangingUp = true;
				let make = () => {};
				receiver.making = async () => {
					await new Promise<void>((resolve) => (make = resolve));
				};
				const first = receiver.deliver(signed());
				Object.assign(receiver, { failing: false, hangingUp: false });
				await jest.advanceTimersByTimeAsync(20 * 60_000);
				expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 503, by: 'node' });
				make();
				expect(await first).toMatchObject({ statusCode: failing ? 500 : 200, by: 'hostAfter' });
				await jest.advanceTimersByTimeAsync(6_000);
				receiver.making = async () => await Promise.resolve();
				expect(await receiver.deliver(signed())).toMatchObject({
					statusCode: 200,
					by: failing ? 'hostAfter' : 'node',
				});
				expect(receiver.executions).toHaveLength(1);
			} finally {
				jest.useRealTimers();
			}
		},
	);

	it('knows a batch of 10,000 again', async () => {
		const receiver = new WebhookReceiver(ignoring());
		const batch = JSON.stringify(
			Array.from({ length: 10_000 }, (_, index) => ({ event: 'a', id: index })),
		);
		expect(await receiver.deliver(signed(batch))).toMatchObject({ by: 'hostAfter' });
		expect(await receiver.deliver(signed(batch))).toMatchObject({
			by: 'node',
			body: { message: 'Already received' },
		});
		expect(receiver.executions.map((items) => items.length)).toEqual([10_000]);
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

describe('what is left out', () => {
	afterEach(() => jest.restoreAllMocks());

	const logged = (test: WebhookTest) => {
		const receiver = new WebhookReceiver(test);
		const said: string[] = [];
		receiver.watch = ({ logger }) => {
			for (const level of ['info', 'warn', 'error'] as const) {
				jest.spyOn(logger, level).mockImplementation((...[message]: unknown[]) => {
					said.push(`${level}: ${String(message)}`);
				});
			}
		};
		return { receiver, said };
	};

	it('what is left out is said in the log with the reason, once a minute', async () => {
		jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
		try {
			const { receiver, said } = logged(trigger({ events: 'visit.ended' }));
			for (let count = 0; count < 3; count++) {
				await receiver.deliver(signed());
				await receiver.deliver({ body });
			}
			expect(said).toEqual([
				expect.stringMatching(
					/^info: .* left out: the event "visit.created" is not among Events\.$/,
				),
				expect.stringMatching(/^warn: .* refused: the header with the signature .* is missing/),
			]);
			jest.advanceTimersByTime(60_000);
			await receiver.deliver(signed());
			expect(said[2]).toMatch(/among Events\. 2 more since this was last said\.$/);
		} finally {
			jest.useRealTimers();
		}
	});

	it('what is left out is said once a minute too while the credential cannot be read', async () => {
		const test = trigger();
		const [node] = test.nodes;
		if (node !== undefined) node.credentials = { visitorServiceApi: { id: 'gone', name: 'gone' } };
		const { receiver, said } = logged(test);
		for (let count = 0; count < 3; count++) {
			expect(await receiver.deliver(signed())).toMatchObject({ statusCode: 503 });
		}
		expect(said).toEqual([expect.stringMatching(/^error: .* could not be handled: /)]);
	});

	it('writes two lines into the log for 10,000 forged deliveries, and lets 100 genuine ones pass', async () => {
		const test = trigger({ options: { ignoreRepeats: true } });
		const receiver = new WebhookReceiver(test, true);
		const said: unknown[] = [];
		receiver.watch = ({ logger }) => {
			receiver.watch = undefined;
			jest.spyOn(logger, 'warn').mockImplementation((...[message]: unknown[]) => {
				said.push(message);
			});
		};
		const forged = { body, headers: { 'X-Signature': '0'.repeat(64) } };
		const statuses = new Map<number, number>();
		for (let count = 0; count < 10_000; count++) {
			const genuine = count % 100 === 0;
			const deliveries = [
				count % 2 === 0 ? forged : { body },
				...(genuine ? [signed(JSON.stringify({ ...event, id: `evt-${count}` }))] : []),
			];
			for (const delivery of deliveries) {
				const { statusCode } = await receiver.deliver(delivery);
				statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
			}
		}
		expect([...statuses]).toEqual([
			[401, 10_000],
			[200, 100],
		]);
		expect(receiver.executions).toHaveLength(100);
		// A delivery without a signature costs no reading of the secret.
		expect(test.credentials?.reads).toBe(5_100);
		expect(said).toHaveLength(2);
	});

	it('says that a body that was cut off was left out', async () => {
		const { receiver, said } = logged(trigger());
		receiver.parsesBodies = false;
		await receiver.deliver(signed(body, { 'Content-Encoding': 'gzip' }));
		expect(said).toEqual([expect.stringMatching(/^warn: .* refused: its body was cut off/)]);
	});

	it('shows what is left out of a batch as the last item of a test in the editor', async () => {
		const receiver = new WebhookReceiver({
			...trigger({ events: 'a' }),
			mode: 'manual',
			isTest: true,
		});
		await receiver.deliver(signed(JSON.stringify([{ event: 'a' }, { event: 'b' }])));
		expect(receiver.executions[0]?.map(({ json }) => json)).toEqual([
			expect.objectContaining({ event: 'a' }),
			{ leftOut: 'Part of a delivery was left out: the event "b" is not among Events.' },
		]);
	});

	it('says what is left out of a batch too', async () => {
		const { receiver, said } = logged(trigger({ events: 'a' }));
		await receiver.deliver(signed(JSON.stringify([{ event: 'a' }, { event: 'b' }])));
		expect(receiver.executions[0]).toHaveLength(1);
		expect(said).toEqual([expect.stringMatching(/the event "b" is not among Events/)]);
	});

	it.each<[string, INodeParameters, Delivery, string, RegExp]>([
		[
			'an event that is not selected',
			{ events: 'visit.ended' },
			signed(),
			'200 Event not selected',
			/"visit.created" is not among Events/,
		],
		[
			'a forged delivery',
			{},
			{ ...signed(), body: `${body} ` },
			'401 Unauthorized',
			/no signature matches/,
		],
		[
			'a stranger',
			{ options: { ipAllowlist: '192.0.2.1' } },
			signed(),
			'403 Forbidden',
			/not on the IP allowlist/,
		],
	])(
		'shows what is left out as the output of a test in the editor: %s',
		async (_, parameters, delivery, answered, reason) => {
			const receiver = new WebhookReceiver({
				...trigger(parameters),
				mode: 'manual',
				isTest: true,
			});
			const answer = await receiver.deliver(delivery);
			expect(`${answer.statusCode} ${(answer.body as IDataObject).message as string}`).toBe(
				answered,
			);
			expect(receiver.executions).toEqual([
				[{ json: { leftOut: expect.stringMatching(reason) as string, answeredWith: answered } }],
			]);
		},
	);

	it('shows nothing of a delivery that is not verified', async () => {
		const receiver = new WebhookReceiver({ ...trigger(), mode: 'manual', isTest: true });
		await receiver.deliver({
			body: '{"mark":"from the stranger"}',
			headers: { 'X-Signature': 'from the stranger' },
			search: '?mark=from%20the%20stranger',
		});
		expect(JSON.stringify(receiver.executions)).not.toContain('stranger');
	});
});

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
			'Strava, if it asks for JSON',
			{ method: 'GET', search: '?hub.challenge=15f7', headers: { Accept: 'application/json' } },
			{ 'hub.challenge': '15f7' },
		],
		['Trello', { method: 'HEAD' }, ''],
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
			},
		});
		expect(receiver.executions).toEqual([]);
		const off = new WebhookReceiver(trigger());
		expect((await off.deliver(delivery)).statusCode).toBeGreaterThanOrEqual(401);
	});

	it.each([
		['Asana', 'X-Hook-Secret', '{}'],
		['RingCentral', 'Validation-Token', ''],
	])('returns to %s the header %s', async (_, name, raw) => {
		const delivery = { body: raw, headers: { ...json, [name]: 'b537207f-20cbfa02' } };
		expect(await answering().deliver(delivery)).toMatchObject({
			statusCode: 200,
			body: '',
			headers: { [name.toLowerCase()]: 'b537207f-20cbfa02' },
		});
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
		for (const verificationRequests of ['off', 'answer']) {
			const receiver = new WebhookReceiver(
				trigger({ authentication: 'header', options: { verificationRequests } }),
			);
			const headers = { 'X-Webhook-Token': SECRET };
			expect(await receiver.deliver({ method: 'GET', headers })).toMatchObject({ statusCode: 405 });
			expect(receiver.executions).toEqual([]);
		}
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
			expect.stringMatching(/this machine only\. Set the environment variable N8N_WEBHOOK_URL/),
		]);
	});

	it('warns of a tolerance in milliseconds, and goes on', async () => {
		const timed = { signedContent: '{timestamp}{body}', options: { tolerance: 300_000 } };
		expect(await create(trigger(timed))).toEqual({
			created: true,
			warnings: [expect.stringMatching(/^Timestamp Tolerance is more than a day/)],
		});
	});

	it('checks the settings anew at each activation, and leaves nothing to remove', async () => {
		expect(await hooks.checkExists()).toBe(false);
		expect(await hooks.delete()).toBe(true);
	});
});

describe('the description', () => {
	const { description } = new VisitorServiceTrigger();

	it('has one version, and not the one for which n8n works more', () => {
		expect(description.version).toBe(1.1);
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
			secretEncoding: 'text',
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
			eventHeader: '',
			eventPath: '',
			idHeader: '',
			idPath: '',
			itemsPath: '',
			tolerance: 300,
			verificationRequests: 'off',
			ignoreRepeats: false,
			ipAllowlist: '',
			responseCode: 200,
		});
	});

	it('shows the credential wherever one is needed, and one warning where none is', () => {
		expect(description.credentials?.[0]).toMatchObject({
			required: true,
			displayOptions: { show: { authentication: ['header', 'hmac', 'standardWebhooks'] } },
		});
		const notices = description.properties.filter(({ type }) => type === 'notice');
		const forNone = JSON.stringify({ show: { authentication: ['none'] } });
		expect(
			notices.filter(({ displayOptions }) => JSON.stringify(displayOptions) === forNone),
		).toHaveLength(1);
		// A hint would say it a second time.
		expect(description.hints).toBeUndefined();
	});

	it('says what repeats cannot promise, and what does', () => {
		const options = description.properties.find(({ name }) => name === 'options')?.options ?? [];
		const ignoreRepeats = options.find(({ name }) => name === 'ignoreRepeats');
		expect(ignoreRepeats).toMatchObject({
			description: expect.stringMatching(/processes.*Remove Duplicates/) as string,
		});
	});
});
