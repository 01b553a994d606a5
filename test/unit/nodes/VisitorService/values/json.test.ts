import { isRecord, isText } from '../../../../../nodes/VisitorService/values/json';

describe('isRecord', () => {
	it.each([[{}], [{ id: 1 }], [Object.create(null)]])('says yes to %p', (value) => {
		expect(isRecord(value)).toBe(true);
	});

	it.each([[null], [undefined], [[]], [[{}]], ['text'], [42], [true], [() => ({})]])(
		'says no to %p',
		(value) => {
			expect(isRecord(value)).toBe(false);
		},
	);
});

describe('isText', () => {
	it.each([
		['a', true],
		[' a ', true],
		['0', true],
		['', false],
		[' \n', false],
		[0, false],
		[null, false],
		[['a'], false],
	])('says whether %j is text: %p', (value, expected) => {
		expect(isText(value)).toBe(expected);
	});
});
