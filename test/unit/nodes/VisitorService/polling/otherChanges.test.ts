import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { HOUR, MINUTE, type PolledTenant, SECOND, START } from './polledTenant';
import { changeMany, failureOf, prepared, sorted, started } from './startedTrigger';

const DAY = 24 * HOUR;

/**
 * Of users of whom something was changed that leaves the time they show as it is, such as the
 * groups they are in; the filter of the service goes by that as well.
 */
class OtherChanges {
	private readonly times = new Map<unknown, number>();

	private readonly groups = new Map<unknown, number>();

	/** Whether the filter has no effect any more. */
	isIgnored = false;

	/** Whether the rate limit lets nobody ask for changes of the future. */
	isTrialRefused = false;

	constructor(private readonly tenant: PolledTenant) {
		const answer = tenant.fetchPage.bind(tenant);
		tenant.fetchPage = async (page, pageSize, since) => {
			if (this.isTrialRefused && (since ?? 0) > tenant.time) {
				throw new ServiceFailure('Too many requests.', 'Wait.', { kind: 'rateLimit' });
			}
			const whole = await answer(0, 1000);
			const { data } = whole.body as { data: JsonObject[] };
			Object.assign(tenant.requests.at(-1) ?? {}, { page, pageSize, updatedSince: since });
			const found = data.filter((user) => this.isFound(user, since));
			const onPage = found.slice(page * pageSize, (page + 1) * pageSize);
			const users = onPage.map((user) => ({ ...user, groups: this.groups.get(user.id) ?? 0 }));
			return { ...whole, body: { data: users, total: found.length } };
		};
	}

	/** @param showsInContent whether the list shows what was changed */
	add(id: string, showsInContent = true): void {
		this.times.set(id, this.tenant.time);
		if (showsInContent) this.groups.set(id, (this.groups.get(id) ?? 0) + 1);
	}

	private isFound({ id, updatedAt }: JsonObject, since = 0): boolean {
		const changedAt = Math.max(Date.parse(String(updatedAt)), this.times.get(id) ?? 0);
		return this.isIgnored || changedAt >= since;
	}
}

async function startedWithOthers(settings: Parameters<typeof started>[1] = {}) {
	const { tenant, trigger } = prepared({}, settings);
	const others = new OtherChanges(tenant);
	await trigger.poll();
	tenant.pass(HOUR);
	await trigger.poll();
	const changeOf = (id: string) => tenant.current().get(id);
	return { tenant, trigger, others, changeOf };
}

describe('a service whose updatedSince also finds users of whom something else was changed', () => {
	it('starts the workflow once for a user with an earlier time, and for each user that changes meanwhile', async () => {
		const { tenant, trigger, others, changeOf } = await startedWithOthers();
		tenant.pass(MINUTE);
		others.add('old-3');
		const change = tenant.change('a');
		expect(await trigger.poll()).toEqual([changeOf('old-3'), change]);
		expect(trigger.notes).toEqual([expect.stringContaining('something else')]);
		const later: number[] = [];
		const came: number[] = [];
		for (let poll = 0; poll < 20; poll++) {
			tenant.pass(MINUTE);
			later.push(tenant.change(`user-${poll}`));
			came.push(...(await trigger.poll()));
			expect(trigger.notes).toEqual([]);
		}
		expect(came).toEqual(later);
	});

	it('starts the workflow again if a user with an earlier time shows another content, at once or later', async () => {
		const { tenant, trigger, others, changeOf } = await startedWithOthers();
		for (const pause of [MINUTE, MINUTE, 20 * SECOND, HOUR, 3 * DAY]) {
			tenant.pass(pause);
			others.add('old-3');
			expect(await trigger.poll()).toEqual([changeOf('old-3')]);
			expect(await trigger.poll()).toEqual([]);
		}
	});

	it('starts no workflow again for a user with an earlier time while it shows the same content', async () => {
		const { tenant, trigger, others, changeOf } = await startedWithOthers();
		others.add('old-3');
		expect(await trigger.poll()).toEqual([changeOf('old-3')]);
		for (let poll = 0; poll < 60; poll++) {
			tenant.pass(MINUTE);
			others.add('old-3', false);
			expect(await trigger.poll()).toEqual([]);
		}
		expect(trigger.cursor?.changes?.remembered.length).toBeLessThan(40);
	});

	it.each([{ maxItems: 1 }, { pageSize: 2 }, { maxRemembered: 4 }])(
		'starts the workflow for each of many such users, and loses no change: %p',
		async (settings) => {
			const { tenant, trigger, others, changeOf } = await startedWithOthers(settings);
			tenant.pass(MINUTE);
			const ids = [3, 5, 7, 11, 13].map((number) => `old-${number}`);
			for (const id of ids) others.add(id);
			const changes = changeMany(tenant, 4);
			for (let poll = 0; poll < 40; poll++) {
				await trigger.poll();
				tenant.pass(MINUTE);
			}
			const all = [...ids.map((id) => changeOf(id) ?? -1), ...changes];
			expect(sorted([...new Set(trigger.emitted)])).toEqual(sorted(all));
		},
	);

	it('starts the workflow for each of them although a poll can read only one page', async () => {
		const { tenant, trigger, others, changeOf } = await startedWithOthers({ pageSize: 2 });
		tenant.pass(MINUTE);
		const ids = [3, 5, 7, 11, 13].map((number) => `old-${number}`);
		for (const id of ids) others.add(id);
		tenant.pagesPerPoll = 1;
		expect(sorted(await trigger.drain())).toEqual(sorted(ids.map((id) => changeOf(id) ?? -1)));
	});

	it('does not count a user with an earlier time as created', async () => {
		const { tenant, trigger } = await started({ showsCreation: true }, { triggerOn: 'created' });
		const others = new OtherChanges(tenant);
		tenant.pass(HOUR);
		others.add('old-3');
		const created = tenant.change('new');
		expect(await trigger.poll()).toEqual([created]);
	});

	it('starts the workflow for them although a rate limit forbids to try the filter again', async () => {
		const { tenant, trigger, others, changeOf } = await startedWithOthers();
		others.add('old-3');
		expect(await trigger.poll()).toEqual([changeOf('old-3')]);
		others.isTrialRefused = true;
		for (const id of ['old-5', 'old-7']) {
			tenant.pass(MINUTE);
			others.add(id);
			expect(await trigger.poll()).toEqual([changeOf(id)]);
		}
	});

	it('fails as long as a rate limit forbids to find out why such a user comes', async () => {
		const { tenant, trigger, others, changeOf } = await startedWithOthers();
		others.add('old-3');
		others.isTrialRefused = true;
		expect((await failureOf(trigger.poll())).kind).toBe('rateLimit');
		tenant.pass(MINUTE);
		others.isTrialRefused = false;
		expect(await trigger.poll()).toEqual([changeOf('old-3')]);
	});

	it('notices that a service with such users begins to ignore updatedSince', async () => {
		const { tenant, trigger, others, changeOf } = await startedWithOthers();
		others.add('old-3');
		expect(await trigger.poll()).toEqual([changeOf('old-3')]);
		tenant.pass(HOUR);
		others.isIgnored = true;
		const change = tenant.change('a');
		expect(await trigger.poll()).toEqual([change]);
		expect(trigger.cursor?.list?.reads).toBe('allIgnored');
	});
});

describe('a service whose updatedSince goes by another time than the one that users show', () => {
	it('a filter by another time fails for no more than a day, and loses no change after it', async () => {
		const { tenant, trigger } = await started();
		tenant.set({ updatedSince: { aheadMs: 10 * DAY } });
		tenant.pass(HOUR);
		const change = tenant.change('a', 0, START - 9 * DAY);
		const { remedy } = await failureOf(trigger.poll());
		expect(remedy).toContain('Updated At Path');
		tenant.pass(23 * HOUR);
		await failureOf(trigger.poll());
		tenant.pass(2 * HOUR);
		expect(await trigger.drain()).toEqual([change]);
		tenant.pass(HOUR);
		const next = tenant.change('b', 0, tenant.time - 9 * DAY);
		expect(await trigger.drain()).toEqual([next]);
	});
});

describe('the daily trial of updatedSince', () => {
	it('keeps what was read if the daily trial fails, and makes up for it', async () => {
		const { tenant, trigger } = await started({}, { pageSize: 10 });
		tenant.pass(25 * HOUR);
		tenant.beforePage = ({ updatedSince }) => {
			if (updatedSince === undefined)
				throw new ServiceFailure('It broke.', 'Wait.', { kind: 'service' });
		};
		const mistaken = tenant.change('mistaken', 0, START + 9000 * DAY);
		expect(await trigger.poll()).toEqual([mistaken]);
		tenant.pass(25 * HOUR);
		await failureOf(trigger.poll());
		tenant.beforePage = undefined;
		expect(await trigger.poll()).toEqual([]);
		tenant.requests = [];
		expect(await trigger.poll()).toEqual([]);
		expect(tenant.requests).toHaveLength(1);
	});

	it('notices a misread updatedSince although it finds a change of the last hours from a day before', async () => {
		const { tenant, trigger } = await started();
		tenant.set({ updatedSince: { aheadMs: -8 * HOUR } });
		tenant.pass(25 * HOUR);
		tenant.change('a');
		expect((await failureOf(trigger.poll())).remedy).toContain('Updated Since Format');
	});

	it('starts the workflow once for each such user although none is found for days', async () => {
		const { tenant, trigger, others, changeOf } = await startedWithOthers();
		tenant.pass(MINUTE);
		others.add('old-3');
		const change = tenant.change('a');
		expect(await trigger.poll()).toEqual([changeOf('old-3'), change]);
		tenant.pass(10 * HOUR);
		others.add('old-5');
		others.add('a');
		expect(sorted(await trigger.poll())).toEqual([changeOf('old-5'), change]);
		for (let hour = 0; hour < 3 * 24; hour++) {
			tenant.pass(HOUR);
			expect(await trigger.poll()).toEqual([]);
		}
	});
});

describe('a filter that knows days only', () => {
	it('starts the workflow once for each change although polls are rare and nothing changes', async () => {
		const { tenant, trigger } = await started({ list: { updatedSince: { precision: 'day' } } });
		const early = tenant.change('a');
		tenant.pass(6 * MINUTE);
		const late = tenant.change('b');
		tenant.pass(MINUTE);
		expect(await trigger.poll()).toEqual([early, late]);
		for (let day = 0; day < 5; day++) {
			tenant.pass(23 * HOUR);
			expect(await trigger.poll()).toEqual([]);
		}
	});

	it('starts the workflow once for each of many users changed at the same moment, although not all fit one poll', async () => {
		const { tenant, trigger } = await started(
			{ list: { updatedSince: { precision: 'day' } } },
			{ maxItems: 2 },
		);
		const changes = changeMany(tenant, 5);
		for (let user = 0; user < 5; user++) {
			tenant.pass(10 * MINUTE);
			changes.push(tenant.change(`later-${user}`));
			await trigger.poll();
		}
		await trigger.drain();
		expect(sorted(trigger.emitted)).toEqual(changes);
	});
});
