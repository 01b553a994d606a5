import { DateTime } from 'luxon';
import * as credential from '../../../../../credentials/authorization/client';
import {
	readChoice,
	readCollection,
	readExactText,
	readFlag,
	readList,
	readNumber,
	readRows,
	readText,
	readTime,
	readWholeNumber,
} from '../../../../../nodes/VisitorService/operations/parameters';

const rules = { fallback: 7, minimum: 1 };

const readers = {
	text: (value: unknown) => readText(value, 'Sort'),
	exactText: (value: unknown) => readExactText(value, 'Sort'),
	list: (value: unknown) => readList(value, 'Sort'),
	wholeNumber: (value: unknown) => readWholeNumber(value, 'Sort', rules),
	number: (value: unknown) => readNumber(value, 'Sort', rules),
	flag: (value: unknown) => readFlag(value, 'Sort'),
	choice: (value: unknown) => readChoice(value, 'Sort', ['up', 'down']),
};

const refused = Symbol('refused');

/** What each reader makes of a value, whichever node it is a parameter of. */
type Row = [value: unknown, read: Record<keyof typeof readers, unknown>];

const table: Row[] = [
	[
		undefined,
		{ text: '', exactText: '', list: [], wholeNumber: 7, number: 7, flag: false, choice: 'up' },
	],
	[
		null,
		{ text: '', exactText: '', list: [], wholeNumber: 7, number: 7, flag: false, choice: 'up' },
	],
	['', { text: '', exactText: '', list: [], wholeNumber: 7, number: 7, flag: false, choice: 'up' }],
	[
		' ',
		{
			text: '',
			exactText: ' ',
			list: [],
			wholeNumber: refused,
			number: refused,
			flag: refused,
			choice: refused,
		},
	],
	[
		' a, b,,c ',
		{
			text: 'a, b,,c',
			exactText: ' a, b,,c ',
			list: ['a', 'b', 'c'],
			wholeNumber: refused,
			number: refused,
			flag: refused,
			choice: refused,
		},
	],
	[
		'down',
		{
			text: 'down',
			exactText: 'down',
			list: ['down'],
			wholeNumber: refused,
			number: refused,
			flag: refused,
			choice: 'down',
		},
	],
	[
		3,
		{
			text: '3',
			exactText: '3',
			list: ['3'],
			wholeNumber: 3,
			number: 3,
			flag: refused,
			choice: refused,
		},
	],
	[
		' 3 ',
		{
			text: '3',
			exactText: ' 3 ',
			list: ['3'],
			wholeNumber: 3,
			number: 3,
			flag: refused,
			choice: refused,
		},
	],
	[
		'1.5',
		{
			text: '1.5',
			exactText: '1.5',
			list: ['1.5'],
			wholeNumber: refused,
			number: 1.5,
			flag: refused,
			choice: refused,
		},
	],
	[
		'0x10',
		{
			text: '0x10',
			exactText: '0x10',
			list: ['0x10'],
			wholeNumber: refused,
			number: refused,
			flag: refused,
			choice: refused,
		},
	],
	[
		'1e3',
		{
			text: '1e3',
			exactText: '1e3',
			list: ['1e3'],
			wholeNumber: 1000,
			number: 1000,
			flag: refused,
			choice: refused,
		},
	],
	[
		0,
		{
			text: '0',
			exactText: '0',
			list: ['0'],
			wholeNumber: refused,
			number: refused,
			flag: refused,
			choice: refused,
		},
	],
	[
		true,
		{
			text: refused,
			exactText: refused,
			list: refused,
			wholeNumber: refused,
			number: refused,
			flag: true,
			choice: refused,
		},
	],
	[
		'true',
		{
			text: 'true',
			exactText: 'true',
			list: ['true'],
			wholeNumber: refused,
			number: refused,
			flag: true,
			choice: refused,
		},
	],
	[
		' False ',
		{
			text: 'False',
			exactText: ' False ',
			list: ['False'],
			wholeNumber: refused,
			number: refused,
			flag: false,
			choice: refused,
		},
	],
	[
		[' a', 'b,c', ''],
		{
			text: refused,
			exactText: refused,
			list: ['a', 'b,c'],
			wholeNumber: refused,
			number: refused,
			flag: refused,
			choice: refused,
		},
	],
	[
		[],
		{
			text: refused,
			exactText: refused,
			list: [],
			wholeNumber: refused,
			number: refused,
			flag: refused,
			choice: refused,
		},
	],
	[
		['a', 1],
		{
			text: refused,
			exactText: refused,
			list: refused,
			wholeNumber: refused,
			number: refused,
			flag: refused,
			choice: refused,
		},
	],
	...[NaN, Infinity, [NaN], [['a']], [null], [true], {}, { a: 1 }].map(
		(value): Row => [
			value,
			{
				text: refused,
				exactText: refused,
				list: refused,
				wholeNumber: refused,
				number: refused,
				flag: refused,
				choice: refused,
			},
		],
	),
];

describe.each(table)('%j as a parameter', (value, expected) => {
	it.each(Object.entries(readers))(
		'reads or refuses the value as a parameter of the kind %s',
		(kind, read) => {
			const reading = expected[kind as keyof typeof readers];
			if (reading === refused) expect(() => read(value)).toThrow(/^Sort must be /);
			else expect(read(value)).toEqual(reading);
		},
	);
});

describe.each(table)('%j as a field of the credential', (value, expected) => {
	it.each(
		Object.entries({
			text: credential.readText,
			exactText: credential.readExactText,
			list: credential.readList,
			flag: credential.readFlag,
		}),
	)('means what it means as a parameter of the kind %s', (kind, read) => {
		const reading = expected[kind as keyof typeof readers];
		if (reading === refused) expect(() => read(value, 'Sort')).toThrow(/^The Sort must be /);
		else expect(read(value, 'Sort')).toEqual(reading);
	});
});

it('refuses a field of the credential by an error that says where to set it', () => {
	expect(failureOf(() => credential.readFlag(2, 'Allow Unencrypted HTTP'))).toMatchObject({
		message: 'The Allow Unencrypted HTTP must be true or false.',
		remedy:
			'Set Allow Unencrypted HTTP in the credential to true or false. If it is an expression, check what it returns.',
		kind: 'configuration',
	});
});

describe('a parameter that cannot be read', () => {
	it.each([
		[() => readText({}, 'Sort'), 'Sort must be text.'],
		[() => readList({}, 'Fields'), 'Fields must be text or a list of texts.'],
		[() => readList([true], 'Fields'), 'Fields must be text or a list of texts.'],
		[() => readWholeNumber(0, 'Limit', rules), 'Limit must be a whole number, 1 or more.'],
		[() => readNumber('x', 'Overlap', rules), 'Overlap must be a number, 1 or more.'],
		[() => readFlag('yes', 'Return All'), 'Return All must be true or false.'],
		[() => readChoice('c', 'Format', ['a', 'b', 'd']), 'Format must be a, b or d.'],
	])(
		'a parameter that cannot be read is an error that names it and what it must be',
		(read, message) => {
			expect(failureOf(read)).toMatchObject({ message, kind: 'configuration' });
		},
	);

	it('a parameter that cannot be read is an error that says what to do', () => {
		expect(failureOf(() => readFlag(2, 'Return All'))).toMatchObject({
			remedy: 'Set Return All to true or false. If it is an expression, check what it returns.',
		});
	});
});

function failureOf(read: () => unknown): unknown {
	try {
		return read();
	} catch (error) {
		return error;
	}
}

describe('a collection of parameters', () => {
	it('a collection of parameters is empty if it is not there', () => {
		expect(readCollection(undefined, 'Options')).toEqual({});
		expect(readCollection([], 'Options')).toEqual({});
		expect(readCollection({ sort: 'name' }, 'Options')).toEqual({ sort: 'name' });
	});

	it.each(['name', 1, true, ['sort']])(
		'refuses a collection of parameters if it is %p',
		(value) => {
			expect(() => readCollection(value, 'Options')).toThrow('Options must be an object.');
		},
	);
});

describe('the rows of a fixed collection', () => {
	const rows = [{ field: 'id' }, {}];

	it.each([
		[{ conditions: rows }, rows],
		[rows, rows],
		[{ conditions: [] }, []],
		[{ conditions: null }, []],
		[{}, []],
		['', []],
		[null, []],
		[undefined, []],
	])('reads the rows of a fixed collection from %j', (value, expected) => {
		expect(readRows(value, 'conditions', 'Match')).toEqual(expected);
	});

	it.each([
		...['id = 1', 7, true, { conditions: 'id = 1' }, { conditions: {} }, ['id'], [rows]],
		...[{ condition: rows }, { field: 'id' }],
	])(
		'refuses the rows of a fixed collection if they are something else, because nothing would be filtered: %j',
		(value) => {
			expect(() => readRows(value, 'conditions', 'Match')).toThrow('Match must be a list');
		},
	);
});

describe('a flag', () => {
	it.each([undefined, null, ''])('has its fallback if it is %j', (value) => {
		expect(readFlag(value, 'Remove Duplicates', true)).toBe(true);
		expect(readFlag(value, 'Remove Duplicates')).toBe(false);
	});
});

const noon = Date.UTC(2026, 0, 31, 12);
const readSince = (value: unknown, zone = 'Europe/Berlin') =>
	readTime(value, 'Updated Since', zone);

describe('readTime', () => {
	it.each<[string, unknown]>([
		['ISO 8601 in UTC', '2026-01-31T12:00:00Z'],
		['with a fraction', '2026-01-31T12:00:00.000Z'],
		['with an offset', '2026-01-31T13:00:00+01:00'],
		['without a zone', '2026-01-31T13:00:00'],
		['as editors write it', '2026-01-31T13:00'],
		['with spaces around', ' 2026-01-31T12:00:00Z '],
		['SQL', '2026-01-31 13:00:00'],
		['SQL with an offset', '2026-01-31 12:00:00 +00:00'],
		['RFC 2822', 'Sat, 31 Jan 2026 12:00:00 +0000'],
		['an HTTP date', 'Sat, 31 Jan 2026 12:00:00 GMT'],
		['milliseconds', noon],
		['seconds', noon / 1000],
		['milliseconds as text', String(noon)],
		['seconds as text', String(noon / 1000)],
		['a Date', new Date(noon)],
		['luxon', DateTime.fromMillis(noon)],
		['another copy of luxon', { toMillis: () => noon }],
	])('reads Updated Since in this notation: %s', (_, value) => {
		expect(readSince(value)).toBe(noon);
	});

	it('reads a date alone as midnight in the zone of the workflow', () => {
		expect(readSince('2026-01-31')).toBe(Date.UTC(2026, 0, 30, 23));
		expect(readSince('2026-01-31', 'America/New_York')).toBe(Date.UTC(2026, 0, 31, 5));
	});

	it.each([
		[undefined],
		[null],
		[''],
		['yesterday'],
		['31.01.2026'],
		['2026-13-01'],
		[' '],
		[NaN],
		[Infinity],
		[true],
		[{}],
		[[noon]],
		[new Date(NaN)],
		[DateTime.invalid('test')],
		['9'.repeat(30)],
	])('refuses %p as Updated Since', (value) => {
		expect(() => readSince(value)).toThrow('Updated Since must be a point in time.');
	});
});
