import {
	findField,
	normalizedFieldName,
	readField,
} from '../../../../../nodes/VisitorService/values/json';

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

describe('normalizedFieldName', () => {
	it.each([
		['accesstoken', ['access_token', 'accessToken', 'AccessToken', 'ACCESS_TOKEN', 'access-token']],
		['totalcount', ['total_count', 'TotalCount', 'total-count', 'Total Count', '__totalCount']],
		['updatedat', ['updatedAt', 'updated_at', 'updated-at', '$updatedAt', 'UPDATED_AT']],
		['id', ['id', 'ID', '_id', '$id', '@id']],
		['odata.count', ['@odata.count', 'odata.count']],
		['hydra:totalitems', ['hydra:totalItems']],
		['', ['', '_', '$', ' ']],
	])('writes %j for each of %j', (expected, names) => {
		for (const name of names) expect(normalizedFieldName(name)).toBe(expected);
	});
});

describe('a field by its name', () => {
	const object = { Total: null, TOTAL_COUNT: 8, totalCount: 7, count: '9', text: '' };

	it.each([
		[{ '@id': 1, _id: 2, id: 3 }, 3],
		[{ '@id': 1, _id: 2 }, 1],
		[{ id: null, _id: 2 }, 2],
		[{ ID: 1, id: 2, Id: 3 }, 1],
		[{ Id: false }, false],
		[{ Id: 0 }, 0],
		[{ Id: '' }, ''],
		[{ Id: null }, undefined],
		[null, undefined],
		[[{ id: 1 }], undefined],
	])('is the one with the shortest key, unless it is null: %j', (from, value) => {
		expect(readField(from, 'id')).toBe(value);
	});

	it.each(['constructor', 'tostring', 'size'])('is none if the object has none: %s', (name) => {
		expect(readField(object, name)).toBeUndefined();
	});

	it('is that of the first name, if it holds what is looked for', () => {
		const names = ['totalcount', 'text', 'count'];
		expect(findField(object, names, isText)).toEqual({ key: 'count', value: '9' });
		expect(findField(object, ['size'], isText)).toBeUndefined();
	});
});
