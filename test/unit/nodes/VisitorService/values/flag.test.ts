import { readSaidFlag } from '../../../../../nodes/VisitorService/values/flag';

describe('readSaidFlag', () => {
	it.each([true, 'true', 'True', ' TRUE ', 'yes', 'Y', '1', 1])('reads %j as true', (value) => {
		expect(readSaidFlag(value)).toBe(true);
	});

	it.each([false, 'false', 'False', 'no', 'N', '0', 0])('reads %j as false', (value) => {
		expect(readSaidFlag(value)).toBe(false);
	});

	it.each([null, undefined, '', 2, -1, '10', 'none', 'on it', [], [true], {}])(
		'reads %j as neither',
		(value) => {
			expect(readSaidFlag(value)).toBeUndefined();
		},
	);
});
