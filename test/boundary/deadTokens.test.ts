import type { MemoryHost } from '../host/memoryHost';
import type { ErrorBody, Fault } from '../reference-service/switches';
import { diagnose, hostWith, list, listRequests, tokenRequests } from './listedHost';
import { publishAt } from './polledHost';

type Change = Parameters<MemoryHost['service']['set']>[0];

const rejectedWith = (status: number, body: ErrorBody | null = null): Change => {
	const response = { status, body };
	return { authorization: { invalid: response, forbidden: response } };
};

/** How services respond to a token that is not valid any more. */
const DEATHS: Array<[string, Change]> = [
	['401', rejectedWith(401)],
	['403', rejectedWith(403)],
	['419', rejectedWith(419)],
	['440', rejectedWith(440)],
	['498', rejectedWith(498)],
	['500 with a sentence', rejectedWith(500, { template: { message: 'jwt expired' } })],
	['400 with a sentence', rejectedWith(400, { template: { message: 'Token is not valid' } })],
	['200 with an error code', rejectedWith(200, { template: { code: 40001, data: null } })],
	['200 with a sentence', rejectedWith(200, { template: { message: 'Please log in again' } })],
	['200 with a log-in page', rejectedWith(200, 'html')],
	[
		'302 to a log-in page of the same host',
		{ authorization: { redirectTo: '/api/external/v2/log-in?page=0' } },
	],
	[
		'302 to a log-in page of another host',
		{ authorization: { redirectTo: 'https://log-in.example.test/' } },
	],
];

const hostWithUsers = async (switches: Change = {}, latency?: () => number) =>
	await hostWith({ users: 150 }, { latency, switches });

/** Requests so far, and those of the list. */
const counted = (host: MemoryHost) => ({
	exchanges: tokenRequests(host).length,
	lists: listRequests(host).length,
});

/** Ends the tokens so far, and forgets the requests. */
function endTokens({ service }: MemoryHost) {
	service.revokeTokens();
	service.clearRequests();
}

describe.each(DEATHS)('a token that died early, met by %s', (death, change) => {
	it('costs a list one fresh token, once', async () => {
		const host = await hostWithUsers(change);
		expect((await list(host)).items).toHaveLength(150);
		endTokens(host);
		const run = await list(host);
		expect(run.error).toBeUndefined();
		expect(run.items).toHaveLength(150);
		expect(counted(host)).toMatchObject({ exchanges: 1 });
	});

	it('costs a list one fresh token, however many requests are in flight', async () => {
		const host = await hostWithUsers(change, () => 20);
		await list(host);
		host.service.clearRequests();
		host.service.onListRequest(({ number }) => {
			if (number === 12) host.service.revokeTokens();
		});
		const run = await list(host, { options: { pageSize: 5, concurrency: 8 } });
		expect(run.error).toBeUndefined();
		expect(run.items).toHaveLength(150);
		expect(counted(host)).toMatchObject({ exchanges: 1 });
	});

	it('costs a poll one fresh token, once', async () => {
		const host = await hostWithUsers(change);
		const workflow = await publishAt(host);
		host.time.pass(60_000);
		await host.service.upsert('users', { id: 'new' });
		endTokens(host);
		expect(await workflow.poll()).toHaveLength(1);
		expect(counted(host)).toMatchObject({ exchanges: 1 });
	});

	it('is asked again with the other token of a diagnosis', async () => {
		const host = await hostWithUsers(change);
		host.service.set({ token: { revokePrevious: true } });
		expect((await diagnose(host)).finding('usersReadable')).toMatchObject({ observed: true });
		expect(counted(host)).toMatchObject({ exchanges: 2 });
	});

	it('does not fail a connection test, which gets a fresh token of its own', async () => {
		const host = await hostWithUsers(change);
		await list(host);
		endTokens(host);
		expect(await host.testConnection()).toMatchObject({ status: 'OK' });
		expect(counted(host)).toEqual({ exchanges: 1, lists: 1 });
		expect(host.service.requests.at(-1)?.query).toEqual({ page: '0', pageSize: '1' });
	});

	it('is believed if a fresh token gets the same', async () => {
		const host = await hostWithUsers(change);
		await list(host);
		endTokens(host);
		// Whatever token comes is rejected from now on.
		host.service.set({ authorization: { permission: 'none' } });
		const run = await list(host);
		expect(run.error?.message).toMatch(/^(The (service|response) |This client ID is not allowed)/);
		const exchanges = death === '401' ? 2 : 1;
		expect(counted(host)).toEqual({ exchanges, lists: expect.any(Number) as number });
		await host.testConnection();
		expect(counted(host).exchanges).toBe(exchanges + 1);
	});
});

describe('a response that is no matter of the token', () => {
	it.each<Fault>([
		...[202, 404, 408, 429, 502, 503, 504].map((status) => ({ status })),
		{ status: 403, retryAfter: 1 },
		'hang',
	])('costs no token: %j', async (force) => {
		const host = await hostWithUsers();
		await list(host);
		host.service.clearRequests();
		host.service.set({ list: { force } });
		const run = await list(host, { options: { maxRetries: 1, timeout: 1000 } });
		expect(run.error).toBeDefined();
		expect(counted(host).exchanges).toBe(0);
	});

	it('costs no token if it has the list at Items Path, which may not be found otherwise', async () => {
		const envelope = { template: { one: '{records}', two: '{records}' } };
		const host = await hostWithUsers({ list: { envelope } });
		const options = { itemsPath: 'two' };
		for (let runs = 0; runs < 2; runs++) await list(host, { options });
		await publishAt(host, { options });
		expect(counted(host).exchanges).toBe(1);
	});

	it('costs no token in the run that got one: 403 is a matter of permission', async () => {
		const host = await hostWithUsers({ authorization: { permission: 'none' } });
		expect((await list(host)).error?.message).toContain('is not allowed to read');
		expect(counted(host)).toEqual({ exchanges: 1, lists: 1 });
	});

	it('counts against none after a page was read, however many were rejected before', async () => {
		const host = await hostWithUsers();
		await list(host);
		host.time.pass(60_000);
		const rejected = Array<Fault>(3).fill({ status: 401 });
		host.service.set({ list: { faults: ['none', ...rejected, 'none', ...rejected, 'none'] } });
		const options = { pageSize: 15, concurrency: 1 };
		expect((await list(host, { options })).items).toHaveLength(150);
	});

	it.each([
		['of an earlier run', true],
		['of this run', false],
	])(
		'costs few tokens and no list, however often 401 comes by chance: %s',
		async (_, isEarlier) => {
			const host = await hostWithUsers();
			await host.service.seed('users', 500);
			if (isEarlier) await list(host);
			host.service.clearRequests();
			const randomFaults = { share: 0.1, faults: [{ status: 401 }], seed: 7 };
			host.service.set({ list: { randomFaults } });
			expect((await list(host, { options: { pageSize: 5 } })).items).toHaveLength(500);
			expect(counted(host).exchanges).toBeLessThanOrEqual(isEarlier ? 3 : 4);
		},
	);
});
