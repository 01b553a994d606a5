import {
	findIdentity,
	type RecordId,
	readIdentity,
	spelledAlike,
} from '../../../../../nodes/VisitorService/answer/identity';

const fieldOf = (page: Array<Record<string, unknown>>, resource = 'user') =>
	findIdentity(page, resource)?.field;

describe('findIdentity', () => {
	it.each([
		...['id', 'ID', 'userId', 'user_id', 'UserID', 'USER_ID', 'Uuid', '_id', 'guid', '@id'],
		...['personId', 'memberId', 'userGuid', 'userid', 'sys_id', 'b:UserId'],
	])('finds the ID in the field %s', (field) => {
		expect(fieldOf([1, 2].map((id) => ({ name: 'a', [field]: id })))).toBe(field);
	});

	it.each([
		['company', 'companyId'],
		['visit', 'VisitId'],
		['task', 'task_uuid'],
		['visit', 'visitGuid'],
		['company', 'organizationId'],
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
		['is an object', [{ id: { name: 1 } }]],
	])('does not take a field that %s', (_, page) => {
		expect(fieldOf(page)).toBeUndefined();
	});

	it('goes on to the next name if the first is not an ID', () => {
		expect(fieldOf(['a', 'b'].map((uuid) => ({ id: null, uuid })))).toBe('uuid');
	});

	it('believes doubtful names only if records differ in them', () => {
		expect(fieldOf([{ key: 'a' }])).toBeUndefined();
		expect(fieldOf([{ key: 'a' }, { key: 'b' }])).toBe('key');
	});

	it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
		['sys.id', { sys: { id: 1 }, fields: {} }, { sys: { id: 2 }, fields: {} }],
		['node.id', { cursor: 'x', node: { id: 1 } }, { cursor: 'y', node: { id: 2 } }],
		['user.id', { user: { id: 1, name: 'x' }, role: 'x' }, { user: { id: 2 }, role: 'x' }],
		['any_name.ID', { any_name: { ID: 1 } }, { any_name: { ID: 2 } }],
		['$id.value', { $id: { value: 1 } }, { $id: { value: 2 } }],
	])('finds %s if the record is wrapped', (path, one, other) => {
		expect(fieldOf([one, other])).toBe(path);
	});

	it.each<[string, Record<string, unknown>]>([
		['another thing', { name: 'x', company: { id: 1 } }],
		['a thing booked', { title: 'x', start: 'y', end: 'z', resource: { id: 1, name: 'x' } }],
	])('does not take the ID of %s in the record', (_, record) => {
		const other = JSON.parse(JSON.stringify(record).replace('"id":1', '"id":2')) as typeof record;
		expect(fieldOf([record, other])).toBeUndefined();
	});

	it('says which names are doubtful', () => {
		const doubt = (name: string) =>
			findIdentity([{ [name]: 1 }, { [name]: 2 }], 'user')?.isDoubtful;
		expect(['id', 'userId', 'uuid'].map(doubt)).toEqual([false, false, false]);
		expect(['uid', 'key', 'accountId', 'userNo'].map(doubt)).toEqual([true, true, true, true]);
	});

	it('finds the ID in the object that holds a record beside its kind', () => {
		const page = ['a', 'b'].map((id) => ({ kind: 't3', data: { id, title: 'x' } }));
		expect(fieldOf(page, 'task')).toBe('data.id');
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

describe('the numbers of objects that Newtonsoft writes', () => {
	it.each([[['1', '2']], [['2', '5']], [['7']]])('numbers of objects are no ID: %j', (numbers) => {
		const page = numbers.map(($id, place) => ({ $id, UserId: 70 - place }));
		expect(findIdentity(page, 'user')?.field).toBe('UserId');
	});

	it('passes over numbers that begin anew in each answer for RecId', () => {
		expect(findIdentity([{ RecId: 'a' }, { RecId: 'b' }], 'task')).toMatchObject({
			field: 'RecId',
			isDoubtful: false,
		});
	});
});

describe('spelledAlike', () => {
	it.each<[RecordId, RecordId]>([
		[7, 7],
		['7', 7],
		['0', 0],
		['007', '007'],
		['9007199254740993', '9007199254740993'],
		['Ada', 'Ada'],
		['ABC', 'ABC'],
		['507F1F77BCF86CD799439011', '507f1f77bcf86cd799439011'],
		['{3F2504E0-4F89-11D3-9A0C-0305E82C3301}', '3f2504e0-4f89-11d3-9a0c-0305e82c3301'],
		['3f2504e0-4f89-11d3-9a0c-0305e82c3301', '3f2504e0-4f89-11d3-9a0c-0305e82c3301'],
		['{note}', '{note}'],
	])('spells %p as %p', (id, spelled) => {
		expect(spelledAlike(id)).toBe(spelled);
	});
});
