import type { Check } from '../../../../../nodes/VisitorService/diagnosis/finding';
import { answer, diagnoseInMemory, slice, usersOf } from './memoryTenant';
import { oddTenants, plain } from './oddTenants';

describe('a diagnosis of an odd tenant', () => {
	it.each(oddTenants)('finds what is true, and settings that read all: $name', async (tenant) => {
		const { finding, findings, requests, list } = await diagnoseInMemory(tenant);
		expect(requests).toBeLessThanOrEqual(25);
		expect(finding('usersReadable')).toMatchObject({ status: 'ok', observed: true });
		for (const [check, observed] of Object.entries(tenant.finds)) {
			const found = finding(check as Check);
			expect([check, found.observed]).toEqual([check, observed]);
			if (observed === null) expect([check, found.status]).not.toEqual([check, 'ok']);
		}
		const bad = findings.filter(({ status }) => status === 'failed' || status === 'warning');
		const spared = bad.filter(({ check }) => tenant.spares?.includes(check as Check));
		expect(spared).toEqual([]);

		const [summary] = findings;
		const settings = summary?.setting?.['List Users'] ?? {};
		if (tenant.needsSettings === true) expect(settings).not.toEqual({});
		const without = await list({}).catch(() => []);
		const records = await list(settings);
		expect(records.length).toBeGreaterThanOrEqual(without.length);
		expect(records.length).toBeGreaterThanOrEqual((tenant.readable ?? tenant.users.length) - 1);
	});

	it('says which lists there are, and fails, if several places may hold the users', async () => {
		const { finding } = await diagnoseInMemory({
			name: 'two places',
			users: usersOf(20),
			list: plain({ body: (rows) => ({ one: { ones: rows }, two: { twos: rows } }) }),
		});
		expect(finding('usersReadable').status).toBe('failed');
		expect(finding('usersReadable').meaning).toContain('one.ones, two.twos');
		expect(finding('summary')).toMatchObject({ status: 'failed' });
		expect(finding('summary').meaning).toContain('Items Path');
	});

	it('fails if each answer has another order, so that pages leave users out', async () => {
		let answered = 0;
		const { finding } = await diagnoseInMemory({
			name: 'another order each time',
			users: usersOf(120),
			list: (query, users) => {
				const turned = (++answered * 47) % users.length;
				const others = [...users.slice(turned), ...users.slice(0, turned)];
				return plain({ size: (asked = 50) => Math.min(asked, 100) })(query, others);
			},
		});
		expect(finding('summary')).toMatchObject({ status: 'failed', setting: null });
		expect(finding('summary').meaning).toContain('It does not return all users.');
	});

	it.each([0, 1])(
		'says what to tell the service provider if page 0 fails, no number means page %i',
		async (usual) => {
			const { finding } = await diagnoseInMemory({
				name: 'page 0 fails',
				users: usersOf(300),
				list: ({ page = usual, pageSize = 50 }, users) =>
					page === 0 ? answer(500) : answer(200, slice(users, page, pageSize, 1)),
			});
			const { meaning } = finding('summary');
			expect(meaning).toContain('Set in List Users: Return All off, Page 1, Limit 1000000000.');
			expect(meaning).toContain(
				'For your service provider: "Page 0 should be the first page of the users, but cannot be read. The service failed to answer (status 500).',
			);
		},
	);

	it('fails if there are users by the total, and no page shows one', async () => {
		const { finding } = await diagnoseInMemory({
			name: 'nobody is shown',
			users: [],
			list: () => answer(200, { data: [], total: 260 }),
		});
		expect(finding('summary')).toMatchObject({ status: 'failed', setting: null });
		expect(finding('summary').meaning).toContain('No users are returned');
	});

	it.each([110, 150, 250])(
		'recommends a larger size for %i users, of whom the last page holds some',
		async (count) => {
			const { finding } = await diagnoseInMemory({
				name: 'a short last page',
				users: usersOf(count),
				list: plain(),
			});
			expect(finding('summary').setting).toEqual({ 'List Users': { pageSize: 1000 } });
		},
	);

	it('does not take page 1 for the first one if a larger page 1 does not begin as it does', async () => {
		const { finding } = await diagnoseInMemory({
			name: 'the first page always fails',
			users: usersOf(300),
			list: (query, users) => (query.page ? plain()(query, users) : answer(500)),
		});
		const checks = ['firstPageNumber', 'updatedSinceFormat', 'maxPageSize'] as const;
		expect(checks.map((check) => finding(check).status)).toEqual(checks.map(() => 'unknown'));
		expect(finding('summary').status).toBe('failed');
	});

	it('warns of a total that is less than the users seen', async () => {
		const { finding } = await diagnoseInMemory({
			name: 'a low total',
			users: usersOf(1300),
			list: plain({ body: (data) => ({ data, total: 800 }) }),
		});
		expect(finding('pagingMetadata')).toMatchObject({ status: 'warning', observed: 'total' });
		expect(finding('summary').meaning).not.toContain('Everything works');
	});

	it('names the budget as the reason only for what it stopped', async () => {
		const { finding, requests } = await diagnoseInMemory({
			name: 'a short list',
			users: usersOf(2),
			list: plain(),
			badToken: { status: 403, body: 'empty' },
		});
		expect(requests).toBe(25);
		expect(finding('defaultPageSize')).toMatchObject({ status: 'unknown' });
		expect(finding('defaultPageSize').meaning).toBe(
			'Diagnose can tell if more users exist than one page holds.',
		);
	});
});
