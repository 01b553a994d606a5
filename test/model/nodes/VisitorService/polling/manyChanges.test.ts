import { HOUR, MINUTE } from '../../../../unit/nodes/VisitorService/polling/polledTenant';
import { repeated } from '../../../../unit/nodes/VisitorService/polling/simulatedTrigger';
import {
	changeMany,
	sorted,
	started,
} from '../../../../unit/nodes/VisitorService/polling/startedTrigger';

describe('ten thousand users with one time', () => {
	it('emits ten thousand users with one time in one poll, each once', async () => {
		const { tenant, trigger } = await started();
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 10_000);
		expect(sorted(await trigger.poll())).toEqual(changes);
		for (let poll = 0; poll < 4; poll++) {
			tenant.pass(10 * MINUTE);
			expect(await trigger.poll()).toEqual([]);
		}
		const last = tenant.change('another');
		expect(await trigger.poll()).toEqual([last]);
		expect(trigger.cursor?.changes?.remembered).toMatch(/^[0-9a-z]+:[\w-]{20}$/);
	});

	it('emits ten thousand users with one time a thousand at a time, while they are new', async () => {
		const { tenant, trigger } = await started({}, { maxItems: 1000, pageSize: 1000 });
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 10_000);
		for (let poll = 0; poll < 10; poll++) expect(await trigger.poll()).toHaveLength(1000);
		expect(sorted(trigger.emitted)).toEqual(changes);
		tenant.pass(HOUR);
		expect(await trigger.drain()).toEqual([]);
	});

	it('emits ten thousand users with one time a thousand at a time later on, and remembers each with a few characters', async () => {
		const { tenant, trigger } = await started({}, { maxItems: 1000, pageSize: 1000 });
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 10_000);
		tenant.pass(HOUR);
		changes.push(tenant.change('later'));
		let longest = 0;
		for (let poll = 0; poll < 11; poll++) {
			await trigger.poll();
			longest = Math.max(longest, trigger.cursor?.changes?.remembered.length ?? Infinity);
		}
		expect(sorted(trigger.emitted)).toEqual(changes);
		// A filter that knows days only may find them all again when the place has moved on.
		expect(longest).toBeLessThan(10_000 * 13 + 100);
	});
});

describe('the cursor of many changes', () => {
	it('holds no more than the changes of the overlap and the last polls', async () => {
		const { tenant, trigger } = await started();
		let longest = 0;
		for (let minute = 0; minute < 200; minute++) {
			tenant.pass(MINUTE);
			changeMany(tenant, 20, minute * 20);
			await trigger.poll();
			longest = Math.max(longest, JSON.stringify(trigger.cursor).length);
		}
		expect(trigger.emitted).toHaveLength(4000);
		expect(repeated(trigger.emitted)).toEqual([]);
		// 20 changes a minute, of 30 bytes each, in a quarter of an hour.
		expect(longest).toBeLessThan(15 * 20 * 30);
	});

	it('takes 1.5 MB at the bound', async () => {
		const { tenant, trigger } = await started({}, { pageSize: 1000, maxItems: 100_000 });
		tenant.pass(MINUTE);
		// Each at a time of its own, and so fresh that what they hold counts: nothing takes more room.
		for (let number = 0; number < 50_100; number++) {
			tenant.pass(1);
			tenant.change(`user-${number}`);
		}
		expect(await trigger.poll()).toHaveLength(50_000);
		const bytes = Buffer.byteLength(JSON.stringify(trigger.cursor));
		console.info(`a cursor that remembers 50000 versions takes ${bytes} bytes`);
		expect(bytes).toBeLessThan(1_501_000);
	});
});
