import { checkTimestamp } from '../../../../../nodes/VisitorService/webhook/timestampTolerance';
import fc from '../../../../properties';

const NOW = 1_700_000_000_000;

describe('checkTimestamp', () => {
	it.each([
		['', 'timestampMissing'],
		['now', 'timestampUnreadable'],
		['-1700000000', 'timestampUnreadable'],
		['1,700,000,000', 'timestampUnreadable'],
		['1.7e9', 'timestampUnreadable'],
		['0x6553f100', 'timestampUnreadable'],
		['17000000000000000', 'timestampUnreadable'],
		['NaN', 'timestampUnreadable'],
		['2023-11-14', 'timestampUnreadable'],
		['2023-11-14T22:13:20', 'timestampUnreadable'],
		['2023-13-14T22:13:20Z', 'timestampUnreadable'],
		['0', 'timestampTooOld'],
		['9999999999999', 'timestampTooNew'],
		['9999999999', 'timestampTooNew'],
		['1700000000', undefined],
		['1700000000000', undefined],
		['1700000000.999', undefined],
		['2023-11-14T22:13:20Z', undefined],
		['2023-11-14T23:13:20+01:00', undefined],
		['2023-11-14T14:13:20.123-08:00', undefined],
	])('%j', (timestamp, expected) => {
		expect(checkTimestamp(timestamp, NOW, 300)).toBe(expected);
	});

	it('treats both directions and all units alike', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: -1000, max: 1000 }),
				fc.integer({ min: 1, max: 600 }),
				(away, tolerance) => {
					const seconds = NOW / 1000 + away;
					const expected =
						away > tolerance
							? 'timestampTooNew'
							: away < -tolerance
								? 'timestampTooOld'
								: undefined;
					for (const written of [
						String(seconds),
						String(seconds * 1000),
						new Date(seconds * 1000).toISOString(),
					]) {
						expect(checkTimestamp(written, NOW, tolerance)).toBe(expected);
					}
				},
			),
		);
	});
});
