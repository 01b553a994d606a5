import type { JsonObject } from '../../../../../nodes/VisitorService/listing/findRecords';
import {
	type CollectionRules,
	RecordCollector,
} from '../../../../../nodes/VisitorService/listing/recordCollector';

const collector = (rules: Partial<CollectionRules<JsonObject>> = {}) =>
	new RecordCollector<JsonObject>({ resource: 'user', keepAs: (record) => record, ...rules });

describe('RecordCollector', () => {
	it('keeps each record once, as it first came', () => {
		const collected = collector();
		expect(collected.add([{ id: 1, n: 'a' }, { id: 2 }])).toEqual({ fresh: 2, repeated: 0 });
		expect(collected.add([{ id: 1, n: 'b' }, { id: 3 }])).toEqual({ fresh: 1, repeated: 1 });
		expect(collected.records).toEqual([{ id: 1, n: 'a' }, { id: 2 }, { id: 3 }]);
		expect(collected.idField).toBe('id');
	});

	it('finds the id on the first page with records', () => {
		const collected = collector();
		collected.add([]);
		expect(collected.idField).toBeUndefined();
		collected.add([{ uuid: 'a' }]);
		collected.add([{ id: 1, uuid: 'b' }]);
		expect(collected.idField).toBe('uuid');
	});

	it('keeps equal records without an id, and does not look for one later', () => {
		const collected = collector();
		expect(collected.add([{ n: 1 }, { n: 1 }])).toEqual({ fresh: 2, repeated: 0 });
		expect(collected.add([{ id: 1 }, { id: 2 }])).toEqual({ fresh: 2, repeated: 0 });
		expect(collected.add([{ id: 1 }])).toEqual({ fresh: 1, repeated: 0 });
		expect(collected.records).toHaveLength(5);
		expect(collected.idField).toBeUndefined();
	});

	it('keeps a record that lacks the id the others have', () => {
		const collected = collector();
		collected.add([{ id: 1 }]);
		collected.add([{ n: 1 }, { n: 1 }]);
		expect(collected.records).toEqual([{ id: 1 }, { n: 1 }, { n: 1 }]);
	});

	it('tells records apart by the whole record, also where only a part is kept', () => {
		const collected = collector({ keepAs: ({ n }) => ({ n }) });
		collected.add([
			{ id: 1, n: 'x' },
			{ id: 2, n: 'x' },
		]);
		expect(collected.add([{ id: 2, n: 'x' }])).toEqual({ fresh: 0, repeated: 1 });
		expect(collected.records).toEqual([{ n: 'x' }, { n: 'x' }]);
	});

	it('stops at the limit', () => {
		const collected = collector({ limit: 3 });
		expect(collected.wanted).toBe(3);
		collected.add([{ id: 1 }, { id: 2 }]);
		expect(collected.wanted).toBe(1);
		expect(collected.add([{ id: 2 }, { id: 3 }, { id: 4 }])).toEqual({ fresh: 1, repeated: 1 });
		expect(collected.records.map(({ id }) => id)).toEqual([1, 2, 3]);
		expect(collected.wanted).toBe(0);
	});

	it('wants everything without a limit', () => {
		expect(collector().wanted).toBe(Infinity);
	});

	it('in a further sweep adds what never came, and counts as fresh what did not come in this sweep', () => {
		const collected = collector();
		collected.add([{ id: 1 }, { id: 2 }]);
		collected.sweepAgain();
		expect(collected.add([{ id: 2 }, { id: 3 }, { n: 1 }])).toEqual({ fresh: 3, repeated: 0 });
		expect(collected.add([{ id: 2 }])).toEqual({ fresh: 0, repeated: 1 });
		expect(collected.records.map(({ id }) => id)).toEqual([1, 2, 3]);
	});

	it('makes equal fingerprints for equal pages only', () => {
		const withIds = collector();
		withIds.add([{ id: 1 }]);
		expect(withIds.fingerprint([{ id: 1, n: 1 }])).toBe(withIds.fingerprint([{ id: 1, n: 2 }]));
		expect(withIds.fingerprint([{ id: 1 }])).not.toBe(withIds.fingerprint([{ id: '1' }]));
		const without = collector();
		without.add([{ n: 1 }]);
		expect(without.fingerprint([{ n: 1 }])).not.toBe(without.fingerprint([{ n: 2 }]));
	});
});
