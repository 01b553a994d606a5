import { newestRecords } from '../../../../../nodes/VisitorService/polling/newest';
import { FILTER_IGNORED } from '../../../../../nodes/VisitorService/polling/pollForChanges';
import { type Habits, HOUR, MINUTE, PolledTenant, START } from './polledTenant';
import { plainSettings } from './simulatedTrigger';

const DAY = 24 * HOUR;

function tenantWith(ages: number[], habits: Partial<Habits> = {}): PolledTenant {
	const tenant = new PolledTenant(habits);
	for (const [number, age] of ages.entries()) tenant.change(`user-${number}`, 0, START - age);
	return tenant;
}

async function shown(tenant: PolledTenant): Promise<unknown[]> {
	const { records } = await newestRecords(tenant, plainSettings);
	return records.map(({ id }) => id);
}

describe('the users changed last', () => {
	it('the users changed last come newest first, ten at most', async () => {
		const tenant = tenantWith(Array.from({ length: 30 }, (_, number) => (30 - number) * MINUTE));
		expect(await shown(tenant)).toEqual(
			Array.from({ length: 10 }, (_, place) => `user-${29 - place}`),
		);
	});

	it.each([
		['a day', [3 * HOUR, 2 * DAY, 40 * DAY], ['user-0']],
		['thirty days', [3 * DAY, 2 * DAY, 40 * DAY], ['user-1', 'user-0']],
		['all time', [300 * DAY, 40 * DAY], ['user-1', 'user-0']],
	])('the users changed last are those of %s if none is newer', async (_span, ages, ids) => {
		expect(await shown(tenantWith(ages))).toEqual(ids);
	});

	it('shows a user without any time after those with one', async () => {
		const tenant = tenantWith([MINUTE, HOUR, 2 * HOUR], { timeless: 'user-0' });
		expect(await shown(tenant)).toEqual(['user-1', 'user-2', 'user-0']);
	});

	it('the users changed last are none if the list has none', async () => {
		expect(await newestRecords(new PolledTenant(), plainSettings)).toEqual({
			records: [],
			notes: [],
		});
	});

	it('the users of the first page are shown as the removed ones would be, ten at most', async () => {
		const tenant = tenantWith(Array.from({ length: 12 }, () => MINUTE));
		const found = await newestRecords(tenant, { ...plainSettings, triggerOn: 'removed' });
		expect(found).toEqual({
			records: Array.from({ length: 10 }, (_, number) => ({ id: `user-${number}` })),
			notes: [],
		});
	});

	it('the users changed last need no remark if the service follows the filter', async () => {
		expect((await newestRecords(tenantWith([MINUTE]), plainSettings)).notes).toEqual([]);
	});

	it('the users changed last are those of the first page if the service ignores the filter, and that is said', async () => {
		const tenant = tenantWith([3 * DAY, MINUTE], {
			list: { updatedSince: { ignored: true } },
		});
		const { records, notes } = await newestRecords(tenant, plainSettings);
		expect(records.map(({ id }) => id)).toEqual(['user-1', 'user-0']);
		expect(notes).toEqual([FILTER_IGNORED]);
		expect(tenant.requests).toHaveLength(2);
	});

	it('cost ten pages and a few requests at most, however many they are', async () => {
		const tenant = tenantWith(Array.from({ length: 5000 }, () => MINUTE));
		expect(await shown(tenant)).toHaveLength(10);
		expect(tenant.requests.length).toBeLessThanOrEqual(13);
	});
});
