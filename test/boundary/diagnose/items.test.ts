import { CHECKS } from '../../../nodes/VisitorService/diagnosis/finding';
import type { HostOptions } from '../../host/memoryHost';
import type { JsonObject, ListRequest } from '../../reference-service';
import { diagnose, hostWith } from '../listedHost';

async function hostWithUsers(options: HostOptions = {}, credential = {}) {
	const host = await hostWith({ users: 300 }, options);
	host.credentials.put('one', host.credential(credential));
	return host;
}

describe('the items of Diagnose', () => {
	it('are one for each check and input item, of one diagnosis, which only reads', async () => {
		const host = await hostWithUsers();
		const run = await diagnose(host, {}, { items: [{}, {}, {}] });
		expect(run.items.map(({ check }) => check)).toEqual(
			[0, 1, 2].flatMap(() => ['summary', ...CHECKS]),
		);
		const pairs = run.output.map(({ pairedItem }) => JSON.stringify(pairedItem));
		expect([...new Set(pairs)]).toEqual(['{"item":0}', '{"item":1}', '{"item":2}']);
		const { requests } = host.service;
		expect(requests.length).toBeLessThanOrEqual(25);
		expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['POST', 'GET']));
		expect(run.hints).toEqual([
			expect.objectContaining({ type: 'info', message: run.items[0]?.meaning }),
		]);
	});

	it.each([401, 403, 419])(
		'say why something is left open, if tokens end early: %d',
		async (status) => {
			const expired = { status, body: null };
			const host = await hostWithUsers({
				switches: { token: { lifetimeRequests: 6 }, authorization: { expired } },
			});
			const { finding } = await diagnose(host);
			const meaning = (check: string) => finding(check)?.meaning;
			expect(meaning('tokenLifetime')).toContain('Two tokens were rejected during the diagnosis');
			expect(meaning('rateLimit')).toMatch(/^Diagnose can tell if/);
			expect(meaning('sortFormat')).toMatch(/^Ask your service provider/);
		},
	);

	it('say that a new token ends the former one, and the newest one stays in use', async () => {
		const host = await hostWithUsers({
			switches: { token: { revokePrevious: true } },
			latency: () => 5,
		});
		await host.execute({});
		const warning = { status: 'warning', observed: true };
		expect((await diagnose(host)).finding('tokenRevocation')).toMatchObject(warning);
		host.service.clearRequests();
		expect((await host.execute({})).error).toBeUndefined();
		const requested = host.service.requests.map(({ path }) => path);
		expect(requested).not.toContain('/auth/app-oauth');
	});

	it('say nothing of former tokens if no connection can be made with them', async () => {
		const host = await hostWithUsers();
		const sent = new Set<unknown>();
		host.network.intercept(async (options, send) => {
			if (options.method === 'POST') return await send(options);
			sent.add(options.headers?.Authorization);
			// The one that was never issued, and the first one that was.
			const isFormer = [...sent].indexOf(options.headers?.Authorization) < 2;
			if (isFormer) throw Object.assign(new Error('failed'), { code: 'ENOTFOUND' });
			return await send(options);
		});
		const { finding } = await diagnose(host);
		expect(finding('tokenRevocation')).toMatchObject({ status: 'unknown' });
	});

	it('say that the client is not accepted, after it was rejected twice', async () => {
		const host = await hostWithUsers({}, { clientSecret: 'client ID and secret' });
		const [summary, exchange, ...others] = (await diagnose(host)).items;
		expect(summary).toMatchObject({ check: 'summary', status: 'failed' });
		// A sentence of our own is shown, whatever the secret is.
		expect(summary?.meaning).toMatch(/does not accept the client ID and secret/);
		expect(summary?.meaning).not.toContain('For your service provider');
		expect(exchange).toMatchObject({ check: 'tokenExchange', status: 'failed', observed: false });
		expect(others.find(({ check }) => check === 'badTokenAnswer')).toMatchObject({ observed: 401 });
		expect(host.service.requests).toHaveLength(3);
	});

	it.each([
		[1_000, 'ok', /^The clocks of the service and of n8n agree\.$/],
		[90_000, 'warning', /that of n8n\. Correct the clock that is wrong\. /],
	])('say of a clock that is %i ms ahead what to do, if anything', async (ms, status, meaning) => {
		const host = await hostWithUsers({ switches: { clockOffsetMs: ms } });
		const { finding } = await diagnose(host);
		expect(finding('clockDifference')).toMatchObject({
			status,
			meaning: expect.stringMatching(meaning) as string,
		});
	});

	it('take no limit and no clock of the authorization server for those of the lists', async () => {
		const host = await hostWithUsers();
		const headers = { 'x-ratelimit-limit': '7', date: 'Mon, 02 Mar 2026 01:00:00 GMT' };
		host.network.intercept(async (options, send) => {
			const response = await send(options);
			return options.method === 'POST' ? { ...(response as object), headers } : response;
		});
		const { finding } = await diagnose(host);
		expect(finding('rateLimit')?.observed).toBeUndefined();
		expect(finding('clockDifference')).toMatchObject({ status: 'ok' });
	});

	it('find the other lists by their own names, wherever the users are', async () => {
		const host = await hostWithUsers();
		const bodyOf = (resource: string): JsonObject =>
			resource === 'users' ? { at: [{ id: 1 }] } : { sites: [{ id: 1 }], [resource]: [{ id: 2 }] };
		const respondWith = ({ resource }: ListRequest) => ({ status: 200, body: bodyOf(resource) });
		host.service.set({ list: { respondWith } });
		const { items } = await diagnose(host, { itemsPath: 'at' });
		const found = items.filter(({ check }) =>
			/^(companies|visits|tasks)Path$/.test(check as string),
		);
		expect(found.map(({ observed }) => observed)).toEqual(['companies', 'visits', 'tasks']);
	});

	it.each([0, 1] as const)('name the largest page of a list counted from %d', async (first) => {
		const list = { firstPageNumber: first, maxPageSize: 400, metadata: 'none' } as const;
		const host = await hostWithUsers({ switches: { list } });
		await host.service.seed('users', 900);
		expect((await diagnose(host)).finding('maxPageSize')?.observed).toBe(200);
	});

	it('say how times are asked for that have no zone, and are those of an eastern one', async () => {
		const list = { updatedAtFormat: 'isoLocal', zoneOffsetMinutes: 600 } as const;
		const { finding } = await diagnose(await hostWithUsers({ switches: { list } }));
		expect(finding('updatedSinceFormat')?.observed).toBe('iso');
	});

	it('show no secret that is the name of a field', async () => {
		const host = await hostWithUsers({
			clientSecret: 'canary_secret_word',
			switches: {
				token: { response: { template: { canary_secret_word: { access_token: '{token}' } } } },
			},
		});
		const { finding, hints, items } = await diagnose(host);
		expect(JSON.stringify([items, hints])).not.toContain('canary_secret');
		expect(finding('tokenField')).toMatchObject({ status: 'unknown' });
		expect(finding('tokenField')?.meaning).toMatch(/Ask your service provider why\.$/);
		expect(finding('usersReadable')).toMatchObject({ observed: true });
	});

	it('are none if the credential cannot be used, but an error that says what to set', async () => {
		const host = await hostWithUsers({}, { baseUrl: 'nowhere' });
		const { error } = await diagnose(host);
		expect(error?.message).toBe('The Tenant API URL does not begin with https://.');
		expect(host.service.requests).toHaveLength(0);
	});
});
