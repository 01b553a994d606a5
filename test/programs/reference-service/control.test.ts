import { networkInterfaces } from 'node:os';

import { ReferenceServiceClient } from '../../reference-service/client';
import { isLoopback } from '../../reference-service/control';
import { referenceServices } from './services';
import { startReceiver } from './webhookReceiver';

const start = referenceServices();

async function steered() {
	const running = await start();
	return { ...running, control: new ReferenceServiceClient(running.service.url) };
}

describe('control over HTTP', () => {
	it.each([
		['127.0.0.1', true],
		['127.1.2.3', true],
		['::ffff:127.0.0.1', true],
		['::1', true],
		['192.0.2.127', false],
		['::ffff:192.0.2.1', false],
		['2001:db8::1', false],
		[undefined, false],
	])('knows loopback addresses: %s', (address, expected) => {
		expect(isLoopback(address)).toBe(expected);
	});

	const outside = Object.values(networkInterfaces())
		.flat()
		.find((address) => address?.family === 'IPv4' && !address.internal)?.address;
	(outside === undefined ? it.skip : it)('is for this machine only', async () => {
		const { service, call } = await start({ host: '0.0.0.0' });
		const { port } = new URL(service.url);
		const control = new ReferenceServiceClient(`http://${outside ?? ''}:${port}`);
		await expect(control.set({ outage: 'reset' })).rejects.toThrow('403');
		expect(service.switches.outage).toBe('none');
		expect((await call('/control/switches')).status).toBe(200);
	});

	it('tells and changes switches', async () => {
		const { control, service } = await steered();
		expect(await control.switches()).toEqual(service.switches);
		expect((await control.set({ list: { latencyMs: 1 } })).list.latencyMs).toBe(1);
		expect(service.switches.list.latencyMs).toBe(1);
		expect((await control.resetSwitches()).list.latencyMs).toBe(0);
		await expect(control.set({ lists: {} } as object)).rejects.toThrow('There is no switch');
	});

	it('seeds, changes and removes records', async () => {
		const { control, list, service } = await steered();
		await control.seed('users', 3);
		await control.seed('tasks', [{ id: 7 }]);
		await control.upsert('users', { id: 'a/b' });
		await control.upsert('visits', [{ id: 1 }, { id: 2 }]);
		expect([service.count('users'), service.count('visits')]).toEqual([4, 2]);
		await control.remove('users', 'a/b');
		await control.remove('visits', 1);
		expect([service.count('users'), service.count('visits')]).toEqual([3, 1]);
		expect((await list('tasks')).json).toMatchObject({ data: [{ id: 7 }] });
	});

	it.each([
		['POST', '/control/seed', { resource: 'nobody', count: 1 }],
		['POST', '/control/seed', { resource: 'users' }],
		['POST', '/control/seed', { resource: 'users', count: -1 }],
		['POST', '/control/records/nobody', { id: 1 }],
		['POST', '/control/records/users', 7],
		['PUT', '/control/switches', []],
		['PUT', '/control/receivers', [{ id: 'without url' }]],
		['POST', '/control/events', { event: 'without data' }],
	] as const)('refuses the request %s %s with the body %j', async (method, path, body) => {
		const { call } = await start();
		const answer = await call(path, {
			method,
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		expect(answer).toMatchObject({ status: 400, json: { message: expect.any(String) as unknown } });
	});

	it('shows requests, or their counts, and is not among them', async () => {
		const { call, control, list } = await steered();
		await list();
		expect((await control.requests()).map(({ path }) => path)).toEqual([
			'/auth/app-oauth',
			'/api/external/v2/users',
		]);
		expect(await control.summary()).toMatchObject({ total: 2 });
		expect((await call('/control/nothing')).status).toBe(404);
		await control.clearRequests();
		expect(await control.requests()).toEqual([]);
	});

	it('control over HTTP is not subject to an outage', async () => {
		const { control } = await steered();
		await control.set({ outage: 'reset' });
		expect((await control.set({ outage: 'none' })).outage).toBe('none');
	});

	it('expires and revokes tokens, and tells how to log in', async () => {
		const { control, list, service, token } = await steered();
		const authorization = `Bearer ${await token()}`;
		await control.expireTokens();
		expect((await list('users', { authorization })).json).toMatchObject({ error: 'token_expired' });
		await control.revokeTokens();
		expect((await list('users', { authorization })).json).toMatchObject({ error: 'token_invalid' });
		expect(await control.service()).toEqual({
			url: service.url,
			clientId: 'reference-client',
			clientSecret: 'reference-secret',
			tokensIssued: 1,
		});
	});

	it('sets receivers and sends events', async () => {
		const { control } = await steered();
		let status = 500;
		const receiver = await startReceiver(() => status);
		try {
			await control.set({ webhooks: { retryScheduleMs: [] } });
			await control.setReceivers([{ url: 'http://127.0.0.1:1/' }]);
			expect(await control.setReceivers([{ id: 'r', url: receiver.url }])).toEqual([
				{ id: 'r', url: receiver.url },
			]);
			const [failed] = await control.emit({ event: 'e', data: 1 });
			expect(failed).toMatchObject({ state: 'failed', receiverId: 'r' });
			status = 200;
			expect(await control.redeliver(failed?.id ?? '')).toMatchObject({ state: 'delivered' });
			await expect(control.redeliver('nothing')).rejects.toThrow('404');
			expect(await control.deliveries()).toHaveLength(1);
			await control.clearDeliveries();
			expect(await control.deliveries()).toEqual([]);
		} finally {
			await receiver.stop();
		}
	});
});
