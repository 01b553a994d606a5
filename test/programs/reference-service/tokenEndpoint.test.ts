import type { TokenSwitches } from '../../reference-service';
import { referenceServices } from './services';

const start = referenceServices();

const body = (changes: Partial<TokenSwitches>) =>
	start({ switches: { token: changes }, clock: () => Date.UTC(2026, 0, 1) }).then(
		async ({ exchange }) => (await exchange()).json,
	);

const aToken: unknown = expect.stringMatching(/^reference-token-1-\S{10,}$/);

describe('the form', () => {
	it('answers the form with a token of RFC 6749, never to be kept', async () => {
		const { exchange } = await start();
		const answer = await exchange();
		expect(answer.status).toBe(200);
		expect(answer.json).toEqual({ access_token: aToken, token_type: 'Bearer', expires_in: 3600 });
		expect(answer.headers['cache-control']).toBe('no-store');
		expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
	});

	it('carries any secret', async () => {
		const clientSecret = ' a&b=c+d%20e/\u00e4\u20ac\u{1f511}"\'\\\n';
		const { exchange } = await start({ clientSecret });
		expect((await exchange()).status).toBe(200);
		expect((await exchange({ client_secret: clientSecret.trim() })).status).toBe(401);
	});

	it.each([
		['an unknown client', { client_id: 'somebody' }, 401, 'invalid_client'],
		['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
		['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
		['no grant', { grant_type: undefined }, 400, 'invalid_request'],
		['no client', { client_id: undefined }, 400, 'invalid_request'],
		['an empty secret', { client_secret: '' }, 400, 'invalid_request'],
	])('refuses an exchange with %s', async (_, fields, status, error) => {
		const { exchange, service } = await start();
		const answer = await exchange(fields);
		expect(answer.status).toBe(status);
		expect(answer.json).toEqual({ error, error_description: expect.any(String) as unknown });
		expect(service.tokensIssued).toBe(0);
	});

	it.each([
		['JSON', 'application/json', '{"grant_type":"client_credentials"}'],
		['broken JSON', 'application/json', '{'],
		['plain text', 'text/plain', 'grant_type=client_credentials'],
		['a repeated field', 'application/x-www-form-urlencoded', 'grant_type=a&grant_type=b'],
		['nothing', 'application/x-www-form-urlencoded', ''],
	])('the form may not be %s', async (_, type, sent) => {
		const { call } = await start();
		const answer = await call('/auth/app-oauth', {
			method: 'POST',
			headers: { 'content-type': type },
			body: sent,
		});
		expect(answer.status).toBe(400);
		expect(answer.json).toMatchObject({ error: 'invalid_request' });
	});

	it('the form may name its charset', async () => {
		const { call } = await start();
		const answer = await call('/auth/app-oauth', {
			method: 'POST',
			headers: { 'content-type': 'Application/X-WWW-form-urlencoded; charset=UTF-8' },
			body: 'grant_type=client_credentials&client_id=reference-client&client_secret=reference-secret',
		});
		expect(answer.status).toBe(200);
	});

	it('the form is a POST', async () => {
		const { call } = await start();
		expect((await call('/auth/app-oauth')).status).toBe(404);
	});

	it('invalidClientStatus: refuses a wrong client with another status', async () => {
		const { exchange } = await start({ switches: { token: { invalidClientStatus: 400 } } });
		expect((await exchange({ client_id: 'x' })).status).toBe(400);
	});
});

describe('answer', () => {
	const besides = { token_type: 'Bearer', expires_in: 3600 };
	const rfc = { access_token: aToken, ...besides };

	it.each([
		['camelCase', { accessToken: aToken, tokenType: 'Bearer', expiresIn: 3600 }],
		['token', { token: aToken, ...besides }],
		['jwt', { jwt: aToken, ...besides }],
		['id_token', { id_token: aToken, ...besides }],
		['authToken', { authToken: aToken, ...besides }],
		['bearer_token', { bearer_token: aToken, ...besides }],
		['authorizationToken', { authorizationToken: aToken, ...besides }],
		['data', { data: rfc }],
		['result', { result: rfc }],
		['deep', { data: { type: 'token', attributes: rfc } }],
		['array', [rfc]],
		['jsonString', aToken],
		['noToken', besides],
		['nullToken', { ...besides, access_token: null }],
		['emptyToken', { ...besides, access_token: '' }],
		['numberToken', { ...besides, access_token: 42 }],
		['error200', { error: 'invalid_client', error_description: expect.any(String) as unknown }],
	] as const)('answers with the token in the shape %s', async (answer, expected) => {
		expect(await body({ answer })).toEqual(expected);
	});

	const form = {
		grant_type: 'client_credentials',
		client_id: 'reference-client',
		client_secret: 'reference-secret',
	};

	it('echo returns the request with the secret', async () => {
		expect(await body({ answer: 'echo' })).toEqual({ request: form });
		expect(await body({ answer: 'echoWithToken' })).toEqual({ ...rfc, request: form });
	});

	it('fills in the template of an answer', async () => {
		const template = { auth: { bearer: 'x {token}', seconds: '{expiresIn}', other: '{else}' } };
		expect(await body({ answer: { template } })).toEqual({
			auth: {
				bearer: expect.stringMatching(/^x reference-token-1-/) as unknown,
				seconds: 3600,
				other: '{else}',
			},
		});
	});

	it.each([
		['bareString', 'text/plain; charset=utf-8', /^reference-token-1-/],
		['html', 'text/html; charset=utf-8', /^<!doctype html>/],
		['empty', undefined, /^$/],
	] as const)('answers without a JSON object in the shape %s', async (answer, type, text) => {
		const { exchange } = await start({ switches: { token: { answer } } });
		const answered = await exchange();
		expect(answered.status).toBe(200);
		expect(answered.headers['content-type']).toBe(type);
		expect(answered.text).toMatch(text);
	});

	it('status and contentType', async () => {
		const { exchange } = await start({
			switches: { token: { status: 201, contentType: 'text/html' } },
		});
		expect(await exchange()).toMatchObject({
			status: 201,
			headers: { 'content-type': 'text/html' },
		});
	});

	it('names the type and the scope of a token', async () => {
		expect(await body({ tokenType: 'MAC', scope: 'users:read' })).toMatchObject({
			token_type: 'MAC',
			scope: 'users:read',
		});
		expect(await body({ tokenType: null })).toEqual({ access_token: aToken, expires_in: 3600 });
	});

	it('issues tokens with a prefix, or as JWT', async () => {
		expect(await body({ prefix: 'canary-' })).toMatchObject({
			access_token: expect.stringMatching(/^canary-1-/) as unknown,
		});
		const { access_token: jwt } = (await body({ format: 'jwt' })) as { access_token: string };
		const content: unknown = JSON.parse(
			Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString(),
		);
		expect(content).toEqual({
			sub: 'reference-client',
			iat: Date.UTC(2026, 0, 1) / 1000,
			exp: Date.UTC(2026, 0, 1, 1) / 1000,
			jti: '1',
		});
	});
});

describe('expiresIn', () => {
	it.each([
		['number', { expires_in: 3600 }],
		['string', { expires_in: '3600' }],
		['missing', {}],
		['null', { expires_in: null }],
		['zero', { expires_in: 0 }],
		['negative', { expires_in: -3600 }],
		['absurd', { expires_in: 1e15 }],
		['text', { expires_in: 'one hour' }],
		['fraction', { expires_in: 3600.5 }],
		['milliseconds', { expires_in: 3_600_000 }],
		['expires_at_iso', { expires_at: '2026-01-01T01:00:00.000Z' }],
		['expires_at_epoch_s', { expires_at: Date.UTC(2026, 0, 1, 1) / 1000 }],
		['expires_at_epoch_ms', { expires_at: Date.UTC(2026, 0, 1, 1) }],
		['expires_iso', { expires: '2026-01-01T01:00:00.000Z' }],
		['expires_epoch_s', { expires: Date.UTC(2026, 0, 1, 1) / 1000 }],
		['expires_http_date', { expires: 'Thu, 01 Jan 2026 01:00:00 GMT' }],
	] as const)('writes the lifetime as %s', async (expiresIn, expected) => {
		expect(await body({ expiresIn })).toEqual({
			access_token: aToken,
			token_type: 'Bearer',
			...expected,
		});
	});

	it('sends any value as the lifetime', async () => {
		expect(await body({ expiresIn: { value: [1] } })).toMatchObject({ expires_in: [1] });
	});

	it('announces another lifetime than tokens have', async () => {
		expect(await body({ lifetimeSeconds: 1, announcedLifetimeSeconds: 7 })).toMatchObject({
			expires_in: 7,
		});
	});

	it('follows the clock of the service', async () => {
		const { exchange } = await start({
			clock: () => Date.UTC(2026, 0, 1),
			switches: { clockOffsetMs: 3_600_000, token: { expiresIn: 'expires_at_iso' } },
		});
		const answer = await exchange();
		expect(answer.json).toMatchObject({ expires_at: '2026-01-01T02:00:00.000Z' });
		expect(answer.headers.date).toBe('Thu, 01 Jan 2026 01:00:00 GMT');
	});
});

describe('otherwise', () => {
	it.each([
		['text', 'text/plain; charset=utf-8', /^The client is unknown/],
		['html', 'text/html; charset=utf-8', /<h1>401 invalid_client/],
		['problem', 'application/problem+json', /"status":401/],
		['empty', undefined, /^$/],
		['echo', 'application/json; charset=utf-8', /"client_secret":"wrong"/],
	] as const)('refuses in the error style %s', async (errorStyle, type, text) => {
		const { exchange } = await start({ switches: { token: { errorStyle } } });
		const answer = await exchange({ client_secret: 'wrong' });
		expect(answer.status).toBe(401);
		expect(answer.headers['content-type']).toBe(type);
		expect(answer.text).toMatch(text);
	});

	it('redirects an exchange if it is told to', async () => {
		const { exchange, service } = await start({
			switches: { token: { redirectTo: 'http://127.0.0.1:1/other', redirectStatus: 308 } },
		});
		const answer = await exchange();
		expect(answer.status).toBe(308);
		expect(answer.headers.location).toBe('http://127.0.0.1:1/other');
		expect(service.tokensIssued).toBe(0);
	});

	it('answers as forced until force is taken away', async () => {
		const { exchange, service } = await start({
			switches: { token: { force: { status: 503, retryAfter: 2, body: 'busy' } } },
		});
		for (let times = 0; times < 2; times++) {
			expect(await exchange()).toMatchObject({
				status: 503,
				text: 'busy',
				headers: { 'retry-after': '2', 'content-type': 'text/plain; charset=utf-8' },
			});
		}
		service.set({ token: { force: 'none' } });
		expect((await exchange()).status).toBe(200);
	});

	it('faults, one per request', async () => {
		const { exchange, service } = await start({
			switches: { token: { faults: ['reset', { status: 500 }, 'none', 'cut'] } },
		});
		await expect(exchange()).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect((await exchange()).status).toBe(500);
		expect((await exchange()).status).toBe(200);
		await expect(exchange()).rejects.toThrow();
		expect(service.switches.token.faults).toEqual([]);
		expect((await exchange()).status).toBe(200);
		expect(service.requests.map(({ status }) => status)).toEqual([0, 500, 200, 200, 200]);
	});

	it('waits before it answers', async () => {
		const { exchange, service } = await start({ switches: { token: { latencyMs: 40 } } });
		const began = performance.now();
		expect((await exchange()).status).toBe(200);
		// A timer may fire up to a millisecond early.
		expect(performance.now() - began).toBeGreaterThanOrEqual(39);

		service.set({ token: { latencyMs: 3_600_000 } });
		const ended = Promise.allSettled([exchange(), exchange(), exchange()]);
		while (service.requests.length < 4) await new Promise(setImmediate);
		expect(service.summary().peakInFlight).toBe(3);
		expect(service.tokensIssued).toBe(1);
		await service.stop();
		expect((await ended).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
	});
});
