import { Cancellation } from '../../../../../nodes/VisitorService/http/cancellation';

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
