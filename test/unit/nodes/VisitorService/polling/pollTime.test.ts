import { PollTime } from '../../../../../nodes/VisitorService/polling/pollTime';

function timeOf(budget: number | undefined) {
	let now = 1000;
	const host = budget === undefined ? {} : { getPollBudgetMs: () => budget };
	return {
		time: new PollTime(host, { now: () => now }),
		pass: (milliseconds: number) => (now += milliseconds),
	};
}

describe('the time of a poll', () => {
	it('is what n8n gives', () => {
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

	it('is five minutes where n8n says nothing', () => {
		const { time, pass } = timeOf(undefined);
		expect(time.forOneRequest).toBe(30_000);
		pass(149_999);
		expect(time.allowsAnotherPage()).toBe(true);
		pass(1);
		expect(time.allowsAnotherPage()).toBe(false);
	});
});
