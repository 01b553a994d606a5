import { DAY } from '../../../../../nodes/VisitorService/values/instant';
import { type Habits, HOUR, MINUTE, SECOND, START } from './polledTenant';
import { repeated } from './simulatedTrigger';
import { changeMany, prepared, sorted, started } from './startedTrigger';

type Shown = NonNullable<Habits['list']['updatedAtFormat']>;

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

describe('two polls at a time', () => {
	it('emits each change once if two polls run at the same time', async () => {
		const { tenant, trigger } = await started();
		tenant.pass(MINUTE);
		const change = tenant.change('a');
		const came = await Promise.all([trigger.poll(), trigger.poll(), trigger.poll()]);
		expect(came.flat()).toEqual([change]);
		tenant.pass(MINUTE);
		const next = tenant.change('a');
		expect(await trigger.poll()).toEqual([next]);
	});

	it('emits nothing if two polls run at the activation', async () => {
		const { tenant, trigger } = prepared();
		tenant.change('a');
		await Promise.all([trigger.poll(), trigger.poll()]);
		tenant.pass(DAY);
		await trigger.drain();
		expect(trigger.emitted).toEqual([]);
	});
});

describe('the cursor', () => {
	it('replaces the cursor, and does not change the old one', async () => {
		const { tenant, trigger } = await started();
		const before = trigger.cursor;
		const text = JSON.stringify(before);
		tenant.pass(MINUTE);
		tenant.change('a');
		await trigger.poll();
		expect(JSON.stringify(before)).toBe(text);
		expect(trigger.cursor).not.toEqual(before);
	});

	it('stores nothing about persons in the cursor', async () => {
		const { tenant, trigger } = await started();
		tenant.pass(MINUTE);
		tenant.change('somebody@example.test');
		await trigger.poll();
		expect(JSON.stringify(trigger.cursor)).not.toContain('somebody');
	});
});

describe('a cursor of another shape', () => {
	it('goes on from the place of a cursor of another shape', async () => {
		const { tenant, trigger } = prepared();
		tenant.change('before', 0, START - 2 * HOUR);
		const change = tenant.change('after', 0, START - HOUR + 1);
		trigger.cursor = { since: { time: START - HOUR, key: '' }, seen: 'another shape' };
		expect(await trigger.poll()).toEqual([change]);
		expect(await trigger.drain()).toEqual([]);
	});
});

describe('a list that starts over after its end, and changes while it is read over several polls', () => {
	const orders = ['insertion', 'id', 'updatedAt', 'updatedAtDescending'] as const;

	it.each(orders.flatMap((naturalOrder) => [1, 2, 3, 4].map((pages) => ({ naturalOrder, pages }))))(
		'reads a list that starts over to its end again and again: %p',
		async ({ naturalOrder, pages }) => {
			const { tenant, trigger } = await started(
				{
					list: {
						maxPageSize: 5,
						naturalOrder,
						metadata: 'none',
						pageBeyondEnd: 'startsOver',
						updatedSince: { ignored: true },
					},
				},
				{ pageSize: 5, maxRemembered: 20 },
			);
			tenant.pass(1234);
			tenant.pagesPerPoll = pages;
			let ends = 0;
			for (let poll = 0; poll < 60; poll++) {
				tenant.pass(5 * MINUTE);
				tenant.change(`old-${(poll * 7) % 30}`);
				if (poll % 3 === 0) tenant.change(`new-${poll}`);
				tenant.remove(`new-${poll - 9}`);
				await trigger.poll();
				if (!trigger.isReading) ends++;
			}
			expect(ends).toBeGreaterThan(5);
			tenant.pagesPerPoll = Infinity;
			tenant.pass(DAY);
			await trigger.drain();
			const current = [...tenant.current()].filter(([id]) => !id.startsWith('old-'));
			for (const [, change] of current) expect(trigger.emitted).toContain(change);
		},
	);
});
