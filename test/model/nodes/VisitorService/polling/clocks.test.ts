import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import { DAY } from '../../../../../nodes/VisitorService/values/instant';
import {
	HOUR,
	MINUTE,
	PolledTenant,
	SECOND,
} from '../../../../unit/nodes/VisitorService/polling/polledTenant';
import { SimulatedTrigger } from '../../../../unit/nodes/VisitorService/polling/simulatedTrigger';
import {
	prepared,
	sorted,
	started,
} from '../../../../unit/nodes/VisitorService/polling/startedTrigger';

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

	it.each([3 * HOUR, 12 * HOUR, -14 * HOUR])(
		'loses no change of a service that shows local time as UTC, %p ms behind',
		async (behind) => {
			const { tenant, trigger } = await started({ dateAhead: behind, ourClockAhead: behind });
			const changes: number[] = [];
			for (let poll = 0; poll < 12; poll++) {
				tenant.pass(20 * MINUTE);
				changes.push(tenant.change(`user-${poll}`), tenant.change('often'));
				await trigger.poll();
			}
			expect(sorted(trigger.emitted)).toEqual(changes);
		},
	);

	it('tells a later place from an earlier one although the clock of n8n is set back', async () => {
		const { tenant, trigger } = await started();
		const places: number[] = [];
		for (const ahead of [0, -HOUR, -HOUR]) {
			tenant.habits.ourClockAhead = ahead;
			tenant.pass(MINUTE);
			await trigger.poll();
			places.push(trigger.cursor?.polledAt ?? 0);
		}
		expect(new Set(places).size).toBe(3);
		expect(sorted(places)).toEqual(places);
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

	it('loses no change of a service without Date although our clock is three hours ahead', async () => {
		const { tenant, trigger } = await started({ dateHeader: false, ourClockAhead: 3 * HOUR });
		const changes: number[] = [];
		for (let poll = 0; poll < 12; poll++) {
			tenant.pass(20 * MINUTE);
			changes.push(tenant.change(`user-${poll}`), tenant.change('often'));
			await trigger.poll();
			await trigger.poll();
		}
		expect(sorted(trigger.emitted)).toEqual(changes);
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
			tenant.pass(-back);
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

	it.each([
		{ back: 8, every: 5 },
		{ back: 10, every: 5 },
		{ back: 16, every: 15 },
		{ back: 62, every: 60 },
		{ back: 4, every: 5 },
		{ back: 20, every: 5, areBoth: true },
	])(
		'loses no change if the clock of the service is set back to before the last poll: %p',
		async ({ back, every, areBoth = false }) => {
			const { tenant, trigger } = await started();
			tenant.pass(DAY);
			await trigger.poll();
			const changes: number[] = [];
			for (let minute = 1; minute <= 6 * every; minute++) {
				tenant.pass(MINUTE);
				if (minute === 2 * every + 1) {
					tenant.pass(-back * MINUTE);
					if (!areBoth) tenant.habits.ourClockAhead += back * MINUTE;
				}
				changes.push(tenant.change(`user-${minute}`));
				if (minute % every === 0) await trigger.poll();
			}
			tenant.pass(HOUR);
			await trigger.drain();
			expect(changes.filter((change) => !trigger.emitted.includes(change))).toEqual([]);
		},
	);

	it.each(['a page fails', 'the time runs out'])(
		'loses no change if the poll that meets a clock which was set back reads only a part, because %s',
		async (why) => {
			const { tenant, trigger } = await started(
				{ list: { updatedSince: { ignored: true } } },
				{ pageSize: 10 },
			);
			const changes: number[] = [];
			for (let poll = 0; poll < 5; poll++) {
				tenant.pass(HOUR);
				changes.push(tenant.change(`before-${poll}`));
				await trigger.drain();
			}
			tenant.pass(-90 * MINUTE);
			tenant.habits.ourClockAhead += 90 * MINUTE;
			tenant.pass(MINUTE);
			changes.push(tenant.change('user-1'));
			if (why === 'the time runs out') tenant.pagesPerPoll = 1;
			else {
				tenant.beforePage = ({ page }) => {
					if (page > 0) throw new ServiceFailure('It failed.', 'Try again.', { kind: 'service' });
				};
			}
			// It is on the last page.
			expect(await trigger.poll()).not.toContain(changes.at(-1));
			tenant.pagesPerPoll = Infinity;
			tenant.beforePage = undefined;
			for (let poll = 2; poll < 8; poll++) {
				tenant.pass(20 * MINUTE);
				changes.push(tenant.change(`user-${poll}`));
				await trigger.poll();
			}
			await trigger.drain();
			expect(changes.filter((change) => !trigger.emitted.includes(change))).toEqual([]);
		},
	);

	it.each([
		{ back: 90, every: 10, pages: Infinity, setAt: 4 },
		{ back: 50, every: 5, pages: 3, setAt: 4 },
		{ back: 50, every: 5, pages: 3, setAt: 5 },
		{ back: 62, every: 2, pages: 3, setAt: 6 },
		{ back: 62, every: 2, pages: 3, setAt: 7 },
	])(
		'loses no change if the clock of the service is set back before readings of several pages have moved the place: %p',
		async ({ back, every, pages, setAt }) => {
			const { tenant, trigger } = await started(
				{ list: { updatedSince: { ignored: true } } },
				{ pageSize: 10 },
			);
			tenant.pagesPerPoll = pages;
			const changes: number[] = [];
			for (let poll = 0; poll < 30; poll++) {
				if (poll === setAt) {
					tenant.pass(-back * MINUTE);
					tenant.habits.ourClockAhead += back * MINUTE;
				}
				tenant.pass(every * MINUTE);
				changes.push(tenant.change(`user-${poll}`));
				await trigger.poll();
			}
			tenant.pagesPerPoll = Infinity;
			tenant.pass(HOUR);
			await trigger.drain();
			expect(changes.filter((change) => !trigger.emitted.includes(change))).toEqual([]);
		},
	);

	it.each([
		{ back: 15, behind: 20 },
		{ back: 50, behind: 20 },
		{ back: 50, behind: 60 },
		{ back: 50, behind: 100 },
	])(
		'loses no change if the clock of the service is set back while update times are behind its Date: %p',
		async ({ back, behind }) => {
			const { tenant, trigger } = await started({ dateAhead: behind * MINUTE });
			const changes: number[] = [];
			for (let poll = 0; poll < 30; poll++) {
				if (poll === 15) {
					tenant.pass(-back * MINUTE);
					tenant.habits.ourClockAhead += back * MINUTE;
				}
				tenant.pass(5 * MINUTE);
				changes.push(tenant.change(`user-${poll}`));
				await trigger.poll();
			}
			await trigger.drain();
			expect(changes.filter((change) => !trigger.emitted.includes(change))).toEqual([]);
		},
	);

	it.each(
		[-9, -5, -1, 0, 3].flatMap((hours) => [
			{ hours, ignored: true },
			{ hours, ignored: false },
		]),
	)(
		'loses no change if local times marked as UTC are set back by an hour: %p',
		async ({ hours, ignored }) => {
			const { tenant, trigger } = await started({
				dateAhead: -hours * HOUR,
				list: { updatedSince: { ignored } },
			});
			const changes: number[] = [];
			// Of a zone at UTC times are an hour ahead before.
			const ahead = hours === 0 ? HOUR : 0;
			for (let change = 0; change < 60; change++) {
				tenant.pass(5 * MINUTE + 7);
				const shown = tenant.time + ahead - (change < 12 ? 0 : HOUR);
				changes.push(tenant.change(`user-${change}`, 0, shown));
				await trigger.poll();
			}
			await trigger.drain();
			expect(sorted(trigger.emitted)).toEqual(changes);
		},
	);

	it.each([0, 5, 12])(
		'loses no change of the same minute if local times marked as UTC are %d hours behind',
		async (hours) => {
			const list = { updatedAtFormat: 'isoMinutes' as const };
			const tenant = new PolledTenant({ dateAhead: hours * HOUR, list });
			const trigger = new SimulatedTrigger(tenant);
			tenant.pass(MINUTE + SECOND);
			tenant.change('a');
			expect(await trigger.poll()).toEqual([]);
			const changes: number[] = [];
			for (let change = 0; change < 4; change++) {
				tenant.pass(SECOND);
				changes.push(tenant.change('a'));
				await trigger.poll();
			}
			expect(trigger.emitted).toEqual(changes);
		},
	);

	it.each([true, false])(
		'loses no change if local times are set back while more wait than can be remembered, with a Date header: %p',
		async (dateHeader) => {
			const { tenant, trigger } = await started(
				{ dateAhead: 5 * HOUR, ourClockAhead: 5 * HOUR, dateHeader },
				{ maxRemembered: 4, maxItems: 3 },
			);
			const changes: number[] = [];
			for (let change = 0; change < 60; change++) {
				tenant.pass(5 * MINUTE + 7);
				const shown = tenant.time - (change < 12 ? 0 : HOUR);
				for (const part of [0, 1, 2, 3])
					changes.push(tenant.change(`user-${change}-${part}`, 0, shown));
				await trigger.poll();
			}
			for (let day = 0; day < 10; day++) {
				tenant.pass(2 * DAY);
				await trigger.drain();
			}
			expect(changes.filter((c) => !trigger.emitted.includes(c))).toEqual([]);
		},
	);

	const fallen = [-HOUR, -20 * MINUTE].flatMap((by) =>
		[true, false].flatMap((ignored) =>
			(['createdOrUpdated', 'created', 'updated'] as const).map((triggerOn) => ({
				by,
				ignored,
				triggerOn,
			})),
		),
	);

	it.each(fallen)(
		'finds within a day all that changed since the clock of changes fell back: %p',
		async ({ by, ignored, triggerOn }) => {
			const { tenant, trigger } = await started(
				{ list: { updatedSince: { ignored } }, showsCreation: true },
				{ triggerOn, pageSize: 1000 },
			);
			// Of one that is updated twice within that day only the latest state shows.
			const name = (change: number) =>
				triggerOn === 'updated' ? `old-${change % 30}` : `user-${change}`;
			const changes: number[] = [];
			for (let change = 0; change < 30; change++) {
				tenant.pass(10 * MINUTE + 7);
				const shown = tenant.time + (change < 12 ? 0 : by);
				changes.push(tenant.change(name(change), 0, shown));
				await trigger.poll();
			}
			for (let hour = 0; hour < 24; hour++) {
				tenant.pass(HOUR);
				await trigger.poll();
			}
			expect(sorted([...new Set(trigger.emitted)])).toEqual(changes);
			for (let poll = 0; poll < 6; poll++) {
				tenant.pass(10 * MINUTE + 7);
				const change = tenant.change(name(30 + poll), 0, tenant.time + by);
				expect(await trigger.poll()).toContain(change);
			}
			expect(await trigger.drain()).toEqual([]);
			const twice = trigger.emitted.filter((change, place, all) => all.indexOf(change) < place);
			expect(new Set(twice).size).toBe(twice.length);
		},
	);

	it.each([-110 * MINUTE, -20 * MINUTE])(
		'finds all that changed since the clock of changes fell back if each reading takes several polls: %p',
		async (by) => {
			const { tenant, trigger } = await started(
				{ list: { updatedSince: { ignored: true } } },
				{ pageSize: 10 },
			);
			tenant.pagesPerPoll = 2;
			const read = async () => {
				do {
					tenant.pass(SECOND);
					await trigger.poll();
				} while (trigger.isReading);
			};
			const changes: number[] = [];
			for (let change = 0; change < 30; change++) {
				tenant.pass(10 * MINUTE + 7);
				const shown = tenant.time + (change < 12 ? 0 : by);
				changes.push(tenant.change(`user-${change}`, 0, shown));
				await read();
			}
			for (let hour = 0; hour < 24; hour++) {
				tenant.pass(HOUR);
				await read();
			}
			expect(sorted([...new Set(trigger.emitted)])).toEqual(changes);
		},
	);

	it.each([true, false])(
		'reads nothing again for a change that is dated by a clock which is right, if the list is read whole: %p',
		async (ignored) => {
			const list = { updatedSince: { ignored } };
			const { tenant, trigger } = await started({ list }, { pageSize: 1000 });
			const changes: number[] = [];
			for (let day = 0; day < 4; day++) {
				changes.push(tenant.change(`a-${day}`), tenant.change(`b-${day}`));
				for (let hour = 0; hour < 30; hour++) {
					tenant.pass(HOUR);
					await trigger.poll();
				}
			}
			expect(sorted(trigger.emitted)).toEqual(changes);
			expect(tenant.requests).toHaveLength(4 * 30);
		},
	);
});
