import { readAllAtPath, readDotPath } from '../../../../../nodes/VisitorService/values/json';

describe('readDotPath', () => {
	it.each([
		['', { a: 1 }, { a: 1 }],
		['a', { a: 1 }, 1],
		['a.b', { a: { b: [1] } }, [1]],
		['a.b', { 'a.b': 2, a: { b: 1 } }, 2],
		['a.b.c', { 'a.b': { c: 3 } }, 3],
		['a.b.c', { a: { 'b.c': 4 } }, 4],
		['data.0.items', { data: [{ items: 5 }] }, 5],
		['1', ['x', 'y'], 'y'],
		['a', { a: null }, null],
		['@odata.count', { '@odata.count': 6 }, 6],
	])('finds the value at the path %p', (path, value, expected) => {
		expect(readDotPath(value, path)).toEqual(expected);
	});

	it.each([
		['a', {}],
		['a.b', { a: 1 }],
		['a.b', { a: null }],
		['a', null],
		['a', 'text'],
		['a', [1]],
		['7', [1]],
		['a..b', { a: { b: 1 } }],
		// Nothing that every object has is in the data.
		['constructor', {}],
		['__proto__', {}],
		['a.length', { a: [1] }],
	])('finds nothing at %p of %p', (path, value) => {
		expect(readDotPath(value, path)).toBeUndefined();
	});

	it('prefers the longest key, so that no part of a path is read twice', () => {
		expect(readDotPath({ a: { 'b.c': { d: 1 } }, 'a.b': { c: { d: 2 } } }, 'a.b.c.d')).toBe(2);
	});
});

describe('readAllAtPath', () => {
	it.each<[string, unknown, unknown[]]>([
		['', { a: 1 }, [{ a: 1 }]],
		['a', { a: [1, 2] }, [[1, 2]]],
		['a.b', { 'a.b': 1, a: { b: 2 } }, [1]],
		['a.b.c', { 'a.b': { c: 3 } }, [3]],
		['a.b', { a: [{ b: 1 }, { b: [2, 3] }] }, [1, [2, 3]]],
		['a.b.c', { a: [{ b: [{ c: 1 }, { c: 2 }] }, { b: { c: 3 } }] }, [1, 2, 3]],
		['a.b', { a: [[{ b: 1 }], { b: 2 }] }, [1, 2]],
		['a.1.b', { a: [{ b: 1 }, { b: 2 }] }, [2]],
		['a.b', { a: [{ b: 1 }, {}, null, 'text'] }, [1, undefined, undefined, undefined]],
		['a.b', { a: [] }, []],
		['a.0.b', { a: [] }, []],
		['a.b', { a: null }, [undefined]],
		['a.7', { a: [1] }, [undefined]],
		['constructor.name', { a: 1 }, [undefined]],
		['a.length', { a: 'text' }, [undefined]],
	])('finds at the path %p of %j every value', (path, value, expected) => {
		expect(readAllAtPath(value, path)).toEqual(expected);
	});
});
