import { explainTokenRefusal } from '../../../../credentials/authorization/refusal';

const SECRET = 'synthetic-secret-0001';
const CLIENT = { answerPath: '', clientSecret: SECRET };
const explain = (statusCode: number, body?: unknown, headers: Record<string, string> = {}) =>
	explainTokenRefusal({ statusCode, headers, body }, CLIENT, 0);

describe('explainTokenRefusal', () => {
	it.each([
		[200, { access_token: 'x' }],
		[201, { access_token: 'x' }],
		[200, { access_token: 'x', error: null }],
		[200, { access_token: 'x', error: '' }],
		[200, { access_token: 'x', error: false }],
		[200, { access_token: 'x', error: 0 }],
		[200, { access_token: 'x', error: {} }],
		[200, { access_token: 'x', error: [] }],
		[200, { access_token: 'x', error: 'none' }],
		[200, { access_token: 'x', error: { code: 0, message: null } }],
		[200, { access_token: 'x', error: { code: 200, message: 'OK' } }],
		[200, { access_token: 'x', error: 'No errors' }],
		[200, { data: { token: 'x' }, error: { count: 0 } }],
		[200, 'text'],
		[200, undefined],
		[204, null],
	])('takes %d %j for a success', (status, body) => {
		expect(explain(status, body)).toBeUndefined();
	});

	// RFC 6749 §5.2, in the order of the RFC.
	it.each([
		['invalid_request', 'cannot read the token request', 'Authorization Server URL'],
		['invalid_client', 'does not accept the client ID and secret', 'Client Secret'],
		['invalid_grant', 'does not accept the grant', 'is active'],
		['unauthorized_client', 'does not allow this client ID the grant', 'client_credentials'],
		['unsupported_grant_type', 'does not support client_credentials', 'Authorization Server URL'],
		['invalid_scope', 'does not know the scope of this client ID', 'scope'],
	])('says what %s means, whatever the status', (code, what, remedy) => {
		for (const status of [400, 401, 403, 200, 500]) {
			const failure = explain(status, { error: code, error_description: SECRET });
			expect(failure?.message).toBe(
				`The authorization server ${what} (${code}), status ${status}.`,
			);
			expect(failure?.remedy).toContain(remedy);
			expect(failure?.description).not.toContain(SECRET);
			expect(failure).toMatchObject({ kind: 'authorization', statusCode: status });
		}
	});

	it.each([
		[301, 'redirects the token request', 'final URL', 'configuration'],
		[302, 'redirects the token request', 'final URL', 'configuration'],
		[307, 'redirects the token request', 'final URL', 'configuration'],
		[308, 'redirects the token request', 'final URL', 'configuration'],
		[400, 'rejected the token request', 'Client ID', 'authorization'],
		[401, 'does not accept the client ID and secret', 'Client Secret', 'authorization'],
		[403, 'does not allow this client ID to get a token', 'service provider', 'permission'],
		[404, 'has no token endpoint at /auth/app-oauth', 'Authorization Server URL', 'notFound'],
		[405, 'has no token endpoint at /auth/app-oauth', 'Authorization Server URL', 'notFound'],
		[408, 'failed to answer the token request', 'side of the service', 'service'],
		[410, 'has no token endpoint at /auth/app-oauth', 'Authorization Server URL', 'notFound'],
		[415, 'does not read form fields', 'Authorization Server URL', 'configuration'],
		[418, 'rejected the token request', 'Authorization Server URL', 'authorization'],
		[425, 'failed to answer the token request', 'side of the service', 'service'],
		[429, 'limits the rate of token requests', 'later', 'rateLimit'],
		[500, 'failed to answer the token request', 'side of the service', 'service'],
		[502, 'failed to answer the token request', 'side of the service', 'service'],
		[503, 'failed to answer the token request', 'side of the service', 'service'],
		[504, 'failed to answer the token request', 'side of the service', 'service'],
		[0, 'refused the request', 'Client ID', 'authorization'],
	])('says what status %d means', (status, what, remedy, kind) => {
		const failure = explain(status, `<html>${SECRET}</html>`);
		expect(failure?.message).toContain(`The authorization server ${what}`);
		expect(failure?.message).toContain(`status ${status}.`);
		expect(failure?.remedy).toContain(remedy);
		expect(failure).toMatchObject({ kind, statusCode: status, serverText: undefined });
	});

	it.each([' x', 'x ', 'x\n'])(
		'says that the refused secret %j has a space at its edge',
		(secret) => {
			const answer = { statusCode: 401, headers: {}, body: { error: 'invalid_client' } };
			const refusal = explainTokenRefusal(answer, { answerPath: '', clientSecret: secret }, 0);
			expect(refusal?.remedy).toMatch(/ The Client Secret begins or ends with a space\.$/);
			expect(explain(401)?.remedy).not.toContain('space');
		},
	);

	it.each([429, 503])('keeps how long to wait after %d', (status) => {
		expect(explain(status, undefined, { 'retry-after': '45' })?.retryAfter).toBe(45_000);
	});

	it.each([
		[{ error: 'something_else' }],
		[{ error: { code: 7 } }],
		[{ error: true }],
		[{ error: 1 }],
		[{ Error: 'something_else' }],
		[{ error: { token: 'x', code: 7 } }],
		[{ access_token: '', error: { code: 7 } }],
	])('takes %j with status 200 for a refusal', (body) => {
		expect(explain(200, body)?.message).toBe(
			'The authorization server refused the request instead of issuing a token, status 200.',
		);
	});

	it('looks for the token where Token Field says', () => {
		const answer = {
			statusCode: 200,
			headers: {},
			body: { error: { code: 7 }, secret: { key: 'x' } },
		};
		expect(explainTokenRefusal(answer, { ...CLIENT, answerPath: 'secret.key' }, 0)).toBeUndefined();
		expect(explainTokenRefusal(answer, { ...CLIENT, answerPath: 'secret.other' }, 0)?.message).toBe(
			'The authorization server refused the request instead of issuing a token, status 200.',
		);
	});

	it.each(['constructor', '__proto__', 'toString', SECRET])(
		'shows nothing of the error code %s, which no RFC names',
		(error) => {
			const failure = explain(400, { error, error_description: SECRET });
			expect(failure?.message).toBe(
				'The authorization server rejected the token request, status 400.',
			);
			expect(failure?.description).not.toContain(SECRET);
		},
	);
});
