import {
	checkClockDifference,
	checkMetadata,
	checkRateLimit,
	findFields,
} from '../../../../../nodes/VisitorService/diagnosis/answers';
import type { Attempt } from '../../../../../nodes/VisitorService/diagnosis/politeTransport';
import { answer, askedUsers } from './askedTenant';
import { usersOf } from './memoryTenant';

async function fieldsOf(users: unknown[]) {
	const findings = findFields((await askedUsers(() => answer(200, users))).users);
	return { findings, told: findings.map((one) => [one.check, one.status, one.observed]) };
}

async function metadataOf(body: unknown) {
	return checkMetadata((await askedUsers(() => answer(200, body))).users);
}

describe('the fields of users', () => {
	it('finds the ID and the update time', async () => {
		const { told, findings } = await fieldsOf(usersOf(3));
		expect(told).toEqual([
			['idField', 'ok', 'id'],
			['updatedAtField', 'ok', 'updatedAt'],
		]);
		expect(findings[0]?.meaning).toContain('the 3 users seen');
		expect((await fieldsOf(usersOf(1))).findings[0]?.meaning).toContain('the 1 user seen');
		expect((await fieldsOf(usersOf(1300))).findings[0]?.meaning).toContain('the 1,300 users seen');
	});

	it('says what to set if users have none of them', async () => {
		const { told, findings } = await fieldsOf([{ name: 'One' }, { name: 'Two' }]);
		expect(told).toEqual([
			['idField', 'unknown', null],
			['updatedAtField', 'unknown', null],
		]);
		expect(findings.map((finding) => finding.meaning).join()).toContain('set Updated At Path');
	});
});

describe('what a page says about the list', () => {
	const data = [{ id: 1 }, { id: 2 }];

	it('finds the numbers that a page names', async () => {
		expect(await metadataOf({ data, total: 9 })).toMatchObject({ status: 'ok', observed: 'total' });
		const found = await metadataOf({ data, total: 9, totalPages: 5, last: false });
		expect(found?.observed).toBe('total, totalPages, more');
		expect(found?.meaning).toBe('The first page names a total of 9, 5 pages, that pages follow.');
		const long = await metadataOf({ data, total: 2600, totalPages: 1300 });
		expect(long?.meaning).toBe('The first page names a total of 2,600, 1,300 pages.');
		expect((await metadataOf({ data, last: true }))?.meaning).toContain('that no page follows');
	});

	it('finds that a page names none, but not of an empty list', async () => {
		expect(await metadataOf(data)).toMatchObject({ status: 'ok', observed: 'none' });
		expect(await metadataOf([])).toBeUndefined();
	});
});

interface Sent {
	statusCode?: number;
	sentAt?: number;
	receivedAt?: number;
}

function answered(
	headers: Record<string, string>,
	{ statusCode = 200, sentAt = 0, receivedAt = 0 }: Sent = {},
): Attempt {
	return {
		request: { method: 'GET', url: 'https://tenant.test/', timeout: 1 },
		answer: { statusCode, headers, body: {} },
		sentAt,
		receivedAt,
	};
}

describe('the rate limit', () => {
	it.each([
		['X-RateLimit-Limit', { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '99' }, 100],
		['X-Rate-Limit-Limit', { 'x-rate-limit-limit': '60' }, 60],
		['RateLimit-Limit with windows', { 'ratelimit-limit': '10, 10;w=1, 1000;w=3600' }, 10],
		['RateLimit-Policy', { 'ratelimit-policy': '"burst";q=100;w=60,"daily";q=1000;w=86400' }, 100],
		['RateLimit of an earlier draft', { ratelimit: 'limit=50, remaining=49, reset=5' }, 50],
	])('reads the rate limit from %s', (_, headers, limit) => {
		expect(checkRateLimit([answered(headers)])).toMatchObject({ status: 'ok', observed: limit });
	});

	it('the rate limit is unknown if nothing speaks of it, or nothing that can be read', () => {
		expect(checkRateLimit([])).toMatchObject({ status: 'unknown', observed: null });
		expect(checkRateLimit([answered({})])).toMatchObject({ status: 'unknown', observed: null });
		const unreadable = checkRateLimit([answered({ 'x-ratelimit-remaining': '3' })]);
		expect(unreadable).toMatchObject({ status: 'unknown', observed: null });
		expect(unreadable.meaning).toContain('x-ratelimit-remaining');
		const several = { 'x-ratelimit-reset': '1', date: 'now', 'x-ratelimit-remaining': '3' };
		expect(checkRateLimit([answered(several)]).meaning).toContain(
			' Headers seen: x-ratelimit-remaining, x-ratelimit-reset.',
		);
		expect(checkRateLimit([answered({ date: 'now' })]).meaning).not.toContain('Headers');
	});

	it('the rate limit is a warning if it was reached twice', () => {
		const limited = answered({}, { statusCode: 429 });
		expect(checkRateLimit([answered({}), limited, limited])).toMatchObject({
			status: 'warning',
			observed: null,
			setting: null,
		});
		expect(checkRateLimit([limited, limited]).meaning).toContain('answered 429 2 times.');
		const once = checkRateLimit([answered({}), limited]);
		expect(once.status).toBe('unknown');
		expect(once.meaning).toContain('answered 429 once');
		expect(checkRateLimit([answered({}), answered({})]).meaning).not.toContain('429 t');
	});
});

describe('the clock difference', () => {
	const noon = Date.UTC(2026, 0, 1, 12);
	/** An answer written at this time of the service, a whole second cut off. */
	const written = (serviceTime: number, sentAt: number, receivedAt: number) =>
		answered(
			{ date: new Date(Math.floor(serviceTime / 1000) * 1000).toUTCString() },
			{ sentAt, receivedAt },
		);

	it.each([-86_400, -3600, -61, -7, 7, 61, 3600])(
		'the clock difference is found to the second: %i',
		(seconds) => {
			const answers = [0, 300, 700].map((delay) => {
				const at = noon + delay;
				return written(at + 40 + seconds * 1000, at, at + 80);
			});
			const { observed } = checkClockDifference(answers);
			expect(Math.abs(Number(observed) - seconds)).toBeLessThanOrEqual(1);
		},
	);

	it('the clock difference is none within what whole seconds can show', () => {
		for (const offset of [-900, -400, 0, 400, 900]) {
			const finding = checkClockDifference([written(noon + offset, noon, noon + 20)]);
			expect(finding).toMatchObject({ status: 'ok', observed: 0 });
		}
	});

	it('asks for no setting, for polls go by the clock of the service', () => {
		const ahead = checkClockDifference([written(noon + 3_600_000, noon, noon)]);
		expect(ahead).toMatchObject({ status: 'warning', setting: null });
		expect(ahead.meaning).toContain('is 3,601 seconds ahead of that of n8n');
	});

	it('the clock difference is unknown without a Date header that can be read', () => {
		expect(checkClockDifference([answered({ date: 'soon' }), answered({})])).toMatchObject({
			status: 'unknown',
			observed: null,
		});
	});
});
