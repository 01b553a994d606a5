import { Cancellation } from '../../../../../nodes/VisitorService/http/cancellation';

const never = new Promise<never>(() => undefined);

it('ends all that is waited for, and everything after', async () => {
	const controller = new AbortController();
	const cancellation = new Cancellation(controller.signal);
	const waits = [1, 2, 3].map(async () => await cancellation.unlessCancelled(never));
	controller.abort();
	for (const wait of waits) await expect(wait).rejects.toMatchObject({ kind: 'cancelled' });
	await expect(cancellation.unlessCancelled(never)).rejects.toMatchObject({ kind: 'cancelled' });
});

it('returns the outcome of the work if nothing is cancelled', async () => {
	for (const signal of [undefined, new AbortController().signal]) {
		const cancellation = new Cancellation(signal);
		expect(await cancellation.unlessCancelled(Promise.resolve(1))).toBe(1);
		await expect(cancellation.unlessCancelled(Promise.reject(new Error('no')))).rejects.toThrow(
			'no',
		);
	}
});

it('listens once, and only while something is waited for', async () => {
	const { signal } = new AbortController();
	const added = jest.spyOn(signal, 'addEventListener');
	const removed = jest.spyOn(signal, 'removeEventListener');
	const cancellation = new Cancellation(signal);
	const works = Array.from({ length: 20 }, async (_, place) => {
		await new Promise((resolve) => setImmediate(resolve));
		return place;
	});
	await Promise.all(works.map(async (work) => await cancellation.unlessCancelled(work)));
	expect(added).toHaveBeenCalledTimes(1);
	expect(removed).toHaveBeenCalledTimes(1);
});
