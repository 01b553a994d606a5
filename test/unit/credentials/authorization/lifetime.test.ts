import { readLifetime } from '../../../../credentials/authorization/lifetime';

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0, 400);
const HOUR = 3600;

const lifetime = (
	body: Record<string, unknown>,
	{ serviceAhead, accessToken = 'opaque' }: { serviceAhead?: number; accessToken?: string } = {},
) =>
	readLifetime({
		objects: [body],
		accessToken,
		date: serviceAhead === undefined ? undefined : new Date(NOW + serviceAhead).toUTCString(),
		receivedAt: NOW,
	});

const jsonWebToken = (claims: object) =>
	`e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

describe('readLifetime', () => {
	it.each([
		[{ expires_in: 3600 }, 3600],
		[{ expires_in: '3600' }, 3600],
		[{ expires_in: ' 3600 ' }, 3600],
		[{ expires_in: 0.5 }, 0.5],
		[{ expires_in: '3600.5' }, 3600.5],
		[{ expiresIn: 60 }, 60],
		[{ 'expires-in': 60 }, 60],
		[{ ttl: 60 }, 60],
		[{ EXPIRES_IN: 60 }, 60],
		[{ Expires_In: '60' }, 60],
		[{ expires: 60 }, 60],
		[{ expires_in: 31_536_000 }, 31_536_000],
	])('%j is %d seconds', (body, expected) => {
		expect(lifetime(body)).toBe(expected);
	});

	it.each([
		[{}],
		[{ expires_in: null }],
		[{ expires_in: 0 }],
		[{ expires_in: '0' }],
		[{ expires_in: -3600 }],
		[{ expires_in: 1e15 }],
		[{ expires_in: 'one hour' }],
		[{ expires_in: '1h' }],
		[{ expires_in: '' }],
		[{ expires_in: true }],
		[{ expires_in: [3600] }],
		[{ expires_in: { seconds: 3600 } }],
		[{ expires_in: Infinity }],
		[{ expires_in: NaN }],
		[{ expires_at: 'tomorrow' }],
		[{ expires_at: '2026-01-01T13:00:00' }],
		[{ expires_at: 'in 5 apples' }],
		[{ expires_at: '2026-99-99T13:00:00Z' }],
		[{ expires_at: new Date(NOW - 1000).toISOString() }],
		[{ expires_at: '9999-12-31T23:59:59Z' }],
		[{ exp: 0 }],
	])('%j has none', (body) => {
		expect(lifetime(body)).toBeUndefined();
	});

	it('prefers a lifetime to a point in time, and falls back to it', () => {
		const expires_at = (NOW + HOUR * 1000) / 1000;
		expect(lifetime({ expires_in: 60, expires_at })).toBe(60);
		expect(lifetime({ expires_in: 0, expires_at })).toBeCloseTo(HOUR, 3);
	});

	it.each([
		['expires_at', new Date(NOW + HOUR * 1000).toISOString()],
		['expiresAt', '2026-01-01T15:00:00.400+02:00'],
		['expires_at', (NOW + HOUR * 1000) / 1000],
		['expires_at', NOW + HOUR * 1000],
		['expires_on', String(NOW + HOUR * 1000)],
		['exp', (NOW + HOUR * 1000) / 1000],
		['ExpiresOn', '2026-01-01 13:00:00.4+00'],
		['expiry', '20260101T130000.400Z'],
		['expires-at', `/Date(${NOW + HOUR * 1000})/`],
		['valid_until', (NOW + HOUR * 1000) * 1000],
	])('reads the point in time %s %j', (name, value) => {
		expect(lifetime({ [name]: value })).toBeCloseTo(HOUR, 3);
		expect(lifetime({ [name]: value }, { serviceAhead: 0 })).toBeCloseTo(HOUR, 3);
	});

	it('reads an HTTP date', () => {
		const expires = new Date(NOW + HOUR * 1000).toUTCString();
		expect(lifetime({ expires })).toBeCloseTo(HOUR - 0.4, 3);
	});

	it.each([-86_400, -600, -2, 2, 600, 86_400])(
		'measures by the Date header a clock that is %d s ahead, by a second too short at most',
		(ahead) => {
			const serviceAhead = ahead * 1000;
			const expires_at = new Date(NOW + serviceAhead + HOUR * 1000).toISOString();
			const seconds = lifetime({ expires_at }, { serviceAhead }) ?? 0;
			expect(seconds).toBeLessThanOrEqual(HOUR);
			expect(seconds).toBeGreaterThan(HOUR - 1);
		},
	);

	it('does without a Date header that is not a date', () => {
		const objects = [{ expires_at: NOW + HOUR * 1000 }];
		const sources = { objects, accessToken: 'opaque', receivedAt: NOW };
		expect(readLifetime({ ...sources, date: 'soon' })).toBe(HOUR);
	});

	it('reads the exp claim of a JSON Web Token where the answer says nothing', () => {
		const accessToken = jsonWebToken({ exp: Math.floor(NOW / 1000) + HOUR });
		expect(lifetime({}, { accessToken })).toBeCloseTo(HOUR - 0.4, 3);
		expect(lifetime({ expires_in: 60 }, { accessToken })).toBe(60);
	});

	it.each([
		[
			'no.token',
			'x.y.z',
			'a.e30.b',
			jsonWebToken({ exp: 'never' }),
			jsonWebToken([1]),
			'..',
			'e30',
		],
	])('makes nothing of tokens it cannot read', (...tokens) => {
		for (const accessToken of tokens) expect(lifetime({}, { accessToken })).toBeUndefined();
	});

	it('looks at the object nearest to the token first', () => {
		const objects = [{ expires_in: 60 }, { expires_in: 3600 }];
		expect(readLifetime({ objects, accessToken: 'opaque', receivedAt: NOW })).toBe(60);
	});
});
