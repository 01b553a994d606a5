import { MemoryHost } from '../host/memoryHost';
import type { Fault } from '../reference-service';

const SECOND = 1000;

/** A service with three users, whose first answers are these. */
async function hostWith(...faults: Fault[]): Promise<MemoryHost> {
	const host = new MemoryHost({ switches: { list: { faults } } });
	await host.service.seed('users', 3);
	return host;
}

async function listed(host: MemoryHost, options = {}) {
	const startedAt = host.time.now();
	const run = await host.execute({
		resource: 'user',
		operation: 'list',
		returnAll: true,
		options: { untilStable: false, ...options },
	});
	const requests = host.service.requests.filter(({ path }) => path.startsWith('/api/'));
	return { ...run, requests, waited: host.time.now() - startedAt };
}

describe('a request that fails for now', () => {
	it.each<[string, Fault]>([
		['202', { status: 202 }],
		['403 with Retry-After', { status: 403, retryAfter: 2 }],
		['429', { status: 429 }],
		['502', { status: 502 }],
		['503', { status: 503 }],
		['504', { status: 504 }],
		['a reset', 'reset'],
		['a body that is cut', 'cut'],
		['no answer at all', 'hang'],
		['half an answer', 'stall'],
		['an answer without an end', 'trickle'],
	])('is sent again, after a pause: %s', async (_, fault) => {
		const run = await listed(await hostWith(fault, fault));
		expect(run.error).toBeUndefined();
		expect(run.items).toHaveLength(3);
		expect(run.requests.length).toBeGreaterThanOrEqual(3);
		expect(run.waited).toBeGreaterThan(0);
	});

	it.each([400, 404, 405, 408, 410, 500, 501])(
		'is not waited for after a final answer: %d',
		async (status) => {
			const run = await listed(await hostWith({ status }));
			expect(run.waited).toBe(0);
		},
	);

	it.each([0, 1, 3])('is sent again as often as Max Retries says: %d', async (maxRetries) => {
		const host = await hostWith();
		host.service.set({ list: { force: { status: 503 } } });
		const run = await listed(host, { maxRetries });
		expect(run.error?.message).toContain('503');
		expect(run.items).toEqual([]);
		expect(run.requests).toHaveLength(maxRetries + 1);
	});

	it('waits longer before each further attempt', async () => {
		const host = await hostWith();
		host.service.set({ list: { force: { status: 503 } } });
		const one = await listed(host, { maxRetries: 1 });
		const four = await listed(host, { maxRetries: 4 });
		expect(four.waited).toBeGreaterThan(4 * one.waited);
	});
});

describe('what a service says of its pace', () => {
	it.each<[string, Extract<Fault, object>['retryAfter'], number]>([
		['seconds', 40, 40],
		['seconds as text', '7', 7],
		['a fraction', '7.5', 7.5],
		['sent twice', '7, 9', 7],
		['a date', { inSeconds: 20 }, 20],
	])('waits as long as Retry-After says: %s', async (_, retryAfter, seconds) => {
		for (const status of [429, 503]) {
			const run = await listed(await hostWith({ status, retryAfter }));
			expect(run.items).toHaveLength(3);
			expect(run.waited).toBeGreaterThanOrEqual(seconds * SECOND);
			expect(run.waited).toBeLessThan((seconds + 5) * SECOND);
		}
	});

	it.each(['-7', 'soon', ''])('waits as long as it thinks right if that is "%s"', async (text) => {
		const run = await listed(await hostWith({ status: 503, retryAfter: text }));
		expect(run.items).toHaveLength(3);
		expect(run.waited).toBeGreaterThan(0);
		expect(run.waited).toBeLessThan(5 * SECOND);
	});

	it.each([
		['is an hour ahead', 3_600_000, true],
		['is an hour late', -3_600_000, true],
		['is right and not shown', 0, false],
	])('waits until a date by the clock of the service, which %s', async (_, offset, shown) => {
		const host = await hostWith({ status: 503, retryAfter: { inSeconds: 20 } });
		host.service.set({ clockOffsetMs: offset, dateHeader: shown });
		const run = await listed(host);
		expect(run.items).toHaveLength(3);
		expect(run.waited).toBeGreaterThanOrEqual(19 * SECOND);
		expect(run.waited).toBeLessThan(25 * SECOND);
	});

	it('does not wait for an hour', async () => {
		const run = await listed(await hostWith({ status: 429, retryAfter: 3600 }));
		expect(run.error).toBeDefined();
		expect(run.waited).toBeLessThan(60 * SECOND);
	});
});

it.each(['hang', 'stall', 'trickle'] as const)(
	'a time-out ends an attempt after as many milliseconds as it says: %s',
	async (force) => {
		const host = await hostWith();
		host.service.set({ list: { force } });
		const run = await listed(host, { timeout: 2000, maxRetries: 0 });
		expect(run.error?.message).toContain('did not answer in time');
		expect(run.waited).toBe(2000);
		expect(run.requests).toHaveLength(1);
	},
);

it.each([
	['of another host', 'https://elsewhere.example.test', /redirect/i],
	['without an end', undefined, /redirect/i],
])('a redirect %s is an error', async (_, elsewhere, message) => {
	const host = await hostWith();
	host.service.set({ list: { redirectTo: elsewhere ?? host.url } });
	const run = await listed(host);
	expect(run.error?.message).toMatch(message);
	expect(run.items).toEqual([]);
	expect(run.requests.length).toBeLessThanOrEqual(8);
});

it('a host that is not found is said at once', async () => {
	const host = await hostWith();
	host.credentials.put('one', host.credential({ baseUrl: 'https://nowhere.example.test' }));
	const run = await listed(host);
	expect(run.error?.message).toBe('The host nowhere.example.test was not found.');
	expect(run.waited).toBe(0);
});

it('a canceled run sends nothing more', async () => {
	const host = await hostWith();
	host.service.set({ list: { force: { status: 503, retryAfter: 30 } } });
	const canceled = new AbortController();
	host.time.startTimer(10 * SECOND, () => canceled.abort());
	const run = await host.execute(
		{ resource: 'user', operation: 'list', returnAll: true },
		{ signal: canceled.signal },
	);
	expect(run.items).toEqual([]);
	expect(run.error?.message).toBe('The execution was cancelled.');
	expect(host.service.requests.filter(({ path }) => path.startsWith('/api/'))).toHaveLength(1);
});

it('a canceled run sends none of the requests that wait for their turn', async () => {
	const host = new MemoryHost({ latency: () => SECOND });
	await host.service.seed('users', 200);
	const canceled = new AbortController();
	let sent = 0;
	host.time.startTimer(7 * SECOND, () => {
		sent = host.service.requests.length;
		canceled.abort();
	});
	const options = { pageSize: 1 };
	const parameters = { resource: 'user', operation: 'list', returnAll: true, options };
	const run = await host.execute(parameters, { signal: canceled.signal });
	await host.time.runOut();
	expect(run.error).toBeDefined();
	expect(sent).toBeGreaterThan(2);
	expect(host.service.requests).toHaveLength(sent);
});
