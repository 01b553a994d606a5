import type {
	Delivery,
	HeaderFields,
} from '../../../../../nodes/VisitorService/webhook/delivery/request';
import type { EventSources } from '../../../../../nodes/VisitorService/webhook/eventFields';
import {
	type DeliveryOutcome,
	receiveDelivery,
	refuseAtOnce,
	type TriggerSettings,
} from '../../../../../nodes/VisitorService/webhook/receive';
import type { Claim } from '../../../../../nodes/VisitorService/webhook/triggerMemory';
import { delivery, hmac, NO_SOURCES, RECEIVED_AT, settings, sign } from './deliveries';

const SECRET = 'synthetic-secret';
const event = { event: 'visit.created', id: 'evt-000001', data: { id: 1 } };
const body = JSON.stringify(event);
const signed = (raw: string) =>
	delivery(raw, { 'x-signature': sign(SECRET, raw), authorization: 'Bearer x' });

function remembering() {
	const seen = new Set<string>();
	return (key: string): Claim => {
		if (seen.has(key)) return 'repeat';
		seen.add(key);
		return 'first';
	};
}

/** As the trigger asks: first what needs neither body nor secret. */
async function receive(
	sent: Delivery,
	rules: TriggerSettings,
	secrets: readonly string[] = [],
	claim?: (key: string) => Claim,
): Promise<DeliveryOutcome> {
	const refusal = refuseAtOnce(sent, rules);
	return refusal ?? (await receiveDelivery(sent, rules, () => Promise.resolve(secrets), claim));
}

describe('a delivery', () => {
	it('passes on a genuine delivery', async () => {
		const sent = { ...signed(body), query: { tenant: 'a' } };
		expect(await receive(sent, settings({ authentication: hmac() }), [SECRET])).toEqual({
			kind: 'passedOn',
			events: [
				{
					event: 'visit.created',
					id: 'evt-000001',
					receivedAt: new Date(RECEIVED_AT).toISOString(),
					body: event,
					headers: { 'x-signature': sign(SECRET, body), authorization: '[redacted]' },
					query: { tenant: 'a' },
				},
			],
			leftOut: [],
		});
	});

	it.each(['X-Event-Key', 'X-GitHub-Event', 'X-GitHub-Delivery', 'X-Topic'])(
		'takes the secret for no name and no ID, if the header that carries it looks like one: %s',
		async (headerName) => {
			const sent = delivery('{}', { [headerName.toLowerCase()]: SECRET });
			const authentication = { kind: 'header', headerName } as const;
			for (const sources of [
				NO_SOURCES,
				{ ...NO_SOURCES, eventHeader: headerName, idHeader: headerName },
			]) {
				const outcome = await receive(sent, settings({ authentication, sources }), [SECRET]);
				expect(outcome).toMatchObject({ events: [{ event: null, id: null }] });
				expect(JSON.stringify(outcome)).not.toContain(SECRET);
			}
		},
	);

	it('passes on a delivery with an empty body and finds no event in it', async () => {
		expect(await receive(delivery(''), settings())).toMatchObject({
			kind: 'passedOn',
			events: [{ event: null, id: null, body: null }],
		});
	});

	it.each([
		['a forged body', { ...signed(body), rawBody: Buffer.from(`${body} `) }],
		['no signature', delivery(body)],
	])('answers 401 without details to a delivery with %s', async (_, forged) => {
		const outcome = await receive(forged, settings({ authentication: hmac() }), [SECRET]);
		expect(outcome).toMatchObject({ kind: 'refused', statusCode: 401, message: 'Unauthorized' });
	});

	it('answers 403 to an IP address that is not allowed, before it checks anything else', async () => {
		const rules = settings({ authentication: hmac(), ipAllowlist: ['198.51.100.0/24'] });
		expect(await receive(delivery('x'), rules, [SECRET])).toMatchObject({
			kind: 'refused',
			statusCode: 403,
			message: 'Forbidden',
		});
		const from = async (ipAddress: string | undefined) =>
			(await receive({ ...signed(body), ipAddress }, rules, [SECRET])).kind;
		expect(await from('198.51.100.7')).toBe('passedOn');
		expect(await from('::ffff:198.51.100.7')).toBe('passedOn');
		expect(await from(undefined)).toBe('refused');
	});

	it.each([
		[{ 'content-encoding': 'br' }],
		[{ 'content-type': 'multipart/form-data; boundary=x' }],
		[{ 'content-type': 'application/json; charset=x-unknown' }],
	])('answers 415 to content that cannot be read: %j', async (headers) => {
		expect(await receive(delivery(body, headers), settings())).toMatchObject({
			kind: 'refused',
			statusCode: 415,
		});
	});

	it('a delivery is not looked into before it is verified', async () => {
		const forged = delivery(body, {
			'content-type': 'application/json; charset=x-unknown',
			'x-signature': sign('other', body),
		});
		const rules = settings({ authentication: hmac() });
		expect(await receive(forged, rules, [SECRET])).toMatchObject({ statusCode: 401 });
	});

	it('answers 405 to any method other than POST', async () => {
		expect(await receive({ ...delivery(''), method: 'GET' }, settings())).toMatchObject({
			kind: 'refused',
			statusCode: 405,
		});
	});

	it.each([
		['of a stranger', { ipAllowlist: ['198.51.100.0/24'] }],
		['without a signature', { authentication: hmac() }],
		['without a secret in the header', { authentication: { kind: 'header', headerName: 'X-T' } }],
		['without a signature', { authentication: { kind: 'standardWebhooks', tolerance: 300 } }],
	] as const)('%s costs no reading of the secret (%j)', (_, change) => {
		expect(refuseAtOnce(delivery(body), settings(change))).toMatchObject({ kind: 'refused' });
	});

	it('answers 413 to a batch that is too large to hold', async () => {
		const batch = (size: number) => JSON.stringify(new Array(size).fill({ event: 'a' }));
		const outcome = async (size: number) => await receive(delivery(batch(size)), settings());
		expect(await outcome(10_000)).toMatchObject({ kind: 'passedOn' });
		expect(await outcome(10_001)).toMatchObject({ kind: 'refused', statusCode: 413 });
	});

	it('refuses a batch that is too large without a look at its elements', async () => {
		const elements: unknown[] = new Array(10_001).fill(0);
		const looked = jest.spyOn(Object, 'hasOwn');
		const before = looked.mock.calls.length;
		const outcome = await receive(delivery(JSON.stringify(elements)), settings());
		expect(outcome.kind).toBe('refused');
		expect(looked.mock.calls.length - before).toBeLessThan(100);
		looked.mockRestore();
	});
});

describe('the selection of events', () => {
	const select = async (raw: unknown, events: string[], headers = {}) =>
		await receive(delivery(JSON.stringify(raw), headers), settings({ events }));

	it('passes on what is selected', async () => {
		expect(await select(event, ['visit.ended', 'visit.created'])).toMatchObject({
			kind: 'passedOn',
		});
	});

	it.each([
		{ event: 'visit.ended' },
		{ event: 'VISIT.CREATED' },
		{ event: 'visit.created.x' },
		{},
		[],
		'text',
		null,
	])('leaves %j out', async (raw) => {
		expect(await select(raw, ['visit.created'])).toMatchObject({
			kind: 'notSelected',
			statusCode: 200,
			message: 'Event not selected',
		});
	});

	it.each([
		['X-GitHub-Event', 'push'],
		['X-Gitlab-Event', 'Push Hook'],
		['X-Shopify-Topic', 'orders/create'],
		['X-Event-Key', 'repo:push'],
		['ce-type', 'visit.created'],
		['X-Event-Type', 'visit.created'],
		['X-EventType', 'visit.created'],
		['X_Event_Type', 'visit.created'],
		['X-Action', 'visit.created'],
		['X-Webhook-Type', 'visit.created'],
	])('finds the name in %s', async (name, value) => {
		const headers = { [name.toLowerCase()]: value };
		expect(await select({ action: 'opened' }, [value], headers)).toMatchObject({
			kind: 'passedOn',
			events: [{ event: value }],
		});
		expect(await select({ action: 'opened' }, ['other'], headers)).toMatchObject({
			kind: 'notSelected',
		});
	});

	describe('by a header that is not signed', () => {
		const spec = Buffer.from('c2VjcmV0', 'base64');
		const inScheme = {
			hmac: [hmac(), (raw: string) => ({ 'x-signature': sign(SECRET, raw) }), SECRET],
			standardWebhooks: [
				{ kind: 'standardWebhooks', tolerance: 300 },
				(raw: string) => ({
					'webhook-id': 'msg_1',
					'webhook-timestamp': String(RECEIVED_AT / 1000),
					'webhook-signature': `v1,${sign(spec, `msg_1.${RECEIVED_AT / 1000}.${raw}`, 'base64')}`,
				}),
				'whsec_c2VjcmV0',
			],
		} as const;
		const deliver = async (
			scheme: keyof typeof inScheme,
			value: unknown,
			headers: object,
			change: Partial<TriggerSettings> = { events: ['visit.created'] },
		) => {
			const [authentication, proof, secret] = inScheme[scheme];
			const raw = JSON.stringify(value);
			const sent = delivery(raw, { ...proof(raw), ...headers });
			return await receive(sent, settings({ authentication, ...change }), [secret]);
		};

		it.each<[keyof typeof inScheme, string, unknown]>([
			['hmac', 'x-github-event', { event: 'visit.ended', id: 'evt-2' }],
			['hmac', 'x-event-type', { event: 'visit.ended', id: 'evt-2' }],
			['hmac', 'ce-type', [{ eventType: 'visit.ended', id: 'evt-2' }]],
			['hmac', 'ce-type', { event: 'visit.ended', data: [{ id: 1 }] }],
			['hmac', 'ce-type', { specversion: '1.0', type: 'visit.ended', id: '1', source: '/a' }],
			['standardWebhooks', 'ce-type', { type: 'visit.ended', data: { id: 1 } }],
			['standardWebhooks', 'x-event-type', { type: 'visit.ended', data: { id: 1 } }],
			['standardWebhooks', 'ce-type', [{ type: 'visit.ended' }]],
		])(
			'%s: an event is not selected by %s beside its signed name in %j',
			async (scheme, name, value) => {
				const headers = { [name]: 'visit.created' };
				expect((await deliver(scheme, value, headers)).kind).toBe('notSelected');
				expect(await deliver(scheme, value, headers, {})).toMatchObject({
					events: [{ event: 'visit.ended' }],
				});
			},
		);

		it.each<[keyof typeof inScheme, string, unknown]>([
			['hmac', 'x-github-event', { action: 'opened' }],
			['hmac', 'x-github-event', { type: 'visit', id: 7 }],
			['hmac', 'x-event-type', { type: 'visit', id: 7 }],
			['standardWebhooks', 'ce-type', { id: 7 }],
		])(
			'%s: an event is selected by %s if its body has no sure name: %j',
			async (scheme, name, value) => {
				const outcome = await deliver(scheme, value, { [name]: 'visit.created' });
				expect(outcome.kind).toBe('passedOn');
			},
		);

		it('an event that X-GitHub-Event names is not selected by another text in its body', async () => {
			const change = { events: ['push'] };
			const headers = { 'x-github-event': 'release' };
			const outcome = await deliver('hmac', { label: 'push' }, headers, change);
			expect(outcome.kind).toBe('notSelected');
		});

		it('an event is selected by the header that the user named all the same', async () => {
			const change = {
				events: ['visit.created'],
				sources: { ...NO_SOURCES, eventHeader: 'X-What' },
			};
			const outcome = await deliver('hmac', { event: 'a' }, { 'x-what': 'visit.created' }, change);
			expect(outcome).toMatchObject({ events: [{ event: 'visit.created' }] });
		});

		it('an event is selected by a header that is signed before its name in the body', async () => {
			const authentication = hmac({ signedContent: '{header.X-GitHub-Event}.{body}' });
			const headers = {
				'x-github-event': 'visit.created',
				'x-signature': sign(SECRET, 'visit.created.{"event":"a"}'),
			};
			const rules = settings({ authentication, events: ['visit.created'] });
			expect(await receive(delivery('{"event":"a"}', headers), rules, [SECRET])).toMatchObject({
				events: [{ event: 'visit.created' }],
			});
		});
	});

	it('selects among the elements of a batch, and says what it left out', async () => {
		const outcome = await select([event, { event: 'visit.ended' }, {}, event], ['visit.created']);
		expect(outcome).toMatchObject({
			events: [{ body: event }, { body: event }],
			leftOut: ['the event "visit.ended" is not among Events'],
		});
	});

	it('names some of the events it left out of a batch', async () => {
		const others = ['a', 'b', 'a', 'c', 'd'].map((name) => ({ event: name }));
		const leftOut = ['events such as "a", "b", "c" are not among Events'];
		expect(await select([event, ...others], ['visit.created'])).toMatchObject({ leftOut });
	});

	it('finds a selected event in a list that is kept whole', async () => {
		const raw = { tenant: 'a', events: [{ event: 'visit.ended' }, { event: 'visit.created' }] };
		expect(await select(raw, ['visit.created'])).toMatchObject({
			kind: 'passedOn',
			events: [{ body: raw }],
		});
		expect(await select(raw, ['other'])).toMatchObject({ kind: 'notSelected' });
	});

	it.each<[string, object]>([
		['data', { eventType: 'com.okta.event_hook', data: { events: [{ eventType: 'a' }] } }],
		['payload', { type: 'batch', payload: { events: [{ n: 1 }, { type: 'a' }] } }],
		['records in each other', { event: 'b', data: { object: { items: [{ event: 'a' }] } } }],
		['an element', [{ event: 'b', data: { events: [{ type: 'a' }] } }]],
	])('finds a selected event in a list inside %s', async (_, raw) => {
		expect(await select(raw, ['a'])).toMatchObject({ kind: 'passedOn' });
		expect(await select(raw, ['other'])).toMatchObject({ kind: 'notSelected' });
	});

	const a = { eventType: 'a' };
	const record = { id: 7, host: 'Ada' };

	it.each<[string, unknown]>([
		['the lists of a name that says nothing', { type: 'batch', id: 1, notifications: [a] }],
		['a list beside a count', { '@odata.count': 1, event: 'changes', value: [{}, a] }],
		['one of two lists', { event: 'batch', added: [{ eventType: 'b' }], removed: [a] }],
		['a list of elements with a type', { type: 'batch', notifications: [{ type: 'a' }] }],
		[
			'a list of elements with a type and a content, beside a sure name',
			{ event: 'batch', messages: [{ type: 'a', data: {} }] },
		],
		['a list that is all of data', { event: 'batch', data: { notifications: [a] } }],
		[
			'a list of whole events beside a record',
			{ type: 'batch', account: record, notifications: [{ ...a, data: {} }] },
		],
		[
			'a list of whole events in a record',
			{ type: 'batch', data: { ...record, notifications: [{ ...a, payload: {} }] } },
		],
		['a list in an element', [{ type: 'batch', notifications: [a] }]],
		['a list in an event in a list', { event: 'x', events: [{ event: 'y', messages: [a] }] }],
		['a list in a list', { event: 'batch', groups: [{ notifications: [a] }] }],
		['a list of lists', { event: 'batch', notifications: [[{}], [a]] }],
	])('selects an event by a name in %s, and shows it whole', async (_, raw) => {
		const whole = Array.isArray(raw) ? (raw as unknown[]) : [raw];
		expect(await select(raw, ['a'])).toMatchObject({ events: whole.map((body) => ({ body })) });
		expect((await select(raw, ['c'])).kind).toBe('notSelected');
	});

	it.each<[string, string, unknown]>([
		['what the event is about', 'visit.history', { event: 'b', visit: { history: [a] } }],
		['data', 'data.history', { event: 'b', data: { ...record, history: [a] } }],
		[
			'an event with a record, whose elements have a type only',
			'history',
			{ type: 'b', visit: record, history: [{ type: 'a', data: {} }] },
		],
		['an event with a record', 'history', { event: 'b', visit: record, history: [a] }],
		[
			'an event with data',
			'history',
			{ specversion: '1.0', type: 'b', data: record, history: [{ type: 'a' }] },
		],
		['an element', 'visit.history', [{ event: 'b', visit: { history: [{ type: 'a' }] } }]],
		['a record', 'data.history', { event: 'b', data: [{ ...record, history: [a] }] }],
		['a record in a list', 'visits.history', { event: 'b', visits: [{ id: 1, history: [a] }] }],
	])('does not take a list in %s for one of events, and says where it is', async (_, path, raw) => {
		expect(await select(raw, ['a'])).toMatchObject({
			kind: 'notSelected',
			reason: `the event "b" is not among Events, but the list "${path}" has one of them: set Items Path to it if it is a list of events`,
		});
	});

	it('says where a list is in the list at Items Path', async () => {
		const sources = { ...NO_SOURCES, itemsPath: 'events' };
		const raw = { site: 'A', events: [{ event: 'b', visit: { history: [a] } }] };
		const sent = delivery(JSON.stringify(raw));
		expect(await receive(sent, settings({ events: ['a'], sources }))).toMatchObject({
			reason: expect.stringMatching('the list "events.visit.history" has one of them') as string,
		});
	});

	it.each<[string, unknown, Partial<EventSources>, HeaderFields]>([
		['that no path leads to', [[{ note: 'a' }]], {}, { 'x-github-event': 'b' }],
		['if Event Path is set', { kind: 'b', note: 'a' }, { eventPath: 'kind' }, {}],
	])('says nothing of a text %s', async (_, raw, sources, headers) => {
		const rules = settings({ events: ['a'], sources: { ...NO_SOURCES, ...sources } });
		expect(await receive(delivery(JSON.stringify(raw), headers), rules)).toMatchObject({
			reason: 'the event "b" is not among Events',
		});
	});

	it('takes no list for one of events if the user says where the name is', async () => {
		const told = async (eventPath: string, raw: unknown) => {
			const sources = { ...NO_SOURCES, eventPath };
			const sent = delivery(JSON.stringify(raw));
			return (await receive(sent, settings({ events: ['a'], sources }))).kind;
		};
		expect(await told('kind', { kind: 'b', history: [{ kind: 'a' }] })).toBe('notSelected');
		expect(await told('kind', { type: 'batch', notifications: [{ kind: 'a' }] })).toBe('passedOn');
		expect(await told('kind', { type: 'batch', notifications: [a] })).toBe('notSelected');
	});

	describe('by JSON text in a field', () => {
		const text = JSON.stringify;

		it.each<[string, string | null, unknown]>([
			['AWS SNS', 'Notification', { Type: 'Notification', Message: text(a), Timestamp: 'x' }],
			['a form', 'a', { payload: text(a), token: 'x' }],
			['a list', null, { payload: text({ Records: [{ n: 1 }, a] }), token: 'x' }],
			['data', 'b', { event: 'b', data: { message: text({ data: { topic: 'a' } }) } }],
			['JSON text in JSON text', 'b', { event: 'b', body: text({ Message: text(a) }) }],
			['an element', 'b', [{ event: 'b', message: text([a]) }]],
			['a field with spaces', 'b', { event: 'b', message: `\n ${text(a, null, 2)} ` }],
		])('selects an event of %s and shows it whole', async (_, event, raw) => {
			const body = Array.isArray(raw) ? (raw[0] as object) : raw;
			expect(await select(raw, ['a'])).toMatchObject({ events: [{ event, body }] });
			expect((await select(raw, ['c'])).kind).toBe('notSelected');
		});

		it.each<[string, unknown]>([
			['a text that is no JSON', { event: 'b', message: '{"eventType":"a"' }],
			['a text', { event: 'b', message: '"a"' }],
			['what the event is about', { event: 'b', visit: { note: text(a) } }],
			[
				'JSON text of an event with another name',
				{ event: 'b', message: text({ type: 'x', previous: 'a' }) },
			],
			['JSON nested too deeply', { event: 'b', n: `${'['.repeat(9999)}"a"${']'.repeat(9999)}` }],
		])('selects no event by %s', async (_, raw) => {
			expect(await select(raw, ['a'])).toMatchObject({
				kind: 'notSelected',
				reason: expect.stringMatching(/"b".* not among Events$/) as string,
			});
		});

		it('names the events in JSON text that were left out', async () => {
			const raw = { event: 'b', messages: text([{ type: 'x' }, { type: 'y' }]) };
			expect(await select(raw, ['a'])).toMatchObject({
				reason: 'events such as "b", "x", "y" are not among Events',
			});
		});

		it('looks in JSON text for no list at Items Path', async () => {
			const sources = { ...NO_SOURCES, itemsPath: 'visits' };
			const raw = { visits: [{ event: 'b', message: text({ ...a, visits: [] }) }] };
			const sent = delivery(text(raw));
			const outcome = await receive(sent, settings({ events: ['a'], sources }));
			expect(outcome.kind).toBe('passedOn');
		});

		it('looks in JSON text at Event Path, unless that leads to a name outside', async () => {
			const told = async (raw: unknown) => {
				const sources = { ...NO_SOURCES, eventPath: 'kind' };
				const sent = delivery(JSON.stringify(raw));
				return (await receive(sent, settings({ events: ['a'], sources }))).kind;
			};
			const message = text({ kind: 'a' });
			expect(await told({ Type: 'Notification', Message: message })).toBe('passedOn');
			expect(await told({ Type: 'Notification', Message: text(a) })).toBe('notSelected');
			expect(await told({ kind: 'b', Message: message })).toBe('notSelected');
			const fields = new Array<string>(10_001).fill('{').entries();
			const sources = { ...NO_SOURCES, eventHeader: 'X-Kind' };
			const sent = delivery(text(Object.fromEntries(fields)), { 'x-kind': 'b' });
			const outcome = await receive(sent, settings({ events: ['a'], sources }));
			expect(outcome.kind).toBe('notSelected');
		});

		const withObjects = (count: number) => ({
			event: 'b',
			n: text({ type: 'x', site: {}, data: new Array<object>(count).fill({}) }),
		});
		// Each is an error that takes as long as ten objects.
		const broken = (count: number) => new Array<string>(count).fill('{');

		it.each<[string, number, (count: number) => object]>([
			['elements', 10_000, (count) => ({ event: 'b', n: text(new Array(count).fill({})) })],
			['objects', 99_990, withObjects],
			['texts in a list', 10_000, (count) => ({ n: broken(count) })],
			[
				'texts in fields',
				10_000,
				(count) => ({ event: 'b', ...Object.fromEntries(broken(count).entries()) }),
			],
		])('passes on what has too many %s to search', async (_, most, raw) => {
			expect((await select(raw(most), ['a'])).kind).toBe('notSelected');
			expect((await select(raw(most + 1), ['a'])).kind).toBe('passedOn');
		});

		it('passes on what has too many objects to search in all of its texts', async () => {
			const batch = [withObjects(60_000), { event: 'b' }, withObjects(60_000)];
			expect(await select(batch, ['a'])).toMatchObject({ events: [{ body: batch[2] }] });
		});
	});

	it.each<[string, unknown]>([
		['its number', { eventType: 5, door: 6 }],
		['the number of an element', [{ event_type: 5, type: 'door' }]],
		['the number of one of several', { site: 'A', events: [{ eventType: 6 }, { eventType: 5 }] }],
	])('selects an event by %s', async (_, raw) => {
		expect(await select(raw, ['5'])).toMatchObject({ kind: 'passedOn' });
		expect(await select(raw, ['7'])).toMatchObject({
			kind: 'notSelected',
			reason: expect.stringMatching(/not among Events$/) as string,
		});
	});

	it.each([
		['in another field', { door: 5 }],
		['that may be that of a record', { type: 5 }],
		['that is rounded', { eventType: 5.5 }],
		['beside a sure name', { event: 5, eventName: 'visit.created' }],
	])('selects no event by a number %s', async (_, raw) => {
		expect(await select(raw, ['5'])).toMatchObject({ kind: 'notSelected' });
	});

	it('does not take the type of a record in a list inside data for a selected event', async () => {
		const raw = { event: 'visits.changed', data: { items: [{ type: 'guest' }] } };
		expect(await select(raw, ['guest'])).toMatchObject({ kind: 'notSelected' });
	});

	it('passes on what would take too long to search for a selected event', async () => {
		const raw = (count: number) => ({ tenant: 'a', data: new Array<object>(count).fill({}) });
		expect(await select(raw(100_000), ['visit.created'])).toMatchObject({ kind: 'notSelected' });
		expect(await select(raw(100_001), ['visit.created'])).toMatchObject({ kind: 'passedOn' });
	});

	it('passes on an event with a name that holds more events than are searched', async () => {
		const raw = (count: number) => ({ event: 'a', site: 'A', data: new Array(count).fill({}) });
		expect(await select(raw(100_000), ['b'])).toMatchObject({ kind: 'notSelected' });
		expect(await select(raw(100_001), ['b'])).toMatchObject({ kind: 'passedOn' });
	});

	it('says what was left out of a body with more names than a call takes arguments', async () => {
		const raw = {
			site: 'A',
			events: Array.from({ length: 100_000 }, (_, i) => ({ event: `n${i}`, type: `t${i}` })),
		};
		expect(await select(raw, ['visit.created'])).toMatchObject({
			kind: 'notSelected',
			reason: 'events such as "n0", "t0", "n1" are not among Events',
		});
	});

	it.each<[string, string, object]>([
		['Asana', 'changed', { user: { gid: '1' }, action: 'changed', resource: { gid: '2' } }],
		['Discord', 'ENTITLEMENT_CREATE', { type: 1, event: { type: 'ENTITLEMENT_CREATE' } }],
		['Envoy', 'entry_sign_in', { meta: { event: 'entry_sign_in' }, payload: { id: '1' } }],
		['HubSpot', 'contact.creation', { eventId: 1, subscriptionType: 'contact.creation' }],
		['Monday', 'create_pulse', { event: { type: 'create_pulse', pulseId: 1 } }],
		['PagerDuty', 'incident.triggered', { event: { id: '1', event_type: 'incident.triggered' } }],
		['Shopline', 'orders/create', { topic: 'orders/create', resource: {} }],
		['Trello', 'updateCard', { action: { id: '1', type: 'updateCard' }, model: {} }],
		['Verkada', 'door_opened', { webhook_type: 'x', data: { notification_type: 'door_opened' } }],
		['Webflow', 'form_submission', { triggerType: 'form_submission', payload: {} }],
	])('finds the selected name wherever %s writes it: %s', async (_, name, value) => {
		const outcome = await receive(delivery(JSON.stringify(value)), settings({ events: [name] }));
		expect(outcome).toMatchObject({ kind: 'passedOn', events: [{ event: name, body: value }] });
		const others = settings({ events: ['another', `${name}s`] });
		expect(await receive(delivery(JSON.stringify(value)), others)).toMatchObject({
			kind: 'notSelected',
			reason: expect.stringMatching(/^no event name was found/) as string,
		});
		for (const sources of [{ eventPath: 'kind' }, { eventHeader: 'X-Kind' }]) {
			const told = settings({ events: [name], sources: { ...NO_SOURCES, ...sources } });
			expect((await receive(delivery(JSON.stringify(value)), told)).kind).toBe('notSelected');
		}
	});

	it.each<[string, string, unknown]>([
		['AWS', 'ObjectCreated:Put', { Records: [{ eventName: 'ObjectCreated:Put', s3: {} }] }],
		['Meta', 'feed', { object: 'page', entry: [{ id: 1, changes: [{ field: 'feed' }] }] }],
		['Microsoft Graph', 'created', { value: [{ changeType: 'created', resource: 'x' }] }],
		['Microsoft Graph beside a header', 'created', { value: [{ changeType: 'created' }] }],
		['a list of names', 'b', { events: ['a', 'b'] }],
		['a list in a list', 'b', { l: [[['a'], [{ n: ' b ' }]]] }],
	])(
		'selects %s by a name in any list, and names no event by one of several',
		async (_, name, value) => {
			const headers = _.endsWith('a header') ? { 'x-action': 'notify' } : {};
			const event = 'x-action' in headers ? 'notify' : null;
			expect(await select(value, [name], headers)).toMatchObject({
				events: [{ event, body: value }],
			});
			expect((await select(value, [`${name}s`], headers)).kind).toBe('notSelected');
		},
	);

	it.each<[string, object]>([
		['data.attributes.name', { data: { attributes: { name: 'a', payload: {} } } }],
		['x.y.z.kind', { x: { y: { z: { kind: 'a' } } } }],
	])('selects an event by its name at any depth: %s', async (_, value) => {
		expect(await select(value, ['a'])).toMatchObject({ events: [{ event: 'a', body: value }] });
		expect(await select(value, ['A'])).toMatchObject({ kind: 'notSelected' });
	});

	it('passes on what has more objects than are searched, wherever they are', async () => {
		const fields = (count: number) =>
			Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, {}]));
		expect(await select(fields(100_000), ['a'])).toMatchObject({ kind: 'notSelected' });
		expect(await select(fields(100_001), ['a'])).toMatchObject({ kind: 'passedOn' });
		const named = { event: 'b', ...fields(100_001) };
		expect(await select(named, ['a'])).toMatchObject({ kind: 'notSelected' });
	});

	it.each<[string, object, string]>([
		['Box', { type: 'webhook_event', trigger: 'a' }, 'trigger'],
		['Intercom', { type: 'notification_event', topic: 'a', data: {} }, 'topic'],
		['Mercado Pago', { type: 'payment', action: 'a', data: { id: '1' } }, 'action'],
		['Slack', { type: 'event_callback', event: { type: 'a' } }, 'event.type'],
	])('says where the name is that %s writes beside another one', async (_, value, path) => {
		expect(
			await receive(delivery(JSON.stringify(value)), settings({ events: ['a'] })),
		).toMatchObject({
			kind: 'notSelected',
			reason: expect.stringMatching(
				`^the event "\\w+" is not among Events, but the field "${path}" has one of them: set Event Path`,
			) as string,
		});
	});

	it('says why nothing was selected, on one line and in short', async () => {
		const reason = async (raw: unknown) => {
			const outcome = await select(raw, ['a']);
			return outcome.kind === 'notSelected' ? outcome.reason : outcome.kind;
		};
		expect(await reason({ event: 'b' })).toBe('the event "b" is not among Events');
		expect(await reason({})).toMatch(/^no event name was found.*Event Path or Event Header/);
		expect(await reason([])).toBe('the batch is empty');
		const long = await reason({ event: `x\nERROR forged ${'y'.repeat(1000)}` });
		expect(long).not.toContain('\n');
		expect(long.length).toBeLessThan(200);
	});

	it('says why nothing was selected without signs that a terminal or a viewer of logs would obey', async () => {
		const outcome = await select({ event: 'a\u009b31m\u2028b\u202e\u001bc\u007f' }, ['visit']);
		expect(outcome).toMatchObject({ reason: 'the event "a 31m b c " is not among Events' });
	});

	it('has nothing to pass on of an empty batch', async () => {
		expect(await select([], [])).toMatchObject({
			kind: 'notSelected',
			message: 'Event not selected',
		});
	});
});

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
