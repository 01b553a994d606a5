import type { UpdatedSinceFormat } from '../../../../../nodes/VisitorService/answer/updatedSince';
import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import { FILTER_IGNORED } from '../../../../../nodes/VisitorService/polling/poll';
import { DAY } from '../../../../../nodes/VisitorService/values/instant';
import { type Habits, HOUR, MINUTE, PolledTenant, SECOND, START } from './polledTenant';
import { repeated, SimulatedTrigger } from './simulatedTrigger';
import { changeMany, prepared, sorted, started } from './startedTrigger';

type Shown = NonNullable<Habits['list']['updatedAtFormat']>;

function failure(details: Partial<ServiceFailure>): ServiceFailure {
	return new ServiceFailure('The service failed.', 'Try again.', { kind: 'service', ...details });
}

async function failureOf(action: Promise<unknown>): Promise<ServiceFailure> {
	const outcome = await action.then(
		() => undefined,
		(error: unknown) => error,
	);
	if (outcome instanceof ServiceFailure) return outcome;
	throw new Error('No ServiceFailure was thrown.');
}

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
				expect(polled.filter((change) => !tenant.newest.has(change))).toEqual([]);
				tenant.pass(MINUTE);
				const change = tenant.change('old-3');
				expect(await trigger.drain()).toContain(change);
			}
		},
	);
});

describe('a poll', () => {
	it('emits the oldest change first', async () => {
		const { tenant, trigger } = await started(
			{ list: { naturalOrder: 'updatedAtDescending' } },
			{ pageSize: 3 },
		);
		const changes: number[] = [];
		for (let number = 0; number < 10; number++) {
			tenant.pass(SECOND);
			changes.push(tenant.change(`user-${number}`));
		}
		expect(await trigger.poll()).toEqual(changes);
	});

	it('emits each change once though the process was restarted right after', async () => {
		const { tenant, trigger } = await started();
		trigger.restart();
		tenant.pass(MINUTE);
		const change = tenant.change('a');
		trigger.restart();
		expect(await trigger.poll()).toEqual([change]);
		trigger.restart();
		expect(await trigger.poll()).toEqual([]);
		tenant.pass(DAY);
		trigger.restart();
		expect(await trigger.poll()).toEqual([]);
	});

	it('emits changes made while n8n was off', async () => {
		const { tenant, trigger } = await started();
		tenant.pass(3 * DAY);
		const changes = changeMany(tenant, 250);
		tenant.pass(3 * DAY);
		trigger.restart();
		expect(sorted(await trigger.poll())).toEqual(changes);
		expect(await trigger.drain()).toEqual([]);
	});

	it('emits changes again if the process was killed between emitting and saving them', async () => {
		const { tenant, trigger } = await started();
		tenant.pass(MINUTE);
		const change = tenant.change('a');
		expect(await trigger.poll({ killedBeforeSaving: true })).toEqual([change]);
		trigger.restart();
		expect(await trigger.poll()).toEqual([change]);
		expect(await trigger.poll()).toEqual([]);
	});

	it('emits the last of several changes of a user between two polls, and each change seen by a poll of its own', async () => {
		const { tenant, trigger } = await started();
		tenant.pass(MINUTE);
		tenant.change('a');
		tenant.pass(10 * SECOND);
		const second = tenant.change('a');
		expect(await trigger.poll()).toEqual([second]);
		tenant.pass(1);
		const third = tenant.change('a');
		expect(await trigger.poll()).toEqual([third]);
	});

	it.each<Shown>(['iso', 'isoSeconds', 'epochS'])(
		'emits both of two changes within one tick of the clock (times shown: %s)',
		async (updatedAtFormat) => {
			const { tenant, trigger } = await started({ list: { updatedAtFormat } });
			tenant.pass(MINUTE);
			const first = tenant.change('a');
			expect(await trigger.poll()).toEqual([first]);
			const second = tenant.change('a');
			expect(await trigger.poll()).toEqual([second]);
			tenant.pass(MINUTE);
			expect(await trigger.poll()).toEqual([]);
		},
	);

	it('emits changes made while it reads, then or the next time', async () => {
		const { tenant, trigger } = await started({ list: { maxPageSize: 5 } });
		tenant.pass(MINUTE);
		changeMany(tenant, 20);
		const during: number[] = [];
		tenant.beforePage = ({ page }) => {
			tenant.pass(100);
			if (page === 2)
				during.push(tenant.change('user-0'), tenant.change('user-19'), tenant.change('new'));
		};
		await trigger.poll();
		tenant.beforePage = undefined;
		await trigger.drain();
		expect(trigger.emitted).toEqual(expect.arrayContaining(during));
		expect(
			[...tenant.current().values()].every(
				(change) => trigger.emitted.includes(change) || change <= 30,
			),
		).toBe(true);
		expect(repeated(trigger.emitted)).toEqual([]);
	});

	it.each([0, 1, 4 * MINUTE, 5 * MINUTE])('emits changes that show %p ms late', async (delay) => {
		const { tenant, trigger } = await started();
		tenant.pass(10 * MINUTE);
		const late = tenant.change('late', delay);
		const seen: number[] = [];
		for (let minute = 0; minute <= 12; minute++) {
			tenant.change('busy');
			seen.push(...(await trigger.poll()));
			tenant.pass(MINUTE);
		}
		expect(seen.filter((change) => change === late)).toEqual([late]);
	});

	it('emits changes that are dated before the activation but show after it', async () => {
		const { tenant, trigger } = await started();
		tenant.pass(MINUTE);
		const late = tenant.change('late', 0, tenant.time - 4 * MINUTE);
		expect(await trigger.poll()).toEqual([late]);
	});

	it('emits changes dated in the future once, and they hide no other', async () => {
		const { tenant, trigger } = await started();
		tenant.pass(MINUTE);
		const future = tenant.change('mistaken', 0, START + 400 * DAY);
		expect(await trigger.poll()).toEqual([future]);
		for (let hour = 0; hour < 5; hour++) {
			tenant.pass(HOUR);
			const change = tenant.change('a');
			expect(await trigger.poll()).toEqual([change]);
		}
	});
});

describe('more changes than fit', () => {
	it('emits more changes than fit at once if they only fill several pages', async () => {
		const { tenant, trigger } = await started({}, { pageSize: 7 });
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 100);
		expect(sorted(await trigger.poll())).toEqual(changes);
	});

	it('follow with the next polls if they exceed maxItems, whatever happens between', async () => {
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

	it('follow with the next polls if the time of a poll is too short', async () => {
		const { tenant, trigger } = await started({ list: { maxPageSize: 5 } });
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 60);
		tenant.pagesPerPoll = 3;
		const counts: number[] = [];
		for (let poll = 0; poll < 4; poll++) counts.push((await trigger.poll()).length);
		expect(counts).toEqual([15, 15, 15, 15]);
		expect(sorted(trigger.emitted)).toEqual(changes);
		tenant.pass(DAY);
		for (let poll = 0; poll < 60; poll++) expect(await trigger.poll()).toEqual([]);
		expect(trigger.cursor?.changes?.remembered.length).toBe(0);
	});

	it('reads on at the same page after a restart if more changes than fit take too long for a poll', async () => {
		const { tenant, trigger } = await started({ list: { maxPageSize: 5 } });
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 40);
		tenant.pagesPerPoll = 2;
		for (let poll = 0; poll < 4; poll++) {
			await trigger.poll();
			trigger.restart();
		}
		expect(sorted(trigger.emitted)).toEqual(changes);
	});

	it('wait until those before them are past the overlap if not all can be remembered', async () => {
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

	it('do not hide an older one that shows late if not all can be remembered', async () => {
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

describe('a list that moves while it is read', () => {
	it('hides nothing: a change that slipped to a page already read is emitted the next time', async () => {
		const { tenant, trigger } = await started({ list: { maxPageSize: 5 } });
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

	it('hides nothing though it moves at every poll', async () => {
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

describe('whatever the service makes of updatedSince,', () => {
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

	it.each(cases)('each change is emitted once: %p', async (one) => {
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
	});

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

	it('a service that begins to ignore updatedSince is recognized', async () => {
		const { tenant, trigger } = await started();
		tenant.pass(HOUR);
		tenant.set({ updatedSince: { ignored: true } });
		const change = tenant.change('a');
		expect(await trigger.poll()).toEqual([change]);
		expect(trigger.notes).toEqual([FILTER_IGNORED]);
		tenant.set({ updatedSince: { ignored: false } });
		expect(await trigger.poll()).toEqual([]);
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
		const changes: number[] = [];
		for (let hour = 0; hour < 10; hour++) {
			tenant.pass(HOUR);
			changes.push(tenant.change(`user-${hour % 4}`));
			await trigger.poll();
			await trigger.poll();
		}
		expect(trigger.emitted).toEqual(changes);
	});

	it('a service that knows days only hides and doubles nothing', async () => {
		const { tenant, trigger } = await started({ list: { updatedSince: { precision: 'day' } } });
		const changes: number[] = [];
		for (let time = 0; time < 40; time++) {
			tenant.pass(95 * MINUTE);
			changes.push(tenant.change(`user-${time % 7}`));
			await trigger.poll();
			await trigger.poll();
		}
		expect(trigger.emitted).toEqual(changes);
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

describe('users without', () => {
	it.each([
		['an ID', { idField: null }, 'ID Path'],
		['an update time', { updatedAtField: null }, 'Updated At Path'],
	])('%s are an error at the activation that names the option', async (_what, list, option) => {
		const { trigger } = prepared({ list });
		expect((await failureOf(trigger.poll())).remedy).toContain(option);
		expect(trigger.cursor).toBeUndefined();
	});

	it('a usual name of the ID and the update time are read at the paths set', async () => {
		const { tenant, trigger } = await started(
			{ list: { idField: 'number', updatedAtField: 'when' } },
			{ paths: { id: 'number', updatedAt: 'when', createdAt: '' } },
		);
		tenant.pass(MINUTE);
		const change = tenant.change('a');
		expect(await trigger.poll()).toEqual([change]);
	});

	it('an update time later on are an error, and nothing is lost by it', async () => {
		const { tenant, trigger } = await started();
		tenant.pass(MINUTE);
		const change = tenant.change('a');
		const before = trigger.cursor;
		tenant.set({ updatedAtField: null });
		expect((await failureOf(trigger.poll())).remedy).toContain('Updated At Path');
		expect(trigger.cursor).toEqual(before);
		tenant.set({ updatedAtField: 'updatedAt' });
		expect(await trigger.poll()).toEqual([change]);
	});
});

describe('clocks', () => {
	const apart = [-HOUR, 0, HOUR];
	const cases = apart.flatMap((dateAhead) =>
		apart.flatMap((ourClockAhead) =>
			[true, false].map((dateHeader) => ({ dateAhead, ourClockAhead, dateHeader })),
		),
	);

	it.each(cases)('loses and doubles no change if the clocks differ: %p', async (habits) => {
		const { tenant, trigger } = prepared(habits);
		tenant.change('quiet before');
		expect(await trigger.poll()).toEqual([]);
		const changes: number[] = [];
		for (const step of [1, SECOND, MINUTE, 5 * MINUTE, 6 * MINUTE, HOUR, DAY, MINUTE, MINUTE]) {
			tenant.pass(step);
			const late = tenant.change(`late-${step}`, Math.min(step, 5 * MINUTE));
			changes.push(tenant.change('a'), late);
			await trigger.poll();
		}
		tenant.pass(10 * MINUTE);
		await trigger.drain();
		expect(sorted(trigger.emitted)).toEqual(sorted(changes));
	});

	it('loses no change if a clock is set', async () => {
		const { tenant, trigger } = await started();
		const changes: number[] = [];
		for (const ahead of [
			0,
			HOUR,
			HOUR,
			-HOUR,
			-HOUR,
			5 * HOUR,
			5 * HOUR,
			0,
			0,
			-9 * HOUR,
			-9 * HOUR,
			0,
		]) {
			tenant.habits.ourClockAhead = ahead;
			tenant.pass(7 * MINUTE);
			changes.push(tenant.change('a'));
			await trigger.poll();
		}
		expect(trigger.emitted).toEqual(changes);
	});

	it('loses no change if a single Date header is wrong', async () => {
		const { tenant, trigger } = await started();
		const changes: number[] = [];
		for (const ahead of [0, 0, 3 * DAY, 0, 0, -3 * DAY, 0, 0, 90 * MINUTE, 0, 0]) {
			tenant.habits.dateAhead = ahead;
			tenant.pass(20 * MINUTE);
			changes.push(tenant.change(`user-${changes.length}`));
			await trigger.poll();
			tenant.habits.dateAhead = 0;
		}
		await trigger.drain();
		expect(sorted([...new Set(trigger.emitted)])).toEqual(changes);
	});

	it.each([true, false])(
		'loses no change of the same minute if a clock is set ahead, with a Date header: %p',
		async (dateHeader) => {
			const { tenant, trigger } = await started({
				list: { updatedAtFormat: 'isoMinutes' },
				dateHeader,
			});
			const changes = [tenant.change('a')];
			await trigger.poll();
			tenant.clockSet[dateHeader ? 'date' : 'ours'] += HOUR;
			await trigger.poll();
			tenant.pass(SECOND);
			changes.push(tenant.change('a'));
			await trigger.poll();
			expect(trigger.emitted).toEqual(changes);
		},
	);

	it('takes nobody for new who was there before its place was set back with a clock', async () => {
		const { tenant, trigger } = prepared({ showsCreation: true }, { triggerOn: 'updated' });
		tenant.change('a');
		tenant.pass(HOUR);
		tenant.change('b');
		expect(await trigger.poll()).toEqual([]);
		tenant.pass(MINUTE);
		tenant.clockSet.date -= HOUR;
		expect(await trigger.poll()).toEqual([]);
		tenant.pass(MINUTE);
		const change = tenant.change('a');
		expect(await trigger.poll()).toEqual([change]);
	});

	it.each([HOUR, 5 * HOUR])(
		'loses no change if the clock of the service is set back by %p ms',
		async (back) => {
			const { tenant, trigger } = await started();
			tenant.pass(10 * HOUR);
			const changes = [tenant.change('before')];
			await trigger.poll();
			// The service's time goes back, ours does not.
			tenant.time -= back;
			tenant.habits.ourClockAhead += back;
			for (let poll = 0; poll < 4; poll++) {
				tenant.pass(MINUTE);
				changes.push(tenant.change(`after-${poll}`));
				await trigger.poll();
			}
			await trigger.poll();
			expect(trigger.emitted).toEqual(expect.arrayContaining(changes));
		},
	);
});

describe('a poll that fails', () => {
	it('leaves the cursor as it was if page 3 of 5 fails, and the next poll emits everything', async () => {
		const { tenant, trigger } = await started({ list: { maxPageSize: 5 } });
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 25);
		const before = JSON.stringify(trigger.cursor);
		tenant.beforePage = ({ page }) => {
			if (page === 2) throw failure({ statusCode: 500 });
		};
		expect((await failureOf(trigger.poll())).statusCode).toBe(500);
		expect(JSON.stringify(trigger.cursor)).toBe(before);
		tenant.beforePage = undefined;
		expect(sorted(await trigger.poll())).toEqual(changes);
	});

	it('says how long to wait if the service limits the rate', async () => {
		const { tenant, trigger } = await started();
		tenant.beforePage = () => {
			throw failure({ kind: 'rateLimit', statusCode: 429, retryAfter: 90_000 });
		};
		expect(await failureOf(trigger.poll())).toMatchObject({
			kind: 'rateLimit',
			retryAfter: 90_000,
		});
	});

	it('emits what it has read if the service limits the rate on page 3, and the next poll goes on', async () => {
		const { tenant, trigger } = await started({ list: { maxPageSize: 5 } });
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 25);
		tenant.beforePage = ({ page }) => {
			if (page === 2) throw failure({ kind: 'rateLimit', statusCode: 429, retryAfter: 90_000 });
		};
		expect((await trigger.poll()).length).toBeGreaterThanOrEqual(10);
		tenant.beforePage = undefined;
		await trigger.poll();
		expect(sorted(trigger.emitted)).toEqual(changes);
	});
});

describe('two polls at a time', () => {
	it('emit each change once', async () => {
		const { tenant, trigger } = await started();
		tenant.pass(MINUTE);
		const change = tenant.change('a');
		const came = await Promise.all([trigger.poll(), trigger.poll(), trigger.poll()]);
		expect(came.flat()).toEqual([change]);
		tenant.pass(MINUTE);
		const next = tenant.change('a');
		expect(await trigger.poll()).toEqual([next]);
	});

	it('emit nothing at the activation if they start from now on', async () => {
		const { tenant, trigger } = prepared();
		tenant.change('a');
		await Promise.all([trigger.poll(), trigger.poll()]);
		tenant.pass(DAY);
		await trigger.drain();
		expect(trigger.emitted).toEqual([]);
	});
});

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
		const other = new PolledTenant({ dateAhead: HOUR });
		other.service = 'tenant-2';
		other.time = tenant.time - HOUR;
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
		});
	});
});

describe('a cursor of another shape', () => {
	it('keeps its place: nothing is lost, and nothing from before is emitted', async () => {
		const { tenant, trigger } = prepared();
		tenant.change('before', 0, START - 2 * HOUR);
		const change = tenant.change('after', 0, START - HOUR + 1);
		trigger.cursor = { since: { time: START - HOUR, key: '' }, seen: 'another shape' };
		expect(await trigger.poll()).toEqual([change]);
		expect(await trigger.drain()).toEqual([]);
	});
});

describe('fields that differ in each answer', () => {
	it('do not make another version of a user', async () => {
		const { tenant, trigger } = await started({ volatileField: true });
		tenant.pass(MINUTE + 7);
		const change = tenant.change('a');
		tenant.pass(5 * SECOND);
		expect(await trigger.poll()).toEqual([change]);
		for (let poll = 0; poll < 8; poll++) {
			tenant.pass(MINUTE);
			expect(await trigger.poll()).toEqual([]);
		}
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

describe('fields that differ in each answer, if times are coarse,', () => {
	const shown = ['isoSeconds', 'epochS', 'isoLocal', 'iso'] as const;
	it.each(
		shown.flatMap((updatedAtFormat) => [1, 150].map((count) => ({ updatedAtFormat, count }))),
	)('repeat no user: %p', async ({ updatedAtFormat, count }) => {
		const { tenant, trigger } = await started({ list: { updatedAtFormat }, volatileField: true });
		tenant.pass(7 * MINUTE);
		const changes = changeMany(tenant, count);
		for (let poll = 0; poll < 60; poll++) {
			tenant.pass(5 * MINUTE);
			await trigger.poll();
		}
		expect(sorted(trigger.emitted)).toEqual(changes);
	});
});

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

describe('the cursor', () => {
	it('the cursor is not changed by a poll, but replaced', async () => {
		const { tenant, trigger } = await started();
		const before = trigger.cursor;
		const text = JSON.stringify(before);
		tenant.pass(MINUTE);
		tenant.change('a');
		await trigger.poll();
		expect(JSON.stringify(before)).toBe(text);
		expect(trigger.cursor).not.toEqual(before);
	});

	it('says nothing about persons', async () => {
		const { tenant, trigger } = await started();
		tenant.pass(MINUTE);
		tenant.change('somebody@example.test');
		await trigger.poll();
		expect(JSON.stringify(trigger.cursor)).not.toContain('somebody');
	});
});
