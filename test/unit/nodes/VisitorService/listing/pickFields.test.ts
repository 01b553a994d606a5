import { pickFields, readFieldNames } from '../../../../../nodes/VisitorService/listing/pickFields';

describe('readFieldNames', () => {
	it.each([
		['', []],
		[' , ,', []],
		['id', ['id']],
		[' id , e mail,id', ['id', 'e mail', 'id']],
	])('reads %p', (text, names) => {
		expect(readFieldNames(text)).toEqual(names);
	});
});

describe('pickFields', () => {
	const record = { id: 1, name: 'User', address: { city: 'X' }, nothing: null };

	it('keeps the record itself where no field is named', () => {
		expect(pickFields(record, [])).toBe(record);
	});

	it('keeps the named fields, in the order they are named, and leaves out what is not there', () => {
		const picked = pickFields(record, ['nothing', 'id', 'missing', 'toString']);
		expect(Object.entries(picked)).toEqual([
			['nothing', null],
			['id', 1],
		]);
	});
});
