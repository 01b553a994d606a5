import { inspect } from 'node:util';
import type { INodeParameters } from 'n8n-workflow';
import { initialCursor, writeCursor } from '../../nodes/VisitorService/polling/cursor';
import { DAY, HOUR, MINUTE, SECOND } from '../drawn/polledService';
import { MemoryHost } from '../host/memoryHost';
import { BUDGET, type HostKind, PublishedWorkflow } from '../host/publishedWorkflow';
import type { DeepPartial, Switches } from '../reference-service';
import { cut, listOf } from './listedHost';
import { iso, prepared, published, type Setup, START } from './polledHost';

// What a user reads and can set right; boundary/polling judges drawn services by what came out.

/** A page that fails is asked for once more with a new token, and has to fail again. */
const onceMoreWithANewToken = (page: number) =>
	[1, 2].map(() => ({ page, fault: { status: 500 } }));

describe('a published trigger', () => {
	it('goes on with another address of the same tenant', async () => {
		const { change, host, poll, returns, service } = await published();
		const other = 'https://other.example.test';
		host.network.add(other, service);
		await change('a');
		host.credentials.put('one', host.credential({ baseUrl: other }));
		expect(await poll()).toEqual(['a']);
		host.time.pass(HOUR);
		await returns('b');
	});

	it('starts with what changed since a date in the time zone of the workflow', async () => {
		const parameters = { startFrom: 'date', startDate: '2026-03-02T08:00:00' };
		const { change, poll } = await prepared({ users: 0, timezone: 'Europe/Berlin', parameters });
		await change('before', START - HOUR - 1);
		await change('at', START - HOUR);
		expect(await poll()).toEqual(['at']);
	});

	it.each<HostKind>(['process', 'durable'])(
		'returns each change once though two polls run at a time, which n8n stores as %s',
		async (kind) => {
			const { change, poll } = await published({ kind });
			await change('a');
			expect((await Promise.all([poll(), poll()])).flat()).toEqual(['a']);
			expect(await poll()).toEqual([]);
		},
	);

	it.each([400, 403, 404, 410, 416, 422, 501])(
		'reads the whole list once if the service looks back 7 days at most, and responds with %i',
		async (status) => {
			const { host, staysSilent, returns, returnsOnce, service } = await published({
				list: { updatedSince: { maxAgeMs: 7 * DAY }, badParameter: { status, body: null } },
			});
			await returns('a');
			host.time.pass(42 * DAY);
			await returnsOnce('b');
			service.clearRequests();
			host.time.pass(DAY);
			await staysSilent(40, DAY);
			const oldest = service.requests.filter(({ status }) => status >= 400);
			expect(oldest).toEqual([]);
			await returnsOnce('c');
			expect(host.logged).toEqual([
				expect.stringMatching(/^The service rejects an "updatedSince" as early as/),
			]);
		},
	);

	it.each([0, 1, 250])(
		'goes on at a service that looks back 7 days if %d users are there, none of whom changes',
		async (users) => {
			const list = { updatedSince: { maxAgeMs: 7 * DAY } };
			const { staysSilent, returnsOnce, service } = await published({ users, list });
			await staysSilent(40 * 4, 6 * HOUR);
			expect(service.requests.filter(({ status }) => status >= 400)).toEqual([]);
			await returnsOnce('c');
		},
	);

	it('reads the whole list of a service that lets nobody ask back, and says so', async () => {
		const list = { updatedSince: { maxAgeMs: MINUTE } };
		const { host, returnsOnce, workflow } = await published({ list });
		expect(host.logged).toEqual([
			expect.stringMatching(/^The service rejects each "updatedSince"/),
		]);
		for (const id of ['a', 'b']) {
			host.time.pass(10 * DAY);
			await returnsOnce(id);
		}
		expect((await workflow.fetchTestEvent())?.[0]).toMatchObject({ id: 'b' });
	});

	it.each([62, 90, 3_000, 72_000])(
		'asks a service whose filter is %d seconds behind that much earlier',
		async (seconds) => {
			const list = { updatedSince: { aheadMs: -seconds * SECOND } };
			const { returnsOnce } = await published({ users: 12, list });
			await returnsOnce('a');
		},
	);

	it('asks it that much earlier, too, if nobody was updated yet', async () => {
		const list = { neverUpdated: 'null', updatedSince: { aheadMs: -20 * HOUR } } as const;
		const { host, poll, service } = await published({ list });
		await service.upsert('users', { id: 'a', createdAt: iso(host.time.now()) });
		expect([await poll(), await poll()]).toEqual([['a'], []]);
		expect(host.log).toEqual([]);
	});

	it('is published although the newest user is removed meanwhile', async () => {
		const { change, host, poll, returnsOnce, service } = await prepared({ users: 12 });
		await change('newest');
		host.time.pass(MINUTE);
		let requests = 0;
		service.onListRequest(async () => {
			if (++requests === 2) await service.remove('users', 'newest');
		});
		expect(await poll()).toEqual([]);
		await returnsOnce('a');
	});

	it('of Updated takes nobody for updated whose update time is in the year 9999', async () => {
		const { host, poll, service } = await published({
			list: { neverUpdated: 'null', neverUpdatedAs: '9999-12-31T23:59:59Z' },
			parameters: { triggerOn: 'updated' },
		});
		const upsert = async (since: number) => {
			const now = host.time.now();
			await service.upsert('users', { id: 'a', createdAt: iso(now - since), updatedAt: iso(now) });
		};
		await upsert(0);
		expect(await poll()).toEqual([]);
		host.time.pass(MINUTE);
		await upsert(MINUTE);
		expect([await poll(), await poll()]).toEqual([['a'], []]);
	});

	it.each([...(['iso', 'epochMs', 'epochS'] as const)])(
		'waits, and says for what, if the only user is dated in the year 9999: %s',
		async (format) => {
			const list = { createdAtField: null, updatedAtFormat: format };
			const { change, host, poll, returnsOnce } = await published({ users: [], list });
			await change('a', Date.UTC(9999, 11, 31));
			expect([await poll(), await poll()]).toEqual([[], []]);
			expect(host.logged).toEqual([
				expect.stringMatching(/^Some users show no time at "updatedAt"/),
			]);
			host.time.pass(MINUTE);
			await returnsOnce('a');
		},
	);

	it('finds each state at once after one dated in the year 9999', async () => {
		const { change, host, poll, returns } = await published();
		await change('a', Date.UTC(9999, 11, 31));
		await poll();
		for (let polls = 0; polls < 6; polls++) {
			host.time.pass(MINUTE);
			await returns('a');
		}
	});

	it('returns both states of a user who changes while the list is read', async () => {
		const { change, host, poll, service } = await published({
			list: { naturalOrder: 'updatedAt' },
			parameters: { options: { pageSize: 2 } },
		});
		for (const id of ['a', 'b', 'c']) await change(id, host.time.now() + id.charCodeAt(0));
		const stop = service.onListRequest(async ({ page }) => {
			if (page !== 1) return;
			stop();
			await change('a', host.time.now() + SECOND);
		});
		expect([await poll(), await poll()]).toEqual([['a', 'b', 'a'], ['c']]);
	});

	it('finds what appears late after the clock of the service was set forward', async () => {
		const { change, host, poll, returns, service } = await published();
		await returns('a');
		service.set({ clockOffsetMs: 10 * HOUR });
		for (const id of ['b', 'c']) await change(id, host.time.now() + 10 * HOUR);
		expect(await poll()).toEqual(['b', 'c']);
		host.time.pass(MINUTE);
		await returns('late', host.time.now() - 2 * MINUTE);
		for (const id of ['d', 'e']) {
			host.time.pass(5 * MINUTE);
			await change(id, host.time.now() + 10 * HOUR);
			expect([await poll(), await poll()]).toEqual([[id], []]);
		}
		const since = service.requests.at(-1)?.query.updatedSince ?? '';
		expect(Date.parse(since)).toBeGreaterThan(host.time.now() + 9 * HOUR);
	});

	it('goes on if the node has a new name, and if it gets the old one again', async () => {
		const { change, host, poll, workflow } = await published({ kind: 'process' });
		for (const name of ['Changed users', undefined]) {
			host.time.pass(HOUR);
			await change('a');
			const nodes = [{ node: 'polling' as const, ...(name && { name }) }];
			expect(await workflow.publish(nodes)).toMatchObject([{ id: 'a' }]);
			expect(await poll()).toEqual([]);
		}
	});

	it('goes on from the same time at another tenant', async () => {
		const { host, poll, publish, returns } = await published();
		await returns('a');
		host.time.pass(HOUR);
		const there = new MemoryHost();
		await there.service.seed('users', 50);
		await there.service.upsert('users', { id: 'b', updatedAt: iso(host.time.now()) });
		host.network.add(there.url, there.service);
		host.credentials.put('one', there.credential());
		publish({});
		expect([await poll(), await poll()]).toEqual([['b'], []]);
	});

	it('loses nothing while the paths of fields are wrong', async () => {
		const { change, host, poll, publish, service } = await published();
		service.switches.list.updatedAtField = 'editedStamp';
		await change('a');
		await expect(poll()).rejects.toThrow('Updated At Path');
		const options = { updatedAtPath: 'editedStamp' };
		publish({ options });
		host.time.pass(MINUTE);
		expect(await poll()).toEqual(['a']);
		publish({ options: { ...options, idPath: 'nonsense' } });
		await expect(poll()).rejects.toThrow('ID Path');
		await change('b');
		publish({ options });
		expect([await poll(), await poll()]).toEqual([['b'], []]);
	});

	it('takes nobody for removed while responses say that they failed, without a word', async () => {
		const parameters = { triggerOn: 'removed' };
		const { staysSilent, poll, respond, service } = await published({ parameters });
		respond({ success: false, users: [] });
		await staysSilent(3);
		service.set({ list: { respondWith: null } });
		expect(await poll()).toEqual([]);
	});

	it.each([0, 2])('takes nobody for removed because page %i failed in each poll', async (page) => {
		const parameters = { triggerOn: 'removed', options: { pageSize: 10 } };
		const { host, poll, service } = await published({ list: { metadata: 'none' }, parameters });
		for (let polls = 0; polls < 6; polls++) {
			// Page 2 is where the next poll goes on.
			if (page === 0 || polls % 2 === 0)
				service.set({ list: { pageFaults: onceMoreWithANewToken(page) } });
			expect(await poll()).toEqual([]);
			host.time.pass(MINUTE);
		}
	});

	it.each([400, 404])(
		'a page 0 that is rejected twice with %i fails one poll, and no later one',
		async (status) => {
			const list = { metadata: 'none', naturalOrder: 'insertion' } as const;
			const parameters = { triggerOn: 'removed', options: { pageSize: 10 } };
			const { staysSilent, poll, service } = await published({ users: 20, list, parameters });
			service.set({ list: { pageFaults: [{ page: 0, fault: { status }, times: 2 }] } });
			await expect(poll()).rejects.toThrow('page 1 can be read');
			await staysSilent(3);
		},
	);

	it('takes nobody for changed whom the first of several pages missed, to the millisecond', async () => {
		const newestAt = START - HOUR - 1;
		const users = listOf(30, (id) => ({ id: `${id}`, updatedAt: iso(newestAt) }));
		const parameters = { options: { pageSize: 10 } };
		const { change, poll, returns } = await published({ users, parameters });
		await change('missed', newestAt);
		expect(await poll()).toEqual([]);
		await returns('changed', newestAt + 2);
	});

	it('takes nobody for removed while another user comes twice instead', async () => {
		const { host, staysSilent, respond } = await published({
			parameters: { triggerOn: 'removed' },
		});
		respond({ total: 30, users: listOf(30, (index) => ({ id: index || 1 })) });
		await staysSilent(8);
		expect(inspect(host.log)).toContain('nothing counts as removed');
	});

	it('neither says nor returns anything again when its settings change', async () => {
		const list = { updatedSince: { ignored: true } };
		const { host, poll, publish, returns } = await published({ list });
		await returns('a');
		publish({ options: { ignoreFields: 'photo' } });
		expect(await poll()).toEqual([]);
		expect(host.logged).toEqual([expect.stringMatching(/^The service ignores "updatedSince"/)]);
	});

	it('loses nothing that waits for Max Items when its settings change', async () => {
		const { change, host, poll, publish } = await prepared({
			users: 0,
			parameters: {
				startFrom: 'date',
				startDate: '2026-02-01T00:00:00Z',
				options: { maxItems: 2 },
			},
		});
		const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
		for (const [at, id] of ids.entries()) await change(id, START - (ids.length - at) * DAY - at);
		expect(await poll()).toEqual(['a', 'b']);
		publish({ options: { maxItems: 100, ignoreFields: 'photo' } });
		host.time.pass(MINUTE);
		const rest = await poll();
		expect(rest.slice(-4)).toEqual(['c', 'd', 'e', 'f']);
	});

	it('fails if times come to be written so that they cannot be read', async () => {
		const { poll, respond } = await published();
		respond([1, 2, 3].map((id) => ({ id, updatedAt: '31.01.2026 08:00' })));
		await expect(poll()).rejects.toThrow('Updated At Path');
	});

	it('takes times at full hours for cut to hours, not to days', async () => {
		const { change, host, poll } = await prepared({
			users: 0,
			parameters: { startFrom: 'date', startDate: iso(START - HOUR / 2) },
		});
		await change('long ago', START - 6 * HOUR);
		await change('now', START);
		host.time.pass(MINUTE);
		expect(await poll()).toEqual(['now']);
	});

	it('of Created says nothing false when an old user is updated', async () => {
		const parameters = { triggerOn: 'created' };
		const { change, host, poll, service } = await published({ parameters });
		const times = { createdAt: iso(START - 9_000 * HOUR), updatedAt: iso(host.time.now()) };
		await service.upsert('users', { id: 'user-000001', ...times });
		expect(await poll()).toEqual([]);
		expect(host.log).toEqual([]);
		await change('without creation');
		expect(await poll()).toEqual([]);
		expect(inspect(host.log)).toContain('or set Created At Path');
	});

	it('starts at Start Date although creations are written as dates', async () => {
		const { poll } = await prepared({
			users: Object.entries({ before: -2 * DAY - SECOND, after: SECOND }).map(([id, since]) => ({
				...{ id, born: '2025-01-05', updatedAt: iso(START - DAY + since) },
			})),
			list: { createdAtField: null },
			parameters: {
				...{ startFrom: 'date', startDate: iso(START - DAY) },
				options: { createdAtPath: 'born' },
			},
		});
		expect(await poll()).toEqual(['after']);
	});

	it('sees the change of a compared record that shows no update time', async () => {
		const { host, poll, service } = await prepared({
			list: { neverUpdated: 'null' },
			parameters: { resource: 'visit' },
		});
		const createdAt = iso(START - 3 * DAY - SECOND);
		for (const state of ['expected', 'arrived', 'left']) {
			await service.upsert('visits', { id: 'a', createdAt, updatedAt: createdAt, state });
			expect(await poll()).toEqual(state === 'expected' ? [] : ['a']);
			host.time.pass(MINUTE);
			expect(await poll()).toEqual([]);
		}
	});

	it('takes a day that stands for no update time for no time cut to days', async () => {
		const { host, poll, service } = await prepared({
			users: 0,
			list: { neverUpdated: 'null', neverUpdatedAs: '2001-01-01T00:00:00Z' },
			parameters: { startFrom: 'date', startDate: iso(START - HOUR / 2) },
		});
		for (const [id, age] of Object.entries({ before: 6 * HOUR + SECOND, after: SECOND })) {
			const createdAt = iso(START - age);
			await service.upsert('users', { id, createdAt, updatedAt: createdAt });
		}
		host.time.pass(MINUTE);
		expect(await poll()).toEqual(['after']);
	});

	it('loses nothing by a wrong Updated Since Format', async () => {
		const { change, host, poll, publish } = await published({
			list: { updatedSince: { accepted: ['epochMs'], unreadable: 'empty' } },
			parameters: { options: { updatedSinceFormat: 'epochMs' } },
		});
		publish({ options: { updatedSinceFormat: 'iso' } });
		await change('a');
		for (let time = 0; time < 2; time++) {
			host.time.pass(10 * MINUTE);
			await expect(poll()).rejects.toThrow('Updated Since Format');
		}
		publish({ options: { updatedSinceFormat: 'epochMs' } });
		expect([await poll(), await poll()]).toEqual([['a'], []]);
	});

	const watermarkAt = START - HOUR;
	const ofNow = writeCursor(
		initialCursor('', { latestAt: watermarkAt, earliestAt: watermarkAt }, watermarkAt),
	);
	it.each([
		['another version stored more', { version: 2, place: watermarkAt, seen: ['x'] }],
		['all it remembers is gone', { ...ofNow, remembered: undefined }],
		['all it told is gone', { ...ofNow, reportedNotes: null }],
		['a mark in it is damaged', { ...ofNow, remembered: ':%.%E0%A4%A key' }],
	])('keeps its place if %s', async (_, cursor) => {
		const { change, poll, workflow } = await prepared({ kind: 'process' });
		await change('after', watermarkAt + 1);
		await change('before', START - 2 * HOUR);
		workflow.store({ cursor });
		expect(await poll()).toEqual(['after']);
	});

	it('starts the workflow for the first record of a list that was empty for another version', async () => {
		const parameters = { resource: 'visit' };
		const { poll, service, workflow } = await prepared({ kind: 'process', parameters });
		workflow.store({ cursor: { version: 2, place: watermarkAt, isBaseline: false } });
		expect(await poll()).toEqual([]);
		await service.upsert('visits', { id: 'first' });
		expect(await poll()).toEqual(['first']);
	});

	it('goes on from its place when durable cursors are switched on', async () => {
		const { returns, returnsOnce, workflow } = await published({ kind: 'process' });
		await returns('a');
		workflow.kind = 'durable';
		workflow.restart();
		await returnsOnce('b');
	});

	it('returns three thousand users of one time once, Max Items at a time', async () => {
		const parameters = { options: { pageSize: 1000, maxItems: 1200 } };
		const { host, poll, service, workflow } = await published({ parameters });
		const updatedAt = iso(host.time.now());
		await service.seed(
			'users',
			listOf(3000, (index) => ({ id: `new-${index}`, updatedAt })),
		);
		const received: unknown[] = [];
		const counts: number[] = [];
		for (let time = 0; time < 5; time++) {
			const ids = await poll();
			received.push(...ids);
			counts.push(ids.length);
			host.time.pass(MINUTE);
			workflow.restart();
		}
		expect(counts).toEqual([1200, 1200, 600, 0, 0]);
		expect(new Set(received).size).toBe(3000);
	});

	it.each([
		[15, 0.5, 0],
		[15, 2, 0],
		[60, 1, 0],
		[60, 2, 0],
		[15, 2, 5],
		[60, 2, 5],
	])(
		'polled each %d minutes loses nothing if the service sets its clocks back by %d hours, and shows times %d hours behind Date',
		async (minutes, hours, behind) => {
			const { change, host, poll, service } = await published();
			let by = behind * HOUR;
			const changeByServiceTime = async (id: string) => {
				await change(id, host.time.now() - by);
			};
			const found: unknown[] = [];
			host.time.pass((minutes - 2) * MINUTE);
			for (const id of ['a', 'b']) await changeByServiceTime(id);
			host.time.pass(MINUTE);
			found.push(...(await poll()));
			host.time.pass(MINUTE / 2);
			by += hours * HOUR;
			service.set({ clockOffsetMs: -hours * HOUR });
			await changeByServiceTime('c');
			host.time.pass((minutes - 0.5) * MINUTE);
			for (let polls = 0; polls < 4; polls++) {
				found.push(...(await poll()));
				host.time.pass(minutes * MINUTE);
			}
			expect(found).toEqual(['a', 'b', 'c']);
		},
	);

	it('loses nothing if the service sets its clock back, and pages hold one user each', async () => {
		const parameters = { options: { pageSize: 1 } };
		const { change, host, poll, service } = await published({ parameters });
		for (const id of ['a', 'b']) await change(id);
		const received: unknown[] = [];
		for (let polls = 0; polls < 6; polls++) {
			received.push(...(await poll()));
			if (polls === 1) service.set({ clockOffsetMs: -2 * HOUR });
			if (polls === 3) await change('c', host.time.now() - 2 * HOUR);
			host.time.pass(15 * MINUTE);
		}
		expect(received).toEqual(['a', 'b', 'c']);
	});

	it('loses nothing if its own clock is set ahead, and the service shows no Date', async () => {
		const { change, host, poll, service } = await published();
		service.set({ dateHeader: false });
		for (const id of ['a', 'b']) await change(id);
		expect(await poll()).toEqual(['a', 'b']);
		host.time.pass(HOUR);
		service.set({ clockOffsetMs: -HOUR });
		expect(await poll()).toEqual([]);
		host.time.pass(MINUTE);
		await change('c', host.time.now() - HOUR);
		expect([await poll(), await poll()]).toEqual([['c'], []]);
	});

	it.each<[string, (iso: string) => string, string[]]>([
		['milliseconds', (iso) => iso, ['updated']],
		['minutes', (iso) => `${iso.slice(0, 16)}:00Z`, ['updated']],
		['days', (iso) => iso.slice(0, 10), []],
	])('of Updated takes no creation, written in %s, for an update', async (_, written, later) => {
		const { host, poll, service } = await prepared({
			users: 0,
			parameters: { triggerOn: 'updated' },
		});
		const create = async (id: string, since = 0) => {
			const createdAt = written(iso(host.time.now()));
			host.time.pass(since);
			await service.upsert('users', { id, createdAt });
		};
		for (const id of ['a', 'b']) await create(id, 31 * HOUR + 7 * MINUTE);
		expect(await poll()).toEqual([]);
		host.time.pass(MINUTE / 2);
		await create('new');
		expect(await poll()).toEqual([]);
		await create('updated', 2 * MINUTE);
		expect(await poll()).toEqual(later);
		host.time.pass(MINUTE);
		await service.upsert('users', { id: 'new' });
		expect(await poll()).toEqual(['new']);
	});

	it('loses nothing by a filter that finds nothing for more than a day', async () => {
		const { change, host, poll, service } = await published();
		for (const id of ['a', 'b']) await change(id);
		expect(await poll()).toEqual(['a', 'b']);
		const updatedSince = structuredClone(service.switches.list.updatedSince);
		service.set({ list: { updatedSince: { accepted: ['epochMs'], unreadable: 'empty' } } });
		host.time.pass(12 * HOUR);
		await change('c');
		expect(await poll()).toEqual([]);
		for (let polls = 0; polls < 2; polls++) {
			host.time.pass(13 * HOUR);
			await expect(poll()).rejects.toThrow('Updated Since Format');
		}
		service.set({ list: { updatedSince } });
		expect([await poll(), await poll()]).toEqual([['c'], []]);
	});

	it('takes nobody for new because nothing was found for a day, and fields changed', async () => {
		const { host, poll, service } = await published({ parameters: { triggerOn: 'created' } });
		const createdAt = iso(host.time.now());
		for (const id of ['a', 'b']) await service.upsert('users', { id, createdAt });
		expect(await poll()).toEqual(['a', 'b']);
		for (const id of ['a', 'b']) await service.remove('users', id);
		service.set({ list: { createdAtField: 'birth' } });
		for (let polls = 0; polls < 2; polls++) {
			host.time.pass(25 * HOUR);
			await expect(poll()).rejects.toThrow('Created At Path');
		}
	});

	it('misses changes for a day at most if one user alone is stamped by a clock behind', async () => {
		const { change, host, poll, returns } = await published();
		for (const id of ['a', 'b']) await change(id);
		await poll();
		for (let hours = 0; hours < 26; hours++) {
			host.time.pass(HOUR);
			await change('a', host.time.now() - 2 * HOUR);
			await poll();
		}
		for (const id of ['c', 'd']) {
			host.time.pass(MINUTE);
			await returns(id, host.time.now() - 2 * HOUR);
		}
	});

	it('polled once a day asks for the changes only', async () => {
		const { change, host, poll, requestCount, service } = await published({ users: 250 });
		for (const id of ['a', 'b', 'c']) {
			host.time.pass(DAY);
			await change(id);
			service.clearRequests();
			expect(await poll()).toEqual([id]);
			expect(requestCount()).toBe(1);
		}
	});

	it('polled each week asks once more at most, if nothing changed', async () => {
		const { change, host, staysSilent, poll, requestCount, service } = await published({
			users: 1_500,
		});
		for (const id of ['a', 'b']) await change(id);
		await poll();
		service.clearRequests();
		host.time.pass(7 * DAY);
		await staysSilent(4, 7 * DAY);
		expect(requestCount()).toBeLessThanOrEqual(8);
	});

	it('opens its list once a day at most if the users found last are gone', async () => {
		const { change, host, staysSilent, poll, requestCount, service } = await published({
			users: 250,
		});
		for (const id of ['a', 'b']) await change(id);
		await poll();
		for (const id of ['a', 'b']) await service.remove('users', id);
		host.time.pass(25 * HOUR);
		service.clearRequests();
		await staysSilent(20, HOUR);
		expect(requestCount()).toBeLessThanOrEqual(30);
	});

	it('goes on after a day without a change, however slowly pages come', async () => {
		const { change, host, staysSilent, poll, service } = await published({ users: 300 });
		for (const id of ['a', 'b']) await change(id);
		await poll();
		service.onListRequest(() => host.time.pass(9_000));
		host.time.pass(HOUR);
		await staysSilent(27, HOUR);
		await change('c');
		host.time.pass(MINUTE);
		expect(await poll()).toEqual(['c']);
	});

	it.each<[string, DeepPartial<Switches['list']>, number, number]>([
		['to the millisecond', {}, 10, 3_000],
		['cut to days', { updatedAtFormat: 'isoDate' }, 1, 3_000],
		['nowhere', { updatedAtField: null, createdAtField: null }, 1, 900],
	])(
		'remembers few states of a record that changes at each poll, with its time %s',
		async (_, list, minutes, bytes) => {
			const { host, poll, service, workflow } = await prepared({
				users: 0,
				list,
				kind: 'process',
				parameters: { resource: 'company' },
			});
			const change = async (id: string, name: string) => {
				await service.upsert('companies', { id, name, updatedAt: iso(host.time.now()) });
			};
			for (const id of ['a', 'b']) await change(id, 'first');
			await poll();
			for (let polls = 0; polls < 250; polls++) {
				host.time.pass(minutes * MINUTE);
				await change('a', `name ${polls}`);
				expect(await poll()).toEqual(['a']);
			}
			expect(workflow.stored.length).toBeLessThan(bytes);
		},
	);

	it('takes a later time for a change of a compared list, however long ago it is', async () => {
		const { host, poll, service } = await prepared({ parameters: { resource: 'company' } });
		const put = async (id: string, updatedAt: number) =>
			await service.upsert('companies', { id, updatedAt: iso(updatedAt) });
		for (const id of ['a', 'b', 'c']) await put(id, START - 3 * DAY + 1234);
		expect(await poll()).toEqual([]);
		for (let hours = 0; hours < 8; hours++) {
			for (const id of ['b', 'c']) await put(id, host.time.now());
			expect(await poll()).toEqual(['b', 'c']);
			host.time.pass(HOUR);
		}
		await put('a', host.time.now() - 6 * HOUR);
		expect(await poll()).toEqual(['a']);
		expect(await poll()).toEqual([]);
	});

	it('asks from no earlier because some responses came only after a wait', async () => {
		const { change, host, poll, service } = await published({ kind: 'process' });
		for (let polls = 0; polls < 30; polls++) {
			host.time.pass(5 * MINUTE);
			for (const id of ['a', 'b']) await change(id);
			const wait = { status: 429, retryAfter: 45 } as const;
			if (polls % 2 === 0) service.set({ list: { faults: [wait, wait] } });
			service.clearRequests();
			expect(await poll()).toEqual(['a', 'b']);
		}
		const since = service.requests.flatMap(({ query }) => query.updatedSince ?? []);
		expect(since).not.toEqual([]);
		for (const time of since) expect(Date.parse(time)).toBeGreaterThan(host.time.now() - HOUR);
	});

	it('fails as publishing would if two records of a page come to have one ID', async () => {
		const { host, poll, respond } = await prepared({
			parameters: {
				resource: 'company',
				triggerOn: 'startsToMatch',
				match: { conditions: [{ field: 'state', condition: 'equals', value: 'b' }] },
			},
		});
		const rows = ['a', 'b'].map((state) => ({ id: 3, state }));
		respond({ data: rows.slice(0, 1) });
		expect(await poll()).toEqual([]);
		host.time.pass(MINUTE);
		respond({ data: rows });
		await expect(poll()).rejects.toThrow(/^Several companies have the same ID at "id", so ID Path/);
	});

	it('takes no state that it returned for a new one while a copy that lags shows it again', async () => {
		const { change, host, poll, returns } = await published();
		const first = host.time.now();
		const second = first + MINUTE / 2;
		await returns('a', first);
		host.time.pass(MINUTE);
		await returns('a', second);
		for (const shown of [first, first, second, first, first, second]) {
			await change('a', shown);
			expect(await poll()).toEqual([]);
		}
	});

	it('takes no older state for a change that one reading alone shows, nor two of them', async () => {
		const { change, host, poll, returns } = await published();
		const [first, second, third] = [0, 10, 20].map((age) => host.time.now() + age * SECOND);
		host.time.pass(MINUTE);
		await returns('a', third);
		for (const shown of [first, third, first, second, third]) {
			await change('a', shown);
			expect(await poll()).toEqual([]);
		}
	});

	it('says that users show no update time any more, also if updatedSince is ignored', async () => {
		const list = { updatedSince: { ignored: true } };
		const { host, poll, service } = await published({ list });
		service.set({ list: { updatedAtField: null } });
		await poll();
		expect(inspect(host.log)).toContain('Some users show no time at "updatedAt"');
	});

	it('takes a link that comes to be renewed on a later page for a change once', async () => {
		const { poll, service } = await prepared({
			parameters: { resource: 'company', options: { pageSize: 10 } },
		});
		let responses = 0;
		let isRenewed = false;
		const logo = () => `https://pictures.example.test/?signature=${isRenewed ? ++responses : 0}`;
		const respondWith: Switches['list']['respondWith'] = ({ query: { page, pageSize } }) => {
			const records = listOf(30, (id) => ({
				id,
				updatedAt: iso(START),
				...(id > 15 && { logo: logo() }),
			}));
			return { status: 200, body: cut(records, Number(page), Number(pageSize)) };
		};
		service.set({ list: { respondWith } });
		expect(await poll()).toEqual([]);
		isRenewed = true;
		expect([(await poll()).length, await poll()]).toEqual([14, []]);
	});

	it('says that updatedSince is ignored by now, whichever user comes last', async () => {
		// The last one might also be found by a clock of another zone.
		const ages = [9 * DAY, MINUTE, MINUTE, 20 * HOUR];
		const users = ages.map((age, index) => ({ id: `${index}`, updatedAt: iso(START - age) }));
		const { host, poll, service } = await published({ users });
		service.set({ list: { updatedSince: { ignored: true } } });
		expect(await poll()).toEqual([]);
		expect(host.logged).toEqual([expect.stringMatching(/^The service ignores "updatedSince"/)]);
	});

	it('shows the newest users as a test event, and touches nothing', async () => {
		const { change, host, poll, workflow } = await prepared({ kind: 'process' });
		const shown = async () => (await workflow.fetchTestEvent())?.map(({ id }) => id);
		expect(await shown()).toHaveLength(10);
		expect(await poll()).toEqual([]);
		host.time.pass(MINUTE);
		await change('a');
		expect([await shown(), await poll(), await shown()]).toEqual([['a'], ['a'], ['a']]);
		expect(await poll()).toEqual([]);
	});
});

describe('what publishing finds out', () => {
	it('is not lost by a page after the end that fails', async () => {
		const { poll, service } = await prepared({ parameters: { options: { pageSize: 5 } } });
		const pageFaults = [{ page: 6, fault: { status: 500 }, times: 0 }];
		service.set({ list: { pageFaults } });
		expect(await poll()).toEqual([]);
	});

	it('is that a page fails, and the next poll finds out the same', async () => {
		const { change, host, poll, requestCount, service } = await prepared({
			users: 0,
			list: { neverUpdated: 'null', metadata: 'none' },
			parameters: { options: { pageSize: 20 } },
		});
		const users = listOf(100, (at) => {
			const createdAt = START - 400 * DAY + at * HOUR;
			const updatedAt = at === 90 ? createdAt : START - 10 * DAY + at * HOUR;
			return { id: `u${at}`, createdAt: iso(createdAt), updatedAt: iso(updatedAt) };
		});
		await service.seed('users', users);
		let isSet = false;
		service.onListRequest(({ query }) => {
			if (isSet || query.updatedSince === undefined) return;
			isSet = true;
			const pageFaults = [{ page: 1, fault: { status: 500 }, times: 2 }];
			service.set({ list: { pageFaults } });
		});
		await expect(poll()).rejects.toThrow('status 500');
		expect(await poll()).toEqual([]);
		host.time.pass(5 * MINUTE);
		await change('a');
		service.clearRequests();
		expect(await poll()).toEqual(['a']);
		expect(requestCount()).toBeLessThan(4);
	});

	it('is enough to poll if page is ignored and updatedSince is not', async () => {
		const { returns } = await published({ users: 250, list: { pageIgnored: true } });
		await returns('a');
	});

	it('is that updatedSince is taken for a later time, even if page after page shows old users', async () => {
		const { poll, service } = await prepared({
			users: 0,
			list: { updatedSince: { aheadMs: -40 * HOUR } },
			parameters: { options: { pageSize: 40 } },
		});
		const updatedAt = (at: number) => iso(START - (400 - at) * HOUR);
		const users = listOf(300, (at) => ({ id: `u${at}`, updatedAt: updatedAt(at) }));
		await service.seed('users', users);
		await expect(poll()).rejects.toThrow('Updated Since Format');
	});

	let time = START;
	it.each<[string, number, DeepPartial<Switches['list']>]>([
		['a user who was never updated shows at once', 5, { neverUpdated: 'null' }],
		['no time of creation is there', 5, { createdAtField: null }],
		[
			'each response shows another time',
			20,
			{
				respondWith: () => ({ status: 200, body: [{ id: 1, updatedAt: (time += 1.5 * SECOND) }] }),
			},
		],
	])('takes few requests if %s', async (_, most, list) => {
		const { poll, requestCount, service } = await prepared({ users: 1_500, list });
		const createdAt = iso(START - HOUR);
		await service.upsert('users', { id: 'user-000003', createdAt, updatedAt: createdAt });
		await poll();
		expect(requestCount()).toBeLessThanOrEqual(most);
	});

	it.each([
		[0, 'online', 'online'],
		[1, 'online', 'online'],
		[0, 'anna@example.test', '…'],
	])('is that a field is there in every other second only: %d, %s', async (first, name, shown) => {
		const { host, service, staysSilent } = await prepared();
		const respondWith = () => {
			const isThere = Math.floor(host.time.now() / SECOND) % 2 === first;
			const user = { updatedAt: '2026-03-01T07:30:00Z', ...(isThere && { [name]: true }) };
			const body = [1, 2, 3].map((id) => ({ id, ...user }));
			return { status: 200, body };
		};
		service.set({ list: { respondWith } });
		await staysSilent(4);
		expect(inspect(host.log)).toContain(`"${shown}" differs in each response`);
		expect(inspect(host.log)).not.toContain('anna@');
	});

	const sinceDate = { startFrom: 'date', startDate: '2026-03-01T08:00:00', triggerOn: 'updated' };
	const set = (options: INodeParameters) => ({ parameters: { options } });
	const personal = { 'ann@example.test': 1, profile: { mail: 'a' }, updatedAt: '2026-01-31' };
	it.each<[string, RegExp, Setup]>([
		[
			'no ID, and fields that may be personal',
			/^Could not tell which field is the ID of the users, so ID Path must be set\. Fields seen: profile\.mail, updatedAt\. Set ID Path in the options to the dot path of the ID of a user\.$/,
			{ users: [{ id: 1, ...personal }], list: { idField: null, createdAtField: null } },
		],
		[
			'an ID that comes twice',
			/^Could not tell which field is the ID .* Set ID Path/,
			{ users: [1, 2].map((id) => ({ id, userId: 7 })), list: { idField: null } },
		],
		[
			'the same ID in several users where it should be',
			/^Several users have the same ID at "site", so ID Path must be set\. .* Set ID Path in the options/,
			{ ...set({ idPath: 'site' }), users: [1, 2].map((id) => ({ id, site: 7 })) },
		],
		[
			'no ID where it should be',
			/^A user has no ID at "number", so ID Path/,
			set({ idPath: 'number' }),
		],
		['no update time', /Updated At Path/, { list: { updatedAtField: null } }],
		...[639_080_640_000_000_000, 134_169_408_000_000_000, 202_603_020_800].map(
			(updatedAt): [string, RegExp, Setup] => [
				`times that count from elsewhere: ${updatedAt}`,
				/Updated At Path must be set/,
				{ users: [7, 8].map((id) => ({ id, updatedAt: updatedAt + id })) },
			],
		),
		[
			'no update time where it should be',
			/^There is no time that can be read at "changed", so Updated At Path .* path of the time a user was changed last\.$/,
			set({ updatedAtPath: 'changed' }),
		],
		['a text where it should be', /at "role", so Updated At Path/, set({ updatedAtPath: 'role' })],
		[
			'no time of creation where it should be',
			/^There is no time that can be read at "made", so Created At Path .* path of the time a user was created\.$/,
			set({ createdAtPath: 'made' }),
		],
		[
			'no time of creation since a date',
			/Created At Path/,
			{ list: { createdAtField: null }, parameters: sinceDate },
		],
		[
			'no update time since a date',
			/Updated At Path/,
			{ list: { updatedAtField: null }, parameters: sinceDate },
		],
		...['', 'soon', undefined].map((startDate): [string, RegExp, Setup] => [
			`the start date ${startDate}`,
			/^Start Date must be a point in time/,
			{ parameters: { ...sinceDate, startDate } },
		]),
		['an overlap below 0', /^Overlap must be /, set({ overlap: -1 })],
		['no Max Items', /^Max Items must be /, set({ maxItems: 0 })],
		...[0, 1.5].map((pageSize): [string, RegExp, Setup] => [
			`pages of ${pageSize}`,
			/^Page Size must be /,
			set({ pageSize }),
		]),
		[
			'updatedSince is misread',
			/Updated Since Format/,
			{ list: { updatedSince: { accepted: ['epochMs'], unreadable: 'empty' } } },
		],
	])('is an error that names the option: %s', async (_, message, setup) => {
		const { host, poll, workflow } = await prepared(setup);
		await expect(poll()).rejects.toThrow(message);
		const failed = new PublishedWorkflow(host, workflow.nodes).publish();
		await expect(failed).rejects.toMatchObject({ failure: { cause: 'configuration-invalid' } });
	});

	it('is asked for as the options say, of whatever type an expression made them', async () => {
		const requested = async (options: INodeParameters) => {
			const envelope = { template: { other: [{ id: 'x' }], deep: { list: '{records}' } } };
			const parameters = { options: { itemsPath: ' deep.list ', ...options } };
			const { returns, service } = await published({ list: { envelope }, parameters });
			await returns('a');
			const [{ query } = { query: undefined }] = service.requests;
			return { ...query, since: Date.parse(query?.updatedSince ?? '') };
		};
		const usual = await requested({});
		expect(usual).toMatchObject({ pageSize: '100' });
		expect(usual).not.toHaveProperty('sort');
		const set = await requested({ overlap: '0.5', pageSize: '250', sort: ' updatedAt,desc ' });
		expect(set).toMatchObject({ pageSize: '250', sort: 'updatedAt,desc' });
		// Instead of 5.
		expect(set.since - usual.since).toBe(4.5 * MINUTE);
	});

	it('has no start date if whole lists are compared', async () => {
		// With an expression n8n keeps what the editor hides.
		for (const more of [{ resource: '=visit' }, { triggerOn: '=removed' }]) {
			const { poll } = await prepared({ parameters: { ...sinceDate, startDate: 'soon', ...more } });
			expect(await poll()).toEqual([]);
		}
	});

	it.each(['created', 'updated'])(
		'goes by the times that are set instead of those that it would find: %s',
		async (triggerOn) => {
			const longAgo = { modifiedAt: '2025-01-31T08:00:00Z', dateCreated: '2025-01-31T08:00:00Z' };
			const times = { updatedAt: longAgo.modifiedAt, createdAt: longAgo.dateCreated };
			const { host, poll, service } = await prepared({
				users: [{ id: 'old', ...longAgo, ...times }],
				list: { updatedAtField: 'seen', createdAtField: 'made' },
				parameters: { triggerOn, options: { updatedAtPath: 'seen', createdAtPath: 'made' } },
			});
			const createdAt = iso(START + MINUTE);
			const change = async () => {
				host.time.pass(MINUTE);
				await service.upsert('users', { id: 'a', ...longAgo, createdAt });
				return await poll();
			};
			expect(await poll()).toEqual([]);
			expect(await change()).toEqual(triggerOn === 'created' ? ['a'] : []);
			expect(await change()).toEqual(triggerOn === 'updated' ? ['a'] : []);
		},
	);

	it.each<[string, DeepPartial<Switches['list']>]>([
		['time of creation', { createdAtField: null }],
		['update time', { updatedAtField: null }],
	])('is that only a comparison tells what is created or updated without %s', async (_, list) => {
		for (const triggerOn of ['created', 'updated']) {
			const { host, poll, service } = await prepared({ list, parameters: { triggerOn } });
			expect(await poll()).toEqual([]);
			host.time.pass(MINUTE);
			await service.upsert('users', { id: 'new' });
			expect(await poll()).toEqual(triggerOn === 'created' ? ['new'] : []);
			host.time.pass(MINUTE);
			await service.upsert('users', { id: 'new', name: 'Other' });
			expect(await poll()).toEqual(triggerOn === 'updated' ? ['new'] : []);
		}
	});

	it.each<[string, DeepPartial<Switches['list']>]>([
		['The service ignores "updatedSince"', { updatedSince: { ignored: true } }],
		['The service leaves users that were never updated out', { neverUpdated: 'notFound' }],
		[
			'"photo" differs in each response',
			{ renewed: { every: SECOND, as: 'path' }, updatedAtFormat: 'isoSeconds' },
		],
	])('is a warning, and what is no change does not come: %s', async (warning, list) => {
		const { host, poll, service } = await prepared({ list });
		const create = async (id: string) => {
			const createdAt = iso(host.time.now());
			await service.upsert('users', { id, createdAt, updatedAt: createdAt });
			host.time.pass(MINUTE);
		};
		await create('before');
		expect(await poll()).toEqual([]);
		expect(host.logged).toEqual([expect.stringContaining(warning)]);
		await create('a');
		expect([await poll(), await poll()]).toEqual([['a'], []]);
		expect(host.logged).toHaveLength(1);
	});

	it.each<[string, DeepPartial<Switches['list']>]>([
		['in an error', { force: { status: 400, body: { message: 'Bad: canary-token-0001' } } }],
		['with status 200', { force: { status: 200, body: { error: 'canary-token-0001' } } }],
		['as a field', { force: { status: 200, body: { 'canary-token-0001': 1 } } }],
		['as a field of users', { force: { status: 200, body: [{ 'canary-token-0001': 1 }] } }],
	])('does not tell the token that a service repeats %s', async (_, list) => {
		const body = { access_token: 'canary-token-0001', expires_in: 3600 };
		const token = { force: { status: 200, body } };
		const host = new MemoryHost({ switches: { token, list } });
		const workflow = new PublishedWorkflow(host, [{ node: 'polling' }]);
		for (const call of [workflow.publish(), workflow.fetchTestEvent()]) {
			const error: unknown = await call.catch((thrown: unknown) => thrown);
			expect(error).toBeInstanceOf(Error);
			const shown = inspect(error, { depth: 8, showHidden: true });
			expect(shown).not.toContain('canary-token-0001');
		}
	});
});

describe('the time n8n has for a poll', () => {
	const fiveAPage = { options: { pageSize: 5 } };

	it('is waited for as long as Retry-After says, if it is enough', async () => {
		const { change, host, poll, service } = await published();
		await change('a');
		service.set({ list: { faults: [{ status: 429, retryAfter: 20 }] } });
		const startedAt = host.time.now();
		expect(await poll()).toEqual(['a']);
		expect(host.time.now() - startedAt).toBeGreaterThanOrEqual(20 * SECOND);
	});

	it('is not waited for in vain: n8n is told when to poll again, and nothing is stored', async () => {
		const { change, host, poll, service, workflow } = await published();
		await change('a');
		service.set({ list: { faults: [{ status: 429, retryAfter: 50 }] } });
		const startedAt = host.time.now();
		const { failure, isStored } = await workflow.tryPoll();
		expect(failure).toContain('responded with status 429 and asks to wait 50 seconds');
		expect(isStored).toBe(false);
		expect(host.time.now() - startedAt).toBeLessThan(BUDGET.durable);
		expect([await poll(), await poll()]).toEqual([['a'], []]);
	});

	it.each([
		['429', [{ page: 2, fault: { status: 429, retryAfter: 50 } }]],
		['500', onceMoreWithANewToken(2)],
	])(
		'ends with what came before a page that fails with %s, and the rest comes later',
		async (_, pageFaults) => {
			const { change, poll, service } = await published({ parameters: fiveAPage });
			const changed = listOf(23, (index) => `new-${index}`);
			for (const id of changed) await change(id);
			service.set({ list: { pageFaults } });
			const first = await poll();
			expect(first.length).toBeGreaterThan(0);
			expect(first.length).toBeLessThan(23);
			const rest = [...(await poll()), ...(await poll())];
			expect([...first, ...rest].sort()).toEqual(changed.sort());
		},
	);

	it('does not let what waits for Max Items be forgotten with the pages that are left', async () => {
		const { change, host, poll, service } = await published({
			list: { metadata: 'none' },
			parameters: { options: { pageSize: 5, maxItems: 1 } },
		});
		const ages = { a: 9 * HOUR, b: 6 * HOUR, c: 3 * HOUR, d: 1, e: 0 };
		host.time.pass(12 * HOUR);
		for (const [id, age] of Object.entries(ages)) await change(id, host.time.now() - age);
		const received: unknown[] = [];
		for (let polls = 0; polls < 10; polls++) {
			if (polls % 2 === 0) service.set({ list: { pageFaults: onceMoreWithANewToken(1) } });
			received.push(...(await poll()));
			host.time.pass(MINUTE);
		}
		expect(received).toEqual(Object.keys(ages));
	});

	it('does not let a poll ask for everything because the list ended where it had to stop', async () => {
		const { change, host, poll, service } = await published({
			list: { pageBeyondEnd: 'error' },
			parameters: fiveAPage,
		});
		const changed = listOf(10, (index) => `new-${index}`);
		for (const id of changed) await change(id);
		service.set({ list: { pageFaults: onceMoreWithANewToken(1) } });
		expect(await poll()).toHaveLength(5);
		for (const id of changed) await service.remove('users', id);
		service.clearRequests();
		for (let polls = 0; polls < 4; polls++) {
			host.time.pass(MINUTE);
			await poll();
		}
		const requested = service.requests.flatMap(({ query }) => query.updatedSince ?? []);
		expect(Math.min(...requested.map((since) => Date.parse(since)))).toBeGreaterThan(
			START - 2 * DAY,
		);
	});

	it.each(['empty', 'first'] as const)(
		'is too short for a list counted from 1 whose page 0 is %s: the next polls read the rest',
		async (pageBeforeFirst) => {
			const { host, staysSilent, poll, service } = await prepared({
				list: {
					...{ firstPageNumber: 1, pageBeforeFirst, latencyMs: 4 * SECOND },
					metadata: ['total', 'totalPages'],
				},
				parameters: { resource: 'company', options: { pageSize: 4 } },
			});
			await service.seed('companies', 12);
			await staysSilent(6);
			await service.upsert('companies', { id: 'new' });
			const received: unknown[] = [];
			for (let polls = 0; polls < 6; polls++) {
				received.push(...(await poll()));
				host.time.pass(MINUTE);
			}
			expect(received).toEqual(['new']);
		},
	);

	it('is not used up by pages of ten seconds: each poll ends with time to spare', async () => {
		const { host, poll } = await prepared({
			users: 400,
			list: { latencyMs: 10 * SECOND },
			parameters: { triggerOn: 'removed', options: { pageSize: 20 } },
		});
		for (let polls = 0; polls < 4; polls++) {
			const startedAt = host.time.now();
			expect(await poll()).toEqual([]);
			expect(host.time.now() - startedAt).toBeLessThanOrEqual(0.8 * BUDGET.durable);
		}
	});

	it.each([7, 9])('is enough to publish if each response takes %d seconds', async (seconds) => {
		const { host, poll, returns } = await prepared({ list: { latencyMs: seconds * SECOND } });
		expect(await poll()).toEqual([]);
		host.time.pass(MINUTE);
		await returns('a');
	});

	it('may be used up by what publishing finds out: the next poll reads the list', async () => {
		const slow = { latencyMs: 7.5 * SECOND, metadata: 'none', pageBeyondEnd: 'error' } as const;
		const { change, host, poll } = await prepared({ list: slow });
		expect([await poll(), await poll()]).toEqual([[], []]);
		host.time.pass(MINUTE);
		await change('a');
		expect([await poll(), await poll(), await poll()].flat()).toEqual(['a']);
	});

	it('is too short for one page: an error that says what to do', async () => {
		const { host, poll, service, workflow } = await prepared();
		const stop = service.onListRequest(() => host.time.pass(BUDGET.durable));
		const { error, failure, isStored } = await workflow.tryPoll();
		stop();
		expect(error).toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
		expect(failure).toMatch(
			/^The service did not respond within the time n8n allows for one poll\..*Page Size/,
		);
		expect(isStored).toBe(false);
		expect(await poll()).toEqual([]);
	});
});

describe('a scheduler of n8n that stores nothing of a poll without items', () => {
	const forgets =
		/forgets how far a poll without results has come.*N8N_POLLER_DURABLE_CURSORS_ENABLED/;

	it('is an error, before anything is asked for', async () => {
		const { poll, requestCount } = await prepared({ kind: 'scheduler' });
		await expect(poll()).rejects.toThrow(forgets);
		expect(requestCount()).toBe(0);
	});

	it('is an error if it takes over a place, from which the trigger goes on later', async () => {
		const { change, poll, publish, workflow } = await published({ kind: 'process' });
		workflow.kind = 'scheduler';
		await change('a');
		await expect(poll()).rejects.toThrow(forgets);
		workflow.kind = 'durable';
		publish({});
		expect([await poll(), await poll()]).toEqual([['a'], []]);
	});
});

it.each([
	[0, 1],
	[99, 1],
	// The total of one full page may be that of the page, and its page count the number of the pages
	// so far.
	[100, 2],
	[1000, 2],
])('a poll that finds %d changes sends %d requests', async (count, requests) => {
	const { change, poll, requestCount } = await published();
	for (let number = 0; number < count; number++) await change(`new-${number}`);
	expect(await poll()).toHaveLength(count);
	expect(requestCount()).toBe(requests);
});
