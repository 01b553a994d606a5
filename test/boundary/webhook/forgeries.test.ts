import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { customRules, RECEIVED_AT, type Request, SECRET, sign, signed, Trigger } from './trigger';

// Genuine deliveries that somebody recorded and sent again with another meaning: the same signed
// bytes and the same signature, and anything else as the forger likes. The first three worked once.

const DAY = 86_400_000;
const FORM = 'application/x-www-form-urlencoded';
const SECONDS = String(RECEIVED_AT / 1000);
const GENUINE = '{"id":"e-1","event":"visit.created","visitor":"Ada"}';

const custom = (signedContent: string) => new Trigger(customRules(signedContent));
const KEY = Buffer.from('synthetic-webhook-key-24');
const standard = (options = {}) =>
	new Trigger(
		{ authentication: 'standardWebhooks', options },
		{ webhookSecret: `whsec_${KEY.toString('base64')}` },
	);
/** The headers of Standard Webhooks. */
const signedBy = (id: string, time: string, body: string) => {
	const digest = createHmac('sha256', KEY).update(`${id}.${time}.${body}`).digest('base64');
	return { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${digest}` };
};
const eventsOf = async (trigger: Trigger, request: Request) => {
	const { items, statusCode } = await trigger.deliver(request);
	return items.length === 0 ? statusCode : items.map(({ event, id }) => [event, id]);
};

describe('another content type', () => {
	const body =
		'{"id":"e-1","event":"visit.created","visitor":"Ada €\\"&event=door.opened&id=evil-1&door=vault&z="}';

	it.each([
		`${FORM}; charset=gbk; charset=utf-8`,
		`${FORM}; charset=big5`,
		FORM,
		'text/plain; charset=utf-16le',
		'application/json; charset=iso-8859-1',
	])('changes nothing of a signed delivery: %s', async (type) => {
		const request = signed(body, { 'content-type': type });
		expect(await eventsOf(new Trigger(), request)).toEqual([['visit.created', 'e-1']]);
	});

	it('makes no second event of a delivery, with Ignore Repeats and ID Path', async () => {
		const trigger = new Trigger({ options: { ignoreRepeats: true, idPath: 'id' } });
		expect(await eventsOf(trigger, signed(GENUINE))).toEqual([['visit.created', 'e-1']]);
		for (const type of ['text/plain; charset=utf-16le', 'text/plain', FORM, 'text/csv']) {
			const again = signed(GENUINE, { 'content-type': type, 'x-event-id': 'z1' });
			expect(await eventsOf(trigger, again)).toBe(200);
		}
	});

	it('makes no text of a signed form', async () => {
		const form = 'event=visit.created&id=e-1';
		for (const type of [FORM, 'text/plain', undefined]) {
			const request = signed(form, { 'content-type': type });
			expect(await eventsOf(new Trigger(), request)).toEqual([['visit.created', 'e-1']]);
		}
	});

	it.each([
		['Latin-1', Buffer.from('{"a":"ü"}', 'latin1'), 'application/json; charset=iso-8859-1'],
		['a form in Latin-1', Buffer.from('event=a&name=J%FCrgen'), `${FORM}; charset=iso-8859-1`],
		['UTF-16', Buffer.from('\ufeff{"a":"b"}', 'utf16le'), 'application/json; charset=utf-16le'],
	])('cannot name another charset than UTF-8: %s gets 415', async (_, body, type) => {
		const { statusCode } = await new Trigger().deliver(signed(body, { 'content-type': type }));
		expect(statusCode).toBe(415);
	});
});

describe('a border that is moved', () => {
	it('makes no ID of the beginning of a Standard Webhooks body, days later', async () => {
		const trigger = standard({ ignoreRepeats: true });
		const later = String((RECEIVED_AT + 3 * DAY) / 1000);
		const head = '{"type":"visit.created","data":{"id":"v-1","visitor":"Ada';
		const tail = 'event=door.opened&id=evil-1&door=vault&z="}}';
		const body = `${head}.${later}.${tail}`;
		const headers = signedBy('msg_1', SECONDS, body);
		expect(await eventsOf(trigger, { body, headers })).toEqual([['visit.created', 'msg_1']]);
		trigger.host.time.pass(3 * DAY);
		const forged = {
			...headers,
			'webhook-id': `msg_1.${SECONDS}.${head}`,
			'webhook-timestamp': later,
			'content-type': FORM,
		};
		expect(await eventsOf(trigger, { body: tail, headers: forged })).toBe(401);
	});

	it.each([
		['{timestampSeconds}.{body}', SECONDS, `7.${GENUINE}`],
		['{timestampSeconds}{body}', SECONDS, `000${GENUINE}`],
		['{timestampMilliseconds}{body}', `${SECONDS}000`, GENUINE],
		['{timestampMilliseconds}{body}', `${SECONDS}000`, `123${GENUINE}`],
		['{timestampIso}{body}', '2021-02-25T15:02:10.000Z', GENUINE],
		['{timestamp}:{body}', `${SECONDS}.25`, GENUINE],
		['{timestamp}|{id}|{body}', `${SECONDS}.25`, `a|${GENUINE}`],
	])(
		'is certain if the template says how the time is written: %s %s',
		async (content, time, body) => {
			const trigger = custom(content);
			expect(await trigger.publish()).toEqual([]);
			const whole = content
				.replace(/\{timestamp\w*\}/, time)
				.replace('{id}', 'm.1')
				.replace('{body}', body);
			const headers = { 'x-id': 'm.1', 'x-time': time, 'x-signature': sign(whole) };
			expect(await eventsOf(trigger, { body, headers })).toHaveLength(1);
		},
	);

	it.each([
		['{timestamp}{body}', /a time in milliseconds.*\{timestampSeconds\}/],
		['{timestamp}.{body}', /a fraction of a second/],
		['{id}.{body}', /an ID that holds the text beside it.*\{timestamp\}\|\{id\}\|\{body\}/],
		['{id}{timestamp}{body}', /an ID that ends in digits/],
		['{header.x-id}.{body}', /a header that holds the text beside it, a text or form that looks/],
		['{query.a}.{body}', /a query parameter that holds the text beside it/],
		['{url}{body}', /a query in the URL/],
		['{body}.{id}', /an ID that holds the text beside it, a text or form that looks like/],
	])('is warned of while publishing: %s', async (content, expected) => {
		const trigger = custom(content);
		expect(await trigger.publish()).toEqual([expect.stringMatching(expected)]);
	});

	it('reads a query parameter in one way: one that is repeated is not that of their values', async () => {
		const trigger = custom('{query.a}:{body}');
		const request = { body: GENUINE, headers: { 'x-signature': sign(`1,2:${GENUINE}`) } };
		const events = async (query: object, search: string) =>
			await eventsOf(trigger, { ...request, search, query: { ...query } });
		expect(await events({ a: '1,2' }, '?a=1,2')).toHaveLength(1);
		expect(await events({ a: ['1', '2'] }, '?a=1&a=2')).toBe(401);
		expect(await events({ a: [['1', '2']] }, '?a[0][]=1&a[0][]=2')).toBe(401);
	});

	it('is impossible between two query parameters, because publishing fails', async () => {
		const trigger = custom('{query.a}{query.b}{body}');
		await expect(trigger.publish()).rejects.toThrow(/^Signed Content has two placeholders without/);
		const headers = { 'x-signature': sign(`site12${GENUINE}`) };
		const request = { search: '?a=site1&b=2', body: GENUINE, headers };
		expect(await eventsOf(trigger, request)).toBe(401);
	});

	it.each([
		['{body}.{header.x-a}.{header.x-b}', true],
		['{body}.{url}.{timestamp}.{query.a}', true],
		['{id}.{header.x-a}.{body}.{timestamp}.{url}', false],
		['{bodySha256Hex}.{header.x-a}.{header.x-b}', false],
	])('is not published if it could take minutes to divide: %s, %j', async (content, isSlow) => {
		const published = custom(content).publish();
		if (isSlow)
			await expect(published).rejects.toThrow(/^Signed Content has two placeholders after/);
		else await published;
	});
});

describe('an ID that is not signed', () => {
	const restarted = (trigger: Trigger, options: object) => {
		const again = standard(options);
		again.workflow.stored = trigger.workflow.stored;
		return again;
	};
	const families = [
		['svix', 'webhook'],
		['webhook', 'svix'],
	] as const;
	const header = ['webhook-id', 'svix-id', 'Webhook-Id', 'X-Id', ''];
	it.each(families.flatMap((pair) => header.map((idHeader) => [...pair, idHeader] as const)))(
		'swallows no delivery that is verified by %s-*, beside %s-id, with ID Header %j',
		async (family, other, idHeader) => {
			const options = { ignoreRepeats: true, idHeader };
			const trigger = standard(options);
			const by = (id: string, body: string) => ({
				...Object.fromEntries(
					Object.entries(signedBy(id, SECONDS, body)).map(([name, value]) => [
						name.replace('webhook', family),
						value,
					]),
				),
				'x-id': id,
			});
			const send = (to: Trigger, headers: object, body = GENUINE) =>
				eventsOf(to, { body, headers: { ...headers } });
			const [first, second] = [GENUINE, GENUINE.replace('e-1', 'e-2')];
			expect(await send(trigger, by('msg_1', first))).toHaveLength(1);
			const forged = { ...by('msg_1', first), [`${other}-id`]: 'msg_2', 'x-id': 'msg_2' };
			const again = await send(trigger, forged);
			// With a header that nobody signs it runs again, which publishing warns of.
			expect(again).toEqual(idHeader === 'X-Id' ? [['visit.created', 'msg_2']] : 200);
			const after = restarted(trigger, options);
			expect(await send(after, forged)).toBe(200);
			expect(await send(trigger, by('msg_2', second), second)).toHaveLength(1);
			expect(await send(after, by('msg_2', second), second)).toHaveLength(1);
			expect(await send(after, by('msg_2', second), second)).toBe(200);
		},
	);

	it('swallows no delivery of one header either', async () => {
		const trigger = new Trigger({ options: { ignoreRepeats: true, idHeader: 'X-Id' } });
		const other = GENUINE.replace('e-1', 'e-2');
		expect(await eventsOf(trigger, signed(GENUINE, { 'x-id': '1' }))).toHaveLength(1);
		expect(await eventsOf(trigger, signed(GENUINE, { 'x-id': '2' }))).toHaveLength(1);
		expect(await eventsOf(trigger, signed(other, { 'x-id': '2' }))).toHaveLength(1);
		expect(await eventsOf(trigger, signed(other, { 'x-id': '2' }))).toBe(200);
	});

	it('is warned of while publishing, also if it is that of one family', async () => {
		for (const idHeader of ['webhook-id', 'Svix-Id', 'X-Id']) {
			const [warning] = await standard({ idHeader }).publish();
			expect(warning).toContain(`ID Header is "${idHeader}", which is not signed`);
		}
	});
});

describe('a header that is not signed', () => {
	it('names neither the event nor the ID of a signed delivery', async () => {
		const headers = {
			'x-github-event': 'push',
			'x-event-id': 'z',
			'ce-id': 'z',
			'webhook-id': 'z',
		};
		expect(await eventsOf(new Trigger(), signed('{"a":1}', headers))).toEqual([[null, null]]);
		const none = new Trigger({ authentication: 'none' });
		expect(await eventsOf(none, { body: '{"a":1}', headers })).toEqual([['push', 'z']]);
	});

	it('names them if the user says so, which is warned of', async () => {
		const trigger = new Trigger({ options: { eventHeader: 'X-GitHub-Event' } });
		expect(await trigger.publish()).toEqual([expect.stringMatching(/which is not signed/)]);
		const request = signed('{"action":"a"}', { 'x-github-event': 'push' });
		expect(await eventsOf(trigger, request)).toEqual([['push', null]]);
	});

	it.each(['x-front-challenge', 'x-hook-secret', 'x-okta-verification-challenge'])(
		'swallows no delivery while Verification Requests is on: %s',
		async (name) => {
			const trigger = new Trigger({ options: { verificationRequests: 'answer' } });
			const request = { ...signed(GENUINE, { [name]: 'abc' }), search: '?challenge=abc' };
			expect(await eventsOf(trigger, request)).toEqual([['visit.created', 'e-1']]);
		},
	);
});

describe('what an execution stores', () => {
	const LOGINS = {
		authorization: 'Bearer abc',
		'proxy-authorization': 'Basic YTpi',
		cookie: 'a=b',
	};

	it('is not enough to send the delivery again: the signature is not kept', async () => {
		const { items } = await new Trigger().deliver(
			signed(GENUINE, { ...LOGINS, 'user-agent': 'test' }),
		);
		expect(items[0]?.headers).toEqual({
			'content-type': 'application/json',
			'x-signature': '[redacted]',
			authorization: '[redacted]',
			'proxy-authorization': '[redacted]',
			cookie: '[redacted]',
			'user-agent': 'test',
		});
		const byHeader = new Trigger({ authentication: 'header' });
		const shared = await byHeader.deliver({ body: '{}', headers: { 'x-webhook-token': SECRET } });
		expect(shared.items[0]?.headers).toEqual({ 'x-webhook-token': '[redacted]' });
	});
});

describe('what would hold up n8n', () => {
	const size = 8_000_000;
	const keys = (length: number) =>
		`{${Array.from({ length }, (_, key) => `"${key}":12345678901234567`).join()}}`;
	it.each([
		['brackets', '['.repeat(size)],
		['objects in each other', '{"a":'.repeat(1_000_000)],
		['201 levels', '['.repeat(201) + ']'.repeat(201)],
		['more keys than it takes half a second to read', keys(100_001)],
		['a million keys', keys(1e6)],
		['a list of millions', `[${'{},'.repeat(2_000_000)}{}]`],
		['brackets after spaces', `${' '.repeat(5000)}${'['.repeat(size)}`],
		['brackets in a form', `payload=${'%5B'.repeat(100_000)}`],
	])('is rejected before it is read, whatever its type says: %s', async (_, body) => {
		const none = new Trigger({
			authentication: 'none',
			events: 'a',
			options: { ignoreRepeats: true },
		});
		for (const type of ['application/json', 'text/csv', FORM]) {
			const { statusCode } = await none.deliver({ body, headers: { 'content-type': type } });
			expect(statusCode).toBe(413);
		}
	});

	it('is not a batch of 10,000 events with ten fields, nor 100,000 card numbers, nor 200 levels', async () => {
		const fields = Object.fromEntries(Array.from({ length: 8 }, (_, key) => [`f${key}`, key]));
		const batch = JSON.stringify(new Array(10_000).fill({ event: 'a', ...fields }));
		expect((await new Trigger().deliver(signed(batch))).items).toHaveLength(10_000);
		const [cards] = (await new Trigger().deliver(signed(keys(100_000)))).items;
		expect(cards?.body).toMatchObject({ 7: '12345678901234567' });
		const deep = '['.repeat(200) + ']'.repeat(200);
		expect((await new Trigger().deliver(signed(deep))).items).toHaveLength(1);
		const many = JSON.stringify(new Array(10_001).fill({}));
		expect((await new Trigger().deliver(signed(many))).statusCode).toBe(413);
		expect(gzipSync(many).length).toBeLessThan(1000);
	});
});

describe('a secret that is none', () => {
	it.each(['undefined', 'null', ' [object Object] ', 'NaN'])(
		'keeps the workflow from being published: %j',
		async (webhookSecret) => {
			for (const secrets of [
				{ webhookSecret },
				{ webhookSecret: SECRET, previousWebhookSecret: webhookSecret },
			]) {
				const published = new Trigger({}, secrets).publish();
				await expect(published).rejects.toThrow(/which anybody could know/);
			}
		},
	);

	it.each([
		[{ webhookSecret: 'changeme' }, {}],
		[{ webhookSecret: SECRET, previousWebhookSecret: 'a' }, {}],
		[{ webhookSecret: 'YQ==' }, { signatureFormat: 'custom', secretEncoding: 'base64' }],
		[{ webhookSecret: 'whsec_YWJj' }, { authentication: 'standardWebhooks' }],
	])('is warned of if it has fewer than 16 bytes: %j', async (credential, parameters) => {
		expect(await new Trigger(parameters, credential).publish()).toEqual([
			expect.stringMatching(/has fewer than 16 bytes/),
		]);
	});
});
