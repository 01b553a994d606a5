import { diagnoseTenant } from '../../../../../nodes/VisitorService/diagnosis/diagnoseTenant';
import { CHECKS, type Check, unknown } from '../../../../../nodes/VisitorService/diagnosis/finding';
import { MAX_REQUESTS } from '../../../../../nodes/VisitorService/diagnosis/politeTransport';
import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import type {
	HttpAnswer,
	HttpRequest,
	Transport,
} from '../../../../../nodes/VisitorService/http/message';
import { ImpatientClock } from '../../../../simulation/clock';

const TOKEN: HttpAnswer = { statusCode: 200, headers: {}, body: { access_token: 'token-0001' } };

function answer(statusCode: number, body: unknown = {}, headers = {}): HttpAnswer {
	return { statusCode, headers, body };
}

/** Diagnoses what `list` answers to list requests; time passes at once. */
async function diagnose(
	list: (request: HttpRequest, number: number) => HttpAnswer,
	clock = new ImpatientClock(() => 0),
) {
	const requests: HttpRequest[] = [];
	const issued: string[] = [];
	const transport: Transport = async (request) => {
		await Promise.resolve();
		requests.push(request);
		return request.method === 'POST' ? TOKEN : list(request, requests.length);
	};
	const findings = await diagnoseTenant({
		client: {
			authUrl: 'https://auth.test',
			clientId: 'a',
			clientSecret: 'b-0001',
			answerPath: '',
			scope: '',
			audience: '',
			allowUnauthorizedCerts: false,
		},
		apiUrl: 'https://tenant.test/api/external/v2',
		transport,
		clock,
		random: () => 0.5,
		onIssued: ({ accessToken }) => issued.push(accessToken),
	});
	return { findings, requests, issued };
}

describe('a diagnosis', () => {
	const nonsense: Array<[string, (request: HttpRequest, number: number) => HttpAnswer]> = [
		['200 without anything', () => answer(200)],
		['404', () => answer(404)],
		['401', () => answer(401)],
		['403', () => answer(403)],
		['418', () => answer(418)],
		['a status that is none', () => answer(0)],
		[
			'302 to the next number',
			(_, number) => answer(302, '', { location: `/api/external/v2/users/${number}` }),
		],
		['302 to itself', ({ url }) => answer(302, '', { location: url })],
		['302 without a target', () => answer(302)],
		['another record each time', (_, number) => answer(200, [{ id: number }])],
		[
			'more records each time',
			(_, number) =>
				answer(
					200,
					Array.from({ length: 3 * number }, (__, id) => ({ id })),
				),
		],
		[
			'lists of something else',
			(_, number) => answer(200, { data: number % 2 === 0 ? [1, 2] : [{ id: 1 }] }),
		],
		[
			'401 every other time',
			(_, number) => (number % 2 === 0 ? answer(401) : answer(200, [{ id: 1 }, { id: 2 }])),
		],
		[
			'400 but for the first',
			(request) =>
				request.query?.pageSize === undefined
					? answer(200, [{ id: 1 }, { id: 2 }, { id: 3 }])
					: answer(400),
		],
		[
			'429 now and then',
			(_, number) => (number % 7 === 0 ? answer(429) : answer(200, [{ id: 1 }])),
		],
		[
			'500 every other time',
			(_, number) => (number % 2 === 0 ? answer(500) : answer(200, [{ id: 1 }])),
		],
	];

	it.each(nonsense)(
		'keeps to its budget and its form if the service answers %s',
		async (_, list) => {
			const { findings, requests, issued } = await diagnose(list);
			expect(requests.length).toBeLessThanOrEqual(MAX_REQUESTS);
			expect(findings.map(({ check }) => check)).toEqual(['summary', ...CHECKS]);
			expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['POST', 'GET']));
			expect(issued).toHaveLength(requests.filter(({ method }) => method === 'POST').length);
		},
	);

	it('keeps to its budget if every page is another and all formats are refused', async () => {
		const users = Array.from({ length: 500 }, (_, index) => ({
			id: index,
			updatedAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
		}));
		const { findings, requests } = await diagnose(({ query, url, headers }) => {
			if (headers?.Authorization !== 'Bearer token-0001') return answer(401);
			if (!url.endsWith('/users')) return answer(404);
			const { page = 1, pageSize = 60, sort, updatedSince } = query ?? {};
			if (sort !== undefined || updatedSince !== undefined) return answer(400);
			if (Number(pageSize) > 70 || Number(page) < 0) return answer(422);
			const from = Math.max(0, Number(page) - 1) * Number(pageSize);
			return answer(200, users.slice(from, from + Number(pageSize)));
		});
		// Every detour is taken: numbering from 1, a search for the limit, other paths.
		expect(requests).toHaveLength(MAX_REQUESTS);
		const unasked = findings.filter(({ meaning }) => meaning.includes('budget'));
		expect(unasked.every(({ status }) => status === 'unknown')).toBe(true);
		expect(findings.find(({ check }) => check === 'firstPageNumber')).toMatchObject({
			observed: 1,
		});
		expect(findings.find(({ check }) => check === 'updatedSinceFormat')).toMatchObject({
			status: 'failed',
			observed: null,
		});
	});

	it.each<[string, (time: number) => number]>([
		['cuts it to the day', (time) => Math.floor(time / 86_400_000) * 86_400_000],
		['reads it five hours early', (time) => time - 18_000_000],
	])('does not say that a service ignores updatedSince which %s', async (_, read) => {
		const users = Array.from({ length: 60 }, (_user, index) => ({
			id: index,
			updatedAt: new Date(Date.UTC(2026, 0, 1, 12, index)).toISOString(),
		}));
		const { findings } = await diagnose(({ query, url, headers }) => {
			if (headers?.Authorization !== 'Bearer token-0001') return answer(401);
			if (!url.endsWith('/users')) return answer(404);
			const { page = 0, pageSize = 60, updatedSince } = query ?? {};
			const asked = updatedSince === undefined ? 0 : Date.parse(String(updatedSince));
			if (Number.isNaN(asked)) return answer(400);
			const all = users.filter((user) => Date.parse(user.updatedAt) >= read(asked));
			const from = Number(page) * Number(pageSize);
			return answer(200, all.slice(from, from + Number(pageSize)));
		});
		expect(findings.find(({ check }) => check === 'updatedSinceFormat')?.status).toBe('unknown');
	});

	it('ends at once if the execution is cancelled during a request', async () => {
		const cancelled = Object.assign(new Error('canceled'), { code: 'ERR_CANCELED' });
		let requests = 0;
		const run = diagnose((_, number) => {
			requests = number;
			if (number === 5) throw cancelled;
			return answer(200, [{ id: 1 }, { id: 2 }]);
		});
		await expect(run).rejects.toMatchObject({ kind: 'cancelled' });
		expect(requests).toBe(5);
	});

	it('ends at once if the execution is cancelled during a wait', async () => {
		let requests = 0;
		const clock = new ImpatientClock(() => 0);
		clock.cancel(new ServiceFailure('The execution was cancelled.', '', { kind: 'cancelled' }));
		const run = diagnose((_, number) => {
			requests = number;
			return answer(429, {}, { 'retry-after': '5' });
		}, clock);
		await expect(run).rejects.toMatchObject({ kind: 'cancelled' });
		expect(requests).toBe(3);
	});

	it('passes a defect of its own on instead of taking it for an answer', async () => {
		const run = diagnose(({ query }) => {
			if (query?.page === undefined) return answer(200, [{ id: 1 }, { id: 2 }]);
			return { ...answer(200), headers: undefined as unknown as Record<string, string> };
		});
		await expect(run).rejects.toThrow(TypeError);
	});
});

describe('what a diagnosis could not find out', () => {
	const users = (...records: object[]) => ({ data: records });

	/** Every path holds the same list, so what is at the other ones has a reason of its own. */
	const PATHS: readonly string[] = ['companiesPath', 'visitsPath', 'tasksPath'];

	it.each<[string, (request: HttpRequest) => HttpAnswer]>([
		['of nobody', () => answer(200, users())],
		['of users that nothing tells apart', () => answer(200, users({ name: 'A' }, { name: 'A' }))],
	])('what could not be found out says what would show it: %s', async (_of, list) => {
		const { findings, requests } = await diagnose(list);
		expect(requests.length).toBeLessThan(MAX_REQUESTS);
		const open = findings.filter(({ status }) => status === 'unknown');
		expect(open.length).toBeGreaterThan(3);
		for (const { check, meaning } of open) {
			if (PATHS.includes(check)) continue;
			const wouldShow = unknown(check as Check).meaning;
			expect({ check, says: meaning.includes(wouldShow) }).toEqual({ check, says: true });
		}
	});
});
