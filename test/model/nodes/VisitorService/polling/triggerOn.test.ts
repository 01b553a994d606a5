import type { PollSettings } from '../../../../../nodes/VisitorService/polling/currentPoll';
import type { TriggerOn } from '../../../../../nodes/VisitorService/polling/versions';
import {
	type Habits,
	HOUR,
	MINUTE,
	PolledTenant,
	SECOND,
	START,
} from '../../../../unit/nodes/VisitorService/polling/polledTenant';
import { SimulatedTrigger } from '../../../../unit/nodes/VisitorService/polling/simulatedTrigger';

const DAY = 24 * HOUR;

/** A trigger that polls every five minutes. */
class Polled {
	readonly tenant: PolledTenant;

	private readonly trigger: SimulatedTrigger;

	constructor(
		triggerOn: TriggerOn,
		settings: Partial<PollSettings> = {},
		habits: Partial<Habits> = {},
	) {
		this.tenant = new PolledTenant({ showsCreation: true, ...habits });
		this.tenant.pass(7);
		this.trigger = new SimulatedTrigger(this.tenant, { triggerOn, ...settings });
	}

	get notes(): string[] {
		return this.trigger.notes;
	}

	async poll(pages = Infinity): Promise<number[]> {
		this.tenant.pagesPerPoll = pages;
		const emitted = await this.trigger.poll();
		this.tenant.pass(5 * MINUTE);
		return emitted.sort((one, other) => one - other);
	}

	/** What several polls in a row emit. */
	async polls(count: number, pages = Infinity): Promise<number[]> {
		const emitted: number[] = [];
		for (let number = 0; number < count; number++) emitted.push(...(await this.poll(pages)));
		return emitted;
	}
}

/** A trigger that begins at a list of twelve users, created a day before. */
function published(triggerOn: TriggerOn, settings: Partial<PollSettings> = {}): Polled {
	const polled = new Polled(triggerOn, settings);
	for (let number = 0; number < 12; number++) polled.tenant.change(`old-${number}`);
	polled.tenant.pass(DAY);
	return polled;
}

describe.each([
	['asked for changes', true],
	['compared', false],
])('of a list that is %s,', (_how, acceptsUpdatedSince) => {
	it('each new record is emitted once, whatever becomes of it', async () => {
		const polled = published('created', { acceptsUpdatedSince });
		expect(await polled.polls(2)).toEqual([]);
		const created = polled.tenant.change('new');
		polled.tenant.change('old-3');
		expect(await polled.poll()).toEqual([created]);
		polled.tenant.change('new');
		expect(await polled.polls(3)).toEqual([]);
	});

	it('a record that is removed and created again with its ID is emitted as created again', async () => {
		const polled = published('created', { acceptsUpdatedSince });
		polled.tenant.change('new');
		expect(await polled.polls(2)).toEqual([]);
		polled.tenant.remove('new');
		const created = [polled.tenant.change('new')];
		polled.tenant.change('old-3');
		const emitted = await polled.poll();
		polled.tenant.remove('new');
		emitted.push(...(await polled.polls(3)));
		created.push(polled.tenant.change('new'));
		emitted.push(...(await polled.polls(3)));
		expect(emitted).toEqual(created);
	});

	it('a record that is removed and created again with its ID is not emitted as updated, but its next change is', async () => {
		const polled = published('updated', { acceptsUpdatedSince });
		polled.tenant.pass(DAY);
		expect(await polled.polls(2)).toEqual([]);
		polled.tenant.remove('old-3');
		polled.tenant.change('old-3');
		expect(await polled.polls(2)).toEqual([]);
		const changed = polled.tenant.change('old-3');
		expect(await polled.polls(3)).toEqual([changed]);
	});

	it('each change of a record that was there is emitted once, and no creation', async () => {
		const polled = published('updated', { acceptsUpdatedSince });
		expect(await polled.polls(2)).toEqual([]);
		polled.tenant.change('new');
		const changed = polled.tenant.change('old-3');
		expect(await polled.poll()).toEqual([changed]);
		const changedLater = polled.tenant.change('new');
		expect(await polled.poll()).toEqual([changedLater]);
		expect(await polled.polls(3)).toEqual([]);
	});

	it('new and changed records are emitted once', async () => {
		const polled = published('createdOrUpdated', { acceptsUpdatedSince });
		expect(await polled.polls(2)).toEqual([]);
		const changes = [polled.tenant.change('new'), polled.tenant.change('old-3')];
		expect(await polled.poll()).toEqual(changes);
		expect(await polled.polls(3)).toEqual([]);
	});

	it('an answer that is older than the one before repeats nothing, and hides no change', async () => {
		const polled = published('createdOrUpdated', { acceptsUpdatedSince });
		await polled.poll();
		const before = await polled.tenant.copyList();
		const changes = [polled.tenant.change('old-3'), polled.tenant.change('new')];
		expect(await polled.poll()).toEqual(changes);
		changes.push(polled.tenant.change('old-5'));
		const emitted = await polled.tenant.answeredBy(before, async () => await polled.poll());
		emitted.push(...(await polled.polls(3)));
		expect(emitted).toEqual(changes.slice(2));
	});

	it('new records are emitted though each reading takes several polls', async () => {
		const polled = published('createdOrUpdated', { acceptsUpdatedSince, pageSize: 3 });
		expect(await polled.polls(6, 2)).toEqual([]);
		const changes = Array.from({ length: 7 }, (_, number) => polled.tenant.change(`new-${number}`));
		expect((await polled.polls(30, 2)).sort((one, other) => one - other)).toEqual(changes);
	});
});

it('emits the changes of records that were created in the minute the place is in', async () => {
	const habits = { list: { timeUnit: 'min' as const } };
	const polled = new Polled('updated', { maxItems: 1 }, habits);
	const { tenant } = polled;
	// Times at a full hour would count as cut to it.
	tenant.pass(17 * MINUTE);
	const ids = Array.from({ length: 12 }, (_, number) => `user-${number}`);
	for (const id of ids) tenant.change(id);
	const [changed, unchanged] = [ids.slice(6), ids.slice(0, 6)];
	expect(await polled.poll()).toEqual([]);
	const inThatMinute = changed.map((id) => tenant.change(id, 0, START + 17 * MINUTE + SECOND));
	tenant.pass(HOUR);
	const later = unchanged.map((id) => tenant.change(id));
	tenant.pass(HOUR);
	const emitted = await polled.polls(20);
	expect(emitted.sort((one, other) => one - other)).toEqual([...inThatMinute, ...later]);
});

it('takes each record for new if the list was empty at the last poll, however long ago', async () => {
	const polled = new Polled('created', { acceptsUpdatedSince: false });
	expect(await polled.polls(2)).toEqual([]);
	const created = polled.tenant.change('new');
	polled.tenant.pass(2 * DAY);
	expect(await polled.polls(2)).toEqual([created]);
});

it('takes each record with a new ID for created, and none for updated, if no time of a creation shows', async () => {
	const emitted = await Promise.all(
		(['created', 'updated'] as const).map(async (triggerOn) => {
			const polled = new Polled(
				triggerOn,
				{ acceptsUpdatedSince: false },
				{ showsCreation: false },
			);
			polled.tenant.change('old');
			await polled.polls(2);
			polled.tenant.change('new');
			return await polled.polls(3);
		}),
	);
	expect(emitted).toEqual([[2], []]);
});

it('emits a new record of a compared list although its end is never sure', async () => {
	const polled = published('createdOrUpdated', { acceptsUpdatedSince: false });
	polled.tenant.set({ totalLag: 1 });
	expect(await polled.polls(2)).toEqual([]);
	const created = polled.tenant.change('new');
	expect(await polled.polls(3)).toEqual([created]);
});

it('says once that changes may be missed if a compared list is never read to a sure end', async () => {
	const polled = published('createdOrUpdated', { acceptsUpdatedSince: false });
	await polled.poll();
	expect(polled.notes).toEqual([]);
	polled.tenant.set({ totalLag: 1 });
	await polled.poll();
	expect(polled.notes).toEqual([expect.stringContaining('changes may be missed')]);
	await polled.poll();
	expect(polled.notes).toEqual([]);
});

it('says nothing of a compared list that is empty without a total', async () => {
	const polled = published('createdOrUpdated', { acceptsUpdatedSince: false });
	await polled.poll();
	const fetchPage = polled.tenant.fetchPage.bind(polled.tenant);
	polled.tenant.fetchPage = async (...asked) => ({ ...(await fetchPage(...asked)), body: {} });
	expect(await polled.poll()).toEqual([]);
	expect(polled.notes).toEqual([]);
});

it('emits a new record of a compared list as created although its time is shown in a zone it is not marked with', async () => {
	const polled = published('created', { acceptsUpdatedSince: false });
	await polled.polls(2);
	const created = polled.tenant.change('new', 0, polled.tenant.time - 12 * HOUR);
	expect(await polled.polls(3)).toEqual([created]);
});

it('emits no old record as created although the filter goes by a later time than the one shown', async () => {
	const polled = published('created');
	polled.tenant.set({ updatedSince: { aheadMs: 5 * HOUR } });
	await polled.polls(2);
	polled.tenant.change('old-3');
	expect(await polled.polls(30)).toEqual([]);
	const created = polled.tenant.change('new');
	expect(await polled.polls(30)).toEqual([created]);
});

it('emits no old record as created that the filter still finds hours after its change', async () => {
	const polled = published('created');
	polled.tenant.pass(3 * DAY);
	polled.tenant.set({ updatedSince: { aheadMs: 2 * HOUR } });
	await polled.polls(2);
	polled.tenant.change('old-3');
	polled.tenant.pass(HOUR);
	expect(await polled.polls(15)).toEqual([]);
});

it('emits no old record as created that only comes back to a compared list', async () => {
	const polled = published('created', { acceptsUpdatedSince: false });
	await polled.polls(2);
	polled.tenant.change('old', 0, polled.tenant.time - 2 * DAY);
	expect(await polled.polls(3)).toEqual([]);
});

it('emits the next change of a compared record as updated although its creation shows an hour after its update', async () => {
	const polled = published('updated', { acceptsUpdatedSince: false });
	await polled.polls(2);
	polled.tenant.change('new');
	await polled.poll();
	polled.tenant.change('new', 0, polled.tenant.time - HOUR);
	await polled.polls(3);
	const changed = polled.tenant.change('new');
	expect(await polled.polls(3)).toEqual([changed]);
});

describe.each([
	['asked for changes', true],
	['compared', false],
])('of a list with another kind of times that is %s,', (_how, acceptsUpdatedSince) => {
	it.each<[string, Habits['list']]>([
		['only days are shown', { updatedAtFormat: 'isoDate', updatedSince: { precision: 'day' } }],
		['times are cut to days', { timeUnit: 'day' }],
		['times are cut to hours', { timeUnit: 'hour' }],
		['times are cut to minutes', { timeUnit: 'min' }],
	])('each of several changes of one day is emitted once if %s', async (_times, list) => {
		const polled = new Polled('createdOrUpdated', { acceptsUpdatedSince }, { list });
		for (let number = 0; number < 12; number++) polled.tenant.change(`old-${number}`);
		polled.tenant.pass(3 * DAY);
		expect(await polled.polls(2)).toEqual([]);
		const changes: number[] = [];
		const emitted: number[] = [];
		for (let round = 0; round < 40; round++) {
			changes.push(polled.tenant.change('old-3'), polled.tenant.change(`new-${round}`));
			emitted.push(...(await polled.poll()));
			polled.tenant.pass(20 * SECOND);
			changes.push(polled.tenant.change('old-3'));
			emitted.push(...(await polled.poll()));
			polled.tenant.pass(HOUR);
			emitted.push(...(await polled.poll()));
		}
		for (let round = 0; round < 20; round++) {
			polled.tenant.pass(6 * HOUR);
			emitted.push(...(await polled.poll()));
		}
		expect(emitted).toEqual(changes);
	});

	it('nothing is emitted again if the offset of all times changes in spring and in autumn', async () => {
		const list = { updatedAtFormat: 'isoOffset' as const, zoneOffsetMinutes: 60 };
		const polled = new Polled('createdOrUpdated', { acceptsUpdatedSince }, { list });
		for (let number = 0; number < 12; number++) polled.tenant.change(`old-${number}`);
		expect(await polled.polls(2)).toEqual([]);
		const changes: number[] = [];
		const emitted: number[] = [];
		for (const zoneOffsetMinutes of [120, 60]) {
			changes.push(polled.tenant.change('old-3'), polled.tenant.change('old-5'));
			emitted.push(...(await polled.poll()));
			polled.tenant.set({ zoneOffsetMinutes });
			emitted.push(...(await polled.poll()));
			changes.push(polled.tenant.change('old-7'));
			emitted.push(...(await polled.polls(3)));
		}
		expect(emitted).toEqual(changes);
	});
});

it('emits both of two changes within one second of a compared list that shows no fractions of it', async () => {
	const habits = { list: { updatedAtFormat: 'isoSeconds' as const } };
	const polled = new Polled('createdOrUpdated', { acceptsUpdatedSince: false }, habits);
	polled.tenant.change('a');
	await polled.polls(2);
	const { time } = polled.tenant;
	const first = polled.tenant.change('a', 0, time);
	expect(await polled.poll()).toEqual([first]);
	const second = polled.tenant.change('a', 0, time + 1);
	expect(await polled.polls(3)).toEqual([second]);
});

it('emits a change although it sets back the time of a compared record, once the next reading shows it as well', async () => {
	const polled = published('createdOrUpdated', { acceptsUpdatedSince: false });
	polled.tenant.change('old-3');
	await polled.poll();
	const change = polled.tenant.change('old-3', 0, polled.tenant.time - DAY);
	expect(await polled.poll()).toEqual([]);
	expect(await polled.poll()).toEqual([change]);
	expect(await polled.polls(3)).toEqual([]);
});

describe('records without times', () => {
	it.each([true, SECOND])(
		'repeats no record without times if a field differs in each answer: %p',
		async (volatileField) => {
			const polled = new Polled(
				'createdOrUpdated',
				{ acceptsUpdatedSince: false },
				{ showsCreation: false, volatileField, list: { updatedAtField: null } },
			);
			polled.tenant.change('a');
			polled.tenant.change('b');
			expect(await polled.polls(3)).toEqual([]);
			const changed = polled.tenant.change('a');
			expect(await polled.polls(3)).toEqual([changed]);
		},
	);

	it('still compares a field that changed in all records while the list was opened', async () => {
		const polled = new Polled(
			'createdOrUpdated',
			{ acceptsUpdatedSince: false },
			{ showsCreation: false, list: { updatedAtField: null } },
		);
		const { tenant } = polled;
		for (const id of ['a', 'b', 'c']) tenant.change(id);
		let requests = 0;
		tenant.beforePage = () => {
			if (++requests === 2) for (const id of ['a', 'b', 'c']) tenant.change(id);
		};
		await polled.polls(2);
		const changed = tenant.change('a');
		expect(await polled.poll()).toEqual([changed]);
	});

	it('does not repeat two records for ever that have one ID', async () => {
		const polled = new Polled(
			'createdOrUpdated',
			{ acceptsUpdatedSince: false, pageSize: 1 },
			{ showsCreation: false, list: { updatedAtField: null } },
		);
		for (const id of ['6', '7', '8', '07', '9']) polled.tenant.change(id);
		polled.tenant.writesIdsAs = 'numbers';
		await polled.polls(2);
		expect(await polled.polls(3)).toEqual([]);
	});

	it('tells records without times apart by what they hold', async () => {
		const polled = new Polled(
			'createdOrUpdated',
			{ acceptsUpdatedSince: false },
			{ showsCreation: false, list: { updatedAtField: null } },
		);
		polled.tenant.change('a');
		polled.tenant.change('b');
		expect(await polled.polls(2)).toEqual([]);
		const changed = polled.tenant.change('a');
		expect(await polled.poll()).toEqual([changed]);
		expect(await polled.polls(3)).toEqual([]);
	});
});

describe.each([
	['asked for changes', true],
	['compared', false],
])(
	'a field that begins to differ in each answer, of a list that is %s,',
	(_how, acceptsUpdatedSince) => {
		it('hides no change of the poll that notices it, and repeats each record once at most', async () => {
			// Without fractions of a second the content tells states apart as well.
			const list = { updatedAtFormat: 'isoSeconds' as const };
			const habits = { showsCreation: false, list };
			const polled = new Polled('createdOrUpdated', { acceptsUpdatedSince }, habits);
			const { tenant } = polled;
			const updatedAt = tenant.time + SECOND;
			for (const id of ['a', 'b', 'c']) tenant.change(id, 0, updatedAt);
			expect(await polled.polls(2)).toEqual([]);
			tenant.habits.volatileField = true;
			const changed = tenant.change('b', 0, updatedAt);
			const emitted = await polled.polls(4);
			expect(emitted).toContain(changed);
			expect(new Set(emitted).size).toBe(emitted.length);
		});
	},
);

describe('removed records', () => {
	it('emits removed records by their IDs after two readings without them, once', async () => {
		const polled = published('removed');
		expect(await polled.polls(2)).toEqual([]);
		polled.tenant.remove('old-3');
		expect(await polled.poll()).toEqual([]);
		expect(await polled.poll()).toEqual([3]);
		expect(await polled.polls(3)).toEqual([]);
	});

	it('emits a removed record whose ID holds a line separator', async () => {
		const polled = published('removed');
		polled.tenant.change('a\u20287');
		await polled.poll();
		polled.tenant.remove('a\u20287');
		expect(await polled.polls(3)).toEqual([7]);
	});

	it('does not report a record as removed if it comes back in time', async () => {
		const polled = published('removed');
		await polled.poll();
		polled.tenant.remove('old-3');
		expect(await polled.poll()).toEqual([]);
		polled.tenant.change('old-3');
		expect(await polled.polls(4)).toEqual([]);
	});

	it('emits a record that is removed, comes back and is removed again twice', async () => {
		const polled = published('removed');
		await polled.poll();
		polled.tenant.remove('old-3');
		const emitted = await polled.polls(3);
		polled.tenant.change('old-3');
		emitted.push(...(await polled.polls(2)));
		polled.tenant.remove('old-3');
		emitted.push(...(await polled.polls(3)));
		expect(emitted).toEqual([3, 3]);
	});

	it.each<TriggerOn>(['removed', 'createdOrUpdated'])(
		'a service that writes its IDs in another way has removed and created nobody: %s',
		async (triggerOn) => {
			const polled = new Polled(triggerOn, { acceptsUpdatedSince: false });
			for (const id of ['7', '8', '9']) polled.tenant.change(id);
			await polled.polls(2);
			polled.tenant.writesIdsAs = 'numbers';
			expect(await polled.polls(8)).toEqual([]);
		},
	);

	it('emits each removed record after two readings without it, although one is removed before each, of a list of one page', async () => {
		const polled = published('removed');
		await polled.polls(2);
		const emitted: number[][] = [];
		for (const number of [3, 5, 7, 9]) {
			polled.tenant.remove(`old-${number}`);
			emitted.push(await polled.poll());
		}
		expect(emitted).toEqual([[], [3], [5], [7]]);
	});

	it('emits each removed record after six readings without it at the latest, although the list moves under its pages', async () => {
		const polled = published('removed', { pageSize: 3 });
		await polled.polls(2);
		const emitted: number[][] = [];
		for (let number = 0; number < 8; number++) {
			polled.tenant.remove(`old-${number}`);
			emitted.push(await polled.poll());
		}
		expect(emitted).toEqual([[], [], [], [], [], [0], [1], [2]]);
	});

	it('nobody is removed who moves out of sight in two readings of a list that is sorted anew meanwhile', async () => {
		const polled = published('removed', { pageSize: 3 });
		const ids = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
		let isMoving = false;
		polled.tenant.fetchPage = async (page, pageSize) => {
			// After the first page is read, what it began with moves to the end, and each that follows
			// moves up.
			const order = isMoving && page > 0 ? [...ids.slice(1), ...ids.slice(0, 1)] : ids;
			const records = order.slice(page * pageSize, (page + 1) * pageSize);
			return await Promise.resolve({
				statusCode: 200,
				headers: {},
				body: { data: records.map((id) => ({ id: `user-${id}` })) },
			});
		};
		await polled.polls(2);
		isMoving = true;
		const emitted = await polled.polls(4);
		isMoving = false;
		emitted.push(...(await polled.polls(2)));
		expect(emitted).toEqual([]);
	});

	it('removed records are none if the list is not read to its end, and that is said', async () => {
		const polled = published('removed');
		await polled.poll();
		polled.tenant.set({ totalLag: 1 });
		polled.tenant.remove('old-3');
		expect(await polled.poll()).toEqual([]);
		expect(polled.notes).toEqual([expect.stringContaining('nothing counts as removed')]);
		expect(await polled.polls(4)).toEqual([]);
	});

	it('emits removed records though each reading takes several polls', async () => {
		const polled = published('removed', { pageSize: 3 });
		expect(await polled.polls(5, 2)).toEqual([]);
		polled.tenant.remove('old-11');
		expect(await polled.polls(15, 2)).toEqual([11]);
	});
});

describe.each(['empty', 'error', 'lastPage', 'startsOver'] as const)(
	'a list that says nothing of its end: %s',
	(pageBeyondEnd) => {
		it('a list that says nothing of its end is read to it though a poll stops exactly there', async () => {
			const list = { metadata: 'none', pageBeyondEnd } as const;
			const polled = new Polled('removed', { pageSize: 3 }, { list });
			for (let number = 0; number < 12; number++) polled.tenant.change(`old-${number}`);
			expect(await polled.polls(5, 2)).toEqual([]);
			for (let number = 0; number < 3; number++) polled.tenant.remove(`old-${number}`);
			expect(await polled.polls(15, 2)).toEqual([0, 1, 2]);
		});

		it('a list that says nothing of its end is read to it though the filter is ignored', async () => {
			const list = { metadata: 'none', pageBeyondEnd, updatedSince: { ignored: true } } as const;
			const polled = new Polled('createdOrUpdated', { pageSize: 3 }, { list });
			for (let number = 0; number < 12; number++)
				polled.tenant.change(`old-${number}`, 0, START - 30 * DAY + number * MINUTE);
			expect(await polled.polls(5, 2)).toEqual([]);
			const change = polled.tenant.change('old-5');
			expect(await polled.polls(30, 2)).toEqual([change]);
		});
	},
);

describe('more changes of a compared list than maxItems', () => {
	it('emits removed records with the next polls if they are more than maxItems, each once', async () => {
		const polled = published('removed', { maxItems: 2 });
		await polled.poll();
		for (const number of [3, 5, 7]) polled.tenant.remove(`old-${number}`);
		expect(await polled.polls(2)).toHaveLength(2);
		expect(await polled.polls(2)).toHaveLength(1);
		expect(await polled.polls(3)).toEqual([]);
	});

	it('emits the oldest changes of a compared list first, and the others with the next polls', async () => {
		const polled = published('createdOrUpdated', { acceptsUpdatedSince: false, maxItems: 2 });
		await polled.poll();
		const changes = ['old-7', 'old-5', 'old-3'].map((id) => {
			polled.tenant.pass(MINUTE);
			return polled.tenant.change(id);
		});
		expect(await polled.poll()).toEqual(changes.slice(0, 2));
		expect(await polled.polls(3)).toEqual(changes.slice(2));
	});
});

describe('more records than can be compared', () => {
	it('compares as many records as it can', async () => {
		const polled = published('removed', { maxCompared: 12 });
		expect(await polled.polls(2)).toEqual([]);
	});

	it.each<TriggerOn>(['createdOrUpdated', 'removed'])(
		'records that left the list do not count among those that can be compared: %s',
		async (triggerOn) => {
			const polled = published(triggerOn, { acceptsUpdatedSince: false, maxCompared: 12 });
			await polled.polls(2);
			const created: number[] = [];
			for (let number = 0; number < 12; number++) {
				polled.tenant.remove(`old-${number}`);
				created.push(polled.tenant.change(`new-${number + 12}`));
			}
			const emitted = await polled.polls(7);
			expect(emitted).toEqual(triggerOn === 'removed' ? Array.from(created.keys()) : created);
		},
	);

	it('a list whose end is never sure may change for ever', async () => {
		const polled = new Polled(
			'createdOrUpdated',
			{ acceptsUpdatedSince: false, maxCompared: 12 },
			{ list: { metadata: ['total'], maxPageSize: 5 } },
		);
		const fetchPage = polled.tenant.fetchPage.bind(polled.tenant);
		polled.tenant.fetchPage = async (...asked) => {
			const answer = await fetchPage(...asked);
			return { ...answer, body: { ...(answer.body as object), total: 99 } };
		};
		for (let number = 0; number < 12; number++) polled.tenant.change(`user-${number}`);
		await polled.poll();
		for (let number = 12; number < 100; number++) {
			polled.tenant.remove(`user-${number - 12}`);
			const created = polled.tenant.change(`user-${number}`);
			expect(await polled.poll()).toEqual([created]);
		}
	});

	it('more records than can be compared are an error that says so', async () => {
		const polled = published('removed', { maxCompared: 11 });
		await expect(polled.poll()).rejects.toThrow('The list has more than 11 users');
	});
});

it.each([
	['in a zone that is behind', { ahead: -5 * HOUR, unit: 1 }],
	['in a zone that is ahead', { ahead: 5 * HOUR, unit: 1 }],
	['cut to hours', { ahead: 0, unit: HOUR }],
])(
	'emits each created user once if only times of creations are %s',
	async (_how, creationTimes) => {
		const polled = new Polled('created', {}, { creationTimes });
		polled.tenant.pass(17 * MINUTE);
		for (let user = 0; user < 5; user++)
			polled.tenant.change(`old-${user}`, 0, START - user * DAY - 12_345 * (user + 1));
		expect(await polled.poll()).toEqual([]);
		const created: number[] = [];
		const emitted: number[] = [];
		for (let user = 0; user < 30; user++) {
			polled.tenant.change(`old-${user % 5}`);
			polled.tenant.pass(7 * MINUTE);
			created.push(polled.tenant.change(`new-${user}`));
			emitted.push(...(await polled.poll()));
		}
		emitted.push(...(await polled.polls(3)));
		expect(emitted).toEqual(created);
	},
);

it('emits the first update of a user of before if all creations seem to be cut to days', async () => {
	const tenant = new PolledTenant({ showsCreation: true });
	const trigger = new SimulatedTrigger(tenant, { triggerOn: 'updated' });
	for (let user = 0; user < 5; user++)
		tenant.change(`imported-${user}`, 0, START - 8 * HOUR - user * DAY);
	tenant.pass(17 * MINUTE + 1234);
	tenant.change('imported-3');
	expect(await trigger.poll()).toEqual([]);
	tenant.pass(HOUR);
	const first = tenant.change('imported-0');
	tenant.pass(SECOND);
	const second = tenant.change('imported-4');
	expect(await trigger.drain()).toEqual([first, second]);
});
