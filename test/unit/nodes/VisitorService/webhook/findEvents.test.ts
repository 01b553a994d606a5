import {
	type DeliveryId,
	findEvents,
} from '../../../../../nodes/VisitorService/webhook/findEvents';
import type { EventPaths } from '../../../../../nodes/VisitorService/webhook/settings';

const NO_PATHS: EventPaths = { event: '', id: '', items: '' };

function find(
	body: unknown,
	paths: Partial<EventPaths> = {},
	deliveryId: DeliveryId = { value: '', named: false },
) {
	return findEvents(body, { ...NO_PATHS, ...paths }, deliveryId);
}

function names(body: unknown, paths: Partial<EventPaths> = {}) {
	return find(body, paths).map(({ event, id }) => [event, id]);
}

describe('the name of the event', () => {
	it.each(['event', 'type', 'eventType', 'event_type', 'Type'])('is found as %s', (key) => {
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
		{ EVENT: 'x' },
	])('is null for %j', (body) => {
		expect(names(body)).toEqual([[null, null]]);
	});

	it('is the first that is a text', () => {
		expect(names({ event: 5, type: ' visit.created ' })).toEqual([['visit.created', null]]);
	});

	it('is where the user says, and nowhere else', () => {
		expect(names({ type: 'x', meta: { name: 'visit.created' } }, { event: 'meta.name' })).toEqual([
			['visit.created', null],
		]);
		expect(names({ type: 'x' }, { event: 'meta.name' })).toEqual([[null, null]]);
	});

	it('may be a number where the user says', () => {
		expect(find({ code: 3 }, { event: 'code' })[0]?.event).toBe('3');
		expect(find({ code: 3.5 }, { event: 'code' })[0]?.event).toBeNull();
	});

	it('of a CloudEvent is not the type of its records', () => {
		const cloudEvent = { specversion: '1.0', type: 'visit.created', id: 'A1' };
		expect(names({ ...cloudEvent, data: [{ id: 'v1', type: 'visit' }] })).toEqual([
			['visit.created', 'A1'],
		]);
		expect(find({ ...cloudEvent, data: 'text' })[0]?.identity).toEqual({
			value: 'A1',
			names: 'event',
		});
	});
});

describe('the ID', () => {
	it.each(['id', 'eventId', 'event_id', 'idempotency_key'])('is found as %s', (key) => {
		expect(names({ [key]: 'evt-1' })).toEqual([[null, 'evt-1']]);
		expect(names({ [key]: 17 })).toEqual([[null, 17]]);
		expect(names({ [key]: '' })).toEqual([[null, null]]);
		expect(names({ [key]: { a: 1 } })).toEqual([[null, null]]);
	});

	it('is that of the webhook-id header where the body has none', () => {
		expect(find({ event: 'x' }, {}, { value: 'msg_1', named: false })).toMatchObject([
			{ id: 'msg_1', identity: { value: 'msg_1', names: 'delivery' } },
		]);
		expect(find({ id: 'evt-1' }, {}, { value: 'msg_1', named: false })).toMatchObject([
			{ id: 'evt-1' },
		]);
	});

	it('is that of a header the user or the specification names, before the body', () => {
		expect(find({ id: 'evt-1' }, {}, { value: 'msg_1', named: true })).toMatchObject([
			{ id: 'msg_1' },
		]);
	});

	it('is where the user says, before all else', () => {
		expect(
			find({ id: 1, meta: { no: 'n-1' } }, { id: 'meta.no' }, { value: 'msg_1', named: true }),
		).toMatchObject([{ id: 'n-1', identity: { value: 'n-1', names: 'event' } }]);
	});

	it('may be that of a record where nothing says otherwise', () => {
		expect(find({ event: 'user.updated', id: 17, name: 'User 000017' })).toMatchObject([
			{ id: 17, identity: { value: 17, names: 'record' } },
		]);
		expect(find({ event: 'user.updated', id: 'evt-1', data: { id: 17 } })).toMatchObject([
			{ id: 'evt-1', identity: { value: 'evt-1', names: 'event' } },
		]);
		expect(find({ event: 'user.updated', id: 17, eventId: 'evt-1' })).toMatchObject([
			{ id: 'evt-1', identity: { value: 'evt-1', names: 'event' } },
		]);
	});

	it('of a record shows in the output, but does not tell a repeat where something surer does', () => {
		const header = { value: 'msg_1', named: false };
		expect(find({ event: 'user.updated', id: 17 }, {}, header)).toMatchObject([
			{ id: 17, identity: { value: 'msg_1', names: 'delivery' } },
		]);
		expect(find({ data: [{ id: 1 }, { id: 2 }] }, {}, header)).toMatchObject([
			{ id: 1, identity: { value: 'msg_1', names: 'delivery' } },
			{ id: 2, identity: { value: 'msg_1', names: 'delivery' } },
		]);
	});

	it.each(['data', 'payload', 'object', 'record', 'resource'])(
		'is that of the event beside the record in %s',
		(key) => {
			for (const content of [{ id: 17 }, [{ id: 17 }]]) {
				expect(find({ id: 'evt-1', event: 'a', [key]: content })).toMatchObject([
					{
						id: 'evt-1',
						identity: { names: key === 'data' && Array.isArray(content) ? 'delivery' : 'event' },
					},
				]);
			}
		},
	);

	it('is not that of the event beside a part of the record', () => {
		expect(find({ id: 17, event: 'user.updated', address: { city: 'A' } })).toMatchObject([
			{ id: 17, identity: { names: 'record' } },
		]);
	});

	it('that names the event is found behind that of a record', () => {
		const body = { event: 'user.updated', id: 17, name: 'User 000017', idempotency_key: 'key-1' };
		expect(find(body)).toMatchObject([{ id: 17, identity: { value: 'key-1', names: 'event' } }]);
		expect(find([body])).toMatchObject([{ id: 17, identity: { value: 'key-1', names: 'event' } }]);
	});

	it('is not trusted where JSON rounded it', () => {
		expect(find({ eventId: 2 ** 53 })).toMatchObject([{ identity: { names: 'record' } }]);
		expect(find({ eventId: 2 ** 53 - 1 })).toMatchObject([{ identity: { names: 'event' } }]);
	});
});

describe('a batch', () => {
	it('of records keeps IDs of their own, told apart by their place, before that of the record', () => {
		const events = {
			event: 'visit.created',
			events: [{ eventId: 'e1' }, { eventId: 'e1', id: 7 }],
		};
		expect(find(events).map(({ id, identity }) => [id, identity?.names])).toEqual([
			['e1', 'delivery'],
			['e1', 'delivery'],
		]);
		const records = { event: 'visit.created', data: [{ id: 'v1' }, { id: 'v2' }] };
		expect(find(records).map(({ id, identity }) => [id, identity?.names])).toEqual([
			['v1', 'record'],
			['v2', 'record'],
		]);
		expect(names({ ...records, id: 'evt-1' })).toEqual([
			['visit.created', 'evt-1'],
			['visit.created', 'evt-1'],
		]);
	});

	it('is no list beside the record the event is about', () => {
		const body = {
			event: 'visit.created',
			id: 'evt-1',
			data: { id: 7 },
			items: [{ sku: 'a' }, { sku: 'b' }],
		};
		expect(find(body)).toMatchObject([{ event: 'visit.created', id: 'evt-1', body }]);
		expect(find({ ...body, events: [{ event: 'a' }, { event: 'b' }] })).toHaveLength(2);
	});

	const a = { event: 'visit.created', id: 'evt-1', data: {} };
	const b = { event: 'visit.ended', id: 'evt-2', data: {} };

	it.each([
		['an array', [a, b]],
		['events', { events: [a, b] }],
		['items', { items: [a, b] }],
		['data', { data: [a, b] }],
	])('is found as %s', (_, body) => {
		expect(find(body)).toMatchObject([
			{ event: 'visit.created', id: 'evt-1', identity: { names: 'event' }, body: a },
			{ event: 'visit.ended', id: 'evt-2', identity: { names: 'event' }, body: b },
		]);
	});

	it('is found where the user says', () => {
		expect(find({ events: [a], payload: { list: [b] } }, { items: 'payload.list' })).toMatchObject([
			{ body: b },
		]);
		expect(find({ payload: { list: [] } }, { items: 'payload.list' })).toEqual([]);
	});

	it('is taken as it is where the path leads to no list, so that no event is lost', () => {
		expect(find({ events: [a] }, { items: 'payload.list' })).toMatchObject([
			{ body: { events: [a] } },
		]);
		expect(find([a, b], { items: 'payload.list' })).toHaveLength(2);
	});

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
	])('is not made of %j', (body) => {
		expect(find(body)).toMatchObject([{ body }]);
	});

	it('of records takes name and ID from the envelope', () => {
		const body = { event: 'user.updated', eventId: 'evt-9', data: [{ id: 1 }, { id: 2 }] };
		expect(find(body)).toMatchObject([
			{
				event: 'user.updated',
				id: 'evt-9',
				identity: { value: 'evt-9', names: 'delivery' },
				body: { id: 1 },
			},
			{
				event: 'user.updated',
				id: 'evt-9',
				identity: { value: 'evt-9', names: 'delivery' },
				body: { id: 2 },
			},
		]);
	});

	it.each(['event', 'eventType', 'event_type'])(
		'of records with a type takes the name from %s on the envelope',
		(key) => {
			const list = [
				{ id: 'v1', type: 'guest' },
				{ id: 'v2', type: 'courier' },
			];
			for (const held of ['data', 'items']) {
				expect(find({ [key]: 'visits.changed', id: 'evt-1', [held]: list })).toMatchObject([
					{ event: 'visits.changed', id: 'evt-1' },
					{ event: 'visits.changed', id: 'evt-1' },
				]);
			}
		},
	);

	it.each([
		['beside a type on the envelope', { type: 'batch', data: [{ type: 'visit.created' }] }, {}],
		['in a list of events', { event: 'batch', events: [{ type: 'visit.created' }] }, {}],
		['beside a record', { event: 'batch', data: [{ type: 'visit.created', data: { id: 1 } }] }, {}],
		['at the path set', { event: 'batch', data: [{ type: 'visit.created' }] }, { event: 'type' }],
	])('takes the name from the type of an element %s', (_, body, paths) => {
		expect(find(body, paths)).toMatchObject([{ event: 'visit.created' }]);
	});

	it('of elements without IDs shares the ID of the header', () => {
		expect(
			find([{ event: 'a' }, { event: 'b' }], {}, { value: 'msg_1', named: true }),
		).toMatchObject([
			{ event: 'a', id: 'msg_1', identity: { value: 'msg_1', names: 'delivery' } },
			{ event: 'b', id: 'msg_1', identity: { value: 'msg_1', names: 'delivery' } },
		]);
	});

	it('reads paths in the element first, then around it', () => {
		const body = {
			meta: { name: 'outer', no: 'o' },
			events: [{ meta: { name: 'inner', no: 'i' } }, {}],
		};
		expect(names(body, { event: 'meta.name', id: 'meta.no' })).toEqual([
			['inner', 'i'],
			['outer', 'o'],
		]);
	});
});
