import type { WebhookEnvelope } from '../../reference-service';
import { deliveryBody } from '../../reference-service/webhookEnvelope';

const event = {
	event: 'user.updated',
	id: 'evt-1',
	createdAt: '2026-01-01T00:00:00Z',
	data: { n: 1 },
};

describe('deliveryBody', () => {
	it.each([
		[{}, { id: 'evt-1', event: 'user.updated', createdAt: event.createdAt, data: { n: 1 } }],
		[
			{ eventField: 'Type', idField: 'event_id', timeField: null, dataField: 'payload' },
			{ event_id: 'evt-1', Type: 'user.updated', payload: { n: 1 } },
		],
		[{ eventField: null, idField: null, timeField: null, dataField: null }, { n: 1 }],
		[
			{ template: { meta: { kind: '{event}', note: 'id {id}' }, object: '{data}' } },
			{ meta: { kind: 'user.updated', note: 'id evt-1' }, object: { n: 1 } },
		],
	] as Array<[WebhookEnvelope, object]>)(
		'writes an event in the envelope %j',
		(envelope, expected) => {
			expect(deliveryBody([event], envelope, false)).toEqual(expected);
		},
	);

	it('batches bare or under a key', () => {
		const envelope = { timeField: null, dataField: null, eventField: null };
		const list = [
			{ id: 'evt-1', n: 1 },
			{ id: 'evt-1', n: 1 },
		];
		expect(deliveryBody([event, event], envelope, true)).toEqual(list);
		expect(deliveryBody([event, event], { ...envelope, batchField: 'events' }, true)).toEqual({
			events: list,
		});
	});
});
