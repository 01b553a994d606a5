import { BucketFit } from '../../../../../nodes/VisitorService/http/bucketFit';
import { type Limiter, slidingWindow, tokenBucket } from '../../../../simulation/limiter';

/** What is found after requests at these times, in requests a second. */
function found(limiter: Limiter, times: readonly number[]): number {
	const fit = new BucketFit();
	for (const at of times) fit.answered(at, !limiter.admit(at).admitted);
	return fit.rate() * 1_000;
}

/** Nine at once, and after a pause one after the other, each a tenth sooner than the one before. */
const TRIED = Array.from({ length: 9 }, (_, number) => 2 * number);
for (let [at, apart] = [2_000, 500]; apart > 15; apart *= 0.9) {
	at += apart;
	TRIED.push(at);
}

describe('BucketFit', () => {
	it.each([
		[5, 1],
		[20, 1],
		[20, 2],
		[20, 5],
		[50, 1],
	])('finds the rate of a bucket that refills %d times a second and holds %d', (rate, burst) => {
		const result = found(tokenBucket(rate, burst), TRIED);
		expect(result).toBeGreaterThanOrEqual(0.86 * rate);
		expect(result).toBeLessThanOrEqual(rate);
	});

	it('says nothing while a wide range of rates would fit', () => {
		expect(found(tokenBucket(20, 1), TRIED.slice(0, 3))).toBe(0);
	});

	it('says nothing while nothing was refused', () => {
		expect(found(tokenBucket(20, 50), TRIED.slice(0, 30))).toBe(0);
	});

	it('says nothing of a service that counts in another way', () => {
		const everyTenth: Limiter = {
			admit: (now) => ({ ...tokenBucket(1, 1).admit(now), admitted: now % 10 < 5 }),
		};
		expect(found(everyTenth, TRIED)).toBeCloseTo(0, 3);
	});

	it('finds no higher rate than a window of a second lets through', () => {
		const even = Array.from({ length: 60 }, (_, number) => 3_000 + 45 * number);
		expect(found(slidingWindow(20, 1_000), [...TRIED.slice(0, 9), ...even])).toBeLessThanOrEqual(
			20,
		);
	});

	it('takes answers that come in another order as they were sent', () => {
		const fit = new BucketFit();
		const limiter = tokenBucket(20, 1);
		const answers = TRIED.map((at) => ({ at, wasRefused: !limiter.admit(at).admitted }));
		for (let index = 0; index + 1 < answers.length; index += 2) {
			for (const answer of [answers[index + 1], answers[index]]) {
				if (answer !== undefined) fit.answered(answer.at, answer.wasRefused);
			}
		}
		expect(fit.rate() * 1_000).toBeGreaterThanOrEqual(17);
		expect(fit.rate() * 1_000).toBeLessThanOrEqual(20);
	});

	it('forgets what was an accident', () => {
		const fit = new BucketFit();
		const limiter = tokenBucket(20, 1);
		for (const at of TRIED) fit.answered(at, !limiter.admit(at).admitted);
		expect(fit.rate()).toBeGreaterThan(0);
		fit.forget();
		expect(fit.rate()).toBe(0);
	});
});
