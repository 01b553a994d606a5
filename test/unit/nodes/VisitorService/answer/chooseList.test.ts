import { chooseList } from '../../../../../nodes/VisitorService/answer/chooseList';

const keys = ['users', 'user', 'people', 'persons', 'members'];
const a = [{ id: 1 }];
const b = [{ id: 2 }];
const withoutId = [{ street: 'a' }];

describe('The list of an answer', () => {
	it.each([
		['named first of the names sought', { people: b, users: a }, 'users'],
		['named, though another one is before it', { data: b, members: a }, 'members'],
		['named nearer to the surface', { archive: { users: b }, members: a }, 'members'],
		['usual first of the usual names', { items: b, data: a }, 'data'],
		['usual nearer to the surface', { archive: { data: b }, items: a }, 'items'],
		['usual with fewer names around it', { data: { items: b }, items: a }, 'items'],
		['inside what has a usual name', { result: { listUsers: a }, archive: b }, 'result.listUsers'],
		['the only one with IDs', { badges: a, addresses: withoutId }, 'badges'],
		['the only one, beside an empty one farther down', { badges: a, x: { y: [] } }, 'badges'],
		['the only empty one', { badges: [] }, 'badges'],
		['empty under a usual name', { badges: [], items: [] }, 'items'],
		['beside a null that is not for users', { members: null, data: [] }, 'data'],
		['in a record that is none, by its usual name', { id: 7, data: a }, 'data'],
	])('finds the list of an answer if it is %s', (_, body, path) => {
		expect(chooseList(body, keys)).toMatchObject({ kind: 'list', path });
	});

	it.each([
		['unclear', { badges: a, cards: b }],
		['unclear', { badges: a, cards: [], addresses: withoutId }],
		['list', { badges: [], cards: [] }],
		['null', { users: null, data: [] }],
		['null', { data: null }],
		['null', { data: null, included: { users: a } }],
		['unclear', { nodes: null, next: null }],
		['unclear', { id: 7, addresses: withoutId }],
		['unclear', { id: 7, home: { data: a } }],
		['unclear', {}],
	])('the list of an answer is found to be %s in %j', (kind, body) => {
		expect(chooseList(body, keys).kind).toBe(kind);
	});

	it('the list of an answer is shown with the other lists that have the name of a field', () => {
		const body = { users: a, roles: b, 'no field': b, empty: [] };
		expect(chooseList(body, keys)).toEqual({
			kind: 'list',
			path: 'users',
			list: a,
			otherPaths: ['roles'],
		});
	});
});
