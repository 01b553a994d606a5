import {
	type CollectionRules,
	RecordCollector,
} from '../../../../../nodes/VisitorService/listing/recordCollector';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';

const ids = ({ records }: RecordCollector<JsonObject>) => records.map(({ id }) => id);

describe.each([
	['as they are', true],
	['as something else', false],
])('RecordCollector that keeps records %s', (_how, keepsRecords) => {
	const collector = (rules: Partial<CollectionRules<JsonObject>> = {}) =>
		new RecordCollector<JsonObject>({
			...{ resource: 'user', keepAs: (record) => record, keepsRecords },
			...rules,
		});

	it('keeps each record once, as it first came', () => {
		const collected = collector();
		collected.add([{ id: 1, n: 'a' }, { id: 2 }]);
		expect(collected.countNew([{ id: 1, n: 'b' }, { id: 3 }])).toEqual({
			fresh: 1,
			differing: 0,
			forLimit: 0,
		});
		collected.add([{ id: 1, n: 'b' }, { id: 3 }]);
		expect(collected.records).toEqual([{ id: 1, n: 'a' }, { id: 2 }, { id: 3 }]);
		expect(collected.distinction.idField).toBe('id');
		expect(collected.duplicates).toBe(1);
	});

	it('finds the ID on the first page with records', () => {
		const collected = collector();
		collected.add([]);
		expect(collected.distinction.idField).toBeUndefined();
		collected.add([{ uuid: 'a' }]);
		collected.add([{ id: 1, uuid: 'b' }]);
		expect(collected.distinction.idField).toBe('uuid');
	});

	it('keeps equal records without an ID, and does not look for one later', () => {
		const collected = collector();
		collected.add([{ n: 1 }, { n: 1 }]);
		collected.add([{ id: 1 }, { id: 2 }]);
		collected.add([{ id: 1 }]);
		expect(collected.records).toHaveLength(5);
		expect(collected.distinction.idField).toBeUndefined();
	});

	it('keeps a record that lacks the ID the others have', () => {
		const collected = collector();
		collected.add([{ id: 1 }]);
		collected.add([{ n: 1 }, { n: 1 }]);
		expect(collected.records).toEqual([{ id: 1 }, { n: 1 }, { n: 1 }]);
	});

	it('tells records apart by the whole record, even if only a part is kept', () => {
		const collected = collector({ keepAs: ({ n }) => ({ n }), keepsRecords: false });
		collected.add([
			{ id: 1, n: 'x' },
			{ id: 2, n: 'x' },
		]);
		collected.add([{ id: 2, n: 'x' }]);
		expect(collected.records).toEqual([{ n: 'x' }, { n: 'x' }]);
	});

	it('stops at the limit', () => {
		const collected = collector({ limit: 3 });
		expect(collected.wanted).toBe(3);
		collected.add([{ id: 1 }, { id: 2 }]);
		expect(collected.wanted).toBe(1);
		collected.add([{ id: 2 }, { id: 3 }, { id: 4 }]);
		expect(ids(collected)).toEqual([1, 2, 3]);
		expect(collected.wanted).toBe(0);
		expect(collector().wanted).toBe(Infinity);
	});

	it('adds in a further sweep what never came, and counts as new what did not come in it', () => {
		const collected = collector();
		collected.add([{ id: 1 }, { id: 2 }]);
		collected.sweepAgain();
		expect(collected.countNew([{ id: 2 }, { id: 3 }]).fresh).toBe(2);
		collected.add([{ id: 2 }, { id: 3 }, { n: 1 }]);
		expect(collected.countNew([{ id: 2 }]).fresh).toBe(0);
		collected.add([{ id: 2 }]);
		expect(ids(collected)).toEqual([1, 2, 3]);
	});

	it('keeps in a further sweep no record that lacks the ID the others have', () => {
		const collected = collector();
		collected.add([{ id: 1 }, { name: 'a' }]);
		collected.sweepAgain();
		collected.add([{ id: 1 }, { name: 'a' }]);
		expect(collected.records).toEqual([{ id: 1 }, { name: 'a' }]);
	});

	it('keeps a record once that stands twice on one page, and does not say that it came again later', () => {
		const collected = collector();
		const twice = [{ id: 1, n: 'a' }, { id: 1, n: 'a' }, { id: 2 }];
		collected.add([{ id: 3 }]);
		expect(collected.countNew(twice)).toMatchObject({ fresh: 2, differing: 0 });
		collected.add(twice);
		expect(ids(collected)).toEqual([3, 1, 2]);
		expect(collected).toMatchObject({ duplicates: 1, cameAgain: 0 });
		expect(collected.disprovedIdField).toBeUndefined();
	});

	it('counts as differing what has the ID of another record on its page, new or not', () => {
		const collected = collector({ limit: 10 });
		collected.add([{ id: 1, visitor: 'a' }]);
		const page = [
			{ id: 1, visitor: 'a' },
			{ id: 1, visitor: 'b' },
			{ id: 2, visitor: 'c' },
			{ id: 2, visitor: 'd' },
			{ id: 2, visitor: 'd' },
		];
		expect(collected.countNew(page)).toEqual({ fresh: 1, differing: 2, forLimit: 3 });
	});

	it('judges by the records read so far how many have to be read for those still wanted', () => {
		const collected = collector({ limit: 3, isWanted: ({ n }) => n === 'yes' });
		expect(collected.wantedToRead).toBe(Infinity);
		collected.add([{ id: 1, n: 'yes' }, ...[2, 3, 4].map((id) => ({ id, n: 'no' }))]);
		expect(collected.wantedToRead).toBe(8);
		const whole = collector({ limit: 3 });
		expect(whole.wantedToRead).toBe(3);
		whole.add([{ id: 1 }]);
		expect(whole.wantedToRead).toBe(2);
	});

	it('drops an ID that comes twice on one page with other content, and returns what it cost', () => {
		const collected = collector();
		const row = (id: number, visitor: string) => ({ id, visitor });
		collected.add([row(1, 'a'), row(2, 'b'), row(3, 'c')]);
		collected.add([row(4, 'd'), row(1, 'e')]);
		expect(collected.duplicates).toBe(1);
		expect(collected.differingLeftOut).toBe(1);
		collected.add([row(5, 'f'), row(5, 'g'), row(1, 'h')]);
		expect(collected.records.map(({ visitor }) => visitor).join('')).toBe('abcdefgh');
		expect(collected.distinction.idField).toBeUndefined();
		expect(collected).toMatchObject({ disprovedIdField: 'id', duplicates: 0 });
	});

	it('drops an ID if more of its repetitions are other records than the same ones', () => {
		const collected = collector();
		const page = (from: number) =>
			[1, 2, 3].map((id) => ({ id, visit: `visit-${from + id}`, card: from }));
		collected.add(page(0));
		expect(collected.countNew(page(10))).toEqual({ fresh: 0, differing: 3, forLimit: 0 });
		collected.add(page(10));
		expect(collected.records).toEqual([...page(0), ...page(10)]);
		expect(collected.disprovedIdField).toBe('id');
	});

	it.each([
		['the name', 'mail'],
		['the mail', 'name'],
	])('takes a record for the same one if only %s changed', (_, same) => {
		const collected = collector();
		const user = (id: number, changed: string) => ({
			...{ id, mail: changed, name: changed },
			[same]: `${same}-${id}`,
		});
		collected.add([user(1, 'a'), user(2, 'b')]);
		collected.add([user(3, 'c'), user(1, 'd'), user(2, 'e')]);
		expect(ids(collected)).toEqual([1, 2, 3]);
		expect(collected.distinction.idField).toBe('id');
		expect(collected).toMatchObject({ duplicates: 2, differingLeftOut: 0 });
	});

	it('keeps the ID if no more than half of its repetitions are other records', () => {
		const collected = collector();
		const row = (id: number, visitor: string) => ({ id, visitor });
		const first = ['a', 'b', 'c', 'd'].map((visitor, place) => row(place, visitor));
		collected.add(first);
		collected.add([row(0, 'a'), row(1, 'b'), row(2, 'e'), row(3, 'f')]);
		expect(collected.records).toEqual(first);
		expect(collected).toMatchObject({ duplicates: 4, differingLeftOut: 2 });
		expect(collected.disprovedIdField).toBeUndefined();
	});

	it('takes a record that changed once, and then comes twice, for one other record', () => {
		const collected = collector();
		const row = (id: number, visitor: string) => ({ id, visitor });
		collected.add([row(1, 'a'), row(2, 'b')]);
		for (let page = 0; page < 2; page++) collected.add([row(1, 'c')]);
		expect(collected).toMatchObject({ duplicates: 2, differingLeftOut: 1 });
		expect(collected.distinction.idField).toBe('id');
	});

	it('takes records with the same ID for others, however many fields tell them apart', () => {
		const collected = collector();
		const row = (id: number, n: number) => ({ id, name: `n${n}`, mail: `m${n}`, phone: `p${n}` });
		const numbers = Array.from({ length: 20 }, (_, n) => n);
		collected.add(numbers.map((n) => row(n, n)));
		const others = numbers.map((n) => row(n, n + 20));
		expect(collected.countNew(others)).toMatchObject({ fresh: 0, differing: 20 });
	});

	it('leaves out what came on another page after the page with it was counted', () => {
		const collected = collector();
		const page = [{ id: 1 }, { id: 2 }];
		expect(collected.countNew(page).fresh).toBe(2);
		collected.add([{ id: 2 }, { id: 3 }]);
		collected.add(page);
		collected.add(page);
		expect(ids(collected)).toEqual([2, 3, 1]);
		expect(collected.duplicates).toBe(3);
	});

	it('says of records that come back with a dropped ID which may have come before', () => {
		const collected = collector();
		const row = (id: number, visitor: string) => ({ id, visitor });
		collected.add([row(1, 'a'), row(2, 'b')]);
		collected.add([row(1, 'a'), row(2, 'c')]);
		collected.add([row(4, 'd'), row(4, 'e')]);
		expect(collected.records).toHaveLength(6);
		expect(collected.cameAgain).toBe(1);
	});

	it('does not mind fields that differ in each answer', () => {
		const collected = collector();
		const page = (signature: string) =>
			[1, 2].map((id) => ({ id, photo: `${signature}${id}`, on: 1 }));
		collected.add(page('a'));
		expect(collected.countNew(page('b')).differing).toBe(2);
		collected.distinction.ignore(['photo']);
		expect(collected.countNew(page('d'))).toEqual({ fresh: 0, differing: 0, forLimit: 0 });
	});

	it('leaves out by a doubtful ID only what is equal in all', () => {
		const collected = collector();
		collected.add([
			{ uid: 'a', n: 1 },
			{ uid: 'b', n: 1 },
		]);
		expect(collected.distinction.idField).toBe('uid');
		collected.add([
			{ uid: 'a', n: 1 },
			{ uid: 'b', n: 2 },
		]);
		expect(collected.records).toHaveLength(3);
	});

	it('believes the ID Path that was set, whatever else differs', () => {
		const collected = collector({ idPath: 'ref.no' });
		collected.add([
			{ id: 1, ref: { no: 'a' } },
			{ id: 2, ref: { no: 'a' } },
		]);
		collected.add([
			{ id: 3, ref: { no: 'b' } },
			{ id: 4, ref: { no: 'a' } },
		]);
		expect(ids(collected)).toEqual([1, 3]);
		expect(collected.distinction.idField).toBe('ref.no');
	});

	it.each([
		['nothing', '', ''],
		['a number beyond 2^53', 2 ** 53, 2 ** 53],
		['true', true, true],
	])('keeps records whose field at ID Path is %s', (_, one, other) => {
		const collected = collector({ idPath: 'number' });
		collected.add([{ name: 'a', number: one }]);
		collected.add([{ name: 'b', number: other }]);
		expect(collected.records.map(({ name }) => name)).toEqual(['a', 'b']);
	});

	it('reads an ID of extended JSON at ID Path', () => {
		const collected = collector({ idPath: '_id' });
		collected.add([{ _id: { $oid: '5f1d' } }]);
		collected.add([{ _id: { $oid: '5f1d' } }, { _id: { $oid: '5f1e' } }]);
		expect(collected.records).toHaveLength(2);
	});

	it('keeps everything without Remove Duplicates', () => {
		const collected = collector({ removeDuplicates: false });
		collected.add([{ id: 1 }, { id: 2 }]);
		collected.add([{ id: 2 }, { id: 3 }]);
		expect(ids(collected)).toEqual([1, 2, 2, 3]);
		expect(collected.duplicates).toBe(0);
	});
});
