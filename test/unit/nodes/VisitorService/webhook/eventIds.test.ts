import fc from 'fast-check';
import type { EventSources } from '../../../../../nodes/VisitorService/webhook/eventFields';
import type { TriggerSettings } from '../../../../../nodes/VisitorService/webhook/receive';
import type { Claim } from '../../../../../nodes/VisitorService/webhook/triggerMemory';
import {
	body,
	delivery,
	event,
	hmac,
	NO_SOURCES,
	RECEIVED_AT,
	receive,
	remembering,
	SECRET,
	settings,
	sign,
} from './deliveries';

describe('repeats', () => {
	const idPath = { sources: { ...NO_SOURCES, idPath: 'id' } };
	const receiver = (change: Partial<TriggerSettings> = {}) => {
		const claim = remembering();
		return async (raw: unknown, headers = {}) => {
			const text = typeof raw === 'string' ? raw : JSON.stringify(raw);
			const outcome = await receive(delivery(text, headers), settings(change), [], claim);
			return outcome.kind === 'passedOn' ? outcome.events.map(({ id }) => id) : outcome.kind;
		};
	};

	it('leaves out repeats', async () => {
		const deliver = receiver();
		expect(await deliver(event)).toEqual(['evt-000001']);
		expect(await deliver(event)).toBe('repeat');
		expect(await deliver({ ...event, id: 'evt-000002' })).toEqual(['evt-000002']);
	});

	it.each<[string, Partial<EventSources>, unknown]>([
		['ID Path', { idPath: 'id' }, { id: 7 }],
		['ID Path, in a list', { idPath: 'id' }, [{ id: 7 }]],
		['ID Path, beside a type', { idPath: 'id' }, { id: 7, type: 'guest' }],
		['ID Path and Event Header', { idPath: 'id', eventHeader: 'X-What' }, { id: 7 }],
		['ID Header', { idHeader: 'X-Id' }, {}],
	])(
		'repeats are not made of two events of one record that only a header names: %s',
		async (_, sources, value) => {
			const deliver = receiver({ sources: { ...NO_SOURCES, ...sources } });
			const { eventHeader } = sources;
			const usual = ['X-GitHub-Event', 'X-Event-Type', 'ce-type'];
			for (const header of eventHeader === undefined ? usual : [eventHeader]) {
				const deliverAs = async (name: string) =>
					await deliver(value, { 'x-id': '7', [header.toLowerCase()]: `${header} ${name}` });
				expect(await deliverAs('visit.created')).toHaveLength(1);
				expect(await deliverAs('visit.deleted')).toHaveLength(1);
				expect(await deliverAs('visit.deleted')).toBe('repeat');
			}
		},
	);

	it('repeats are not made of two events of one record that nothing names, if their content is another', async () => {
		const deliver = receiver(idPath);
		expect(await deliver({ id: 7, status: 'in' })).toEqual([7]);
		expect(await deliver({ id: 7, status: 'out' })).toEqual([7]);
		expect(await deliver({ id: 7, status: 'out' })).toBe('repeat');
		expect(await deliver([{ id: 7, status: 'out' }])).toBe('repeat');
	});

	it.each([
		'X-Sequence',
		'X-Acme-Sequence-Number',
		'ce-sequence',
		'X-Event-Seq',
		'X-Goog-Message-Number',
		'X-Event-No',
		'X-Event-Time',
		'X-Acme-Event-Timestamp',
		'X-Shopify-Triggered-At',
		'X-Occurred-At',
		'ce-time',
	])(
		'repeats are told from two events with the same content by the counter or the time %s',
		async (name) => {
			const deliver = receiver();
			const door = { event: 'door.opened', id: 7 };
			const deliverWith = async (value: string, raw: object = door) =>
				await deliver(raw, { [name.toLowerCase()]: value });
			expect(await deliverWith('1')).toEqual([7]);
			expect(await deliverWith('2')).toEqual([7]);
			expect(await deliverWith('2')).toBe('repeat');
			expect(await deliverWith('2', { event: 'door.opened' })).toEqual([null]);
		},
	);

	it('recognizes repeats by the ID alone if the user named it', async () => {
		const deliver = receiver(idPath);
		expect(await deliver(event)).toEqual(['evt-000001']);
		expect(await deliver({ ...event, attempt: 2 })).toBe('repeat');
		const byHeader = receiver({ sources: { ...NO_SOURCES, idHeader: 'X-Id' } });
		expect(await byHeader({ event: 'a' }, { 'x-id': '1' })).toEqual(['1']);
		expect(await byHeader({ event: 'a', attempt: 2 }, { 'x-id': '1' })).toBe('repeat');
		expect(await byHeader({ event: 'a' }, { 'x-id': '2' })).toEqual(['2']);
	});

	it.each([
		[
			'a further change of a user',
			{ event: 'user.updated', id: 'u-7', data: { name: 'Ada' } },
			{ event: 'user.updated', id: 'u-7', data: { name: 'Ada Lovelace' } },
		],
		[
			'a further change of a visit',
			{ event: 'visit.updated', id: 42, resource: { type: 'visit' }, changes: { status: 'in' } },
			{ event: 'visit.updated', id: 42, resource: { type: 'visit' }, changes: { status: 'out' } },
		],
		[
			'the same visitor on another day',
			{ type: 'visitor.arrived', id: 1001, occurredAt: '2026-01-30', payload: {} },
			{ type: 'visitor.arrived', id: 1001, occurredAt: '2026-01-31', payload: {} },
		],
		[
			'another event of one transaction',
			{ event: 'a', event_id: 'tx-1', n: 1 },
			{ event: 'a', event_id: 'tx-1', n: 2 },
		],
		[
			'a CloudEvent of another source',
			{ specversion: '1.0', type: 'a', id: '1', source: '/one', data: {} },
			{ specversion: '1.0', type: 'a', id: '1', source: '/other', data: {} },
		],
		[
			'an ID in other capitals',
			{ specversion: '1.0', type: 'a', id: 'Ab', source: '/one' },
			{ specversion: '1.0', type: 'a', id: 'aB', source: '/one' },
		],
		[
			'another event of the same record',
			{ event: 'visit.created', id: 7 },
			{ event: 'visit.ended', id: 7 },
		],
	])('tells repeats from %s', async (_, one, other) => {
		const deliver = receiver();
		for (const raw of [one, other]) expect(await deliver(raw)).not.toBe('repeat');
		for (const raw of [one, other]) expect(await deliver(raw)).toBe('repeat');

		const batch = receiver();
		expect(await batch([one, other])).toHaveLength(2);
		expect(await batch([other])).toBe('repeat');
	});

	it('recognizes a repeated CloudEvent by source and ID, whatever else changed', async () => {
		const structured = receiver();
		const cloudEvent = { specversion: '1.0', type: 'a', id: '1', source: '/one' };
		expect(await structured(cloudEvent)).toEqual(['1']);
		expect(await structured({ ...cloudEvent, time: '2026-01-31T08:00:00Z' })).toBe('repeat');
		const binary = receiver();
		const headers = { 'ce-id': '1', 'ce-source': '/one', 'ce-type': 'a' };
		expect(await binary({ n: 1 }, headers)).toEqual(['1']);
		expect(await binary({ n: 2 }, headers)).toBe('repeat');
		expect(await binary({ n: 1 }, { ...headers, 'ce-source': '/other' })).toEqual(['1']);
	});

	it('repeats are not made of two numbers that JSON rounds to the same', async () => {
		for (const deliver of [receiver(), receiver(idPath)]) {
			expect(await deliver('{"event":"a","id":9007199254740992}')).toHaveLength(1);
			expect(await deliver('{"event":"a","id":9007199254740993}')).toHaveLength(1);
			expect(await deliver('{"event":"a","id":9007199254740993}')).toBe('repeat');
			expect(await deliver('[{"event":"b","id":9007199254740992}]')).toHaveLength(1);
			expect(await deliver('[{"event":"b","id":9007199254740993}]')).toHaveLength(1);
		}
	});

	it.each([
		[
			'a field that comes twice',
			'{"event":"a","id":1,"n":1,"n":2}',
			'{"event":"a","id":1,"n":3,"n":2}',
		],
		[
			'a number that is too large',
			'{"event":"a","id":1,"n":1e400}',
			'{"event":"a","id":1,"n":-1e400}',
		],
		['a number that is too small', '{"event":"a","id":1,"n":1e-400}', '{"event":"a","id":1,"n":0}'],
		[
			'a number with more digits than are kept',
			'{"event":"a","id":1,"n":0.30000000000000001}',
			'{"event":"a","id":1,"n":0.3}',
		],
		[
			'a number with thousands of digits',
			`{"event":"a","id":1,"n":1.${'0'.repeat(5000)}}`,
			`{"event":"a","id":1,"n":1.${'0'.repeat(4999)}1}`,
		],
		[
			'a number with a long exponent',
			`{"event":"a","id":1,"n":1e${'0'.repeat(40)}1}`,
			`{"event":"a","id":1,"n":1e${'0'.repeat(40)}01}`,
		],
		[
			'a field that comes twice beside quotes and colons in a text',
			'{"event":"a","id":1,"n":"\\":\\\\","m":1,"m":2}',
			'{"event":"a","id":1,"n":"\\":\\\\","m":3,"m":2}',
		],
	])('repeats are not made of two bodies that JSON reads alike: %s', async (_, one, other) => {
		const deliver = receiver();
		for (const raw of [one, other]) expect(await deliver(raw)).toEqual([1]);
		for (const raw of [one, other]) expect(await deliver(raw)).toBe('repeat');
	});

	it('recognizes an element that comes again with other spaces around its values', async () => {
		const deliver = receiver();
		expect(await deliver('[{"event":"a","id":1,"text":"b c"}, {"event":"a", "id":2}]')).toEqual([
			1, 2,
		]);
		expect(await deliver('{ "event": "a",\n\t"id": 1, "text": "b c" }')).toBe('repeat');
		expect(await deliver('{"event":"a","id":1,"text":"bc"}')).toEqual([1]);
	});

	it.each([
		'X-Acme-Delivery',
		'X-Event-ID',
		'ce-id',
		'ce-source',
		'Acme-Message-Uuid',
		'X-Notification-Guid',
		'X-Webhook-Delivery-Id',
		'X-Webhook-ID',
		'Idempotency-Key',
		'X-Idempotency-Key',
		'X-EventId',
		'X-Event_Id',
		'X-Event-Type',
		'X-EventType',
		'X-Action',
		'X-Webhook-Type',
	])(
		'repeats are not made of two deliveries with the same content if %s is another',
		async (name) => {
			const deliver = receiver();
			const door = { event: 'door.opened', id: 7 };
			const deliverWith = async (id: string) => await deliver(door, { [name.toLowerCase()]: id });
			expect(await deliverWith('1')).toEqual([7]);
			expect(await deliverWith('2')).toEqual([7]);
			expect(await deliverWith('2')).toBe('repeat');
		},
	);

	it('recognizes repeats although a proxy sends the headers in another order', async () => {
		const deliver = receiver();
		expect(await deliver(event, { 'x-event-id': '1', 'x-delivery-id': '2' })).toHaveLength(1);
		expect(await deliver(event, { 'x-delivery-id': '2', 'x-event-id': '1' })).toBe('repeat');
	});

	it('recognizes a repeat by its signed ID although a header that is not signed names another event', async () => {
		for (const eventHeader of ['', 'X-GitHub-Event']) {
			const claim = remembering();
			const rules = settings({
				authentication: hmac({ signedContent: '{id}.{body}', idHeader: 'X-Id' }),
				sources: { ...NO_SOURCES, idHeader: 'X-Id', eventHeader },
			});
			const deliver = async (name: string) => {
				const proof = { 'x-id': '1', 'x-signature': sign(SECRET, '1.{}') };
				const sent = delivery('{}', { ...proof, 'x-github-event': name });
				return (await receive(sent, rules, [SECRET], claim)).kind;
			};
			expect(await deliver('push')).toBe('passedOn');
			expect(await deliver('release')).toBe('repeat');
		}
	});

	describe('of signed deliveries', () => {
		const signedReceiver = (sources: object = {}, change: Parameters<typeof hmac>[0] = {}) => {
			const claim = remembering();
			const authentication = hmac(change);
			const rules = settings({ authentication, sources: { ...NO_SOURCES, ...sources } });
			const id = (headers: Record<string, string>) =>
				authentication.signedContent === '{body}' ? '' : `${headers['x-id'] ?? ''}.`;
			return async (value: unknown, headers: Record<string, string> = {}) => {
				const raw = JSON.stringify(value);
				const proof = { 'x-signature': sign(SECRET, `${id(headers)}${raw}`) };
				const sent = delivery(raw, { ...proof, ...headers });
				return (await receive(sent, rules, [SECRET], claim)).kind;
			};
		};

		it('swallows no genuine event after a recorded one is sent with its ID in headers', async () => {
			const deliver = signedReceiver();
			const headers = (id: string) => ({ 'ce-id': id, 'ce-source': '/s', 'ce-type': 't' });
			expect(await deliver({ n: 1 }, headers('1'))).toBe('passedOn');
			expect(await deliver({ n: 1 }, headers('2'))).toBe('passedOn');
			expect(await deliver({ n: 2 }, headers('2'))).toBe('passedOn');
			expect(await deliver({ n: 2 }, headers('2'))).toBe('repeat');
			expect(await deliver({ n: 2 }, { ...headers('2'), 'ce-source': '/t' })).toBe('passedOn');
		});

		it.each<[string, object, object]>([
			['at ID Path', { idPath: 'id' }, { event: 'a', id: 'e1' }],
			['at ID Path, without a name', { idPath: 'id' }, { id: 'e1' }],
			['of a CloudEvent', {}, { specversion: '1.0', type: 'a', id: '1', source: '/one' }],
			['at ID Path, in a list', { idPath: 'id' }, [{ id: 'e1' }]],
		])(
			'recognizes a repeat by its ID %s, whatever else its headers say',
			async (_, sources, value) => {
				const deliver = signedReceiver(sources);
				expect(await deliver(value)).toBe('passedOn');
				expect(await deliver(value)).toBe('repeat');
				for (const name of ['x-github-event', 'x-event-type', 'x-event-id', 'ce-type']) {
					expect(await deliver(value, { [name]: 'b' })).toBe('repeat');
				}
				expect(await deliver(value, { 'ce-id': '9', 'ce-source': '/x' })).toBe('repeat');
			},
		);

		it('swallows no second event with the ID that is only signed, such as that of a client', async () => {
			const deliver = signedReceiver({}, { signedContent: '{id}.{body}', idHeader: 'X-Id' });
			const headers = { 'x-id': 'client-7' };
			expect(await deliver({ event: 'a', id: 1 }, headers)).toBe('passedOn');
			expect(await deliver({ event: 'b', id: 2 }, headers)).toBe('passedOn');
			expect(await deliver({ event: 'b', id: 2 }, headers)).toBe('repeat');
			expect(await deliver({ event: 'c' }, headers)).toBe('passedOn');
			expect(await deliver({ event: 'c' }, headers)).toBe('repeat');
		});

		it('recognizes a repeat by the ID Header of the user, if that is not signed, with its content only', async () => {
			const change = { signedContent: '{id}.{body}', idHeader: 'X-Id' };
			const deliver = signedReceiver({ idHeader: 'X-Number' }, change);
			expect(await deliver({ n: 1 }, { 'x-id': 'a', 'x-number': '1' })).toBe('passedOn');
			expect(await deliver({ n: 1 }, { 'x-id': 'a', 'x-number': '1' })).toBe('repeat');
			// A recorded delivery, sent again with the ID of an event to come.
			expect(await deliver({ n: 1 }, { 'x-id': 'a', 'x-number': '2' })).toBe('passedOn');
			expect(await deliver({ n: 2 }, { 'x-id': 'b', 'x-number': '2' })).toBe('passedOn');
		});

		it.each<[string, object, object]>([
			['with other content', {}, { id: 'e1', n: 2 }],
			['named by the Event Header of the user', { eventHeader: 'X-What' }, { id: 'e1' }],
		])('swallows no event %s beside an ID at ID Path', async (_, sources, other) => {
			const deliver = signedReceiver({ idPath: 'id', ...sources });
			expect(await deliver({ id: 'e1' }, { 'x-what': 'visit.created' })).toBe('passedOn');
			expect(await deliver(other, { 'x-what': 'visit.deleted' })).toBe('passedOn');
			expect(await deliver(other, { 'x-what': 'visit.deleted' })).toBe('repeat');
		});
	});

	it('shows the ID Header of the user, and recognizes repeats by the signed one of Standard Webhooks', async () => {
		const claim = remembering();
		const key = Buffer.from('c2VjcmV0', 'base64');
		const time = String(RECEIVED_AT / 1000);
		const rules = (idHeader: string) =>
			settings({
				authentication: { kind: 'standardWebhooks', tolerance: 300 },
				sources: { ...NO_SOURCES, idHeader },
			});
		const deliver = async (id: string, own: string, idHeader = 'X-Id', raw = '{}') => {
			const headers = {
				'webhook-id': id,
				'webhook-timestamp': time,
				'webhook-signature': `v1,${sign(key, `${id}.${time}.${raw}`, 'base64')}`,
				'x-id': own,
			};
			const sent = delivery(raw, headers);
			return await receive(sent, rules(idHeader), ['whsec_c2VjcmV0'], claim);
		};
		expect(await deliver('msg_1', '1')).toMatchObject({ events: [{ id: '1' }] });
		expect(await deliver('msg_2', '1')).toMatchObject({ events: [{ id: '1' }] });
		expect(await deliver('msg_2', '2')).toMatchObject({ kind: 'repeat' });
		expect(await deliver('msg_3', '', '')).toMatchObject({ events: [{ id: 'msg_3' }] });
		expect(await deliver('msg_3', '', '', '{"attempt":2}')).toMatchObject({ kind: 'repeat' });
	});

	it.each([
		'X-Retry-Delivery',
		'X-Redelivery',
		'X-Is-Redelivered-Event',
		'X-Attempt-Sequence',
		'X-Retry-Event-Id',
		'X-Resend-Action',
	])('recognizes a repeat although %s counts the attempts', async (name) => {
		for (const value of [event, [event]]) {
			const deliver = receiver();
			const attempt = async (count: string) =>
				await deliver(value, { [name.toLowerCase()]: count });
			expect(await attempt('1')).toEqual(['evt-000001']);
			expect(await attempt('2')).toBe('repeat');
		}
	});

	it('tells repeats by a header whose name only sounds like an attempt', async () => {
		const deliver = receiver();
		const deliverFor = async (id: string) => await deliver(event, { 'x-present-event-id': id });
		expect(await deliverFor('1')).toHaveLength(1);
		expect(await deliverFor('2')).toHaveLength(1);
		expect(await deliverFor('2')).toBe('repeat');
	});

	it.each([
		['attempt', 1, 2],
		['attempts', '1', '2'],
		['attemptNumber', 0, 1],
		['delivery_attempts', 1, 2],
		['AttemptCount', 1, 2],
		['webhook-attempt-no', 1, 2],
		['retry', false, true],
		['retryCount', 0, 1],
		['retry_num', 0, 1],
		['numberOfRetries', 0, 1],
		['countOfRetries', 0, 1],
		['noOfAttempts', 0, 1],
		['num_of_attempts', 0, 1],
		['attemptCounter', 0, 1],
		['isRetry', 'false', 'true'],
		['redelivery', false, true],
		['redelivered', false, true],
		['isResend', 'no', 'yes'],
	])('recognizes a repeat although %s in the body counts the attempts', async (field, one, two) => {
		const named = { eventId: 7, event: 'a', n: 1 };
		const wrapped = { type: 'notification', id: 7, data: { item: { id: 8 } } };
		for (const around of [named, wrapped]) {
			for (const beside of [[], [{ event: 'b', id: 9 }]]) {
				const deliver = receiver();
				const attempt = async (fields: object) =>
					await deliver([{ ...around, ...fields }, ...beside]);
				expect(await attempt({ [field]: one })).toContain(7);
				expect(await attempt({ [field]: two })).toBe('repeat');
				expect(await attempt({})).toBe('repeat');
				expect(await attempt({ [field]: two, m: 1 })).toContain(7);
			}
		}
	});

	it.each([
		['a slash as PHP writes it', '"https:\\/\\/example.test"'],
		['a letter as Python writes it', '"M\\u00fcller"'],
		['a plus sign as .NET writes it', '"\\u002B1"'],
		['quotes and colons in a text', '"a \\"b: c\\\\"'],
		['a letter that ASCII has not', '"Müller"'],
		['a number with a fraction of zeros', '[10.0,0.0,-1.50,100]'],
		['a number with an exponent', '[1.5E+3,1e21,1E-7,2.50e0,-0.1e1,0e5,12345678901234567000]'],
		['fields called by numbers', '{"2":{"1":1},"1":{}}'],
	])('recognizes a repeat that counts the attempts although its body has %s', async (_, value) => {
		const first = `{"event":"a","eventId":7,"n":${value},"attempt":1}`;
		const deliver = receiver();
		expect(await deliver(first)).toEqual([7]);
		expect(await deliver(first.replace('"attempt":1', '"attempt":2'))).toBe('repeat');
		expect(await deliver(`[${first},{"event":"a","eventId":8}]`)).toEqual([8]);
		expect(await deliver(`{"event":"a","eventId":7,"n":[${value}]}`)).toEqual([7]);
	});

	it('repeats are not made of two deliveries in UTF-16 whose numbers JSON rounds to the same', async () => {
		const claim = remembering();
		const kindOf = async (n: string) => {
			const utf16 = Buffer.from(`\ufeff{"event":"a","id":1,"n":${n}}`, 'utf16le');
			return (await receive(delivery(utf16), settings(), [], claim)).kind;
		};
		expect(await kindOf('9007199254740992')).toBe('passedOn');
		expect(await kindOf('9007199254740993')).toBe('passedOn');
		expect(await kindOf('9007199254740993')).toBe('repeat');
	});

	it('repeats are not made of two bodies with other bytes that are not UTF-8', async () => {
		const claim = remembering();
		const kindOf = async (byte: number) => {
			const parts = [Buffer.from('{"event":"a","id":1,"n":"'), Buffer.from([byte])];
			const raw = Buffer.concat([...parts, Buffer.from('"}')]);
			return (await receive(delivery(raw), settings(), [], claim)).kind;
		};
		expect(await kindOf(0xe4)).toBe('passedOn');
		expect(await kindOf(0xf6)).toBe('passedOn');
		expect(await kindOf(0xf6)).toBe('repeat');
	});

	it.each<[string, (attempt: number) => object]>([
		['of what the event is about', (attempt) => ({ event: 'login.failed', id: 7, attempt })],
		['in its record', (attempt) => ({ eventId: 7, data: { attempt } })],
		['of another kind', (loginAttempts) => ({ eventId: 7, loginAttempts })],
		['of what is left', (attemptsLeft) => ({ eventId: 7, attemptsLeft })],
		['that is no retry', (present) => ({ eventId: 7, present })],
		['with a name that only sounds so', (country) => ({ eventId: 7, country })],
		['with a text', (n) => ({ eventId: 7, attempt: `by door ${n}` })],
		['with a time', (n) => ({ eventId: 7, retry: `2026-01-3${n}` })],
		['with a record', (n) => ({ eventId: 7, attempt: { n } })],
		['with a list', (n) => ({ eventId: 7, attempt: [n] })],
	])('repeats are not made of two events that differ by a counter %s', async (_, event) => {
		const deliver = receiver();
		expect(await deliver(event(0))).toEqual([7]);
		expect(await deliver(event(1))).toEqual([7]);
		expect(await deliver(event(1))).toBe('repeat');
	});

	it('recognizes a repeat by ID Path without a name although the body counts the attempts', async () => {
		const deliver = receiver({ sources: { ...NO_SOURCES, idPath: 'uid' } });
		expect(await deliver({ uid: 7, attempt: 1, data: { n: 1 } })).toEqual([7]);
		expect(await deliver({ uid: 7, attempt: 2, data: { n: 1 } })).toBe('repeat');
		expect(await deliver({ uid: 7, attempt: 2, data: { n: 2 } })).toEqual([7]);
	});

	it.each([
		['X-Retry-Delivery', '0'],
		['X-Redelivery', 'no'],
		['X-Test-Delivery', 'false'],
		['X-First-Delivery', 'True'],
	])('repeats are not recognized by %s: %s, which cannot be an ID', async (name, value) => {
		const deliver = receiver();
		const headers = { [name.toLowerCase()]: value };
		expect(await deliver({ event: 'door.opened' }, headers)).toEqual([null]);
		expect(await deliver({ event: 'door.opened' }, headers)).toEqual([null]);
	});

	it.each(['X-Timestamp', 'X-Signature-Time', 'X-Delivery-Number', 'X-Request-Date'])(
		'recognizes a repeat although %s is that of the request',
		async (name) => {
			const deliver = receiver();
			expect(await deliver(event, { [name.toLowerCase()]: '1' })).toHaveLength(1);
			expect(await deliver(event, { [name.toLowerCase()]: '2' })).toBe('repeat');
		},
	);

	it('recognizes repeats although a proxy adds another ID to each request', async () => {
		const deliver = receiver();
		expect(await deliver(event, { 'x-request-id': '1' })).toHaveLength(1);
		expect(await deliver(event, { 'x-request-id': '2' })).toBe('repeat');
	});

	it('repeats are not made of two deliveries with the same content and another query', async () => {
		const claim = remembering();
		const deliver = async (door: string) =>
			(await receive(delivery(body, {}, { query: { door } }), settings(), [], claim)).kind;
		expect(await deliver('1')).toBe('passedOn');
		expect(await deliver('2')).toBe('passedOn');
		expect(await deliver('2')).toBe('repeat');
	});

	it('passes on repeats if nothing tells one from another', async () => {
		const deliver = receiver();
		expect(await deliver({ event: 'a' })).toEqual([null]);
		expect(await deliver({ event: 'a' })).toEqual([null]);
	});

	it.each<[string, unknown]>([
		['id', { id: 7 }],
		['uuid', { uuid: 'tr_1' }],
		['a list', [{ id: 7 }]],
	])(
		'passes on each event that says no more than which record it is about: %s',
		async (_, value) => {
			const deliver = receiver();
			expect(await deliver(value)).toHaveLength(1);
			expect(await deliver(value)).toHaveLength(1);
		},
	);

	it.each<[string, object, object]>([
		['its name', { event: 'visit.created', id: 7 }, {}],
		['its name in a header', { id: 7 }, { 'x-event-type': 'visit.created' }],
		['another ID in a header', { id: 7 }, { 'x-event-id': 'e-1' }],
		['an ID of the event', { eventId: 7 }, {}],
		['a field', { id: 7, status: 'in' }, {}],
	])(
		'recognizes a repeat that says which record it is about, and %s',
		async (_, value, headers) => {
			const deliver = receiver();
			expect(await deliver(value, headers)).toHaveLength(1);
			expect(await deliver(value, headers)).toBe('repeat');
		},
	);

	it('repeats are not made of two events with one ID at ID Path that the body names otherwise', async () => {
		const deliver = receiver(idPath);
		expect(await deliver({ event: 'visit.created', id: 7 })).toEqual([7]);
		expect(await deliver({ event: 'visit.ended', id: 7 })).toEqual([7]);
		expect(await deliver({ event: 'visit.ended', id: 7, attempt: 2 })).toBe('repeat');
	});

	it.each<[string, (name: string) => object]>([
		['action', (action) => ({ type: 'visit', action })],
		['topic', (topic) => ({ type: 'notification', topic })],
		['a second name', (type) => ({ event: 'user', type })],
		['a number beside a type', (name) => ({ type: 'door', eventType: name.length })],
	])('repeats are not made of two events of one record that differ by %s', async (_, fields) => {
		const deliver = receiver(idPath);
		expect(await deliver({ ...fields('created'), id: 7 })).toEqual([7]);
		expect(await deliver({ ...fields('ended'), id: 7 })).toEqual([7]);
		expect(await deliver({ attempt: 2, id: 7, ...fields('ended') })).toBe('repeat');
		expect(await deliver([{ ...fields('updated?'), id: 7 }])).toEqual([7]);
	});

	it('repeats are not made of two events of one record that differ by the action around their list', async () => {
		const deliver = receiver({ sources: { ...NO_SOURCES, idPath: 'id', itemsPath: 'visits' } });
		const batch = (action: string) => ({ action, visits: [{ id: 7 }] });
		expect(await deliver(batch('created'))).toEqual([7]);
		expect(await deliver(batch('deleted'))).toEqual([7]);
		expect(await deliver({ ...batch('deleted'), attempt: 2 })).toBe('repeat');
	});

	it('repeats are not made of two elements without an ID by that at ID Path around their list', async () => {
		const deliver = receiver({ sources: { ...NO_SOURCES, itemsPath: 'visits', idPath: 'id' } });
		const batch = (status: string) => ({
			id: 'site-1',
			visits: [
				{ event: 'visit.updated', id: `v-${status}` },
				{ event: 'visit.updated', status },
			],
		});
		expect(await deliver(batch('in'))).toEqual(['v-in', 'site-1']);
		expect(await deliver(batch('out'))).toEqual(['v-out', 'site-1']);
		expect(await deliver(batch('out'))).toBe('repeat');
	});

	it('recognizes repeats in a large batch without a look at all that stands beside it for each element', async () => {
		const entries = jest.spyOn(Object, 'entries');
		const beside = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`action${i}`, 'a']));
		const events = Array.from({ length: 500 }, (_, id) => ({ event: 'a', id }));
		const deliver = receiver({ sources: { ...NO_SOURCES, idPath: 'id', itemsPath: 'events' } });
		expect(await deliver({ ...beside, events })).toHaveLength(500);
		const looked = entries.mock.calls.filter(([value]) => 'action1' in value).length;
		entries.mockRestore();
		expect(looked).toBeGreaterThan(0);
		expect(looked).toBeLessThan(10);
	});

	it('recognizes a repeat by ID Path although it came in a list, and then alone', async () => {
		const deliver = receiver(idPath);
		expect(await deliver([{ event: 'visit.created', action: 'a', id: 7 }])).toEqual([7]);
		expect(await deliver({ event: 'visit.created', action: 'a', id: 7, n: 1 })).toBe('repeat');
	});

	it('recognizes a repeat by ID Path and Event Path, whatever else in the body changed', async () => {
		const deliver = receiver({ sources: { ...NO_SOURCES, idPath: 'id', eventPath: 'type' } });
		expect(await deliver({ type: 'visit.created', id: 7, action: 'deliver' })).toEqual([7]);
		expect(await deliver({ type: 'visit.created', id: 7, action: 'again' })).toBe('repeat');
	});

	it('recognizes a repeat by ID Path and a name in a header, whatever else changed', async () => {
		for (const sources of [{ idPath: 'id' }, { idPath: 'id', eventHeader: 'X-Event-Type' }]) {
			const deliver = receiver({ sources: { ...NO_SOURCES, ...sources } });
			const headers = { 'x-event-type': 'visit.created' };
			expect(await deliver({ id: 7, attempt: 1 }, headers)).toEqual([7]);
			expect(await deliver({ id: 7, attempt: 2 }, headers)).toBe('repeat');
		}
	});

	it('recognizes a repeat by Event Header, whatever stands in other headers', async () => {
		const deliver = receiver({
			sources: { ...NO_SOURCES, idPath: 'id', eventHeader: 'X-What' },
		});
		const deliverAs = async (what: string, topic: string) =>
			await deliver({ id: 7, n: topic }, { 'x-what': what, 'x-event-topic': topic });
		expect(await deliverAs('in', '1')).toEqual([7]);
		expect(await deliverAs('in', '2')).toBe('repeat');
		expect(await deliverAs('out', '2')).toEqual([7]);
	});

	it('recognizes a repeat of a body without an ID by a guessed one in a header', async () => {
		const deliver = receiver();
		const headers = { 'x-event-id': '7' };
		expect(await deliver({ door: 3 }, headers)).toEqual(['7']);
		expect(await deliver({ door: 3 }, headers)).toBe('repeat');
	});

	it('repeats are not made of two bodies without an ID that differ by a counter', async () => {
		const deliver = receiver();
		const headers = { 'x-event-id': '7' };
		expect(await deliver({ door: 3, attempt: 1 }, headers)).toEqual(['7']);
		expect(await deliver({ door: 3, attempt: 2 }, headers)).toEqual(['7']);
	});

	it('repeats are not made of two elements that are alike but for an ID around them', async () => {
		const deliver = receiver({ sources: { ...NO_SOURCES, itemsPath: 'events' } });
		const batch = (eventId: string) => ({ eventId, events: [{ event: 'door.opened', id: 7 }] });
		expect(await deliver(batch('1'))).toEqual([7]);
		expect(await deliver(batch('2'))).toEqual([7]);
		expect(await deliver(batch('2'))).toBe('repeat');
	});

	it('repeats are remembered by keys of one length, however much tells them', async () => {
		const keys: string[] = [];
		const claim = (key: string): Claim => {
			keys.push(key);
			return 'first';
		};
		const sent = [
			{ id: 1, n: 1 },
			{ event: 'a', id: 'x'.repeat(500), eventId: 'y'.repeat(500) },
		];
		for (const change of [{}, idPath]) {
			await receive(delivery(JSON.stringify(sent)), settings(change), [], claim);
		}
		expect(keys.map((key) => key.length)).toEqual([43, 43, 43, 43]);
		expect(new Set(keys).size).toBe(4);
	});

	it('repeats are not made by the elements of one batch', async () => {
		const deliver = receiver();
		const batch = { event: 'user.updated', eventId: 'evt-9', data: [{ a: 1 }, { a: 1 }] };
		expect(await deliver(batch)).toEqual(['evt-9', 'evt-9']);
		expect(await deliver(batch)).toBe('repeat');
	});

	it.each<[string, object[], object]>([
		[
			'with the same content',
			[
				{ event: 'door.opened', id: 7 },
				{ event: 'door.opened', id: 7 },
			],
			{},
		],
		[
			'with one ID at ID Path',
			[
				{ id: 1, n: 1 },
				{ id: 1, n: 2 },
			],
			idPath,
		],
	])('swallows no element of a batch %s, and knows the batch again', async (_, batch, change) => {
		const deliver = receiver(change);
		expect(await deliver(batch)).toHaveLength(2);
		expect(await deliver(batch)).toBe('repeat');
		expect(await deliver(batch.slice(0, 1))).toBe('repeat');
		expect(await deliver([...batch, ...batch.slice(0, 1)])).toHaveLength(1);
	});

	it('leaves repeats out of a batch one by one, and that is said', async () => {
		const claim = remembering();
		const one = (id: string) => ({ event: 'a', eventId: id });
		const deliver = async (raw: unknown) =>
			await receive(delivery(JSON.stringify(raw)), settings(), [], claim);
		await deliver(one('1'));
		expect(await deliver([one('2'), one('1'), one('2'), one('3')])).toMatchObject({
			events: [{ id: '2' }, { id: '2' }, { id: '3' }],
			leftOut: ['the event with the ID "1" was received before, and Ignore Repeats is on'],
		});
	});

	it('recognizes repeats by every ID that may be meant, if none of them is sure', async () => {
		const deliver = receiver();
		const order = { id: 99, status: 'open' };
		expect(await deliver(order, { 'x-shopify-webhook-id': 'w-1' })).toEqual([99]);
		expect(await deliver(order, { 'x-shopify-webhook-id': 'w-1' })).toBe('repeat');
		expect(await deliver(order, { 'x-shopify-webhook-id': 'w-2' })).toEqual([99]);
	});

	it('repeats are not made of two events of one record that list the same', async () => {
		const deliver = receiver();
		const changed = (event: string) => ({ event, id: 7, items: [{ badge: 1 }] });
		expect(await deliver(changed('badges.issued'))).toEqual([7]);
		expect(await deliver(changed('badges.returned'))).toEqual([7]);
		expect(await deliver(changed('badges.returned'))).toBe('repeat');
	});

	it.each([
		['the type of a record in the body', { type: 'visit', id: 7 }, {}],
		['a name in the body', { event: 'visit', id: 7 }, {}],
		['another name in a header', { id: 7 }, { 'ce-type': 'a' }],
	])('tells repeats from another event by a header beside %s', async (_, value, headers) => {
		const deliver = receiver();
		const deliverAs = async (name: string) =>
			await deliver(value, { ...headers, 'x-event-type': name });
		expect(await deliverAs('visit.created')).toEqual([7]);
		expect(await deliverAs('visit.deleted')).toEqual([7]);
		expect(await deliverAs('visit.deleted')).toBe('repeat');
	});

	it.each([
		'X-Event-ID',
		'X-Event_Id',
		'X-Hookdeck-EventID',
		'X-Delivery-ID',
		'X-Message-ID',
		'X-Notification-ID',
		'Idempotency-Key',
		'X-Idempotency-Key',
		'X-GitHub-Delivery',
		'X-Request-UUID',
		'X-Shopify-Webhook-Id',
		'Twitch-Eventsub-Message-Id',
	])(
		'recognizes repeats by %s together with the content, if there is no other ID',
		async (name) => {
			const deliver = receiver();
			const deliverWith = async (id: string, n = 1) =>
				await deliver({ event: 'door.opened', n }, { [name.toLowerCase()]: id });
			expect(await deliverWith('1')).toEqual(['1']);
			expect(await deliverWith('1')).toBe('repeat');
			expect(await deliverWith('1', 2)).toEqual(['1']);
			expect(await deliverWith('2')).toEqual(['2']);
		},
	);

	it.each(['Webhook-Id', 'X-Acme-Webhook-Id', 'X-Gitlab-Webhook-UUID', 'X-Request-ID'])(
		'recognizes no repeat by %s alone, which may be the same in all deliveries',
		async (name) => {
			const deliver = receiver();
			const headers = { [name.toLowerCase()]: 'sub-5' };
			expect(await deliver({ event: 'door.opened' }, headers)).toEqual([null]);
			expect(await deliver({ event: 'door.opened' }, headers)).toEqual([null]);
		},
	);

	it.each(['webhook', 'svix'])('recognizes repeats by the %s-id header', async (family) => {
		const deliver = receiver();
		const beside = { [`${family}-timestamp`]: '1', [`${family}-signature`]: 'v1,a' };
		const deliverWith = async (id: string) =>
			await deliver({ event: 'a' }, { ...beside, [`${family}-id`]: id });
		expect(await deliverWith('msg_1')).toEqual(['msg_1']);
		expect(await deliverWith('msg_1')).toBe('repeat');
		expect(await deliverWith('msg_2')).toEqual(['msg_2']);
	});

	it('remembers repeats of what is passed on, and of nothing else', async () => {
		const claim = remembering();
		const rules = settings({ events: ['b'] });
		const deliver = async (name: string) =>
			(await receive(delivery(JSON.stringify({ event: name, eventId: '1' })), rules, [], claim))
				.kind;
		expect(await deliver('a')).toBe('notSelected');
		expect(await deliver('b')).toBe('passedOn');
	});

	it('answers 503 while it is undecided whether a delivery is a repeat', async () => {
		const outcome = await receive(delivery(body), settings(), [], () => 'undecided');
		expect(outcome).toMatchObject({ kind: 'undecided', statusCode: 503 });
	});

	it('answers 503 while it is undecided of any element of a batch', async () => {
		const raw = JSON.stringify([1, 2, 3].map((id) => ({ event: 'a', id })));
		for (const undecided of [0, 1, 2]) {
			let asked = 0;
			const claim = (): Claim => (asked++ === undecided ? 'undecided' : 'first');
			const outcome = await receive(delivery(raw), settings(), [], claim);
			expect(outcome).toMatchObject({ kind: 'undecided', statusCode: 503 });
		}
	});
});

it('no delivery is taken for a repeat unless each of its events came before, under the same headers', async () => {
	const value = fc.letrec((tie) => ({
		any: fc.oneof(
			{ maxDepth: 3 },
			fc.constantFrom('a', 'b', 'A', '', 1, true, null),
			fc.array(tie('any'), { maxLength: 3 }),
			fc.dictionary(
				fc.constantFrom('event', 'type', 'id', 'eventId', 'messageId', 'items', 'data', 'action'),
				tie('any'),
				{ maxKeys: 4 },
			),
		),
	})).any;
	const sendable = fc.record({
		value,
		headers: fc.dictionary(
			// Together with a source, the ID of a CloudEvent is sure.
			fc.constantFrom('x-event-id', 'x-delivery', 'x-github-event', 'x-sequence', 'ce-id'),
			fc.constantFrom('a', 'b'),
			{ maxKeys: 2 },
		),
	});
	await fc.assert(
		fc.asyncProperty(sendable, sendable, async (one, other) => {
			const claim = remembering();
			const outcome = async ({ value, headers }: typeof one, claimed?: typeof claim) =>
				await receive(delivery(JSON.stringify(value), headers), settings(), [], claimed);
			const bodies = async (sent: typeof one) => {
				const { kind, ...rest } = await outcome(sent);
				const events = kind === 'passedOn' && 'events' in rest ? rest.events : [];
				return events.map(({ body }) => JSON.stringify(body));
			};
			await outcome(one, claim);
			if ((await outcome(other, claim)).kind !== 'repeat') return;
			expect(await bodies(one)).toEqual(expect.arrayContaining(await bodies(other)));
			expect(Object.entries(one.headers).sort()).toEqual(Object.entries(other.headers).sort());
		}),
		{ numRuns: 1000 },
	);
});
