import { CHECKS } from '../../nodes/VisitorService/diagnosis/finding';
import { itemsOf } from '../n8n/execution';
import type { DeepPartial, Switches } from '../reference-service';
import { LIST_NODE, Testbed } from './harness/testbed';

const USERS = 730;
const MAX_REQUESTS_SEEN = 25;

let testbed: Testbed;

beforeAll(async () => {
	testbed = await Testbed.open();
	await testbed.service.seed('users', USERS);
	await testbed.service.seed('visits', 3);
});

afterAll(async () => {
	await testbed.close();
});

beforeEach(() => {
	testbed.service.resetSwitches();
	testbed.service.revokeTokens();
	testbed.service.clearRequests();
});

const tenants: Array<[string, DeepPartial<Switches>, Record<string, unknown>]> = [
	['the published interface', {}, { itemsPath: 'data', idField: 'id', maxPageSize: 1000 }],
	[
		'Spring Data with small pages',
		{ list: { envelope: 'content', maxPageSize: 40 } },
		{ itemsPath: 'content', maxPageSize: 40 },
	],
	[
		'HAL without any paging facts, and another id',
		{ list: { envelope: 'embedded', metadata: 'none', idField: 'userId' } },
		{ itemsPath: '_embedded.users', idField: 'userId' },
	],
	[
		'a nested list that refuses large pages, and epoch times only',
		{
			list: {
				...{ envelope: 'resultList', maxPageSize: 60, beyondMaximum: 'error' },
				updatedSince: { accepted: ['epochMs'], unreadable: 'error' },
			},
		},
		{ itemsPath: 'result.list', updatedSinceFormat: 'epochMs' },
	],
	[
		'a service that numbers pages from 1',
		{ list: { envelope: 'array', firstPageNumber: 1, pageBeforeFirst: 'first' } },
		{ itemsPath: '', firstPageNumber: 1 },
	],
	[
		'tokens under another name that the next exchange revokes',
		{ token: { answer: 'camelCase', revokePrevious: true } },
		{ tokenField: 'accessToken', tokenRevocation: true },
	],
];

describe('Diagnose in the real n8n', () => {
	it.each(tenants)(
		'finds the settings that list exactly the users: %s',
		async (_, switches, facts) => {
			const { service } = testbed;
			service.set(switches);
			const credential = await testbed.createCredential();

			const diagnosis = await testbed.list(credential, {
				resource: 'connection',
				operation: 'diagnose',
			});
			expect(diagnosis.error).toBeNull();
			const findings = itemsOf(diagnosis, LIST_NODE);
			expect(findings.map(({ check }) => check)).toEqual(['summary', ...CHECKS]);
			const observed = Object.fromEntries(
				findings.map((finding): [string, unknown] => [String(finding.check), finding.observed]),
			);
			expect(observed).toMatchObject(facts);
			expect(service.requests.length).toBeLessThanOrEqual(MAX_REQUESTS_SEEN);
			const [summary] = findings;
			expect(diagnosis.nodes[LIST_NODE]?.[0]?.hints[0]?.message).toBe(summary?.meaning);

			const setting = (summary?.setting ?? {}) as Record<string, Record<string, unknown>>;
			const listing = await testbed.list(credential, {
				returnAll: true,
				options: setting['List Users'] ?? {},
			});
			expect(listing.error).toBeNull();
			const listed = itemsOf(listing, LIST_NODE).map(
				(user) => user[service.switches.list.idField ?? ''],
			);
			expect(listed).toHaveLength(USERS);
			expect(new Set(listed).size).toBe(USERS);
		},
	);

	it('makes findings of a tenant that cannot be reached, and asks no more than it may', async () => {
		testbed.service.set({ list: { force: 'reset' } });
		const diagnosis = await testbed.list(await testbed.createCredential(), {
			resource: 'connection',
			operation: 'diagnose',
		});
		expect(diagnosis.error).toBeNull();
		const findings = itemsOf(diagnosis, LIST_NODE);
		expect(findings.find(({ check }) => check === 'usersReadable')).toMatchObject({
			status: 'failed',
			observed: false,
		});
		expect(findings[0]).toMatchObject({ check: 'summary', status: 'failed' });
		expect(testbed.service.requests.length).toBeLessThanOrEqual(10);
	});

	it('keeps to the domains the credential allows', async () => {
		const credential = await testbed.createCredential({
			allowedHttpRequestDomains: 'domains',
			allowedDomains: 'elsewhere.example',
		});
		const diagnosis = await testbed.list(credential, {
			resource: 'connection',
			operation: 'diagnose',
		});
		expect(diagnosis.error?.message).toBe('The credential does not allow requests to 127.0.0.1.');
		expect(testbed.service.requests).toEqual([]);
	});
});
