import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { VisitorServiceApi } from '../../credentials/VisitorServiceApi.credentials';
import { VisitorService } from '../../nodes/VisitorService/VisitorService.node';
import { type ReferenceService, type Switches, syntheticRecord } from '../reference-service';
import { CredentialStore } from './harness/credentialStore';
import { type RunningWorkflow, startWorkflow } from './harness/runWorkflow';
import type { TestNode } from './harness/workflow';
import { credentialFor, LIST_NODE, seenBy, tenants, until } from './tenants';

type ListSwitches = Parameters<ReferenceService['set']>[0]['list'];

const startService = tenants();

/** A tenant with so many users, and a way to list them. */
async function tenantWith(users: number, list: ListSwitches = {}) {
	const service = await startService({ switches: { list } });
	await service.seed('users', users);
	const credentials = new CredentialStore([new VisitorServiceApi()]);
	const used = credentials.add('visitorServiceApi', credentialFor(service));

	const start = (
		parameters: INodeParameters,
		settings: Partial<TestNode> = {},
		items?: IDataObject[],
	): RunningWorkflow =>
		startWorkflow({
			nodeTypes: { [LIST_NODE]: new VisitorService() },
			credentials,
			nodes: [
				{
					type: LIST_NODE,
					credentials: used,
					parameters: { resource: 'user', operation: 'list', returnAll: true, ...parameters },
					...settings,
				},
			],
			items,
		});
	return {
		service,
		start,
		list: async (...parameters: Partial<Parameters<typeof start>>) => {
			const [first = {}, ...others] = parameters;
			return await start(first, ...others).finished;
		},
	};
}

const users = (count: number, from = 0) =>
	Array.from({ length: count }, (_, place) => syntheticRecord('users', from + place + 1));

const pagesAsked = ({ requests }: ReferenceService) =>
	requests.filter(({ path }) => path.startsWith('/api/external/')).map(({ query }) => query);

describe('List Users', () => {
	it.each([
		[0, 1],
		[1, 1],
		[99, 1],
		// Numbers that were never ahead of a full page may count the pages so far.
		[100, 2],
		[250, 3],
		[300, 3],
	])('reads all of %d users, in order, with %d requests', async (count, requests) => {
		const { list, service } = await tenantWith(count);
		const result = await list();
		expect(result.error).toBeUndefined();
		expect(result.json()).toEqual(users(count));
		expect(pagesAsked(service)).toEqual(
			Array.from({ length: requests }, (_, page) => ({ page: String(page), pageSize: '100' })),
		);
		expect(service.requests.map(({ method }) => method)).toEqual([
			'POST',
			...Array<string>(requests).fill('GET'),
		]);
	});

	it('returns each item with its input item', async () => {
		const { list } = await tenantWith(3);
		expect((await list()).items()).toEqual(
			users(3).map((json) => ({ json, pairedItem: { item: 0 } })),
		);
	});

	it('reads 250,000 users', async () => {
		const { list, service } = await tenantWith(0, { maxPageSize: 5_000 });
		service.set({ recording: 'counts' });
		await service.seed('users', 250_000);
		const result = await list({ options: { pageSize: 5_000, fields: 'id', concurrency: 4 } });
		const items = result.items();
		expect(items).toHaveLength(250_000);
		expect(items[249_999]?.json).toEqual({ id: 'user-250000' });
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(250_000);
	});

	it('returns 50 users without Return All, and as many as the limit says', async () => {
		const { list, service } = await tenantWith(250);
		expect((await list({ returnAll: false })).json()).toEqual(users(50));
		expect(pagesAsked(service)).toHaveLength(1);
		expect((await list({ returnAll: false, limit: 101 })).json()).toEqual(users(101));
		expect((await list({ returnAll: false, limit: 999 })).json()).toEqual(users(250));
	});

	it('starts at the page that was set, even after the end', async () => {
		const { list } = await tenantWith(250);
		const options = { pageSize: 20 };
		const result = await list({ returnAll: false, limit: 30, page: 4, options });
		expect(result.json()).toEqual(users(30, 80));
		expect((await list({ returnAll: false, page: 99, options })).json()).toEqual([]);
	});

	it('starts after the end even if the service refuses such pages', async () => {
		const { list } = await tenantWith(250, { pageBeyondEnd: 'error' });
		const result = await list({ returnAll: false, page: 99 });
		expect(result.error).toBeUndefined();
		expect(result.json()).toEqual([]);
	});

	it('keeps the named fields only, stops at the cap, and says so', async () => {
		const { list, service } = await tenantWith(250);
		const result = await list({ options: { fields: 'id, active,unknown', maxPages: 2 } });
		expect(result.json()).toHaveLength(200);
		expect(result.json()[0]).toEqual({ id: 'user-000001', active: true });
		expect(pagesAsked(service)).toHaveLength(2);
		expect(result.task().hints?.[0]).toMatchObject({
			type: 'warning',
			message: expect.stringContaining('Stopped at Max Pages (2)') as string,
		});
	});

	it('reads the list that Items Path names, even if another one looks likelier', async () => {
		const envelope = { template: { users: [{ id: 'cached' }], fresh: { people: '{records}' } } };
		const { list } = await tenantWith(250, { envelope });
		const result = await list({ options: { itemsPath: 'fresh.people' } });
		expect(result.error).toBeUndefined();
		expect(result.json()).toEqual(users(250));
		const { error } = await list({ options: { itemsPath: 'fresh.persons' } });
		expect(error?.message).toBe(
			'The answer has no list at "fresh.persons". Fields seen: users, fresh.people.',
		);
	});

	it('waits for a page as long as Timeout says', async () => {
		const { list } = await tenantWith(1, { latencyMs: 500 });
		expect((await list({ options: { timeout: 20_000, maxRetries: 0 } })).json()).toHaveLength(1);
		const { error } = await list({ options: { timeout: 100, maxRetries: 0 } });
		expect(error?.message).toMatch(/ did not answer in time\.$/);
	});

	it('starts each page where the one before it ended, if Page Size is not set', async () => {
		const { list, service } = await tenantWith(250);
		const read: unknown[] = [];
		for (const page of [0, 1, 2]) {
			const result = await list({ returnAll: false, limit: 30, page });
			read.push(...result.json());
		}
		expect(read).toEqual(users(90));
		// The page after a later one shows that its number times 30 is where it begins.
		expect(pagesAsked(service)).toEqual(
			['0', '1', '2', '2', '3'].map((page) => ({ page, pageSize: '30' })),
		);
	});

	it('leaves out by ID Path what came before, and keeps all without Remove Duplicates', async () => {
		const { list } = await tenantWith(250, { duplicatesAcrossPages: 3 });
		const byPath = await list({ options: { idPath: 'email' } });
		expect(byPath.json()).toEqual(users(250));
		expect(byPath.task().hints?.[0]?.message).toMatch(/Left out \d+ duplicates \(by "email"\)/);
		const all = await list({ options: { removeDuplicates: false } });
		expect(all.json().length).toBeGreaterThan(250);
	});

	it('warns of a field that no user has', async () => {
		const { list } = await tenantWith(5);
		const hint = (await list({ options: { fields: ['id', 'shoe.size'] } })).task().hints?.[0];
		expect(hint).toMatchObject({
			type: 'warning',
			message: expect.stringContaining('None of the users has "shoe.size"') as string,
		});
	});

	it('says in a hint what it read', async () => {
		const { list, service } = await tenantWith(250, { maxPageSize: 40 });
		service.set({ list: { faults: [{ status: 503 }] } });
		const { message, type } = (await list()).task().hints?.[0] ?? {};
		expect(type).toBe('info');
		expect(message).toMatch(
			/^Read 250 users \(7 pages, 8 requests, (\d+ ms|\d+\.\d s), 1 retry\)\. The service returned pages of 40 /,
		);
	});

	it('does not exceed the concurrency, and uses it', async () => {
		const { list, service } = await tenantWith(300, { latencyMs: 20 });
		await list({ options: { pageSize: 10, concurrency: 3 } });
		expect(service.summary().peakInFlight).toBe(3);
		service.clearRequests();
		await list({ options: { pageSize: 10, concurrency: 1 } });
		expect(service.summary().peakInFlight).toBe(1);
	});
});

describe('the other lists', () => {
	it.each([
		['company', 'companies', 'companies'],
		['visit', 'visits', 'visits'],
		['task', 'tasks', 'tasks'],
		['company', 'companies', 'organisations'],
	] as const)('reads %s records, named %s, at %s', async (resource, plural, pathSegment) => {
		const { list, service } = await tenantWith(0, {
			paths: { [plural]: pathSegment },
			envelope: 'twoArrays',
		});
		await service.seed(plural, 150);
		const result = await list({ resource, pathSegment });
		expect(result.json()).toEqual(
			Array.from({ length: 150 }, (_, place) => syntheticRecord(plural, place + 1)),
		);
		expect(result.task().hints?.[0]?.message).toContain(`Read 150 ${plural}`);
	});

	it('the other lists take the list that is named for a path of their own, also an empty one', async () => {
		const envelope = { template: { hosts: [{ id: 'host-1' }], frontMeetings: '{records}' } };
		const { list, service } = await tenantWith(0, {
			paths: { visits: 'front-meetings' },
			envelope,
		});
		const parameters = { resource: 'visit', pathSegment: 'front-meetings' };
		expect((await list(parameters)).json()).toEqual([]);
		await service.seed('visits', 5);
		expect((await list(parameters)).json()).toHaveLength(5);
	});
});

describe('whatever the service does, the list comes whole and each user once', () => {
	const envelopes: Array<Switches['list']['envelope']> = [
		'array',
		'data',
		'items',
		'results',
		'records',
		'value',
		'named',
		'content',
		'embedded',
		'resultList',
		'dataItems',
		'twoArrays',
		'twoArraysUnnamed',
	];

	it.each(envelopes)('envelope %s, with and without metadata', async (envelope) => {
		const { list, service } = await tenantWith(250, { envelope });
		expect((await list()).json()).toEqual(users(250));
		service.set({ list: { metadata: 'none' } });
		expect((await list()).json()).toEqual(users(250));
	});

	it.each<[string, ListSwitches]>([
		['clamps the page size', { maxPageSize: 30 }],
		['clamps it without metadata', { maxPageSize: 30, metadata: 'none' }],
		[
			'clamps it and keeps the offset',
			{ maxPageSize: 30, beyondMaximum: 'clampKeepingOffsetOfAskedSize' },
		],
		[
			'clamps it and keeps the offset, without metadata',
			{ maxPageSize: 30, beyondMaximum: 'clampKeepingOffsetOfAskedSize', metadata: 'none' },
		],
		[
			'takes its default instead',
			{ maxPageSize: 30, defaultPageSize: 20, beyondMaximum: 'useDefault' },
		],
		['ignores the page size', { pageSizeIgnored: true, defaultPageSize: 30 }],
		['sends larger pages', { pageSizeIgnored: true, defaultPageSize: 130, metadata: 'none' }],
		['counts from 1', { firstPageNumber: 1 }],
		['counts from 1 without metadata', { firstPageNumber: 1, metadata: 'none' }],
		[
			'counts from 1 and has an empty page 0, and names a page count only',
			{ firstPageNumber: 1, pageBeforeFirst: 'empty', metadata: ['totalPages'] },
		],
		['repeats the last page', { pageBeyondEnd: 'lastPage', metadata: 'none' }],
		['refuses pages behind the end', { pageBeyondEnd: 'error', metadata: 'none' }],
		[
			'says 404 behind the end',
			{ pageBeyondEnd: 'error', badParameter: { status: 404 }, metadata: 'none' },
		],
		['sends null at the end', { emptyAs: 'null', metadata: 'none' }],
		['sends nothing at the end', { emptyAs: 'missing', metadata: 'none' }],
		['sends 204 at the end', { emptyAs: 'noContent', metadata: 'none' }],
		['names too low a total', { totalLag: -50, metadata: ['total'] }],
		['names too high a total', { totalLag: 50, metadata: ['total'] }],
		['says which page is the last', { metadata: ['last'] }],
		['says whether there is more', { metadata: ['hasMore'] }],
		['gives links', { envelope: 'array', metadataHeaders: ['link'] }],
		['names the total in a header', { envelope: 'array', metadataHeaders: ['xTotalCount'] }],
		['calls the id userId', { idField: 'userId', duplicatesAcrossPages: 2 }],
		['shows no id', { idField: null }],
		['repeats records', { duplicatesAcrossPages: 3 }],
		['compresses', { gzip: true }],
		['says text/plain', { contentType: 'text/plain' }],
		['writes a byte order mark', { byteOrderMark: true }],
		['answers in any order', { latencyMs: 1, latencyJitterMs: 30 }],
	])('returns every user once if the service %s', async (_, switches) => {
		const { list } = await tenantWith(300, switches);
		const result = await list();
		expect(result.error).toBeUndefined();
		expect(result.json().map(({ email }) => email)).toEqual(users(300).map(({ email }) => email));
	});

	it.each([100, 200, 250, 300])(
		'reads %d users of a service that counts from 1, takes page 0 for page 1 and refuses pages after the end',
		async (count) => {
			const { list } = await tenantWith(count, {
				firstPageNumber: 1,
				pageBeforeFirst: 'first',
				pageBeyondEnd: 'error',
				metadata: 'none',
			});
			const result = await list();
			expect(result.error).toBeUndefined();
			expect(result.json()).toEqual(users(count));
		},
	);

	it.each<[NonNullable<ListSwitches>['metadata']]>([
		['standard'],
		[['totalPages']],
		[['total', 'totalPages']],
	])('reads to the end from page 1 if pages are counted from 1, with %j', async (metadata) => {
		for (const pageBeforeFirst of ['first', 'empty', 'error'] as const) {
			const { list } = await tenantWith(250, { firstPageNumber: 1, pageBeforeFirst, metadata });
			const result = await list({ returnAll: false, page: 1, limit: 1000 });
			expect(result.json()).toEqual(users(250));
		}
		const { list, service } = await tenantWith(250, { metadata });
		const options = { concurrency: 1 };
		const result = await list({ returnAll: false, page: 1, limit: 1000, options });
		expect(result.json()).toEqual(users(150, 100));
		// A short page that is the last by the page count ends it.
		expect(pagesAsked(service).map(({ page }) => page)).toEqual(['1', '2']);
	});

	it('asks once for a last page that is asked for alone', async () => {
		const { list, service } = await tenantWith(80);
		const result = await list({ returnAll: false, page: 1, limit: 50, options: { pageSize: 50 } });
		expect(result.json()).toEqual(users(30, 50));
		expect(pagesAsked(service)).toHaveLength(1);
	});

	it('filters after paging', async () => {
		const { list } = await tenantWith(300, { hiddenAfterPaging: 3, metadata: 'none' });
		const shown = users(300).filter((_, place) => (place + 1) % 3 !== 0);
		expect((await list()).json()).toEqual(shown);
	});

	it('removes a user while the list is read', async () => {
		const { list, service } = await tenantWith(300);
		const stop = service.onListRequest(async ({ page }) => {
			if (page === 2) await service.remove('users', 'user-000001');
		});
		const options = { concurrency: 1 };
		const once = await list({ options });
		expect(once.json()).toHaveLength(300 - 1);
		expect(once.task().hints?.[0]?.message).not.toContain('Read 2 times');
		await service.seed('users', 300);
		const stable = await list({ options: { ...options, untilStable: true } });
		stop();
		expect(stable.json()).toHaveLength(300);
		expect(stable.task().hints?.[0]?.message).toContain('found 1 more after the first time');
	});

	it('lists all users of a service that fails now and then', async () => {
		const { list, service } = await tenantWith(1_000, {
			faults: [
				'none',
				'reset',
				{ status: 503 },
				'cut',
				{ status: 429, retryAfter: 0 },
				{ status: 502 },
				{ status: 504 },
			],
		});
		const result = await list({ options: { pageSize: 50 } });
		expect(result.error).toBeUndefined();
		expect(result.json()).toEqual(users(1_000));
		expect(seenBy(service).lists['200']).toBeGreaterThanOrEqual(20);
	});

	it('lists all users of a service that limits the rate', async () => {
		const { list, service } = await tenantWith(400, {
			rateLimit: { requestsPerSecond: 20, burst: 5, retryAfter: 'none' },
		});
		const result = await list({ options: { pageSize: 10, concurrency: 16 } });
		expect(result.error).toBeUndefined();
		expect(result.json()).toEqual(users(400));
		expect(seenBy(service).lists['200']).toBe(40);
	});
});

describe('a list that cannot be read', () => {
	const attacks: Array<[string, ListSwitches, RegExp]> = [
		['null instead of JSON', { force: { status: 200, body: 'null{' } }, /not complete JSON/],
		['42', { force: 'number' }, /a number instead of a list/],
		['true', { force: 'boolean' }, /a boolean instead of a list/],
		['a JSON text', { force: 'string' }, /instead of a list/],
		['no body', { force: 'empty' }, /nothing instead of a list/],
		['HTML', { force: 'html' }, /a web page instead of a list/],
		['cut-off JSON', { force: 'truncatedJson' }, /not complete JSON/],
		[
			'an error with status 200',
			{ force: 'errorObject200' },
			/refused the request, but answered with a success status/,
		],
		[
			'no list',
			{ force: { status: 200, body: { hello: 'world', total: 3 } } },
			/Fields seen: hello, total\./,
		],
		['a list of texts', { force: { status: 200, body: { data: ['a'] } } }, /not all records/],
		['a list within a text', { envelope: 'string' }, /no list of records\. Fields seen: data/],
		[
			'the same page again and again',
			{ pageIgnored: true, metadata: 'none' },
			/ignores the parameter "page"/,
		],
		['400', { force: { status: 400 } }, /\(status 400\)/],
		[
			'403',
			{ authorizationDenied: true } as ListSwitches,
			/This client ID is not allowed to read \/api\/external\/v2\/\w+ \(status 403\)/,
		],
		['404', { force: { status: 404 } }, /\(status 404\)/],
		['500', { force: { status: 500 } }, /\(status 500\)/],
		[
			'429 with an hour to wait',
			{ force: { status: 429, retryAfter: 3_600 } },
			/asks to wait 3,600 seconds/,
		],
		['429 for ever', { force: { status: 429, retryAfter: 0 } }, /still limits the rate/],
		['a broken connection', { force: 'reset' }, /broke before the answer was complete/],
		[
			'a redirect elsewhere',
			{ redirectTo: 'https://elsewhere.example.test' },
			/redirects the request/,
		],
	];

	it.each(attacks)(
		'reports the cause if the list cannot be read: %s',
		async (name, switches, message) => {
			const { service, list } = await tenantWith(250);
			for (const plural of ['companies', 'visits', 'tasks'] as const)
				await service.seed(plural, 250);
			if (name === '403') service.set({ authorization: { permission: 'none' } });
			else service.set({ list: switches });
			for (const resource of ['user', 'company', 'visit', 'task']) {
				const result = await list({ resource, options: { maxRetries: 1 } });
				expect(result.error?.message).toMatch(message);
				expect(result.error?.description).toMatch(/^[A-Z]/);
			}
		},
	);

	it.each<[string, RegExp]>([
		['truncatedJson', /not complete JSON/],
		['errorObject200', /refused the request, but/],
		['html', /a web page/],
		['empty', /nothing instead of a list/],
	])(
		'returns no part of a list in the middle of which %s comes, and asks again first',
		async (fault, message) => {
			const { list, service } = await tenantWith(900);
			service.set({ list: { pageFaults: [{ page: 4, fault: fault as 'html' }] } });
			expect((await list({ options: { concurrency: 3 } })).json()).toEqual(users(900));
			service.set({ list: { pageFaults: [{ page: 4, fault: fault as 'html', times: 0 }] } });
			const result = await list({ options: { concurrency: 3 } });
			expect(result.error?.message).toMatch(message);
		},
	);

	it.each([1, 5])(
		'reads 900 users though one page holds no list, once, at concurrency %d',
		async (concurrency) => {
			const metadata: Array<Switches['list']['metadata']> = ['none', ['hasNext'], ['totalPages']];
			for (const body of ['null', '{}', '{"data":null}', '{"data":[]}']) {
				for (const said of metadata) {
					const { list, service } = await tenantWith(900, { metadata: said });
					const fault = { status: 200, body } as const;
					service.set({ list: { pageFaults: [{ page: 4, fault }] } });
					expect((await list({ options: { concurrency } })).json()).toEqual(users(900));
				}
			}
		},
	);

	it('says that a page in the middle is missing', async () => {
		const { list, service } = await tenantWith(900, { metadata: 'none' });
		service.set({ list: { pageFaults: [{ page: 4, fault: { status: 404 }, times: 0 }] } });
		for (const concurrency of [1, 5]) {
			const result = await list({ options: { concurrency } });
			expect(result.error?.message).toMatch(/\(status 404\)/);
		}
	});
});

describe('several input items', () => {
	it('lists each of several input items with its own parameters', async () => {
		const { list } = await tenantWith(250);
		const result = await list(
			{
				returnAll: false,
				limit: '={{ $json.limit }}',
				page: '={{ $json.page }}',
				options: { pageSize: '={{ $json.size }}' },
			},
			{},
			[
				{ limit: 2, page: 0, size: 10 },
				{ limit: 3, page: 1, size: 5 },
				{ limit: 1, page: 7, size: 3 },
			],
		);
		expect(result.items().map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
			['user-000001', { item: 0 }],
			['user-000002', { item: 0 }],
			['user-000006', { item: 1 }],
			['user-000007', { item: 1 }],
			['user-000008', { item: 1 }],
			['user-000022', { item: 2 }],
		]);
		expect(result.task().hints).toHaveLength(3);
	});

	it.each([{ onError: 'continueRegularOutput' } as const, { continueOnFail: true }])(
		'input items go on after one that failed, with %p',
		async (settings) => {
			const { list } = await tenantWith(5);
			const result = await list({ options: { pageSize: '={{ $json.size }}' } }, settings, [
				{ size: 2 },
				{ size: -1 },
				{ size: 0.5 },
				{ size: 3 },
			]);
			expect(result.error).toBeUndefined();
			const items = result.items();
			expect(items).toHaveLength(12);
			expect(items[5]).toEqual({
				json: {
					error: 'Page Size must be a whole number, 1 or more.',
					description:
						'Set Page Size to a whole number, 1 or more. If it is an expression, check what it returns.',
				},
				pairedItem: { item: 1 },
			});
			expect(items[7]?.pairedItem).toEqual({ item: 3 });
		},
	);

	it('sends only failed items to the error output if the node has one', async () => {
		const { list } = await tenantWith(5);
		const settings = { onError: 'continueErrorOutput' } as const;
		const sizes = [{ size: 2 }, { size: -1 }];
		const result = await list({ options: { pageSize: '={{ $json.size }}' } }, settings, sizes);
		expect(result.error).toBeUndefined();
		const [success, failed] = result.task().data?.main ?? [];
		expect(success?.map(({ pairedItem }) => pairedItem)).toEqual(new Array(5).fill({ item: 0 }));
		expect(failed).toMatchObject([
			{ json: { error: 'Page Size must be a whole number, 1 or more.' }, pairedItem: { item: 1 } },
		]);
	});

	it.each<[unknown, string[]]>([
		[
			['id', 'email'],
			['id', 'email'],
		],
		['email', ['email']],
	])(
		'several input items give the names of fields as a text or a list: %j',
		async (fields, expected) => {
			const { list } = await tenantWith(1);
			const result = await list({ options: { fields: '={{ $json.fields }}' } }, {}, [
				{ fields } as IDataObject,
			]);
			expect(result.json().map((record) => Object.keys(record))).toEqual([expected]);
		},
	);

	it.each([[{ fields: {} }], [{ fields: [1] }], [{ fields: true }]])(
		'fails an item whose field names are neither text nor a list, and shows no field: %j',
		async (input) => {
			const { list } = await tenantWith(1);
			const result = await list({ options: { fields: '={{ $json.fields }}' } }, {}, [input]);
			expect(result.error?.message).toMatch(/^Output Field Names or IDs must be text/);
		},
	);

	it('returns a failed item with the status and what the service said', async () => {
		const { list } = await tenantWith(5, { force: { status: 400, body: { message: 'bad sort' } } });
		const result = await list({}, { onError: 'continueRegularOutput' });
		expect(result.json()).toEqual([
			{
				error: 'The service does not accept the parameters of the request (status 400).',
				statusCode: 400,
				description: expect.stringMatching(/The service said: "bad sort"\.$/) as string,
			},
		]);
	});

	it('share nothing: the next run knows nothing of the one before', async () => {
		const { list, service } = await tenantWith(250, { envelope: 'content', maxPageSize: 30 });
		await list();
		await service.seed('users', 120);
		service.set({ list: { envelope: 'array', maxPageSize: 100, idField: null } });
		const result = await list();
		expect(result.json()).toHaveLength(120);
		expect(pagesAsked(service).at(-1)?.pageSize).toBe('100');
	});
});

describe('cancelling the execution', () => {
	const inFlight = ({ requests }: ReferenceService) => requests.some(({ status }) => status === 0);
	const refused = ({ requests }: ReferenceService) => requests.some(({ status }) => status >= 429);
	const healthy = { latencyMs: 0, force: 'none', rateLimit: { requestsPerSecond: 0 } } as const;

	it.each<[string, ListSwitches, (service: ReferenceService) => boolean]>([
		['while pages are in flight', { latencyMs: 300 }, inFlight],
		[
			'while it waits for Retry-After',
			{ rateLimit: { requestsPerSecond: 10, retryAfter: 30 } },
			refused,
		],
		['while it tries again', { force: { status: 503, retryAfter: 20 } }, refused],
	])('ends it within a second %s, and nothing is sent after', async (_, switches, isReached) => {
		const { start, list, service } = await tenantWith(10_000, switches);
		const running = start({ options: { pageSize: 10, concurrency: 8 } });
		await until(() => pagesAsked(service).length > 0 && isReached(service));
		const cancelledAt = Date.now();
		running.cancel();
		await running.finished.catch(() => undefined);
		expect(Date.now() - cancelledAt).toBeLessThan(1_000);
		service.set({ list: healthy });
		const sentOf = (pageSize: string) =>
			pagesAsked(service).filter((query) => query.pageSize === pageSize).length;
		// What was on its way by then has arrived when another list has been read.
		await list({ options: { pageSize: 1000 } });
		const sent = sentOf('10');
		await list({ options: { pageSize: 500 } });
		expect(sentOf('10')).toBe(sent);
	});
});

it('cancelling the execution ends it while a token is waited for', async () => {
	const { start, service } = await tenantWith(1);
	service.set({ token: { force: { status: 503, retryAfter: 5 } } });
	const running = start({});
	await until(() => service.requests.length > 0);
	const cancelledAt = Date.now();
	running.cancel();
	await running.finished.catch(() => undefined);
	expect(Date.now() - cancelledAt).toBeLessThan(1_000);
	expect(pagesAsked(service)).toEqual([]);
});
