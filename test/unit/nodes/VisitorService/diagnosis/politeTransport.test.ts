import {
	isFailure,
	PoliteTransport,
} from '../../../../../nodes/VisitorService/diagnosis/politeTransport';
import type { HttpAnswer, Transport } from '../../../../../nodes/VisitorService/http/message';
import { ImpatientClock } from '../../../../simulation/clock';

const request = (url = 'https://tenant.test/a') => ({ method: 'GET' as const, url, timeout: 1 });

type Answers = (url: string, number: number) => HttpAnswer | Error;

function setUp(answers: Answers) {
	const sentAt: number[] = [];
	const clock = new ImpatientClock(() => 0);
	const transport: Transport = async ({ url }) => {
		await Promise.resolve();
		sentAt.push(clock.now());
		const answer = answers(url, sentAt.length);
		if (answer instanceof Error) throw answer;
		return answer;
	};
	const remedy = 'Ask again later.';
	const polite = new PoliteTransport({ transport, clock, maxRequests: 25, remedy });
	const status = async (url?: string) =>
		(await polite.send(request(url)).catch((error: unknown) => ({ statusCode: String(error) })))
			.statusCode;
	return { polite, sentAt, status };
}

const ok: HttpAnswer = { statusCode: 200, headers: {}, body: {} };
const of = (statusCode: number, headers = {}): HttpAnswer => ({ statusCode, headers, body: {} });

describe('PoliteTransport', () => {
	it('sends no more requests than the budget allows, of all hosts together', async () => {
		const { polite, sentAt, status } = setUp(() => ok);
		for (let number = 0; number < 25; number++) {
			expect(await status(number % 2 === 0 ? undefined : 'https://auth.test/')).toBe(200);
		}
		expect(await status()).toContain('The budget of 25 requests is used up');
		expect(sentAt).toHaveLength(25);
		expect(polite.attempts).toHaveLength(25);
		expect(polite.reasonToStop('https://tenant.test/')).toContain('budget');
		await expect(polite.send(request())).rejects.toMatchObject({ remedy: 'Ask again later.' });
	});

	it('keeps the distance from one request to the next that a 429 asks for', async () => {
		const { sentAt, status } = setUp((_, number) =>
			number === 2 ? of(429, { 'retry-after': '3' }) : ok,
		);
		for (let number = 0; number < 4; number++) await status();
		expect(sentAt).toEqual([0, 0, 3000, 6000]);
	});

	it('keeps a second if a 429 asks for no time at all', async () => {
		const { sentAt, status } = setUp((_, number) =>
			number === 1 ? of(429, { 'retry-after': '0' }) : ok,
		);
		for (let number = 0; number < 3; number++) await status();
		expect(sentAt).toEqual([0, 1000, 2000]);
	});

	it('keeps a second if a 429 asks for nothing, and twice as long after each further one', async () => {
		const { sentAt, status } = setUp((_, number) => ([1, 3].includes(number) ? of(429) : ok));
		for (let number = 0; number < 5; number++) await status();
		expect(sentAt).toEqual([0, 1000, 2000, 4000, 6000]);
	});

	it.each([429, 503])(
		'leaves a host alone whose %i asks for more than ten seconds',
		async (code) => {
			const { sentAt, status } = setUp(() => of(code, { 'retry-after': '11' }));
			expect(await status()).toContain('asks to wait 11 seconds');
			expect(await status()).toContain('asks to wait 11 seconds');
			expect(sentAt).toHaveLength(1);
		},
	);

	it.each([429, 502, 503, 504])('leaves a host alone after the third %i', async (code) => {
		const { sentAt, status } = setUp((_, number) => (number % 2 === 0 ? ok : of(code)));
		for (let number = 0; number < 8; number++) await status();
		expect(sentAt).toHaveLength(5);
	});

	it('leaves a host alone after the third broken connection', async () => {
		const { sentAt, status } = setUp(() => new Error('reset'));
		for (let number = 0; number < 5; number++) await status();
		expect(sentAt).toHaveLength(3);
		expect(await status()).toContain('The service did not answer and had failed before');
	});

	it('leaves no host alone that answers 500', async () => {
		const { sentAt, status } = setUp(() => of(500));
		for (let number = 0; number < 6; number++) expect(await status()).toBe(500);
		expect(sentAt).toHaveLength(6);
	});

	it.each([0, 1])('counts an answer that failed, and a connection that broke: %i', async (kind) => {
		const { polite, status } = setUp(() => (kind === 0 ? of(500) : new Error('reset')));
		await status();
		expect(polite.attempts.map(isFailure)).toEqual([true]);
	});

	it('leaves one host alone and not the other', async () => {
		const { status } = setUp((url) => (url.startsWith('https://auth') ? of(503) : ok));
		for (let number = 0; number < 4; number++) await status('https://auth.test/');
		expect(await status('https://auth.test/')).toContain('left alone');
		expect(await status('https://tenant.test/')).toBe(200);
	});

	it('waits a minute in all at most', async () => {
		const { sentAt, status } = setUp((_, number) =>
			number === 1 ? of(429, { 'retry-after': '9' }) : ok,
		);
		for (let number = 0; number < 12; number++) await status();
		expect(sentAt.at(-1)).toBeLessThanOrEqual(60_000);
		expect(await status()).toContain('60 seconds of waiting are enough');
	});
});
