import {
	findIdentity,
	readIdentity,
} from '../../../../../nodes/VisitorService/listing/recordIdentity';

const fieldOf = (page: Array<Record<string, unknown>>, resource = 'user') =>
	findIdentity(page, resource)?.field;

describe('findIdentity', () => {
	it.each(['id', 'ID', 'userId', 'user_id', 'UserID', 'uuid', '_id', 'guid', '@id'])(
		'finds %s',
		(field) => {
			expect(
				fieldOf([
					{ name: 'a', [field]: 1 },
					{ name: 'a', [field]: 2 },
				]),
			).toBe(field);
		},
	);

	it.each([
		['company', 'companyId'],
		['visit', 'VisitId'],
		['task', 'task_uuid'],
	])('finds of a %s %s', (resource, field) => {
		expect(fieldOf([{ [field]: 'a' }, { [field]: 'b' }], resource)).toBe(field);
	});

	it('does not take the id of something else', () => {
		expect(fieldOf([{ userId: 1 }, { userId: 2 }], 'visit')).toBeUndefined();
	});

	it('takes the likeliest of several', () => {
		expect(fieldOf([{ key: 'k', _id: 'b', id: 'a' }])).toBe('id');
	});

	it.each<[string, Array<Record<string, unknown>>]>([
		['repeats within the page', [{ id: 1 }, { id: 1 }]],
		['is missing once', [{ id: 1 }, {}]],
		['is empty', [{ id: '' }]],
		['is null', [{ id: null }]],
		['is an object', [{ id: { value: 1 } }]],
	])('does not take a field that %s', (_, page) => {
		expect(fieldOf(page)).toBeUndefined();
	});

	it('goes on to the next name where the first is none', () => {
		expect(
			fieldOf([
				{ id: null, uuid: 'a' },
				{ id: null, uuid: 'b' },
			]),
		).toBe('uuid');
	});

	it('believes doubtful names only where records differ in them', () => {
		expect(fieldOf([{ key: 'a' }])).toBeUndefined();
		expect(fieldOf([{ key: 'a' }, { key: 'b' }])).toBe('key');
	});

	it('finds none on an empty page', () => {
		expect(fieldOf([])).toBeUndefined();
	});
});

describe('readIdentity', () => {
	it('keeps 1 and "1" apart', () => {
		expect(readIdentity({ id: 1 }, 'id')).toBe(1);
		expect(readIdentity({ id: '1' }, 'id')).toBe('1');
	});

	it('reads what MongoDB writes', () => {
		expect(readIdentity({ _id: { $oid: 'abc' } }, '_id')).toBe('abc');
		expect(readIdentity({ _id: { $oid: 1 } }, '_id')).toBeUndefined();
	});

	it('does not trust numbers that JSON.parse rounds: two ids become one', () => {
		const parsed = JSON.parse('[{"id":9007199254740992},{"id":9007199254740993}]') as Array<{
			id: number;
		}>;
		expect(parsed[0]?.id).toBe(parsed[1]?.id);
		expect(parsed.map((record) => readIdentity(record, 'id'))).toEqual([undefined, undefined]);
	});

	it.each([[NaN], [1.5], [true], [undefined], [[]]])('does not take %p', (id) => {
		expect(readIdentity({ id }, 'id')).toBeUndefined();
	});
});
