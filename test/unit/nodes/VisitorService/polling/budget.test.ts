import type { RequestPace, SlowDown } from '../../../../../nodes/VisitorService/http/sendRequest';
import {
	isScheduled,
	PollPace,
	PollTime,
} from '../../../../../nodes/VisitorService/polling/budget';
import { VirtualClock } from '../../../../simulation/clock';

function timeOf(budget: number | undefined) {
	const clock = new VirtualClock(1000);
	const host = budget === undefined ? {} : { getPollBudgetMs: () => budget };
	return {
		time: new PollTime(host, clock),
		pass: (milliseconds: number) => clock.pass(milliseconds),
	};
}

describe('the time of a poll', () => {
	it('the time of a poll is the time n8n allows', () => {
		const { time, pass } = timeOf(36_000);
		expect(time.forOneRequest).toBe(10_800);
		expect(time.allowsAnotherPage()).toBe(true);
		pass(17_999);
		expect(time.allowsAnotherPage()).toBe(true);
		pass(1);
		expect(time.allowsAnotherPage()).toBe(false);
		expect(time.left()).toBeCloseTo(7_200);
		pass(8_000);
		expect(time.left()).toBeLessThan(0);
	});

	it('ends within the budget though the last request takes all it may', () => {
		const { time, pass } = timeOf(36_000);
		pass(36_000 - time.forOneRequest);
		expect(time.left()).toBeLessThanOrEqual(0);
	});

	it('the time of a poll is five minutes if n8n says nothing', () => {
		const { time, pass } = timeOf(undefined);
		expect(time.forOneRequest).toBe(30_000);
		pass(149_999);
		expect(time.allowsAnotherPage()).toBe(true);
		pass(1);
		expect(time.allowsAnotherPage()).toBe(false);
	});
});

it.each([
	[{}, false],
	[{ getPollBudgetMs: () => 300_000 }, false],
	[{ getPollBudgetMs: () => 36_000 }, true],
])('a host with %p makes its polls by the scheduler: %p', (host, scheduled) => {
	expect(isScheduled(host)).toBe(scheduled);
});

function paceWith(left: () => number) {
	const calls: string[] = [];
	const inner: RequestPace = {
		pausesInVain: 2,
		admit: async () => {
			calls.push('admit');
			return await Promise.resolve({
				accepted: () => calls.push('accepted'),
				limited: ({ statusCode, wait }: SlowDown) => calls.push(`limited ${statusCode} ${wait}`),
				released: () => calls.push('released'),
			});
		},
		close: () => calls.push('close'),
	};
	return { pace: new PollPace(inner, left), calls };
}

describe('the pace of a poll', () => {
	it('the pace of a poll is that of its requests as long as there is time', async () => {
		const { pace, calls } = paceWith(() => 10_000);
		expect(pace.pausesInVain).toBe(2);
		const admission = await pace.admit();
		admission.accepted();
		admission.limited({ statusCode: 429, wait: 10_000, isNamed: true });
		admission.released();
		pace.close();
		expect(calls).toEqual(['admit', 'accepted', 'limited 429 10000', 'released', 'close']);
	});

	it('admits nothing but the first request when the time is over', async () => {
		const { pace, calls } = paceWith(() => 0);
		await pace.admit();
		await expect(pace.admit()).rejects.toMatchObject({ kind: 'outOfTime' });
		expect(calls).toEqual(['admit', 'admit', 'released']);
	});

	it('does not wait longer than the poll may take', async () => {
		const { pace, calls } = paceWith(() => 10_000);
		const admission = await pace.admit();
		let thrown: unknown;
		try {
			admission.limited({ statusCode: 429, wait: 10_001, isNamed: true });
		} catch (error) {
			thrown = error;
		}
		expect(thrown).toMatchObject({ kind: 'rateLimit', statusCode: 429, retryAfter: 10_001 });
		expect(calls).toEqual(['admit']);
	});
});
