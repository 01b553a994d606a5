import { PollPace } from '../../../../../nodes/VisitorService/polling/pollPace';
import { OutOfTime } from '../../../../../nodes/VisitorService/polling/readUsers';
import type {
	RequestPace,
	SlowDown,
} from '../../../../../nodes/VisitorService/transport/sendRequest';

function paceWith(left: () => number) {
	const calls: string[] = [];
	const inner: RequestPace = {
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
	it('is that of its requests as long as there is time', async () => {
		const { pace, calls } = paceWith(() => 10_000);
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
		await expect(pace.admit()).rejects.toBeInstanceOf(OutOfTime);
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
