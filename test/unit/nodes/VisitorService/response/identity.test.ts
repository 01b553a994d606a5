import {
	findIdField,
	normalizeId,
	type RecordId,
	readId,
} from '../../../../../nodes/VisitorService/response/identity';

type Page = Array<Record<string, unknown>>;

const fieldOf = (page: Page, resource = 'user') => findIdField(page, resource)?.field;

describe('findIdField', () => {
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

	it.each<[string | undefined, Page]>([
		['id', [{ key: 'k', _id: 'b', id: 'a' }]],
		['uuid', ['a', 'b'].map((uuid) => ({ id: null, uuid }))],
		// What every record has, and no two alike.
		[undefined, [{ id: 1 }, { id: 1 }]],
		[undefined, [{ id: 1 }, {}]],
		...['', null, { name: 1 }].map((id): [undefined, Page] => [undefined, [{ id }]]),
		[undefined, []],
		// Doubtful names, only if records differ in them.
		[undefined, [{ key: 'a' }]],
		['key', [{ key: 'a' }, { key: 'b' }]],
		// Of something else.
		[undefined, [1, 2].map((visitId) => ({ visitId }))],
		[undefined, [1, 2].map((id) => ({ name: 'x', company: { id } }))],
		[undefined, [1, 2].map((id) => ({ title: 'x', start: 'y', end: 'z', resource: { id } }))],
		// In what is around the record, or holds it beside its kind.
		['sys.id', [1, 2].map((id) => ({ sys: { id }, fields: {} }))],
		['node.id', [1, 2].map((id) => ({ cursor: `at ${id}`, node: { id } }))],
		['user.id', [1, 2].map((id) => ({ user: { id, name: 'x' }, role: 'x' }))],
		['any_name.ID', [1, 2].map((ID) => ({ any_name: { ID } }))],
		['$id.value', [1, 2].map((value) => ({ $id: { value } }))],
		['data.id', [1, 2].map((id) => ({ kind: 't3', data: { id, title: 'x' } }))],
		// Numbers of objects, as Newtonsoft writes them.
		...[['1', '2'], ['2', '5'], ['7']].map((numbers): [string, Page] => [
			'UserId',
			numbers.map(($id, index) => ({ $id, UserId: 70 - index })),
		]),
	])('finds %j in %j', (field, page) => {
		expect(fieldOf(page)).toBe(field);
	});

	it('says which names are certain', () => {
		const isCertain = (name: string, resource = 'user') =>
			findIdField([{ [name]: 1 }, { [name]: 2 }], resource)?.isCertain;
		expect(['id', 'userId', 'uuid'].map((name) => isCertain(name))).toEqual([true, true, true]);
		expect(isCertain('RecId', 'task')).toBe(true);
		const uncertain = ['uid', 'key', 'accountId', 'userNo'];
		expect(uncertain.map((name) => isCertain(name))).toEqual(uncertain.map(() => false));
	});
});

describe('readId', () => {
	it('keeps 1 and "1" apart', () => {
		expect(readId({ id: 1 }, 'id')).toBe(1);
		expect(readId({ id: '1' }, 'id')).toBe('1');
	});

	it('reads what MongoDB writes', () => {
		expect(readId({ _id: { $oid: 'abc' } }, '_id')).toBe('abc');
		expect(readId({ _id: { $oid: 1 } }, '_id')).toBeUndefined();
	});

	it('does not trust numbers that JSON.parse rounds: two ids become one', () => {
		const parsed = JSON.parse('[{"id":9007199254740992},{"id":9007199254740993}]') as Array<{
			id: number;
		}>;
		expect(parsed[0]?.id).toBe(parsed[1]?.id);
		expect(parsed.map((record) => readId(record, 'id'))).toEqual([undefined, undefined]);
	});

	it.each([[NaN], [1.5], [true], [undefined], [[]]])('does not take %p', (id) => {
		expect(readId({ id }, 'id')).toBeUndefined();
	});
});

describe('normalizeId', () => {
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
		expect(normalizeId(id)).toBe(spelled);
	});
});
