import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import type { HttpAnswer, HttpRequest } from '../../../../../nodes/VisitorService/http/message';
import {
	type RequestPace,
	type SendingRules,
	type SlowDown,
	sendRequest,
} from '../../../../../nodes/VisitorService/http/sendRequest';
import { VirtualClock } from '../../../../simulation/clock';

const start = Date.UTC(2026, 0, 31, 12);
const request: HttpRequest = {
	method: 'GET',
	url: 'https://tenant.example.test/users',
	timeout: 1_000,
};

type Reply = number | HttpAnswer | Error;

const answer = (statusCode: number, headers: Record<string, string> = {}): HttpAnswer => ({
	statusCode,
	headers,
	body: null,
});
const reset = () => Object.assign(new Error('reset'), { code: 'ECONNRESET' });

/** Sends against these replies, the last one for ever; times since the beginning. */
async function send(replies: Reply[], changes: Partial<SendingRules> = {}) {
	const clock = new VirtualClock(start);
	const sentAt: number[] = [];
	let retries = 0;
	const sending = sendRequest(request, {
		transport: async (sent) => {
			expect(sent).toMatchObject(request);
			const reply = replies[Math.min(sentAt.length, replies.length - 1)] ?? 200;
			sentAt.push(clock.now() - start);
			if (reply instanceof Error) throw reply;
			return await Promise.resolve(typeof reply === 'number' ? answer(reply) : reply);
		},
		clock,
		random: () => 0.5,
		maxRetries: 5,
		role: 'Tenant API URL',
		onRetry: () => retries++,
		...changes,
	});
	const outcome = await clock.run(sending).then(
		({ statusCode }) => statusCode,
		(error: unknown) => error,
	);
	return { outcome, sentAt, retries };
}

/** A pace that admits at once and writes down what it is told. */
function recordingPace(pausesInVain = 0) {
	const told: Array<string | SlowDown> = [];
	const announced: unknown[] = [];
	const pace: RequestPace = {
		pausesInVain,
		admit: async () => {
			told.push('admitted');
			return await Promise.resolve({
				accepted: (limit) => {
					told.push('accepted');
					if (limit !== undefined) announced.push(limit);
				},
				limited: (slowDown) => told.push(slowDown),
				released: () => told.push('released'),
			});
		},
		close: () => told.push('closed'),
	};
	return { pace, told, announced };
}

describe('sendRequest', () => {
	it.each([200, 204, 206, 302, 400, 401, 403, 404, 418, 500, 501])(
		'resolves with %d at once',
		async (status) => {
			expect(await send([status])).toEqual({ outcome: status, sentAt: [0], retries: 0 });
		},
	);

	it.each([202, 429, 502, 503, 504])('tries again after %d, by full jitter', async (status) => {
		const { outcome, sentAt, retries } = await send([status, status, status, 200]);
		expect(outcome).toBe(200);
		expect(sentAt).toEqual([0, 250, 750, 1_750]);
		expect(retries).toBe(3);
	});

	it.each(['ECONNRESET', 'ETIMEDOUT', 'ECONNREFUSED', 'EPIPE'])(
		'tries again after %s',
		async (code) => {
			const broken = Object.assign(new Error('broken'), { code });
			expect((await send([broken, broken, 200])).sentAt).toEqual([0, 250, 750]);
		},
	);

	it('resolves with the last answer, and rejects with the last failure, after all retries', async () => {
		expect(await send([503], { maxRetries: 2 })).toMatchObject({ outcome: 503, retries: 2 });
		expect(await send([429], { maxRetries: 0 })).toMatchObject({ outcome: 429, retries: 0 });
		const { outcome, sentAt } = await send([reset()], { maxRetries: 2 });
		expect(outcome).toBeInstanceOf(ServiceFailure);
		expect(outcome).toMatchObject({ kind: 'connection' });
		expect(sentAt).toHaveLength(3);
	});

	it('does not try again what cannot work', async () => {
		const unknownHost = Object.assign(new Error('x'), { code: 'ENOTFOUND' });
		expect((await send([unknownHost])).sentAt).toEqual([0]);
		const ours = new ServiceFailure('No token.', 'Do.', { kind: 'authorization' });
		expect(await send([ours])).toMatchObject({ outcome: ours, sentAt: [0] });
	});

	it.each([
		['seconds', '7', 7_000],
		['an HTTP date', 'Sat, 31 Jan 2026 12:00:09 GMT', 9_000],
		['a minute', '60', 60_000],
	])('waits as long as Retry-After says: %s', async (_, header, wait) => {
		for (const status of [202, 429, 502, 503, 504]) {
			const { sentAt } = await send([answer(status, { 'retry-after': header }), 200]);
			expect(sentAt).toEqual([0, wait]);
		}
	});

	it('waits after 403 only if Retry-After asks for it, and tells the pace', async () => {
		const limit = answer(403, { 'retry-after': '7' });
		expect(await send([limit, 200])).toEqual({ outcome: 200, sentAt: [0, 7_000], retries: 1 });
		for (const header of ['0', 'soon', 'Sat, 31 Jan 2026 11:00:00 GMT']) {
			const reply = answer(403, { 'retry-after': header });
			expect(await send([reply, 200])).toMatchObject({ outcome: 403, retries: 0 });
		}
		expect(await send([limit], { maxRetries: 2 })).toMatchObject({ outcome: 403, retries: 2 });
		const { pace, told } = recordingPace();
		await send([limit, 200], { pace });
		expect(told).toContainEqual({ statusCode: 403, wait: 7_000, isNamed: true });
		const { outcome } = await send([answer(403, { 'retry-after': '600' })]);
		expect(outcome).toMatchObject({ kind: 'rateLimit', statusCode: 403 });
	});

	it.each([['soon'], ['-5'], ['0'], ['Sat, 31 Jan 2026 11:00:00 GMT']])(
		'waits by full jitter if Retry-After is %p',
		async (header) => {
			expect((await send([answer(429, { 'retry-after': header }), 200])).sentAt).toEqual([0, 250]);
		},
	);

	it.each([
		['61', '61 seconds'],
		['3600', '3,600 seconds'],
		['Sat, 31 Jan 2026 12:05:00 GMT', '300 seconds'],
	])('fails at once if Retry-After is %p, and names the time', async (header, time) => {
		for (const status of [429, 503]) {
			const { outcome, sentAt } = await send([answer(status, { 'retry-after': header })]);
			expect(sentAt).toEqual([0]);
			expect(String(outcome)).toContain(`The service answered ${status} and asks to wait ${time}.`);
			expect(outcome).toMatchObject({ kind: 'rateLimit', statusCode: status });
		}
	});

	it('waits for the next minute by the date of the service, though its seconds are whole', async () => {
		const headers = {
			date: 'Sat, 31 Jan 2026 12:00:00 GMT',
			'retry-after': 'Sat, 31 Jan 2026 12:01:00 GMT',
		};
		expect((await send([answer(429, headers), 200])).sentAt).toEqual([0, 60_000]);
	});

	it('does not look at Retry-After if it would not try again', async () => {
		expect(await send([answer(404, { 'retry-after': '3600' })])).toMatchObject({ outcome: 404 });
	});

	describe('the time-out', () => {
		/**
		 * Sends to a service that answers each request that much later; the signals say which were
		 * given up.
		 */
		async function sendTo(latency: number, extension?: { at: number; by: number }) {
			const clock = new VirtualClock(start);
			const signals: Array<AbortSignal | undefined> = [];
			const sending = sendRequest(request, {
				transport: async ({ signal, extend }) => {
					signals.push(signal);
					if (extension !== undefined) {
						await clock.sleep(extension.at);
						extend?.(extension.by);
					}
					await clock.sleep(latency);
					extend?.(1);
					return answer(200);
				},
				clock,
				random: () => 0,
				maxRetries: 2,
				role: 'Tenant API URL',
			});
			const outcome = await clock.run(sending).then(
				({ statusCode }) => statusCode,
				(error: unknown) => error,
			);
			const elapsed = clock.now() - start;
			await clock.runOut();
			return { outcome, elapsed, given: signals.map((signal) => signal?.aborted), clock };
		}

		it('holds for the whole answer, and closes the connection', async () => {
			const { outcome, elapsed, given } = await sendTo(1_001);
			expect(outcome).toMatchObject({
				kind: 'connection',
				message: 'tenant.example.test did not answer in time.',
			});
			expect(elapsed).toBe(3_000);
			expect(given).toEqual([true, true, true]);
		});

		it('leaves no timer and no closed connection after an answer in time', async () => {
			const { outcome, given, clock } = await sendTo(999);
			expect(outcome).toBe(200);
			expect(given).toEqual([false]);
			expect(clock.pending).toBe(0);
		});

		it('the time-out can be extended while something else is waited for', async () => {
			expect((await sendTo(900, { at: 900, by: 1_000 })).outcome).toBe(200);
			expect((await sendTo(1_100, { at: 900, by: 1_000 })).elapsed).toBe(3 * 1_900);
		});

		it('the time-out is over when the transport fails, which closes the connection', async () => {
			const clock = new VirtualClock(start);
			let given: AbortSignal | undefined;
			const sending = sendRequest(request, {
				transport: async ({ signal }) => {
					given = signal;
					return await Promise.reject(new ServiceFailure('x', 'y', { kind: 'cancelled' }));
				},
				clock,
				random: () => 0,
				maxRetries: 2,
				role: 'Tenant API URL',
			});
			await expect(clock.run(sending)).rejects.toMatchObject({ kind: 'cancelled' });
			expect(given?.aborted).toBe(true);
			expect(clock.pending).toBe(0);
		});
	});

	describe('with a pace', () => {
		it('admits each attempt of a request with a pace, and releases it afterwards', async () => {
			const { pace, told } = recordingPace();
			await send([502, reset(), 200], { pace });
			const attempt = ['admitted', 'accepted', 'released'];
			expect(told).toEqual([...attempt, 'admitted', 'released', ...attempt]);
		});

		it('leaves the waiting to the pace', async () => {
			const { pace, told } = recordingPace();
			const { sentAt } = await send([answer(429, { 'retry-after': '7' }), 503, 200], { pace });
			expect(sentAt).toEqual([0, 0, 0]);
			expect(told.filter((entry) => typeof entry === 'object')).toEqual([
				{ statusCode: 429, wait: 7_000, isNamed: true },
				{ statusCode: 503, wait: 625, isNamed: false },
			]);
		});

		it.each([429, 503])(
			'pauses for more than a minute in five attempts if %d names no time',
			async (status) => {
				const waits: number[] = [];
				for (let inVain = 0; inVain < 5; inVain++) {
					const { pace, told } = recordingPace(inVain);
					await send([status], { pace, maxRetries: 0, random: () => 0 });
					for (const entry of told) if (typeof entry === 'object') waits.push(entry.wait);
				}
				expect(waits).toEqual([500, 1_500, 4_500, 13_500, 40_500]);
			},
		);

		it('passes on the limit an answer announces', async () => {
			const { pace, announced } = recordingPace();
			await send([answer(200, { 'ratelimit-remaining': '0', 'ratelimit-reset': '7' })], { pace });
			expect(announced).toEqual([{ remaining: 0, resetsIn: 7_000 }]);
		});

		it('tells it of the last refusal, too: others wait', async () => {
			const { pace, told } = recordingPace();
			await send([429], { pace, maxRetries: 0 });
			expect(told).toEqual([
				'admitted',
				{ statusCode: 429, wait: 625, isNamed: false },
				'released',
			]);
		});

		it('releases it, whatever is thrown', async () => {
			for (const reply of [
				answer(429, { 'retry-after': '99' }),
				new ServiceFailure('a', 'b', { kind: 'service' }),
			]) {
				const { pace, told } = recordingPace();
				await send([reply], { pace });
				expect(told.at(-1)).toBe('released');
			}
		});

		it('closes it when the execution was cancelled: nothing more is sent', async () => {
			const { pace, told } = recordingPace();
			const cancelled = Object.assign(new Error('x'), { code: 'ERR_CANCELED' });
			const { outcome } = await send([cancelled], { pace });
			expect(outcome).toMatchObject({ kind: 'cancelled' });
			expect(told).toEqual(['admitted', 'closed', 'released']);
		});
	});
});
