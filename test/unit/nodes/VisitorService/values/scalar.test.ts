import {
	formatCount,
	readBoolean,
	readDecimal,
	readUserDecimal,
} from '../../../../../nodes/VisitorService/values/scalar';

it.each([
	...[-1.5, '0', ' 42 ', '-7', '3.25', '007'].map((value) => [value, Number(value)]),
	...[NaN, Infinity, '', ' ', 'abc', '1,5', '--5', '5 s', '9'.repeat(400), true, [5]].map(
		(value) => [value, undefined],
	),
])('reads %j as the number %d, written or typed', (value, number) => {
	expect([readDecimal(value), readUserDecimal(value)]).toEqual([number, number]);
});

it.each<[string, number | undefined]>([
	['+5', 5],
	['.5', 0.5],
	['5.', 5],
	['1e3', 1000],
	['2.5E-1', 0.25],
	...['0x10', '0b1', '.', '1e999'].map((text): [string, undefined] => [text, undefined]),
])('reads %j as the number %d only if a person typed it', (text, number) => {
	expect([readDecimal(text), readUserDecimal(text)]).toEqual([undefined, number]);
});

it.each([
	[true, [true, 'true', 'True', ' TRUE ', 'yes', 'Y', '1', 1]],
	[false, [false, 'false', 'False', 'no', 'N', '0', 0]],
	[undefined, [null, undefined, '', 2, -1, '10', 'none', 'on it', [], [true], {}]],
])('a service says %j with each of %j', (flag, values) => {
	expect(values.map(readBoolean)).toEqual(values.map(() => flag));
});

afterEach(() => jest.restoreAllMocks());

it('counts one thing or several, with commas between thousands, in any country', () => {
	jest.spyOn(Number.prototype, 'toLocaleString').mockImplementation(function (
		this: number,
		locale = 'de-DE',
	) {
		return new Intl.NumberFormat(locale).format(this);
	});
	expect([0, 1, 2_600_000].map((number) => formatCount(number, 'user'))).toEqual([
		'0 users',
		'1 user',
		'2,600,000 users',
	]);
	expect(formatCount(1, 'retry', 'retries')).toBe('1 retry');
	expect(formatCount(2, 'retry', 'retries')).toBe('2 retries');
});
