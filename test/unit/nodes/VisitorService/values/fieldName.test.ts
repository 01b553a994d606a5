import {
	fieldName,
	fieldsOf,
	findField,
	hasField,
	readField,
} from '../../../../../nodes/VisitorService/values/fieldName';

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

describe('fieldName', () => {
	it.each([
		['accesstoken', ['access_token', 'accessToken', 'AccessToken', 'ACCESS_TOKEN', 'access-token']],
		['totalcount', ['total_count', 'TotalCount', 'total-count', 'Total Count', '__totalCount']],
		['updatedat', ['updatedAt', 'updated_at', 'updated-at', '$updatedAt', 'UPDATED_AT']],
		['id', ['id', 'ID', '_id', '$id', '@id']],
		['odata.count', ['@odata.count', 'odata.count']],
		['hydra:totalitems', ['hydra:totalItems']],
		['', ['', '_', '$', ' ']],
	])('writes %j for each of %j', (expected, names) => {
		for (const name of names) expect(fieldName(name)).toBe(expected);
	});
});

describe('fieldsOf', () => {
	const fields = fieldsOf({
		Total: null,
		TOTAL_COUNT: 8,
		totalCount: 7,
		'total-count': 9,
		count: '9',
		text: '',
	});

	it.each([
		['the first name comes first', ['count', 'totalcount'], '9'],
		['of one name the shortest key', ['totalcount', 'count'], 7],
		['null is passed over', ['total', 'count'], '9'],
		['no such name', ['size'], undefined],
		['a name of the prototype', ['constructor', 'tostring'], undefined],
		['no name at all', [], undefined],
	])('reads a field by its likeliest name: %s', (_, names, value) => {
		expect(readField(fields, names)).toBe(value);
	});

	it.each([
		[{ '@id': 1, _id: 2, id: 3 }, 3],
		[{ '@id': 1, _id: 2 }, 1],
		[{ id: null, _id: 2 }, 2],
		[{ ID: 1, id: 2, Id: 3 }, 1],
	])('takes the shortest of the keys with one name, unless it is null: %j', (object, value) => {
		expect(readField(fieldsOf(object), ['id'])).toBe(value);
	});

	it('passes over a field that holds something else than what is looked for', () => {
		expect(findField(fields, ['totalcount', 'text', 'count'], isText)).toEqual({
			key: 'count',
			value: '9',
		});
		expect(hasField(fields, ['total', 'totalcount'], (value) => value === null)).toBe(true);
		expect(hasField(fields, ['total', 'totalcount'], (value) => value === 9)).toBe(true);
		expect(hasField(fields, ['text', 'count'], (value) => value === 7)).toBe(false);
	});

	it('takes false, 0 and an empty text for values', () => {
		expect(readField(fieldsOf({ More: false }), ['more'])).toBe(false);
		expect(readField(fieldsOf({ Total: 0 }), ['total'])).toBe(0);
		expect(readField(fieldsOf({ Text: '' }), ['text'])).toBe('');
	});

	it('compares fields by another part of their keys if told to', () => {
		const local = (key: string) => fieldName(key.slice(key.lastIndexOf(':') + 1));
		const answer = fieldsOf({ 'hydra:totalItems': 3, 'ns2:Member': [] }, local);
		expect(readField(answer, ['totalitems'])).toBe(3);
		expect(readField(answer, ['member'])).toEqual([]);
	});
});
