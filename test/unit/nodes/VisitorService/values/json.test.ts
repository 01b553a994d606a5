import {
	isJsonObject,
	isNonBlank,
	parseJson,
	readJson,
} from '../../../../../nodes/VisitorService/values/json';
import fc from '../../../../properties';

it.each([
	...[{}, { id: 1 }, Object.create(null)].map((value: unknown) => [value, true, false]),
	...[null, undefined, [], [{}], 42, true, '', ' \n'].map((value) => [value, false, false]),
	...['a', ' a ', '0'].map((value) => [value, false, true]),
])('tells objects and texts apart: %p', (value, isObject, isSomeText) => {
	expect([isJsonObject(value), isNonBlank(value)]).toEqual([isObject, isSomeText]);
});

const PIECES = [
	...['{', '}', '[', ']', ':', ',', '"', '\\', '-', '.', 'e', ' ', 'x', '12345678901234567', '"a"'],
];

describe('readJson', () => {
	it.each([
		['9007199254740991', Number.MAX_SAFE_INTEGER],
		['9007199254740992', '9007199254740992'],
		['-9007199254740993', '-9007199254740993'],
		['[12345678901234567890,1]', ['12345678901234567890', 1]],
		['{"card":5391460000012345678901}', { card: '5391460000012345678901' }],
		['{"card" : 12345678901234567 }', { card: '12345678901234567' }],
		['[12345678901234567.0,-12345678901234567]', ['12345678901234567.0', '-12345678901234567']],
		// What is written with an exponent is no number of anything, and was rounded before.
		[
			'{"share":0.12345678901234567,"all":[1e15,1e-400,-1E+16,1.0000000000000000000e18]}',
			{ share: 0.12345678901234566, all: [1e15, 0, -1e16, 1e18] },
		],
		['"12345678901234567"', '12345678901234567'],
		['["12345678901234567",12345678901234567]', ['12345678901234567', '12345678901234567']],
		[
			'["12345678901234567 1",1,123456789012345678]',
			['12345678901234567 1', 1, '123456789012345678'],
		],
		['"\\"12345678901234567"', '"12345678901234567'],
		['["\\\\",12345678901234567]', ['\\', '12345678901234567']],
	])('reads %s digit by digit', (text, value) => {
		expect(parseJson(text)).toEqual(value);
	});

	it.each([
		...['{12345678901234567:1}', '{"a":1,12345678901234567 :2}', '{12345678901234567}'],
		...['[012345678901234567]', '[12345678901234567x]', '[x12345678901234567]'],
		...['[+12345678901234567]', '[--12345678901234567]', '[12345678901234567.]'],
		...['[1 12345678901234567]', '[01e400]', '[1e400e1]', '{1e400:1}', '["a"12345678901234567]'],
		...['["12345678901234567', '[12345678901234567'],
	])('does not make JSON of %s', (text) => {
		expect(readJson(text)).toBeUndefined();
	});

	it('names the fields with long integers', () => {
		const text =
			'[{"id":1,"card":12345678901234567,"\\u0061ll":["x",{},12345678901234568]},{"card":98765432109876543}]';

		expect(readJson(text)?.longIntegers).toEqual(['card', 'all']);
		expect(readJson('[12345678901234567]')?.longIntegers).toEqual(['']);
		expect(readJson('{"id":123456789012345}')?.longIntegers).toEqual([]);
	});

	it('reads everything else as JSON.parse does', () => {
		const pieces = fc.constantFrom(...PIECES);
		const texts = fc.oneof(
			fc.json(),
			fc.array(pieces, { maxLength: 12 }).map((some) => some.join('')),
			fc
				.array(fc.oneof(fc.string(), fc.bigInt().map(String)))
				.map((values) => `[${values.join()}]`),
		);
		fc.assert(
			fc.property(texts, (text) => {
				expect(asNumbers(parseJson(text))).toEqual(asNumbers(readByHost(text)));
			}),
			{ numRuns: 500 },
		);
	});

	it('leaves names that JavaScript knows without a meaning', () => {
		const body = parseJson(
			'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
		);

		expect(Object.keys(body as object)).toEqual(['__proto__', 'constructor']);
		expect({}).not.toHaveProperty('polluted');
	});

	it.each([
		['escapes', (count: number) => `"${'\\"\\n'.repeat(count)}"`],
		['backslashes', (count: number) => `"${'\\\\'.repeat(count)}"`],
		['spaces', (count: number) => `1${' '.repeat(count)}`],
		['levels', (count: number) => `${'['.repeat(count)}1${']'.repeat(count)}`],
		['digits', (count: number) => '9'.repeat(count)],
	])('reads a long integer digit by digit beside two million %s', (_, write) => {
		const read = readJson(`{"before":${write(2_000_000)},"card":1234567890123456789}`);
		expect(read).toMatchObject({ value: { card: '1234567890123456789' } });
		expect(read?.longIntegers.at(-1)).toBe('card');
	});

	it('reads three hundred levels', () => {
		const text = `${'['.repeat(300)}12345678901234567${']'.repeat(300)}`;

		expect(JSON.stringify(parseJson(text))).toBe(text.replace(/\d+/, '"$&"'));
	});
});

function readByHost(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Texts of numbers as the numbers that they would be without exactness. */
function asNumbers(value: unknown): unknown {
	const number = /^-?\d[\d.]*(?:e\+?\d+)?$/i;
	return JSON.parse(JSON.stringify({ value }), (_, one: unknown) => {
		if (typeof one !== 'string' || !number.test(one)) return one;
		return Number.isFinite(Number(one)) ? Number(one) : null;
	});
}
