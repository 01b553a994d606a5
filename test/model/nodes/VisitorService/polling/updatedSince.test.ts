import type { UpdatedSinceFormat } from '../../../../../nodes/VisitorService/answer/updatedSince';
import { FILTER_IGNORED } from '../../../../../nodes/VisitorService/polling/pollForChanges';
import { DAY } from '../../../../../nodes/VisitorService/values/instant';
import {
	type Habits,
	HOUR,
	MINUTE,
	PolledTenant,
	SECOND,
	START,
} from '../../../../unit/nodes/VisitorService/polling/polledTenant';
import { SimulatedTrigger } from '../../../../unit/nodes/VisitorService/polling/simulatedTrigger';
import {
	failureOf,
	prepared,
	sorted,
	started,
} from '../../../../unit/nodes/VisitorService/polling/startedTrigger';

type Shown = NonNullable<Habits['list']['updatedAtFormat']>;

describe('whatever the service makes of updatedSince', () => {
	const formats: UpdatedSinceFormat[] = ['iso', 'epochMs', 'epochS'];
	const shown: Shown[] = ['iso', 'isoSeconds', 'epochMs', 'epochS', 'isoOffset', 'isoLocal'];
	const precisions = ['ms', 's', 'min'] as const;
	const cases = formats.flatMap((format) =>
		shown.flatMap((updatedAtFormat) =>
			precisions.flatMap((precision) =>
				[true, false].map((inclusive) => ({ format, updatedAtFormat, precision, inclusive })),
			),
		),
	);

	it.each(cases)(
		'emits each change once, whatever the service makes of updatedSince: %p',
		async (one) => {
			const { format, updatedAtFormat, ...updatedSince } = one;
			const { tenant, trigger } = await started({
				format,
				list: { updatedAtFormat, zoneOffsetMinutes: 345, updatedSince },
			});
			const changes: number[] = [];
			const steps = [1, 999, 30 * SECOND, MINUTE, 59_999, 6 * MINUTE, HOUR, DAY, 1, 17];
			for (const [place, step] of steps.entries()) {
				tenant.pass(step);
				changes.push(tenant.change(`user-${place % 3}`));
				await trigger.poll();
			}
			await trigger.drain();
			expect(trigger.emitted).toEqual(changes);
		},
	);

	it('a service that ignores updatedSince is recognized and reported, and its list is filtered here', async () => {
		const { tenant, trigger } = await started({ list: { updatedSince: { ignored: true } } });
		expect(trigger.notes).toEqual([FILTER_IGNORED]);
		for (let poll = 0; poll < 5; poll++) {
			tenant.pass(HOUR);
			const changes = [tenant.change('old-3'), tenant.change(`new-${poll}`)];
			expect(sorted(await trigger.poll())).toEqual(changes);
			expect(await trigger.poll()).toEqual([]);
			expect(trigger.notes).toEqual([]);
		}
		expect(trigger.cursor?.changes?.remembered.length).toBeLessThan(1000);
	});

	it.each([true, false])(
		'tells whether updatedSince is ignored (%p) although somebody is dated 9999',
		async (ignored) => {
			const naturalOrder = 'updatedAtDescending';
			const { tenant, trigger } = prepared({ list: { naturalOrder, updatedSince: { ignored } } });
			tenant.change('mistaken', 0, Date.UTC(9999, 11, 31));
			await trigger.poll();
			expect(trigger.cursor?.list?.reads).toBe(ignored ? 'allIgnored' : 'changes');
			tenant.pass(HOUR);
			const change = tenant.change('a');
			expect(await trigger.drain()).toEqual([change]);
		},
	);

	it('a service that begins to ignore updatedSince is recognized', async () => {
		const { tenant, trigger } = await started();
		tenant.pass(HOUR);
		tenant.set({ updatedSince: { ignored: true } });
		const change = tenant.change('a');
		expect(await trigger.poll()).toEqual([change]);
		expect(trigger.notes).toEqual([FILTER_IGNORED]);
		expect(trigger.cursor?.list?.reads).toBe('allIgnored');
		tenant.requests = [];
		expect(await trigger.poll()).toEqual([]);
		expect(tenant.requests).toHaveLength(1);
		tenant.set({ updatedSince: { ignored: false } });
		expect(await trigger.poll()).toEqual([]);
	});

	it('a service that begins to ignore updatedSince repeats nothing of the hours before', async () => {
		const { tenant, trigger } = await started();
		for (let time = 0; time < 10; time++) {
			tenant.pass(20 * MINUTE);
			tenant.change(`user-${time}`);
			await trigger.poll();
		}
		tenant.set({ updatedSince: { ignored: true } });
		for (let time = 0; time < 5; time++) {
			tenant.pass(20 * MINUTE);
			expect(await trigger.poll()).toEqual([]);
		}
	});

	it.each([true, false])(
		'a service that refuses times in the future is asked otherwise (ignores updatedSince: %p)',
		async (ignored) => {
			const { trigger } = await started({
				list: { updatedSince: { ignored, refusesFuture: true } },
			});
			expect(trigger.cursor?.list?.reads).toBe(ignored ? 'allIgnored' : 'changes');
		},
	);

	it('a service that misreads updatedSince is an error at the activation that names the format', async () => {
		const list = { updatedSince: { accepted: ['epochMs' as const], unreadable: 'empty' as const } };
		const { trigger } = prepared({ list });
		const { remedy } = await failureOf(trigger.poll());
		expect(remedy).toContain('Updated Since Format');
		expect(trigger.cursor).toBeUndefined();
		const right = prepared({ format: 'epochMs', list });
		expect(await right.trigger.poll()).toEqual([]);
	});

	it.each([-1, -5, -8])(
		'a service that takes the UTC asked for as its own time, %d h, is an error at the activation',
		async (hours) => {
			const { trigger } = prepared({ list: { updatedSince: { aheadMs: hours * HOUR } } });
			expect((await failureOf(trigger.poll())).remedy).toContain('Updated Since Format');
			expect(trigger.cursor).toBeUndefined();
		},
	);

	it.each([-5, -8])(
		'a service that takes the UTC asked for as its own time, %d h, is an error at the activation although its first page shows only old users',
		async (hours) => {
			const { tenant, trigger } = prepared(
				{ list: { updatedSince: { aheadMs: hours * HOUR } } },
				{ pageSize: 10 },
			);
			for (let number = 0; number < 300; number++)
				tenant.change(
					`later-${number}`,
					0,
					START - 29 * DAY + number * HOUR + (number % 59) * MINUTE,
				);
			expect((await failureOf(trigger.poll())).remedy).toContain('Updated Since Format');
		},
	);

	it('a service that begins to misread updatedSince is an error within a day', async () => {
		const { tenant, trigger } = await started();
		tenant.pass(HOUR);
		const change = tenant.change('b');
		expect(await trigger.poll()).toEqual([change]);
		tenant.set({ updatedSince: { aheadMs: -5 * HOUR } });
		const poll = async () => {
			tenant.pass(HOUR);
			tenant.change('a');
			return await trigger.poll();
		};
		for (let hour = 0; hour < 23; hour++) expect(await poll()).toEqual([]);
		const { remedy } = await failureOf(poll());
		expect(remedy).toContain('Updated Since Format');
	});

	it('a user dated far ahead by mistake hides nothing of a misread updatedSince', async () => {
		const misread = { list: { updatedSince: { aheadMs: -8 * HOUR } } };
		const wrong = prepared(misread);
		wrong.tenant.change('mistake', 0, START + 9000 * DAY);
		expect((await failureOf(wrong.trigger.poll())).remedy).toContain('Updated Since Format');

		const { tenant, trigger } = prepared();
		tenant.change('mistake', 0, START + 9000 * DAY);
		await trigger.poll();
		tenant.pass(HOUR);
		tenant.change('b');
		await trigger.poll();
		tenant.set(misread.list);
		const poll = async () => {
			tenant.pass(HOUR);
			tenant.change('a');
			return await trigger.poll();
		};
		for (let hour = 0; hour < 23; hour++) expect(await poll()).toEqual([]);
		expect((await failureOf(poll())).remedy).toContain('Updated Since Format');
	});

	it('tries once a day whether updatedSince is still read right, while nothing is found', async () => {
		const { tenant, trigger } = await started();
		for (let day = 0; day < 3; day++) {
			tenant.requests = [];
			for (let hour = 0; hour < 24; hour++) {
				tenant.pass(HOUR);
				expect(await trigger.poll()).toEqual([]);
			}
			expect(tenant.requests).toHaveLength(24 + 2);
		}
	});

	it('a service that finds users only once they were updated is not an error', async () => {
		const { tenant, trigger } = prepared();
		const findAll = tenant.fetchPage.bind(tenant);
		tenant.fetchPage = async (page, pageSize, since) => {
			const answer = await findAll(page, pageSize, since);
			const created = {
				id: 'created',
				createdAt: new Date(START - DAY).toISOString(),
				updatedAt: null,
			};
			const { data } = answer.body as { data: unknown[] };
			return {
				...answer,
				body: { data: since === undefined && page === 0 ? [...data, created] : data },
			};
		};
		expect(await trigger.poll()).toEqual([]);
		tenant.pass(MINUTE);
		const change = tenant.change('a');
		expect(await trigger.poll()).toEqual([change]);
	});

	it('a service that finds none of users who were never updated is not an error', async () => {
		const { tenant, trigger } = prepared(
			{},
			{ paths: { id: '', updatedAt: 'updatedAt', createdAt: '' } },
		);
		const findAll = tenant.fetchPage.bind(tenant);
		tenant.fetchPage = async (page, pageSize, since) => {
			const created = {
				id: 'created',
				createdAt: new Date(START - DAY).toISOString(),
				updatedAt: '1970-01-01T00:00:00Z',
			};
			const answer = await findAll(page, pageSize, since);
			return { ...answer, body: { data: since === undefined && page === 0 ? [created] : [] } };
		};
		expect(await trigger.poll()).toEqual([]);
	});

	it('a service that leaves out users who were never updated is recognized, although it finds a page of others', async () => {
		const { tenant, trigger } = prepared(
			{ showsCreation: true, list: { neverUpdated: 'notFound' } },
			{ pageSize: 5 },
		);
		for (const number of [0, 1, 2, 3, 10, 11, 12]) tenant.change(`old-${number}`);
		tenant.pass(DAY);
		await trigger.poll();
		expect(trigger.notes).toEqual([expect.stringContaining('never updated')]);
		const change = tenant.change('a');
		expect(await trigger.poll()).toEqual([change]);
	});

	it('one that leaves out users who were never updated is recognized, although the first page shows none of these', async () => {
		const { tenant, trigger } = prepared(
			{ showsCreation: true, list: { neverUpdated: 'notFound' } },
			{ pageSize: 5 },
		);
		for (let number = 0; number < 20; number++) tenant.change(`old-${number}`);
		tenant.pass(DAY);
		expect(await trigger.poll()).toEqual([]);
		expect(trigger.notes).toEqual([expect.stringContaining('never updated')]);
		const change = tenant.change('a');
		expect(await trigger.poll()).toEqual([change]);
	});

	it('looks for users who were never updated on ten pages at most', async () => {
		const { tenant, trigger } = prepared({ showsCreation: true }, { pageSize: 2 });
		await trigger.poll();
		expect(Math.max(...tenant.requests.map(({ page }) => page))).toBe(9);
	});

	it('follows a new account in which no user was updated yet, without a path set', async () => {
		const { tenant, trigger } = await started({
			showsCreation: true,
			list: { neverUpdated: 'null' },
		});
		expect(trigger.cursor?.list?.fields.updatedAt).toBe('updatedAt');
		tenant.pass(MINUTE);
		const changes = [tenant.change('new'), tenant.change('old-3')];
		expect(sorted(await trigger.poll())).toEqual(changes);
		tenant.pass(MINUTE);
		const update = tenant.change('new');
		expect(await trigger.drain()).toEqual([update]);
	});

	it('dates users who were never updated by their creation, although the first page showed none of these', async () => {
		const { tenant, trigger } = await started(
			{ showsCreation: true, timeless: 'old-0', list: { neverUpdated: 'null' } },
			{ paths: { id: '', updatedAt: 'updatedAt', createdAt: '' }, pageSize: 1 },
		);
		tenant.pass(MINUTE);
		const change = tenant.change('a');
		expect(await trigger.poll()).toEqual([change]);
	});

	it('a service that shows its own time as UTC hides nothing', async () => {
		const { tenant, trigger } = await started({ list: { updatedSince: { aheadMs: 5 * HOUR } } });
		await expectEachOnce(tenant, trigger, HOUR);
	});

	it.each([1, 2, 5, 7])(
		'a service that takes the UTC asked for as its own time east of it doubles no change, polled every %d minutes',
		async (minutes) => {
			const { tenant, trigger } = await started({ list: { updatedSince: { aheadMs: 2 * HOUR } } });
			const changes: number[] = [];
			for (let time = 0; time < 3; time++) {
				changes.push(tenant.change(`user-${time}`));
				for (let passed = 0; passed < 3 * HOUR; passed += minutes * MINUTE) {
					tenant.pass(minutes * MINUTE);
					await trigger.poll();
				}
			}
			expect(trigger.emitted).toEqual(changes);
		},
	);

	it.each([-12, -5, 9])(
		'a service that ignores updatedSince and shows its own time as UTC, %d h off, hides and doubles nothing',
		async (hours) => {
			const { tenant, trigger } = await started({ list: { updatedSince: { ignored: true } } });
			const changes: number[] = [];
			for (let time = 0; time < 20; time++) {
				tenant.pass(25 * MINUTE);
				changes.push(tenant.change(`user-${time % 7}`, 0, tenant.time + hours * HOUR));
				await trigger.poll();
				await trigger.poll();
			}
			expect(trigger.emitted).toEqual(changes);
		},
	);

	it('a service that shows and compares days only hides and doubles nothing', async () => {
		const { tenant, trigger } = prepared({ list: { updatedAtFormat: 'isoDate' } });
		for (let number = 0; number < 30; number++)
			tenant.change(`old-${number}`, 0, START - (START % DAY) - 30 * DAY);
		expect(await trigger.poll()).toEqual([]);
		const changes: number[] = [];
		for (let time = 0; time < 40; time++) {
			tenant.pass(95 * MINUTE);
			const today = tenant.time - (tenant.time % DAY);
			changes.push(tenant.change(`user-${time % 7}`, 0, today));
			await trigger.poll();
			await trigger.poll();
		}
		expect(trigger.emitted).toEqual(changes);
	});

	it.each(
		(['min', 'hour', 'day'] as const).flatMap((timeUnit) =>
			([30, 3, 1, 0] as const).map((users) => [timeUnit, users] as const),
		),
	)(
		'a service that stores times cut to the unit %p, and has %i users, hides and doubles none of several changes within it',
		async (timeUnit, users) => {
			const tenant = new PolledTenant({ list: { timeUnit } });
			for (let number = 0; number < users; number++)
				tenant.change(`old-${number}`, 0, START - 30 * DAY + number * HOUR);
			const trigger = new SimulatedTrigger(tenant);
			expect(await trigger.poll()).toEqual([]);
			await expectEachOnce(tenant, trigger, timeUnit === 'min' ? 9 * SECOND : 7 * MINUTE, 3);
		},
	);

	it.each([-5, 0, 9])(
		'a service that shows times without a zone and takes the UTC asked for as its own time, %d h, hides and doubles nothing',
		async (hours) => {
			const { tenant, trigger } = await started({
				list: {
					updatedAtFormat: 'isoLocal',
					zoneOffsetMinutes: hours * 60,
					updatedSince: { aheadMs: hours * HOUR },
				},
			});
			await expectEachOnce(tenant, trigger, 25 * MINUTE);
		},
	);

	it('a service that knows days only hides and doubles nothing', async () => {
		const { tenant, trigger } = await started({ list: { updatedSince: { precision: 'day' } } });
		await expectEachOnce(tenant, trigger, 95 * MINUTE);
	});

	it('a service that filters by another time than the one known is an error that names the option', async () => {
		const { tenant, trigger } = await started();
		tenant.set({ updatedSince: { aheadMs: 10 * DAY } });
		tenant.pass(HOUR);
		tenant.change('a', 0, tenant.time - 9 * DAY);
		const before = trigger.cursor;
		const { remedy } = await failureOf(trigger.poll());
		expect(remedy).toContain('Updated At Path');
		expect(trigger.cursor).toEqual(before);
	});
});

/** Changes users one after the other, and polls twice after each. */
async function expectEachOnce(
	tenant: PolledTenant,
	trigger: SimulatedTrigger,
	pause: number,
	users = 7,
): Promise<void> {
	const changes: number[] = [];
	for (let time = 0; time < 40; time++) {
		tenant.pass(pause);
		changes.push(tenant.change(`user-${time % users}`));
		await trigger.poll();
		await trigger.poll();
	}
	expect(trigger.emitted).toEqual(changes);
}
