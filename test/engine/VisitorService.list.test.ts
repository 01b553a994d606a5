import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { VisitorServiceApi } from '../../credentials/VisitorServiceApi.credentials';
import { VisitorService } from '../../nodes/VisitorService/VisitorService.node';
import { type ReferenceService, syntheticRecord } from '../reference-service';
import { CredentialStore } from './harness/credentialStore';
import { type RunningWorkflow, startWorkflow } from './harness/runWorkflow';
import type { TestNode } from './harness/workflow';
import { credentialFor, LIST_NODE, tenants, until } from './tenants';

type ListSwitches = Parameters<ReferenceService['set']>[0]['list'];

const startService = tenants();

/** A tenant with so many users, and a way to list them. */
async function tenantWith(users: number, list: ListSwitches = {}) {
	const service = await startService({ switches: { list } });
	await service.seed('users', users);
	const credentials = new CredentialStore(new VisitorServiceApi());
	const used = credentials.add(credentialFor(service));

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

const users = (count: number) =>
	Array.from({ length: count }, (_, place) => syntheticRecord('users', place + 1));

const pagesAsked = ({ requests }: ReferenceService) =>
	requests.filter(({ path }) => path.startsWith('/api/external/')).map(({ query }) => query);

describe('a list in n8n-core', () => {
	it.each<[string, ListSwitches]>([
		['is compressed', { gzip: true }],
		['is called text/plain', { contentType: 'text/plain' }],
		['begins with a byte order mark', { byteOrderMark: true }],
	])('comes whole although an answer %s', async (_, switches) => {
		const { list } = await tenantWith(300, switches);
		expect((await list()).json()).toEqual(users(300));
	});

	it('has as many requests in flight as Concurrency says', async () => {
		const { list, service } = await tenantWith(300, { latencyMs: 20 });
		await list({ options: { pageSize: 10, concurrency: 3 } });
		expect(service.summary().peakInFlight).toBe(3);
	});

	it('is of 250,000 users', async () => {
		const { list, service } = await tenantWith(0, { maxPageSize: 5_000 });
		service.set({ recording: 'counts' });
		await service.seed('users', 250_000);
		const result = await list({ options: { pageSize: 5_000, fields: 'id', concurrency: 4 } });
		const ids = new Set(result.items().map(({ json }) => json.id));
		expect(ids.size).toBe(250_000);
		expect(ids).toContain('user-250000');
	});

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
