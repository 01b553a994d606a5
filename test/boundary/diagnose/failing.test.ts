import type { Check } from '../../../nodes/VisitorService/diagnosis/finding';
import type { Fault, ForcedResponse, ListRequest } from '../../reference-service';
import { type Diagnosed, diagnosed, type Personality } from './diagnosed';
import { isSeenFailure, wrongFindings } from './wrongFindings';

interface FailingPersonality extends Personality {
	/** The fewest requests that can show it, and what was still polite. */
	mostRequests: number;
	/** Checks that have to fail, with `observed` false. */
	fails?: Check[];
	/** Whether users can be read, and List Users works. */
	reads?: boolean;
	/** Milliseconds. */
	mostTime?: number;
}

const failing: FailingPersonality[] = [
	{
		name: 'a wrong client secret',
		clientSecret: 'wrong',
		mostRequests: 3,
		fails: ['tokenExchange'],
	},
	{
		name: 'a token endpoint that is down',
		switches: { token: { force: { status: 503 } } },
		mostRequests: 3,
		fails: ['tokenExchange'],
	},
	{
		name: 'a token endpoint that limits the rate',
		switches: { token: { force: { status: 429, retryAfter: 30 } } },
		mostRequests: 1,
		mostTime: 0,
		fails: ['tokenExchange'],
	},
	{
		name: 'a token endpoint that is a web page',
		switches: { token: { response: 'html' } },
		mostRequests: 3,
		fails: ['tokenExchange'],
	},
	{
		name: 'a token endpoint that echoes the request',
		switches: { token: { response: 'echo' } },
		mostRequests: 3,
		fails: ['tokenExchange'],
	},
	{
		name: 'a token two levels down, without Token Field',
		switches: { token: { response: 'deep' } },
		mostRequests: 3,
		fails: ['tokenExchange'],
	},
	{
		// Text instead of JSON is what a web page or a proxy sends.
		name: 'a token as text',
		switches: { token: { response: 'bareString', format: 'jwt' } },
		mostRequests: 3,
		fails: ['tokenExchange'],
	},
	{
		name: 'a token endpoint that allows a single request',
		switches: { token: { faults: ['none', { status: 400, body: { error: 'invalid_request' } }] } },
		mostRequests: 25,
	},
	...[1, 60].map(
		(retryAfter): FailingPersonality => ({
			name: `a token endpoint that allows no second request for ${retryAfter} s`,
			switches: {
				token: { faults: ['none', ...Array<Fault>(5).fill({ status: 429, retryAfter })] },
			},
			mostRequests: 25,
			reads: true,
		}),
	),
	{
		name: 'connections that are reset',
		switches: { outage: 'reset' },
		mostRequests: 3,
		fails: ['tokenExchange'],
	},
	{
		name: 'no response ever',
		switches: { outage: 'hang' },
		mostRequests: 3,
		mostTime: 65_000,
		fails: ['tokenExchange'],
	},
	{
		name: 'maintenance that names its end',
		switches: { outage: { status: 503, retryAfter: 120 } },
		mostRequests: 1,
		mostTime: 0,
		fails: ['tokenExchange'],
	},
	{ name: 'a list that is down', switches: { list: { force: { status: 503 } } }, mostRequests: 5 },
	{
		name: 'a list that fails',
		switches: { list: { force: { status: 500 } } },
		mostRequests: 15,
		fails: ['usersReadable'],
	},
	{
		name: 'a list that is cut off',
		switches: { list: { force: 'cut' } },
		mostRequests: 5,
		fails: ['usersReadable'],
	},
	...(['html', 'string', 'number', 'boolean', 'truncatedJson', 'errorObject200'] as const).map(
		(fault): FailingPersonality => ({
			name: `a list that is ${fault}`,
			switches: { list: { force: fault } },
			mostRequests: 25,
			fails: ['usersReadable'],
		}),
	),
	{
		name: 'a list within a text',
		switches: { list: { envelope: 'string' } },
		mostRequests: 25,
	},
	{
		name: 'a list at another host',
		switches: { list: { redirectTo: 'http://127.0.0.1:9' } },
		mostRequests: 25,
		fails: ['usersReadable'],
	},
	{
		name: 'no tenant of this version',
		switches: { list: { apiVersions: ['v3'] } },
		mostRequests: 25,
		fails: ['usersReadable'],
	},
	{
		name: 'a limit that asks for a minute',
		switches: { list: { rateLimit: { requestsPerSecond: 0.2, burst: 12, algorithm: 'window' } } },
		mostRequests: 16,
		mostTime: 0,
	},
	{
		name: 'a limit of one request a second',
		switches: { list: { rateLimit: { requestsPerSecond: 1, burst: 1, algorithm: 'bucket' } } },
		mostRequests: 25,
		mostTime: 40_000,
	},
	{
		name: 'a limit of five requests in two seconds',
		switches: { list: { rateLimit: { requestsPerSecond: 2.5, burst: 5, algorithm: 'window' } } },
		mostRequests: 25,
		mostTime: 60_000,
	},
];

const faults: Fault[] = [
	{ status: 500 },
	{ status: 502, body: '<html><body>Bad gateway</body></html>' },
	{ status: 503 },
	{ status: 504 },
	{ status: 429, retryAfter: 1 },
	'reset',
	'cut',
	'html',
	'truncatedJson',
	'errorObject200',
	'empty',
];

const halfBroken = [0.05, 0.15, 0.3, 0.6].flatMap((share) =>
	[1, 2, 3, 4, 5, 6].map(
		(seed): FailingPersonality => ({
			name: `${share * 100} % of the responses broken, series ${seed}`,
			switches: {
				list: {
					metadata: seed % 2 === 0 ? 'none' : 'standard',
					randomFaults: { share, faults, seed },
				},
			},
			users: 600,
			mostRequests: 25,
			mostTime: 60_000,
		}),
	),
);

describe('Diagnose of a service that fails', () => {
	it.each([...failing, ...halfBroken])(
		'says nothing wrong and stops in time: $name',
		async (personality) => {
			const run = await diagnosed(personality);
			expect(wrongFindings(run, isSeenFailure)).toEqual([]);
			expect(run.requests.length).toBeLessThanOrEqual(personality.mostRequests);
			expect(run.took).toBeLessThanOrEqual(personality.mostTime ?? 20_000);
			for (const check of personality.fails ?? []) {
				expect(run.finding(check)).toMatchObject({ status: 'failed', observed: false });
			}
			if (personality.reads === true) {
				expect(run.finding('usersReadable').observed).toBe(true);
				expect(run.finding('summary').meaning).toMatch(/^List Users works with the defaults/);
			}
			expectNoSecrets(run);
		},
	);

	it('shows no secret that the service repeats in the response to a page', async () => {
		const run = await diagnosed({ name: 'repeats secrets' }, (service) => {
			const users = { data: Array.from({ length: 20 }, (_, id) => ({ id, name: `User ${id}` })) };
			const rejection = { success: false, message: `Not allowed for ${service.clientSecret}` };
			const respondWith = ({ query }: ListRequest): ForcedResponse => ({
				status: 200,
				body: query.pageSize === undefined ? users : rejection,
			});
			service.set({ list: { respondWith } });
		});
		expect(run.finding('usersReadable').observed).toBe(true);
		expectNoSecrets(run);
	});

	it.each([1, 2, 3])(
		'says nothing wrong if every request of %i inserts a user in front',
		async (every) => {
			let inserted = 0;
			const switches = {
				list: { naturalOrder: 'updatedAtDescending', metadata: 'none' },
			} as const;
			const run = await diagnosed({ name: 'changing', users: 300, switches }, (service) => {
				service.onListRequest(async ({ resource, number }) => {
					if (resource !== 'users' || number % every !== 0) return;
					await service.upsert('users', { id: `new-${String(++inserted).padStart(6, '0')}` });
				});
			});
			expect(wrongFindings(run, isSeenFailure)).toEqual([]);
		},
	);
});

function expectNoSecrets({ findings, service }: Diagnosed): void {
	const text = JSON.stringify(findings);
	expect(text).not.toContain(service.clientSecret);
	expect(text).not.toContain(service.switches.token.prefix);
	expect(text).not.toContain('@example');
}
