import type { INodeParameters } from 'n8n-workflow';

import { CHECKS } from '../../nodes/VisitorService/diagnosis/finding';
import type { ReferenceServiceOptions } from '../reference-service';
import { credentialFor, HOSTS, Process, seenBy, tenants } from './tenants';

const start = tenants();
const DIAGNOSE: INodeParameters = { resource: 'connection', operation: 'diagnose' };

async function setUp(options: ReferenceServiceOptions = {}, users = 300) {
	const service = await start(options);
	await service.seed('users', users);
	const process = new Process();
	const used = process.store.add(credentialFor(service), 'one');
	return { service, process, used };
}

describe.each(HOSTS)('Diagnose, as n8n %s stores credentials', (host) => {
	it('returns the summary, then one item for each check in their order', async () => {
		const { service } = await setUp();
		const process = new Process(host);
		const used = process.store.add(credentialFor(service), 'one');
		const result = await process.list(used, DIAGNOSE);
		expect(result.error).toBeUndefined();
		const items = result.json();
		expect(items.map(({ check }) => check)).toEqual(['summary', ...CHECKS]);
		for (const item of items) {
			expect(Object.keys(item)).toEqual([
				...['title', 'status', 'meaning', 'setting', 'observed', 'check'],
			]);
			expect(['ok', 'warning', 'failed', 'unknown']).toContain(item.status);
			expect(item.meaning).not.toBe('');
		}
		expect(result.items().map(({ pairedItem }) => pairedItem)).toEqual(
			items.map(() => ({ item: 0 })),
		);
		expect(service.requests.length).toBeLessThanOrEqual(25);
		expect(new Set(service.requests.map(({ method }) => method))).toEqual(new Set(['POST', 'GET']));
	});
});

describe('Diagnose', () => {
	it('shows the summary as a hint, with what is better than the defaults', async () => {
		const { process, used } = await setUp();
		const result = await process.list(used, DIAGNOSE);
		const [summary] = result.json();
		expect(summary).toMatchObject({
			check: 'summary',
			status: 'ok',
			setting: { 'List Users': { pageSize: 1000 } },
		});
		expect(summary?.observed).toBe(JSON.stringify(summary?.setting));
		expect(result.task().hints).toEqual([
			{
				type: 'info',
				location: 'outputPane',
				message:
					'Everything works with the defaults. Faster with Page Size 1000. Set in List Users: Page Size 1000.',
			},
		]);
	});

	it('reads the list at the Items Path that is set, and recommends it', async () => {
		const { process, used } = await setUp({
			switches: {
				list: {
					envelope: { template: { one: [{ id: 1 }], two: { lines: '{records}' } } },
				},
			},
		});
		const options = { itemsPath: 'two.lines' };
		const [summary] = (await process.list(used, { ...DIAGNOSE, options })).json();
		expect(summary).toMatchObject({
			status: 'warning',
			setting: {
				'List Users': { itemsPath: 'two.lines' },
				'Polling Trigger': { itemsPath: 'two.lines' },
			},
		});
	});

	it('asks once for all input items of an execution', async () => {
		const { service, process, used } = await setUp();
		const result = await process.list(used, DIAGNOSE, {}, [{}, {}, {}]);
		expect(service.requests.length).toBeLessThanOrEqual(25);
		const items = result.items();
		expect(items).toHaveLength(3 * (CHECKS.length + 1));
		expect(new Set(items.map(({ pairedItem }) => JSON.stringify(pairedItem))).size).toBe(3);
		expect(result.task().hints).toHaveLength(1);
	});

	it('lists exactly the users with the settings it found', async () => {
		const { process, used } = await setUp({
			switches: { list: { envelope: 'resultList', maxPageSize: 40, beyondMaximum: 'error' } },
		});
		const [summary] = (await process.list(used, DIAGNOSE)).json();
		const setting = summary?.setting as Record<string, INodeParameters>;
		expect(setting['List Users']).toEqual({ pageSize: 20 });
		const listed = await process.list(used, { returnAll: true, options: setting['List Users'] });
		expect(listed.error).toBeUndefined();
		expect(listed.json()).toHaveLength(300);
	});

	it('leaves a running connection its token if the service revokes the former one', async () => {
		const { service, process, used } = await setUp({
			switches: { token: { revokePrevious: true } },
		});
		expect((await process.list(used)).error).toBeUndefined();
		const result = await process.list(used, DIAGNOSE);
		expect(result.json().find(({ check }) => check === 'tokenRevocation')).toMatchObject({
			status: 'warning',
			observed: true,
		});
		const { exchanges } = seenBy(service);
		expect((await process.list(used)).error).toBeUndefined();
		// The diagnosis' last token is known to this process, so none is exchanged again.
		expect(seenBy(service).exchanges).toBe(exchanges);
	});

	it('makes findings of a client that is not accepted, after it was refused twice', async () => {
		const { service } = await setUp();
		const process = new Process();
		const used = process.store.add(credentialFor(service, { clientSecret: 'canary-secret' }));
		const result = await process.list(used, DIAGNOSE);
		expect(result.error).toBeUndefined();
		const [summary, exchange, ...others] = result.json();
		expect(summary).toMatchObject({ check: 'summary', status: 'failed' });
		expect(exchange).toMatchObject({ check: 'tokenExchange', status: 'failed', observed: false });
		expect(others.find(({ check }) => check === 'badTokenAnswer')).toMatchObject({ observed: 401 });
		expect(service.requests).toHaveLength(3);
		expect(JSON.stringify(result.run)).not.toContain('canary-secret');
	});

	it('shows no secret and no token, whatever the service repeats', async () => {
		const { service } = await setUp({
			clientSecret: 'canary_secret_word',
			switches: {
				token: { answer: { template: { canary_secret_word: { access_token: '{token}' } } } },
				errors: { body: { template: { canary_secret_word: '{message}' } } },
			},
		});
		const process = new Process();
		const used = process.store.add(credentialFor(service));
		const result = await process.list(used, DIAGNOSE);
		const text = JSON.stringify([result.json(), result.task().hints]);
		expect(text).not.toContain('canary_secret');
		expect(text).not.toContain(service.switches.token.prefix);
		const find = (name: string) => result.json().find(({ check }) => check === name);
		expect(find('tokenField')).toMatchObject({ status: 'unknown', observed: null });
		expect(find('badTokenAnswer')).toMatchObject({ status: 'unknown', observed: null });
		expect(find('usersReadable')).toMatchObject({ observed: true });
	});

	it('fails with a sentence on what to set if the credential cannot be used', async () => {
		const { service, process } = await setUp();
		const used = process.store.add(credentialFor(service, { baseUrl: 'nowhere' }));
		const result = await process.list(used, DIAGNOSE);
		expect(result.error?.message).toBe('The Tenant API URL does not begin with https://.');
		expect(service.requests).toHaveLength(0);
	});
});
