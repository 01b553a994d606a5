import { type ExchangeRules, exchangeToken } from '../../../../credentials/authorization/exchange';
import { ServiceFailure } from '../../../../nodes/VisitorService/failure/serviceFailure';
import type { HttpAnswer, HttpRequest } from '../../../../nodes/VisitorService/http/message';
import { VirtualClock } from '../../../simulation/clock';

const START = Date.UTC(2026, 0, 1);
const client = {
	authUrl: 'https://auth.example.com/base',
	clientId: 'client',
	clientSecret: 'synthetic-secret-0001',
	tokenField: '',
};
const issued: Partial<HttpAnswer> = {
	body: { access_token: 'synthetic-token', token_type: 'Bearer', expires_in: 3600 },
};

/** Plays one answer or error after the other; the last one again and again. */
async function exchange(
	plays: Array<Partial<HttpAnswer> | Error>,
	{ latency = 0, ...means }: Partial<ExchangeRules> & { latency?: number } = {},
) {
	const clock = new VirtualClock(START);
	const requests: HttpRequest[] = [];
	const work = exchangeToken(client, {
		clock,
		random: () => 0.5,
		transport: async ({ method, url, headers, form, timeout }) => {
			const request = { method, url, headers, form, timeout };
			const play = plays[Math.min(requests.push(request), plays.length) - 1];
			if (latency > 0) await clock.sleep(latency);
			if (play instanceof Error) throw play;
			return { statusCode: 200, headers: {}, body: undefined, ...play };
		},
		...means,
	});
	const outcome = await clock.run(work.catch((error: unknown) => error as Error));
	return { outcome, requests, elapsed: clock.now() - START };
}

const broken = (code: string) => Object.assign(new Error('synthetic'), { code });

describe('exchangeToken', () => {
	it('sends exactly the published form', async () => {
		const { requests } = await exchange([issued]);
		expect(requests).toEqual([
			{
				method: 'POST',
				url: 'https://auth.example.com/base/auth/app-oauth',
				headers: { Accept: 'application/json' },
				form: [
					['grant_type', 'client_credentials'],
					['client_id', 'client'],
					['client_secret', 'synthetic-secret-0001'],
				],
				timeout: 30_000,
			},
		]);
	});

	it('gives up an answer that trickles in, each time after the time-out', async () => {
		const { outcome, requests, elapsed } = await exchange([issued], {
			latency: 3_600_000,
			timeout: 1_000,
			random: () => 0,
		});
		expect(outcome).toMatchObject({ kind: 'connection' });
		expect(requests).toHaveLength(4);
		expect(elapsed).toBe(4_000);
	});

	it.each([
		['429', { statusCode: 429 }],
		['500', { statusCode: 500 }],
		['502', { statusCode: 502 }],
		['503', { statusCode: 503 }],
		['504', { statusCode: 504 }],
		['a reset', broken('ECONNRESET')],
		['a timeout', broken('ECONNABORTED')],
		['a refused connection', broken('ECONNREFUSED')],
	])('tries again after %s, three times and no more', async (_, play) => {
		const success = await exchange([play, play, play, issued]);
		expect(success.outcome).toMatchObject({ accessToken: 'synthetic-token' });
		expect(success.requests).toHaveLength(4);

		const failure = await exchange([play]);
		expect(failure.requests).toHaveLength(4);
		expect(failure.outcome).toBeInstanceOf(ServiceFailure);
	});

	it.each([301, 302, 307, 308, 400, 401, 403, 404, 405, 408, 409, 415, 418, 422])(
		'never tries again after %d',
		async (statusCode) => {
			const { requests, outcome } = await exchange([{ statusCode }, issued]);
			expect(requests).toHaveLength(1);
			expect(outcome).toMatchObject({ name: 'ServiceFailure', statusCode });
		},
	);

	it.each(['ENOTFOUND', 'CERT_HAS_EXPIRED'])('never tries again after %s', async (code) => {
		const { requests, outcome } = await exchange([broken(code), issued]);
		expect(requests).toHaveLength(1);
		expect(outcome).toMatchObject({ kind: 'connection' });
	});

	it('keeps to Retry-After, and gives up where that is too long', async () => {
		const soon = await exchange([{ statusCode: 503, headers: { 'retry-after': '7' } }, issued]);
		expect(soon.elapsed).toBe(7000);
		expect(soon.outcome).toMatchObject({ accessToken: 'synthetic-token' });

		const late = await exchange([{ statusCode: 429, headers: { 'retry-after': '3600' } }, issued]);
		expect(late.requests).toHaveLength(1);
		expect(late.outcome).toMatchObject({ kind: 'rateLimit', retryAfter: 3_600_000 });
	});

	it('exchangeToken can be told to be quicker', async () => {
		const { requests } = await exchange([{ statusCode: 503 }], { maxRetries: 1, timeout: 5000 });
		expect(requests.map(({ timeout }) => timeout)).toEqual([5000, 5000]);
	});

	it.each([
		[3600, 3600 - 18],
		[7200, 7200 - 30],
		[86_400, 86_400 - 30],
		[60, 60 - 0.3],
		[1, 1 - 0.005],
	])(
		'plans to renew a token with a lifetime of %d s after %d s',
		async (expires_in, renewAfter) => {
			const { outcome } = await exchange([
				{ body: { access_token: 'synthetic-token', expires_in } },
			]);
			expect(outcome).toMatchObject({ issuedAt: START, lifetime: expires_in });
			expect((outcome as { renewAt: number }).renewAt).toBeCloseTo(START + renewAfter * 1000, 3);
		},
	);

	it('knows no renewal time where there is no lifetime', async () => {
		const { outcome } = await exchange([{ body: { access_token: 'synthetic-token' } }]);
		expect(outcome).toMatchObject({ issuedAt: START, lifetime: undefined, renewAt: undefined });
	});

	it('counts a lifetime from when the answered request was sent', async () => {
		const { outcome } = await exchange(
			[{ statusCode: 503, headers: { 'retry-after': '10' } }, issued],
			{
				latency: 2000,
			},
		);
		// 2 s for the first answer and 10 s of waiting.
		expect(outcome).toMatchObject({
			issuedAt: START + 12_000,
			renewAt: START + 12_000 + 3_582_000,
		});
	});

	it('holds a point in time against the clock of the service when it answered', async () => {
		const ahead = 600_000;
		const { outcome } = await exchange(
			[
				{
					headers: { date: new Date(START + ahead + 4000).toUTCString() },
					body: { access_token: 'synthetic-token', expires_at: START + ahead + 3_604_000 },
				},
			],
			{ latency: 4000 },
		);
		expect(outcome).toMatchObject({ lifetime: 3599, issuedAt: START });
	});

	it('shows nothing of what the server said', async () => {
		const { outcome } = await exchange([
			{ statusCode: 400, body: { error: 'x', error_description: client.clientSecret } },
		]);
		expect(outcome).toBeInstanceOf(ServiceFailure);
		const { message, description } = outcome as ServiceFailure;
		expect(`${message} ${description}`).not.toContain(client.clientSecret);
	});
});
