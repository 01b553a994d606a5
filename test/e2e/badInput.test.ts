import { itemsOf } from '../n8n/execution';
import { LIST_NODE, Testbed } from './harness/testbed';

const SECRET = 'canary-secret-5f1e';

let testbed: Testbed;

beforeAll(async () => {
	testbed = await Testbed.open({ clientSecret: SECRET });
	await testbed.service.seed('users', 3);
});

afterAll(async () => {
	await testbed.close();
});

beforeEach(() => {
	testbed.service.resetSwitches();
	testbed.service.clearRequests();
	// The tokens of the tests before are still known to n8n's process.
	testbed.service.revokeTokens();
});

/** What happened, in one sentence, and what to do, in another. */
function expectTwoSentences(message: unknown, description: unknown): void {
	expect(message).toMatch(/^[A-Z].*\.$/);
	expect(description).toMatch(/^[A-Z].*\.$/);
}

describe('A credential that cannot work', () => {
	it.each([
		['no scheme', { baseUrl: 'tenant.example.com' }, /Tenant API URL is not a valid URL/],
		['blank', { baseUrl: '   ' }, /Tenant API URL is empty/],
		['a blank inside', { authUrl: 'https://auth .example.com' }, /URL is not a valid URL/],
		['query', { baseUrl: 'https://tenant.example.com/?a=b' }, /has a query or a fragment/],
		['password', { authUrl: 'https://me:pass@auth.example.com' }, /has a user name or password/],
		['plain http', { baseUrl: 'http://tenant.example.com' }, /is plain http/],
		// n8n 1.123 itself refuses to store an empty one.
		['a blank client', { clientId: '  ' }, /Client ID is empty/],
	])(
		'says what is wrong with a credential without a request: %s',
		async (_name, changes, message) => {
			const execution = await testbed.list(await testbed.createCredential(changes));

			expect(execution.status).toBe('error');
			expect(execution.error?.message).toMatch(message);
			expect(execution.error?.itemIndex).toBe(0);
			expectTwoSentences(execution.error?.message, execution.error?.description);
			expect(testbed.service.requests).toHaveLength(0);
		},
	);

	it('says that the client ID and secret are not accepted', async () => {
		const execution = await testbed.list(await testbed.createCredential({ clientId: 'nobody' }));
		expect(execution.error?.message).toBe(
			'The authorization server does not accept the client ID and secret (invalid_client), status 401.',
		);
		expectTwoSentences(execution.error?.message, execution.error?.description);
	});

	it('names a host that does not exist', async () => {
		const execution = await testbed.list(
			await testbed.createCredential({ baseUrl: 'https://tenant.invalid' }),
			{ options: { maxRetries: 0 } },
		);
		expect(execution.error?.message).toMatch(/tenant\.invalid/);
		expect(execution.error?.description).toMatch(/Tenant API URL/);
	});

	it('says that a server refuses the connection', async () => {
		const execution = await testbed.list(
			await testbed.createCredential({ baseUrl: 'http://127.0.0.1:9' }),
			{ options: { maxRetries: 0 } },
		);
		expect(execution.error?.message).toBe('127.0.0.1:9 refused the connection.');
		expect(execution.error?.description).toMatch(/Tenant API URL/);
	});
});

describe('An answer that is not what was asked for', () => {
	it.each([
		['HTML', { list: { force: 'html' as const } }, /answered with a web page/],
		['no token', { token: { answer: 'noToken' as const } }, /holds no access token/],
		['an echo of the request', { token: { answer: 'echo' as const } }, /no access token/],
		['HTML for a token', { token: { answer: 'html' as const } }, /text instead of JSON/],
		['a number', { list: { force: 'number' as const } }, /answered with a number/],
		['an error', { list: { force: 'errorObject200' as const } }, /refused the request/],
		['truncated JSON', { list: { force: 'truncatedJson' as const } }, /not complete JSON/],
	])(
		'says what is wrong with an answer and repeats no secret: %s',
		async (_name, switches, message) => {
			testbed.service.set(switches);
			const execution = await testbed.list(await testbed.createCredential());

			expect(execution.status).toBe('error');
			expect(execution.error?.message).toMatch(message);
			expectTwoSentences(execution.error?.message, execution.error?.description);
			expect(execution.stored).not.toContain(SECRET);
			expect(execution.stored).not.toContain('reference-token');
		},
	);

	it('names the fields of an answer without a list', async () => {
		testbed.service.set({ list: { envelope: { template: { status: 'fine', size: 1 } } } });
		const execution = await testbed.list(await testbed.createCredential());
		expect(execution.error?.message).toBe(
			'The answer holds no list of records. Fields seen: status, size.',
		);
		expect(execution.error?.description).toMatch(/Items Path/);
	});
});

describe('A parameter that cannot be', () => {
	it.each([
		['negative page', { page: -1 }, /Page must be a whole number, 0 or more/],
		['fractional page', { page: 1.5 }, /Page must be a whole number/],
		['page size 0', { options: { pageSize: 0 } }, /Page Size must be a whole number, 1 or more/],
		['limit 0', { limit: 0 }, /Limit must be a whole number, 1 or more/],
		[
			'unreadable time',
			{ filters: { updatedSince: 'the day before' } },
			/Updated Since is not a point in time/,
		],
	])(
		'fails the item and says what is wrong with a parameter: %s',
		async (_name, parameters, message) => {
			const execution = await testbed.list(await testbed.createCredential(), parameters);
			expect(execution.error?.message).toMatch(message);
			expect(execution.error?.itemIndex).toBe(0);
			expectTwoSentences(execution.error?.message, execution.error?.description);
		},
	);

	it('puts the error into the item with Continue On Fail', async () => {
		const execution = await testbed.list(
			await testbed.createCredential(),
			{ page: -1 },
			{ onError: 'continueRegularOutput' },
		);
		expect(execution.status).toBe('success');
		const [item] = itemsOf(execution, LIST_NODE);
		expect(Object.keys(item ?? {}).sort()).toEqual(['description', 'error']);
		expectTwoSentences(item?.error, item?.description);
	});

	it('tells the status with Continue On Fail, if there is one', async () => {
		testbed.service.set({ list: { force: { status: 500 } } });
		const execution = await testbed.list(
			await testbed.createCredential(),
			{},
			{ onError: 'continueRegularOutput' },
		);
		expect(itemsOf(execution, LIST_NODE)[0]).toMatchObject({
			error: 'The service failed to answer (status 500).',
			statusCode: 500,
		});
	});
});

describe('The Test button', () => {
	it('turns green if it gets a token and can read users', async () => {
		const { passed, message } = await testbed.testCredential();
		expect(message).toMatch(/^Connection successful/);
		expect(passed).toBe(true);
		expect(testbed.service.requests.map(({ path }) => path)).toEqual([
			'/auth/app-oauth',
			'/api/external/v2/users',
		]);
	});

	it.each([
		[
			'wrong authorization URL',
			{ authUrl: 'http://127.0.0.1:9' },
			/refused.*Authorization Server URL/,
		],
		['wrong client', { clientSecret: 'wrong' }, /does not accept the client ID and secret/],
		['wrong tenant URL', { baseUrl: 'http://127.0.0.1:9' }, /refused.*Tenant API URL/],
		['plain http', { authUrl: 'http://auth.example.com' }, /plain http.*Allow Unencrypted HTTP/],
	])('turns red and says why: %s', async (_name, changes, message) => {
		const result = await testbed.testCredential(changes);
		expect(result.passed).toBe(false);
		expect(result.message).toMatch(message);
	});

	it('turns red and says why if the API version is wrong', async () => {
		testbed.service.set({ list: { apiVersions: ['v3'] } });
		const result = await testbed.testCredential();
		expect(result.passed).toBe(false);
		expect(result.message).toMatch(/nothing at .*v2\/users.*API Version/);
	});

	it('turns red and says why if the client has no permission', async () => {
		testbed.service.set({ authorization: { permission: 'none' } });
		const result = await testbed.testCredential();
		expect(result.passed).toBe(false);
		expect(result.message).toMatch(/not allowed to read/);
	});
});
