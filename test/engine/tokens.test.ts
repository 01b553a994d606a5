import dns from 'node:dns';
import type { TokenSwitches } from '../reference-service';
import type { ErrorAnswer } from '../reference-service/switches';
import { VirtualClock } from '../simulation/clock';
import { showTimeOf } from '../simulation/processTime';
import { credentialFor, HOSTS, Process, seenBy, tenants, until } from './tenants';

const start = tenants();
const ALL = { returnAll: true };
const PAGE_BY_PAGE = { returnAll: true, options: { pageSize: 1, concurrency: 1 } };
const times = <T>(count: number, make: (index: number) => T) =>
	Array.from({ length: count }, (_, index) => make(index));

let clock: VirtualClock;
let showRealTime: () => void;

beforeEach(() => {
	clock = new VirtualClock(Date.UTC(2026, 0, 1));
	showRealTime = showTimeOf(clock);
	// Hardly any jitter: retries follow at once.
	const { random } = Math;
	jest.spyOn(Math, 'random').mockImplementation(() => random() / 1000);
});

afterEach(() => {
	jest.restoreAllMocks();
	showRealTime();
});

const pass = (milliseconds: number) => {
	clock.pass(milliseconds);
};

describe.each(HOSTS)('as n8n %s stores credentials', (host) => {
	const setUp = async (token: Partial<TokenSwitches> = {}, records = 30) => {
		const service = await start({ switches: { token } });
		await service.seed('users', records);
		const process = new Process(host);
		const used = process.store.add(credentialFor(service), 'one');
		return { service, process, used };
	};

	it('a first listing costs one exchange and one read of the credential, the next one a read only', async () => {
		const { service, process, used } = await setUp({}, 500);
		const first = await process.list(used, ALL);
		expect(first.error).toBeUndefined();
		expect(first.json()).toHaveLength(500);
		expect(seenBy(service).exchanges).toBe(1);
		expect(process.store.reads).toBe(1);
		expect(process.store.peek('one')).toMatchObject({
			tokenState: 'valid',
			accessToken: expect.stringMatching(/^reference-token-1-/) as unknown,
		});

		const stored = Object.values(process.store.peek('one'));
		expect(stored.filter((value) => typeof value === 'string' && value.startsWith('='))).toEqual(
			[],
		);

		expect((await process.list(used, ALL)).json()).toHaveLength(500);
		expect(seenBy(service)).toEqual({ exchanges: 1, lists: { 200: service.requests.length - 1 } });
		expect(process.store.reads).toBe(2);
		expect(process.store.writes).toBe(1);
	});

	it('a fresh process with an expired stored token costs one exchange, and the old token is not sent', async () => {
		const { service, process, used } = await setUp({ lifetimeSeconds: 60 });
		await process.list(used, ALL);
		pass(61_000);
		service.clearRequests();
		const restarted = new Process(host, process.store);
		expect((await restarted.list(used, ALL)).error).toBeUndefined();
		expect(seenBy(service)).toEqual({ exchanges: 1, lists: { 200: 1 } });
	});

	describe.each<[number, ErrorAnswer['body']]>([
		[401, null],
		[400, { template: { error: 'invalid_token' } }],
		[200, { template: { code: 401, message: 'token expired' } }],
	])('a token of unknown lifetime, refused with %d %j in mid-listing', (status, body) => {
		const list = async (records: number) => {
			const token = { lifetimeRequests: 10, expiresIn: 'missing' } as const;
			const { service, process, used } = await setUp(token, records);
			service.set({ authorization: { expired: { status, body } } });
			service.onListRequest(async () => {
				pass(1);
				await Promise.resolve();
			});
			return { result: await process.list(used, PAGE_BY_PAGE), seen: seenBy(service) };
		};

		it('is replaced', async () => {
			const { result, seen } = await list(18);
			expect(result.error).toBeUndefined();
			expect(result.json()).toHaveLength(18);
			expect(seen.exchanges).toBe(2);
			if (status !== 200) expect(seen.lists[status]).toBe(1);
		});

		// Only a 401 tells for sure that the time of a token is over; anything else costs one a run.
		it(`is ${status === 401 ? 'replaced' : 'believed'} when it dies again`, async () => {
			const { result, seen } = await list(30);
			const said = result.error?.message ?? result.task().hints?.[0]?.message;
			expect(said).toMatch(
				status === 401
					? /^Read 30 users \(30 pages, [^)]*\)\.$/
					: /^(The service |This client ID is not allowed|Read 20 .* says there are more)/,
			);
			expect(seen.exchanges).toBe(status === 401 ? 3 : 2);
		});
	});

	it('a service that revokes the token before lets parallel executions of two processes through', async () => {
		const { service, process, used } = await setUp({ revokePrevious: true, latencyMs: 5 }, 200);
		const other = new Process(host, process.store);
		const parameters = { returnAll: true, options: { pageSize: 10 } };
		const results = await Promise.all(
			[process, other].flatMap((one) => times(4, async () => await one.list(used, parameters))),
		);
		for (const result of results) {
			expect(result.error).toBeUndefined();
			expect(result.json()).toHaveLength(200);
		}
		// One for each process, and what they cost each other.
		expect(seenBy(service).exchanges).toBeLessThanOrEqual(5);
	});

	it('a failed exchange is not kept', async () => {
		const { service, process, used } = await setUp({ force: { status: 400 } });
		expect((await process.list(used, ALL)).error?.message).toContain('rejected the token request');
		expect(process.store.peek('one')).not.toHaveProperty('accessToken');
		service.set({ token: { force: 'none' } });
		expect((await process.list(used, ALL)).error).toBeUndefined();
		expect(seenBy(service).exchanges).toBe(2);
	});

	it('credentials of one client ID on other servers or with other secrets share nothing', async () => {
		const services = [await start(), await start(), await start({ clientSecret: 'rotated' })];
		const process = new Process(host);
		for (const service of services) await service.seed('users', 1);
		const used = services.map((service, index) =>
			process.store.add(credentialFor(service), String(index)),
		);
		const results = await Promise.all(used.map(async (one) => await process.list(one, ALL)));
		expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
		for (const service of services) {
			expect(seenBy(service)).toEqual({ exchanges: 1, lists: { 200: 1 } });
		}
	});

	it('an edited credential sends the former token to nobody', async () => {
		const { process, used } = await setUp();
		await process.list(used, ALL);
		const moved = await start({ clientId: 'moved' });
		await moved.seed('users', 1);
		process.store.poke('one', credentialFor(moved));
		expect((await process.list(used, ALL)).error).toBeUndefined();
		const sent = moved.requests.map(({ headers }) => headers.authorization);
		expect(sent).toEqual([undefined, 'Bearer <token 1>']);
	});

	it('a credential edited while a list is read stays as it was edited', async () => {
		const { service, process, used } = await setUp({ lifetimeSeconds: 60 });
		const run = process.list(used, PAGE_BY_PAGE);
		await until(() => service.requests.length > 3);
		process.store.poke('one', { ...credentialFor(service), clientSecret: 'rotated' });
		pass(61_000);
		await run;
		expect(process.store.peek('one')).toMatchObject({ clientSecret: 'rotated' });
	});

	describe.each([
		['requestWithAuthentication, as the HTTP Request node uses it', true],
		['httpRequestWithAuthentication', false],
	])('other nodes, through %s', (_, legacy) => {
		const request = async (
			{ service, process, used }: Awaited<ReturnType<typeof setUp>>,
			options = {},
		) =>
			await process.request(
				used,
				{ url: `${service.url}/api/external/v2/users`, ...options },
				legacy,
			);

		it('requests get a token, and keep it', async () => {
			const world = await setUp();
			for (let run = 0; run < 3; run++) expect((await request(world)).error).toBeUndefined();
			expect(seenBy(world.service)).toEqual({ exchanges: 1, lists: { 200: 3 } });
		});

		it('requests get a new token when its time is over, before it is refused', async () => {
			const world = await setUp({ lifetimeSeconds: 60 });
			await request(world);
			pass(60_000);
			expect((await request(world)).error).toBeUndefined();
			expect(seenBy(world.service)).toEqual({ exchanges: 2, lists: { 200: 2 } });
		});

		it('requests get one new token for all when its time is over, before it is refused', async () => {
			const world = await setUp({ lifetimeSeconds: 60, latencyMs: 20 });
			await request(world);
			pass(60_000);
			const results = await Promise.all(times(20, async () => await request(world)));
			expect(results.map(({ status }) => status)).toEqual(times(20, () => 'success'));
			expect(seenBy(world.service)).toEqual({ exchanges: 2, lists: { 200: 21 } });
		});

		it('send one whose time is over when it comes, instead of asking for ever', async () => {
			// The service counts the lifetime from when it issues the token, we count it from before the
			// request.
			const world = await setUp({ lifetimeSeconds: 1, latencyMs: 100 });
			const answered = request(world);
			await until(() => world.service.requests.length > 0);
			pass(20_000);
			expect((await answered).error).toBeUndefined();
			expect(seenBy(world.service)).toEqual({ exchanges: 1, lists: { 200: 1 } });
		});

		it('requests get a new token when it is refused', async () => {
			const world = await setUp();
			await request(world);
			// A younger token is not replaced: n8n's older helper asks after any error.
			pass(10_000);
			world.service.revokeTokens();
			expect((await request(world)).error).toBeUndefined();
			expect(seenBy(world.service)).toEqual({ exchanges: 2, lists: { 200: 2, 401: 1 } });
		});

		it('requests get a new token when the credential was edited', async () => {
			const world = await setUp();
			await request(world);
			const moved = await start({ clientId: 'moved' });
			world.process.store.poke('one', credentialFor(moved));
			expect((await request({ ...world, service: moved })).error).toBeUndefined();
			expect(seenBy(moved)).toEqual({ exchanges: 1, lists: { 200: 1 } });
		});

		it('cannot send the token to another host', async () => {
			const world = await setUp();
			const other = await start();
			const result = await request({ ...world, service: other });
			expect(result.error).toMatchObject({
				message: 'The request goes to another host than the Tenant API URL of the credential.',
				description:
					'Use this credential only for URLs that begin with Tenant API URL. Its token is sent nowhere else.',
			});
			expect(other.requests).toEqual([]);
		});

		it('read what is wrong if no token can be had', async () => {
			const world = await setUp();
			world.process.store.poke('one', { clientSecret: 'wrong' });
			const result = await request(world);
			expect(result.error).toMatchObject({
				message:
					'The authorization server does not accept the client ID and secret (invalid_client), status 401.',
				description:
					'Check Client ID and Client Secret in the credential. Your service provider issues them.',
			});
		});

		it.each([301, 302, 307, 308])(
			'requests follow no redirect (%d) to another origin',
			async (status) => {
				const world = await setUp();
				// A subdomain of the tenant, which the redirects of n8n hand the token on to.
				jest.spyOn(dns, 'lookup').mockImplementation((...parameters: unknown[]) => {
					const [, options, done] = parameters as [
						string,
						{ all?: boolean },
						(...results: unknown[]) => void,
					];
					if (options.all === true) done(null, [{ address: '127.0.0.1', family: 4 }]);
					else done(null, '127.0.0.1', 4);
				});
				const { port } = new URL(world.service.url);
				const tenant = `http://tenant.localhost:${port}`;
				world.process.store.poke('one', { baseUrl: tenant });
				world.service.set({
					list: { redirectTo: `http://sub.tenant.localhost:${port}`, redirectStatus: status },
				});
				const redirects = { followRedirect: true, followAllRedirects: true, maxRedirects: 5 };
				await request(world, { url: `${tenant}/api/external/v2/users`, ...redirects });
				const hosts = world.service.requests
					.filter(({ path }) => path.startsWith('/api'))
					.map(({ headers }) => headers.host);
				expect(hosts.length).toBeGreaterThan(0);
				expect(new Set(hosts)).toEqual(new Set([`tenant.localhost:${port}`]));
			},
		);
	});

	it('a token that would be an expression to n8n is refused, not run', async () => {
		const { service, process, used } = await setUp({
			force: { status: 200, body: { access_token: '={{ $self.clientSecret }}' } },
		});
		const result = await process.list(used, ALL);
		expect(result.error?.message).toBe(
			'The token in the answer of the authorization server has characters that cannot be sent.',
		);
		expect(process.store.peek('one')).not.toHaveProperty('accessToken');
		expect(seenBy(service).lists).toEqual({});
	});
});

describe('the token request', () => {
	const exchange = async (token: Partial<TokenSwitches>, credential = {}) => {
		const service = await start({ switches: { token } });
		await service.seed('users', 3);
		const process = new Process();
		const used = process.store.add(credentialFor(service, credential), 'one');
		return { service, process, result: await process.list(used, ALL) };
	};

	it('the token request is exactly the published form', async () => {
		const { service } = await exchange({});
		expect(service.requests[0]).toMatchObject({
			method: 'POST',
			url: '/auth/app-oauth',
			form: {
				grant_type: 'client_credentials',
				client_id: 'reference-client',
				client_secret: '<secret>',
			},
			headers: {
				'content-type': 'application/x-www-form-urlencoded',
				accept: 'application/json',
			},
		});
		expect(Object.keys(service.requests[0]?.form ?? {})).toEqual([
			'grant_type',
			'client_id',
			'client_secret',
		]);
		expect(service.requests[0]?.headers).not.toHaveProperty('authorization');
	});

	it.each([301, 302, 303, 307, 308])('follows no redirect (%d)', async (redirectStatus) => {
		const other = await start();
		const { result } = await exchange({
			redirectTo: `${other.url}/auth/app-oauth`,
			redirectStatus,
		});
		expect(result.error?.message).toBe(
			`The authorization server redirects the token request, which is not followed, status ${redirectStatus}.`,
		);
		expect(other.requests).toEqual([]);
	});

	it('is sent again after a connection that breaks, and at most four times', async () => {
		const { service, result } = await exchange({ faults: ['reset', 'cut', { status: 504 }] });
		expect(result.error).toBeUndefined();
		expect(seenBy(service).exchanges).toBe(4);
		const broken = await exchange({ force: 'reset' });
		expect(broken.result.status).toBe('error');
		expect(seenBy(broken.service)).toEqual({ exchanges: 4, lists: {} });
	});
});

describe('Allowed Domains', () => {
	it.each(HOSTS)(
		'Allowed Domains hold for our own requests on n8n %s, the token request included',
		async (host) => {
			const service = await start();
			await service.seed('users', 1);
			const process = new Process(host);
			const list = async (allowedDomains: string) =>
				await process.list(
					process.store.add({
						...credentialFor(service),
						allowedHttpRequestDomains: 'domains',
						allowedDomains,
					}),
					ALL,
				);
			expect((await list('127.0.0.1')).error).toBeUndefined();
			service.clearRequests();
			expect((await list('service.example.com')).error).toMatchObject({
				message: 'The credential does not allow requests to 127.0.0.1.',
				description:
					'Add 127.0.0.1 to Allowed Domains in the credential, or correct the Tenant API URL.',
			});
			expect((await list('')).error?.message).toBe(
				'The credential does not allow requests to 127.0.0.1.',
			);
			expect(service.requests).toEqual([]);
		},
	);
});
