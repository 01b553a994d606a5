import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import { AdaptivePace } from '../../../../../nodes/VisitorService/http/adaptivePace';
import type { Admission } from '../../../../../nodes/VisitorService/http/sendRequest';
import { VirtualClock } from '../../../../simulation/clock';

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
	it('starts with one, goes on with nine, then one more with each fifth answer, up to the concurrency', async () => {
		const clock = new VirtualClock();
		const pace = new AdaptivePace(11, clock);
		const { admitted } = waitAll(pace, clock, 30);
		const inFlight: number[] = [];
		for (let answered = 0; answered < 17; answered++) {
			await settled();
			inFlight.push(admitted.length - answered);
			admitted[answered]?.admission.accepted();
			admitted[answered]?.admission.released();
		}
		expect(inFlight).toEqual([1, 9, 9, 9, 9, 9, 10, 10, 10, 10, 10, 11, 11, 11, 11, 11, 11]);
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

	it('never has more in flight than the concurrency, even if that is 1', async () => {
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
		'sends one request after a pause, then half as many as were under way together (%d)',
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
			expect(admitted.slice(before).map(({ at }) => at)).toEqual([1_002_050]);
			admitted.at(-1)?.admission.accepted();
			admitted.at(-1)?.admission.released();
			await clock.run(clock.sleep(3_000));
			expect(admitted.slice(before + 1)).toHaveLength(4);
		},
	);

	it('counts the pauses in vain until a request is let through', async () => {
		const { clock, pace, admitted, inFlight } = await withInFlight(4);
		for (const { admission } of inFlight) {
			admission.limited({ statusCode: 429, wait: 500, isNamed: false });
			admission.released();
		}
		expect(pace.pausesInVain).toBe(0);
		for (const inVain of [1, 2]) {
			await clock.run(clock.sleep(500));
			expect(pace.pausesInVain).toBe(inVain);
			admitted.at(-1)?.admission.limited({ statusCode: 429, wait: 500, isNamed: false });
			admitted.at(-1)?.admission.released();
		}
		await clock.run(clock.sleep(500));
		admitted.at(-1)?.admission.accepted();
		expect(pace.pausesInVain).toBe(0);
	});

	it.each([
		['nothing is left', { remaining: 0, resetsIn: 7_000 }, 7_000],
		['what is left is under way', { remaining: 3, resetsIn: 7_000 }, 7_000],
		['more is left than is under way', { remaining: 4, resetsIn: 7_000 }, 0],
		['the reset is an hour away', { remaining: 0, resetsIn: 3_600_000 }, 0],
	])('obeys an announced limit before a refusal: %s', async (_, announced, pause) => {
		const { clock, admitted, inFlight } = await withInFlight(4);
		const before = admitted.length;
		// The first of them was the first to be counted, so the other three use what it leaves.
		inFlight[0]?.admission.accepted(announced);
		for (const { admission } of inFlight) admission.released();
		await settled();
		expect(admitted.length > before).toBe(pause === 0);
		await clock.run(clock.sleep(pause));
		await settled();
		expect(admitted.length).toBeGreaterThan(before);
	});

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

	it('goes on as before after the pause if only one request of a moment was refused', async () => {
		const { clock, admitted, inFlight } = await withInFlight(8);
		const before = admitted.length;
		const [refused, ...others] = inFlight;
		refused?.admission.limited({ statusCode: 503, wait: 500, isNamed: false });
		refused?.admission.released();
		for (const { admission } of others) {
			admission.accepted();
			admission.released();
		}
		await clock.run(clock.sleep(501));
		expect(admitted.length - before).toBe(1);
		admitted.at(-1)?.admission.accepted();
		admitted.at(-1)?.admission.released();
		await clock.run(clock.sleep(1));
		expect(admitted.length - before).toBe(9);
	});

	it('hands the place of a failed request to the next one', async () => {
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
		const clock = new VirtualClock();
		const pace = new AdaptivePace(4, clock);
		const [first, second] = [pace.admit(), pace.admit()];
		const admission = await first;
		admission.limited(slowDown(429, 1_000));
		admission.released();
		clock.cancel(new Error('cancelled'));
		await expect(second).rejects.toThrow('cancelled');
		await expect(pace.admit()).rejects.toThrow('The listing is over.');
	});
});
