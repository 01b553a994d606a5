import type { PollSettings } from '../../../../../nodes/VisitorService/polling/currentPoll';
import { DAY } from '../../../../../nodes/VisitorService/values/instant';
import { HOUR, MINUTE, PolledTenant, SECOND } from './polledTenant';
import { SimulatedTrigger } from './simulatedTrigger';
import { changeMany, type Setup, started } from './startedTrigger';

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

describe('a trigger published with other settings', () => {
	/** A user is created; an hour later the clock of the service is set back by half an hour. */
	const createAndSetBack = async ({ tenant, trigger }: Awaited<ReturnType<typeof started>>) => {
		tenant.pass(10 * HOUR);
		tenant.change('new');
		for (let poll = 0; poll < 12; poll++) {
			tenant.pass(5 * MINUTE);
			await trigger.poll();
		}
		tenant.pass(-30 * MINUTE);
		tenant.habits.ourClockAhead += 30 * MINUTE;
		await trigger.poll();
	};

	/** A trigger that compared its list for a month, in which a user came each day. */
	const comparedForAMonth = async (settings: Partial<PollSettings>) => {
		const one = await started({ showsCreation: true }, { ...settings, maxItems: 2 });
		for (let day = 0; day < 30; day++) {
			one.tenant.pass(DAY);
			one.tenant.change(`user-${day}`);
			await one.trigger.poll();
		}
		one.tenant.pass(HOUR);
		await one.trigger.poll();
		return one;
	};

	const republish = ({ tenant, trigger }: Setup, settings: Partial<PollSettings>) => {
		tenant.service = `${tenant.service} with ${JSON.stringify(settings)}`;
		Object.assign(trigger.settings, settings);
	};

	it('asks for no user who was created before the last comparison', async () => {
		const one = await comparedForAMonth({ triggerOn: 'created', acceptsUpdatedSince: false });
		const { tenant, trigger } = one;
		expect(trigger.emitted).toHaveLength(30);
		tenant.pass(HOUR);
		const change = tenant.change('later');
		republish(one, { acceptsUpdatedSince: true });
		expect(await trigger.drain()).toEqual([change]);
	});

	it('asks for no change from before the last comparison if removed users counted before', async () => {
		const one = await comparedForAMonth({ triggerOn: 'removed' });
		const { tenant, trigger } = one;
		tenant.pass(HOUR);
		const change = tenant.change('user-7');
		republish(one, { triggerOn: 'createdOrUpdated' });
		expect(await trigger.drain()).toEqual([change]);
	});

	it.each([false, true])(
		'asks for all who the last comparison left to the next poll, after a reading of several polls: %p',
		async (isLong) => {
			const one = await comparedForAMonth({ triggerOn: 'created', acceptsUpdatedSince: false });
			const { tenant, trigger } = one;
			tenant.pass(HOUR);
			const changes = changeMany(tenant, 6, 100);
			if (isLong) {
				Object.assign(trigger.settings, { pageSize: 10, maxItems: 10_000 });
				tenant.pagesPerPoll = 1;
				await trigger.poll();
				await trigger.poll();
				expect(trigger.isReading).toBe(true);
				tenant.pagesPerPoll = Infinity;
			} else expect(await trigger.poll()).toHaveLength(2);
			tenant.pass(HOUR);
			republish(one, { acceptsUpdatedSince: true });
			await trigger.drain();
			expect(trigger.emitted).toEqual(expect.arrayContaining(changes));
		},
	);

	it('misses no update of a user who was created before the place, to which a clock was set back', async () => {
		const one = await started({ showsCreation: true }, { triggerOn: 'updated' });
		const { tenant, trigger } = one;
		await createAndSetBack(one);
		republish(one, { paths: { id: 'id', updatedAt: '', createdAt: '' } });
		tenant.pass(MINUTE);
		const change = tenant.change('new');
		await trigger.drain();
		expect(trigger.emitted).toEqual([change]);
	});

	it('asks for who slipped to a page already read while the list was compared', async () => {
		const one = await started(
			{ showsCreation: true },
			{ triggerOn: 'created', acceptsUpdatedSince: false, pageSize: 10 },
		);
		const { tenant, trigger } = one;
		tenant.pass(HOUR);
		const change = tenant.change('new');
		tenant.pass(HOUR);
		const met = tenant.change('later');
		tenant.beforePage = async ({ page }) => {
			if (page !== 3) return;
			// The pages before it come first.
			await new Promise((resolve) => setImmediate(resolve));
			tenant.remove('old-3');
		};
		expect(await trigger.poll()).toEqual([met]);
		tenant.beforePage = undefined;
		tenant.pass(MINUTE);
		republish(one, { acceptsUpdatedSince: true });
		expect(await trigger.drain()).toContain(change);
	});

	it.each(['still', 'moving'])(
		'asks for nothing from long before the last comparison of several pages: %s',
		async (how) => {
			const one = await started(
				{ showsCreation: true },
				{ triggerOn: 'created', acceptsUpdatedSince: false, pageSize: 10 },
			);
			const { tenant, trigger } = one;
			for (let day = 0; day < 30; day++) {
				tenant.pass(DAY);
				if (how === 'moving') tenant.remove(`old-${day}`);
				if (day < 20) tenant.change(`user-${day}`);
				await trigger.poll();
			}
			expect(trigger.emitted).toHaveLength(20);
			republish(one, { acceptsUpdatedSince: true });
			expect(await trigger.drain()).toEqual([]);
		},
	);

	it('asks for nothing from long before the last comparison although the end of the list was never sure', async () => {
		const one = await started(
			{ showsCreation: true, list: { totalLag: 1 } },
			{ triggerOn: 'created', acceptsUpdatedSince: false },
		);
		const { tenant, trigger } = one;
		for (let day = 0; day < 30; day++) {
			tenant.pass(DAY);
			if (day < 20) tenant.change(`user-${day}`);
			await trigger.poll();
		}
		expect(trigger.emitted).toHaveLength(20);
		republish(one, { acceptsUpdatedSince: true });
		expect(await trigger.drain()).toEqual([]);
	});

	it('misses no update of a user who was created before a clock was set back while the list was compared', async () => {
		const one = await started({ showsCreation: true }, { triggerOn: 'removed' });
		const { tenant, trigger } = one;
		await createAndSetBack(one);
		republish(one, { triggerOn: 'updated' });
		tenant.pass(MINUTE);
		const change = tenant.change('new');
		await trigger.drain();
		expect(trigger.emitted).toEqual([change]);
	});

	it.each([
		{ triggerOn: 'createdOrUpdated' as const },
		{ triggerOn: 'created' as const },
		{ triggerOn: 'removed' as const },
		{ triggerOn: 'createdOrUpdated' as const, dateAhead: -5 * HOUR },
		{ triggerOn: 'created' as const, dateAhead: -5 * HOUR },
		{ triggerOn: 'removed' as const, dateAhead: -5 * HOUR },
	])(
		'misses no update of a user who was created within the Overlap before Updated was published: %p',
		async ({ triggerOn, dateAhead = 0 }) => {
			const one = await started({ showsCreation: true, dateAhead }, { triggerOn });
			const { tenant, trigger } = one;
			// Not at a full minute, which may stand for any second of it.
			tenant.pass(HOUR + 1234);
			tenant.change('new');
			tenant.pass(MINUTE);
			await trigger.poll();
			tenant.pass(MINUTE);
			const change = tenant.change('new');
			tenant.pass(SECOND);
			republish(one, { triggerOn: 'updated' });
			expect(await trigger.drain()).toEqual([change]);
		},
	);

	it.each(['createdOrUpdated', 'removed'] as const)(
		'does not take a creation within the Overlap before Updated was published for an update: after %s',
		async (triggerOn) => {
			const one = await started({ showsCreation: true }, { triggerOn });
			const { tenant, trigger } = one;
			// Not at a full minute, which may stand for any second of it.
			tenant.pass(HOUR + 1234);
			tenant.change('new');
			tenant.pass(MINUTE);
			await trigger.poll();
			republish(one, { triggerOn: 'updated' });
			expect(await trigger.drain()).toEqual([]);
		},
	);

	it('does not take for an update who was created, and updated, while an empty list was not polled', async () => {
		const tenant = new PolledTenant({ showsCreation: true });
		const trigger = new SimulatedTrigger(tenant, { triggerOn: 'updated' });
		tenant.pass(1234);
		await trigger.poll();
		tenant.pass(HOUR);
		tenant.change('new');
		tenant.pass(MINUTE);
		tenant.change('new');
		tenant.pass(MINUTE);
		expect(await trigger.poll()).toEqual([]);
		const change = tenant.change('new');
		expect(await trigger.poll()).toEqual([change]);
	});
});
