import {
	checkTimestamp,
	namedTimestamp,
	timestampInList,
} from '../../../../../nodes/VisitorService/webhook/verify';
import fc from '../../../../properties';

const NOW = 1_700_000_000_000;

describe('checkTimestamp', () => {
	it.each([
		['', 'partMissing'],
		['now', 'timestampUnreadable'],
		['-1700000000', 'timestampOutside'],
		['1,700,000,000', 'timestampUnreadable'],
		['1.7e9', 'timestampUnreadable'],
		['0x6553f100', 'timestampUnreadable'],
		['17000000000000000', 'timestampUnreadable'],
		['NaN', 'timestampUnreadable'],
		['2023-11-14', 'timestampUnreadable'],
		['2023-13-14T22:13:20Z', 'timestampUnreadable'],
		['0', 'timestampUnreadable'],
		['1000000000', 'timestampOutside'],
		['9999999999999', 'timestampOutside'],
		['9999999999', 'timestampOutside'],
		['1700000000', undefined],
		['1700000000000', undefined],
		['1700000000.999', undefined],
		['2023-11-14T22:13:20Z', undefined],
		['2023-11-14T22:13:20', 'timestampUnreadable'],
		['2023-11-14T22:13:20+00', undefined],
		['1700000000.170000000', undefined],
		['2023-11-14 22:13:20Z', undefined],
		['2023-11-14T22:13Z', undefined],
		['20231114T221320Z', undefined],
		['Tue, 14 Nov 2023 22:13:20 GMT', undefined],
		['1700000000000000', undefined],
		['1700000000000000000', undefined],
		['2023-11-14T22:13:20.123456789Z', undefined],
		['2023-11-14T22:07Z', 'timestampOutside'],
		['2023-11-14T22:09Z', undefined],
		['Tue, 14 Nov 2023 22:00:00 GMT', 'timestampOutside'],
		['1700000301000000', 'timestampOutside'],
		['1699999700', undefined],
		['1699999699', 'timestampOutside'],
		['1700000300', undefined],
		['1700000301', 'timestampOutside'],
		['2023-11-14T23:13:20+01:00', undefined],
		['2023-11-14T14:13:20.123-08:00', undefined],
	])('checks the age of the timestamp %j: %s', (timestamp, expected) => {
		expect(checkTimestamp(timestamp, NOW, 300)).toBe(expected);
	});

	it('treats both directions and all units alike', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: -1000, max: 1000 }),
				fc.integer({ min: 1, max: 600 }),
				(away, tolerance) => {
					const seconds = NOW / 1000 + away;
					const expected = Math.abs(away) > tolerance ? 'timestampOutside' : undefined;
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

describe('timestampInList', () => {
	it.each([
		['t=1614265330,v1=a', '1614265330'],
		['v1=a, t=5', '5'],
		['v1=a;t=5', '5'],
		['ts=1671552777;h1=a', '1671552777'],
		['h1=a;ts=5', '5'],
		['h1=a;tss=5', undefined],
		['1614265330', undefined],
		['v1=a,at=5', undefined],
		['t=', undefined],
		['t=1614265330.25,v1=a', undefined],
		['timestamp=1619071700,signature=a', '1619071700'],
		['timestamp="1619071700", signature="a"', '1619071700'],
		['time=1619071700,signature=a', '1619071700'],
		['t:1619071700,v1:a', '1619071700'],
		['downtime=5,v1=a', undefined],
		['v1=a, Tue 10:00', undefined],
		['t=5&s=a', '5'],
		['t=5|s=a', '5'],
		['1312701386,fe1d2d,ab', '1312701386'],
		['1312701386123 fe1d2d', '1312701386123'],
		['1312701386:fe1d2d', '1312701386'],
		['12,ab', undefined],
		['12:34:56,ab', undefined],
		['Tue, 14 Nov 2023 22:13:20 GMT', undefined],
	])('finds the timestamp in the header %j: %s', (header, expected) => {
		expect(timestampInList(header)).toBe(expected);
	});
});

it('namedTimestamp takes no number without a name, because that is a header sent twice', () => {
	expect(namedTimestamp('1312701386,1')).toBeUndefined();
	expect(namedTimestamp('t=1312701386,v1=a')).toBe('1312701386');
});
