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
	changeMany,
	prepared,
	sorted,
	started,
} from '../../../../unit/nodes/VisitorService/polling/startedTrigger';

const DAY = 24 * HOUR;

describe('fields that differ in each answer', () => {
	it('takes no user for changed because a field differs in each answer', async () => {
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

describe('fields that differ in each answer if times are coarse', () => {
	const shown = ['isoSeconds', 'epochS', 'isoLocal', 'iso'] as const;
	it.each(
		shown.flatMap((updatedAtFormat) => [1, 150].map((count) => ({ updatedAtFormat, count }))),
	)(
		'repeats no user if a field differs in each answer and times are coarse: %p',
		async ({ updatedAtFormat, count }) => {
			const { tenant, trigger } = await started({ list: { updatedAtFormat }, volatileField: true });
			tenant.pass(7 * MINUTE);
			const changes = changeMany(tenant, count);
			for (let poll = 0; poll < 60; poll++) {
				tenant.pass(5 * MINUTE);
				await trigger.poll();
			}
			expect(sorted(trigger.emitted)).toEqual(changes);
		},
	);
});

/** A trigger that polls a list whose records show no update times, and compares it. */
class Compared {
	readonly tenant: PolledTenant;

	readonly trigger: SimulatedTrigger;

	readonly notes: string[] = [];

	constructor(
		users: number,
		volatileField: Habits['volatileField'],
		habits: Partial<Pick<Habits, 'showsCreation' | 'signsUrls'>> = {},
	) {
		this.tenant = new PolledTenant({
			...habits,
			volatileField,
			list: { updatedAtField: null },
		});
		changeMany(this.tenant, users);
		this.trigger = new SimulatedTrigger(this.tenant, { acceptsUpdatedSince: false });
	}

	/** @returns what each of so many polls emitted, `pause` after each other */
	async polls(count: number, pause: number): Promise<number[][]> {
		const emitted: number[][] = [];
		for (let poll = 0; poll < count; poll++) {
			emitted.push(await this.trigger.poll());
			this.notes.push(...this.trigger.notes);
			this.tenant.pass(pause);
		}
		return emitted;
	}
}

it('compares what a record holds no longer than it may change without a new time, even if that has no zone', async () => {
	const list = { updatedAtFormat: 'isoLocal' as const };
	const { tenant, trigger } = await started({ list, volatileField: HOUR });
	tenant.pass(SECOND);
	const change = tenant.change('a');
	for (let poll = 0; poll < 20; poll++) {
		tenant.pass(10 * MINUTE);
		await trigger.poll();
	}
	expect(trigger.emitted).toEqual([change]);
});

describe('fields that are renewed now and then', () => {
	it.each([
		{ renewedEach: MINUTE, polledEach: MINUTE },
		{ renewedEach: MINUTE, polledEach: MINUTE, showsCreation: true },
		{ renewedEach: MINUTE, polledEach: 5 * MINUTE },
		{ renewedEach: HOUR, polledEach: 5 * MINUTE },
		{ renewedEach: DAY, polledEach: HOUR },
	])(
		'emits records without update times six times at most if a field is renewed in all of them: %p',
		async ({ renewedEach, polledEach, showsCreation }) => {
			const compared = new Compared(12, renewedEach, { showsCreation });
			const { tenant, trigger, notes } = compared;
			const many = 8 * Math.max(1, renewedEach / polledEach);
			await compared.polls(many, polledEach);
			expect(trigger.emitted).toHaveLength(6 * 12);
			expect(notes).toEqual([expect.stringContaining('"photo" is renewed in all users')]);
			const changed = tenant.change('user-7');
			expect((await compared.polls(many, polledEach)).flat()).toEqual([changed]);
		},
	);

	it('finds a field that is renewed in all records although some of them change meanwhile', async () => {
		const compared = new Compared(120, HOUR);
		const changes: number[] = [];
		for (let hour = 0; hour < 10; hour++) {
			changes.push(compared.tenant.change(`user-${hour}`), compared.tenant.change('user-110'));
			await compared.polls(12, 5 * MINUTE);
		}
		expect(compared.trigger.emitted).toEqual(expect.arrayContaining(changes.slice(2)));
		compared.trigger.emitted.length = 0;
		await compared.polls(100, 5 * MINUTE);
		expect(compared.trigger.emitted).toEqual([]);
	});

	it.each([1, 3, 12])(
		'emits each of %d records without update times twice at most if URLs are signed anew',
		async (users) => {
			const compared = new Compared(users, HOUR, { signsUrls: true });
			const { tenant, trigger, notes } = compared;
			await compared.polls(100, 5 * MINUTE);
			expect(trigger.emitted).toHaveLength(users);
			expect(notes).toEqual([expect.stringContaining('"photo" is renewed in all users')]);
			const changed = tenant.change('user-0');
			expect((await compared.polls(100, 5 * MINUTE)).flat()).toEqual([changed]);
		},
	);

	it.each([
		['of a few records', 9, MINUTE],
		['of all records, seldom', 12, 3 * DAY],
	])('emits each change of one field %s', async (_what, users, pause) => {
		const compared = new Compared(users, false);
		await compared.polls(2, MINUTE);
		for (let round = 0; round < 12; round++) {
			const changes = changeMany(compared.tenant, users);
			expect(await compared.polls(1, pause)).toEqual([changes]);
		}
		expect(compared.notes).toEqual([]);
	});

	it('emits each change of one record, of the same field at every poll', async () => {
		const compared = new Compared(12, false);
		await compared.polls(2, MINUTE);
		for (let round = 0; round < 12; round++) {
			const change = compared.tenant.change('user-3');
			expect(await compared.polls(1, MINUTE)).toEqual([[change]]);
		}
	});

	it('emits each change of all records if somebody changes one of them in between', async () => {
		const compared = new Compared(12, false);
		await compared.polls(2, MINUTE);
		for (let round = 0; round < 12; round++) {
			const changes = changeMany(compared.tenant, 12);
			expect(await compared.polls(1, MINUTE)).toEqual([changes]);
			if (round % 4 !== 3) continue;
			const change = compared.tenant.change('user-3');
			expect(await compared.polls(1, MINUTE)).toEqual([[change]]);
		}
		expect(compared.notes).toEqual([]);
	});

	it.each(
		(['isoLocal', 'isoMinutes', 'isoDate'] as const).flatMap((updatedAtFormat) =>
			(['insertion', 'updatedAtDescending'] as const).flatMap((naturalOrder) =>
				[true, false].map((ignored) => ({ updatedAtFormat, naturalOrder, ignored })),
			),
		),
	)(
		'emits a record with a coarse time twice at most if a field is renewed in all of them: %p',
		async ({ updatedAtFormat, naturalOrder, ignored }) => {
			const { tenant, trigger } = await started({
				list: { updatedAtFormat, naturalOrder, updatedSince: { ignored } },
				volatileField: MINUTE,
			});
			const changes = changeMany(tenant, 3);
			for (let poll = 0; poll < 60; poll++) {
				tenant.pass(MINUTE);
				await trigger.poll();
			}
			const later = tenant.change('later');
			for (let poll = 0; poll < 60; poll++) {
				tenant.pass(MINUTE);
				await trigger.poll();
			}
			expect(trigger.emitted.filter((change) => change === later)).toHaveLength(1);
			for (const change of changes) {
				expect(trigger.emitted.filter((one) => one === change).length).toBeLessThanOrEqual(2);
			}
		},
	);

	it('emits a record twice at most although those that the trigger began with were all changed since', async () => {
		const list = { updatedAtFormat: 'isoDate' as const, naturalOrder: 'insertion' as const };
		const { tenant, trigger } = await started({ list, volatileField: DAY });
		for (let day = 0; day < 3; day++) {
			for (let user = 0; user < 30; user += 3) tenant.change(`old-${user + day}`);
			await trigger.poll();
			tenant.pass(DAY);
		}
		tenant.pass(3 * DAY);
		await trigger.drain();
		tenant.habits.volatileField = HOUR;
		const changes = changeMany(tenant, 3);
		const emitted: number[] = [];
		for (let poll = 0; poll < 20; poll++) {
			tenant.pass(HOUR);
			emitted.push(...(await trigger.poll()));
		}
		for (const change of changes) {
			expect(emitted.filter((one) => one === change).length).toBeLessThanOrEqual(2);
		}
	});

	it('emits a record twice at most although a field is renewed while the first reading takes several polls', async () => {
		const list = { updatedAtFormat: 'isoDate' as const, naturalOrder: 'insertion' as const };
		const { tenant, trigger } = prepared(
			{ list, volatileField: HOUR },
			{ pageSize: 5, startDate: START },
		);
		tenant.pagesPerPoll = 2;
		const changes = changeMany(tenant, 5);
		for (let poll = 0; poll < 24; poll++) {
			await trigger.poll();
			tenant.pass(40 * MINUTE);
		}
		for (const change of changes) {
			const times = trigger.emitted.filter((one) => one === change).length;
			expect(times).toBeGreaterThan(0);
			expect(times).toBeLessThanOrEqual(2);
		}
	});

	it('emits each of three states of one day although a field is renewed in all records', async () => {
		const { tenant, trigger } = await started({
			list: { updatedAtFormat: 'isoDate' },
			volatileField: 10 * MINUTE,
		});
		for (let round = 0; round < 3; round++) {
			const change = tenant.change('visit');
			tenant.pass(10 * MINUTE);
			expect(await trigger.poll()).toContain(change);
		}
	});

	it('takes no status for a renewed field that all records of one day change at once', async () => {
		const { tenant, trigger } = await started({ list: { updatedAtFormat: 'isoDate' } });
		for (let round = 0; round < 4; round++) {
			const changes = changeMany(tenant, 12);
			tenant.pass(HOUR);
			expect(sorted(await trigger.poll())).toEqual(changes);
		}
	});

	it('emits a record seven times at most on the day on which all of a list were made', async () => {
		const list = { updatedAtFormat: 'isoDate' as const };
		const tenant = new PolledTenant({ list, volatileField: HOUR });
		const trigger = new SimulatedTrigger(tenant);
		changeMany(tenant, 12);
		await trigger.poll();
		const changes = changeMany(tenant, 12);
		for (let poll = 0; poll < 14; poll++) {
			await trigger.poll();
			tenant.pass(HOUR);
		}
		for (const change of changes) {
			expect(trigger.emitted.filter((one) => one === change).length).toBeLessThanOrEqual(7);
		}
	});
});

it('a renewed field of a list without a Date stops counting after one change, although no later change shows how late it is', async () => {
	const tenant = new PolledTenant({ dateHeader: false, volatileField: HOUR });
	const trigger = new SimulatedTrigger(tenant);
	// At a full hour they would count as cut to it.
	tenant.pass(17 * MINUTE);
	for (const id of ['user-0', 'user-1']) tenant.change(id);
	await trigger.poll();
	const changed = tenant.change('user-0');
	const emitted: number[] = [];
	for (let polls = 0; polls < 60; polls++) {
		tenant.pass(10 * MINUTE);
		emitted.push(...(await trigger.poll()));
	}
	expect(emitted.filter((one) => one === changed).length).toBeLessThanOrEqual(2);
	expect(trigger.cursor?.list?.volatile).toEqual(['photo']);
	const later = tenant.change('user-0');
	expect(await trigger.poll()).toEqual([later]);
});

it.each([{}, { firstPageNumber: 1, pageBeforeFirst: 'empty' } as const])(
	'a renewed field of users that were never updated stops counting although the first page showed no creation time: %p',
	async (numbering) => {
		const list = { neverUpdated: 'null' as const, ...numbering };
		const habits = { list, showsCreation: true, timeless: 'user-7', volatileField: HOUR };
		const tenant = new PolledTenant(habits);
		const settings = { paths: { id: '', updatedAt: 'updatedAt', createdAt: '' } };
		const trigger = new SimulatedTrigger(tenant, settings);
		tenant.change('user-7');
		await trigger.poll();
		// At a full hour it would count as cut to days.
		tenant.pass(17 * MINUTE);
		const created = tenant.change('user-0');
		const emitted: number[] = [];
		// Our clock is behind, and without a Date nothing else says that the time is over.
		tenant.habits.dateHeader = false;
		for (let polls = 0; polls < 60; polls++) {
			tenant.pass(10 * MINUTE);
			emitted.push(...(await trigger.poll()));
		}
		expect(emitted.filter((one) => one === created).length).toBeLessThanOrEqual(2);
		expect(trigger.cursor?.list?.fields.createdAt).toBe('createdAt');
	},
);
