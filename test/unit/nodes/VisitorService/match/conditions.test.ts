import { DateTime } from 'luxon';
import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import {
	COMPARISONS,
	type Comparison,
	type Condition,
} from '../../../../../nodes/VisitorService/match/conditions';
import { RecordMatch } from '../../../../../nodes/VisitorService/match/recordMatch';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import fc from '../../../../properties';

const ZONE = 'Europe/Berlin';
const NOON = Date.UTC(2026, 0, 31, 11);
const MISSING = Symbol('missing');

const meets = (record: JsonObject, field: string, comparison: Comparison, value?: unknown) =>
	matchOf({ field, comparison, value }).holds(record);

const matchOf = (...conditions: Condition[]) =>
	new RecordMatch({ type: 'all', conditions }, { now: NOON, zone: ZONE });

/** Whether a record with this value, or without one, meets a condition. */
const judge = (found: unknown, comparison: Comparison, value?: unknown) =>
	meets(found === MISSING ? {} : { field: found }, 'field', comparison, value);

const EQUAL: ReadonlyArray<[found: unknown, value: unknown]> = [
	['open', 'open'],
	['Open', 'oPEN'],
	['STRASSE', 'Straße'],
	['straße', 'STRASSE'],
	['STRAẞE', 'straße'],
	['İstanbul', 'istanbul'],
	['ISTANBUL', 'ıstanbul'],
	['ΟΔΟΣ', 'οδός'.normalize('NFD').replace(/\u0301/g, '')],
	['οδος', 'ΟΔΟΣ'],
	['Zoë', 'ZOE\u0308'],
	['Zoe\u0308', 'zoë'],
	['Å', '\u212b'],
	['a.b*c?[d]\\', 'A.B*C?[D]\\'],
	['%_', '%_'],
	[7, 7],
	[7, '7'],
	[7, ' 7.0 '],
	[-0.5, '-.5'],
	[1200, '1.2e3'],
	['7.50', 7.5],
	['007', 7],
	[0, '0'],
	[true, true],
	[false, false],
	[true, 'true'],
	[false, ' False '],
	['true', 'TRUE'],
	[['vip', 'guest'], 'GUEST'],
	[[1, [2, 3]], 3],
	['2026-01-31T08:00:00Z', new Date('2026-01-31T08:00:00Z')],
	[1_769_846_400, DateTime.fromISO('2026-01-31T09:00:00+01:00')],
	['2026-01-31', DateTime.fromISO('2026-01-31', { zone: ZONE })],
];

const DIFFERENT: ReadonlyArray<[found: unknown, value: unknown]> = [
	['open', 'opened'],
	['open', ' open'],
	['abc', 'a.c'],
	['abc', '*'],
	['Zoë', 'Zoe'],
	['7', '7.0'],
	['007', '7'],
	['', 0],
	[16, '0x10'],
	[1000, '1,000'],
	['seven', 7],
	[true, 1],
	[true, '1'],
	[true, 'yes'],
	[false, 0],
	[1, true],
	['true', true],
	['1', true],
	[null, false],
	[null, 'null'],
	[MISSING, 'undefined'],
	[{}, '[object Object]'],
	[{ name: 'open' }, 'open'],
	[['vip', 'guest'], 'vip,guest'],
	['2026-01-31T08:00:00Z', '2026-01-31T09:00:00+01:00'],
	['tomorrow', new Date('2026-01-31T08:00:00Z')],
];

describe('Equals', () => {
	it.each(EQUAL)('holds for %j and the value %j', (found, value) => {
		expect(judge(found, 'equals', value)).toBe(true);
	});

	it.each(DIFFERENT)('does not hold for %j and the value %j', (found, value) => {
		expect(judge(found, 'equals', value)).toBe(false);
	});
});

describe('Not Equals', () => {
	it.each([...EQUAL, ...DIFFERENT])('holds for %j and %j if Equals does not', (found, value) => {
		expect(judge(found, 'notEquals', value)).toBe(!judge(found, 'equals', value));
	});

	it.each([null, MISSING])('holds for a field without a value: %p', (found) => {
		expect(judge(found, 'notEquals', 'open')).toBe(true);
	});

	it('holds for a list if no element equals the value', () => {
		expect(judge(['vip', 'guest'], 'notEquals', 'guest')).toBe(false);
		expect(judge(['vip', 'guest'], 'notEquals', 'staff')).toBe(true);
		expect(judge([], 'notEquals', 'staff')).toBe(true);
	});
});

describe('Contains and Starts With', () => {
	it.each<[comparison: Comparison, found: unknown, value: unknown]>([
		['contains', 'Visitor 000123', '0123'],
		['contains', 'anna@Example.com', '@EXAMPLE.'],
		['contains', 'Straße 5', 'STRASSE'],
		['contains', 'Ζωή οδός Αθήνα', 'ΟΔΌΣ'],
		['contains', 'a+b (c)', '+B (C'],
		['contains', ['red', 'dark blue'], 'blue'],
		['contains', 12_345, '234'],
		['contains', 'room 12', 12],
		['startsWith', 'Anna', 'an'],
		['startsWith', '2026-01-31T08:00:00Z', '2026-01-31t'],
		['startsWith', ['b', 'abc'], 'AB'],
		['startsWith', '2026-01-31T08:00:00.000Z', new Date('2026-01-31T08:00:00Z')],
	])('%s holds for %j and the value %j', (comparison, found, value) => {
		expect(judge(found, comparison, value)).toBe(true);
	});

	it.each<[comparison: Comparison, found: unknown, value: unknown]>([
		['contains', 'abc', 'a.c'],
		['contains', 'Zoë', 'zoe'],
		['contains', true, 'ru'],
		['contains', null, 'null'],
		['contains', MISSING, 'a'],
		['contains', { name: 'Anna' }, 'Anna'],
		['contains', ['ab', 'cd'], 'bc'],
		['startsWith', 'Anna', 'nna'],
		['startsWith', ' Anna', 'Anna'],
		['startsWith', null, 'n'],
	])('%s does not hold for %j and the value %j', (comparison, found, value) => {
		expect(judge(found, comparison, value)).toBe(false);
	});
});

describe('Before and After', () => {
	const order = (found: unknown, value: unknown) => {
		if (judge(found, 'before', value)) return 'before';
		return judge(found, 'after', value) ? 'after' : 'neither';
	};

	it.each<[found: unknown, value: unknown, 'before' | 'after' | 'neither']>([
		['2026-01-31T07:59:59.999Z', '2026-01-31T08:00:00Z', 'before'],
		['2026-01-31T08:00:00.001Z', '2026-01-31T08:00:00Z', 'after'],
		['2026-01-31T08:00:00Z', '2026-01-31T09:00:00+01:00', 'neither'],
		['2026-01-31T09:00:00', '2026-01-31T08:00:00Z', 'neither'],
		['2026-01-31 09:00:01', '2026-01-31T08:00:00Z', 'after'],
		['2026-07-31T10:00:00', '2026-07-31T08:00:00Z', 'neither'],
		[1_769_846_399, '2026-01-31T08:00:00Z', 'before'],
		[1_769_846_400_001, '2026-01-31T08:00:00Z', 'after'],
		['1769846400', 1_769_846_400_000, 'neither'],
		['2026-01-30', '2026-01-31', 'before'],
		['2026-01-31', '2026-01-31', 'neither'],
		['2026-02-01', '2026-01-31', 'after'],
		['2026-01-31', '2026-01-31T00:00:00', 'neither'],
		['2026-01-31T00:00:01', '2026-01-31', 'after'],
		['2026-01-30T23:00:01Z', '2026-01-31', 'after'],
		['/Date(1769846400001)/', '2026-01-31T08:00:00Z', 'after'],
		['2026-01-31T08:00:01Z', new Date('2026-01-31T08:00:00Z'), 'after'],
		['2026-01-31T07:00:00Z', DateTime.fromISO('2026-01-31T08:30:00+01:00'), 'before'],
		[['2020-01-01', '2030-01-01'], '2026-01-31', 'before'],
	])('%j is, compared with %j: %s', (found, value, expected) => {
		expect(order(found, value)).toBe(expected);
	});

	it.each([MISSING, null, '', 'soon', 7, true, {}, [], ['soon'], '2026-02-30'])(
		'a field that is not a time is neither before nor after: %p',
		(found) => {
			expect(order(found, '2026-01-31')).toBe('neither');
		},
	);

	it.each(['soon', 7, true, {}, DateTime.invalid('no time')])(
		'a value that is not a time is an error: %p',
		(value) => {
			expect(() => judge('2026-01-31', 'before', value)).toThrow(/not a point in time/);
			expect(() => judge('2026-01-31', 'after', value)).toThrow(/not a point in time/);
		},
	);
});

describe('Is Empty and Is Not Empty', () => {
	it.each([MISSING, null, '', []].map((found) => ({ found })))(
		'a field is empty with $found',
		({ found }) => {
			expect(judge(found, 'isEmpty')).toBe(true);
			expect(judge(found, 'isNotEmpty')).toBe(false);
		},
	);

	it.each([0, false, ' ', 'a', {}, [''], [null], [[]]].map((found) => ({ found })))(
		'a field is not empty with $found',
		({ found }) => {
			expect(judge(found, 'isEmpty')).toBe(false);
			expect(judge(found, 'isNotEmpty')).toBe(true);
		},
	);

	it('does not look at the value', () => {
		expect(judge('', 'isEmpty', {})).toBe(true);
	});
});

describe('The field of a condition', () => {
	const record = {
		'host.name': 'as it stands',
		host: { name: 'nested', address: { city: 'Town' } },
		visits: [{ room: 1, tags: ['a', 'b'] }, { room: 2 }, null, 'text'],
		none: [],
		lone: [{ email: '' }, {}],
	};

	it.each<[field: string, comparison: Comparison, value: unknown]>([
		['host.name', 'equals', 'as it stands'],
		['host.address.city', 'equals', 'town'],
		['visits.room', 'equals', 2],
		['visits.1.room', 'equals', 2],
		['visits.tags', 'equals', 'b'],
		['visits.room', 'isNotEmpty', ''],
		['none.room', 'isEmpty', ''],
		['lone.email', 'isEmpty', ''],
		['host.phone.home', 'isEmpty', ''],
		['toString', 'isEmpty', ''],
		['visits.length', 'isEmpty', ''],
	])('"%s" finds its value: %s %j', (field, comparison, value) => {
		expect(meets(record, field, comparison, value)).toBe(true);
	});

	it.each<[field: string, comparison: Comparison, value: unknown]>([
		['host.name', 'equals', 'nested'],
		['Host.address.city', 'equals', 'Town'],
		['visits.0.room', 'equals', 2],
		['visits.room', 'notEquals', 2],
		['visits.room', 'isEmpty', ''],
		['host', 'isEmpty', ''],
	])('"%s" finds nothing else: %s %j', (field, comparison, value) => {
		expect(meets(record, field, comparison, value)).toBe(false);
	});
});

describe('A condition', () => {
	it.each(['equals', 'notEquals', 'contains', 'startsWith'] as const)(
		'refuses an object and a list as the value of %s',
		(comparison) => {
			for (const value of [{}, ['open'], { toMillis: 1 }]) {
				expect(() => judge('open', comparison, value)).toThrow(/must be text, a number/);
			}
		},
	);

	const anyText = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }));
	const anyScalar = fc.oneof(anyText, fc.double(), fc.boolean());
	const anyFound = fc.oneof(
		anyScalar,
		fc.jsonValue(),
		fc.date({ noInvalidDate: true }).map(String),
	);

	it('never holds together with its opposite', () => {
		fc.assert(
			fc.property(anyFound, anyScalar, (found, value) => {
				fc.pre(String(value).trim() !== '' && !Number.isNaN(value));
				expect(judge(found, 'notEquals', value)).toBe(!judge(found, 'equals', value));
				expect(judge(found, 'isNotEmpty')).toBe(!judge(found, 'isEmpty'));
			}),
		);
	});

	it('takes a scalar for equal to itself, and what a text is cut from for containing it', () => {
		fc.assert(
			fc.property(anyText, anyText, anyScalar, (start, end, scalar) => {
				fc.pre(!Number.isNaN(scalar) && String(scalar).trim() !== '');
				expect(judge(scalar, 'equals', scalar)).toBe(true);
				const whole = `${start}-${end}`;
				expect(judge(whole, 'equals', whole.normalize('NFD').toLowerCase())).toBe(true);
				expect(judge(whole, 'contains', `${start}-`)).toBe(true);
				expect(judge(whole, 'startsWith', `${start}-`)).toBe(true);
			}),
		);
	});

	it('puts two times in one order only', () => {
		const time = fc.date({
			noInvalidDate: true,
			min: new Date('1980-01-01'),
			max: new Date('2200-01-01'),
		});
		fc.assert(
			fc.property(time, time, (one, other) => {
				expect(judge(one.toISOString(), 'before', other.toISOString())).toBe(one < other);
				expect(judge(one.getTime(), 'after', other.toISOString())).toBe(one > other);
			}),
		);
	});

	it('judges whatever a record holds without failing', () => {
		fc.assert(
			fc.property(
				fc.object(),
				fc.string({ minLength: 1 }),
				fc.constantFrom(...COMPARISONS),
				(record, field, comparison) => {
					const value = comparison.startsWith('within') ? 8 : '2026-01-31';
					expect(typeof meets(record, field, comparison, value)).toBe('boolean');
				},
			),
		);
	});
});

it.each<Comparison>(['equals', 'notEquals', 'contains', 'startsWith', 'before', 'after'])(
	'a condition cannot be compared to NaN: %s',
	(comparison) => {
		expect(() => meets({ a: 5 }, 'a', comparison, NaN)).toThrow(ServiceFailure);
	},
);
