import { receiveDelivery } from '../../../../../nodes/VisitorService/webhook/receiveDelivery';
import { delivery, hmac, RECEIVED_AT, settings, sign } from './deliveries';

const SECRET = 'synthetic-secret';
const event = { event: 'visit.created', id: 'evt-000001', data: { id: 1 } };
const body = JSON.stringify(event);
const signed = (raw: string) =>
	delivery(raw, { 'x-signature': sign(SECRET, raw), authorization: 'Bearer x' });

function remembering() {
	const seen = new Set<string>();
	return (key: string) => !seen.has(key) && seen.add(key).has(key);
}

describe('receiveDelivery', () => {
	it('passes a genuine event on', () => {
		const sent = { ...signed(body), query: { tenant: 'a' } };
		expect(
			receiveDelivery(sent, settings({ authentication: hmac() }), [SECRET], undefined),
		).toEqual({
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
		});
	});

	it('passes an empty body on, with nothing found in it', () => {
		expect(receiveDelivery(delivery(''), settings(), [], undefined)).toMatchObject({
			kind: 'passedOn',
			events: [{ event: null, id: null, body: null }],
		});
	});

	it.each([
		['a forged body', signed(body), { ...signed(body), rawBody: Buffer.from(`${body} `) }],
		['no signature', signed(body), delivery(body)],
	])('refuses %s with 401 and no detail', (_, __, forged) => {
		const outcome = receiveDelivery(
			forged,
			settings({ authentication: hmac() }),
			[SECRET],
			undefined,
		);
		expect(outcome).toMatchObject({ kind: 'refused', statusCode: 401, message: 'Unauthorized' });
	});

	it('refuses an address that is not allowed with 403, before looking at anything else', () => {
		const rules = settings({ authentication: hmac(), ipAllowlist: '198.51.100.0/24' });
		expect(receiveDelivery(delivery('x'), rules, [SECRET], undefined)).toMatchObject({
			kind: 'refused',
			statusCode: 403,
			message: 'Forbidden',
		});
		const from = (address: string | undefined) =>
			receiveDelivery({ ...signed(body), address }, rules, [SECRET], undefined).kind;
		expect(from('198.51.100.7')).toBe('passedOn');
		expect(from('::ffff:198.51.100.7')).toBe('passedOn');
		expect(from(undefined)).toBe('refused');
	});

	it.each([
		[{ 'content-encoding': 'br' }],
		[{ 'content-type': 'multipart/form-data; boundary=x' }],
		[{ 'content-type': 'application/json; charset=x-unknown' }],
	])('refuses content it cannot read with 415: %j', (headers) => {
		expect(receiveDelivery(delivery(body, headers), settings(), [], undefined)).toMatchObject({
			kind: 'refused',
			statusCode: 415,
		});
	});

	it('looks into nothing it has not verified', () => {
		const forged = delivery(body, { 'content-type': 'application/json; charset=x-unknown' });
		expect(
			receiveDelivery(forged, settings({ authentication: hmac() }), [SECRET], undefined),
		).toMatchObject({
			statusCode: 401,
		});
	});

	it('refuses a batch nobody could hold with 413', () => {
		const batch = (size: number) => JSON.stringify(new Array(size).fill({ event: 'a' }));
		const kind = (size: number) =>
			receiveDelivery(delivery(batch(size)), settings(), [], undefined);
		expect(kind(10_000)).toMatchObject({ kind: 'passedOn' });
		expect(kind(10_001)).toMatchObject({ kind: 'refused', statusCode: 413 });
	});

	it('makes nothing of the elements of such a batch', () => {
		const elements: unknown[] = new Array(10_001).fill(0);
		const looked = jest.spyOn(Object, 'hasOwn');
		const before = looked.mock.calls.length;
		const raw = JSON.stringify(elements);
		expect(receiveDelivery(delivery(raw), settings(), [], undefined).kind).toBe('refused');
		expect(looked.mock.calls.length - before).toBeLessThan(100);
		looked.mockRestore();
	});
});

describe('the selection of events', () => {
	const select = (raw: unknown, events: string[]) =>
		receiveDelivery(delivery(JSON.stringify(raw)), settings({ events }), [], undefined);

	it('passes on what is selected', () => {
		expect(select(event, ['visit.ended', 'visit.created'])).toMatchObject({ kind: 'passedOn' });
	});

	it.each([
		{ event: 'visit.ended' },
		{ event: 'VISIT.CREATED' },
		{ event: 'visit.created.x' },
		{},
		[],
		'text',
		null,
	])('leaves %j out', (raw) => {
		expect(select(raw, ['visit.created'])).toEqual({
			kind: 'leftOut',
			message: 'Event not selected',
		});
	});

	it('selects among the elements of a batch', () => {
		const outcome = select([event, { event: 'visit.ended' }, {}, event], ['visit.created']);
		expect(outcome).toMatchObject({ events: [{ body: event }, { body: event }] });
	});

	it('has nothing to pass on of an empty batch', () => {
		expect(select([], [])).toEqual({ kind: 'leftOut', message: 'Event not selected' });
	});
});

describe('repeats', () => {
	it('does not take two numbers for one that JSON rounds to the same', () => {
		const isFirst = remembering();
		const paths = { event: '', id: 'id', items: '' };
		const kind = (id: string) =>
			receiveDelivery(delivery(`{"event":"a","id":${id}}`), settings({ paths }), [], isFirst).kind;
		expect(kind('9007199254740992')).toBe('passedOn');
		expect(kind('9007199254740993')).toBe('passedOn');
		expect(kind('9007199254740993')).toBe('leftOut');
	});

	const receive = (raw: unknown, isFirst: (key: string) => boolean, headers = {}) => {
		const outcome = receiveDelivery(
			delivery(JSON.stringify(raw), headers),
			settings(),
			[],
			isFirst,
		);
		return outcome.kind === 'passedOn' ? outcome.events.map(({ id }) => id) : outcome.kind;
	};

	it('are left out', () => {
		const isFirst = remembering();
		expect(receive(event, isFirst)).toEqual(['evt-000001']);
		expect(receive({ ...event, attempt: 2 }, isFirst)).toBe('leftOut');
		expect(receive({ ...event, id: 'evt-000002' }, isFirst)).toEqual(['evt-000002']);
	});

	it('are passed on where nothing tells one from another', () => {
		const isFirst = remembering();
		expect(receive({ event: 'a' }, isFirst)).toEqual([null]);
		expect(receive({ event: 'a' }, isFirst)).toEqual([null]);
	});

	it('are told from a further change of the same record', () => {
		const isFirst = remembering();
		const change = (name: string) => ({ event: 'user.updated', id: 17, name });
		expect(receive(change('User 000017'), isFirst)).toEqual([17]);
		expect(receive(change('User 000017'), isFirst)).toBe('leftOut');
		expect(receive(change('User 000017 changed'), isFirst)).toEqual([17]);
	});

	it('are told from another event of the same record', () => {
		const isFirst = remembering();
		const happened = (name: string) => ({ event: name, id: 7, data: { visitor: 'User 000001' } });
		expect(receive(happened('visit.created'), isFirst)).toEqual([7]);
		expect(receive(happened('visit.ended'), isFirst)).toEqual([7]);
		expect(receive(happened('visit.ended'), isFirst)).toBe('leftOut');
	});

	it('are recognised by an idempotency key beside the ID of a record', () => {
		const isFirst = remembering();
		const tried = (attempt: number) => ({ event: 'a', id: 7, idempotency_key: 'key-1', attempt });
		expect(receive(tried(1), isFirst)).toEqual([7]);
		expect(receive(tried(2), isFirst)).toBe('leftOut');
	});

	it('are not made by the elements of one batch', () => {
		const isFirst = remembering();
		const batch = { event: 'user.updated', eventId: 'evt-9', data: [{ id: 1 }, { id: 2 }] };
		expect(receive(batch, isFirst)).toEqual(['evt-9', 'evt-9']);
		expect(receive(batch, isFirst)).toBe('leftOut');
	});

	it('are left out of a batch one by one', () => {
		const isFirst = remembering();
		const one = (id: string) => ({ event: 'a', eventId: id });
		expect(receive(one('1'), isFirst)).toEqual(['1']);
		expect(receive([one('1'), one('2'), one('2'), one('3')], isFirst)).toEqual(['2', '3']);
	});

	it('are recognised by the webhook-id header', () => {
		const isFirst = remembering();
		const receiveWith = (id: string) => receive({ event: 'a' }, isFirst, { 'webhook-id': id });
		expect(receiveWith('msg_1')).toEqual(['msg_1']);
		expect(receiveWith('msg_1')).toBe('leftOut');
		expect(receiveWith('msg_2')).toEqual(['msg_2']);
	});

	it('are remembered only of what is passed on', () => {
		const isFirst = remembering();
		const rules = settings({ events: ['b'] });
		const raw = (name: string) => JSON.stringify({ event: name, eventId: '1' });
		expect(receiveDelivery(delivery(raw('a')), rules, [], isFirst).kind).toBe('leftOut');
		expect(receiveDelivery(delivery(raw('b')), rules, [], isFirst).kind).toBe('passedOn');
	});
});
