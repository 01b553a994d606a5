import type { INodeParameters } from 'n8n-workflow';
import { HOUR } from '../../drawn/polledService';
import { MemoryHost } from '../../host/memoryHost';
import { listOf, requestedPages, synthetic } from '../listedHost';
import { iso, prepared, type Setup } from '../polledHost';

/** A trigger with these parameters, of a tenant without records. */
const chosen = async (parameters: INodeParameters, list: Setup['list'] = {}) =>
	await prepared({ users: 0, kind: 'process', parameters, list });

describe('Other List', () => {
	const badges = { paths: { visits: 'badges' } };

	it('starts the workflow for what its path shows', async () => {
		const parameters = { resource: 'other', pathSegment: 'badges' };
		const { poll, service, workflow } = await chosen(parameters, badges);
		await service.seed('visits', [{ id: 1 }]);
		expect(await workflow.tryPoll()).toEqual({ items: [], isStored: true });
		await service.upsert('visits', { id: 2 });
		expect(await poll()).toEqual([2]);
	});

	it.each(['', '../users'])('cannot be published with the path "%s"', async (pathSegment) => {
		const { poll, service } = await chosen({ resource: 'other', pathSegment }, badges);
		await expect(poll()).rejects.toThrow(/^Path Segment is empty or not a valid path\./);
		expect(service.requests).toEqual([]);
	});
});

describe('Query Parameters', () => {
	const query = (name: string, value: string) => ({
		options: { pageSize: 2, queryParameters: { parameters: [{ name, value }] } },
	});

	it('are sent with each page, and when updatedSince is tried', async () => {
		const { host, poll, service } = await chosen(query('siteId', 'a b&c=ä,'));
		await service.seed('users', 5);
		await poll();
		host.time.pass(60_000);
		await service.upsert('users', { id: 7 });
		expect(await poll()).toEqual([7]);
		const requested = requestedPages(host);
		expect(requested.map(({ siteId }) => siteId)).toEqual(requested.map(() => 'a b&c=ä,'));
		expect(requested.some((one) => 'updatedSince' in one)).toBe(true);
	});

	it.each([
		['updatedSince', '1', /^Query Parameters must not hold "updatedSince"\./],
		['siteId', '', /^The query parameter "siteId" has no value/],
	])('cannot be published with %s "%s"', async (name, value, failure) => {
		const { poll, service } = await chosen(query(name, value));
		await expect(poll()).rejects.toThrow(failure);
		expect(service.requests).toEqual([]);
	});
});

describe('Conditions', () => {
	const conditions = (value: string, more: INodeParameters = {}) => ({
		match: { conditions: [{ field: 'state', condition: 'equals', value }] },
		...more,
	});

	/** Synthetic users have no state. */
	const withState = (list: 'users' | 'visits') =>
		synthetic(list, 3).map((record) => ({ state: 'left', ...record }));

	it.each(['user', 'visit'])(
		'start the workflow only for the records that match: %s',
		async (resource) => {
			const { host, poll, service } = await chosen(conditions('arrived', { resource }));
			const list = `${resource}s` as 'users' | 'visits';
			await service.seed(list, withState(list));
			await poll();
			const change = async (id: number, state: string) => {
				host.time.pass(60_000);
				await service.upsert(list, { id, state });
				return await poll();
			};
			expect(await change(7, 'expected')).toEqual([]);
			expect(await change(8, 'Arrived')).toEqual([8]);
			expect(await change(7, 'arrived')).toEqual([7]);
			expect(await change(8, 'left')).toEqual([]);
		},
	);

	it('do not match later what was looked at and did not change', async () => {
		const { poll, publish, service, workflow } = await chosen(
			conditions('arrived', { resource: 'visit' }),
		);
		workflow.kind = 'durable';
		await service.seed('visits', 3);
		await poll();
		await service.upsert('visits', { id: 7, state: 'expected' });
		expect(await poll()).toEqual([]);
		publish(conditions('expected'));
		await service.upsert('visits', { id: 8, state: 'expected' });
		expect(await poll()).toEqual([8]);
	});

	it('choose what a test in the editor shows, and name a field that no record has', async () => {
		const { host, service, workflow } = await chosen({});
		const visits = listOf(30, (id) => ({ id, state: id < 2 ? 'arrived' : 'left' }));
		await service.seed('visits', visits);
		const show = async (field: string, condition = 'equals') => {
			const match = { conditions: [{ field, condition, value: 'arrived' }] };
			workflow.nodes = [{ node: 'polling', parameters: { resource: 'visit', match } }];
			return (await workflow.fetchTestEvent())?.map(({ id }) => id);
		};
		expect(await show('state')).toEqual([0, 1]);
		expect(host.log).toEqual([]);
		expect(await show('status', 'isEmpty')).toHaveLength(10);
		expect(host.log[0]?.message).toContain('None of the visits has "status"');
		await expect(show('status')).rejects.toThrow(
			/^None of the 30 visits that were read matches Conditions\. None of the visits has "status"/,
		);
		await service.seed('visits', []);
		await expect(show('state')).rejects.toMatchObject({
			message: 'The list of visits is empty, so there is no visit to show.',
		});
	});

	it('cannot be published without a value', async () => {
		const { poll, service } = await chosen(conditions(''));
		await expect(poll()).rejects.toThrow(/^The condition on "state" has no value\. Set Value/);
		expect(service.requests).toEqual([]);
	});

	it('are no part of Removed, because only the ID is known', async () => {
		const { poll, service, workflow } = await chosen(conditions('', { triggerOn: 'removed' }));
		await service.seed('users', [{ id: 1 }, { id: 2 }]);
		await poll();
		await service.remove('users', 1);
		expect(await poll()).toEqual([]);
		expect(await workflow.poll()).toEqual([{ id: 1 }]);
	});

	it('need a place that is stored although nothing starts the workflow', async () => {
		const { poll, service, workflow } = await chosen(conditions('arrived'));
		await service.seed('users', withState('users'));
		await poll();
		workflow.kind = 'scheduler';
		await expect(poll()).rejects.toThrow('N8N_POLLER_DURABLE_CURSORS_ENABLED=true');
	});
});

describe('Starts to Match', () => {
	const when = (value: string, more: INodeParameters = {}) => ({
		resource: 'visit',
		triggerOn: 'startsToMatch',
		match: { conditions: [{ field: 'state', condition: 'equals', value }] },
		...more,
	});

	it.each(['user', 'company', 'visit', 'task', 'other'])(
		'starts the workflow for what matches now and did not when it was last seen: %s',
		async (resource) => {
			const list = { company: 'companies', other: 'visits' }[resource] ?? `${resource}s`;
			const { poll, service } = await chosen(
				when('arrived', { resource, ...(resource === 'other' && { pathSegment: 'badges' }) }),
				resource === 'other' ? { paths: { visits: 'badges' } } : {},
			);
			const set = async (id: number, state: string) => {
				await service.upsert(list as 'users', { id, state });
			};
			await set(1, 'arrived');
			await set(2, 'expected');
			expect(await poll()).toEqual([]);
			await set(1, 'arrived');
			await set(2, 'Arrived');
			await set(3, 'arrived');
			expect(await poll()).toEqual([2, 3]);
			await set(1, 'left');
			await set(2, 'arrived');
			expect(await poll()).toEqual([]);
			await set(1, 'arrived');
			expect(await poll()).toEqual([1]);
		},
	);

	it.each([1, 100])(
		'starts the workflow when time alone makes a record match: %d',
		async (size) => {
			const { host, poll, service, workflow } = await chosen(
				when('', {
					options: { pageSize: size },
					match: { conditions: [{ field: 'from', condition: 'withinNextHours', value: 1 }] },
				}),
			);
			const from = iso(host.time.now() + 2 * 3_600_000);
			const updatedAt = iso(host.time.now() - 1);
			const visits = [1, 2].map((id) => ({ id, from: id === 1 ? from : null, updatedAt }));
			await service.seed('visits', visits);
			expect(await poll()).toEqual([]);
			host.time.pass(3_700_000);
			expect(await workflow.poll()).toEqual(visits.slice(0, 1));
			expect(await poll()).toEqual([]);
		},
	);

	it('returns what is left over Max Items with the next polls', async () => {
		const { poll, service } = await chosen(when('arrived', { options: { maxItems: 2 } }));
		await service.seed('visits', [{ id: 1, state: 'expected' }]);
		await poll();
		for (const id of [1, 2, 3, 4, 5]) await service.upsert('visits', { id, state: 'arrived' });
		const polls = [await poll(), await poll(), await poll(), await poll()];
		expect(polls).toEqual([[1, 2], [3, 4], [5], []]);
	});

	it('only remembers the list anew if its conditions are changed, and says so', async () => {
		const { host, poll, publish, service, workflow } = await chosen(when('arrived'));
		workflow.kind = 'durable';
		await service.seed('visits', [{ id: 1, state: 'expected' }]);
		const change = async (more: INodeParameters) => {
			publish(more);
			return await poll();
		};
		await poll();
		for (const value of ['expected', 'arrived', 'expected']) {
			expect(await change(when(value))).toEqual([]);
			const messages = host.log.splice(0).map(({ message }) => message);
			expect(messages).toEqual([expect.stringContaining('only remembers the list as it is now')]);
		}
		expect(await change(when('expected'))).toEqual([]);
		await service.upsert('visits', { id: 2, state: 'expected' });
		expect(await change({ options: { maxItems: 7 } })).toEqual([2]);
		expect(host.log).toEqual([]);
	});

	it('does not remember the list anew because an expression has another value', async () => {
		const value = '={{ String.fromCharCode(97) + "rrived".slice(0, $now.toMillis() && 6) }}';
		const { host, poll, service } = await chosen(when(value));
		await service.seed('visits', [{ id: 1, state: 'expected' }]);
		await poll();
		await service.upsert('visits', { id: 1, state: 'arrived' });
		expect(await poll()).toHaveLength(1);
		expect(host.log).toEqual([]);
	});

	it('does not remember the list anew because the same field is chosen in another way', async () => {
		const { host, poll, publish, service, workflow } = await chosen(when('arrived'));
		workflow.kind = 'durable';
		await service.seed('visits', [{ id: 1, state: 'expected' }]);
		await poll();
		for (const more of [{ mode: 'list', cachedResultName: 'state' }, { mode: 'name' }]) {
			const field = { __rl: true, value: 'state', ...more };
			const match = { conditions: [{ field, condition: 'equals', value: 'arrived' }] };
			publish({ match });
			await service.upsert('visits', { id: more.mode, state: 'arrived' });
			expect(await poll()).toHaveLength(1);
		}
		expect(host.log).toEqual([]);
	});

	it('does not return what was changed before it was chosen, and the other way round', async () => {
		const { host, poll, publish, service, workflow } = await chosen({});
		workflow.kind = 'durable';
		await service.seed('users', 3);
		await poll();
		const choose = async (more: INodeParameters) => {
			host.time.pass(40 * 24 * 3_600_000);
			await service.upsert('users', { id: 9, state: 'arrived' });
			publish(more);
			return await poll();
		};
		expect(await choose(when('arrived', { resource: 'user' }))).toEqual([]);
		expect(await choose({ triggerOn: 'createdOrUpdated' })).toEqual([]);
		expect(await choose({ triggerOn: 'removed' })).toEqual([]);
		expect(await choose({ triggerOn: 'updated' })).toEqual([]);
		expect(host.log).toHaveLength(4);
		await service.upsert('users', { id: 9, state: 'arrived', again: true });
		expect(await poll()).toEqual([9]);
	});

	it.each(['user', 'visit'])(
		'cannot be published with a condition on a field that no %s has',
		async (resource) => {
			const { poll, service, workflow } = await chosen(when('arrived', { resource }));
			await service.seed(`${resource}s` as 'users', [{ id: 1, status: 'arrived' }]);
			const message = new RegExp(
				`^None of the ${resource}s has "state": check the name .* Fields: id, status.* Set Conditions`,
			);
			await expect(poll()).rejects.toThrow(message);
			await expect(workflow.publish()).rejects.toThrow(message);
			await service.upsert(`${resource}s` as 'users', { id: 1, state: 'expected' });
			await poll();
			await service.upsert(`${resource}s` as 'users', { id: 1, state: 'arrived' });
			expect(await poll()).toHaveLength(1);
		},
	);

	it('cannot be published without a condition', async () => {
		const { poll, service } = await chosen(when('', { match: {} }));
		await expect(poll()).rejects.toThrow(/^Starts to Match has no condition, so Conditions/);
		expect(service.requests).toEqual([]);
	});
});

describe('Ignore Fields', () => {
	const photos = (
		every: 'response' | number,
		options: INodeParameters = {},
		triggerOn = 'updated',
	) =>
		chosen(
			{ resource: 'visit', triggerOn, options },
			{ renewed: { every, as: 'path' }, updatedAtField: null },
		);

	it('hears of a field that differs in each response, which is no change', async () => {
		const { host, poll, service, workflow } = await photos('response');
		await service.seed('visits', [{ id: 1 }, { id: 2 }]);
		for (let polls = 0; polls < 3; polls++) expect(await poll()).toEqual([]);
		expect(host.logged).toEqual([
			expect.stringMatching(/^"photo" differs in each response.* Ignore Fields\.$/),
		]);
		await service.upsert('visits', { id: 2, state: 'left' });
		expect(await workflow.poll()).toMatchObject([{ id: 2, state: 'left' }]);
		await service.upsert('visits', { id: 1, note: null });
		expect(await poll()).toEqual([]);
	});

	it.each([
		['created', ''],
		['removed', ''],
		['updated', 'photo'],
	])(
		'hears nothing of it if it does not count: %s, ignoring "%s"',
		async (triggerOn, ignoreFields) => {
			const { host, poll, service } = await photos('response', { ignoreFields }, triggerOn);
			await service.seed('visits', [{ id: 1 }, { id: 2 }]);
			for (let polls = 0; polls < 3; polls++) expect(await poll()).toEqual([]);
			expect(host.log).toEqual([]);
		},
	);

	it('ends what a record that changed while publishing repeats, whatever Max Items', async () => {
		const options = { maxItems: 3 };
		const { change, host, poll, service } = await chosen(
			{ options },
			{ renewed: { every: 'response', as: 'path' }, updatedAtFormat: 'isoSeconds' },
		);
		for (const id of [1, 2, 3, 4, 5]) await change(id);
		// Before each page, so that no two responses have a state in common.
		const stop = service.onListRequest(async () => {
			for (const id of [1, 2, 3, 4, 5]) await change(id);
		});
		await poll();
		stop();
		const counts: number[] = [];
		for (let polls = 0; polls < 8; polls++) {
			host.time.pass(60_000);
			if (polls > 0) await change(10 + polls);
			counts.push((await poll()).length);
		}
		expect(counts).toEqual([3, 3, 1, 1, 1, 1, 1, 1]);
		expect(host.logged).toEqual([expect.stringMatching(/^"photo" differs in each response/)]);
	});

	it('hears of a field that some records come to have later, and ends that', async () => {
		const { host, poll, service } = await chosen(
			{ resource: 'visit' },
			{
				renewed: { every: 'response', as: 'path', ofState: 'arrived' },
				...{ updatedAtField: null, createdAtField: null },
			},
		);
		await service.seed(
			'visits',
			listOf(150, (id) => ({ id, state: 'expected' })),
		);
		await poll();
		const arrive = async (id: number) => {
			await service.upsert('visits', { id, state: 'arrived' });
		};
		for (const id of [3, 140]) await arrive(id);
		expect([await poll(), await poll()]).toEqual([[3, 140], []]);
		for (const id of [7, 90]) await arrive(id);
		expect([await poll(), await poll(), await poll()]).toEqual([[7, 90], [], []]);
		expect(host.logged).toEqual([expect.stringMatching(/^"photo" differs in each response/)]);
	});

	it.each([1, 3])(
		'is named if it is renewed each hour, in %d records, and then ends that',
		async (count) => {
			const { host, poll, publish, service, workflow } = await photos(HOUR, { maxItems: 2 });
			workflow.kind = 'durable';
			service.set({ list: { renewed: { every: HOUR, as: 'path', ofState: 'arrived' } } });
			const visits = listOf(30, (id) => ({ id, state: 'expected' }));
			await service.seed(
				'visits',
				visits.map((visit, at) => (at < count ? { ...visit, state: 'arrived' } : visit)),
			);
			await poll();
			for (let hours = 0; hours < 3; hours++) {
				expect(host.log).toEqual([]);
				host.time.pass(HOUR / 2);
				// Another one changes.
				await service.upsert('visits', { id: 20 + hours, state: 'left' });
				expect(await poll()).toHaveLength(1);
				host.time.pass(HOUR / 2);
				const items = [...(await poll()), ...(await poll())];
				expect(items).toHaveLength(count);
			}
			const messages = host.log.splice(0).map(({ message }) => message);
			expect(messages).toEqual([
				expect.stringMatching(
					/^Some visits count as changed again .* differ at "photo"\. .* Ignore Fields\.$/,
				),
			]);
			publish({ options: { ignoreFields: 'photo' } });
			expect(await poll()).toEqual([]);
			host.time.pass(HOUR);
			expect(await poll()).toEqual([]);
			expect(host.logged).toEqual([
				expect.stringContaining('only remembers the list as it is now'),
			]);
		},
	);

	it('are fields of the records, once, without what these hold or what is ignored', async () => {
		const { host, poll, service } = await photos(HOUR, { ignoreFields: 'photo,link.url' });
		for (const name of ['a', 'b', 'c', 'd']) {
			const mark = `${name}@example.com`;
			const link = { url: mark };
			for (const id of [1, 2, 3])
				await service.upsert('visits', { id, link, shares: { [mark]: 1 } });
			await poll();
		}
		expect(host.logged).toEqual([expect.stringMatching(/they differ at "shares"\. /)]);
	});
});

it.each([
	['user 1/2.5 %', '', ''],
	['ä\n ', '', ''],
	['7', '', ''],
	['damaged', '%22damaged', '%2'],
	['damaged', '%22damaged', 'damaged'],
])('Removed returns the ID as written, but no damaged one: %j, "%s"', async (id, was, is) => {
	const { host, poll, service, workflow } = await chosen({ triggerOn: 'removed' });
	await service.seed('users', [{ id }, { id: 'other' }, { id: 'third' }]);
	await poll();
	workflow.stored = workflow.stored.replace(was, is);
	workflow.restart();
	await service.remove('users', id);
	const isWhole = is === '';
	expect([await workflow.poll(), await workflow.poll()]).toEqual([[], isWhole ? [{ id }] : []]);
	const messages: unknown = expect.stringContaining('cannot tell which user was removed');
	expect(host.logged).toEqual(isWhole ? [] : [messages]);
	await service.remove('users', 'other');
	expect([await workflow.poll(), await workflow.poll()]).toEqual([[], [{ id: 'other' }]]);
});

it('a change that leaves the update time empty starts the workflow, once', async () => {
	const { host, poll, service, workflow } = await chosen({ resource: 'visit' });
	const createdAt = iso(host.time.now() - 250);
	const visit = { id: 1, createdAt, updatedAt: null };
	await service.upsert('visits', visit);
	expect(await poll()).toEqual([]);
	await service.upsert('visits', { ...visit, state: 'left' });
	expect(await workflow.poll()).toMatchObject([{ id: 1, state: 'left' }]);
	expect(await poll()).toEqual([]);
});

it('a test of Removed shows no ID that somebody has, whose access a step might end', async () => {
	const { service, workflow } = await chosen({ triggerOn: 'removed' });
	await service.seed('users', 3);
	expect(await workflow.fetchTestEvent()).toEqual([{ id: 'example' }]);
});

it('an empty list of another account removes nothing, and is waited for', async () => {
	const { host, poll, service, workflow } = await chosen({ triggerOn: 'removed' });
	workflow.kind = 'durable';
	await service.seed('users', [{ id: 1 }, { id: 2 }]);
	await poll();
	const there = new MemoryHost();
	host.network.add(there.url, there.service);
	host.credentials.put('one', there.credential());
	workflow.restart();
	for (let polls = 0; polls < 4; polls++) expect(await poll()).toEqual([]);
	await there.service.seed('users', [{ id: 3 }, { id: 4 }]);
	for (let polls = 0; polls < 3; polls++) expect(await poll()).toEqual([]);
	await there.service.remove('users', 3);
	expect([await workflow.poll(), await workflow.poll()]).toEqual([[], [{ id: 3 }]]);
});

describe('two triggers of one workflow', () => {
	async function publishedBoth() {
		const { host, service, workflow } = await chosen({});
		await service.seed('users', 3);
		const named = (...names: string[]) => {
			const nodes = ['one', 'two'].map((id, at) => ({ id, name: names[at] }));
			workflow.nodes = nodes.map((node) => ({ node: 'polling', ...node }));
			workflow.restart();
		};
		named('one', 'two');
		const poll = async (index: number) => (await workflow.poll(index)).map(({ id }) => id);
		await poll(0);
		await poll(1);
		const change = async (id: number) => {
			host.time.pass(60_000);
			await service.upsert('users', { id });
		};
		return { change, named, poll, workflow };
	}

	it('keep it when a process goes on again after another one', async () => {
		const { change, poll, workflow } = await publishedBoth();
		// n8n stores nothing of these.
		for (let polls = 0; polls < 5; polls++) expect(await poll(0)).toEqual([]);
		workflow.restart(2);
		await change(7);
		expect([await poll(0), await poll(1)]).toEqual([[7], [7]]);
		workflow.restart(1);
		await change(8);
		expect(await poll(1)).toEqual([8]);
		workflow.restart(3);
		expect(await poll(0)).toEqual([8]);
	});

	it('keep the place of each, whichever starts the workflow last', async () => {
		const { change, named, poll } = await publishedBoth();
		for (const [id, first, second] of [
			[7, 0, 1],
			[8, 1, 0],
		] as const) {
			await change(id);
			expect([await poll(first), await poll(second)]).toEqual([[id], [id]]);
		}
		named('one', 'two');
		expect([await poll(0), await poll(1)]).toEqual([[], []]);
	});

	it('keep it when their nodes exchange their names', async () => {
		const { change, named, poll } = await publishedBoth();
		await change(7);
		expect(await poll(0)).toEqual([7]);
		named('two', 'one');
		expect([await poll(0), await poll(1)]).toEqual([[], [7]]);
	});
});

it('finds where times are if the first page shows none, as that of imported users', async () => {
	const options = { pageSize: 3, updatedAtPath: 'updatedAt' };
	const { host, poll, service } = await chosen({ options }, { neverUpdated: 'null' });
	const create = async (id: number) => {
		const createdAt = iso(host.time.now());
		await service.upsert('users', { id, createdAt, updatedAt: null });
	};
	const times = { createdAt: null, updatedAt: null };
	await service.seed(
		'users',
		[1, 2, 3].map((id) => ({ id, ...times })),
	);
	await create(4);
	expect(await poll()).toEqual([]);
	host.time.pass(60_000);
	await create(5);
	expect(await poll()).toEqual([5]);
});

it('Updated leaves out a record that comes to a compared list with an older creation', async () => {
	const { host, poll, service } = await chosen({ resource: 'visit', triggerOn: 'updated' });
	const times = (age: number) => {
		const written = iso(host.time.now() - age);
		const at = written.replace(/\d\d\.\d+Z/, '00Z');
		return { createdAt: at, updatedAt: at };
	};
	for (const id of [1, 2]) await service.upsert('visits', { id, ...times(60_000) });
	await poll();
	host.time.pass(60_000);
	await service.upsert('visits', { id: 3, ...times(7 * 24 * 3_600_000) });
	expect(await poll()).toEqual([]);
	await service.upsert('visits', { id: 3, ...times(0), createdAt: null });
	expect(await poll()).toHaveLength(1);
});

describe('a first reading of several pages', () => {
	const options = { pageSize: 3 };

	it.each(['createdOrUpdated', 'created', 'startsToMatch'])(
		'takes nobody for new whom it missed because somebody was removed meanwhile: %s',
		async (triggerOn) => {
			const match = { conditions: [{ field: 'state', condition: 'equals', value: 'here' }] };
			const parameters = { resource: 'visit', triggerOn, match, options };
			const { host, poll, service } = await chosen(parameters);
			const create = async (id: number, age: number) => {
				const at = iso(host.time.now() - age);
				await service.upsert('visits', { id, createdAt: at, updatedAt: at, state: 'here' });
			};
			for (let id = 0; id < 30; id++) await create(id, (40 - id) * 3_600_001);
			let requests = 0;
			const stop = service.onListRequest(async () => {
				if (++requests === 6) await service.remove('visits', 2);
			});
			expect(await poll()).toEqual([]);
			stop();
			host.time.pass(60_000);
			await create(40, 0);
			expect(await poll()).toEqual([40]);
			expect(await poll()).toEqual([]);
		},
	);

	it.each(['created', 'removed'])(
		'and no order takes nobody for new or gone, and says so: %s',
		async (triggerOn) => {
			const { host, service, staysSilent } = await chosen(
				{ resource: 'visit', triggerOn, options: { pageSize: 10 } },
				{ naturalOrder: 'none', metadata: ['total', 'pageSize'] },
			);
			await service.seed('visits', 160);
			await staysSilent(8);
			expect(host.logged).toEqual([
				expect.stringMatching(/^Some visits were on several pages.* Set Sort /),
			]);
		},
	);
});
