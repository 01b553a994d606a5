import { hostClock } from '../../../../../nodes/VisitorService/operations/host';

describe('hostClock', () => {
	const clock = hostClock(() => 42);

	it('tells the time it was given', () => {
		expect(clock.now()).toBe(42);
	});

	it('rings once, when a timer has run out', async () => {
		let rang = 0;
		await new Promise<void>((ring) => {
			clock.startTimer(1, () => {
				rang++;
				ring();
			});
		});
		await clock.sleep(20);
		expect(rang).toBe(1);
	});

	it('does not ring after a timer was stopped', async () => {
		let rang = false;
		const stop = clock.startTimer(1, () => {
			rang = true;
		});
		stop();
		await clock.sleep(20);
		expect(rang).toBe(false);
	});
});
