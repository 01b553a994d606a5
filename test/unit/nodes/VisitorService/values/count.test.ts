import { writeCount, writeNumber } from '../../../../../nodes/VisitorService/values/count';

describe('a number in a sentence', () => {
	it.each([
		[0, '0'],
		[999, '999'],
		[1000, '1,000'],
		[2_600_000, '2,600,000'],
	])('has commas between thousands: %i', (number, written) => {
		expect(writeNumber(number)).toBe(written);
	});

	it('stands before one thing or several', () => {
		expect([0, 1, 2600].map((number) => writeCount(number, 'user'))).toEqual([
			'0 users',
			'1 user',
			'2,600 users',
		]);
		expect(writeCount(1, 'retry', 'retries')).toBe('1 retry');
		expect(writeCount(2, 'retry', 'retries')).toBe('2 retries');
	});
});
