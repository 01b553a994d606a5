import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { spellings } from '../host/spellings';
import type { DeepPartial, ReferenceService, Switches } from '../reference-service';
import { credentialFor, Process, tenants } from './tenants';

const start = tenants();

const SECRET = 'canary&secret=+%/ä"0001';
const TOKEN = 'canary-token-0001/+~';

const forms = [SECRET, TOKEN].flatMap(spellings);

/** Every text that can be reached from a value, hidden properties, causes and stacks included. */
function textsIn(value: unknown, seen = new Set<unknown>()): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null || seen.has(value)) return [];
	seen.add(value);
	const inside: unknown[] = [
		...(value instanceof Map ? [...(value as Map<unknown, unknown>)] : []),
		...(value instanceof Set ? [...(value as Set<unknown>)] : []),
		...Reflect.ownKeys(value).flatMap((key): unknown[] => [
			typeof key === 'string' ? key : key.description,
			Reflect.get(value, key),
		]),
	];
	return inside.flatMap((part) => textsIn(part, seen));
}

function leaksIn(texts: string[]): string[] {
	const all = texts.map((text) => text.toLowerCase());
	return forms.filter((form) => all.some((text) => text.includes(form.toLowerCase())));
}

const echoed = forms.join(' ');
const tokenResponse = { status: 200, body: { access_token: TOKEN, expires_in: 3600 } };

const tokenFailures: Array<[string, DeepPartial<Switches['token']>]> = [
	...[400, 401, 403, 404, 405, 415, 429, 500, 503].map((status): (typeof tokenFailures)[number] => [
		`${status} with everything echoed`,
		{
			force: {
				status,
				body: { error: echoed, error_description: echoed, message: echoed, [SECRET]: TOKEN },
			},
		},
	]),
	['an echo as text', { force: { status: 400, body: echoed } }],
	['an echo as web page', { force: { status: 200, body: `<html>${echoed}</html>` } }],
	['an echo as error with 200', { force: { status: 200, body: { error: echoed } } }],
	['an echo without a token', { response: 'echo' }],
	['an echo in the style of RFC 6749', { errorStyle: 'echo' }],
	['an echo as names', { force: { status: 200, body: { [SECRET]: 1, [TOKEN]: 2, canary: 3 } } }],
	['an echo in the token', { force: { status: 200, body: { access_token: `${echoed} x` } } }],
	[
		'an echo in the type',
		{ force: { status: 200, body: { access_token: TOKEN, token_type: echoed } } },
	],
	[
		'a redirect with the secret',
		{ redirectTo: `http://127.0.0.1:9/?${new URLSearchParams({ x: SECRET }).toString()}` },
	],
	['a reset', { force: 'reset' }],
	['a cut response', { force: 'cut' }],
	['cut JSON', { force: 'truncatedJson' }],
];

const listFailures: Array<[string, DeepPartial<Switches['list']>]> = [
	...[400, 401, 403, 404, 418, 422, 429, 500, 503].map((status): (typeof listFailures)[number] => [
		`${status} with everything echoed`,
		{
			force: { status, body: { message: echoed, error: echoed, detail: echoed, request: echoed } },
		},
	]),
	...forms.map((form, index): (typeof listFailures)[number] => [
		`the secret or token in form ${index}`,
		{ force: { status: 400, body: { message: `Bad: ${form}` } } },
	]),
	['an echo as text', { force: { status: 400, body: echoed } }],
	['an echo as web page', { force: { status: 200, body: `<html>${echoed}</html>` } }],
	['an echo as success', { force: { status: 200, body: { error: echoed, message: echoed } } }],
	['an echo as names', { force: { status: 200, body: { [SECRET]: 1, [TOKEN]: 2 } } }],
	['a redirect', { redirectTo: 'http://127.0.0.1:9' }],
	['a reset', { force: 'reset' }],
	['a cut response', { force: 'cut' }],
];

beforeEach(() => {
	const { random } = Math;
	jest.spyOn(Math, 'random').mockImplementation(() => random() / 1000);
});

afterEach(() => {
	jest.restoreAllMocks();
});

const setUp = async (switches: DeepPartial<Switches>) => {
	const service = await start({ clientSecret: SECRET, switches });
	await service.seed('users', 3);
	const process = new Process();
	// Only what is wrong is echoed so.
	const change = { ...(switches.token?.errorStyle === 'echo' && { clientId: 'x' }) };
	const used = process.store.add(credentialFor(service, change));
	return { service, process, used };
};
const quick: INodeParameters = { options: { maxRetries: 0 } };

async function expectNoLeak(switches: DeepPartial<Switches>): Promise<ReferenceService> {
	const { service, process, used } = await setUp(switches);
	const stopped = await process.list(used, quick);
	const continued = await process.list(used, quick, { onError: 'continueRegularOutput' });
	expect(stopped.status).toBe('error');
	expect(continued.json()[0]).toHaveProperty('error');
	expect(leaksIn(textsIn([stopped.run, continued.run]))).toEqual([]);
	return service;
}

it.each(tokenFailures)('a token request that ends in %s leaks nothing', async (_, token) => {
	await expectNoLeak({ token });
});

it.each(listFailures)('a list request that ends in %s leaks nothing', async (_, list) => {
	await expectNoLeak({ token: { force: tokenResponse }, list });
});

it.each<['invalid' | 'expired' | 'forbidden', number, DeepPartial<Switches>]>([
	['invalid', 401, { token: { force: tokenResponse } }],
	['expired', 401, { token: { lifetimeSeconds: 0, expiresIn: { value: 3600 } } }],
	['forbidden', 403, { authorization: { permission: 'none' } }],
])(
	'a token that is rejected as %s by a tenant that echoes the header leaks nothing',
	async (kind, status, { token, authorization }) => {
		const service = await expectNoLeak({
			token: { prefix: TOKEN, ...token },
			authorization: { ...authorization, [kind]: { status, body: 'echoAuthorization' } },
			errors: { body: 'echoAuthorization' },
		});
		const calls = service.requests.filter(({ method }) => method === 'GET');
		expect(new Set(calls.map((call) => call.status))).toEqual(new Set([status]));
		// Only a token that the service has issued can have expired, or lack a permission.
		const isIssued = kind !== 'invalid';
		expect(calls.every(({ tokenNumber }) => (tokenNumber !== undefined) === isIssued)).toBe(true);
	},
);

it.each<[string, (service: ReferenceService) => ICredentialDataDecryptedObject]>([
	[
		'a port that is closed',
		() => ({ baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1' }),
	],
	['a tenant that is closed', () => ({ baseUrl: 'http://127.0.0.1:1' })],
	['a secret in the address', ({ url }) => ({ authUrl: `${url}/?${encodeURIComponent(SECRET)}` })],
	[
		'a user in the address',
		({ url }) => ({ baseUrl: url.replace('//', `//${encodeURIComponent(SECRET)}@`) }),
	],
	['a version that is none', () => ({ apiVersion: SECRET })],
])('%s leaks nothing', async (_, change) => {
	const { service, process, used } = await setUp({ token: { force: tokenResponse } });
	process.store.poke(String(used.visitorServiceApi?.id), change(service));
	const stopped = await process.list(used, quick);
	expect(stopped.status).toBe('error');
	expect(leaksIn(textsIn(stopped.run))).toEqual([]);
});

it.each(tokenFailures)(
	'other nodes: a token request that ends in %s leaks nothing',
	async (_, token) => {
		for (const legacy of [true, false]) {
			const { service, process, used } = await setUp({ token });
			const { run, status } = await process.request(
				used,
				{ url: `${service.url}/api/external/v2/users` },
				legacy,
			);
			expect(status).toBe('error');
			expect(leaksIn(textsIn(run))).toEqual([]);
		}
	},
);

it('a test of the credential leaks nothing', async () => {
	for (const [, token] of tokenFailures) {
		const { service, process } = await setUp({ token });
		const { message } = await process.test(credentialFor(service));
		expect(leaksIn([message])).toEqual([]);
	}
	for (const [, list] of listFailures) {
		const { service, process } = await setUp({ token: { force: tokenResponse }, list });
		expect(leaksIn([(await process.test(credentialFor(service))).message])).toEqual([]);
	}
});

describe('the search itself', () => {
	it('finds a secret wherever it hides', () => {
		const locations = [
			{ a: [{ b: `x${SECRET}` }] },
			Object.assign(new Error('x'), { cause: new Error(TOKEN) }),
			new Error('x', { cause: { config: { data: encodeURIComponent(SECRET) } } }),
			new Map([[TOKEN, 1]]),
			Object.defineProperty({}, 'hidden', {
				value: Buffer.from(SECRET).toString('hex'),
				enumerable: false,
			}),
			{ [SECRET]: 1 },
		];
		for (const location of locations) expect(leaksIn(textsIn(location))).not.toEqual([]);
		expect(leaksIn(textsIn({ a: 'canary' }))).toEqual([]);
	});
});
