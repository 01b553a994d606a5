import { AdaptivePace } from '../../../../../nodes/VisitorService/transport/adaptivePace';
import type { Admission } from '../../../../../nodes/VisitorService/transport/sendRequest';
import { ServiceFailure } from '../../../../../nodes/VisitorService/transport/serviceFailure';
import { VirtualClock } from './virtualClock';

/** Asks for so many admissions and writes down who was admitted when. */
function waitAll(pace: AdaptivePace, clock: VirtualClock, count: number) {
	const admitted: Array<{ at: number; admission: Admission }> = [];
	const failed: unknown[] = [];
	for (let number = 0; number < count; number++) {
		pace.admit().then(
			(admission) => admitted.push({ at: clock.now(), admission }),
			(error: unknown) => failed.push(error),
		);
	}
	return { admitted, failed };
}

const settled = async () => await new Promise((resolve) => setImmediate(resolve));
const slowDown = (statusCode: number, wait: number) => ({ statusCode, wait, isNamed: true });

describe('AdaptivePace', () => {
	it('starts with one, goes on with five, then one more with each answer, up to the concurrency', async () => {
		const clock = new VirtualClock();
		const pace = new AdaptivePace(6, clock);
		const { admitted } = waitAll(pace, clock, 30);
		const inFlight: number[] = [];
		for (let answered = 0; answered < 10; answered++) {
			await settled();
			inFlight.push(admitted.length - answered);
			admitted[answered]?.admission.accepted();
			admitted[answered]?.admission.released();
		}
		expect(inFlight).toEqual([1, 5, 6, 6, 6, 6, 6, 6, 6, 6]);
	});

	it.each([
		['evenly over the time an answer takes', 100, [100, 118, 136, 154, 172]],
		['at once where answers take no time', 4, [4, 4, 4, 4, 4]],
		['not too far apart after a slow first answer', 9_000, [9_000, 9_050, 9_100, 9_150, 9_200]],
	])('starts the next ones %s', async (_, latency, starts) => {
		const clock = new VirtualClock();
		const pace = new AdaptivePace(5, clock);
		const { admitted } = waitAll(pace, clock, 6);
		const begin = clock.now();
		const reading = async () => {
			await settled();
			await clock.sleep(latency);
			admitted[0]?.admission.accepted();
			admitted[0]?.admission.released();
			await clock.sleep(10_000);
		};
		await clock.run(reading());
		expect(admitted.slice(1).map(({ at }) => at - begin)).toEqual(starts);
	});

	it('never has more in flight than the concurrency, also where that is 1', async () => {
		const clock = new VirtualClock();
		const pace = new AdaptivePace(1, clock);
		const { admitted } = waitAll(pace, clock, 3);
		for (let answered = 0; answered < 3; answered++) {
			await settled();
			expect(admitted).toHaveLength(answered + 1);
			admitted[answered]?.admission.accepted();
			admitted[answered]?.admission.released();
		}
	});

	/** A pace with so many in flight, which have just been admitted. */
	async function withInFlight(count: number) {
		const clock = new VirtualClock(1_000_000);
		const pace = new AdaptivePace(count, clock);
		const { admitted, failed } = waitAll(pace, clock, 200);
		let done = 0;
		for (; admitted.length - done < count; done++) {
			await settled();
			admitted[done]?.admission.accepted();
			admitted[done]?.admission.released();
			await settled();
		}
		return { clock, pace, admitted, failed, inFlight: admitted.splice(done) };
	}

	it.each([429, 503])(
		'halves the window once for all that were under way together (%d)',
		async (status) => {
			const { clock, admitted, inFlight } = await withInFlight(8);
			const before = admitted.length;
			await clock.run(clock.sleep(50));
			for (const { admission } of inFlight) {
				admission.limited(slowDown(status, 2_000));
				admission.released();
			}
			await settled();
			expect(admitted).toHaveLength(before);
			await clock.run(clock.sleep(1_999));
			expect(admitted).toHaveLength(before);
			await clock.run(clock.sleep(3_000));
			const started = admitted.slice(before);
			expect(started).toHaveLength(4);
			expect(Math.min(...started.map(({ at }) => at))).toBe(1_002_050);
		},
	);

	it('makes everybody wait for the longest wait that was named', async () => {
		const { clock, admitted, inFlight } = await withInFlight(4);
		const before = admitted.length;
		inFlight[0]?.admission.limited(slowDown(503, 5_000));
		inFlight[1]?.admission.limited(slowDown(503, 1_000));
		for (const { admission } of inFlight) admission.released();
		await clock.run(clock.sleep(4_999));
		expect(admitted).toHaveLength(before);
		await clock.run(clock.sleep(1));
		expect(admitted.length).toBeGreaterThan(before);
	});

	it('grows back after an overload, and does not spread the requests in time', async () => {
		const { clock, admitted, inFlight } = await withInFlight(8);
		for (const { admission } of inFlight) {
			admission.limited(slowDown(503, 1_000));
			admission.released();
		}
		let done = admitted.length;
		await clock.run(clock.sleep(1_000));
		expect(admitted.length - done).toBe(4);
		for (let answered = 0; answered < 20; answered++, done++) {
			admitted[done]?.admission.accepted();
			admitted[done]?.admission.released();
			await settled();
		}
		expect(admitted.length - done).toBe(8);
		expect(admitted.at(-1)?.at).toBe(clock.now());
	});

	it('gives the place of one that failed to the next', async () => {
		const clock = new VirtualClock();
		const pace = new AdaptivePace(4, clock);
		const { admitted } = waitAll(pace, clock, 2);
		await settled();
		admitted[0]?.admission.released();
		await settled();
		expect(admitted).toHaveLength(2);
	});

	it('admits nobody any more once it is closed, neither those who wait nor later ones', async () => {
		const { clock, pace, admitted, failed, inFlight } = await withInFlight(4);
		const before = admitted.length;
		inFlight[0]?.admission.limited(slowDown(429, 1_000));
		pace.close();
		for (const { admission } of inFlight) admission.released();
		const late = waitAll(pace, clock, 1);
		await clock.runOut();
		expect(admitted).toHaveLength(before);
		expect(failed.length).toBeGreaterThan(100);
		expect(late.failed[0]).toBeInstanceOf(ServiceFailure);
		expect(late.failed[0]).toMatchObject({ kind: 'cancelled' });
	});

	it('fails all who wait when the execution is cancelled', async () => {
		let cancel: (error: Error) => void = () => undefined;
		const pace = new AdaptivePace(4, {
			now: () => 0,
			sleep: async () => {
				await new Promise((_, reject) => {
					cancel = reject;
				});
			},
		});
		const [first, second] = [pace.admit(), pace.admit()];
		const admission = await first;
		admission.limited(slowDown(429, 1_000));
		admission.released();
		cancel(new Error('cancelled'));
		await expect(second).rejects.toThrow('cancelled');
		await expect(pace.admit()).rejects.toThrow('The listing is over.');
	});
});
