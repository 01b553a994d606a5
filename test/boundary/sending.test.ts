import type { IHttpRequestOptions } from 'n8n-workflow';

import type { MemoryHost } from '../host/memoryHost';
import type { DeepPartial, Fault, Switches } from '../reference-service';
import { hostWith as hostWithUsers, list, listRequests, requestedPages } from './listedHost';
import { publishAt } from './polledHost';

const SECOND = 1000;

/** A service with three users, whose first responses are these. */
const hostWith = async (...faults: Fault[]) =>
	await hostWithUsers({ users: 3 }, { switches: { list: { faults } } });

async function listed(host: MemoryHost, options = {}) {
	const startedAt = host.time.now();
	const run = await list(host, { options: { untilStable: false, ...options } });
	return { ...run, requests: listRequests(host), waited: host.time.now() - startedAt };
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
		['no response at all', 'hang'],
		['half a response', 'stall'],
		['a response without an end', 'trickle'],
	])('is sent again, after a pause: %s', async (_, fault) => {
		const run = await listed(await hostWith(fault, fault));
		expect(run.error).toBeUndefined();
		expect(run.items).toHaveLength(3);
		expect(run.requests.length).toBeGreaterThanOrEqual(3);
		expect(run.waited).toBeGreaterThan(0);
	});

	it.each([400, 404, 405, 408, 410, 500, 501])(
		'is not waited for after a final response: %d',
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

	it.each([
		['up to twice as long each time, to 20 s', 502, 1, 9, 91.5],
		['no time, if chance says so', 502, 0, 9, 0],
		['three times as long each time, to 40.5 s', 429, 0, 6, 101],
		['up to half as long again', 503, 1, 6, 151.5],
		['a limit for as long as it says, and longer after the second time', 30, 1, 4, 126],
	])('waits %s: %d', async (_, status, random, maxRetries, seconds) => {
		const host = await hostWith();
		const named = { status: 429, retryAfter: status };
		host.service.set({ list: { force: status === 30 ? named : { status } } });
		const drawn = jest.spyOn(Math, 'random').mockReturnValue(random);
		const { waited } = await listed(host, { maxRetries });
		drawn.mockRestore();
		expect(waited).toBe(seconds * SECOND);
	});
});

describe('what a service says of its pace', () => {
	it.each<[string, Extract<Fault, object>['retryAfter'], number]>([
		['seconds', 40, 40],
		['seconds as text', '7', 7],
		['a fraction', '7.5', 7.5],
		['sent twice', '7, 9', 7],
		['a date', { inSeconds: 20 }, 20],
		['an old form of a date', 'Monday, 02-Mar-26 08:00:20 GMT', 20],
		['the oldest form of a date', 'Mon Mar  2 08:00:20 2026', 20],
		['a date that was sent twice', Array(2).fill('Mon, 02 Mar 2026 08:00:20 GMT').join(', '), 20],
		['a time with a zone', '2026-03-02 09:00:20+01:00', 20],
		['seconds since 1970', String(Date.UTC(2026, 2, 2, 8) / SECOND + 20), 20],
		['milliseconds since 1970', String(Date.UTC(2026, 2, 2, 8) + 20 * SECOND), 20],
		['a minute, which is not too long', 60, 60],
	])('waits as long as Retry-After says: %s', async (_, retryAfter, seconds) => {
		for (const status of [429, 503]) {
			const run = await listed(await hostWith({ status, retryAfter }));
			expect(run.items).toHaveLength(3);
			expect(run.waited).toBeGreaterThanOrEqual(seconds * SECOND);
			expect(run.waited).toBeLessThan((seconds + 5) * SECOND);
		}
	});

	it.each([403, 429, 503])('sends nothing else as long as Retry-After says: %d', async (status) => {
		const host = await hostWithUsers({ users: 100 }, { latency: () => 50 });
		host.service.set({ list: { pageFaults: [{ page: 4, fault: { status, retryAfter: 30 } }] } });
		const { items, requests } = await listed(host, { pageSize: 5 });
		expect(items).toHaveLength(100);
		const failedAt = requests.find((request) => request.status === status)?.at ?? 0;
		// What was sent before the response came.
		const later = requests.filter(({ at }) => at > failedAt + 100);
		expect(later.length).toBeGreaterThan(5);
		expect(later.filter(({ at }) => at < failedAt + 29 * SECOND)).toEqual([]);
	});

	it.each(['-7', 'soon', '', '0', '5s', '1e3', '-1, 5', 'Mon, 02 Mar 2026 07:59:00 GMT'])(
		'waits as long as it thinks right if that is "%s"',
		async (text) => {
			const run = await listed(await hostWith({ status: 503, retryAfter: text }));
			expect(run.items).toHaveLength(3);
			expect(run.waited).toBeGreaterThan(0);
			expect(run.waited).toBeLessThan(5 * SECOND);
		},
	);

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

	it('does not wait for more than a minute', async () => {
		const run = await listed(await hostWith({ status: 429, retryAfter: 61 }));
		expect(run.error?.message).toBe(
			'The service responded with status 429 and asks to wait 61 seconds.',
		);
		expect(run.error).toMatchObject({ httpCode: '429' });
		expect(run.waited).toBe(0);
	});

	const inAMinute = Date.UTC(2026, 2, 2, 8) / SECOND + 60;

	it.each<[Record<string, string>, number]>([
		[{ ratelimit: '"default";r=0;t=30' }, 30],
		[{ ratelimit: '"day";r=900;t=50, "second";r=0;t=12' }, 12],
		[{ ratelimit: '"second";r=0;t=12, "day";r=900;t=50' }, 12],
		[{ ratelimit: 'limit=100, remaining=0, reset=30' }, 30],
		[{ 'ratelimit-remaining': '0', 'ratelimit-reset': '30' }, 30],
		[{ 'x-ratelimit-remaining': '0;w=60', 'x-ratelimit-reset': '30' }, 30],
		[{ 'x-rate-limit-remaining': '0, 0', 'x-rate-limit-reset': '30' }, 30],
		...[String(inAMinute), String(inAMinute * SECOND), '2026-03-02T09:01:00+01:00'].map(
			(reset): [Record<string, string>, number] => [
				{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
				60,
			],
		),
		[
			{
				date: 'Mon, 02 Mar 2026 07:30:00 GMT',
				'x-ratelimit-remaining': '0',
				'x-ratelimit-reset': '2026-03-02T07:30:31Z',
			},
			30,
		],
		[{ ratelimit: '"default";r=0;t=61' }, 0],
		[{ ratelimit: '"default";r=0;t=0' }, 0],
		[{ ratelimit: '"default";r=1;t=30' }, 0],
		[{ ratelimit: '"default";r=0' }, 0],
		[{ ratelimit: '"default"' }, 0],
		[{ 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': '30' }, 0],
		[{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }, 0],
		[{ 'x-ratelimit-remaining': 'none', 'x-ratelimit-reset': '30' }, 0],
		[{ 'x-ratelimit-remaining': '0' }, 0],
	])('%j lets the next request wait for %d s', async (headers, seconds) => {
		const body = { data: [{ id: 'a' }], meta: { totalPages: 4, total: 4 } };
		const run = await listed(await hostWith({ status: 200, body, headers }), {
			pageSize: 1,
			concurrency: 1,
		});
		expect(run.requests.length).toBeGreaterThan(2);
		expect(run.waited).toBeGreaterThanOrEqual(seconds * SECOND);
		expect(run.waited).toBeLessThan((seconds + 2) * SECOND);
	});
});

describe('what comes instead of a response', () => {
	/** The first request of the list fails in this way. */
	async function failing(error: unknown) {
		const host = await hostWith();
		let fails = true;
		host.network.intercept(async (options, send) => {
			if (!fails || !options.url.includes('/api/')) return await send(options);
			fails = false;
			throw error;
		});
		return await listed(host);
	}

	const coded = (code: string) => Object.assign(new Error('failed'), { code });
	const named = (name: string) => Object.assign(new Error('failed'), { name });
	const within = (cause: unknown) => new Error('outer', { cause: new Error('inner', { cause }) });

	it.each([
		...['ECONNRESET', 'EPIPE', 'EAI_AGAIN', 'ERR_BAD_RESPONSE', 'ECONNREFUSED', 'ETIMEDOUT'],
		...['ECONNABORTED', 'ERR_SOMETHING_ELSE'],
	])('is tried again: %s', async (code) => {
		for (const error of [coded(code), within(coded(code))])
			expect((await failing(error)).items).toHaveLength(3);
	});

	it.each([null, 'text', 42, {}, new Error('x')])('is tried again: %p', async (error) => {
		expect((await failing(error)).items).toHaveLength(3);
	});

	it.each<[unknown, string]>([
		[coded('ENOTFOUND'), 'The host <host> was not found.'],
		[within(coded('ENOTFOUND')), 'The host <host> was not found.'],
		[{ httpCode: 'ENOTFOUND' }, 'The host <host> was not found.'],
		[coded('CERT_HAS_EXPIRED'), 'No secure connection to <host> could be made.'],
		[coded('ERR_SSL_WRONG_VERSION_NUMBER'), 'No secure connection to <host> could be made.'],
		[coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'No secure connection to <host> could be made.'],
		[named('SsrfBlockedIpError'), "n8n's SSRF protection does not allow requests to <host>."],
		[within(named('AbortError')), 'The request was cancelled.'],
		[coded('ERR_CANCELED'), 'The request was cancelled.'],
		[named('CanceledError'), 'The request was cancelled.'],
	])('is not tried again: %p', async (error, message) => {
		const run = await failing(error);
		expect(run.waited).toBe(0);
		expect(run.error?.message.replace(/tenant-\d+\.example\.test/, '<host>')).toBe(message);
	});

	it.each([
		['CERT_HAS_EXPIRED', 'Check whether the certificate of the host is valid.'],
		['EPROTO', 'Check the port of the Tenant API URL'],
	])('says what of a secure connection to look at: %s', async (code, remedy) => {
		expect((await failing(coded(code))).error?.description).toContain(remedy);
	});
});

describe('the bytes of a response', () => {
	const user = '{"data":[{"id":"a","name":"Zoë"}]}';

	it.each<[string | undefined, Buffer]>([
		['application/json', Buffer.from(user)],
		['application/json; charset=utf-8', Buffer.from(`\ufeff${user}`)],
		['application/json;Charset = "ISO-8859-1"', Buffer.from(user, 'latin1')],
		['text/plain; charset=windows-1252', Buffer.from(user, 'latin1')],
		['application/json; charset=utf-16le', Buffer.from(`\ufeff${user}`, 'utf16le')],
		['application/json; charset=unheard-of', Buffer.from(user)],
		[undefined, Buffer.from(user)],
	])('are decoded as it says: %s', async (type, body) => {
		const { items, error } = await readResponseWith(type, body);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ name: 'Zoë' }]);
	});

	it('are Windows-1252 with signs that Latin-1 has not, on every Node.js', async () => {
		const bytes = Buffer.from('[{"id":"a","name":"\x80\x93\x94"}]', 'latin1');
		const { items } = await readResponseWith('application/json; charset=windows-1252', bytes);
		expect(items).toMatchObject([{ name: '€“”' }]);
	});

	it.each<[string, Buffer]>([
		['application/json', Buffer.from(user, 'latin1')],
		['application/json; charset=utf-8', Buffer.from([0x7b, 0xc3])],
		['application/json; charset=shift_jis', Buffer.from([0x7b, 0x81])],
	])('are rejected if they are not text in the charset of %s', async (type, body) => {
		expect((await readResponseWith(type, body)).error?.message).toBe(
			'The response of the service has bytes that are not text in its charset.',
		);
		expect((await readResponseWith(type, body, 400)).error?.message).toContain('(status 400)');
	});

	it.each([null, undefined, 'text', 42, {}, { statusCode: '200', headers: null }])(
		'are missing in %p, which is no response',
		async (response) => {
			const { error } = await readResponse(response);
			expect(error?.message).toBe('The service failed (status 0).');
		},
	);

	async function readResponseWith(type: string | undefined, body: Buffer, statusCode = 200) {
		const headers = { 'X-Nothing': undefined, 'X-Number': 5, 'Content-Type': type };
		return await readResponse({ statusCode, headers, body });
	}

	async function readResponse(response: unknown) {
		const host = await hostWith();
		host.network.intercept(async (options, send) =>
			options.url.includes('/api/') ? response : await send(options),
		);
		return await listed(host);
	}
});

describe('the size of a response', () => {
	const MEGABYTE = Buffer.alloc(1024 * 1024, ' ');

	/** Responds under a path with so many megabytes, and what is JSON after them. */
	async function hostSending(path: string, megabytes: number, json: string, headers = {}) {
		const host = await hostWith();
		const counts = { megabytes: 0, requests: 0, closed: 0 };
		async function* stream() {
			counts.requests++;
			try {
				for (let sent = 0; sent < megabytes; sent++, counts.megabytes++) yield MEGABYTE;
				yield await Promise.resolve(Buffer.from(json));
			} finally {
				counts.closed++;
			}
		}
		host.network.intercept(async (options, send) =>
			options.url.includes(path)
				? { statusCode: 200, headers, body: stream() }
				: await send(options),
		);
		return { host, counts };
	}

	it.each<[string, number, number, string | undefined, object]>([
		['/api/', 63, 63, undefined, {}],
		['/api/', 64, 64, 'The response of the service has 65 MB or more. At most 64 MB are read.', {}],
		['/api/', Infinity, 64, 'The response of the service has 65 MB or more.', {}],
		['/api/', 3, 0, 'has 81 MB or more.', { 'Content-Length': String(81 * 1024 * 1024) }],
		['/auth/', Infinity, 1, 'The response of the authorization server has 2 MB or more.', {}],
	])('has a limit: of %s %d MB, %d are read', async (path, megabytes, read, message, headers) => {
		const json = path === '/api/' ? '[{"id":"a"}]' : '{"token":"synthetic"}';
		const { host, counts } = await hostSending(path, megabytes, json, headers);
		const run = await list(host, { returnAll: false, limit: 1 });
		// One that is too large would be as large if it were requested again.
		expect(counts).toEqual({ megabytes: read, requests: 1, closed: 1 });
		if (message === undefined) {
			expect(run.items).toHaveLength(1);
			return;
		}
		expect(run.error?.message).toContain(message);
		const remedy = path === '/api/' ? 'Set Page Size' : 'Check the Authorization Server URL';
		expect(run.error?.description).toContain(remedy);
		expect((await host.testConnection()).message).toContain(message);
	});
});

describe('a redirect', () => {
	/** Follows redirects to these locations, one after the other, then gets the list. */
	async function redirected(locations: string[], statusCode = 302) {
		const host = await hostWith();
		const { network, url } = host;
		const requested: IHttpRequestOptions[] = [];
		network.intercept(async (options, send) => {
			if (options.url.includes('/auth/')) return await send(options);
			requested.push(options);
			const location = locations[requested.length - 1]?.replace('<host>', new URL(url).host);
			if (location !== undefined) return { statusCode, headers: { location }, body: 'moved' };
			return await send({ ...options, url: `${url}/api/external/v2/users`, qs: { page: 0 } });
		});
		const { items, error } = await listed(host, { pageSize: 5 });
		const paths = requested.map(({ url: whole }) => whole.replace(url, ''));
		return { items, error, requested, paths };
	}

	it.each([301, 302, 303, 307, 308])('is followed within the origin: %d', async (status) => {
		const locations = ['/1', '/2?page=0&lang=en', '3'];
		const { items, paths, requested } = await redirected(locations, status);
		expect(items).toHaveLength(3);
		expect(paths).toEqual(['/api/external/v2/users', '/1', '/2?page=0&lang=en', '/3']);
		// One that has lost the query gets that of the request.
		const query = { page: 0, pageSize: 5 };
		expect(requested.map(({ qs }) => qs as object)).toEqual([query, query, undefined, query]);
		expect(requested[3]).toMatchObject({
			headers: requested[0]?.headers,
			timeout: requested[0]?.timeout,
		});
		expect(requested[0]).toMatchObject({ disableFollowRedirect: true });
	});

	it.each([
		'https://elsewhere.example.test/api/users',
		'https://a.<host>/api/users',
		'http://<host>/api/users',
		'https://<host>:8443/api/users',
		'//elsewhere.example.test/',
		'https://',
		'javascript:alert(1)',
	])('is an error if it leads to %s, at once or later', async (elsewhere) => {
		for (const before of [[], ['/1']]) {
			const { error, requested } = await redirected([...before, elsewhere]);
			expect(error?.message).toContain('is not followed (status 302)');
			expect(requested).toHaveLength(before.length + 1);
		}
	});

	it.each([
		['/api/external/v2/users', 'OK', 2],
		['https://elsewhere.example.test/users', 'Error', 1],
		['http://<host>/api/external/v2/users', 'Error', 1],
	])('of the Test button is followed within the origin, with its query: %s', async (...row) => {
		const [to, status, requests] = row;
		const host = await hostWith();
		host.network.add(host.url.replace('https:', 'http:'), host.service);
		const location = to.replace('<host>', new URL(host.url).host);
		host.service.set({ list: { faults: [{ status: 302, body: 'moved', headers: { location } }] } });
		expect(await host.testConnection()).toMatchObject({ status });
		const query = { page: '0', pageSize: '1' };
		expect(requestedPages(host)).toEqual(Array(requests).fill(query));
	});

	it('is an error after three others, or without a location', async () => {
		expect((await redirected(['/1', '/2', '/3', '/4', '/5'])).requested).toHaveLength(4);
		const { error } = await listed(await hostWith({ status: 302 }));
		expect(error?.message).toContain('is not followed (status 302)');
	});
});

describe('an error of the service', () => {
	const failed = (cause: string, retryAfterMs?: number) => {
		return { cause, ...(retryAfterMs !== undefined && { retryAfterMs }) };
	};
	const limited = (retryAfterMs?: number) => failed('rate-limited', retryAfterMs);
	const down = (retryAfterMs?: number) => failed('temporarily-unavailable', retryAfterMs);
	const [theirs, rate] = ['the side of the service', 'still limits the rate of requests'];
	// A poll has neither.
	const limits = 'less often. Lower Concurrency and raise Max Retries if the node has them.';

	it.each<[Fault, string, string, object | undefined]>([
		[{ status: 202 }, 'The service failed (status', theirs, down()],
		[{ status: 302 }, 'redirects the request', 'final URL', failed('configuration-invalid')],
		[{ status: 400 }, 'does not accept the parameters', 'Check Sort', undefined],
		[{ status: 401 }, 'rejects the access token', 'same service', failed('credential-invalid')],
		[{ status: 403 }, 'is not allowed to read /api/external/v2/users', 'Scope', undefined],
		[{ status: 403, retryAfter: '0' }, 'is not allowed to read', 'Scope', undefined],
		[{ status: 403, retryAfter: 9 }, rate, limits, limited(9000)],
		[{ status: 404 }, 'has nothing at /api/external/v2/users', 'API Version', undefined],
		[{ status: 413 }, 'does not accept the parameters', 'Page Size', undefined],
		[{ status: 429 }, rate, limits, limited()],
		[{ status: 429, retryAfter: 61 }, 'asks to wait 61 seconds', '', limited(61_000)],
		[{ status: 503, retryAfter: 61 }, 'asks to wait 61 seconds', '', down(61_000)],
		[{ status: 503, retryAfter: 3 }, 'The service failed (status', theirs, down(3000)],
		[{ status: 500 }, 'The service failed (status', theirs, down()],
		['reset', 'broke before the response', '', down()],
		['hang', 'did not respond in time', '', down()],
	])(
		'tells a person what to do, and n8n when to poll again: %j',
		async (force, what, remedy, failure) => {
			const host = await hostWith();
			const workflow = await publishAt(host);
			host.time.pass(60 * SECOND);
			host.service.set({ list: { force } });
			const error = await workflow.poll().catch((thrown: unknown) => thrown as Error);
			expect(error).toMatchObject({
				message: expect.stringMatching(/\. [A-Z][^]*[."]$/) as string,
				...(typeof force === 'object' && { httpCode: String(force.status) }),
			});
			// Of a poll that fails, n8n passes on the message alone when it publishes.
			for (const text of [what, remedy]) expect((error as Error).message).toContain(text);
			expect((error as { failure?: object }).failure).toEqual(failure);
		},
	);

	it('is quoted, but for secrets', async () => {
		const host = await hostWith();
		for (const status of [200, 400]) {
			const failWith = async (message: string) => {
				host.service.set({ list: { force: { status, body: { error: { message } } } } });
				return (await listed(host)).error?.description;
			};
			expect(await failWith('bad sort')).toMatch(/ The service said: "bad sort"\.$/);
			expect(await failWith(`bad ${host.service.clientSecret}`)).not.toContain('said');
		}
	});
});

it.each(['hang', 'stall', 'trickle'] as const)(
	'a time-out ends an attempt after as many milliseconds as it says: %s',
	async (force) => {
		const host = await hostWith();
		host.service.set({ list: { force } });
		const run = await listed(host, { timeout: 2000, maxRetries: 0 });
		expect(run.error?.message).toContain('did not respond in time');
		expect(run.waited).toBe(2000);
		expect(run.requests).toHaveLength(1);
	},
);

it('a time-out of more than 24 days does not run out at once', async () => {
	const host = await hostWithUsers({ users: 3 }, { latency: () => SECOND });
	expect((await listed(host, { timeout: 1e10, maxRetries: 0 })).items).toHaveLength(3);
});

it.each<[DeepPartial<Switches>, isClosed: boolean[]]>([
	[{ list: { force: { status: 503, retryAfter: 30 } } }, [false]],
	[{ list: { force: 'hang' } }, [true]],
	[{ token: { force: { status: 503, retryAfter: 30 } } }, []],
])('a canceled run ends at once, and sends nothing more: %j', async (switches, isClosed) => {
	for (const onError of [undefined, 'continueRegularOutput'] as const) {
		const host = await hostWith();
		host.service.set(switches);
		const requested = jest.spyOn(host.network, 'httpRequest');
		const canceled = new AbortController();
		const canceledAt = host.time.now() + 10 * SECOND;
		host.time.startTimer(10 * SECOND, () => canceled.abort());
		const run = await list(host, {}, { signal: canceled.signal, onError, items: [{}, {}] });
		expect(run.items).toEqual([]);
		expect(run.error?.message).toBe('The execution was cancelled.');
		expect(host.time.now()).toBe(canceledAt);
		const sent = listRequests(host).length;
		// The request for a token goes on, because other runs may wait for it.
		const lists = requested.mock.calls.filter(([{ url }]) => url.includes('/api/'));
		const signals = lists.map(([{ abortSignal }]) => abortSignal as AbortSignal);
		expect(signals.map(({ aborted }) => aborted)).toEqual(isClosed);
		await host.during(async () => await host.time.sleep(200 * SECOND));
		expect(listRequests(host)).toHaveLength(sent);
	}
});

it('a canceled run sends none of the requests that wait for their turn', async () => {
	const host = await hostWithUsers({ users: 200 }, { latency: () => SECOND });
	const canceled = new AbortController();
	let sent = 0;
	host.time.startTimer(5.5 * SECOND, () => {
		sent = host.service.requests.length;
		canceled.abort();
	});
	const options = { pageSize: 1, concurrency: 40 };
	const run = await list(host, { options }, { signal: canceled.signal });
	await host.time.runOut();
	expect(run.error?.message).toBe('The execution was cancelled.');
	expect(sent).toBeGreaterThan(2);
	expect(host.service.requests).toHaveLength(sent);
});

it('a run that was canceled before it began sends nothing, and waits for nothing', async () => {
	const host = await hostWith();
	host.service.set({ list: { force: 'hang' } });
	const startedAt = host.time.now();
	const { error } = await list(host, {}, { signal: AbortSignal.abort() });
	expect(error?.message).toBe('The execution was cancelled.');
	expect(host.time.now()).toBe(startedAt);
});

it.each<[string, Fault]>([
	['wait for their turn', { status: 429, retryAfter: 30 }],
	['are to be tried again', { status: 502 }],
])('what has failed sends none of the requests that %s', async (_, fault) => {
	const parameters = { resource: 'visit', options: { pageSize: 10 } };
	for (const node of ['action', 'polling'] as const) {
		const host = await hostWithUsers({ visits: 50 });
		const pageFaults = [
			{ page: 1, fault: { status: 500 }, times: 0 },
			{ page: 2, fault },
		];
		host.service.set({ list: { pageFaults } });
		// What is left of a poll is for the next one.
		if (node === 'polling') await publishAt(host, parameters);
		else expect((await list(host, parameters)).error?.message).toContain('status 500');
		const sent = listRequests(host).length;
		await host.during(async () => await host.time.sleep(60 * SECOND));
		expect(listRequests(host)).toHaveLength(sent);
	}
});

it('a connection is closed at the end of the time for its response', async () => {
	const host = await hostWith();
	const workflow = await publishAt(host);
	host.service.set({ list: { force: 'hang' } });
	const sent = jest.spyOn(host.network, 'httpRequest');
	await expect(workflow.poll()).rejects.toThrow('did not respond in time');
	const signals = sent.mock.calls.map(([{ abortSignal }]) => abortSignal as AbortSignal);
	expect(signals.map(({ aborted }) => aborted)).not.toContain(false);
});
