import type { MemoryHost } from '../host/memoryHost';
import type { ErrorBody, Fault, TokenSwitches } from '../reference-service/switches';
import { hostWith as hostWithUsers, list, listRequests, tokenRequests } from './listedHost';

const USERS = 60;
const ONE_BY_ONE = { options: { pageSize: 1, concurrency: 1 } };

const hostWith = async (token: Partial<TokenSwitches>, latency?: () => number) =>
	await hostWithUsers({ users: USERS }, { switches: { token }, latency });

/** What the service saw: tokens it was asked for, and the status codes of its lists. */
function seen(host: MemoryHost) {
	const lists = listRequests(host);
	const rejected = lists.filter(({ status }) => status === 401).length;
	return { exchanges: tokenRequests(host).length, lists: lists.length, rejected };
}

/** Another process of n8n gets a token and stores it. */
function storeOfOtherProcess({ credentials, service, time }: MemoryHost) {
	credentials.put('one', {
		...credentials.peek('one'),
		accessToken: service.issueToken(),
		issuedAt: time.now(),
	});
}

/** Does something while the request with this number gets a response. */
function during(host: MemoryHost, number: number, work: () => void) {
	host.service.onListRequest((request) => {
		if (request.number === number) work();
	});
}

it('an exchange takes none of the time that Timeout gives to the request after it', async () => {
	const host = await hostWith({ latencyMs: 8_000 });
	const options = { timeout: 5_000, maxRetries: 0 };
	expect((await list(host, { options })).items).toHaveLength(USERS);
	const hanging = await hostWith({ latencyMs: 8_000 });
	hanging.service.set({ list: { force: 'hang' } });
	const startedAt = hanging.time.now();
	expect((await list(hanging, { options })).error?.message).toContain('did not respond in time');
	expect(hanging.time.now() - startedAt).toBe(13_000);
});

describe('a token whose lifetime is known', () => {
	it('is kept, and the credential is read once a run', async () => {
		const host = await hostWith({ lifetimeSeconds: 3600 });
		await list(host, ONE_BY_ONE);
		await list(host, ONE_BY_ONE);
		expect(seen(host)).toEqual({ exchanges: 1, lists: 2 * USERS, rejected: 0 });
		expect(host.credentials).toMatchObject({ reads: 2, writes: 1 });
	});

	it('is replaced before the first request of a run if its time is over', async () => {
		const host = await hostWith({ lifetimeSeconds: 60 });
		await list(host, ONE_BY_ONE);
		host.time.pass(61_000);
		host.service.clearRequests();
		await list(host, ONE_BY_ONE);
		expect(seen(host)).toEqual({ exchanges: 1, lists: USERS, rejected: 0 });
	});

	it('is replaced before each end of its time during a run, and the stored one is read before', async () => {
		const host = await hostWith({ lifetimeSeconds: 100 }, () => 2500);
		const run = await list(host, ONE_BY_ONE);
		expect(run.items).toHaveLength(USERS);
		// 5 s a page: 300 s.
		expect(seen(host)).toEqual({ exchanges: 4, lists: USERS, rejected: 0 });
		expect(host.credentials.reads).toBe(4);
	});

	it('is replaced by the one that another process has stored, without an exchange', async () => {
		const host = await hostWith({ lifetimeSeconds: 100 }, () => 2500);
		during(host, 15, () => {
			storeOfOtherProcess(host);
			const fields = host.credentials.peek('one');
			host.credentials.put('one', { ...fields, renewAt: host.time.now() + 3_600_000 });
		});
		const run = await list(host, { ...ONE_BY_ONE, returnAll: false, limit: 30 });
		expect(run.items).toHaveLength(30);
		expect(seen(host)).toEqual({ exchanges: 1, lists: 30, rejected: 0 });
	});
});

it('a token whose lifetime is not known is replaced in a run as often as 401 ends it', async () => {
	const host = await hostWith({ expiresIn: 'missing' });
	host.service.onListRequest(({ number }) => {
		if (number % 20 === 10) host.service.revokeTokens();
	});
	const run = await list(host, ONE_BY_ONE);
	expect(run.error).toBeUndefined();
	expect(run.items).toHaveLength(USERS);
	// A token that is less than a second old is tried once more first.
	expect(seen(host)).toMatchObject({ exchanges: 4, rejected: 6 });
});

it.each<[number, ErrorBody]>([
	[400, { template: { error: 'invalid_token' } }],
	[200, { template: { code: 401, message: 'token expired' } }],
])(
	'a token whose lifetime is not known is replaced once a run if %d %j ends it',
	async (status, body) => {
		const host = await hostWith({ lifetimeRequests: 10, expiresIn: 'missing' });
		host.service.set({ authorization: { expired: { status, body } } });
		expect((await list(host, { ...ONE_BY_ONE, returnAll: false, limit: 18 })).items).toHaveLength(
			18,
		);
		host.service.clearRequests();
		// Only a 401 tells for sure that the time of a token is over.
		expect((await list(host, ONE_BY_ONE)).items.length).toBeLessThan(USERS);
		expect(seen(host).exchanges).toBe(1);
	},
);

it.each([400, 404])('a token that is rejected with %d is no end of a list', async (status) => {
	const host = await hostWith({ lifetimeRequests: 20, expiresIn: 'missing' });
	during(host, 15, () => host.service.set({ token: { force: { status } } }));
	expect((await list(host, ONE_BY_ONE)).error?.message).toContain('The authorization server');
});

describe('a token that another process has ended by getting a new one', () => {
	it('is replaced each time it happens', async () => {
		const host = await hostWith({ lifetimeSeconds: 3600 }, () => 5);
		host.service.onListRequest(({ number }) => {
			if (number % 10 === 0) host.service.revokeTokens();
		});
		const run = await list(host, ONE_BY_ONE);
		expect(run.items).toHaveLength(USERS);
		const { exchanges, rejected } = seen(host);
		expect(exchanges).toBe(1 + rejected / 2);
		// Once before each new token.
		expect(host.credentials.reads).toBe(exchanges);
	});

	it('is replaced by the one of the other process after a token of its own, which is waited for', async () => {
		const host = await hostWith({ lifetimeSeconds: 3600 }, () => 5);
		host.service.onListRequest(({ number }) => {
			if (number === 10 || number === 20) host.service.revokeTokens();
			if (number === 20) void host.time.sleep(900).then(() => storeOfOtherProcess(host));
		});
		const run = await list(host, ONE_BY_ONE);
		expect(run.error).toBeUndefined();
		expect(run.items).toHaveLength(USERS);
		expect(seen(host)).toMatchObject({ exchanges: 2, rejected: 3 });
	});
});

it('a token request is sent again after a connection that breaks, and at most four times', async () => {
	const host = await hostWith({ faults: ['reset', 'cut', { status: 504 }] });
	expect((await list(host, ONE_BY_ONE)).items).toHaveLength(USERS);
	expect(seen(host).exchanges).toBe(4);
	const broken = await hostWith({ force: 'reset' });
	const { error } = await list(broken, ONE_BY_ONE);
	expect(error?.description).toContain('Authorization Server URL');
	expect(seen(broken)).toMatchObject({ exchanges: 4, lists: 0 });
});

it('a response without a token is not kept', async () => {
	const host = await hostWith({ force: { status: 400 } });
	expect((await list(host, ONE_BY_ONE)).error?.message).toContain('rejected the token request');
	expect(host.credentials.peek('one')).not.toHaveProperty('accessToken');
	host.service.set({ token: { force: 'none' } });
	expect((await list(host, ONE_BY_ONE)).items).toHaveLength(USERS);
	expect(seen(host).exchanges).toBe(2);
});

it('a credential that names another server sends the former token to nobody', async () => {
	const host = await hostWith({});
	const moved = await hostWith({});
	await list(host, ONE_BY_ONE);
	host.network.add(moved.url, moved.service);
	host.credentials.put('one', { ...host.credentials.peek('one'), ...moved.credential() });
	expect((await list(host, ONE_BY_ONE)).error).toBeUndefined();
	const sent = new Set(moved.service.requests.map(({ headers }) => headers.authorization));
	expect(sent).toEqual(new Set([undefined, 'Bearer <token 1>']));
});

it('runs at the same time share one exchange, also after the token was rejected', async () => {
	const host = await hostWith({ latencyMs: 20 }, () => 5);
	const together = async () =>
		await Promise.all(Array.from({ length: 5 }, async () => await list(host, ONE_BY_ONE)));
	for (const { items } of await together()) expect(items).toHaveLength(USERS);
	expect(seen(host).exchanges).toBe(1);
	host.service.revokeTokens();
	host.service.clearRequests();
	for (const { items } of await together()) expect(items).toHaveLength(USERS);
	expect(seen(host).exchanges).toBe(1);
});

describe('all input items of one execution', () => {
	const fifty = Array.from({ length: 50 }, (_, item) => ({ item }));
	const going = { items: fifty, onError: 'continueRegularOutput' } as const;

	/** The input items that the output is of, in its order. */
	const originsOf = ({ output }: Awaited<ReturnType<typeof list>>) =>
		output.map(({ pairedItem }) => (pairedItem as { item: number }).item);

	it.each([
		[400, 'rejected the token request'],
		[401, 'does not accept the client ID and secret'],
		[403, 'does not allow this client ID to get a token'],
	])(
		'ask once for a token that is rejected with %d, and each is an error',
		async (status, what) => {
			const host = await hostWith({ force: { status } });
			const run = await list(host, {}, going);
			expect(seen(host)).toMatchObject({ exchanges: 1, lists: 0 });
			expect(originsOf(run)).toEqual(fifty.map(({ item }) => item));
			for (const { error } of run.items) expect(error).toContain(what);
			// The next one may be allowed what this one is not.
			host.service.set({ token: { force: 'none' } });
			expect((await list(host, {}, going)).items).toHaveLength(50 * USERS);
		},
	);

	it.each<Fault>([{ status: 503 }, { status: 403, retryAfter: 1 }, 'reset'])(
		'ask again for a token that was not to be had for the moment: %j',
		async (fault) => {
			const host = await hostWith({ faults: Array<Fault>(4).fill(fault) });
			const { items } = await list(host, {}, { ...going, items: fifty.slice(0, 3) });
			expect(items).toHaveLength(1 + 2 * USERS);
			expect(items[0]).toHaveProperty('error');
		},
	);

	it.each([
		[401, 2, 54],
		[403, 1, 51],
	])('get few new tokens if each list gets %d', async (status, exchanges, lists) => {
		const host = await hostWith({});
		await list(host);
		host.service.clearRequests();
		const forbidden = { status, body: null };
		host.service.set({ authorization: { permission: 'none', forbidden } });
		const startedAt = host.time.now();
		expect(originsOf(await list(host, {}, going))).toEqual(fifty.map(({ item }) => item));
		expect(seen(host)).toMatchObject({ exchanges, lists });
		// Only the first item waits for copies of the service.
		expect(host.time.now() - startedAt).toBeLessThanOrEqual(4_000);
	});

	it('get no fresh token for each list that is rejected', async () => {
		const host = await hostWith({});
		host.service.set({ authorization: { permission: ['users'] } });
		const pathSegment = '={{ $json.item % 2 ? "users" : "visits" }}';
		const { items } = await list(host, { resource: 'other', pathSegment }, going);
		expect(items).toHaveLength(25 + 25 * USERS);
		expect(seen(host).exchanges).toBe(1);
	});

	it('get a fresh token each time that one which has served is ended', async () => {
		const host = await hostWith({ lifetimeSeconds: 3600 });
		during(host, 2, () => host.service.revokeTokens());
		during(host, 5, () => host.service.revokeTokens());
		const { items } = await list(host, {}, { ...going, items: fifty.slice(0, 9) });
		expect(items).toHaveLength(9 * USERS);
		expect(seen(host)).toMatchObject({ exchanges: 3, rejected: 4 });
	});
});

describe('a new token that copies of the service do not accept yet', () => {
	it.each([500, 1500, 1900])('is tried once more after a pause: %d ms', async (lag) => {
		const host = await hostWith({ lifetimeSeconds: 3600 }, () => 5);
		const forbidden = { status: 401, body: null };
		host.service.set({ authorization: { permission: 'none', forbidden } });
		const accept = async () => {
			await host.time.sleep(lag);
			host.service.set({ authorization: { permission: 'all' } });
		};
		const [run] = await Promise.all([list(host, ONE_BY_ONE), host.during(accept)]);
		expect(run.items).toHaveLength(USERS);
		expect(seen(host)).toEqual({ exchanges: 1, lists: USERS + 1, rejected: 1 });
	});

	it('is not replaced again and again while only some accept it', async () => {
		const host = await hostWith({ lifetimeSeconds: 3600 }, () => 20);
		const randomFaults = { share: 0.6, faults: [{ status: 401 }], seed: 7 };
		host.service.set({ list: { randomFaults } });
		const accept = async () => {
			await host.time.sleep(2000);
			host.service.set({ list: { randomFaults: { share: 0 } } });
		};
		const many = { options: { pageSize: 1, concurrency: 8 } };
		const [run] = await Promise.all([list(host, many), host.during(accept)]);
		expect(run.items).toHaveLength(USERS);
		expect(seen(host).exchanges).toBe(1);
	});

	it('does not fail the connection test', async () => {
		const host = await hostWith({});
		host.service.set({ list: { faults: [{ status: 401 }] } });
		expect(await host.testConnection()).toMatchObject({ status: 'OK' });
		expect(seen(host)).toEqual({ exchanges: 1, lists: 2, rejected: 1 });
	});
});

it('credentials of one client, each with a dead token, cost one exchange together', async () => {
	const host = await hostWith({ lifetimeSeconds: 3600 });
	for (const id of ['two', 'three', 'one']) {
		await list(host, ONE_BY_ONE);
		if (id !== 'one') host.credentials.put(id, { ...host.credentials.peek('one') });
		host.credentials.put('one', host.credential());
		host.time.pass(1000);
	}
	host.service.revokeTokens();
	host.service.clearRequests();
	for (const id of ['two', 'three', 'two']) {
		host.credentials.put('one', { ...host.credentials.peek(id) });
		expect((await list(host, ONE_BY_ONE)).error).toBeUndefined();
	}
	expect(seen(host).exchanges).toBe(1);
});

/** The most exchanges one after the other, without a list between them. */
function exchangesInARow({ service }: MemoryHost) {
	let [inARow, most] = [0, 0];
	for (const { path, status } of service.requests) {
		if (path === '/auth/app-oauth') most = Math.max(most, ++inARow);
		else if (status === 200) inARow = 0;
	}
	return most;
}

/** From now on no token is accepted. */
const denyAll = ({ service }: MemoryHost) =>
	service.set({ authorization: { permission: 'none', forbidden: { status: 401, body: null } } });

/** Has a token stored that has had a list, some time ago. */
async function listEarlier(host: MemoryHost) {
	await list(host);
	host.time.pass(5_000);
	host.service.clearRequests();
}

describe.each([1, 16])('every token is worth one question, with %d in flight', (concurrency) => {
	const EVEN_A_NEW_ONE = 'The service rejects the access token, even a new one (status 401).';
	const AND_EACH_NEW_ONE =
		'The service accepted the access token and then rejected it, and each new one (status 401).';

	it.each<[string, number, string | undefined, (host: MemoryHost) => void | Promise<void>]>([
		['the first one is denied', 2, EVEN_A_NEW_ONE, denyAll],
		[
			'the stored one and each new one is denied',
			2,
			EVEN_A_NEW_ONE,
			async (host) => {
				await listEarlier(host);
				denyAll(host);
			},
		],
		[
			'they are denied with a time to wait',
			2,
			EVEN_A_NEW_ONE,
			({ service }) => service.set({ list: { force: { status: 401, retryAfter: 30 } } }),
		],
		[
			'they are denied with a list',
			2,
			EVEN_A_NEW_ONE,
			({ service }) =>
				service.set({ list: { force: { status: 401, body: { data: [{ id: 'a' }] } } } }),
		],
		['the first one worked', 3, AND_EACH_NEW_ONE, (host) => during(host, 10, () => denyAll(host))],
		[
			'one page is always denied',
			3,
			AND_EACH_NEW_ONE,
			({ service }) =>
				service.set({ list: { pageFaults: [{ page: 7, fault: { status: 401 }, times: 0 }] } }),
		],
		[
			'one page is denied once',
			1,
			undefined,
			async (host) => {
				await listEarlier(host);
				host.service.set({ list: { pageFaults: [{ page: 7, fault: { status: 401 } }] } });
			},
		],
		[
			'the service has restarted',
			1,
			undefined,
			async (host) => {
				await listEarlier(host);
				host.service.revokeTokens();
			},
		],
		['it is good for 10 requests', 6, undefined, ({ service }) => goodFor(service, 10)],
		['it is good for a single request', 60, undefined, ({ service }) => goodFor(service, 1)],
	])('%s: %d exchanges', async (_, exchanges, message, begin) => {
		const host = await hostWith({ expiresIn: 'missing' }, () => 5);
		await begin(host);
		const run = await list(host, { options: { pageSize: 1, concurrency } });
		expect(run.error?.message).toBe(message);
		expect(run.items).toHaveLength(message === undefined ? USERS : 0);
		expect(seen(host).exchanges).toBe(exchanges);
		expect(exchangesInARow(host)).toBeLessThanOrEqual(2);
	});

	const goodFor = (service: MemoryHost['service'], lifetimeRequests: number) =>
		service.set({ token: { lifetimeRequests } });
});

describe('a token that was replaced in mid-run', () => {
	it('is shown in no later message, nor is its successor', async () => {
		const host = await hostWith({ lifetimeSeconds: 3600, prefix: 'short' }, () => 5);
		const tokens: unknown[] = [];
		const note = () => tokens.push(host.credentials.peek('one').accessToken);
		during(host, 10, () => {
			note();
			host.service.revokeTokens();
		});
		during(host, 18, () => {
			note();
			const fault = { status: 501, body: { message: `${tokens.join()} has ended` } };
			host.service.set({ list: { pageFaults: [{ page: 20, fault, times: 0 }] } });
		});
		const { error } = await list(host, ONE_BY_ONE);
		expect(error?.description).toMatch(/^Try again later/);
		expect(new Set(tokens).size).toBe(2);
		for (const token of tokens) expect(JSON.stringify(error)).not.toContain(token);
	});

	it('is no reason to end the run in an outage after it', async () => {
		const host = await hostWith({ lifetimeSeconds: 10 }, () => 5);
		during(host, 10, () => host.service.revokeTokens());
		during(host, 20, () => {
			host.service.set({ list: { force: { status: 503, retryAfter: 9 } } });
			void host.time.sleep(40_000).then(() => host.service.set({ list: { force: 'none' } }));
		});
		const options = { ...ONE_BY_ONE.options, maxRetries: 8 };
		const run = await list(host, { options });
		expect(run.error).toBeUndefined();
		expect(run.items).toHaveLength(USERS);
		expect(seen(host).exchanges).toBeGreaterThan(3);
	});

	it('is got with the credential as it was edited meanwhile', async () => {
		const host = await hostWith({ lifetimeSeconds: 3600 }, () => 5);
		during(host, 10, () => {
			host.service.revokeTokens();
			host.service.clientSecret = 'edited-secret-0001';
			host.credentials.put('one', host.credential());
		});
		expect((await list(host, ONE_BY_ONE)).items).toHaveLength(USERS);
		expect(host.credentials.peek('one')).toMatchObject({ clientSecret: 'edited-secret-0001' });
	});
});

describe('a token that the service has rejected', () => {
	it('is not taken from a connection test that it failed', async () => {
		const host = await hostWith({});
		denyAll(host);
		expect(await host.testConnection()).toMatchObject({ status: 'Error' });
		host.service.set({ authorization: { permission: 'all' } });
		expect((await list(host, ONE_BY_ONE)).items).toHaveLength(USERS);
		expect(seen(host)).toEqual({ exchanges: 2, lists: USERS + 2, rejected: 2 });
	});

	it.each([
		['in the same millisecond', 0],
		['by a clock that was set back', -60_000],
	])('is used again if the same text is issued again: %s', async (_, passed) => {
		const host = await hostWith({ response: { template: { token: 'the-same-text-each-time' } } });
		const accepted = `Bearer ${host.service.issueToken()}`;
		let isRejected = false;
		host.network.intercept(async (options, send) => {
			if (options.url.includes('/auth/')) isRejected = false;
			if (options.url.includes('/auth/') || isRejected) return await send(options);
			return await send({ ...options, headers: { ...options.headers, Authorization: accepted } });
		});
		for (const exchanges of [1, 2, 3]) {
			expect((await list(host, ONE_BY_ONE)).items).toHaveLength(USERS);
			expect(seen(host).exchanges).toBe(exchanges);
			host.time.pass(passed);
			isRejected = true;
		}
	});

	it.each<[string, string | undefined, string | undefined]>([
		['Bearer error="invalid_token", error_description="The token was revoked"', '', 'was revoked'],
		['Bearer error_description=expired', undefined, 'JSON says; expired'],
		['Negotiate, Bearer error_description="He said \\"no\\""', '', "He said 'no'"],
		['Bearer error_description="Sent to ada@example.test"', '', 'Sent to …'],
		['Bearer error_description="<secret> is wrong"', '', undefined],
		['Bearer realm="visitors", error="invalid_token"', '', undefined],
		['Basic', '', undefined],
	])('is explained as the service explains it: %s', async (challenge, body, stated) => {
		const host = await hostWith({});
		const header = challenge.replace('<secret>', host.service.clientSecret);
		const force = {
			status: 401,
			body: body ?? { message: 'JSON says' },
			headers: { 'www-authenticate': header },
		};
		host.service.set({ list: { force } });
		const description = (await list(host)).error?.description;
		if (stated === undefined) expect(description).not.toContain('The service said');
		else expect(description).toMatch(/ The service said: ".+"\.$/);
		expect(description).toContain(stated ?? 'belong to the same service.');
	});
});
