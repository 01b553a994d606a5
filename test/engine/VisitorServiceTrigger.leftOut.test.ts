import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { VirtualClock } from '../simulation/clock';
import { showTimeOf } from '../simulation/processTime';
import { type WebhookTest } from './harness/webhookContext';
import { WebhookReceiver } from './harness/webhookReceiver';
import type { Delivery } from './harness/webhookRequest';
import { body, event, signed, trigger } from './webhookTrigger';

interface LeftOut {
	what: string;
	parameters?: INodeParameters;
	credential?: IDataObject;
	delivery: () => Delivery;
	answered: string;
	line: RegExp;
}

const secondsAgo = (seconds: number) => String(Math.floor(Date.now() / 1000) - seconds);
const timed = { signedContent: '{timestamp}{body}', timestampHeader: 'X-Time' };

const notSelected: LeftOut[] = [
	{
		what: 'an event that is not selected',
		parameters: { events: 'visit.ended' },
		delivery: signed,
		answered: '200 Event not selected',
		line: /^info: .* left out: the event "visit.created" is not among Events\.$/,
	},
	{
		what: 'events that are not selected',
		parameters: { events: 'visit.ended' },
		delivery: () => signed('[{"event":"a"},{"event":"b"}]'),
		answered: '200 Event not selected',
		line: /^info: .* left out: events such as "a", "b" are not among Events\.$/,
	},
	{
		what: 'an event without a name',
		parameters: { events: 'visit.ended' },
		delivery: () => signed('{"topic":"visit.created"}'),
		answered: '200 Event not selected',
		line: /^info: .* left out: no event name was found, .* set Event Path or Event Header/,
	},
	{
		what: 'an empty batch',
		delivery: () => signed('[]'),
		answered: '200 Event not selected',
		line: /^info: .* left out: the batch is empty\.$/,
	},
];

const unverified: LeftOut[] = [
	{
		what: 'a delivery, because no secret is set',
		credential: {},
		delivery: signed,
		line: /no Webhook Secret is set/,
	},
	{
		what: 'a delivery, because the secret is written in another way',
		parameters: { secretEncoding: 'hex' },
		delivery: signed,
		line: /the Webhook Secret is not written as the settings say/,
	},
	{
		what: 'a delivery without a signature',
		delivery: () => ({ body }),
		line: /the header with the signature or the secret is missing/,
	},
	{
		what: 'a delivery with a signature of another form',
		parameters: { signaturePrefix: 'v1=' },
		delivery: signed,
		line: /no part of the signature header has the Signature Prefix/,
	},
	{
		what: 'a delivery without its ID',
		parameters: { signedContent: '{id}{body}', idHeader: 'X-Id' },
		delivery: signed,
		line: /the header with the ID is missing/,
	},
	{
		what: 'a delivery without a header that is signed',
		parameters: { signedContent: '{header.x-part}{body}' },
		delivery: signed,
		line: /a header or query parameter that Signed Content names is missing/,
	},
	{
		what: 'a delivery without its time',
		parameters: timed,
		delivery: signed,
		line: /the timestamp is missing/,
	},
	{
		what: 'a delivery with a time that cannot be read',
		parameters: timed,
		delivery: () => signed(body, { 'X-Time': 'noon' }),
		line: /the timestamp is not a time/,
	},
	{
		what: 'a delivery of long ago',
		parameters: timed,
		delivery: () => signed(body, { 'X-Time': secondsAgo(600) }),
		line: /the timestamp is older than Timestamp Tolerance/,
	},
	{
		what: 'a delivery of the future',
		parameters: timed,
		delivery: () => signed(body, { 'X-Time': secondsAgo(-600) }),
		line: /the timestamp is further in the future than Timestamp Tolerance/,
	},
	{
		what: 'a delivery, because its body is not signed',
		parameters: { signedContent: '{timestamp}' },
		delivery: signed,
		line: /Signed Content has neither \{body\} nor its hash/,
	},
	{
		what: 'a forged delivery',
		delivery: () => ({ ...signed(), body: `${body} ` }),
		line: /no signature matches/,
	},
].map((one) => ({
	...one,
	answered: '401 Unauthorized',
	line: new RegExp(`^warn: .* was refused: ${one.line.source}`),
}));

const leftOut: LeftOut[] = [
	...notSelected,
	...unverified,
	{
		what: 'a stranger',
		parameters: { options: { ipAllowlist: '192.0.2.1' } },
		delivery: signed,
		answered: '403 Forbidden',
		line: /^warn: .* refused: the IP address "127\.0\.0\.1" is not on the IP allowlist\.$/,
	},
	{
		what: 'content that cannot be read',
		delivery: () => signed(body, { 'Content-Encoding': 'br' }),
		answered: '415 Unsupported Media Type',
		line: /^warn: .* refused: its content is multipart\/form-data or in a content coding/,
	},
	{
		what: 'a body that was cut off',
		delivery: () => signed(body, { 'Content-Encoding': 'gzip' }),
		answered: '400 Bad Request',
		line: /^warn: .* refused: its body was cut off/,
	},
	{
		what: 'a batch that is too large',
		delivery: () => signed(JSON.stringify(new Array(10_001).fill({}))),
		answered: '413 Content Too Large',
		line: /^warn: .* refused: the batch has more than 10000 elements/,
	},
	{
		what: 'a delivery, because a setting cannot be read',
		parameters: { algorithm: 'md5' },
		delivery: signed,
		answered: '503 Service Unavailable',
		line: /^error: .* could not be handled: Algorithm /,
	},
];

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
		const clock = new VirtualClock(Date.now());
		const showRealTime = showTimeOf(clock);
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
			clock.pass(60_000);
			await receiver.deliver(signed());
			expect(said[2]).toMatch(/among Events\. 2 more since this was last said\.$/);
		} finally {
			showRealTime();
		}
	});

	it('what is left out is said once a minute, whatever the names and IDs of the events are', async () => {
		const options = { ignoreRepeats: true };
		const { receiver, said } = logged(trigger({ events: 'visit.created', options }));
		for (const id of ['1', '2', 'a "quoted" one']) {
			const named = (name: string) => signed(JSON.stringify({ event: name, eventId: id }));
			await receiver.deliver(named(`visit.${id}`));
			await receiver.deliver(named('visit.created'));
			await receiver.deliver(named('visit.created'));
		}
		expect(said).toEqual([
			expect.stringMatching(/the event "visit\.1" is not among Events/),
			expect.stringMatching(/the event with the ID "1" was received before/),
		]);
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

	it.each(leftOut)(
		'says in the log, and as the output of a test in the editor, that it left out $what',
		async ({ parameters = {}, credential, delivery, answered, line }) => {
			const { receiver, said } = logged(trigger(parameters, credential));
			const inEditor = new WebhookReceiver({
				...trigger(parameters, credential),
				mode: 'manual',
				isTest: true,
			});
			for (const asked of [receiver, receiver, inEditor]) {
				asked.parsesBodies = false;
				const { statusCode, body: answer } = await asked.deliver(delivery());
				expect(`${statusCode} ${(answer as IDataObject).message as string}`).toBe(answered);
			}
			// Once for the two to the Production URL, and once for the test.
			const sentence = expect.stringMatching(line) as string;
			expect(said).toEqual([sentence, sentence]);
			expect(receiver.executions).toEqual([]);
			const [, reason = ''] = /delivery (.*)$/.exec(said[0] ?? '') ?? [];
			expect(inEditor.executions).toEqual([
				[{ json: { leftOut: `A webhook delivery ${reason}`, answeredWith: answered } }],
			]);
		},
	);

	it('says in the log that it left out a repeat, and one that n8n is still handling', async () => {
		const { receiver, said } = logged(trigger({ options: { ignoreRepeats: true } }));
		await Promise.all([receiver.deliver(signed()), receiver.deliver(signed())]);
		await receiver.deliver(signed());
		await receiver.deliver(signed());
		expect(said).toEqual([
			expect.stringMatching(/^info: .* put off: it repeats one that n8n is still handling/),
			expect.stringMatching(/^info: .* left out: the event with the ID "evt-000001" was received/),
		]);
	});

	it('says in the log that it left out the repeats in a batch', async () => {
		const { receiver, said } = logged(trigger({ options: { ignoreRepeats: true } }));
		const batch = (...ids: number[]) => signed(JSON.stringify(ids.map((id) => ({ eventId: id }))));
		await receiver.deliver(batch(1, 2));
		await receiver.deliver(batch(2, 3));
		expect(receiver.executions.map((items) => items.length)).toEqual([2, 1]);
		expect(said).toEqual([
			expect.stringMatching(/Part of .*the event with the ID "2" was received/),
		]);
	});

	it('says in the log that a request was refused because of its method, but ends no test', async () => {
		const { receiver, said } = logged(trigger());
		const inEditor = new WebhookReceiver({ ...trigger(), mode: 'manual', isTest: true });
		for (const asked of [receiver, inEditor]) {
			expect(await asked.deliver({ method: 'GET' })).toMatchObject({ statusCode: 405 });
			expect(asked.executions).toEqual([]);
		}
		const sentence = expect.stringMatching(
			/^warn: .* refused: its method is not POST\.$/,
		) as string;
		expect(said).toEqual([sentence, sentence]);
	});

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
