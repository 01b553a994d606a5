import type { Reader } from '../../../../../nodes/VisitorService/values/parameters';
import * as read from '../../../../../nodes/VisitorService/values/parameters';
import { thrownFailure } from '../operations/thrownFailure';

const sort = { displayName: 'Sort' };

const READERS: Array<Reader<unknown>> = [
	read.text,
	read.exactText,
	read.texts,
	(value) => read.wholeNumber(value, { ...sort, default: 7, typeOptions: { minValue: 1 } }),
	(value) => read.number(value, { ...sort, default: 7, typeOptions: { minValue: 1 } }),
	read.flag,
	(value) => read.oneOf(['down', 'up'])(value, { ...sort, default: 'up' }),
];

const no = Symbol('rejected');

/** A value; as text, as it stands, as a list, a whole number, a number, a flag, and a choice. */
const TABLE: Array<[value: unknown, ...read: unknown[]]> = [
	[undefined, '', '', [], 7, 7, false, 'up'],
	[null, '', '', [], 7, 7, false, 'up'],
	['', '', '', [], 7, 7, false, 'up'],
	[' ', '', ' ', [], no, no, no, no],
	[' a, b,,c ', 'a, b,,c', ' a, b,,c ', ['a', 'b', 'c'], no, no, no, no],
	['down', 'down', 'down', ['down'], no, no, no, 'down'],
	[3, '3', '3', ['3'], 3, 3, no, no],
	[' 3 ', '3', ' 3 ', ['3'], 3, 3, no, no],
	['1.5', '1.5', '1.5', ['1.5'], no, 1.5, no, no],
	['0x10', '0x10', '0x10', ['0x10'], no, no, no, no],
	['1e3', '1e3', '1e3', ['1e3'], 1000, 1000, no, no],
	[0, '0', '0', ['0'], no, no, no, no],
	[true, no, no, no, no, no, true, no],
	['true', 'true', 'true', ['true'], no, no, true, no],
	[' False ', 'False', ' False ', ['False'], no, no, false, no],
	[[' a', 'b,c', ''], no, no, ['a', 'b,c'], no, no, no, no],
	[[], no, no, [], no, no, no, no],
	...[['a', 1], NaN, Infinity, [NaN], [['a']], [null], [true], {}].map(
		(value): [unknown, ...unknown[]] => [value, no, no, no, no, no, no, no],
	),
];

describe('what a user set', () => {
	it.each(TABLE)('%j is read, or rejected, by each reader', async (value, ...expected) => {
		for (const [kind, reader] of READERS.entries()) {
			if (expected[kind] !== no) expect(reader(value, sort)).toEqual(expected[kind]);
			else {
				const { message } = await thrownFailure(() => reader(value, sort));
				expect(message).toMatch(/^Sort must be /);
			}
		}
	});

	it('is a flag that is on, as its default, if an expression returns nothing', () => {
		for (const value of [undefined, null, ''])
			expect(read.flag(value, { ...sort, default: true })).toBe(true);
	});

	it('is a flag that is on, as its default, if an expression returns nothing', () => {
		for (const value of [undefined, null, ''])
			expect(read.flag(value, { ...sort, default: true })).toBe(true);
	});

	it('is rejected by an error that names it, and says what to set where', async () => {
		const format = { displayName: 'Format', location: ' in the credential' };
		const readFormat = read.oneOf(['a', 'b', 'c']);
		expect(await thrownFailure(() => readFormat('d', format))).toMatchObject({
			message: 'Format must be a, b or c.',
			remedy: 'Correct Format in the credential. If it is an expression, check what it returns.',
			kind: 'configuration',
		});
	});

	it.each<[Reader<unknown>, unknown, string]>([
		[read.wholeNumber, -1, 'a whole number, 0 or more'],
		[read.number, 'x', 'a number, 0 or more'],
		[read.texts, [true], 'text or a list of texts'],
		[read.headerName, 'X Sig', 'the name of a header'],
		[read.collection, ['sort'], 'an object'],
		[read.collection, 'name', 'an object'],
		[read.rows('rows'), { rows: {} }, 'a list of objects'],
	])('%p says of %j what it must be', (reader, value, must) => {
		expect(() => reader(value, sort)).toThrow(`Sort must be ${must}.`);
	});
});

it.each([0, 1, 2])('a name that is described %d times is read only if that is once', (times) => {
	const described = Array.from({ length: times }, () => ({ ...sort, name: 'sort' }));
	const readSort = () => read.readParameters(described, () => 'name', { sort: read.text });
	if (times === 1) expect(readSort()).toEqual({ sort: 'name' });
	else expect(readSort).toThrow('Not exactly one parameter is named "sort".');
});

const rows = [{ field: 'id' }, {}];

it.each<[unknown, unknown[]]>([
	[{ rows }, rows],
	[rows, rows],
	...[{ rows: [] }, { rows: null }, {}, '', null, undefined].map((value): [unknown, []] => [
		value,
		[],
	]),
])('reads the rows of a fixed collection from %j', (value, expected) => {
	expect(read.rows('rows')(value, sort)).toEqual(expected);
});

it.each([
	...['id = 1', 7, true, { rows: 'id = 1' }, { rows: {} }, ['id'], [rows]],
	...[{ row: rows }, { field: 'id' }],
])('rejects other rows, because nothing would be filtered: %j', (value) => {
	expect(() => read.rows('rows')(value, sort)).toThrow('Sort must be a list');
});

describe('a time', () => {
	it('a time without a zone is in that of the workflow', () => {
		expect(read.time('Europe/Berlin')('2026-01-31T13:00', sort)).toBe(Date.UTC(2026, 0, 31, 12));
		expect(read.time('America/New_York')('2026-01-31', sort)).toBe(Date.UTC(2026, 0, 31, 5));
	});

	it.each([undefined, '', 'yesterday', true, {}])('is rejected if it is %p', (value) => {
		expect(() => read.time('UTC')(value, sort)).toThrow('Sort must be a point in time.');
	});
});
