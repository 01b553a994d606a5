import { DAY } from '../../../../../nodes/VisitorService/values/instant';
import { HOUR, MINUTE, PolledTenant, START } from './polledTenant';
import { SimulatedTrigger } from './simulatedTrigger';
import { changeMany, prepared, sorted } from './startedTrigger';

describe('the first poll', () => {
	it('emits nothing if it starts from now on, and the next one emits what changed since', async () => {
		const { tenant, trigger } = prepared();
		tenant.change('just before');
		expect(await trigger.poll()).toEqual([]);
		tenant.pass(MINUTE);
		const changes = [tenant.change('just before'), tenant.change('new')];
		expect(sorted(await trigger.poll())).toEqual(changes);
		expect(await trigger.poll()).toEqual([]);
	});

	it('emits what changed since a date, that moment included', async () => {
		const { tenant, trigger } = prepared({}, { startDate: START - HOUR });
		tenant.change('before', 0, START - HOUR - 1);
		const changes = [
			tenant.change('at', 0, START - HOUR),
			tenant.change('after', 0, START - MINUTE),
		];
		expect(await trigger.poll()).toEqual(changes);
		tenant.pass(DAY);
		expect(await trigger.drain()).toEqual([]);
	});

	it('emits nothing before a date that is still to come', async () => {
		const { tenant, trigger } = prepared({}, { startDate: START + HOUR });
		tenant.change('before');
		expect(await trigger.poll()).toEqual([]);
		tenant.pass(30 * MINUTE);
		tenant.change('before');
		expect(await trigger.poll()).toEqual([]);
		tenant.pass(HOUR);
		const change = tenant.change('after');
		expect(await trigger.poll()).toEqual([change]);
	});

	it('emits every later user if the tenant had no users at the first poll', async () => {
		const tenant = new PolledTenant();
		const trigger = new SimulatedTrigger(tenant);
		expect(await trigger.poll()).toEqual([]);
		tenant.pass(MINUTE);
		expect(await trigger.poll()).toEqual([]);
		expect(tenant.requests).toHaveLength(2);
		const changes = changeMany(tenant, 3);
		expect(sorted(await trigger.poll())).toEqual(changes);
		tenant.pass(DAY);
		expect(await trigger.drain()).toEqual([]);
	});

	it('returns nothing of before and of meanwhile if the first reading takes several polls, and what changed after it', async () => {
		const { tenant, trigger } = prepared({ list: { maxPageSize: 5 } });
		// Nobody but a bulk import hours ago, and the newest change shows no clock.
		changeMany(tenant, 20);
		tenant.pass(6 * HOUR);
		tenant.pagesPerPoll = 2;
		expect(await trigger.drain()).toEqual([]);
		expect(trigger.polls).toBeGreaterThan(5);
		tenant.pass(MINUTE);
		const change = tenant.change('user-19');
		expect(await trigger.drain()).toEqual([change]);
	});
});

describe('a compared list of a service that sends no Date', () => {
	it.each([true, false])(
		'counts whoever is created as new although our clock is days ahead, with others before it: %p',
		async (hasOthers) => {
			const habits = { dateHeader: false, ourClockAhead: 4 * DAY, showsCreation: true };
			const settings = { triggerOn: 'created', acceptsUpdatedSince: false } as const;
			const tenant = hasOthers ? prepared(habits).tenant : new PolledTenant(habits);
			const trigger = new SimulatedTrigger(tenant, settings);
			expect(await trigger.poll()).toEqual([]);
			tenant.pass(HOUR);
			const created = tenant.change('new');
			expect(await trigger.drain()).toEqual([created]);
		},
	);
});
