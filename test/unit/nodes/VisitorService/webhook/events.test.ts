import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { HeaderFields } from '../../../../../nodes/VisitorService/webhook/delivery/request';
import type {
	EventSources,
	ProvenSources,
} from '../../../../../nodes/VisitorService/webhook/eventFields';
import { type FoundEvent, findEvents } from '../../../../../nodes/VisitorService/webhook/events';
import fc from '../../../../properties';
import { NO_SOURCES } from './deliveries';

/** What is sure if nothing is signed: the headers as much as the body. */
const UNSIGNED = { isProven: () => true, isStandard: false, schemeIdHeader: '' };
/** What is sure if the body is signed, and no header. */
const SIGNED_BODY = { ...UNSIGNED, isProven: () => false };

function find(
	body: unknown,
	sources: Partial<ProvenSources> = {},
	headers: HeaderFields = {},
): FoundEvent[] {
	const found = findEvents(body, headers, { ...UNSIGNED, ...NO_SOURCES, ...sources });
	return found.kind === 'found' ? found.events : [];
}

function names(body: unknown, sources: Partial<EventSources> = {}, headers: HeaderFields = {}) {
	return find(body, sources, headers).map(({ event, id }) => [event, id]);
}

describe('each body in docs/webhooks.md', () => {
	const document = readFileSync(path.resolve(__dirname, '../../../../../docs/webhooks.md'), 'utf8');
	const [, code = ''] = /^```js\n([\s\S]*?)^```/m.exec(document) ?? [];
	const examples = code.split('\n\n').map((example) => {
		const lines = example.split('\n').filter((line) => line !== '' && !line.startsWith('//'));
		const [body, ...items] = lines.map((line): unknown => JSON.parse(line));
		return { title: example.slice(3, example.indexOf('\n')), body, items };
	});

	it.each(examples)('becomes the items that are shown: $title', ({ body, items }) => {
		expect(items.length).toBeGreaterThan(0);
		expect(find(body).map(({ event, id, body }) => ({ event, id, body }))).toEqual(items);
	});
});

describe('the name at Event Path', () => {
	const sources = { eventPath: 'type' };
	const element = { type: 'visit.created', id: 1 };

	it('names each element by Event Path, although a header names all of them', () => {
		const headers = { 'x-github-event': 'batch' };
		expect(names([element], sources, headers)).toEqual([['visit.created', 1]]);
	});

	it('names each element by Event Path, although a field around them names all', () => {
		const body = { event: 'batch', items: [element] };
		expect(names(body, { ...sources, itemsPath: 'items' })).toEqual([['visit.created', 1]]);
	});

	it('names each element by Event Path, although Event Header is set too', () => {
		const both = { ...sources, eventHeader: 'X-What' };
		expect(names([element], both, { 'x-what': 'batch' })).toEqual([['visit.created', 1]]);
	});
});

describe('the name of the event', () => {
	it.each([
		'event',
		'type',
		'eventType',
		'event_type',
		'event-type',
		'EventType',
		'EVENT',
		'eventName',
		'webhookEvent',
	])('finds the name of the event as %s', (key) => {
		expect(names({ [key]: 'visit.created' })).toEqual([['visit.created', null]]);
	});

	it.each([
		{},
		{ event: '' },
		{ event: ' ' },
		{ event: 7 },
		{ event: null },
		{ event: { type: 'x' } },
		'event',
		7,
		null,
		true,
		{ $type: 'Visits.VisitCreated, Visits' },
		{ '@type': 'VisitCreated' },
	])('the name of the event is null for %j', (body) => {
		expect(names(body)).toEqual([[null, null]]);
	});

	it('the name of the event is the first that is a text', () => {
		expect(names({ event: 5, type: ' visit.created ' })).toEqual([['visit.created', null]]);
	});

	it('the name of the event is where the user says, and nowhere else', () => {
		expect(
			names({ type: 'x', meta: { name: 'visit.created' } }, { eventPath: 'meta.name' }),
		).toEqual([['visit.created', null]]);
		expect(names({ type: 'x' }, { eventPath: 'meta.name' })).toEqual([[null, null]]);
	});

	it('the name of an event may be a number where the user says', () => {
		expect(find({ code: 3 }, { eventPath: 'code' })[0]?.event).toBe('3');
		expect(find({ code: 3.5 }, { eventPath: 'code' })[0]?.event).toBeNull();
	});

	it('names a CloudEvent by its own type, not by the type of its records', () => {
		const cloudEvent = { specversion: '1.0', type: 'visit.created', id: 'A1' };
		expect(names({ ...cloudEvent, data: [{ id: 'v1', type: 'visit' }] })).toEqual([
			['visit.created', 'A1'],
		]);
	});

	it('names the records of a binary CloudEvent by its header, not by their own type', () => {
		const headers = { 'ce-id': 'A1', 'ce-source': '/one', 'ce-type': 'visits.changed' };
		const records = [
			{ id: 1, type: 'guest' },
			{ id: 2, type: 'courier' },
		];
		expect(names(records, {}, headers)).toEqual([
			['visits.changed', 'A1'],
			['visits.changed', 'A1'],
		]);
		expect(names([{ eventType: 'visit.ended' }], {}, headers)).toEqual([['visit.ended', 'A1']]);
		const withContent = { type: 'visit.ended', payload: [{ n: 1 }] };
		expect(names([withContent], {}, headers)).toEqual([['visit.ended', 'A1']]);
	});

	it('the name of the event is in the header the user names, and nowhere else', () => {
		const sources = { eventHeader: 'X-What' };
		expect(names({ event: 'x' }, sources, { 'x-what': 'visit.created' })).toEqual([
			['visit.created', null],
		]);
		expect(names({ event: 'x' }, sources)).toEqual([[null, null]]);
		expect(names([{ event: 'x' }, { id: 1 }], sources, { 'x-what': 'visit.created' })).toEqual([
			['visit.created', null],
			['visit.created', 1],
		]);
	});

	it('the name of the event is at the path the user sets, else in the header the user names', () => {
		const sources = { eventPath: 'meta.name', eventHeader: 'X-What' };
		const headers = { 'x-what': 'from the header' };
		expect(names({ meta: { name: 'a' } }, sources, headers)).toEqual([['a', null]]);
		expect(names({}, sources, headers)).toEqual([['from the header', null]]);
	});

	it('takes the event name from a header of a known service, else the body, else any other header', () => {
		const body = { type: 'User' };
		expect(names(body, {}, { 'x-github-event': 'push' })).toEqual([['push', null]]);
		expect(names(body, {}, { 'x-event-type': 'webhook' })).toEqual([['User', null]]);
		expect(names({}, {}, { 'x-event-type': 'visit.created' })).toEqual([['visit.created', null]]);
	});

	it.each([
		'X-GitHub-Event',
		'X-Gitlab-Event',
		'X-Gitea-Event',
		'X-Event-Key',
		'X-Shopify-Topic',
		'X-WC-Webhook-Topic',
		'X-Discourse-Event',
		'Twitch-Eventsub-Subscription-Type',
		'Sentry-Hook-Resource',
		'Linear-Event',
		'ce-type',
	])(
		'the name of the event in the header %s goes before a type that a record may have',
		(header) => {
			expect(names({ type: 'User' }, {}, { [header.toLowerCase()]: 'push' })).toEqual([
				['push', null],
			]);
		},
	);

	it.each<[unknown, string | null]>([
		[{ type: 'visit.created', id: 7 }, 'visit.created'],
		[{ type: 'visit.created', data: { id: 7 } }, 'visit.created'],
		[[{ type: 'visit.created' }], 'visit.created'],
		[{ events: [{ type: 'visit.created' }] }, 'visit.created'],
		[{ action: 'opened' }, 'visit.deleted'],
		[[{ id: 7 }], 'visit.deleted'],
	])(
		'the name in the signed body %j goes before one in a header that is not signed',
		(body, event) => {
			for (const header of ['x-github-event', 'ce-type', 'x-event-type']) {
				const found = find(body, SIGNED_BODY, { [header]: 'visit.deleted' });
				expect(found).toMatchObject([{ event }]);
				expect(found[0]?.searchNames().known).toContain('visit.deleted');
			}
		},
	);

	it.each<[string, unknown]>([
		['it', { event: 'visit.created' }],
		['it, in a list', [{ event: 'visit.created' }]],
		['its list', { event: 'visit.created', data: [{ id: 7 }] }],
		['its list, and beside it a type', { event: 'visit.created', data: [{ type: 'guest' }] }],
	])('selects nothing by a header that is not signed, if the body surely names %s', (_, body) => {
		for (const header of ['x-github-event', 'ce-type', 'x-event-type']) {
			const [found] = find(body, SIGNED_BODY, { [header]: 'visit.deleted' });
			expect(found?.searchNames().known).toEqual(['visit.created']);
		}
	});

	it.each(['X-Transaction', 'X-Interaction', 'Content-Type', 'X-Webhook-Id', 'X-Hook'])(
		'the name of the event is not found in the header %s',
		(header) => {
			expect(names({}, {}, { [header.toLowerCase()]: 'a' })).toEqual([[null, null]]);
		},
	);

	it.each(['X-Acme-Event', 'X-Contentful-Topic', 'Acme-Event-Type', 'X-Event-Name', 'Event-Key'])(
		'the name of the event is found in the header %s if the body has none',
		(header) => {
			const headers = { [header.toLowerCase()]: 'visit.created', 'x-event-id': 'e-1' };
			expect(names({}, {}, headers)).toEqual([['visit.created', 'e-1']]);
			expect(names({ type: 'User' }, {}, headers)).toEqual([['User', 'e-1']]);
		},
	);

	it('an event may be selected by a header too, if its own name may be that of a record', () => {
		const headers = { 'x-acme-event': 'user.created' };
		expect(find({ type: 'User' }, {}, headers)[0]?.searchNames().known).toEqual([
			'User',
			'user.created',
		]);
		expect(find([{ type: 'User' }], {}, headers)[0]?.searchNames().known).toEqual([
			'User',
			'user.created',
		]);
		expect(find({ event: 'a' }, {}, headers)[0]?.searchNames().known).toEqual(['a']);
		expect(find({ type: 'a' }, { eventPath: 'type' }, headers)[0]?.searchNames().known).toEqual([
			'a',
		]);
	});
});

describe('the ID', () => {
	it.each([
		'id',
		'Id',
		'eventId',
		'event_id',
		'EventId',
		'event_uuid',
		'eventGuid',
		'uuid',
		'GUID',
		'idempotency_key',
		'MessageId',
		'message_uuid',
		'notificationId',
		'notification-guid',
	])('finds the ID as %s', (key) => {
		expect(names({ [key]: 'evt-1' })).toEqual([[null, 'evt-1']]);
		expect(names({ [key]: 17 })).toEqual([[null, 17]]);
		expect(names({ [key]: '' })).toEqual([[null, null]]);
		expect(names({ [key]: { a: 1 } })).toEqual([[null, null]]);
	});

	it.each([
		[{ uuid: 'u', id: 7, event_uuid: 'e' }, 'e'],
		[{ event_uuid: 'e', eventId: 8 }, 8],
		[{ uuid: 'u', id: 7, messageId: 'm' }, 7],
		[{ notificationId: 'n', uuid: 'u' }, 'u'],
	])('the ID in %j is that of the event before that of the record', (body, id) => {
		expect(names(body)).toEqual([[null, id]]);
	});

	it('the ID of a record of an event may be called uuid', () => {
		for (const key of ['id', 'uuid', 'guid']) {
			const batch = { event: 'a', eventId: 'e-1', data: [{ [key]: 'u-1' }, { [key]: 'u-2' }] };
			expect(names(batch)).toEqual([
				['a', 'e-1'],
				['a', 'e-1'],
			]);
		}
	});

	it('the ID of a CloudEvent is sure only if it is called id', () => {
		const cloudEvent = { specversion: '1.0', type: 'a', source: '/one', uuid: 'u' };
		expect(find(cloudEvent)).toMatchObject([{ id: 'u', identity: { isGuess: true } }]);
	});

	it.each<[string, object]>([
		['webhook-id', { 'webhook-timestamp': '1', 'webhook-signature': 'v1,a' }],
		['svix-id', { 'svix-timestamp': '1', 'svix-signature': 'v1,a' }],
		['x-github-delivery', {}],
	])('the ID is that of the header %s if the body has none', (header, beside) => {
		expect(find({ event: 'x' }, {}, { ...beside, [header]: 'msg_1' })).toMatchObject([
			{ id: 'msg_1', identity: { value: 'msg_1', isGuess: true } },
		]);
		expect(find({ id: 'evt-1' }, {}, { [header]: 'msg_1' })).toMatchObject([{ id: 'evt-1' }]);
	});

	it('the ID is that of the header the user names, before the body', () => {
		expect(find({ id: 'evt-1' }, { idHeader: 'X-Id' }, { 'x-id': 'msg_1' })).toMatchObject([
			{ id: 'msg_1', identity: { value: 'msg_1', isGuess: false } },
		]);
	});

	it('the ID is at the path the user sets, before all else', () => {
		const sources = { idPath: 'meta.no', idHeader: 'X-Id' };
		expect(find({ id: 1, meta: { no: 'n-1' } }, sources, { 'x-id': 'msg_1' })).toMatchObject([
			{ id: 'n-1', identity: { value: 'n-1', isGuess: false } },
		]);
	});

	it('the ID is a guess if nobody named it, and if JSON rounded it', () => {
		for (const body of [
			{ id: 17 },
			{ event: 'a', id: 'evt-1', data: { id: 17 } },
			{ eventId: 1 },
		]) {
			expect(find(body)).toMatchObject([{ identity: { isGuess: true } }]);
		}
		expect(find({ n: 2 ** 53 }, { idPath: 'n' })).toMatchObject([{ identity: { isGuess: true } }]);
		expect(find({ n: 2 ** 53 - 1 }, { idPath: 'n' })).toMatchObject([
			{ identity: { isGuess: false } },
		]);
		const cloudEvent = { specversion: '1.0', type: 'a', source: '/one' };
		expect(find({ ...cloudEvent, id: 2 ** 53 })).toMatchObject([{ identity: { isGuess: true } }]);
		expect(find({ ...cloudEvent, id: 1 })).toMatchObject([{ identity: { isGuess: false } }]);
	});

	it.each([
		['ce-id', { 'ce-id': 'e-1', 'ce-source': '/one' }],
		['x-event-id', { 'x-event-id': 'e-1' }],
		['svix-id', { 'svix-id': 'e-1', 'svix-timestamp': '1', 'svix-signature': 'v1,a' }],
	])('the ID in the signed body goes before the header %s, which is not signed', (_, headers) => {
		const found = (body: unknown) => find(body, SIGNED_BODY, headers)[0];
		expect(found({ id: 17 })).toMatchObject({ id: 17, identity: { isGuess: true } });
		expect(found([{ event: 'a', id: 17 }])).toMatchObject({ id: 17 });
		expect(found({ event: 'a', data: [{ id: 17 }] })).toMatchObject({ id: 17 });
		expect(found({ event: 'a', eventId: 'e-2', data: [{ id: 17 }] })).toMatchObject({ id: 'e-2' });
		expect(found({ event: 'a' })).toMatchObject({ id: 'e-1', identity: { isGuess: true } });
	});

	it('the ID of a CloudEvent in headers is sure only if its source is signed too', () => {
		const headers = { 'ce-id': 'e-1', 'ce-source': '/one' };
		const signing = (...names: string[]) => ({ isProven: (name: string) => names.includes(name) });
		for (const sources of [signing('ce-id'), signing('ce-source')]) {
			expect(find({ id: 17 }, sources, headers)).toMatchObject([
				{ id: 17, identity: { value: 17, isGuess: true } },
			]);
		}
		expect(find({ id: 17 }, signing('ce-id', 'ce-source'), headers)).toMatchObject([
			{ id: 'e-1', identity: { value: 'e-1', isGuess: false } },
		]);
	});

	it('the ID in the header the user names is a guess if that is not signed', () => {
		for (const sources of [{ idHeader: 'X-Id' }, { schemeIdHeader: 'X-Id' }]) {
			expect(find({ id: 17 }, { ...SIGNED_BODY, ...sources }, { 'x-id': 'msg_1' })).toMatchObject([
				{ id: 'msg_1', identity: { value: 'msg_1', isGuess: true } },
			]);
		}
	});

	it('tells a repeat by the ID that is sure, even if the output shows another', () => {
		const headers = { 'ce-id': 'A1', 'ce-source': '/one' };
		expect(find({ id: 17 }, {}, headers)).toMatchObject([
			{ id: 'A1', identity: { value: 'A1', of: '/one', isGuess: false } },
		]);
		const cloudEvent = { specversion: '1.0', type: 'a', id: 'A1', source: '/one' };
		expect(find({ ...cloudEvent, eventId: 'e-1' })).toMatchObject([
			{ id: 'e-1', identity: { value: 'A1', of: '/one', isGuess: false } },
		]);
	});
});

describe('a batch', () => {
	const a = { event: 'visit.created', id: 'evt-1', data: {} };
	const b = { event: 'visit.ended', id: 'evt-2', data: {} };

	it.each([
		['an array', [a, b]],
		['events', { events: [a, b] }],
		['items', { items: [a, b] }],
		['data', { data: [a, b] }],
		['Events', { Events: [a, b] }],
	])('finds a batch as %s', (_, body) => {
		expect(find(body)).toMatchObject([
			{ event: 'visit.created', id: 'evt-1', body: a },
			{ event: 'visit.ended', id: 'evt-2', body: b },
		]);
	});

	it('finds a batch at the path the user sets', () => {
		const sources = { itemsPath: 'payload.list' };
		expect(find({ events: [a], payload: { list: [b] } }, sources)).toMatchObject([{ body: b }]);
		expect(find({ payload: { list: [] } }, sources)).toEqual([]);
	});

	it('takes a batch as it is if the path leads to no list, so that no event is lost', () => {
		const sources = { itemsPath: 'payload.list' };
		expect(find({ events: [a] }, sources)).toMatchObject([{ body: { events: [a] } }]);
		expect(find([a, b], sources)).toHaveLength(2);
	});

	it.each([
		[
			'the lists in a list',
			{
				entry: [
					{ n: 1, changes: [a] },
					{ n: 2, changes: [b] },
				],
			},
		],
		['the lists in an array', [{ changes: [a] }, { changes: [b] }]],
	])('finds a batch at a path that goes through %s', (_, body) => {
		const itemsPath = Array.isArray(body) ? 'changes' : 'entry.changes';
		expect(find(body, { itemsPath })).toMatchObject([{ body: a }, { body: b }]);
	});

	it('takes a batch as it is if the path leads to a list in some of its elements only', () => {
		const body = [{ changes: [a] }, b];
		expect(find(body, { itemsPath: 'changes' }).map((one) => one.body)).toEqual(body);
	});

	it.each(['events', 'payload.Events'])(
		'names the elements of a list called events by their own type: Items Path %s',
		(itemsPath) => {
			const list = [{ type: 'visit.created', id: 1 }];
			const body = { event: 'batch', events: list, payload: { Events: list } };
			expect(names(body, { itemsPath })).toEqual([['visit.created', 1]]);
		},
	);

	it('has elements of any kind', () => {
		expect(find([1, 'a', null, [2]]).map(({ body }) => body)).toEqual([1, 'a', null, [2]]);
		expect(find([])).toEqual([]);
	});

	it.each([
		{ data: [] },
		{ data: [1, 2] },
		{ items: 'x' },
		{ events: { a: 1 } },
		{ data: [{}, 1] },
	])('a batch is not made of %j', (body) => {
		expect(find(body)).toMatchObject([{ body }]);
	});

	it.each([
		['the thing the event is about', { event: 'a', visit: { id: 7 }, items: [{ n: 1 }, { n: 2 }] }],
		['a record', { event: 'a', id: 'evt-1', data: { id: 7 }, items: [{ n: 1 }, { n: 2 }] }],
		['fields of the event', { event: 'a', id: 1, host: 'Ada', status: 'in', items: [{ n: 1 }] }],
		['a tenant and a time', { tenant: 'a', sentAt: '2026-01-31', events: [a, b] }],
		['a count', { data: [{ id: 1 }], total: 1 }],
		['a name that elements do not get', { type: 'batch', data: [{ type: 'visit.created' }] }],
		['an ID that elements do not get', { id: 'batch-1', events: [a, b] }],
		['another list', { events: [a], items: [b] }],
		['the same list in another spelling', { events: [a], Events: [b] }],
	])('a batch is not made of a list beside which stands %s', (_, body) => {
		expect(find(body)).toMatchObject([{ body }]);
	});

	it.each(['id', 'event'])(
		'looks once at each of the fields beside the list, however many elements there are: %s',
		(key) => {
			const spelling = (n: number) =>
				`${key[0]}${n.toString(2).replace(/0/g, '-').replace(/1/g, '_')}${key.slice(1)}`;
			const fields = Array.from({ length: 4000 }, (_, n) => [spelling(n), 'a'] as const);
			const data = Array.from({ length: 10_000 }, () => ({}));
			const started = performance.now();
			expect(find({ ...Object.fromEntries(fields), data })).toHaveLength(10_000);
			expect(performance.now() - started).toBeLessThan(2_000);
		},
	);

	it('takes the event name and the ID of the records of a batch from beside the list', () => {
		const body = { event: 'user.updated', eventId: 'evt-9', data: [{ id: 1 }, { id: 2 }] };
		expect(find(body)).toMatchObject([
			{ event: 'user.updated', id: 'evt-9', identity: { isShared: true }, body: { id: 1 } },
			{ event: 'user.updated', id: 'evt-9', identity: { isShared: true }, body: { id: 2 } },
		]);
	});

	it('takes the own event ID of a record before the one beside the list', () => {
		const body = { event: 'user.updated', eventId: 'evt-9', users: [{ eventId: 'evt-1', id: 7 }] };
		expect(names(body, { itemsPath: 'users' })).toEqual([['user.updated', 'evt-1']]);
	});

	it('keeps a batch whole if what stands beside the list is not seen in each element', () => {
		const list = [
			{ event: 'a', id: 1 },
			{ event: 'b', id: 2 },
		];
		expect(find({ event: 'a', events: list })).toHaveLength(1);
		expect(find({ id: 1, events: list })).toHaveLength(1);
		expect(find({ events: list })).toHaveLength(2);
	});

	it('leaves the records of a batch their own IDs if there is none beside the list', () => {
		expect(names({ event: 'visit.created', data: [{ id: 'v1' }, { id: 'v2' }] })).toEqual([
			['visit.created', 'v1'],
			['visit.created', 'v2'],
		]);
	});

	it.each(['event', 'eventType', 'event_type'])(
		'names the records of a batch by %s, not by their own type',
		(key) => {
			const list = [
				{ id: 'v1', type: 'guest' },
				{ id: 'v2', type: 'courier' },
			];
			for (const held of ['data', 'items']) {
				expect(find({ [key]: 'visits.changed', id: 'evt-1', [held]: list })).toMatchObject([
					{ event: 'visits.changed', id: 'evt-1', body: list[0] },
					{ event: 'visits.changed', id: 'evt-1', body: list[1] },
				]);
			}
		},
	);

	it('takes the ID of the elements of a batch from the header if they have none', () => {
		const headers = { 'x-id': 'msg_1' };
		const sources = { idHeader: 'X-Id' };
		expect(find([{ event: 'a' }, { event: 'b' }], sources, headers)).toMatchObject([
			{ event: 'a', id: 'msg_1', identity: { isShared: true } },
			{ event: 'b', id: 'msg_1', identity: { isShared: true } },
		]);
	});

	it('leaves the elements of a batch without a name their own IDs', () => {
		const events = find([{ id: 1 }, { id: 2 }], { idHeader: 'X-Id' }, { 'x-id': 'msg_1' });
		expect(events).toMatchObject([
			{ event: null, id: 1, identity: { value: 'msg_1' } },
			{ event: null, id: 2, identity: { value: 'msg_1' } },
		]);
	});

	it('reads paths in the element first, then around it', () => {
		const body = {
			meta: { name: 'outer', no: 'o' },
			list: [{ meta: { name: 'inner', no: 'i' } }, {}],
		};
		const sources = { eventPath: 'meta.name', idPath: 'meta.no', itemsPath: 'list' };
		expect(names(body, sources)).toEqual([
			['inner', 'i'],
			['outer', 'o'],
		]);
	});

	it('a batch may be selected by what is inside, if it is kept whole', () => {
		const found = find({ tenant: 'a', events: [a, b] });
		expect(found.map(({ event }) => event)).toEqual([null]);
		expect(found[0]?.searchNames().known).toEqual([null, 'visit.created', 'visit.ended']);
	});
});

describe('each item of a list', () => {
	const long = 'x'.repeat(513);
	const usual = 'x'.repeat(512);

	it.each<[string, (text: string) => unknown, object, HeaderFields | undefined]>([
		['in the body', (text) => ({ event: text, id: text }), {}, undefined],
		['at a path', (text) => ({ a: text }), { eventPath: 'a', idPath: 'a' }, undefined],
		['of a CloudEvent', (id) => ({ specversion: '1.0', type: id, id, source: '/' }), {}, undefined],
		['in headers', () => ({}), {}, { 'x-github-event': '', 'ce-id': '', 'ce-source': '/' }],
		['in other headers', () => ({}), {}, { 'x-event-type': '', 'x-event-id': '' }],
		[
			'in the headers of the user',
			() => ({}),
			{ eventHeader: 'X-A', idHeader: 'X-A' },
			{ 'x-a': '' },
		],
	])('leaves out a name and an ID that are too long %s', (_, bodyOf, sources, headers) => {
		const found = (text: string) => {
			const filled = Object.entries(headers ?? {}).map(([name, value]) => [name, value || text]);
			return names(bodyOf(text), sources, Object.fromEntries(filled) as HeaderFields);
		};
		expect(found(usual)).toEqual([[usual, usual]]);
		expect(found(long)).toEqual([[null, null]]);
	});

	it('leaves out the ID of a CloudEvent whose source is too long', () => {
		expect(find({}, {}, { 'ce-id': 'e-1', 'ce-source': usual })).toMatchObject([{ id: 'e-1' }]);
		expect(find({}, {}, { 'ce-id': 'e-1', 'ce-source': long })).toMatchObject([{ id: null }]);
	});

	it('keeps a list whole beside which a name stands that is too long', () => {
		const body = { event: long, events: [{ id: 1 }, { id: 2 }] };
		expect(find(body)).toMatchObject([{ event: null, body }]);
		expect(names({ ...body, event: usual })).toHaveLength(2);
	});
});

describe('an event inside', () => {
	const selected = { event: 'visit.created' };

	it('an event inside may be selected however many lists it is in', () => {
		const wrap = fc.constantFrom<(value: object) => object>(
			(value) => [value],
			(value) => [{ n: 1 }, value],
			(value) => ({ events: [value] }),
			(value) => ({ tenant: 'a', Items: [{ event: 'visit.ended' }, value] }),
			(value) => ({ type: 'batch', data: [{ n: 1 }, value] }),
			(value) => ({ events: [{ n: 1 }], data: [1, value] }),
		);
		fc.assert(
			fc.property(fc.array(wrap, { maxLength: 6 }), (wraps) => {
				const body = wraps.reduce<object>((value, around) => around(value), selected);
				const found = find(JSON.parse(JSON.stringify(body)));
				const names = found.map((event) => event.searchNames().known);
				expect(names.filter((known) => known.includes('visit.created'))).toHaveLength(1);
			}),
			{ numRuns: 1000 },
		);
	});

	it('an event inside may be selected in a list that is too long to become items, and with a path that leads nowhere', () => {
		const events = [...new Array<object>(10_000).fill({ event: 'visit.ended' }), selected];
		expect(find({ events })[0]?.searchNames().known).toEqual([
			null,
			'visit.ended',
			'visit.created',
		]);
		expect(find({ events: [selected] }, { itemsPath: 'none' })[0]?.searchNames().known).toContain(
			'visit.created',
		);
	});

	it('an event inside may have any name if it holds more objects than are searched in one delivery', () => {
		const data = (count: number) => new Array<object>(count).fill({});
		const search = (body: unknown) => find(body).map((event) => event.searchNames().mayHaveMore);
		expect(search({ tenant: 'a', data: data(100_000) })).toEqual([false]);
		expect(search({ tenant: 'a', data: data(100_001) })).toEqual([true]);
		expect(search([{ data: data(60_000) }, { data: data(60_000) }, {}])).toEqual([
			false,
			true,
			false,
		]);
		const numbers = new Array<number>(200_000).fill(1);
		expect(search({ tenant: 'a', data: numbers })).toEqual([false]);
	});

	it.each([
		['its type beside another name', { event: 'user', type: 'user.updated' }],
		['its second name', { event: 'user', eventType: 'user.updated' }],
		['the second name of an element', [{ event: 'user', eventType: 'user.updated' }]],
		['the second name inside', { site: 'A', events: [{ event: 'user', type: 'user.updated' }] }],
	])('an event inside may be selected by %s', (_, body) => {
		expect(find(body)[0]?.searchNames().known).toContain('user.updated');
	});

	it('an event inside may be selected by the name in the body if a header names it otherwise', () => {
		const search = (body: unknown, sources = {}) =>
			find(body, sources, { 'ce-type': 'com.example.visits' })[0]?.searchNames().known;
		expect(search({ eventType: 'visit.created' })).toEqual(['com.example.visits', 'visit.created']);
		expect(search({ type: 'guest' })).toEqual(['com.example.visits']);
		expect(search({ eventType: 'visit.created', type: 'a' }, { eventPath: 'type' })).toEqual(['a']);
	});

	it('an event inside may not be selected by the type of a record', () => {
		const body = { event: 'visits.changed', site: 'A', data: [{ type: 'guest' }] };
		expect(find(body)[0]?.searchNames().known).toEqual(['visits.changed']);
		expect(find([body])[0]?.searchNames().known).toEqual(['visits.changed']);
		expect(find(body, { eventHeader: 'X-What' })[0]?.searchNames().known).toEqual([null]);
	});
});

it('every value of any body is found in the items, unless the user sets a path', () => {
	const key = fc.constantFrom(
		'event',
		'type',
		'id',
		'eventId',
		'events',
		'items',
		'data',
		'Event',
		'EventId',
		'Items',
		'x',
		'y',
	);
	const { body } = fc.letrec((tie) => ({
		body: fc.oneof(
			{ maxDepth: 4 },
			fc.nat(),
			fc.string(),
			fc.array(tie('body'), { maxLength: 3 }),
			fc.dictionary(key, tie('body'), { maxKeys: 4 }),
		),
	}));
	const valuesOf = (value: unknown): string[] =>
		typeof value === 'object' && value !== null
			? Object.values(value).flatMap(valuesOf)
			: [String(value).trim()];
	fc.assert(
		fc.property(body, (sent) => {
			const found = find(sent);
			const output = new Set(found.flatMap(({ event, id, body }) => valuesOf({ event, id, body })));
			expect(valuesOf(sent).filter((value) => !output.has(value))).toEqual([]);
		}),
		{ numRuns: 5000 },
	);
});
