import { MINUTE } from './polledTenant';
import { changeMany, prepared, started } from './startedTrigger';

describe('the cost', () => {
	it('sends one request for a poll that finds nothing', async () => {
		const { tenant, trigger } = await started();
		for (let poll = 0; poll < 10; poll++) {
			tenant.pass(MINUTE);
			await trigger.poll();
		}
		expect(tenant.requests).toHaveLength(10);
		tenant.change('a');
		await trigger.poll();
		tenant.requests = [];
		for (let poll = 0; poll < 10; poll++) {
			tenant.pass(MINUTE);
			await trigger.poll();
		}
		expect(tenant.requests).toHaveLength(10);
	});

	it.each([1, 99, 100, 101, 1000, 1001])(
		'sends one request for each page if a poll finds %p changes',
		async (count) => {
			const { tenant, trigger } = await started();
			tenant.pass(10 * MINUTE);
			changeMany(tenant, count);
			tenant.requests = [];
			expect(await trigger.poll()).toHaveLength(count);
			// Where the last page is full, only an empty one proves that the total is right.
			expect(tenant.requests).toHaveLength(Math.floor(count / 100) + 1);
		},
	);

	it('sends one request for a poll again after changes on several pages have left the overlap', async () => {
		const { tenant, trigger } = await started();
		tenant.pass(10 * MINUTE);
		changeMany(tenant, 250);
		const costs: number[] = [];
		for (let poll = 0; poll < 5; poll++) {
			tenant.requests = [];
			await trigger.poll();
			costs.push(tenant.requests.length);
			tenant.pass(10 * MINUTE);
		}
		// Found, within the overlap, a second time past it, gone.
		expect(costs).toEqual([3, 3, 3, 1, 1]);
	});

	it('sends four requests for the first poll: for the list, what differs in each answer, the filter and the changes', async () => {
		const { tenant, trigger } = prepared();
		tenant.change('a');
		await trigger.poll();
		expect(tenant.requests.map(({ pageSize }) => pageSize)).toEqual([100, 1, 100, 100]);
	});
});
