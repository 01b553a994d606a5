import { DAY } from '../../../../../nodes/VisitorService/values/instant';
import { HOUR, MINUTE, PolledTenant, SECOND } from './polledTenant';
import { SimulatedTrigger } from './simulatedTrigger';
import { started } from './startedTrigger';

describe('another address or client', () => {
	it('goes on from the same place if the tenant gets another URL, with nothing lost or doubled', async () => {
		const { tenant, trigger } = await started();
		tenant.pass(3 * HOUR);
		tenant.change('a');
		await trigger.poll();
		tenant.pass(MINUTE);
		const change = tenant.change('b');
		tenant.service = 'tenant-1 under another address';
		expect(await trigger.poll()).toEqual([change]);
		tenant.pass(MINUTE);
		const next = tenant.change('a');
		expect(await trigger.drain()).toEqual([next]);
	});

	it('emits only what changed since the last poll if the credential leads to another tenant', async () => {
		const { tenant, trigger } = await started();
		tenant.pass(DAY);
		await trigger.poll();
		const other = new PolledTenant({ dateAhead: HOUR }, tenant.time - HOUR);
		other.service = 'tenant-2';
		for (let number = 0; number < 50; number++)
			other.change(`user-${number}`, 0, other.time - 10 * DAY + number);
		other.pass(MINUTE);
		const moved = new SimulatedTrigger(other);
		moved.cursor = trigger.cursor;
		expect(await moved.poll()).toEqual([]);
		other.pass(SECOND);
		// Its clock is an hour slow, so it shows a time before the place the trigger had.
		const change = other.change('a');
		expect(await moved.poll()).toEqual([change]);
	});

	it('finds out anew which fields tell versions apart', async () => {
		const { tenant, trigger } = await started();
		tenant.service = 'tenant-2';
		tenant.set({ idField: 'userId', updatedAtField: 'lastModified' });
		tenant.pass(MINUTE);
		const change = tenant.change('a');
		expect(await trigger.poll()).toEqual([change]);
		expect(trigger.cursor?.list?.fields).toEqual({
			id: 'userId',
			updatedAt: 'lastModified',
			createdAt: '',
			unit: 0,
		});
	});
});
