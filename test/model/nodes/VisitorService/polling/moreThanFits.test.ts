import { DAY } from '../../../../../nodes/VisitorService/values/instant';
import {
	HOUR,
	MINUTE,
	PolledTenant,
	SECOND,
} from '../../../../unit/nodes/VisitorService/polling/polledTenant';
import {
	repeated,
	SimulatedTrigger,
} from '../../../../unit/nodes/VisitorService/polling/simulatedTrigger';
import {
	changeMany,
	prepared,
	sorted,
	started,
} from '../../../../unit/nodes/VisitorService/polling/startedTrigger';

describe('more changes than fit', () => {
	it('emits more changes than fit at once if they only fill several pages', async () => {
		const { tenant, trigger } = await started({}, { pageSize: 7 });
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 100);
		expect(sorted(await trigger.poll())).toEqual(changes);
	});

	it('emits more changes than maxItems with the next polls, whatever happens between', async () => {
		const { tenant, trigger } = await started({}, { maxItems: 10 });
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 25);
		expect(await trigger.poll()).toHaveLength(10);
		tenant.pass(DAY);
		trigger.restart();
		changes.push(tenant.change('another'));
		await trigger.drain();
		expect(sorted(trigger.emitted)).toEqual(changes);
	});

	it('emits the other changes with the next polls if the time of a poll is too short', async () => {
		const { tenant, trigger } = await started({ list: { maxPageSize: 5 } }, { pageSize: 50 });
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 60);
		tenant.pagesPerPoll = 3;
		const counts: number[] = [];
		for (let poll = 0; poll < 4; poll++) counts.push((await trigger.poll()).length);
		expect(counts).toEqual([15, 15, 15, 15]);
		expect(sorted(trigger.emitted)).toEqual(changes);
		tenant.pass(DAY);
		for (let poll = 0; poll < 60; poll++) expect(await trigger.poll()).toEqual([]);
		const last = tenant.change('another');
		expect(await trigger.poll()).toEqual([last]);
		expect(trigger.cursor?.changes?.remembered).toMatch(/^[0-9a-z]+:[\w-]{20}$/);
	});

	it('reads on at the same page after a restart if more changes than fit take too long for a poll', async () => {
		const { tenant, trigger } = await started({ list: { maxPageSize: 5 } }, { pageSize: 50 });
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 40);
		tenant.pagesPerPoll = 2;
		for (let poll = 0; poll < 4; poll++) {
			await trigger.poll();
			trigger.restart();
		}
		expect(sorted(trigger.emitted)).toEqual(changes);
	});

	it('holds changes back until those before them are past the overlap if not all can be remembered', async () => {
		const { tenant, trigger } = await started({}, { maxRemembered: 20 });
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 50);
		expect(await trigger.poll()).toHaveLength(20);
		expect(await trigger.poll()).toEqual([]);
		for (let poll = 0; poll < 10; poll++) {
			tenant.pass(10 * MINUTE);
			await trigger.poll();
		}
		expect(sorted(trigger.emitted)).toEqual(changes);
	});

	it('emits all of more changes than fit, even if not all can be remembered and their times have no zone', async () => {
		const { tenant, trigger } = await started(
			{ list: { updatedAtFormat: 'isoLocal' } },
			{ maxRemembered: 20 },
		);
		tenant.pass(HOUR);
		const changes = changeMany(tenant, 50);
		// Some of them may have changed up to 26 hours later than others, for all that is known.
		for (let poll = 0; poll < 30; poll++) {
			await trigger.poll();
			tenant.pass(2 * HOUR);
		}
		expect(sorted(trigger.emitted)).toEqual(changes);
	});

	it('hides no older change that shows late if not all can be remembered', async () => {
		const { tenant, trigger } = await started({}, { maxRemembered: 20 });
		tenant.pass(MINUTE);
		const late = tenant.change('late', 2 * MINUTE);
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 30);
		await trigger.poll();
		for (let poll = 0; poll < 10; poll++) {
			tenant.pass(10 * MINUTE);
			await trigger.poll();
		}
		expect(sorted(trigger.emitted)).toEqual([late, ...changes]);
	});
});

describe('changes that wait for room', () => {
	it('emits each change once if an older one shows late while not all can be remembered', async () => {
		const { tenant, trigger } = await started({}, { maxRemembered: 20 });
		const late = tenant.change('late', 4 * MINUTE);
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 30);
		tenant.pass(MINUTE);
		expect(await trigger.poll()).toHaveLength(20);
		for (let poll = 0; poll < 20; poll++) {
			tenant.pass(3 * MINUTE);
			await trigger.poll();
		}
		expect(sorted(trigger.emitted)).toEqual([late, ...changes]);
	});

	it('emits another content of the same second at once, although no further change can be remembered', async () => {
		const { tenant, trigger } = await started(
			{ list: { updatedAtFormat: 'isoSeconds' } },
			{ maxRemembered: 4 },
		);
		tenant.pass(MINUTE);
		changeMany(tenant, 8);
		expect(await trigger.poll()).toHaveLength(4);
		const known = [...tenant.current()].filter(([, change]) => trigger.emitted.includes(change));
		const again = known.map(([id]) => tenant.change(id));
		expect(sorted(await trigger.poll())).toEqual(sorted(again));
	});

	it('emits all of more changes than can be remembered although the service says no time and nothing else changes', async () => {
		const { tenant, trigger } = await started({ dateHeader: false }, { maxRemembered: 40 });
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 100);
		for (let poll = 0; poll < 30; poll++) {
			tenant.pass(5 * MINUTE);
			await trigger.poll();
		}
		expect(sorted(trigger.emitted)).toEqual(changes);
	});

	it('emits what changes after a change that waited, although the service says no time and our clock was set ahead', async () => {
		const tenant = new PolledTenant({ dateHeader: false });
		const trigger = new SimulatedTrigger(tenant, { maxRemembered: 2, maxItems: 1 });
		tenant.change('user-0');
		tenant.pass(SECOND);
		await trigger.poll();
		const changes = changeMany(tenant, 2);
		tenant.clockSet.ours += HOUR;
		await trigger.drain();
		tenant.pass(1);
		changes.push(tenant.change('user-0'));
		for (let day = 0; day < 3; day++) {
			await trigger.drain();
			tenant.pass(2 * DAY);
		}
		expect(new Set(trigger.emitted)).toEqual(new Set(changes));
	});

	it('emits a change that shows late while others wait for the next poll and the service says no time', async () => {
		const habits = { dateHeader: false, ourClockAhead: HOUR };
		const { tenant, trigger } = await started(habits, { maxItems: 10 });
		tenant.pass(MINUTE);
		const late = tenant.change('late', 4 * MINUTE);
		tenant.pass(3 * MINUTE);
		const changes = changeMany(tenant, 25);
		expect(await trigger.poll()).toHaveLength(10);
		tenant.pass(2 * MINUTE);
		await trigger.drain();
		expect(sorted(trigger.emitted)).toEqual([late, ...changes]);
	});

	it('emits nothing of what was there before, although that is more than maxItems', async () => {
		const { tenant, trigger } = prepared({}, { maxItems: 10 });
		changeMany(tenant, 50);
		tenant.pass(10 * SECOND);
		expect(await trigger.drain()).toEqual([]);
	});
});

describe('a list that takes several polls each time', () => {
	it.each(['updatedAt', 'updatedAtDescending', 'id'] as const)(
		'emits each change once, however many more there are than can be remembered (order: %s)',
		async (naturalOrder) => {
			const list = { naturalOrder, maxPageSize: 10 };
			const { tenant, trigger } = await started({ list }, { maxRemembered: 50 });
			const changes: number[] = [];
			for (let number = 0; number < 200; number++) {
				tenant.pass(SECOND);
				changes.push(tenant.change(`user-${(number * 37) % 200}`));
			}
			tenant.pagesPerPoll = 5;
			for (let poll = 0; poll < 400; poll++) {
				tenant.pass(5 * MINUTE);
				await trigger.poll();
			}
			expect(sorted(trigger.emitted)).toEqual(changes);
			const later = tenant.change('later');
			for (let poll = 0; poll < 20; poll++) {
				tenant.pass(5 * MINUTE);
				await trigger.poll();
			}
			expect(trigger.emitted.at(-1)).toBe(later);
		},
	);
});

describe('a list that moves while it is read', () => {
	it('emits a change that slipped to a page already read with the next poll', async () => {
		const { tenant, trigger } = await started({ list: { maxPageSize: 5 } }, { pageSize: 50 });
		const changes = changeMany(tenant, 20);
		tenant.pass(HOUR);
		tenant.beforePage = ({ page }) => {
			if (page === 1) tenant.remove('user-0');
		};
		const [slipped] = changes.filter((_, place) => place === 5);
		expect(await trigger.poll()).not.toContain(slipped);
		tenant.beforePage = undefined;
		tenant.pass(HOUR);
		expect(await trigger.poll()).toEqual([slipped]);
		tenant.pass(HOUR);
		expect(await trigger.drain()).toEqual([]);
	});

	it('emits a change that slipped to a page read by the poll before', async () => {
		const { tenant, trigger } = await started({ list: { maxPageSize: 5 } }, { pageSize: 50 });
		const changes = changeMany(tenant, 15);
		tenant.pass(HOUR);
		tenant.pagesPerPoll = 2;
		await trigger.poll();
		tenant.remove('user-0');
		tenant.pass(HOUR);
		await trigger.poll();
		tenant.pagesPerPoll = Infinity;
		for (let poll = 0; poll < 3; poll++) {
			tenant.pass(HOUR);
			await trigger.poll();
		}
		expect(sorted(trigger.emitted)).toEqual(changes);
	});

	it('hides no change though the list moves at every poll', async () => {
		const { tenant, trigger } = await started({
			list: { maxPageSize: 5, naturalOrder: 'updatedAt' },
		});
		const changes = changeMany(tenant, 40);
		let next = 0;
		tenant.beforePage = ({ page }) => {
			if (page === 1) tenant.change(`user-${next++}`);
		};
		for (let poll = 0; poll < 12; poll++) {
			tenant.pass(HOUR);
			await trigger.poll();
		}
		expect(trigger.emitted).toEqual(expect.arrayContaining(changes.slice(next)));
		expect(repeated(trigger.emitted)).toEqual([]);
	});
});

describe('more changes than can be remembered, with times without a zone', () => {
	it('emits all changes of a service far in the east that shows times without a zone, however many had to wait', async () => {
		const { tenant, trigger } = await started(
			{ list: { updatedAtFormat: 'isoLocal', zoneOffsetMinutes: 14 * 60 } },
			{ maxRemembered: 4 },
		);
		tenant.pass(HOUR);
		const changes = changeMany(tenant, 20);
		for (let day = 0; day < 10; day++) {
			await trigger.drain();
			tenant.pass(2 * 24 * HOUR);
		}
		expect([...new Set(sorted(trigger.emitted))]).toEqual(changes);
	});
});
