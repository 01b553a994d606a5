import fc from '../../properties';
import { sign, Trigger } from './trigger';

/** Each run of the six settings delivers two. `DELIVERIES=200000` draws as many. */
const RUNS = Math.ceil(Number(process.env.DELIVERIES ?? 600) / 12);
/** Milliseconds. */
const TIME_LIMIT = 15_000 + RUNS * 40;

/** What the senders of the world write, and what nobody does. */
const values = fc.oneof(
	fc.constantFrom('', 'application/json', 'gzip', 'br', 'sha256=', 'v1,', '1614265330', 'utf-16'),
	fc.string({ maxLength: 40 }),
);

const bodies = fc.oneof(
	fc.json().map((text) => Buffer.from(text)),
	fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
	fc
		.constantFrom('{', '[[[', 'a=1&b', '"', '\uFEFF{}', '{"a":1}{')
		.map((text) => Buffer.from(text)),
);

it.each([
	{},
	{ authentication: 'header' },
	{ authentication: 'standardWebhooks' },
	{ signatureFormat: 'stripe' },
	{ signatureFormat: 'slack' },
	{ options: { verificationRequests: 'answer', ignoreRepeats: true } },
])(
	'any delivery gets a response, and starts nothing unless it is signed: %j',
	async (parameters) => {
		const names = fc.constantFrom(
			...['content-type', 'content-encoding', 'x-signature', 'x-webhook-token', 'stripe-signature'],
			...[
				'x-slack-signature',
				'webhook-id',
				'webhook-signature',
				'webhook-timestamp',
				'x-hook-secret',
			],
		);
		await fc.assert(
			fc.asyncProperty(
				bodies,
				fc.dictionary(names, values),
				fc.constantFrom('POST', 'GET', 'PUT'),
				fc.string({ maxLength: 30 }),
				async (body, headers, method, query) => {
					const trigger = new Trigger(parameters);
					const search = `?challenge=${encodeURIComponent(query)}`;
					const outcome = await trigger.deliver({ body, headers, method, search });
					expect(outcome.items).toEqual([]);
					expect(outcome.statusCode).toBeGreaterThanOrEqual(200);
					expect(outcome.statusCode).toBeLessThan(500);
					const signed = { ...headers, 'x-signature': sign(body) };
					const genuine = await trigger.deliver({ body, headers: signed, method });
					expect(genuine.statusCode).toBeLessThan(500);
				},
			),
			{ numRuns: RUNS },
		);
	},
	TIME_LIMIT,
);
