import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import {
	type ComparisonMemory,
	type ComparisonRules,
	ListComparison,
} from '../../../../../nodes/VisitorService/polling/comparison';
import { Contents } from '../../../../../nodes/VisitorService/polling/contents';
import type { CompleteReading } from '../../../../../nodes/VisitorService/polling/place';
import { outOfTime, type ReadingEnd } from '../../../../../nodes/VisitorService/polling/reading';
import {
	type ClockMemory,
	ServiceTime,
} from '../../../../../nodes/VisitorService/polling/serviceTime';
import { DAY, HOUR, MINUTE } from '../../../../../nodes/VisitorService/values/instant';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';

const START = Date.UTC(2026, 2, 2, 8);

type Ended = Extract<ReadingEnd, { kind: 'ended' }>;

/** Of pages between which records may have moved. */
const MOVING: Partial<Ended> = { requests: 2, hasMoved: true };

const at = (time: number) => new Date(time).toISOString();
const users = (...ids: number[]): JsonObject[] =>
	ids.map((id) => ({ id, updatedAt: at(START - DAY + id) }));
const idsOf = (records: readonly JsonObject[]) => records.map(({ id }) => id);

/** One list that is compared again and again. */
class ComparedList {
	private memory: ComparisonMemory = {
		startedAt: START,
		records: '',
		hasBeenRead: false,
		hasMoved: false,
		unproved: [],
	};

	private clock?: ClockMemory;

	/** What the user is told after the last reading. */
	notes: readonly string[] = [];

	/** What the last reading proves. */
	complete?: CompleteReading;

	private time = START;

	constructor(private readonly rules: Partial<ComparisonRules> = {}) {}

	/** Reads it to its end. @returns what is emitted */
	read(records: readonly JsonObject[], end: Partial<Ended> = {}, pause = 5 * MINUTE): JsonObject[] {
		const ended = { kind: 'ended', requests: 1, isComplete: true, hasMoved: false } as const;
		return this.poll(records, { ...ended, ...end }, pause);
	}

	poll(records: readonly JsonObject[], end: ReadingEnd, pause = 5 * MINUTE): JsonObject[] {
		this.time += pause;
		const clock = new ServiceTime(this.clock);
		clock.observe({ date: new Date(this.time).toUTCString() }, this.time, this.time);
		const comparison = new ListComparison({
			memory: this.memory,
			fields: { id: 'id', updatedAt: 'updatedAt', createdAt: 'createdAt' },
			names: { name: 'user', plural: 'users' },
			triggerOn: 'createdOrUpdated',
			clock,
			overlap: 5 * MINUTE,
			maxItems: 100,
			contents: new Contents({ volatile: [] }),
			...this.rules,
		});
		comparison.take(records, { page: 0, pageSize: 100 });
		const outcome = comparison.finish(end);
		this.memory = outcome.memory;
		this.complete = outcome.complete;
		this.notes = outcome.notes;
		this.clock = clock.toMemory();
		return outcome.records;
	}
}

function failureOf(action: () => unknown): unknown {
	try {
		return action();
	} catch (error) {
		return error;
	}
}

describe('the maximum number of records that can be compared', () => {
	const full = () => {
		const list = new ComparedList({ maxCompared: 3 });
		expect(list.read(users(1, 2, 3))).toEqual([]);
		return list;
	};

	it('the maximum number of records that can be compared is exceeded by a new one', () => {
		const list = full();
		const failure = failureOf(() => list.read(users(1, 2, 3, 4)));
		expect(failure).toBeInstanceOf(ServiceFailure);
		expect(failure).toMatchObject({ kind: 'configuration' });
	});

	it('counts a changed record once', () => {
		const changed = users(1, 2, 3).map((user) => ({ ...user, updatedAt: at(START) }));
		expect(full().read(changed)).toEqual(changed);
	});

	it('counts no record that left the list', () => {
		expect(idsOf(full().read(users(1, 2, 4)))).toEqual([4]);
	});

	it('remembers twice as many of a list whose end is never sure, those that are there first', () => {
		const list = new ComparedList({ maxCompared: 3 });
		const read = (...ids: number[]) => idsOf(list.read(users(...ids), { isComplete: false }));
		expect(read(1, 2, 3)).toEqual([]);
		expect(read(1, 4, 5)).toEqual([4, 5]);
		expect(read(1, 6, 7)).toEqual([6, 7]);
		expect(read(1, 3, 6)).toEqual([]);
		expect(read(1, 2, 6)).toEqual([2]);
	});
});

it('counts nobody as removed while fewer different records come than the service counts', () => {
	const list = new ComparedList({ triggerOn: 'removed' });
	const twice = [...users(1, 2), ...users(2)];
	expect(list.read(users(1, 2, 3), { total: 3 })).toEqual([]);
	for (let reading = 0; reading < 8; reading++) {
		expect(list.read(twice, { total: 3 })).toEqual([]);
	}
	expect(list.read(twice, { total: 2 })).toEqual([]);
	expect(list.read(twice, { total: 2 })).toEqual([{ id: 3 }]);
});

describe('a first reading of a list that is compared', () => {
	it('lets each further record be new if it met none and was complete', () => {
		const list = new ComparedList();
		expect(list.read([])).toEqual([]);
		expect(idsOf(list.read(users(1)))).toEqual([1]);
	});

	it('lets each further record be new if it met some, although its end is not sure', () => {
		const list = new ComparedList();
		expect(list.read(users(1), { isComplete: false })).toEqual([]);
		expect(idsOf(list.read(users(1, 2)))).toEqual([2]);
	});

	it('lets each further record be new if only an earlier poll met some, and its end is not sure', () => {
		const list = new ComparedList();
		const next = { page: 1, pageSize: 1 };
		list.poll(users(1), { kind: 'interrupted', requests: 1, next, failure: outOfTime() });
		expect(list.read([], { isComplete: false })).toEqual([]);
		expect(idsOf(list.read(users(1, 2)))).toEqual([2]);
	});

	it('lets no record be new after it met none, and its end is not sure', () => {
		const list = new ComparedList();
		expect(list.read([], { isComplete: false })).toEqual([]);
		expect(list.read(users(1))).toEqual([]);
	});
});

describe('a reading of a compared list', () => {
	it.each([
		['one answer', {}, true],
		['several pages', { requests: 2 }, false],
		['one answer without a sure end', { isComplete: false }, false],
		['one answer with fewer than the total', { total: 3 }, false],
	])('proves the place at once, or not: %s', (_how, end, isSure) => {
		const list = new ComparedList();
		list.read(users(1, 2), end);
		expect(list.complete?.isSure).toBe(isSure);
	});

	it('shows by what it met whether the reading before met the same', () => {
		const list = new ComparedList();
		const digest = (ids: number[], end: Partial<Ended> = {}) => {
			list.read(users(...ids), { requests: 2, ...end });
			return list.complete?.digest;
		};
		const first = digest([1, 2]);
		expect(digest([1, 2])).toBe(first);
		const without = digest([1]);
		expect(without).not.toBe(first);
		expect(digest([1], { isComplete: false })).toBe('');
		expect(digest([1, 2, 3])).not.toBe(without);
	});

	it('proves nothing as long as the list was not read to its end', () => {
		const list = new ComparedList();
		const next = { page: 1, pageSize: 1 };
		list.poll(users(1), { kind: 'interrupted', requests: 1, next, failure: outOfTime() });
		expect(list.complete).toBeUndefined();
	});
});

describe('a record that is missing', () => {
	/** How many readings without a record it takes until it counts as removed. */
	function readingsUntilRemoved(read: (list: ComparedList, ids: number[]) => JsonObject[]): number {
		const list = new ComparedList({ triggerOn: 'removed' });
		expect(read(list, [1, 2])).toEqual([]);
		for (let readings = 1; readings < 20; readings++) {
			const removed = read(list, [1]);
			if (removed.length === 0) continue;
			expect(removed).toEqual([{ id: 2 }]);
			return readings;
		}
		throw new Error('It never counts as removed.');
	}

	it.each<[string, Partial<Ended>, number]>([
		['two readings of one answer', { requests: 1, hasMoved: true }, 2],
		['two readings of several pages if nothing moved', { requests: 3 }, 2],
		['six readings of several pages if records moved', MOVING, 6],
	])('a missing record is removed after %s', (_how, end, readings) => {
		expect(readingsUntilRemoved((list, ids) => list.read(users(...ids), end))).toBe(readings);
	});

	it('a missing record is removed after six readings that take several polls if records moved', () => {
		const read = (list: ComparedList, ids: number[]) => {
			const next = { page: 1, pageSize: 1 };
			list.poll(users(...ids).slice(0, 1), {
				kind: 'interrupted',
				requests: 1,
				next,
				failure: outOfTime(),
			});
			return list.read(users(...ids).slice(1), { requests: 1, hasMoved: true });
		};
		expect(readingsUntilRemoved(read)).toBe(6);
	});

	it('a missing record is not removed by a reading of several pages in which another one is missing for the first time', () => {
		const list = new ComparedList({ triggerOn: 'removed' });
		const read = (...ids: number[]) => idsOf(list.read(users(...ids), { requests: 2 }));
		expect(read(1, 2, 3)).toEqual([]);
		expect(read(2, 3)).toEqual([]);
		expect(read(3)).toEqual([]);
		expect(read(3)).toEqual([1, 2]);
	});

	it('a missing record is never removed if the end of the list is not sure', () => {
		const list = new ComparedList({ triggerOn: 'removed' });
		list.read(users(1, 2));
		for (let readings = 0; readings < 9; readings++) {
			expect(list.read(users(1), { isComplete: false })).toEqual([]);
		}
	});

	it('a missing record waits for the next reading if more than Max Items are removed', () => {
		const list = new ComparedList({ triggerOn: 'removed', maxItems: 1 });
		list.read(users(1, 2, 3));
		list.read(users(3));
		expect(idsOf(list.read(users(3)))).toEqual([1]);
		expect(idsOf(list.read(users(3)))).toEqual([2]);
		expect(list.read(users(3))).toEqual([]);
	});

	it('a record was there all the same if an older state of it showed', () => {
		const list = new ComparedList();
		list.read(users(1, 2));
		const older = { id: 2, updatedAt: at(START - 9 * DAY) };
		expect(list.read([...users(1), older])).toEqual([]);
		expect(list.read(users(1))).toEqual([]);
		expect(list.read(users(1, 2))).toEqual([]);
	});
});

describe.each(['createdOrUpdated', 'created', 'updated'] as const)('trigger on %s', (triggerOn) => {
	it('a record that is back as it was after many readings has not changed', () => {
		const list = new ComparedList({ triggerOn });
		list.read(users(1, 2));
		for (let readings = 0; readings < 9; readings++) expect(list.read(users(1))).toEqual([]);
		expect(list.read(users(1, 2))).toEqual([]);
	});
});

describe('a changed record of a list that is compared', () => {
	const changed = (...ids: number[]) =>
		ids.map((id) => ({ id, updatedAt: at(START + id * MINUTE) }));

	it('a changed record of a list that is compared waits if more than Max Items changed, and is still known', () => {
		const list = new ComparedList({ triggerOn: 'updated', maxItems: 1 });
		list.read(users(1, 2, 3, 4));
		const emitted = [1, 2, 3, 4].flatMap(() => idsOf(list.read(changed(1, 2, 3, 4))));
		expect(emitted).toEqual([1, 2, 3, 4]);
	});

	it('emits the oldest changes of a list that is compared first, whatever their order in the list', () => {
		const list = new ComparedList({ triggerOn: 'updated', maxItems: 2 });
		list.read(users(1, 2, 3, 4));
		const readings = [1, 2].map(() => idsOf(list.read(changed(3, 1, 4, 2))));
		expect(readings).toEqual([
			[1, 2],
			[3, 4],
		]);
	});

	it('a record is emitted if it is another one with the ID of a removed one', () => {
		const other = { id: 1, updatedAt: at(START + 3 * DAY), createdAt: at(START + 3 * DAY) };
		for (const triggerOn of ['createdOrUpdated', 'updated'] as const) {
			const list = new ComparedList({ triggerOn });
			list.read(users(1));
			expect(list.read([other], {}, 4 * DAY)).toEqual(triggerOn === 'updated' ? [] : [other]);
		}
	});

	it('a record was not created anew if it shows an earlier creation, however often', () => {
		const list = new ComparedList({ triggerOn: 'created' });
		const created = (time: number) => ({ id: 1, createdAt: at(time) });
		list.read([created(START - HOUR)]);
		for (let readings = 0; readings < 3; readings++) {
			expect(list.read([created(START - 2 * HOUR)])).toEqual([]);
		}
		const anew = created(START + HOUR);
		expect(list.read([anew])).toEqual([anew]);
	});

	it('a record may have changed again within the minute it shows, as long as that was not met in an earlier poll', () => {
		const list = new ComparedList();
		list.read([]);
		const state = (name: string) => ({ id: 1, updatedAt: at(START + 10 * MINUTE), name });
		expect(list.read([state('first')], {}, 10 * MINUTE)).toEqual([state('first')]);
		expect(list.read([state('second')], {}, 20_000)).toEqual([state('second')]);
		expect(list.read([state('second')], {}, 10 * MINUTE)).toEqual([]);
		expect(list.read([state('renewed')], {}, 10 * MINUTE)).toEqual([]);
	});
});

describe('a note on a compared list that is not read to its end', () => {
	const notesOf = (triggerOn: ComparisonRules['triggerOn'], ids: number[], end: Partial<Ended>) => {
		const list = new ComparedList({ triggerOn });
		list.read(users(1, 2));
		list.read(users(...ids), end);
		return list.notes;
	};
	const NO_END = { isComplete: false };
	const TOO_FEW = { total: 3 };

	it('says that nothing counts as removed, whatever shows that records are missing', () => {
		for (const end of [NO_END, TOO_FEW]) {
			expect(notesOf('removed', [1, 2], end)).toEqual([
				expect.stringContaining('nothing counts as removed'),
			]);
		}
	});

	it('says that changes may be missed if the end is not sure, and something was read', () => {
		expect(notesOf('updated', [1, 2], NO_END)).toEqual([
			expect.stringContaining('changes may be missed'),
		]);
		expect(notesOf('updated', [], NO_END)).toEqual([]);
	});

	it('says nothing of a list that is read to its end', () => {
		expect(notesOf('removed', [1, 2], {})).toEqual([]);
		expect(notesOf('updated', [1, 2], {})).toEqual([]);
		expect(notesOf('updated', [1, 2], TOO_FEW)).toEqual([]);
	});
});
