import { connect } from 'node:net';

import { referenceServices } from './services';

const start = referenceServices();

describe('requests', () => {
	it('records requests in order, without credentials', async () => {
		const { call, exchange, list, service, token } = await start();
		await exchange({ client_secret: 'almost' });
		const good = await token();
		await list('users?page=1&sort=a%2Cdesc', {
			authorization: `Bearer ${good}`,
			headers: { 'user-agent': 'test' },
		});
		await list('users', { authorization: 'Bearer stolen' });
		await list('users', { authorization: 'Basic secret' });
		await call('/nowhere?x=1&x=2');

		expect(service.requests).toMatchObject([
			{
				method: 'POST',
				path: '/auth/app-oauth',
				status: 401,
				form: {
					grant_type: 'client_credentials',
					client_id: 'reference-client',
					client_secret: '<wrong secret>',
				},
			},
			{ path: '/auth/app-oauth', status: 200, form: { client_secret: '<secret>' } },
			{
				method: 'GET',
				path: '/api/external/v2/users',
				url: '/api/external/v2/users?page=1&sort=a%2Cdesc',
				query: { page: '1', sort: 'a,desc' },
				headers: { authorization: 'Bearer <token 1>', 'user-agent': 'test' },
				tokenNumber: 1,
				status: 200,
				inFlight: 1,
			},
			{ headers: { authorization: 'Bearer <unknown token>' }, status: 401 },
			{ headers: { authorization: '<another scheme>' }, status: 401 },
			{ path: '/nowhere', query: { x: '2' }, status: 404 },
		]);
		const text = JSON.stringify(service.requests);
		for (const secret of [good, 'almost', 'stolen', 'reference-secret']) {
			expect(text).not.toContain(secret);
		}
		expect(Object.keys(service.requests[0]?.form ?? {})).toEqual([
			'grant_type',
			'client_id',
			'client_secret',
		]);
		expect(service.requests[0]?.at).toBeLessThanOrEqual(Date.now());
	});

	it('logs no status for a request that was given up, whatever is sent after', async () => {
		const { list, service, token } = await start();
		const authorization = `Bearer ${await token()}`;
		const givenUp = () => service.summary().byPath['/api/external/v2/users']?.[0] === 1;
		const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
		const remove = service.onListRequest(async () => {
			socket.destroy();
			while (!givenUp()) await new Promise(setImmediate);
		});
		const head = `Host: x\r\nAuthorization: ${authorization}\r\n\r\n`;
		socket.write(`GET /api/external/v2/users HTTP/1.1\r\n${head}`);
		while (!givenUp()) await new Promise(setImmediate);
		remove();
		await list('users', { authorization });
		expect(service.requests.map(({ status }) => status)).toEqual([200, 0, 200]);
		expect(service.summary().byPath['/api/external/v2/users']).toEqual({ 0: 1, 200: 1 });
	});

	it('counts requests, also when nothing else is kept', async () => {
		const { list, service, token } = await start({ switches: { recording: 'counts' } });
		const authorization = `Bearer ${await token()}`;
		await list('users', { authorization });
		await list('users?page=1', { authorization });
		service.set({ list: { faults: ['reset'] } });
		await expect(list('users', { authorization })).rejects.toThrow();
		expect(service.requests).toEqual([]);
		expect(service.summary()).toMatchObject({
			total: 4,
			byPath: { '/auth/app-oauth': { 200: 1 }, '/api/external/v2/users': { 0: 1, 200: 2 } },
			peakInFlight: 1,
		});
		service.clearRequests();
		expect(service.summary()).toEqual({
			total: 0,
			byPath: {},
			peakInFlight: 0,
			firstAt: null,
			lastAt: null,
		});
	});
});
