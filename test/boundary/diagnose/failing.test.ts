import type { Check } from '../../../nodes/VisitorService/diagnosis/finding';
import type {
	DeepPartial,
	Fault,
	ForcedResponse,
	ListRequest,
	Switches,
} from '../../reference-service';
import { type Diagnosed, diagnosed } from './diagnosed';
import { isSeenFailure, wrongFindings } from './wrongFindings';

type Failing = [
	name: string,
	switches: DeepPartial<Switches>,
	/** The fewest requests that can show it, and what was still polite. */
	mostRequests: number,
	expected?: {
		/** Checks that have to fail, with `observed` false. */
		fails?: Check[];
		/** Whether users can be read, and List Users works. */
		reads?: boolean;
		/** Milliseconds. */
		mostTime?: number;
	},
];

const NO_TOKEN = { fails: ['tokenExchange'] } satisfies Failing[3];
const NO_USERS = { fails: ['usersReadable'] } satisfies Failing[3];

const failing: Failing[] = [
	['a token endpoint that is down', { token: { force: { status: 503 } } }, 3, NO_TOKEN],
	[
		'a token endpoint that limits the rate',
		{ token: { force: { status: 429, retryAfter: 30 } } },
		1,
		{ ...NO_TOKEN, mostTime: 0 },
	],
	['a token endpoint that is a web page', { token: { response: 'html' } }, 3, NO_TOKEN],
	['a token endpoint that echoes the request', { token: { response: 'echo' } }, 3, NO_TOKEN],
	['a token two levels down, without Token Field', { token: { response: 'deep' } }, 3, NO_TOKEN],
	// Text instead of JSON is what a web page or a proxy sends.
	['a token as text', { token: { response: 'bareString', format: 'jwt' } }, 3, NO_TOKEN],
	[
		'a token endpoint that allows a single request',
		{ token: { faults: ['none', { status: 400, body: { error: 'invalid_request' } }] } },
		25,
	],
	...[1, 60].map(
		(retryAfter): Failing => [
			`a token endpoint that allows no second request for ${retryAfter} s`,
			{ token: { faults: ['none', ...Array<Fault>(5).fill({ status: 429, retryAfter })] } },
			25,
			{ reads: true },
		],
	),
	[
		'a limit of one request each 200 ms',
		{ list: { rateLimit: { requestsPerSecond: 5, burst: 1 } } },
		25,
		{ reads: true },
	],
	['connections that are reset', { outage: 'reset' }, 3, NO_TOKEN],
	['no response ever', { outage: 'hang' }, 3, { ...NO_TOKEN, mostTime: 65_000 }],
	[
		'maintenance that names its end',
		{ outage: { status: 503, retryAfter: 120 } },
		1,
		{ ...NO_TOKEN, mostTime: 0 },
	],
	['a list that is down', { list: { force: { status: 503 } } }, 5],
	['a list that fails', { list: { force: { status: 500 } } }, 15, NO_USERS],
	['a list that is cut off', { list: { force: 'cut' } }, 5, NO_USERS],
	...(['html', 'string', 'number', 'boolean', 'truncatedJson', 'errorObject200'] as const).map(
		(force): Failing => [`a list that is ${force}`, { list: { force } }, 25, NO_USERS],
	),
	['a list within a text', { list: { envelope: 'string' } }, 25],
	['a list at another host', { list: { redirectTo: 'http://127.0.0.1:9' } }, 25, NO_USERS],
	['no tenant of this version', { list: { apiVersions: ['v3'] } }, 25, NO_USERS],
	...(
		[
			['that asks for a minute', { requestsPerSecond: 0.2, burst: 12, algorithm: 'window' }, 16, 0],
			['of one request a second', { requestsPerSecond: 1, burst: 1 }, 25, 40_000],
			[
				'of five requests in two seconds',
				{ requestsPerSecond: 2.5, burst: 5, algorithm: 'window' },
				25,
				60_000,
			],
		] as const
	).map(
		([what, rateLimit, requests, mostTime]): Failing => [
			...([`a limit ${what}`, { list: { rateLimit } }, requests, { mostTime }] as const),
		],
	),
];

describe('Diagnose of a service that fails', () => {
	it.each(failing)(
		'says nothing wrong and stops in time: %s',
		async (name, switches, mostRequests, expected = {}) => {
			const { fails = [], reads = false, mostTime = 20_000 } = expected;
			const run = await diagnosed({ name, switches });
			expect(wrongFindings(run, isSeenFailure)).toEqual([]);
			expect(run.requests.length).toBeLessThanOrEqual(mostRequests);
			expect(run.took).toBeLessThanOrEqual(mostTime);
			for (const check of fails)
				expect(run.finding(check)).toMatchObject({ status: 'failed', observed: false });
			if (reads) {
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
			const switches = { list: { naturalOrder: 'updatedAtDescending', metadata: 'none' } } as const;
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
