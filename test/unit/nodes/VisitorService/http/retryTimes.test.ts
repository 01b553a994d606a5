import { fullJitter, readRetryAfter } from '../../../../../nodes/VisitorService/http/retryTimes';

const now = Date.UTC(2026, 0, 31, 12);
const read = (retryAfter: string, headers: Record<string, string> = {}) =>
	readRetryAfter({ 'retry-after': retryAfter, ...headers }, now);

describe('readRetryAfter', () => {
	it.each([
		['0', 0],
		['1', 1_000],
		['120', 120_000],
		[' 7 ', 7_000],
		['0.25', 250],
		['1.0001', 1_001],
	])('reads seconds: %p', (text, milliseconds) => {
		expect(read(text)).toBe(milliseconds);
	});

	it.each([
		['Sat, 31 Jan 2026 12:00:05 GMT', 5_000],
		['Saturday, 31-Jan-26 12:00:05 GMT', 5_000],
		['Sat Jan 31 12:00:05 2026', 5_000],
		['Sat, 31 Jan 2026 11:59:00 GMT', 0],
	])('reads each form of an HTTP date (RFC 9110): %p', (text, milliseconds) => {
		expect(read(text)).toBe(milliseconds);
	});

	it.each([
		[String(now / 1_000 + 5), 5_000],
		[String(now + 5_000), 5_000],
		['2026-01-31T12:00:05Z', 5_000],
		['2026-01-31 13:00:05+01:00', 5_000],
		['1769860799', 0],
	])('reads any other point in time: %p', (text, milliseconds) => {
		expect(read(text)).toBe(milliseconds);
	});

	it.each([
		['5, 5', 5_000],
		['1,60', 1_000],
		['Sat, 31 Jan 2026 12:00:05 GMT, Sat, 31 Jan 2026 12:00:05 GMT', 5_000],
		['2026-01-31T12:00:05Z, 2026-01-31T12:00:09Z', 5_000],
	])('reads the first of a list: %p', (text, milliseconds) => {
		expect(read(text)).toBe(milliseconds);
	});

	it('goes by the clock of the service if it says its time', () => {
		const date = 'Sat, 31 Jan 2026 12:30:00 GMT';
		expect(read('Sat, 31 Jan 2026 12:30:10 GMT', { date })).toBe(10_000);
		expect(read('Sat, 31 Jan 2026 12:00:10 GMT', { date: 'nonsense' })).toBe(10_000);
	});

	it.each([
		[''],
		['soon'],
		['-1'],
		['1e3'],
		['5 apples'],
		['5s'],
		['-1, 5'],
		['Sat'],
		['Saturday night'],
		['NaN'],
		['Infinity'],
	])('ignores the Retry-After value %p', (text) => {
		expect(read(text)).toBeUndefined();
	});

	it('finds none if there is no header', () => {
		expect(readRetryAfter({}, now)).toBeUndefined();
	});
});

describe('fullJitter', () => {
	it('fullJitter returns a random part of a bound that doubles up to 20 seconds', () => {
		const bounds = [0, 1, 2, 3, 4, 5, 6, 7, 50].map((attempt) => fullJitter(attempt, 1));
		expect(bounds).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000, 20_000]);
		expect(fullJitter(3, 0)).toBe(0);
		expect(fullJitter(3, 0.5)).toBe(2_000);
	});
});
