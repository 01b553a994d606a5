import { DAY } from '../../../../../nodes/VisitorService/values/instant';
import { HOUR, MINUTE, PolledTenant, SECOND, START } from './polledTenant';
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

	it('omits what changed before a first reading of several polls, and emits what changed during it', async () => {
		const { tenant, trigger } = prepared({ list: { maxPageSize: 5 } });
		// A time at a full minute could be that of any moment of it, also after the poll.
		tenant.pass(7);
		changeMany(tenant, 20);
		tenant.pass(10 * MINUTE);
		tenant.pagesPerPoll = 4;
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.isReading).toBe(true);
		tenant.pass(MINUTE);
		const change = tenant.change('user-19');
		expect(await trigger.drain()).toEqual([change]);
	});

	it.each(
		[true, false].flatMap((dateHeader) => [2, 4, Infinity].map((pages) => ({ dateHeader, pages }))),
	)(
		'emits what changed during a first reading although a user on the first page is dated 9999: %p',
		async ({ dateHeader, pages }) => {
			const tenant = new PolledTenant({ dateHeader, list: { maxPageSize: 5 } });
			const trigger = new SimulatedTrigger(tenant);
			tenant.pass(1234);
			tenant.change('ahead', 0, Date.UTC(9999, 11, 31));
			changeMany(tenant, 20);
			tenant.pass(10 * SECOND);
			tenant.pagesPerPoll = pages;
			const changes: number[] = [];
			tenant.beforePage = ({ page, updatedSince }) => {
				tenant.pass(SECOND);
				if (page > 0 && updatedSince !== undefined && changes.length === 0)
					changes.push(tenant.change('user-19'));
			};
			await trigger.poll();
			tenant.pass(SECOND);
			changes.push(tenant.change('user-18'));
			await trigger.drain();
			tenant.pass(MINUTE);
			changes.push(tenant.change('user-17'));
			await trigger.drain();
			expect(trigger.emitted).toEqual(changes);
		},
	);

	it.each([-HOUR, -90 * MINUTE, HOUR].flatMap((by) => [{ ours: by }, { date: by }]))(
		'emits what changed during a first reading of several polls if a clock is set meanwhile: %p',
		async (set) => {
			const { tenant, trigger } = prepared({ list: { maxPageSize: 5 } });
			changeMany(tenant, 20);
			tenant.pass(10 * MINUTE);
			tenant.pagesPerPoll = 4;
			expect(await trigger.poll()).toEqual([]);
			expect(trigger.isReading).toBe(true);
			tenant.pass(MINUTE);
			const change = tenant.change('user-19');
			Object.assign(tenant.clockSet, set);
			await trigger.poll();
			tenant.pass(MINUTE);
			await trigger.drain();
			expect(trigger.emitted).toContain(change);
		},
	);

	it.each(
		[true, false].flatMap((dateHeader) =>
			[-5 * HOUR, -HOUR, 0, HOUR].map((ourClockAhead) => ({ dateHeader, ourClockAhead })),
		),
	)(
		'returns no user of before in the first polls of a list of several pages: %p',
		async (clocks) => {
			for (const pages of [3, 4, 5, Infinity]) {
				const { tenant, trigger } = prepared({
					...clocks,
					list: { maxPageSize: 3, metadata: 'none' },
				});
				for (let number = 0; number < 20; number++) {
					tenant.pass(MINUTE);
					tenant.change(`old-${(number * 7) % 20}`);
				}
				tenant.pass(10 * SECOND);
				tenant.pagesPerPoll = pages;
				const polled = [...(await trigger.poll()), ...(await trigger.poll())];
				expect(polled.filter((change) => !tenant.newestBy('updatedAt').has(change))).toEqual([]);
				tenant.pass(MINUTE);
				const change = tenant.change('old-3');
				expect(await trigger.drain()).toContain(change);
			}
		},
	);
});

describe('a first reading of one poll', () => {
	it.each(
		[3, 0, -1, -5, -12].flatMap((hours) => [true, false].map((ignored) => ({ hours, ignored }))),
	)(
		'takes no user changed between its pages for an earlier one: %p',
		async ({ hours, ignored }) => {
			const { tenant, trigger } = prepared({
				dateAhead: -hours * HOUR,
				list: { maxPageSize: 5, updatedSince: { ignored } },
			});
			tenant.pass(1234);
			changeMany(tenant, 20);
			tenant.pass(10 * MINUTE);
			const changes: number[] = [];
			tenant.beforePage = ({ page }) => {
				tenant.pass(SECOND);
				if (page === 2) changes.push(tenant.change('user-19'));
			};
			await trigger.poll();
			tenant.beforePage = undefined;
			tenant.pass(MINUTE);
			await trigger.drain();
			expect(trigger.emitted).toEqual(changes);
		},
	);
});

describe('a first reading of a list whose times are written in a later zone', () => {
	it.each([3, 9, 14])('returns no user of before, %d hours off', async (hours) => {
		const { tenant, trigger } = prepared({ dateAhead: -hours * HOUR, list: { maxPageSize: 5 } });
		for (let number = 0; number < 20; number++) {
			tenant.pass(10 * SECOND);
			tenant.change(`user-${number}`);
		}
		tenant.pass(10 * SECOND);
		const newest = tenant.newestBy('updatedAt');
		expect((await trigger.poll()).filter((change) => !newest.has(change))).toEqual([]);
		tenant.pass(MINUTE);
		const change = tenant.change('user-3');
		expect(await trigger.drain()).toEqual([change]);
	});
});

describe('a first reading of several polls of a list whose times are written in an earlier zone', () => {
	it.each([-3, -5, -11])(
		'takes no user created meanwhile for an earlier one, %d hours off',
		async (hours) => {
			const { tenant, trigger } = prepared(
				{
					showsCreation: true,
					creationTimes: { ahead: hours * HOUR, unit: 1 },
					list: { updatedSince: { ignored: true } },
				},
				{ triggerOn: 'created', pageSize: 10 },
			);
			tenant.pagesPerPoll = 1;
			expect(await trigger.poll()).toEqual([]);
			tenant.pass(MINUTE);
			const created = tenant.change('new');
			tenant.pass(MINUTE);
			expect(await trigger.drain()).toEqual([created]);
		},
	);

	it.each([-3, -5, -11].flatMap((hours) => [true, false].map((ignored) => ({ hours, ignored }))))(
		'takes no user changed meanwhile for an earlier one: %p',
		async ({ hours, ignored }) => {
			const { tenant, trigger } = prepared({
				dateAhead: -hours * HOUR,
				list: { maxPageSize: 5, updatedSince: { ignored } },
			});
			changeMany(tenant, 20);
			tenant.pass(10 * MINUTE);
			tenant.pagesPerPoll = 4;
			expect(await trigger.poll()).toEqual([]);
			expect(trigger.isReading).toBe(true);
			tenant.pass(MINUTE);
			const change = tenant.change('user-19');
			expect(await trigger.drain()).toContain(change);
		},
	);
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
