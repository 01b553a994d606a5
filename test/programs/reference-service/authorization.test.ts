import { VirtualClock } from '../../simulation/clock';
import { referenceServices } from './services';

const start = referenceServices();

describe('a call', () => {
	it.each([
		['without a token', null, 'token_missing'],
		['with another scheme', 'Basic eDp5', 'token_missing'],
		['with an empty token', 'Bearer ', 'token_missing'],
		['with a foreign token', 'Bearer x', 'token_invalid'],
	])('answers a call with 401 %s', async (_, authorization, error) => {
		const { list } = await start();
		const answer = await list('users', { authorization });
		expect(answer.status).toBe(401);
		expect(answer.json).toEqual({ error, message: expect.any(String) as unknown });
		expect(answer.headers['www-authenticate']).toBe(
			error === 'token_missing'
				? 'Bearer realm="visitor service"'
				: 'Bearer realm="visitor service", error="invalid_token"',
		);
	});

	it('a call may write the scheme in any case', async () => {
		const { list, token } = await start();
		expect((await list('users', { authorization: `bearer ${await token()}` })).status).toBe(200);
	});

	it('answers a call with 401 and a reason if its token is expired or revoked', async () => {
		const { list, token, service } = await start();
		const [first, second] = [`Bearer ${await token()}`, `Bearer ${await token()}`];
		service.expireTokens();
		expect((await list('users', { authorization: first })).json).toMatchObject({
			error: 'token_expired',
		});
		service.revokeTokens();
		expect((await list('users', { authorization: second })).json).toMatchObject({
			error: 'token_invalid',
		});
		expect((await list()).status).toBe(200);
		expect(service.tokensIssued).toBe(3);
	});
});

describe('switches', () => {
	it('missing, invalid and expired: status and body of each', async () => {
		const { list, token, service } = await start({
			switches: {
				authorization: {
					missing: { status: 400, body: 'empty' },
					invalid: { status: 403, body: 'problem' },
					expired: { status: 418, body: { template: { m: '{message}', s: '{status}' } } },
				},
			},
		});
		const missing = await list('users', { authorization: null });
		expect(missing).toMatchObject({ status: 400, text: '' });
		expect(missing.headers['www-authenticate']).toBeUndefined();
		expect(await list('users', { authorization: 'Bearer x' })).toMatchObject({
			status: 403,
			json: { type: 'about:blank', status: 403 },
		});
		const authorization = `Bearer ${await token()}`;
		service.expireTokens();
		expect(await list('users', { authorization })).toMatchObject({
			status: 418,
			json: { m: 'The access token has expired.', s: 418 },
		});
	});

	it('sends no WWW-Authenticate if wwwAuthenticate is off', async () => {
		const { list } = await start({ switches: { authorization: { wwwAuthenticate: false } } });
		const answer = await list('users', { authorization: 'Bearer x' });
		expect(answer.headers['www-authenticate']).toBeUndefined();
	});

	it('permission none, and of some resources', async () => {
		const { list, service } = await start({ switches: { authorization: { permission: 'none' } } });
		expect(await list()).toMatchObject({ status: 403, json: { error: 'forbidden' } });
		service.set({
			authorization: { permission: ['visits'], forbidden: { status: 404, body: null } },
		});
		expect((await list('visits')).status).toBe(200);
		expect((await list('users')).status).toBe(404);
	});

	it('lifetimeSeconds ends a token by the clock', async () => {
		const clock = new VirtualClock(1_000_000);
		const { list, token } = await start({
			clock: () => clock.now(),
			switches: { token: { lifetimeSeconds: 1.5 } },
		});
		const authorization = `Bearer ${await token()}`;
		clock.pass(1_499);
		expect((await list('users', { authorization })).status).toBe(200);
		clock.pass(1);
		expect((await list('users', { authorization })).status).toBe(401);
	});

	it('lifetimeRequests ends a token by its use', async () => {
		const { list, token } = await start({ switches: { token: { lifetimeRequests: 2 } } });
		const authorization = `Bearer ${await token()}`;
		const statuses = [];
		for (let call = 0; call < 3; call++)
			statuses.push((await list('users', { authorization })).status);
		expect(statuses).toEqual([200, 200, 401]);
	});

	it('revokePrevious makes earlier tokens invalid', async () => {
		const { list, token } = await start({ switches: { token: { revokePrevious: true } } });
		const [first, second] = [await token(), await token()];
		expect((await list('users', { authorization: `Bearer ${first}` })).status).toBe(401);
		expect((await list('users', { authorization: `Bearer ${second}` })).status).toBe(200);
	});

	it('errors.body echoAuthorization shows the header', async () => {
		const { list } = await start({ switches: { errors: { body: 'echoAuthorization' } } });
		expect((await list('users', { authorization: 'Bearer canary' })).json).toMatchObject({
			request: { authorization: 'Bearer canary' },
		});
	});
});
