import { outcomeOf } from '../../../queue/cluster/deliveryOutcome';
import type { Delivery } from '../../../reference-service';

const delivery = (event: string, ...statuses: number[]): Delivery => ({
	receiver: { url: 'http://127.0.0.1/' },
	event: { id: event, event: 'visit.updated', data: {}, createdAt: '2026-01-01T00:00:00Z' },
	statuses,
});

const execution = (event: string | null, status = 'success') => ({
	executionId: `execution of ${event}`,
	event,
	status,
});

const nothing = { accepted: 0, lost: [], doubled: [], multiplied: [] };

it('finds nothing wrong where each accepted event was executed once', () => {
	expect(outcomeOf([delivery('a', 200)], [execution('a')])).toEqual({
		...nothing,
		accepted: 1,
	});
});

it('tells what was accepted and not executed, or not with success', () => {
	const deliveries = [delivery('a', 200), delivery('b', 200)];
	expect(outcomeOf(deliveries, [execution('b', 'crashed'), execution(null)])).toEqual({
		...nothing,
		accepted: 2,
		lost: ['a ()', 'b (crashed)'],
	});
});

it('does not miss what was never accepted', () => {
	expect(outcomeOf([delivery('a', 500, 0, 503)], [])).toEqual(nothing);
});

it('tells executions by the retries of the sender from those that n8n made itself', () => {
	const deliveries = [delivery('a', 500, 200), delivery('b', 200)];
	const executions = ['a', 'a', 'b', 'b'].map((event) => execution(event));
	expect(outcomeOf(deliveries, executions)).toEqual({
		...nothing,
		accepted: 2,
		doubled: ['a', 'b'],
		multiplied: ['b'],
	});
});
