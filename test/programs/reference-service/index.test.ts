import { networkInterfaces } from 'node:os';

import { defaultSwitches, startReferenceService } from '../../reference-service';
import { referenceServices } from './services';

const start = referenceServices();

describe('startReferenceService', () => {
	it('takes the client, the host and the switches it is given', async () => {
		const { exchange, service } = await start({
			host: 'localhost',
			clientId: 'c',
			clientSecret: 's',
			switches: { token: { answer: 'token' } },
		});
		expect(service.url).toMatch(/^http:\/\/localhost:\d+$/);
		expect([service.clientId, service.clientSecret]).toEqual(['c', 's']);
		expect((await exchange()).json).toHaveProperty('token');
		service.set({ token: { answer: 'jwt' }, list: { latencyMs: 1 } });
		service.resetSwitches();
		const expected = defaultSwitches();
		expected.token.answer = 'token';
		expect(service.switches).toEqual(expected);
	});

	const hasIpv6 = Object.values(networkInterfaces())
		.flat()
		.some((address) => address?.address === '::1');
	(hasIpv6 ? it : it.skip)('serves IPv6', async () => {
		const { list, service } = await start({ host: '::1' });
		expect(service.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
		expect((await list()).status).toBe(200);
	});

	it('refuses a port that is taken and a switch that is none', async () => {
		const { service } = await start();
		const port = Number(new URL(service.url).port);
		await expect(startReferenceService({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
		await expect(startReferenceService({ switches: { nothing: 1 } as object })).rejects.toThrow(
			'There is no switch "nothing".',
		);
	});

	it('startReferenceService can be stopped and started again on the same port', async () => {
		const { service } = await start();
		await service.stop();
		await service.stop();
		const again = await start({ port: Number(new URL(service.url).port) });
		expect(again.service.url).toBe(service.url);
		expect((await again.list()).status).toBe(200);
	});
});
