import { DateTime } from 'luxon';
import { COMPARISONS, type Comparison } from '../../../../../nodes/VisitorService/match/conditions';
import { RecordMatcher } from '../../../../../nodes/VisitorService/match/recordMatch';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import fc from '../../../../properties';

const present = { now: Date.UTC(2026, 0, 31, 11), zone: 'Europe/Berlin' };
const MISSING = Symbol('missing');

const meets = (record: JsonObject, field: string, comparison: Comparison, value?: unknown) =>
	new RecordMatcher({ type: 'all', conditions: [{ field, comparison, value }] }, present).matches(
		record,
	);

/** Whether a record with this value, or without one, meets a condition. */
const judge = (found: unknown, comparison: Comparison, value?: unknown) =>
	meets(found === MISSING ? {} : { field: found }, 'field', comparison, value);

type Pair = [found: unknown, value: unknown];

const EQUAL: Pair[] = [
	['straße', 'STRASSE'],
	['STRAẞE', 'straße'],
	['İ', 'i\u0307'],
	['ΟΔΟΣ', 'οδος'],
	['ὈΔΥΣΣΕΎΣ', 'ὀδυσσεύσ'],
	['ﬃ', 'FFI'],
	['ſ\u212a', 'sk'],
	['ᏸ', 'Ᏸ'],
	['Zoe\u0308', 'zoë'],
	['Å', '\u212b'],
	['a.b*c?[d]\\', 'A.B*C?[D]\\'],
	[7, ' 7.0 '],
	[0.5, '0.50'],
	['0', -0],
	[4_111_111_111_111_111, '4111111111111111'],
	['9007199254740993', '9007199254740993'],
	['12E4', '12e4'],
	['7.50', 7.5],
	[false, ' False '],
	['true', 'TRUE'],
	[[1, [2, 3]], 3],
	[1_769_846_400, DateTime.fromISO('2026-01-31T09:00:00+01:00')],
	['2026-01-31', DateTime.fromISO('2026-01-31', { zone: present.zone })],
	// What n8n makes of a DateTime in Conditions.
	['2026-01-31T08:00:00Z', '2026-01-31T09:00:00.000+01:00'],
	['2026-01-31T09:00:00', '2026-01-31T08:00:00.000Z'],
	[1_769_846_400_000, '2026-01-31 08:00:00Z'],
	['/Date(1769846400000)/', 'Sat, 31 Jan 2026 08:00:00 GMT'],
];

/** As services write numbers: no exponent, no sign, no zero before it, no digits too many. */
const NO_NUMBERS: Pair[] = [
	['12E4', 120_000],
	['04E1', 40],
	['0E12', 0],
	['1e3', 1000],
	[1200, '1.2e3'],
	['007', 7],
	[7, '007'],
	['00', 0],
	['+7', 7],
	['-7', -7],
	[-0.5, '-0.5'],
	[0.5, '.5'],
	['7.', 7],
	['1.0000000000000001', 1],
	[9_007_199_254_740_992, '9007199254740993'],
	['1,000', 1000],
	['٧', 7],
];

const DIFFERENT: Pair[] = [
	...NO_NUMBERS,
	['İstanbul', 'istanbul'],
	['ISTANBUL', 'ıstanbul'],
	['mıke@example.test', 'mike@example.test'],
	['2026-01-31', '2026-01-30T23:00:01Z'],
	['2026-01-31T00:00:00', '2026-01-31'],
	['open', ' open'],
	['Zoë', 'Zoe'],
	['7', '7.0'],
	['', 0],
	[16, '0x10'],
	[true, '1'],
	['true', true],
	[null, 'null'],
	[MISSING, 'undefined'],
	[{}, '[object Object]'],
	[['vip', 'guest'], 'vip,guest'],
	[[], 'staff'],
	['2026-01-31T08:00:00Z', '2026-01-31T09:00:00.001+01:00'],
	['tomorrow', new Date('2026-01-31T08:00:00Z')],
];

it.each([...EQUAL.map((pair) => [...pair, true]), ...DIFFERENT.map((pair) => [...pair, false])])(
	'%j equals the value %j: %s',
	(found, value, expected) => {
		expect(judge(found, 'equals', value)).toBe(expected);
		expect(judge(found, 'notEquals', value)).toBe(!expected);
	},
);

it.each<[Comparison, ...Pair, boolean]>([
	['contains', 'anna@Example.com', '@EXAMPLE.', true],
	['contains', 'a+b (c)', '+B (C', true],
	['contains', 12_345, '234', true],
	['contains', 'room 12', 12, true],
	['startsWith', 'Anna', 'an', true],
	['startsWith', ['b', 'abc'], 'AB', true],
	['startsWith', '2026-01-31T08:00:00.000Z', new Date('2026-01-31T08:00:00Z'), true],
	['contains', 'abc', 'a.c', false],
	['contains', 'Zoë', 'zoe', false],
	['contains', true, 'ru', false],
	['contains', null, 'null', false],
	['contains', ['ab', 'cd'], 'bc', false],
	['startsWith', ' Anna', 'Anna', false],
])('%s looks in %j for %j: %s', (comparison, found, value, expected) => {
	expect(judge(found, comparison, value)).toBe(expected);
});

const order = (found: unknown, value: unknown) => {
	if (judge(found, 'before', value)) return 'before';
	return judge(found, 'after', value) ? 'after' : 'neither';
};

it.each<[...Pair, 'before' | 'after' | 'neither']>([
	['2026-01-31T07:59:59.999Z', '2026-01-31T08:00:00Z', 'before'],
	['2026-01-31T08:00:00.001Z', '2026-01-31T08:00:00Z', 'after'],
	['2026-01-31T08:00:00Z', '2026-01-31T09:00:00+01:00', 'neither'],
	['2026-07-31T10:00:00', '2026-07-31T08:00:00Z', 'neither'],
	[1_769_846_399, '2026-01-31T08:00:00Z', 'before'],
	['1769846400', 1_769_846_400_000, 'neither'],
	['2026-01-31', '2026-01-31T00:00:00', 'neither'],
	['2026-01-30T23:00:01Z', '2026-01-31', 'after'],
	['2026-01-31T07:00:00Z', DateTime.fromISO('2026-01-31T08:30:00+01:00'), 'before'],
	[['2020-01-01', '2030-01-01'], '2026-01-31', 'before'],
	...[MISSING, null, '', 'soon', 7, true, {}, [], ['soon'], '2026-02-30'].map(
		(found): [...Pair, 'neither'] => [found, '2026-01-31', 'neither'],
	),
])('%p is, compared with %p: %s', (found, value, expected) => {
	expect(order(found, value)).toBe(expected);
});

it.each([
	...[MISSING, null, '', []].map((found) => ({ found, expected: true })),
	...[0, false, ' ', {}, [''], [null], [[]]].map((found) => ({ found, expected: false })),
])('$found is empty: $expected', ({ found, expected }) => {
	expect(judge(found, 'isEmpty', {})).toBe(expected);
	expect(judge(found, 'isNotEmpty')).toBe(!expected);
});

const record = {
	'host.name': 'as it stands',
	host: { name: 'nested', address: { city: 'Town' } },
	visits: [{ room: 1, tags: ['a', 'b'] }, { room: 2 }, null, 'text'],
	none: [],
	lone: [{ email: '' }, {}],
};

it.each<[field: string, comparison: Comparison, value: unknown, expected: boolean]>([
	['host.name', 'equals', 'as it stands', true],
	['host.address.city', 'equals', 'town', true],
	['Host.address.city', 'equals', 'Town', false],
	['visits.room', 'notEquals', 2, false],
	['visits.1.room', 'equals', 2, true],
	['visits.tags', 'equals', 'b', true],
	['visits.room', 'isEmpty', '', false],
	['none.room', 'isEmpty', '', true],
	['lone.email', 'isEmpty', '', true],
	['host.phone.home', 'isEmpty', '', true],
	['host', 'isEmpty', '', false],
	['toString', 'isEmpty', '', true],
	['visits.length', 'isEmpty', '', true],
])('the field %s is found: %s %j is %s', (field, comparison, value, expected) => {
	expect(meets(record, field, comparison, value)).toBe(expected);
});

it('takes any text for equal to itself, and for a part of what it was cut from', () => {
	const anyText = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }));
	fc.assert(
		fc.property(anyText, anyText, (start, end) => {
			const whole = `${start}-${end}`;
			expect(judge(whole, 'equals', whole.normalize('NFD').toLowerCase())).toBe(true);
			expect(judge(whole, 'contains', `-${end}`)).toBe(true);
			expect(judge(whole, 'startsWith', `${start}-`)).toBe(true);
		}),
	);
});

it('judges whatever a record holds without failing', () => {
	const name = fc.string({ minLength: 1 });
	fc.assert(
		fc.property(fc.object(), name, fc.constantFrom(...COMPARISONS), (one, field, comparison) => {
			const value = comparison.startsWith('within') ? 8 : '2026-01-31';
			expect(typeof meets(one, field, comparison, value)).toBe('boolean');
		}),
	);
});
