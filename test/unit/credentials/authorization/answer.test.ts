import { readTokenAnswer } from '../../../../credentials/authorization/answer';
import { ServiceFailure } from '../../../../nodes/VisitorService/failure/serviceFailure';
import fc from '../../../properties';
import { thrownFailure } from '../thrownFailure';

const TOKEN = 'synthetic-token-0001';
const SECRET = 'synthetic-secret-0001';

const read = (body: unknown, answerPath = '') =>
	readTokenAnswer(body, { answerPath, clientSecret: SECRET });

describe('readTokenAnswer', () => {
	it.each([
		[{ access_token: TOKEN, token_type: 'Bearer', expires_in: 3600 }, 'access_token'],
		[{ accessToken: TOKEN, tokenType: 'bearer', expiresIn: 3600 }, 'accessToken'],
		[{ AccessToken: TOKEN }, 'AccessToken'],
		[{ 'access-token': TOKEN }, 'access-token'],
		[{ ACCESS_TOKEN: TOKEN, EXPIRES_IN: 60 }, 'ACCESS_TOKEN'],
		[{ Access_Token: TOKEN }, 'Access_Token'],
		[{ AuthToken: TOKEN }, 'AuthToken'],
		[{ token: TOKEN, token_type: 'BEARER' }, 'token'],
		[{ jwt: TOKEN }, 'jwt'],
		[{ authToken: TOKEN }, 'authToken'],
		[{ data: { access_token: TOKEN } }, 'data.access_token'],
		[{ result: { accessToken: TOKEN } }, 'result.accessToken'],
		[{ token: { access_token: TOKEN } }, 'token.access_token'],
		[[{ access_token: TOKEN }], '0.access_token'],
		[{ access_token: `Bearer ${TOKEN}` }, 'access_token'],
		[{ access_token: ` ${TOKEN}\n` }, 'access_token'],
		[{ access_token: TOKEN, token_type: null }, 'access_token'],
		[{ access_token: TOKEN, token_type: '' }, 'access_token'],
		[{ access_token: TOKEN, token_type: 'BearerToken' }, 'access_token'],
		[{ access_token: TOKEN, token_type: 'Bearer ' }, 'access_token'],
		[{ access_token: TOKEN, token_type: 'bearer_token' }, 'access_token'],
		[{ access_token: TOKEN, token_type: 'JWT' }, 'access_token'],
		[{ access_token: TOKEN, token_type: 'access_token' }, 'access_token'],
		[{ session: { id_token: 'other' }, oauth: { access_token: TOKEN } }, 'oauth.access_token'],
		[{ user: { token: 'other' }, auth: { access_token: TOKEN } }, 'auth.access_token'],
		[{ refresh: { token: 'other' }, access: { token: TOKEN } }, 'access.token'],
	])('finds the token in %j', (body, field) => {
		expect(read(body)).toMatchObject({ accessToken: TOKEN, field });
	});

	it('prefers the standard name, and what stands higher', () => {
		expect(read({ jwt: 'other', access_token: TOKEN }).field).toBe('access_token');
		expect(read({ session: { access_token: 'other' }, token: TOKEN }).field).toBe('token');
		expect(read({ access_token: TOKEN, request: { token: 'other' } }).field).toBe('access_token');
	});

	it.each([
		['data.value', { data: { value: TOKEN }, access_token: 'other' }],
		['secrets.0.value', { secrets: [{ value: TOKEN }] }],
		['a.b', { 'a.b': TOKEN }],
	])('takes the one at the Token Field %s', (path, body) => {
		expect(read(body, path)).toMatchObject({ accessToken: TOKEN, field: path });
	});

	it.each([['MAC'], ['N_A'], ['DPoP']])('refuses a token of the type %s', async (type) => {
		for (const body of [
			{ access_token: TOKEN, token_type: type },
			{ token_type: type, data: { access_token: TOKEN } },
			{ access_token: TOKEN, 'Token-Type': type },
		]) {
			const failure = await thrownFailure(() => read(body));
			expect(failure.message).toBe(
				'The authorization server issued a token that is not of the type Bearer.',
			);
		}
	});

	it.each([
		[3600, 3600],
		['3600', 3600],
		[0.5, 0.5],
		[0, undefined],
		[-1, undefined],
		['soon', undefined],
		[null, undefined],
		// As milliseconds would be.
		[36_000_000, undefined],
	])('takes expires_in %j for %p seconds', (expires_in, lifetime) => {
		expect(read({ access_token: TOKEN, expires_in }).lifetime).toBe(lifetime);
		expect(read({ data: { access_token: TOKEN }, expires_in }).lifetime).toBe(lifetime);
	});

	it('looks at a long token type once', () => {
		const token_type = '\n'.repeat(100_000);
		expect(read({ access_token: TOKEN, token_type }).accessToken).toBe(TOKEN);
	});

	it('reads the type beside the token before one further out', () => {
		expect(
			read({ token_type: 'MAC', data: { access_token: TOKEN, token_type: 'Bearer' } }).accessToken,
		).toBe(TOKEN);
	});

	it.each([
		['<!doctype html><html><body>Sign in 1</body></html>', 'text instead of JSON'],
		['{"access_token":"synthetic', 'text instead of JSON'],
		['Unauthorized', 'text instead of JSON'],
		['ServiceUnavailable', 'text instead of JSON'],
		['Error 503 upstream-connect-error-1', 'text instead of JSON'],
		['', 'holds no access token'],
		[undefined, 'holds no access token'],
		[null, 'holds no access token'],
		[42, 'holds no access token'],
		[true, 'holds no access token'],
		[[], 'holds no access token'],
		[{}, 'holds no access token'],
		[{ access_token: null }, 'holds no access token'],
		[{ access_token: '' }, 'holds no access token'],
		[{ access_token: 42 }, 'holds no access token'],
		[{ access_token: [TOKEN] }, 'holds no access token'],
		[{ a: { b: { access_token: TOKEN } } }, 'holds no access token'],
		[{ id_token: TOKEN }, 'holds no access token'],
		[TOKEN, 'text instead of JSON'],
		[{ error: { token: TOKEN } }, 'holds no access token'],
		[{ access_token: 'two words' }, 'cannot be sent'],
		[{ access_token: 'line\nbreak' }, 'cannot be sent'],
		[{ access_token: 'tökén' }, 'cannot be sent'],
		[{ access_token: 'Bearer ' }, 'cannot be sent'],
	])('refuses the token answer %j and says why: %s', async (body, what) => {
		const failure = await thrownFailure(() => read(body));
		expect(failure.message).toContain(what);
		// A page of text or nothing at all may be an outage, where a poll is to be tried again soon.
		const mayBeOutage = typeof body === 'string' || body === null || body === undefined;
		expect(failure.kind).toBe(mayBeOutage ? 'answer' : 'authorization');
		expect(failure.remedy).toMatch(/^(Set Token Field|Check the Authorization Server URL)/);
	});

	it.each(['={{ $self.clientSecret }}', '=', '={{ $env.N8N_ENCRYPTION_KEY }}'])(
		'refuses the token %j, which n8n would run as an expression',
		async (token) => {
			for (const body of [{ access_token: token }, { access_token: `Bearer ${token}` }]) {
				expect((await thrownFailure(() => read(body))).message).toContain('cannot be sent');
			}
		},
	);

	it.each([
		['data.token', { access_token: TOKEN }],
		['expires_in', { expires_in: 3600 }],
		['data', { data: { token: TOKEN } }],
		['x', null],
	])('says what the Token Field %s leads to in %j', async (path, body) => {
		const failure = await thrownFailure(() => read(body, path));
		expect(failure.message).toBe(
			'The answer of the authorization server holds no access token at the dot path in Token Field.',
		);
		expect(failure.remedy).toContain('Set Token Field in the credential to the dot path');
	});

	it('names the fields it saw', async () => {
		const failure = await thrownFailure(() => read({ session: 'x', expires_in: 5 }));
		expect(failure.remedy).toBe(
			'Set Token Field in the credential to the dot path of the access token. Fields seen: session, expires_in.',
		);
	});

	it('names the paths of fields in objects', async () => {
		const failure = await thrownFailure(() => read({ login: { session: 'x' }, 'a@b.test': 1 }));
		expect(failure.remedy).toMatch(/ Fields seen: login\.session\.$/);
	});

	it('shows nothing of an answer that echoes the request', async () => {
		const form = `grant_type=client_credentials&client_secret=${SECRET}`;
		const bodies = [
			{ request: { client_secret: SECRET } },
			{ [form]: '' },
			{ [SECRET]: '' },
			{ [`x${SECRET}`]: '' },
			{ [Buffer.from('synthetic').toString('hex')]: '' },
			form,
			{ access_token: `${SECRET} ${SECRET}` },
			{ [SECRET]: { access_token: 'two words' } },
			{ token_type: SECRET, access_token: TOKEN },
		];
		for (const body of bodies) {
			const { message, description } = await thrownFailure(() => read(body));
			expect(`${message} ${description}`).not.toContain('synthetic');
			expect(`${message} ${description}`).not.toContain(Buffer.from('synthetic').toString('hex'));
		}
	});

	it('names no field that the secret has a part in', async () => {
		const body = { canary: 1, xcanaryx: 2, ary: 3, other: 4 };
		const failure = await thrownFailure(() =>
			readTokenAnswer(body, { answerPath: '', clientSecret: 'canary' }),
		);
		expect(failure.remedy).toMatch(/ Fields seen: other\.$/);
	});

	it('returns a token that can be sent, or a failure, whatever comes', () => {
		fc.assert(
			fc.property(fc.jsonValue({ maxDepth: 4 }), fc.string(), (body, answerPath) => {
				let token: string;
				try {
					token = read(body, answerPath).accessToken;
				} catch (error) {
					expect(error).toBeInstanceOf(ServiceFailure);
					return;
				}
				expect(token).toMatch(/^[\x21-\x3c\x3e-\x7e][\x21-\x7e]*$/);
			}),
		);
	});
});
