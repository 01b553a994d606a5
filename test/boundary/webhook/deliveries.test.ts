import { type Item, RECEIVED_AT, type Request, sign, signed, Trigger } from './trigger';

const json = JSON.stringify;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

async function receive(
	body: unknown,
	options: object = {},
	{ headers = {}, ...more }: Request & { events?: string } = {},
): Promise<{ statusCode: number; items: Item[]; log: string[] }> {
	const trigger = new Trigger({ events: more.events ?? '', options });
	const raw = typeof body === 'string' || body instanceof Buffer ? body : json(body);
	const outcome = await trigger.deliver({ ...signed(raw, headers), ...more });
	return { ...outcome, log: trigger.log };
}

describe('the body of an item', () => {
	it.each<[string, string, Request['headers'], unknown]>([
		['nothing', '', {}, null],
		['JSON', '{"a":1}', {}, { a: 1 }],
		['JSON called a form, as curl -d does', '{"a":1}', FORM, { a: 1 }],
		['JSON with a byte order mark', '\ufeff{"a":1}', {}, { a: 1 }],
		['a card number', '{"card":123456789012345678901}', {}, { card: '123456789012345678901' }],
		[
			'a number with an exponent',
			'{"n":[1e20,12345678901234567.0]}',
			{},
			{ n: [1e20, '12345678901234567.0'] },
		],
		['a card number in a list', '[{"n":-9007199254740993}]', {}, { n: '-9007199254740993' }],
		['cut-off JSON', '{"a":', { 'content-type': 'text/plain' }, '{"a":'],
		['JSON lines', '{"a":1}\n{"a":2}', { 'content-type': 'text/plain' }, '{"a":1}\n{"a":2}'],
		['a text', 'Hello, Ada = Eve', { 'content-type': 'text/plain' }, 'Hello, Ada = Eve'],
		['XML', '<a b="c=d">1</a>', { 'content-type': 'text/xml' }, '<a b="c=d">1</a>'],
		['a form', 'a=1&b=%20x+y&a=2', FORM, { a: ['1', '2'], b: ' x y' }],
		['a broken form', 'a=%zz&=&&b', FORM, { a: '%zz', '': '', b: '' }],
		['JSON in the only field of a form', 'payload=%7B%22a%22%3A%22b%26c%22%7D', FORM, { a: 'b&c' }],
		['a form with JSON in it', 'token=a&payload=%7B%7D', FORM, { token: 'a', payload: '{}' }],
	])('is what came, whatever its type says: %s', async (_, raw, headers, expected) => {
		const { items } = await receive(raw, {}, { headers });
		expect(items.map(({ body }) => body)).toEqual([expected]);
	});

	it('reaches no prototype', async () => {
		for (const raw of ['{"__proto__":{"polluted":true}}', '__proto__=polluted&constructor=x']) {
			const [item] = (await receive(raw)).items;
			expect(Object.getPrototypeOf(item?.body)).toBe(Object.prototype);
			expect({}).not.toHaveProperty('polluted');
		}
	});
});

describe('the name and the ID of an event', () => {
	it.each<[unknown, string | null, string | number | null]>([
		[{ event: 'visit.created', id: 7 }, 'visit.created', 7],
		[{ type: 'visitor', event_type: 'visit.created', event_uuid: 'u' }, 'visit.created', 'u'],
		[{ EventName: ' a ', 'message-id': 'm', $type: 'x' }, 'a', 'm'],
		[{ type: 'a', id: 'record', eventId: 'e' }, 'a', 'e'],
		[{ type: 5, id: '', guid: 'g' }, null, 'g'],
		[{ event: { name: 'a' }, id: 1.5 }, null, null],
		[{ event: 'x'.repeat(513), id: 'y'.repeat(513) }, null, null],
		[{ id: 12345678901234567890n.toString() }, null, '12345678901234567890'],
		['text', null, null],
	])('are found in %j', async (body, event, id) => {
		const [item] = (await receive(body)).items;
		expect([item?.event, item?.id]).toEqual([event, id]);
	});

	it('are where the user says, and nowhere else', async () => {
		const body = { meta: { name: 'a', number: 5 }, event: 'other', id: 'other' };
		const paths = { eventPath: 'meta.name', idPath: 'meta.number' };
		expect((await receive(body, paths)).items).toMatchObject([{ event: 'a', id: 5 }]);
		const wrong = { eventPath: 'meta.x', idPath: 'meta.x', idHeader: 'constructor' };
		expect((await receive(body, wrong)).items).toMatchObject([{ event: null, id: null }]);
		const headers = { 'x-name': 'h', 'x-id': '9' };
		const inHeaders = { eventHeader: 'X-Name', idHeader: 'X-Id' };
		expect((await receive(body, inHeaders, { headers })).items).toMatchObject([
			{ event: 'h', id: '9' },
		]);
	});

	it('gives an item for each element of a list or at Items Path, else one with all of it', async () => {
		const batch = [{ event: 'a', id: 1 }, { event: 'b' }];
		expect((await receive(batch)).items).toMatchObject([
			{ event: 'a', id: 1, body: batch[0] },
			{ event: 'b', id: null, body: batch[1] },
		]);
		const wrapped = { type: 'all', events: batch, id: 'x' };
		expect((await receive(wrapped)).items).toMatchObject([{ event: 'all', body: wrapped }]);
		expect((await receive(wrapped, { itemsPath: 'events' })).items).toHaveLength(2);
		const nested = { event: 'all', entry: [{ changes: [{ id: 1 }] }, { changes: [{ id: 2 }] }] };
		expect((await receive(nested, { itemsPath: 'entry.changes' })).items).toMatchObject([
			{ event: 'all', id: 1 },
			{ event: 'all', id: 2 },
		]);
		expect((await receive(wrapped, { itemsPath: 'none' })).items).toHaveLength(1);
		expect((await receive([])).statusCode).toBe(200);
	});
});

describe('Events', () => {
	const events = 'visit.created, visit.ended';

	it('compares a name that was found', async () => {
		expect((await receive({ event: 'visit.ended' }, {}, { events })).items).toHaveLength(1);
		const { statusCode, items, log } = await receive({ event: 'visit.deleted' }, {}, { events });
		expect([statusCode, items]).toEqual([200, []]);
		expect(log).toEqual([expect.stringMatching(/the event "visit.deleted" is not among Events/)]);
	});

	it('never swallows what has no name, if one of them stands anywhere', async () => {
		const inBody = { data: [{ what: 'visit.created' }] };
		expect((await receive(inBody, {}, { events })).items).toMatchObject([{ event: null }]);
		const headers = { 'x-what': 'visit.created' };
		expect((await receive({}, {}, { events, headers })).items).toHaveLength(1);
		expect((await receive({ a: 1 }, {}, { events })).items).toHaveLength(0);
	});

	it.each([
		['a slash as PHP writes it', '{"what":"visits\\/created"}', 'visits/created'],
		['a letter as Python writes it', '{"what":"besuch.ge\\u00e4ndert"}', 'besuch.geändert'],
		['the name of a class', '{"what":"App\\\\Visit"}', 'App\\Visit'],
		['a form', 'what=visits%2Fcreated', 'visits/created'],
	])('nor what has the name in escaped signs: %s', async (_, body, name) => {
		const { items } = await new Trigger({ events: name }).deliver(signed(body));
		expect(items).toHaveLength(1);
	});

	it('starts with the selected events of a batch, and says what was left out', async () => {
		const batch = [{ event: 'visit.ended' }, { event: 'a' }, { event: 'b' }];
		const { items, log } = await receive(batch, {}, { events });
		expect(items).toMatchObject([{ event: 'visit.ended' }]);
		expect(log).toEqual([expect.stringMatching(/left out: the event "a" is not among/)]);
	});
});

describe('Conditions', () => {
	const arrived = { field: 'data.state', condition: 'equals', value: 'Arrived' };
	const today = { field: 'data.at', condition: 'isToday' };
	const [here, gone] = ['arrived', 'left'].map((state) => ({ data: { state } }));
	const count = async (body: unknown, conditions: object[], matchType = 'all') => {
		const trigger = new Trigger({ match: { conditions }, matchType });
		const { items, statusCode } = await trigger.deliver(signed(json(body)));
		return { items: items.length, statusCode, log: trigger.log };
	};

	it.each<[string, unknown, object[], string, number]>([
		['a body that matches', here, [arrived], 'all', 1],
		['one that does not', gone, [arrived], 'all', 0],
		['a day of the workflow', { data: { at: '2021-02-24T23:30:00Z' } }, [today], 'all', 1],
		['the day before', { data: { at: '2021-02-24T22:30:00Z' } }, [today], 'all', 0],
		['all of two', here, [arrived, today], 'all', 0],
		['any of two', here, [arrived, today], 'any', 1],
		['a text', 'arrived', [arrived], 'all', 0],
		['some events of a batch', [here, gone], [arrived], 'all', 1],
	])('start the workflow with events that match: %s', async (_, body, conditions, type, items) => {
		expect(await count(body, conditions, type)).toMatchObject({
			items,
			statusCode: items === 0 ? 200 : 0,
		});
	});

	it('tell of a field that no event has', async () => {
		const { log } = await count({ state: 'arrived' }, [arrived]);
		expect(log).toEqual([
			expect.stringMatching(/do not match: no event has the field "data.state"/),
		]);
	});

	it('leave what does not match to be sent again', async () => {
		const options = { ignoreRepeats: true, idPath: 'id' };
		const trigger = new Trigger({ options, match: { conditions: [arrived] } });
		const send = async (...states: string[]) => {
			const batch = states.map((state, id) => ({ id, data: { state } }));
			return (await trigger.deliver(signed(json(batch)))).items.length;
		};
		expect([await send('left', 'arrived'), await send('left')]).toEqual([1, 0]);
		expect([await send('arrived', 'arrived'), await send('arrived')]).toEqual([1, 0]);
	});
});

describe('Ignore Repeats', () => {
	it.each<[string, object, string, string, number]>([
		['the same event', {}, '{"event":"a","id":1}', '{"event":"a","id":1}', 1],
		['other content with the same detected ID', {}, '{"id":1,"a":1}', '{"id":1,"a":2}', 2],
		['other content, the same named ID', { idPath: 'id' }, '{"id":1,"a":1}', '{"id":1,"a":2}', 1],
		['another event of one ID', { idPath: 'id' }, '{"id":1,"type":"a"}', '{"id":1,"type":"b"}', 2],
		['no ID', {}, '{"a":1}', '{"a":1}', 2],
		['elements of one batch', { idPath: 'id' }, '[{"id":1},{"id":1}]', '[{"id":1},{"id":1}]', 2],
	])('%s', async (_, options, first, second, expected) => {
		const trigger = new Trigger({ options: { ignoreRepeats: true, ...options } });
		const outcomes = [await trigger.deliver(signed(first)), await trigger.deliver(signed(second))];
		expect(outcomes.flatMap(({ items }) => items)).toHaveLength(expected);
	});
});

describe('Verification Requests', () => {
	const verify = async (request: Request, verificationRequests = 'answer') => {
		const trigger = new Trigger({ options: { verificationRequests } });
		const { statusCode, response, headers, items } = await trigger.deliver(request);
		expect(items).toEqual([]);
		return { statusCode, response, headers };
	};
	const posted = (value: unknown): Request => ({ body: json(value) });
	const ECHO = '{"challenge":"3e"}';

	it.each<[string, Request, unknown]>([
		['Slack', posted({ token: 't', challenge: '3e', type: 'url_verification' }), ECHO],
		['Monday', posted({ challenge: '3e' }), ECHO],
		['hub.challenge', { method: 'GET', search: '?hub.mode=subscribe&hub.challenge=115' }, '115'],
		['challenge', { method: 'GET', search: '?challenge=abc_DEF-1' }, 'abc_DEF-1'],
		['HEAD, as of Trello', { method: 'HEAD' }, ''],
		['validationToken', { search: '?validationToken=Validation%3A+1-a' }, 'Validation: 1-a'],
	])('responds to what holds nothing but %s, and starts nothing', async (_, request, expected) => {
		const { statusCode, response, headers } = await verify(request);
		expect([statusCode, response]).toEqual([200, expected]);
		expect(headers).toMatchObject({
			'x-content-type-options': 'nosniff',
			'content-security-policy': "default-src 'none'; sandbox",
			'cache-control': 'no-store',
			'content-type': expected === ECHO ? 'application/json' : 'text/plain; charset=utf-8',
		});
		expect((await verify(request, 'off')).statusCode).toBeGreaterThanOrEqual(401);
	});

	it('returns X-Hook-Secret in a header', async () => {
		const headers = { 'x-hook-secret': 'b537-20' };
		for (const body of ['', '{}']) {
			expect(await verify({ body, headers })).toMatchObject({
				statusCode: 200,
				response: '',
				headers,
			});
		}
	});

	it.each(['<script>', '"><img src=x>', 'alert(1)', 'a\nb', 'é', 'x'.repeat(513), ''])(
		'returns nothing that could be more than a challenge: %j',
		async (challenge) => {
			const search = `?challenge=${encodeURIComponent(challenge)}`;
			for (const request of [{ method: 'GET', search }, { search }, posted({ challenge })]) {
				const { statusCode, response } = await verify(request);
				expect(statusCode).toBeGreaterThanOrEqual(401);
				expect(response).toEqual({ message: expect.any(String) as string });
			}
		},
	);

	it.each([
		{ challenge: 'bike race', visitor: 'Ada' },
		{ type: 'subscription.confirm', challenge: 'abc' },
		{ event: 'visit.created', challenge: 'abc' },
		{ challenge: 'abc', type: 'url_verification', id: 1 },
	])('takes whatever holds more for a delivery: %j', async (body) => {
		const trigger = new Trigger({ options: { verificationRequests: 'answer' } });
		expect((await trigger.deliver(signed(json(body)))).items).toHaveLength(1);
	});

	it('lets no GET start the workflow, even if anybody may', async () => {
		const none = { authentication: 'none', options: { verificationRequests: 'answer' } };
		expect((await new Trigger(none).deliver({ method: 'GET' })).statusCode).toBe(405);
	});

	it('responds to nobody who is not on the IP Allowlist', async () => {
		const options = { verificationRequests: 'answer', ipAllowlist: '198.51.100.1' };
		const request = { method: 'GET', search: '?challenge=abc' };
		expect((await new Trigger({ options }).deliver(request)).statusCode).toBe(403);
	});
});

describe('what starts nothing', () => {
	/** Then n8n lets a GET through. */
	const CHECKED = { verificationRequests: 'answer' };

	it.each<[string, object, Request, number, RegExp]>([
		['a forgery', {}, { ...signed('{}'), body: '{} ' }, 401, /no signature matches/],
		['no signature', {}, { body: '{}' }, 401, /signature or the secret is missing/],
		['another method', CHECKED, { ...signed('{}'), method: 'GET' }, 405, /its method is not POST/],
		['a stranger', { ipAllowlist: '198.51.100.1' }, signed('{}'), 403, /"192.0.2.10" is not on/],
		['br', {}, signed('{}', { 'content-encoding': 'br' }), 415, /its content is not UTF-8/],
	])(
		'is said in the log with the reason, once a minute: %s',
		async (_, options, request, statusCode, reason) => {
			const trigger = new Trigger({ options });
			expect((await trigger.deliver(request)).statusCode).toBe(statusCode);
			await trigger.deliver(request);
			expect(trigger.log).toEqual([expect.stringMatching(reason)]);
		},
	);

	it('is said once a minute, whatever names the sender makes up', async () => {
		const trigger = new Trigger({ events: 'visit.created' });
		for (const event of ['a', 'b']) await trigger.deliver(signed(json({ event })));
		expect(trigger.log).toEqual([expect.stringMatching(/the event "a" is not among Events/)]);
	});

	it('is said of what could be read in two ways, of which neither starts anything', async () => {
		const trigger = new Trigger({ signatureFormat: 'stripe' });
		const send = async (time: string, body: string) => {
			const headers = { 'stripe-signature': `t=${time},v1=${sign(`${time}.${body}`)}` };
			return await trigger.deliver({ body, headers });
		};
		const time = String(RECEIVED_AT / 1000);
		expect((await send(time, 'Ada .[new]')).items).toHaveLength(1);
		expect((await send(time, 'Ada 3.14')).items).toHaveLength(1);
		expect((await send(time, '3.14')).statusCode).toBe(401);
		expect((await send(time, '25.[1]')).statusCode).toBe(401);
		expect((await send(`${time}.25`, '[1]')).statusCode).toBe(401);
		expect(trigger.log[0]).toMatch(/could be divided in two ways/);
	});

	it.each<[string, string, Request, RegExp, remedy: RegExp]>([
		[
			...(['a forgery', '', { ...signed('{}'), body: '{} ' }] as const),
			...([
				/^A webhook delivery was rejected: no/,
				/^Compare them with what your service/,
			] as const),
		],
		[
			...(['another event', 'a', signed('{"event":"b"}')] as const),
			...([
				/^A webhook .* left out: the event "b"/,
				/^Check Events, .* got the status 200/,
			] as const),
		],
		[
			...(['bytes', '', signed(Buffer.from([0xff]))] as const),
			...([
				/^A webhook .* rejected: its content is not UTF-8/,
				/^Ask your service .* UTF-8/,
			] as const),
		],
	])(
		'is an error of the trigger in the editor, so that no other node runs: %s',
		async (_, events, request, expected, remedy) => {
			const trigger = new Trigger({ events });
			const test = trigger.deliver(request, 'manual');
			await expect(test).rejects.toMatchObject({
				message: expect.stringMatching(expected) as string,
				description: expect.stringMatching(remedy) as string,
			});
			expect((await trigger.deliver(request)).items).toEqual([]);
		},
	);

	it('leaves the editor listening if a browser opens the Test URL', async () => {
		const trigger = new Trigger({ options: CHECKED });
		const { statusCode } = await trigger.deliver({ method: 'GET' }, 'manual');
		expect(statusCode).toBe(405);
	});
});
