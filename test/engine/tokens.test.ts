import dns from 'node:dns';
import type { TokenSwitches } from '../reference-service';
import { VirtualClock } from '../simulation/clock';
import { showTimeOf } from '../simulation/processTime';
import { credentialFor, HOSTS, Process, seenBy, tenants, until } from './tenants';

const start = tenants();
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

		it('requests get one new token for all when its time is over, before it is rejected', async () => {
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
			const responded = request(world);
			await until(() => world.service.requests.length > 0);
			pass(20_000);
			expect((await responded).error).toBeUndefined();
			expect(seenBy(world.service)).toEqual({ exchanges: 1, lists: { 200: 1 } });
		});

		it('requests get a new token when it is rejected', async () => {
			const world = await setUp();
			await request(world);
			// A younger token is not replaced: n8n's older helper asks after any error.
			pass(10_000);
			world.service.revokeTokens();
			expect((await request(world)).error).toBeUndefined();
			expect(seenBy(world.service)).toEqual({ exchanges: 2, lists: { 200: 2, 401: 1 } });
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
});
