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
	const used = process.store.add('visitorServiceApi', credentialFor(service), 'one');
	return { service, process, used };
}

describe.each(HOSTS)('Diagnose, as n8n %s stores credentials', (host) => {
	it('gives one item for each check, in their order, and the summary last', async () => {
		const { service } = await setUp();
		const process = new Process(host);
		const used = process.store.add('visitorServiceApi', credentialFor(service), 'one');
		const result = await process.list(used, DIAGNOSE);
		expect(result.error).toBeUndefined();
		const items = result.json();
		expect(items.map(({ check }) => check)).toEqual([...CHECKS, 'summary']);
		for (const item of items) {
			expect(Object.keys(item)).toEqual(['check', 'status', 'observed', 'meaning', 'setting']);
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
	it('says in a hint what it found and which options to set', async () => {
		const { process, used } = await setUp();
		const result = await process.list(used, DIAGNOSE);
		const summary = result.json().at(-1);
		expect(summary).toMatchObject({
			status: 'ok',
			setting: { itemsPath: 'data', idPath: 'id', updatedSinceFormat: 'iso' },
		});
		const [hint] = result.task().hints ?? [];
		expect(hint).toMatchObject({ type: 'info', location: 'outputPane' });
		expect(summary?.observed).toBe(JSON.stringify(summary?.setting));
		expect(hint?.message).toMatch(
			/ Settings: itemsPath "data", idPath "id", .*updatedSinceFormat "iso"/,
		);
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
		const { setting } = (await process.list(used, DIAGNOSE)).json().at(-1) ?? {};
		const listed = await process.list(used, {
			returnAll: true,
			options: setting as INodeParameters,
		});
		expect(listed.error).toBeUndefined();
		expect(listed.json()).toHaveLength(300);
	});

	it('leaves a running connection its token where the service revokes the former one', async () => {
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

	it('makes findings of a client that is not accepted, with two requests', async () => {
		const { service } = await setUp();
		const process = new Process();
		const used = process.store.add(
			'visitorServiceApi',
			credentialFor(service, { clientSecret: 'canary-secret' }),
		);
		const result = await process.list(used, DIAGNOSE);
		expect(result.error).toBeUndefined();
		const [exchange, ...others] = result.json();
		expect(exchange).toMatchObject({ check: 'tokenExchange', status: 'failed', observed: false });
		expect(others.find(({ check }) => check === 'badTokenAnswer')).toMatchObject({ observed: 401 });
		expect(service.requests).toHaveLength(2);
		expect(JSON.stringify(result.run)).not.toContain('canary-secret');
	});

	it('shows no secret and no token, whatever the service repeats', async () => {
		const { service } = await setUp({
			clientSecret: 'canary_secret_0001',
			switches: {
				token: { answer: { template: { canary_secret_0001: { access_token: '{token}' } } } },
				errors: { body: { template: { canary_secret_0001: '{message}' } } },
			},
		});
		const process = new Process();
		const used = process.store.add('visitorServiceApi', credentialFor(service));
		const result = await process.list(used, DIAGNOSE);
		const text = JSON.stringify([result.json(), result.task().hints]);
		expect(text).not.toContain('canary_secret');
		expect(text).not.toContain(service.switches.token.prefix);
		const find = (name: string) => result.json().find(({ check }) => check === name);
		expect(find('tokenField')).toMatchObject({ status: 'unknown', observed: null });
		expect(find('badTokenAnswer')).toMatchObject({ status: 'unknown', observed: null });
		expect(find('usersReadable')).toMatchObject({ observed: true });
	});

	it('fails with a sentence on what to set where the credential cannot be used', async () => {
		const { service, process } = await setUp();
		const used = process.store.add(
			'visitorServiceApi',
			credentialFor(service, { baseUrl: 'nowhere' }),
		);
		const result = await process.list(used, DIAGNOSE);
		expect(result.error?.message).toBe('The Tenant API URL has no scheme.');
		expect(service.requests).toHaveLength(0);
	});
});
