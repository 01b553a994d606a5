import { DateTime } from 'luxon';

import {
	readTimeIfSet,
	writeUpdatedSince,
} from '../../../../../nodes/VisitorService/answer/updatedSince';

const noon = Date.UTC(2026, 0, 31, 12);
const read = (value: unknown, zone = 'Europe/Berlin') =>
	readTimeIfSet(value, 'Updated Since', zone);

describe('a time that a user set', () => {
	it.each<[string, unknown]>([
		['ISO 8601 in UTC', '2026-01-31T12:00:00Z'],
		['with a fraction', '2026-01-31T12:00:00.000Z'],
		['with an offset', '2026-01-31T13:00:00+01:00'],
		['without a zone', '2026-01-31T13:00:00'],
		['as editors write it', '2026-01-31T13:00'],
		['with spaces around', ' 2026-01-31T12:00:00Z '],
		['SQL', '2026-01-31 13:00:00'],
		['SQL with an offset', '2026-01-31 12:00:00 +00:00'],
		['RFC 2822', 'Sat, 31 Jan 2026 12:00:00 +0000'],
		['an HTTP date', 'Sat, 31 Jan 2026 12:00:00 GMT'],
		['milliseconds', noon],
		['seconds', noon / 1000],
		['milliseconds as text', String(noon)],
		['seconds as text', String(noon / 1000)],
		['a Date', new Date(noon)],
		['luxon', DateTime.fromMillis(noon)],
		['another copy of luxon', { toMillis: () => noon }],
	])('reads Updated Since in this notation: %s', (_, value) => {
		expect(read(value)).toBe(noon);
	});

	it('reads a date alone as midnight in the zone of the workflow', () => {
		expect(read('2026-01-31')).toBe(Date.UTC(2026, 0, 30, 23));
		expect(read('2026-01-31', 'America/New_York')).toBe(Date.UTC(2026, 0, 31, 5));
	});

	it.each([[undefined], [null], ['']])('takes %p for not set', (value) => {
		expect(read(value)).toBeUndefined();
	});

	it.each([
		['yesterday'],
		['31.01.2026'],
		['2026-13-01'],
		[' '],
		[NaN],
		[Infinity],
		[true],
		[{}],
		[[noon]],
		[new Date(NaN)],
		[DateTime.invalid('test')],
		['9'.repeat(30)],
	])('refuses %p as Updated Since', (value) => {
		expect(() => read(value)).toThrow('Updated Since is not a point in time that can be read.');
	});
});

describe('writeUpdatedSince', () => {
	it('writes each format', () => {
		expect(writeUpdatedSince(noon + 1, 'iso')).toBe('2026-01-31T12:00:00.001Z');
		expect(writeUpdatedSince(noon, 'iso')).toBe('2026-01-31T12:00:00Z');
		expect(writeUpdatedSince(noon + 1, 'epochMs')).toBe(noon + 1);
	});

	it('rounds seconds down: what changed within the second must not be skipped', () => {
		expect(writeUpdatedSince(noon + 999, 'epochS')).toBe(noon / 1000);
		expect(writeUpdatedSince(-1, 'epochS')).toBe(-1);
	});
});
