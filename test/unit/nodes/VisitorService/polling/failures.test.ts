import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { MINUTE, START } from './polledTenant';
import { changeMany, failureOf, prepared, sorted, started } from './startedTrigger';

function failure(details: Partial<ServiceFailure>): ServiceFailure {
	return new ServiceFailure('The service failed.', 'Try again.', { kind: 'service', ...details });
}

describe('users without', () => {
	it.each([
		['an ID', { idField: null }, 'ID Path'],
		['an update time', { updatedAtField: null }, 'Updated At Path'],
	])(
		'fails at the activation if users have not %s, and names the option',
		async (_what, list, option) => {
			const { trigger } = prepared({ list });
			expect((await failureOf(trigger.poll())).remedy).toContain(option);
			expect(trigger.cursor).toBeUndefined();
		},
	);

	it('reads the ID and the update time at the paths set', async () => {
		const { tenant, trigger } = await started(
			{ list: { idField: 'number', updatedAtField: 'when' } },
			{ paths: { id: 'number', updatedAt: 'when', createdAt: '' } },
		);
		tenant.pass(MINUTE);
		const change = tenant.change('a');
		expect(await trigger.poll()).toEqual([change]);
	});

	it.each([true, false])(
		'fails if the update time has another name later on, and loses nothing by it (accepts updatedSince: %p)',
		async (acceptsUpdatedSince) => {
			const habits = { showsCreation: true };
			const { tenant, trigger } = await started(habits, { acceptsUpdatedSince });
			tenant.pass(MINUTE);
			const change = tenant.change('old-1');
			tenant.set({ updatedAtField: 'modifiedAt' });
			const { message, remedy } = await failureOf(trigger.poll());
			expect(message).toContain('no time that can be read at "updatedAt"');
			expect(remedy).toContain('Updated At Path');
			tenant.set({ updatedAtField: 'updatedAt' });
			expect(await trigger.poll()).toEqual([change]);
		},
	);

	it.each([true, false])(
		'fails if no update time can be read any more, and loses nothing by it (accepts updatedSince: %p)',
		async (acceptsUpdatedSince) => {
			const { tenant, trigger } = await started({}, { acceptsUpdatedSince });
			tenant.pass(MINUTE);
			const change = tenant.change('old-1');
			const fetchPage = tenant.fetchPage.bind(tenant);
			tenant.fetchPage = async (...request) => {
				const answer = await fetchPage(...request);
				const { data } = answer.body as { data: JsonObject[] };
				return { ...answer, body: { data: data.map((one) => ({ ...one, updatedAt: 'now' })) } };
			};
			const { message, remedy } = await failureOf(trigger.poll());
			expect(message).toContain('no time that can be read at "updatedAt"');
			expect(remedy).toContain('Updated At Path');
			tenant.fetchPage = fetchPage;
			expect(await trigger.poll()).toEqual([change]);
		},
	);

	it('polls on if a service leaves the update time out of users that were never updated', async () => {
		const { tenant, trigger } = await started({ showsCreation: true });
		tenant.pass(MINUTE);
		const created = tenant.change('new');
		tenant.set({ updatedAtField: null });
		expect(await trigger.poll()).toEqual([created]);
	});

	it.each([
		{ acceptsUpdatedSince: true, ignored: false },
		{ acceptsUpdatedSince: true, ignored: true },
		{ acceptsUpdatedSince: false, ignored: true },
	])(
		'says once that no user shows the update time any more: %p',
		async ({ acceptsUpdatedSince, ignored }) => {
			const habits = { showsCreation: true, list: { updatedSince: { ignored } } };
			const { tenant, trigger } = await started(habits, { acceptsUpdatedSince });
			tenant.set({ updatedAtField: null });
			const notes: string[] = [];
			for (let poll = 0; poll < 3; poll++) {
				tenant.pass(MINUTE);
				tenant.change(`new-${poll}`);
				await trigger.poll();
				notes.push(...trigger.notes);
			}
			const told = notes.filter((note) => note.startsWith('No users show a time at "updatedAt"'));
			expect(told).toHaveLength(1);
		},
	);

	it('fails if users have no update time later on, and loses nothing by it', async () => {
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

describe('users that were never updated', () => {
	const neverUpdated = { showsCreation: true, list: { neverUpdated: 'null' as const } };

	it.each(['1753-01-01T00:00:00', '2001-01-01T00:00:00Z', -62_135_596_800])(
		'follows a new account in which nobody was updated yet and update times are %j',
		async (unsetTime) => {
			const { tenant, trigger } = await started({ ...neverUpdated, unsetTime });
			expect(trigger.notes).toEqual([]);
			tenant.pass(MINUTE);
			const created = tenant.change('new');
			expect(await trigger.poll()).toEqual([created]);
			tenant.pass(MINUTE);
			const updated = [tenant.change('new'), tenant.change('old-3')];
			expect(sorted(await trigger.poll())).toEqual(updated);
			expect(trigger.notes).toEqual([]);
			tenant.pass(60 * MINUTE);
			expect(await trigger.drain()).toEqual([]);
		},
	);

	it('fails when it is published with a Start Date it cannot keep to', async () => {
		const { trigger } = prepared(
			{ ...neverUpdated, showsCreation: false },
			{ triggerOn: 'created', startDate: START },
		);
		expect((await failureOf(trigger.poll())).remedy).toContain('Created At Path');
	});
});

describe('a poll that fails', () => {
	it('emits what it has read if page 3 of 5 fails, and fails as long as it gets no further', async () => {
		const { tenant, trigger } = await started({ list: { maxPageSize: 5 } });
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 25);
		tenant.beforePage = ({ page }) => {
			if (page === 2) throw failure({ statusCode: 500 });
		};
		expect((await trigger.poll()).length).toBeGreaterThanOrEqual(10);
		const before = JSON.stringify(trigger.cursor);
		expect((await failureOf(trigger.poll())).statusCode).toBe(500);
		expect(JSON.stringify(trigger.cursor)).toBe(before);
		tenant.beforePage = undefined;
		await trigger.poll();
		expect(sorted(trigger.emitted)).toEqual(changes);
	});

	it('loses no users of a page that fails while the page after it comes', async () => {
		const { tenant, trigger } = await started({ list: { maxPageSize: 5 } });
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 40);
		const fetchPage = tenant.fetchPage.bind(tenant);
		let fails = true;
		tenant.fetchPage = async (page, ...query) => {
			const answer = await fetchPage(page, ...query);
			if (page !== 3 || !fails) return answer;
			// The pages after it come before it fails.
			await new Promise((resolve) => setImmediate(resolve));
			throw failure({ statusCode: 500 });
		};
		expect((await trigger.poll()).length).toBeGreaterThan(15);
		expect(trigger.cursor?.changes?.unfinished?.page).toBe(3);
		expect((await failureOf(trigger.poll())).statusCode).toBe(500);
		fails = false;
		await trigger.poll();
		expect(sorted(trigger.emitted)).toEqual(changes);
	});

	it('gets on in a list of several polls of which each has a page that fails at first', async () => {
		const { tenant, trigger } = await started({ list: { maxPageSize: 5 } });
		tenant.pass(MINUTE);
		const changes = changeMany(tenant, 60);
		const failed = new Set<number>();
		tenant.beforePage = ({ page }) => {
			if (page % 3 !== 2 || failed.has(page)) return;
			failed.add(page);
			throw failure({ kind: 'connection' });
		};
		for (let poll = 0; poll < 5; poll++) await trigger.poll();
		expect(sorted(trigger.emitted)).toEqual(changes);
	});

	it('gets on although the rate is limited when it could ask why no user shows an update time', async () => {
		const { tenant, trigger } = await started(
			{ showsCreation: true, list: { maxPageSize: 5 } },
			{ acceptsUpdatedSince: false },
		);
		tenant.pass(MINUTE);
		for (let number = 0; number < 30; number++) tenant.remove(`old-${number}`);
		const changes = changeMany(tenant, 60);
		// They were never updated.
		tenant.set({ updatedAtField: null });
		let requests = 0;
		tenant.beforePage = () => {
			requests++;
			if (requests > 6) throw failure({ kind: 'rateLimit', statusCode: 429, retryAfter: 90_000 });
		};
		for (let poll = 0; poll < 5; poll++) {
			requests = 0;
			await trigger.poll();
		}
		expect(sorted(trigger.emitted)).toEqual(changes);
	});

	it('gets on although the rate is limited when it could ask why a service ignores updatedSince', async () => {
		const { tenant, trigger } = await started({ list: { maxPageSize: 3 } });
		tenant.pass(5 * 24 * 60 * MINUTE);
		const changes = changeMany(tenant, 5);
		tenant.set({ updatedSince: { ignored: true } });
		let requests = 0;
		tenant.beforePage = () => {
			requests++;
			if (requests > 8) throw failure({ kind: 'rateLimit', statusCode: 429, retryAfter: 90_000 });
		};
		for (let poll = 0; poll < 8; poll++) {
			requests = 0;
			await trigger.poll();
		}
		expect(sorted(trigger.emitted)).toEqual(changes);
	});

	it('removes nobody of a compared list of which a page fails, and goes on there', async () => {
		const habits = { list: { maxPageSize: 5, naturalOrder: 'id' as const } };
		const { tenant, trigger } = await started(habits, { triggerOn: 'removed' });
		tenant.remove('old-7');
		let failures = 0;
		tenant.beforePage = ({ page }) => {
			if (page !== 4 || failures === 2) return;
			failures++;
			throw failure({ statusCode: 502 });
		};
		await trigger.poll();
		expect((await failureOf(trigger.poll())).statusCode).toBe(502);
		expect(await trigger.poll()).toEqual([]);
		expect(await trigger.drain()).toEqual([7]);
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
