import type { HeaderFields } from '../../../../../nodes/VisitorService/webhook/delivery/request';
import type { EventSources } from '../../../../../nodes/VisitorService/webhook/eventFields';
import type { TriggerSettings } from '../../../../../nodes/VisitorService/webhook/receive';
import {
	delivery,
	event,
	hmac,
	NO_SOURCES,
	RECEIVED_AT,
	receive,
	SECRET,
	settings,
	sign,
} from './deliveries';

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

	describe('by a header that nobody is known to use for names', () => {
		it.each(['x-notification-type', 'x-trigger', 'x-goog-resource-state', 'x-transaction'])(
			'an event without a name is selected by the header %s if that is a selected name',
			async (header) => {
				for (const value of [{ door: 5 }, [{ door: 5 }], null, 'door opened']) {
					expect(await select(value, ['a', 'b'], { [header]: 'b' })).toMatchObject({
						events: [{ event: 'b' }],
					});
					expect(await select(value, ['a'], { [header]: 'a.b' })).toMatchObject({
						reason: expect.stringMatching(/^no event name was found/) as string,
					});
				}
			},
		);

		it('an event with a name is not selected by it, and that is said', async () => {
			for (const value of [{ event: 'b' }, { event: 'b', message: '{"n":1}' }]) {
				expect(await select(value, ['a'], { 'x-trigger': 'a' })).toMatchObject({
					kind: 'notSelected',
					reason:
						'the event "b" is not among Events, but the header "x-trigger" has one of them: set Event Header to it if that is the name',
				});
			}
		});

		it.each([{ eventPath: 'kind' }, { eventHeader: 'X-Kind' }])(
			'no event is selected by it if the user says where the name is: %j',
			async (change) => {
				const sources = { ...NO_SOURCES, ...change };
				for (const value of [{ door: 5 }, { kind: 'b' }]) {
					const sent = delivery(JSON.stringify(value), { 'x-trigger': 'a', 'x-kind': 'b' });
					expect(await receive(sent, settings({ events: ['a'], sources }))).toMatchObject({
						kind: 'notSelected',
						reason: expect.not.stringMatching('x-trigger') as string,
					});
				}
			},
		);

		it('no event is selected by the secret', async () => {
			const authentication = { kind: 'header', headerName: 'X-Token' } as const;
			const rules = settings({ authentication, events: [SECRET] });
			const outcome = await receive(delivery('{}', { 'x-token': SECRET }), rules, [SECRET]);
			expect(outcome.kind).toBe('notSelected');
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

		it.each<[string, (lines: string) => string, string | null]>([
			['the body', (lines) => lines, null],
			['a field', (lines) => text({ event: 'b', message: lines }), 'b'],
		])('selects JSON lines that are %s by the name in one of them', async (_, bodyOf, event) => {
			const raw = bodyOf(`${text({ type: 'x' })}\n${text(a)}\r\n\n`);
			const kindWith = async (change: Partial<TriggerSettings>) =>
				(await receive(delivery(raw), settings(change))).kind;
			expect(await receive(delivery(raw), settings({ events: ['a'] }))).toMatchObject({
				events: [{ event }],
			});
			expect(await kindWith({ events: ['c'] })).toBe('notSelected');
			const sources = { ...NO_SOURCES, eventPath: 'eventType' };
			expect(await kindWith({ events: ['a'], sources })).toBe('passedOn');
			expect(await kindWith({ events: ['x'], sources })).toBe('notSelected');
		});

		it('selects JSON lines beside a name in a header by the name in one of them', async () => {
			const raw = `${text({ type: 'x' })}\n${text(a)}`;
			const outcome = async (name: string) =>
				await receive(delivery(raw, { 'x-github-event': 'b' }), settings({ events: [name] }));
			expect(await outcome('a')).toMatchObject({ events: [{ event: 'b', body: raw }] });
			expect(await outcome('c')).toMatchObject({
				reason: 'events such as "b", "x", "a" are not among Events',
			});
		});

		it.each(['{"eventType":"a"}\n{"eventType":', '{"eventType":"a"}\nnot JSON', '{\n"a"\n'])(
			'selects no text by a line of it unless each line is JSON: %j',
			async (raw) => {
				const outcome = await receive(delivery(raw), settings({ events: ['a'] }));
				expect(outcome.kind).toBe('notSelected');
			},
		);
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
