import {
	fieldName,
	findField,
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
	])('is %j for %j', (expected, names) => {
		for (const name of names) expect(fieldName(name)).toBe(expected);
	});
});

describe('a field found by names', () => {
	const object = { Total: null, 'total-count': 7, TOTAL_COUNT: 8, count: '9', text: '' };

	it('is that of the likeliest name, however it is spelt and wherever it stands', () => {
		expect(readField(object, ['count', 'totalcount'])).toBe('9');
		expect(readField(object, ['totalcount', 'count'])).toBe(7);
	});

	it('is not one that holds something else', () => {
		expect(readField(object, ['total', 'totalcount'])).toBe(7);
		expect(findField(object, ['totalcount', 'text', 'count'], isText)).toEqual({
			key: 'count',
			value: '9',
		});
	});

	it('is none if no name is there, or only in the prototype', () => {
		expect(readField(object, ['size', 'constructor', 'tostring'])).toBeUndefined();
		expect(readField({}, [])).toBeUndefined();
	});

	it('keeps false, 0 and an empty text', () => {
		expect(readField({ More: false }, ['more'])).toBe(false);
		expect(readField({ Total: 0 }, ['total'])).toBe(0);
		expect(readField({ Text: '' }, ['text'])).toBe('');
	});
});
