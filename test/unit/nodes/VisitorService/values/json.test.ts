import { isRecord } from '../../../../../nodes/VisitorService/values/json';

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
