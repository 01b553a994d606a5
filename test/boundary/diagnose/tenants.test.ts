import type { Check } from '../../../nodes/VisitorService/diagnosis/finding';
import { CHECKS } from '../../../nodes/VisitorService/diagnosis/finding';
import { MemoryHost } from '../../host/memoryHost';
import type { DeepPartial, ListSwitches } from '../../reference-service';
import { cut, diagnose } from '../listedHost';
import { diagnosed, diagnosedPlain, type Personality, response, usersOf } from './diagnosed';
import { oddTenants } from './oddTenants';
import { wrongFindings } from './wrongFindings';

describe('Diagnose of an odd tenant', () => {
	it.each(oddTenants)('finds what is true, and settings that read all: $name', async (odd) => {
		const { finding, findings, requests, list, service } = await diagnosedPlain(odd);
		expect(requests.length).toBeLessThanOrEqual(25);
		expect(finding('usersReadable')).toMatchObject({ status: 'ok', observed: true });
		const found = Object.keys(odd.finds).map((check) => {
			const { status, observed } = finding(check as Check);
			return [check, status === 'unknown' ? null : observed];
		});
		expect(Object.fromEntries(found)).toEqual(odd.finds);
		const bad = findings.filter(({ status }) => status === 'failed' || status === 'warning');
		expect(bad.filter(({ check }) => odd.spares?.includes(check as Check))).toEqual([]);

		const { 'List Users': settings = {}, 'Polling Trigger': ofPolls } =
			finding('summary').setting ?? {};
		if (odd.needsSettings === true) {
			expect(settings).not.toEqual({});
			if (Object.keys(settings).join() === 'pageSize') expect(ofPolls).toEqual(settings);
		}
		const without = (await list({})) ?? [];
		const records = (await list(settings)) ?? [];
		expect(records.length).toBeGreaterThanOrEqual(without.length);
		expect(records.length).toBeGreaterThanOrEqual((odd.readable ?? service.count('users')) - 1);
	});
});

/** Where a diagnosis has to know enough, or cannot; and what is drawn nowhere. */
interface Settled extends Personality {
	settles?: Check[];
	cannotSettle?: Check[];
}

const NUMBERING: Check[] = ['firstPageNumber', 'pageHonoured'];
const WHOLE_LIST: Check[] = [
	...NUMBERING,
	...(['defaultPageSize', 'pageSizeHonoured', 'maxPageSize', 'sortFormat'] as const),
	...(['updatedSinceFormat', 'idField', 'updatedAtField'] as const),
];

const settled: Settled[] = [
	{ name: 'a plain service', settles: WHOLE_LIST },
	{
		name: 'a token two levels down, with Token Field set',
		switches: { token: { response: 'deep' } },
		answerPath: 'data.attributes.access_token',
		settles: ['tokenField'],
	},
	{
		name: 'tokens for eight requests, then 403',
		switches: { token: { lifetimeRequests: 8 }, authorization: { expired: { status: 403 } } },
		settles: ['tokenRevocation', ...NUMBERING],
	},
	{
		name: 'numbering from 1, and page 0 always breaks',
		switches: {
			list: { firstPageNumber: 1, pageFaults: [{ page: 0, fault: { status: 500 }, times: 0 }] },
		},
		settles: NUMBERING,
	},
	{
		name: 'an id and update times further down',
		switches: {
			list: {
				...{ idField: 'profile.id', updatedAtField: 'meta.lastModified' },
				updatedAtFormat: 'epochMs',
			},
		},
		users: 300,
		settles: ['updatedAtField', 'updatedSinceFormat'],
		cannotSettle: ['idField'],
	},
	{
		name: 'all changed at the same time',
		users: usersOf(80, 0),
		settles: ['updatedAtField'],
		cannotSettle: ['updatedSinceFormat'],
	},
	{
		name: 'no permission for users',
		switches: { authorization: { permission: ['companies'] } },
		settles: ['usersReadable', 'companiesPath'],
	},
	{
		name: 'no lists but the users',
		switches: { list: { paths: { companies: null, visits: null, tasks: null } } },
		cannotSettle: ['companiesPath', 'visitsPath', 'tasksPath'],
	},
];

it.each(settled)('Diagnose knows what it can of $name', async (personality) => {
	const { finding, findings, requests, service } = await diagnosed(personality);
	expect(wrongFindings({ findings, service })).toEqual([]);
	expect(requests.length).toBeLessThanOrEqual(25);
	const { settles = [], cannotSettle = [] } = personality;
	expect(settles.filter((check) => finding(check).status === 'unknown')).toEqual([]);
	expect(cannotSettle.filter((check) => finding(check).status !== 'unknown')).toEqual([]);
});

/** Counted from 1, and page 0 always gets this. */
const withoutPageZero = (status: number) => ({
	switches: {
		list: {
			...({ firstPageNumber: 1, envelope: 'array' } as const),
			pageFaults: [{ page: 0, fault: { status, body: {} }, times: 0 }],
		},
	},
});

describe('the summary of Diagnose', () => {
	it('names no Page Size that List Users finds by itself', async () => {
		const { finding } = await diagnosed({ name: 'plain', users: 300 });
		const { meaning, setting } = finding('summary');
		expect([meaning, setting]).toEqual([
			'List Users works with the defaults on the pages that were read.',
			null,
		]);
	});

	it('says that the defaults work, and what is faster, by the names on the screen', async () => {
		const { finding } = await diagnosed({
			name: 'an error beyond the maximum',
			users: 300,
			switches: { list: { maxPageSize: 200, beyondMaximum: 'error' } },
		});
		expect(finding('summary')).toEqual({
			title: 'Summary',
			status: 'ok',
			meaning:
				'List Users works with the defaults on the pages that were read. Larger pages are faster. Set in List Users: Page Size 200.',
			setting: { 'List Users': { pageSize: 200 } },
			observed: true,
			check: 'summary',
		});
	});

	it('keeps the settings of each place apart', async () => {
		const { finding } = await diagnosed({
			name: 'from 1, in milliseconds, other paths',
			switches: {
				list: {
					...{ firstPageNumber: 1, pageBeforeFirst: 'error', metadata: 'none' },
					updatedSince: { accepted: ['epochMs'] },
					paths: { companies: 'organizations' },
				},
			},
		});
		const since = { updatedSinceFormat: 'epochMs' };
		expect(finding('summary').setting).toMatchObject({
			'List Users': { ...since },
			'Polling Trigger': since,
		});
		const { meaning } = finding('summary');
		expect(meaning).toContain('; in Polling Trigger: Updated Since Format Epoch Milliseconds');
	});

	it('says which lists there are, and fails, if several places may hold the users', async () => {
		const template = { one: { ones: '{records}' }, two: { twos: '{records}' } };
		const switches = { list: { envelope: { template } } };
		const { finding } = await diagnosedPlain({ users: 20, switches });
		expect(finding('usersReadable').status).toBe('failed');
		expect(finding('usersReadable').meaning).toContain('one.ones, two.twos');
		expect(finding('summary')).toMatchObject({ status: 'failed' });
		expect(finding('summary').meaning).toContain('Items Path');
	});

	it('does not say that it works if each response has another order', async () => {
		const switches = { list: { naturalOrder: 'none', maxPageSize: 100 } } as const;
		const { finding } = await diagnosedPlain({ users: 120, switches });
		// It may say that users are missing, too: in each order others are.
		const status: unknown = expect.stringMatching(/^(unknown|failed)$/);
		expect(finding('summary')).toMatchObject({ status, setting: null });
	});

	it.each([
		{ users: 600, list: { envelope: 'array', pageIgnored: true, pageSizeIgnored: true } as const },
		{ users: 1, list: { pageIgnored: true, totalLag: 20 } },
		{ users: 101, list: { pageIgnored: true, hiddenAfterPaging: 25 } },
	])('does not say that all is read if only one page came: %j', async ({ users, list }) => {
		const { finding } = await diagnosed({ name: 'one page', users, switches: { list } });
		expect(finding('summary').meaning).toContain(
			'works with the defaults on the pages that were read.',
		);
	});

	it('says what to tell the service provider if page 0 fails', async () => {
		const { finding } = await diagnosedPlain(withoutPageZero(500));
		const { meaning } = finding('summary');
		expect(meaning).toContain('Set in List Users: Return All off, Page 1, Limit 1000000000');
		expect(meaning).toContain(
			'For your service provider: "Page 0 should be the first page of the users, but cannot be read. The service failed for page 0 (status 500), but page 1 can be read.',
		);
	});

	it('reads users with a token that is not accepted at once', async () => {
		let firstAt: number | undefined;
		const { finding } = await diagnosedPlain({
			respond: ({ page = 0, pageSize = 50 }, users) => {
				firstAt ??= Date.now();
				const isAccepted = Date.now() - firstAt >= 1_500;
				return isAccepted ? response(200, cut(users, page, pageSize)) : response(401);
			},
		});
		expect(finding('usersReadable').observed).toBe(true);
	});

	it.each([0, 1] as const)(
		'recommends the Sort that works if there is no order, counted from %d',
		async (first) => {
			const list: DeepPartial<ListSwitches> = {
				...{ naturalOrder: 'loose', sortSpellings: ['-field'], metadata: ['total'] },
				...{ firstPageNumber: first, pageBeforeFirst: 'error' },
			};
			const { finding } = await diagnosedPlain({ switches: { list } });
			const sort = { sort: '-id' };
			expect(finding('sortFormat')).toMatchObject({
				status: 'warning',
				observed: '-field',
				meaning:
					'"-id" works. Without it the order of the users is not fixed. Set Sort: pages then join without a gap.',
				setting: { 'List Users': sort, 'Polling Trigger': sort },
			});
			const { meaning } = finding('summary');
			expect(meaning).toMatch(/^List Users works only with other settings than the defaults\./);
			expect(meaning).toContain('in Polling Trigger: Sort "-id"');
		},
	);

	it.each([404, 422, 500, 'empty'] as const)(
		'reads page 1 if the response without parameters is %s',
		async (zero) => {
			const { finding } = await diagnosedPlain({
				respond: ({ page = 0, pageSize = 50 }, users) => {
					if (page > 0) return response(200, { data: cut(users, page - 1, pageSize) });
					return zero === 'empty' ? response(200, { data: [] }) : response(zero);
				},
			});
			expect(finding('usersReadable').observed).toBe(true);
			expect(finding('firstPageNumber').observed).toBe(1);
			expect(finding('defaultPageSize').observed).toBe(null);
			const isUsual = finding('summary').meaning.startsWith('List Users works with the defaults');
			expect(isUsual).toBe(zero !== 500);
		},
	);

	it('says what it met if it is not clear how users can be read', async () => {
		// A proxy does not reach it.
		const { finding } = await diagnosedPlain(withoutPageZero(504));
		expect(finding('summary')).toMatchObject({
			status: 'unknown',
			meaning:
				'Users can be read, but how is not clear. The service failed (status 504). Try again later. The cause is on the side of the service.',
		});
	});

	it('tells users apart by their ID, if one is changed meanwhile or each has a signed photo', async () => {
		const switches = { list: { renewed: { every: 'response', as: 'signature' } } } as const;
		const [changed] = usersOf(300).slice(3);
		const { finding } = await diagnosedPlain({ switches }, (service) => {
			service.onListRequest(async ({ number }) => {
				if (number === 5) await service.upsert('users', { ...changed, lastName: 'Changed' });
			});
		});
		expect(finding('summary').meaning).toContain('List Users works with the defaults');
		expect(finding('idField').observed).toBe('id');
		expect(finding('maxPageSize').observed).toBe(null);
	});

	it.each<[string, Personality['respond']]>([
		[
			'only the first page came, although more is said',
			({ page = 0 }, users) => {
				const data = page === 0 ? users.slice(0, 50) : [];
				return response(200, { data, hasMore: page === 0 });
			},
		],
		['users are counted, and none is shown', () => response(200, { data: [], total: 260 })],
	])('says that List Users fails if %s', async (_, respond) => {
		const { finding } = await diagnosedPlain({ respond });
		expect(finding('summary')).toMatchObject({ status: 'failed', setting: null });
		expect(finding('summary').meaning).toContain('List Users does not return all users.');
	});

	// List Users finds what pages of 1,000 are cut to, but no maximum beyond which there is an error.
	it.each([
		['error', 150, 200, null],
		['error', 250, 200, 200],
		['error', 1300, 500, 500],
		['error', 1300, 1000, null],
		['clamp', 900, 400, null],
	] as const)(
		'of a service with the %s of %i users beyond %i recommends a page size of %s',
		async (beyondMaximum, users, maxPageSize, pageSize) => {
			const list = { maxPageSize, beyondMaximum };
			const { finding } = await diagnosed({ name: 'a long list', users, switches: { list } });
			const { setting } = finding('summary');
			expect(setting).toEqual(pageSize && { 'List Users': { pageSize } });
		},
	);

	it('recommends larger pages of users without an ID', async () => {
		const users = usersOf(1_300).map(({ id, ...user }) => ({ ...user, room: `Room ${id}` }));
		const { finding } = await diagnosedPlain({ users });
		expect(finding('summary').setting).toEqual({ 'List Users': { pageSize: 1_000 } });
	});

	it('does not take page 1 for the first one if a larger page 1 does not begin as it does', async () => {
		const pageFaults = [{ page: 0, fault: { status: 500 }, times: 0 }];
		const { finding } = await diagnosedPlain({ switches: { list: { pageFaults } } });
		const checks = ['firstPageNumber', 'updatedSinceFormat', 'maxPageSize'] as const;
		expect(checks.map((check) => finding(check).status)).toEqual(checks.map(() => 'unknown'));
	});

	it('leaves the advice out of the text for the service provider', async () => {
		const { finding } = await diagnosed({
			name: 'v3',
			switches: { list: { apiVersions: ['v3'] } },
		});
		expect(finding('summary').meaning).toMatch(
			/ For your service provider: "The service has nothing at \/api\/external\/v2\/users \(status 404\)\."$/,
		);
	});

	it('says what is open with what would show it', async () => {
		const { findings } = await diagnosedPlain({ users: 0 });
		const open = findings.filter(({ status }) => status === 'unknown');
		expect(open.length).toBeGreaterThan(3);
		for (const { meaning } of open)
			expect(meaning).toMatch(/Diagnose can tell if|service provider|if users have one, set/);
		expect(findings.map(({ check }) => check)).toEqual(['summary', ...CHECKS]);
	});

	it('ends at once if the execution is cancelled', async () => {
		const host = new MemoryHost();
		const cancelling = new AbortController();
		host.service.onListRequest(({ number }) => {
			if (number === 5) cancelling.abort();
		});
		const { error } = await diagnose(host, {}, { signal: cancelling.signal });
		expect(error?.message).toContain('cancelled');
		expect(host.service.requests.length).toBeLessThan(12);
	});
});
