import {
	checkTimestamp,
	namedTimestamp,
	timestampInList,
} from '../../../../../nodes/VisitorService/webhook/verify';
import fc from '../../../../properties';

const NOW = 1_700_000_000_000;
const inside = [
	...['1700000000', '1700000000.999', '1700000000.170000000', '1699999700', '1700000300'],
	...['1700000000000', '1700000000000000', '1700000000000000000', '2023-11-14T22:13:20Z'],
	...['2023-11-14T22:13:20+00', '2023-11-14 22:13:20Z', '2023-11-14T22:13Z', '20231114T221320Z'],
	...['Tue, 14 Nov 2023 22:13:20 GMT', '2023-11-14T22:13:20.123456789Z', '2023-11-14T22:09Z'],
	...['2023-11-14T23:13:20+01:00', '2023-11-14T14:13:20.123-08:00'],
];
const outside = [
	...['-1700000000', '1000000000', '9999999999', '9999999999999', '1700000301000000'],
	...['1699999699', '1700000301', '2023-11-14T22:07Z', 'Tue, 14 Nov 2023 22:00:00 GMT'],
];
const unreadable = [
	...['now', 'NaN', '0', '1,700,000,000', '1.7e9', '0x6553f100', '17000000000000000'],
	...['2023-11-14', '2023-13-14T22:13:20Z', '2023-11-14T22:13:20'],
];

it.each([
	...inside.map((text): [string, undefined] => [text, undefined]),
	...outside.map((text): [string, string] => [text, 'timestampOutside']),
	...unreadable.map((text): [string, string] => [text, 'timestampUnreadable']),
	['', 'partMissing'],
])('the age of the timestamp %j is checked: %s', (timestamp, expected) => {
	expect(checkTimestamp(timestamp, NOW, 300)).toBe(expected);
});

it('both directions and all units are alike', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: -1000, max: 1000 }),
			fc.integer({ min: 1, max: 600 }),
			(away, tolerance) => {
				const time = NOW + away * 1000;
				const expected = Math.abs(away) > tolerance ? 'timestampOutside' : undefined;
				for (const written of [time / 1000, time, new Date(time).toISOString()])
					expect(checkTimestamp(String(written), NOW, tolerance)).toBe(expected);
			},
		),
	);
});

it.each([
	['t=1614265330,v1=a', '1614265330'],
	['v1=a, t=5', '5'],
	['v1=a;t=5', '5'],
	['ts=1671552777;h1=a', '1671552777'],
	['h1=a;ts=5', '5'],
	['timestamp=1619071700,signature=a', '1619071700'],
	['timestamp="1619071700", signature="a"', '1619071700'],
	['time=1619071700,signature=a', '1619071700'],
	['t:1619071700,v1:a', '1619071700'],
	['t=5&s=a', '5'],
	['t=5|s=a', '5'],
	['1312701386,fe1d2d,ab', '1312701386'],
	['1312701386123 fe1d2d', '1312701386123'],
	['1312701386:fe1d2d', '1312701386'],
	...['h1=a;tss=5', '1614265330', 'v1=a,at=5', 't=', 't=1614265330.25,v1=a', 'downtime=5,v1=a']
		.concat(['v1=a, Tue 10:00', '12,ab', '12:34:56,ab', 'Tue, 14 Nov 2023 22:13:20 GMT'])
		.map((text): [string, undefined] => [text, undefined]),
])('the timestamp in the header %j is found: %s', (header, expected) => {
	expect(timestampInList(header)).toBe(expected);
});

it('a number without a name is no named timestamp, because that is a header sent twice', () => {
	expect(namedTimestamp('1312701386,1')).toBeUndefined();
	expect(namedTimestamp('t=1312701386,v1=a')).toBe('1312701386');
});
