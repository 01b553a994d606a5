import {
	contentOf,
	digest,
	findTellingFields,
	PageMemory,
	volatileFieldsBetween,
} from '../../../../../nodes/VisitorService/listing/pageMemory';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';

const idOf = ({ id }: JsonObject) => id;
const people = (...names: string[]): JsonObject[] => names.map((name) => ({ name, floor: 1 }));
const signed = (signature: string, ...names: string[]): JsonObject[] =>
	names.map((name) => ({ name, photo: `${signature} ${name}`, floor: 1 }));

describe('findTellingFields', () => {
	it.each<[string, JsonObject[], string[]]>([
		[
			'finds texts and numbers that are different in each record',
			[
				{ a: 'x', b: 1 },
				{ a: 'y', b: 2 },
			],
			['a', 'b'],
		],
		[
			'leaves out values that come twice',
			[
				{ a: 'x', b: 1 },
				{ a: 'y', b: 1 },
			],
			['a'],
		],
		['keeps texts with a date in them', [{ a: 'Log 2026-01-01' }], ['a']],
		['leaves out times', [{ a: '2026-01-01T10:00:00Z' }, { a: '2026-01-02' }], []],
		[
			'leaves out what is empty or neither text nor number',
			[{ a: '', b: null, c: true, d: {} }],
			[],
		],
		['leaves out fields that a record lacks', [{ a: 1, b: 1 }, { a: 2 }], ['a']],
		['finds nothing in equal records', [{ a: 1 }, { a: 1 }], []],
		['finds nothing without records', [], []],
	])('finds the fields that tell records apart: %s', (_, records, fields) => {
		expect(findTellingFields(records)).toEqual(fields);
	});
});

describe('times among the fields that tell records apart', () => {
	it.each([
		['2026-01-31T08:00:00Z', '2026-01-31T08:00:01Z'],
		['20260131T080000Z', '20260131T080001Z'],
		['2026-01-31 08:00:00+00', '2026-01-31 08:00:01+00'],
		['Sat, 31 Jan 2026 08:00:00 GMT', 'Sat, 31 Jan 2026 08:00:01 GMT'],
		['/Date(1769846400000)/', '/Date(1769846401000)/'],
	])('does not tell records apart by times such as %s', (...times) => {
		expect(findTellingFields(times.map((seen) => ({ seen })))).toEqual([]);
	});

	it.each([
		['1769846400', '1769846401'],
		['20260131', '20260132'],
		['2026-001', '2026-002'],
		['2026001', '2026002'],
		['2026-W05', '2026-W06'],
	])('tells records apart by what may be an ID, such as %s', (...badges) => {
		expect(findTellingFields(badges.map((badge) => ({ badge })))).toEqual(['badge']);
	});
});

describe('PageMemory of records that hold nothing but objects', () => {
	it('does not say that a page repeats an earlier one, because others may hold the same', () => {
		const records = [1, 1].map((floor) => ({ place: { floor } }));
		const memory = new PageMemory(records);
		memory.remember(0, records);
		expect(memory.find(records)).toMatchObject({ page: 0, tells: false });
	});
});

describe('digest', () => {
	it('digest is the same for the same value only, a text and its number told apart', () => {
		expect(digest([1, { a: 'x' }])).toBe(digest([1, { a: 'x' }]));
		expect(digest([1])).not.toBe(digest(['1']));
		expect(digest(['a', 'b'])).not.toBe(digest(['b', 'a']));
	});
});

describe('volatileFieldsBetween', () => {
	const withIds = (signature: string) => [1, 2].map((id) => ({ id, photo: `${signature} ${id}` }));

	it('finds what differs in two answers with the same IDs, however much it is', () => {
		expect(volatileFieldsBetween(withIds('a'), withIds('b'), idOf)).toEqual({
			kind: 'found',
			fields: ['photo'],
		});
		const all = (text: string) => [{ id: 1, a: text, b: text, c: text }];
		expect(volatileFieldsBetween(all('x'), all('y'), idOf)).toEqual({
			kind: 'found',
			fields: ['a', 'b', 'c'],
		});
	});

	it('finds nothing in answers with other IDs', () => {
		expect(volatileFieldsBetween([{ id: 1, a: 1 }], [{ id: 2, a: 2 }], idOf)).toEqual({
			kind: 'found',
			fields: [],
		});
	});

	it('compares two answers as far as both go', () => {
		const [short, long] = [signed('x', 'Ada'), signed('y', 'Ada', 'Ben')];
		expect(volatileFieldsBetween(short, long)).toEqual({ kind: 'found', fields: ['photo'] });
		expect(volatileFieldsBetween(long, short)).toEqual({ kind: 'found', fields: ['photo'] });
		expect(volatileFieldsBetween(short, signed('y', 'Ben', 'Ada'))).toEqual({
			kind: 'found',
			fields: [],
		});
	});

	it('finds what differs if most fields agree', () => {
		expect(volatileFieldsBetween(signed('x', 'Ada'), signed('y', 'Ada'))).toEqual({
			kind: 'found',
			fields: ['photo'],
		});
	});

	it('finds nothing if most fields differ, because they are other records', () => {
		expect(volatileFieldsBetween(signed('x', 'Ada'), signed('y', 'Ben'))).toEqual({
			kind: 'found',
			fields: [],
		});
	});

	it('waits for a third answer if most fields differ, and one that tells the records apart agrees', () => {
		const visits = (answer: number) =>
			['Ada', 'Ben'].map((name) => ({ name, minutes: answer, photo: answer, thumb: answer }));
		expect(volatileFieldsBetween(visits(1), visits(2))).toEqual({ kind: 'undecided' });
		expect(volatileFieldsBetween(visits(2), visits(3), undefined, true)).toEqual({
			kind: 'found',
			fields: ['minutes', 'photo', 'thumb'],
		});
	});

	it('waits for a third answer if as many fields agree as differ', () => {
		const [one, other] = [[{ name: 'Ada', photo: 1 }], [{ name: 'Ada', photo: 2 }]];
		expect(volatileFieldsBetween(one, other)).toEqual({ kind: 'undecided' });
		expect(volatileFieldsBetween(one, other, undefined, true)).toEqual({
			kind: 'found',
			fields: ['photo'],
		});
	});
});

describe('PageMemory of records with an ID', () => {
	const memory = () => {
		const first = [{ id: 1, n: 1 }, { id: 2 }];
		const pages = new PageMemory(first, (records) => records.map(idOf));
		pages.remember(0, first);
		pages.remember(1, [{ id: 3 }, { id: 4 }]);
		return pages;
	};

	it('recognizes a page by its IDs, whatever else differs', () => {
		expect(memory().find([{ id: 1, n: 2 }, { id: 2 }])).toEqual({
			page: 0,
			isCertain: true,
			tells: true,
		});
		expect(memory().find([{ id: 3 }, { id: 4 }])).toEqual({
			page: 1,
			isCertain: true,
			tells: true,
		});
	});

	it.each<[string, JsonObject[]]>([
		['other IDs', [{ id: 1 }, { id: 3 }]],
		['fewer IDs', [{ id: 1 }]],
		['the same IDs in another order', [{ id: 2 }, { id: 1 }]],
		['IDs that are texts instead of numbers', [{ id: '1' }, { id: '2' }]],
	])('does not recognize %s', (_, records) => {
		expect(memory().find(records)).toBeUndefined();
	});

	it('tells whether two pages hold the same records', () => {
		expect(memory().holdSame([{ id: 9, n: 1 }], [{ id: 9, n: 2 }])).toBe(true);
		expect(memory().holdSame([{ id: 9 }], [{ id: 8 }])).toBe(false);
	});

	it('never doubts IDs', () => {
		const pages = memory();
		pages.doubt([{ id: 1 }, { id: 2 }]);
		expect(pages.find([{ id: 1 }, { id: 2 }])).toEqual({ page: 0, isCertain: true, tells: true });
	});
});

describe('PageMemory of records without an ID', () => {
	const memory = (...pages: JsonObject[][]) => {
		const remembered = new PageMemory(pages[0] ?? []);
		for (const [number, records] of pages.entries()) remembered.remember(number, records);
		return remembered;
	};

	it('recognizes a page by the fields that tell its records apart', () => {
		const pages = memory(people('Ada', 'Ben'), people('Cid', 'Dan'));
		expect(pages.find(people('Cid', 'Dan'))).toEqual({ page: 1, isCertain: true, tells: true });
		expect(pages.find(people('Ada', 'Dan'))).toBeUndefined();
		expect(pages.find(people('Ada'))).toBeUndefined();
	});

	it('PageMemory of records without an ID is not certain if other fields differ', () => {
		const moved = people('Ada', 'Ben').map((person) => ({ ...person, floor: 2 }));
		expect(memory(people('Ada', 'Ben')).find(moved)).toEqual({
			page: 0,
			isCertain: false,
			tells: true,
		});
	});

	it('PageMemory of records without an ID is certain if only what differs in each answer differs', () => {
		const pages = memory(signed('x', 'Ada', 'Ben'));
		expect(pages.find(signed('y', 'Ada', 'Ben'))).toEqual({
			page: 0,
			isCertain: false,
			tells: true,
		});
		pages.ignore(['photo']);
		expect(pages.find(signed('z', 'Ada', 'Ben'))).toEqual({
			page: 0,
			isCertain: true,
			tells: true,
		});
		expect(pages.holdSame(signed('x', 'Cid'), signed('y', 'Cid'))).toBe(true);
	});

	it('keeps the last field that tells records apart, even if it differs in each answer', () => {
		const pages = memory(people('Ada', 'Ben'));
		pages.ignore(['name']);
		expect(pages.fingerprintsOf({ name: 'Ada' })).toEqual(['name:"Ada"']);
	});

	it('has a fingerprint of a record for each field that tells and does not differ in each answer', () => {
		const pages = memory(signed('x', 'Ada', 'Ben'));
		const [ada = {}] = signed('y', 'Ada');
		expect(pages.fingerprintsOf(ada)).toEqual(['name:"Ada"', 'photo:"y Ada"']);
		pages.ignore(['photo']);
		expect(pages.fingerprintsOf(ada)).toEqual(['name:"Ada"']);
		expect(pages.fingerprintsOf({})).toEqual(['name:null']);
	});

	it('has the whole record for a fingerprint if no field tells', () => {
		const pages = memory([{ n: 1 }, { n: 1 }]);
		expect(pages.fingerprintsOf({ n: 1, m: 2 })).toEqual(['{"n":1,"m":2}']);
	});

	it('finds a page equal whose records nothing tells apart, whatever differs in each answer', () => {
		const equal = (photo: string) => [1, 2].map(() => ({ n: 1, photo }));
		const pages = memory(equal('x'));
		pages.ignore(['photo']);
		pages.remember(1, equal('y'));
		expect(pages.find(equal('z'))).toMatchObject({ page: 1, tells: false });
		expect(pages.find([...equal('z'), ...equal('z')])).toBeUndefined();
	});

	it('recognizes a page whose records are in another order', () => {
		const pages = memory(people('Ada', 'Ben', 'Cid', 'Dan'));
		expect(pages.find(people('Dan', 'Ben', 'Ada', 'Cid'))).toMatchObject({ isCertain: true });
		const numbers = (...values: number[]) => values.map((n) => ({ n }));
		expect(memory(numbers(1, 4)).find(numbers(2, 3))).toBeUndefined();
	});

	it('recognizes a page by times if nothing else tells its records apart', () => {
		const doors = (...hours: string[]) =>
			hours.map((hour) => ({ door: 1, at: `2026-05-01T${hour}:00:00Z` }));
		const pages = memory(doors('08', '09'), doors('10', '11'));
		expect(pages.find(doors('10', '11'))).toEqual({ page: 1, isCertain: true, tells: true });
		expect(pages.find(doors('12', '13'))).toBeUndefined();
	});

	it('recognizes a page by all of it if no single field tells its records apart, but all of them do', () => {
		const rooms = [
			{ floor: 1, room: 1 },
			{ floor: 1, room: 2 },
			{ floor: 2, room: 1 },
		];
		expect(memory(rooms).find(rooms)).toEqual({ page: 0, isCertain: true, tells: true });
		const signed = (by: string) => rooms.map(({ floor }) => ({ floor, photo: `${by} ${floor}` }));
		const pages = memory(signed('x'));
		pages.ignore(['photo']);
		expect(pages.find(signed('y'))).toMatchObject({ tells: false });
	});

	it('prefers a page of which it is certain', () => {
		const row = (a: number, b: number) => [{ a, b }];
		const pages = memory(row(1, 2), row(1, 3));
		expect(pages.find(row(1, 2))).toEqual({ page: 0, isCertain: true, tells: true });
		expect(pages.find(row(1, 4))).toEqual({ page: 1, isCertain: false, tells: true });
	});

	it('finds a page equal whose records nothing tells apart, and does not call it the same', () => {
		const equal = [{ n: 1 }, { n: 1 }];
		const pages = memory(equal);
		expect(pages.find(equal)).toEqual({ page: 0, isCertain: true, tells: false });
		expect(pages.find([{ n: 1 }, { n: 2 }])).toBeUndefined();
		expect(pages.holdSame(equal, equal)).toBe(false);
	});

	it('does not trust a field any more by which a page seemed to be an earlier one', () => {
		const pages = memory([{ place: 1, name: 'Ada' }], [{ place: 2, name: 'Ben' }]);
		const other = [{ place: 1, name: 'Cid' }];
		expect(pages.find(other)).toEqual({ page: 0, isCertain: false, tells: true });
		pages.doubt(other);
		expect(pages.find(other)).toBeUndefined();
		expect(pages.find([{ place: 2, name: 'Ben' }])).toEqual({
			page: 1,
			isCertain: true,
			tells: true,
		});
	});

	it('cannot tell pages any more if no field is trusted', () => {
		const pages = memory(people('Ada'));
		pages.doubt(people('Ada').map((person) => ({ ...person, extra: 1 })));
		expect(pages.find(people('Ada'))).toMatchObject({ tells: false });
	});

	it('recognizes nothing before a page was remembered', () => {
		expect(new PageMemory(people('Ada')).find(people('Ada'))).toBeUndefined();
	});
});

describe('contentOf', () => {
	it('leaves out what differs in each answer, at every depth', () => {
		const volatile = new Set(['photo']);
		expect(contentOf({ id: 1, photo: 'a' }, volatile)).toBe(
			contentOf({ id: 1, photo: 'b' }, volatile),
		);
		const nested = (photo: string) => ({ id: 1, of: { photo, name: 'Ada' } });
		expect(contentOf(nested('a'), volatile)).toBe(contentOf(nested('b'), volatile));
		expect(contentOf({ id: 1 }, volatile)).not.toBe(contentOf({ id: 2 }, volatile));
	});
});
