import { readDecimal, readTypedDecimal } from '../../../../../nodes/VisitorService/values/decimal';

describe('readDecimal', () => {
	it.each([
		[0, 0],
		[-1.5, -1.5],
		['0', 0],
		['42', 42],
		[' 42 ', 42],
		['-7', -7],
		['3.25', 3.25],
		['007', 7],
	])('reads %j as the number %d', (value, number) => {
		expect(readDecimal(value)).toBe(number);
	});

	it.each([
		NaN,
		Infinity,
		'',
		' ',
		'abc',
		'1e3',
		'0x10',
		'1,5',
		'.5',
		'5.',
		'+5',
		'--5',
		'5 s',
		'9'.repeat(400),
		null,
		undefined,
		true,
		[5],
		{ value: 5 },
	])('finds no number in %j', (value) => {
		expect(readDecimal(value)).toBeUndefined();
	});
});

describe('readTypedDecimal', () => {
	it.each([
		[-1.5, -1.5],
		[' 42 ', 42],
		['-7', -7],
		['+5', 5],
		['.5', 0.5],
		['5.', 5],
		['1e3', 1000],
		['2.5E-1', 0.25],
	])('reads %j as the number %d', (value, number) => {
		expect(readTypedDecimal(value)).toBe(number);
	});

	it.each([
		NaN,
		Infinity,
		'',
		' ',
		'0x10',
		'0b1',
		'.',
		'1,5',
		'5 s',
		'1e999',
		null,
		undefined,
		true,
	])('finds no typed number in %j', (value) => {
		expect(readTypedDecimal(value)).toBeUndefined();
	});
});
