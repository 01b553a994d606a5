import type { Page } from '../../../../../nodes/VisitorService/answer/pageReader';
import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import { RecordCollector } from '../../../../../nodes/VisitorService/listing/recordCollector';
import { SeenPages } from '../../../../../nodes/VisitorService/listing/seenPages';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';

const failure = new ServiceFailure('Refused.', 'Do.', { kind: 'notFound' });

/** Users with an ID, two other fields tell them apart as well. */
const users = (...ids: number[]): JsonObject[] =>
	ids.map((id) => ({ id, name: `User ${id}`, mail: `user-${id}@example.test` }));

/** The same without an ID. */
const people = (...numbers: number[]): JsonObject[] => users(...numbers).map(withoutId);

function withoutId({ name, mail }: JsonObject): JsonObject {
	return { name, mail };
}

/** Other users with these IDs. */
const namesakes = (...ids: number[]): JsonObject[] =>
	ids.map((id) => ({ id, name: `Other ${id}`, mail: `other-${id}@example.test` }));

const equal = (count: number): JsonObject[] =>
	Array.from({ length: count }, () => ({ kind: 'user' }));

const page = (records: JsonObject[]): Page => ({
	kind: records.length > 0 ? 'records' : 'empty',
	records,
	metadata: {},
});

const answers = {
	empty: page([]),
	nothing: { kind: 'nothing', records: [], metadata: {} },
	refused: { kind: 'refused', records: [], metadata: {}, failure },
	fault: { kind: 'fault', records: [], metadata: {}, failure },
} satisfies Record<string, Page>;

/** What was seen after these pages were taken, one after the other. */
function after(...pages: JsonObject[][]): SeenPages {
	const seen = new SeenPages(
		new RecordCollector<JsonObject>({ resource: 'user', limit: 100, keepAs: (record) => record }),
	);
	for (const [number, records] of pages.entries()) {
		seen.compareWithEarlier(records, false);
		seen.take(number, records, false);
	}
	return seen;
}

describe('A page compared with the earlier ones', () => {
	it.each<[string, JsonObject[], object]>([
		['of new users is new', users(7, 8), { repeats: 'no', fresh: 2, forLimit: 2, differs: false }],
		['is new if one user is', users(1, 9), { repeats: 'no', fresh: 1, forLimit: 1 }],
		['without users is new', [], { repeats: 'no', fresh: 0, forLimit: 0 }],
		['can repeat the page before it', users(5, 6), { repeats: 'previousPage', fresh: 0 }],
		['can repeat the first page', users(1, 2), { repeats: 'firstPage', fresh: 0 }],
		['can repeat a page between them', users(3, 4), { repeats: 'otherPages', fresh: 0 }],
		['can repeat users of several pages', users(1, 4), { repeats: 'otherPages', fresh: 0 }],
	])('compares a page of users that have IDs: it %s', (_, records, expected) => {
		const seen = after(users(1, 2), users(3, 4), users(5, 6));
		expect(seen.compareWithEarlier(records, false)).toMatchObject({ isEqual: false, ...expected });
	});

	it('counts users as new that have the ID of an earlier one, and other content', () => {
		const [other] = users(8);
		const compared = after(users(1, 2, 3)).compareWithEarlier(
			[{ ...other, id: 1 }, ...users(9)],
			true,
		);
		expect(compared).toMatchObject({ repeats: 'no', fresh: 2, differs: true });
	});

	it.each<[string, JsonObject[], object]>([
		['of other content is new', people(7, 8), { repeats: 'no', fresh: 2, forLimit: 2 }],
		[
			'can repeat the page before it',
			people(5, 6),
			{ repeats: 'previousPage', fresh: 0, forLimit: 0 },
		],
		['can repeat the first page', people(1, 2), { repeats: 'firstPage', fresh: 0, forLimit: 0 }],
		['can repeat a page between them', people(3, 4), { repeats: 'otherPages', fresh: 0 }],
		['of some people of an earlier page is new', people(1), { repeats: 'no', fresh: 1 }],
	])('compares a page of people without IDs: it %s', (_, records, expected) => {
		const seen = after(people(1, 2), people(3, 4), people(5, 6));
		expect(seen.compareWithEarlier(records, false)).toMatchObject({ isEqual: false, ...expected });
	});

	it('takes a page for equal to an earlier one, and counts it as new, if nothing tells its records apart', () => {
		expect(after(equal(2)).compareWithEarlier(equal(2), true)).toMatchObject({
			repeats: 'no',
			isEqual: true,
			fresh: 2,
			forLimit: 2,
		});
	});

	it('takes a single equal field for a repeated page until it is known what differs in each answer', () => {
		const seen = after(people(1, 2), people(3, 4));
		const sameNames = people(3, 4).map((record, place) => ({ ...record, mail: `other-${place}` }));
		expect(seen.compareWithEarlier(sameNames, false).repeats).toBe('previousPage');
		expect(seen.compareWithEarlier(sameNames, true).repeats).toBe('no');
	});

	it('takes the first page for new', () => {
		expect(after().compareWithEarlier(users(1, 2), false)).toMatchObject({
			repeats: 'no',
			fresh: 2,
		});
		expect(after().compareWithEarlier(people(1, 2), false)).toMatchObject({
			repeats: 'no',
			fresh: 2,
		});
	});
});

describe('Two answers to the same question', () => {
	it.each(['empty', 'nothing', 'refused', 'fault'] as const)(
		'learns nothing from two answers if one of them is not a page of records: %s',
		(kind) => {
			const seen = after(users(1, 2));
			expect(seen.compare(page(users(3)), answers[kind], true)).toBe(false);
			expect(seen.compare(answers[kind], page(users(3)), true)).toBe(false);
		},
	);

	it('learns from two answers which fields differ in each one, so that these hide no repeated page', () => {
		const signed = (signature: string) =>
			people(1, 2).map((record, place) => ({ ...record, photo: `${signature} ${place}` }));
		const seen = after(signed('a'), people(3, 4));
		expect(seen.compare(page(signed('a')), page(signed('b')), false)).toBe(true);
		expect(seen.compareWithEarlier(signed('c'), true).repeats).toBe('firstPage');
	});

	it('learns nothing from two answers before a third one if as many fields differ as agree', () => {
		const half = (mail: string) => [{ name: 'User 1', mail }];
		const seen = after(half('a'));
		expect(seen.compare(page(half('a')), page(half('b')), false)).toBe(false);
		expect(seen.compare(page(half('a')), page(half('b')), true)).toBe(true);
	});

	it.each<[string, boolean, JsonObject[], JsonObject[]]>([
		['the same users', false, users(3, 4), users(3, 4)],
		['first some and then all users', false, users(3), users(3, 4)],
		['different users', true, users(3, 4), users(5, 6)],
		['first all and then some users', true, users(3, 4), users(4)],
		['new users in the first one alone', false, users(3, 4), users(1, 2)],
		['new users in the second one alone', false, users(1, 2), users(3, 4)],
	])('tells whether two answers with %s contradict each other: %s', (_, expected, one, other) => {
		expect(after(users(1, 2)).contradict(page(one), page(other))).toBe(expected);
	});

	it.each<[string, Page, Page]>([
		['more new users', page(users(3, 4)), page(users(3))],
		['new users before known ones', page(users(3)), page(users(1, 2))],
		['more new users, of as many', page(users(3, 4)), page(users(1, 3))],
		['users that have the IDs of others', page(namesakes(1, 2)), page(users(3))],
		['users before an answer without a list', page(users(3)), answers.nothing],
		['an empty list before a refusal', answers.empty, answers.refused],
		['an empty list before an answer without a list', answers.empty, answers.nothing],
		['a refusal before an answer without a list', answers.refused, answers.nothing],
		['a refusal before a fault', answers.refused, answers.fault],
	])('takes the first of two answers for better: %s', (_, one, other) => {
		expect(after(users(1, 2)).better(one, other)).toBe(one);
	});

	it.each<[string, Page, Page]>([
		['more new users', page(users(3)), page(users(3, 4))],
		['as many new users', page(users(3, 4)), page(users(5, 6))],
		['users after a fault', answers.fault, page(users(3))],
		['an empty list after users', page(users(3)), answers.empty],
		['an empty list after a refusal', answers.refused, answers.empty],
		['an empty list after an empty one', answers.empty, page([])],
		['a refusal after an answer without a list', answers.nothing, answers.refused],
		['an answer without a list after a fault', answers.fault, answers.nothing],
	])('takes the second of two answers for better: %s', (_, one, other) => {
		expect(after(users(1, 2)).better(one, other)).toBe(other);
	});
});

describe('A later page', () => {
	it.each<[boolean, string, JsonObject[]]>([
		[true, 'holds new users', users(5, 6)],
		[true, 'holds a new user beside those of the current page', users(3, 5)],
		[false, 'holds the users of the current page', users(3, 4)],
		[false, 'holds users of earlier pages', users(1, 2)],
		[false, 'is empty', []],
	])('tells whether a later page goes on with the list: %s if it %s', (expected, _, records) => {
		expect(after(users(1, 2)).goesOnWith(page(records), page(users(3, 4)))).toBe(expected);
	});

	it.each<[boolean, string, JsonObject[]]>([
		[true, 'holds other people', people(5, 6)],
		[false, 'holds those of the current page', people(3, 4)],
		[false, 'holds those of an earlier page', people(1, 2)],
	])(
		'tells whether a later page goes on with a list without IDs: %s if it %s',
		(expected, _, records) => {
			expect(after(people(1, 2)).goesOnWith(page(records), page(people(3, 4)))).toBe(expected);
		},
	);

	it('goes on with a list if a later page holds other users with the IDs of the current page', () => {
		const current = page(users(3, 4));
		expect(after(users(1, 2), users(3, 4)).goesOnWith(page(namesakes(3, 4)), current)).toBe(true);
	});

	it('goes on with a list if a later page equals the current one, and may hold others', () => {
		expect(after(equal(2)).goesOnWith(page(equal(2)), page(equal(2)))).toBe(true);
	});

	it.each<[boolean, string, JsonObject[]]>([
		[true, 'it holds other users', users(5, 6)],
		[false, 'it holds one of the same users', users(1, 6)],
		[false, 'it is empty', []],
	])('tells whether an answer holds others than a page: %s if %s', (expected, _, records) => {
		expect(after(users(1, 2)).holdsOthers(page(records), page(users(1, 2)))).toBe(expected);
	});

	it('takes a later page for the first one only if it holds the same records', () => {
		const seen = after(users(1, 2), users(3, 4));
		expect(seen.isFirst(users(1, 2))).toBe(true);
		expect(seen.isFirst(users(3, 4))).toBe(false);
		expect(seen.isFirst(users(5, 6))).toBe(false);
	});
});

describe('Records that nothing tells apart', () => {
	it.each<[boolean, string, JsonObject[]]>([
		[true, 'the first page', people(1, 2)],
		[true, 'a part of the last page', people(6)],
		[false, 'a page between them', people(3, 4)],
		[false, 'no earlier page', people(6, 7)],
	])(
		'tells whether people without IDs equal earlier ones: %s if they are those of %s',
		(expected, _, records) => {
			expect(after(people(1, 2), people(3, 4), people(5, 6)).areEqual(records)).toBe(expected);
		},
	);

	it('takes no records for equal that have IDs, or before which nothing came', () => {
		expect(after(users(1, 2)).areEqual(users(1, 2))).toBe(false);
		expect(after().areEqual(people(1, 2))).toBe(false);
	});
});

describe('Records that were seen at another page size', () => {
	const isSeenMissing = (seen: SeenPages, records: JsonObject[]) =>
		seen.compareWithEarlier(records, false).isSeenMissing;

	it.each([
		['with IDs', users],
		['without IDs', people],
	])('knows as missing those that have not come yet, of users %s', (_, some) => {
		const seen = after(some(1, 2));
		expect(isSeenMissing(seen, some(3))).toBe(false);
		seen.expect(some(2, 3, 4));
		expect(isSeenMissing(seen, some(3))).toBe(true);
		expect(isSeenMissing(seen, some(3, 4))).toBe(false);
		seen.take(1, some(3), false);
		expect(isSeenMissing(seen, some(4))).toBe(false);
		expect(isSeenMissing(seen, some(5))).toBe(true);
	});

	it('does not know a person without an ID as missing who came with another name', () => {
		const seen = after(people(1, 2));
		seen.expect(people(3));
		const [person] = people(3);
		expect(isSeenMissing(seen, [{ ...person, name: 'User 3 (visitor)' }])).toBe(false);
	});
});

describe('The pages that were seen', () => {
	it('tells pages apart by their content once what was taken for the ID is none', () => {
		const floors = (...names: string[]) =>
			names.map((name, place) => ({ id: place, name, mail: `${name}@example.test` }));
		const seen = after(floors('a', 'b', 'c'), floors('d', 'e', 'f'));
		expect(seen.hasIds).toBe(false);
		expect(seen.compareWithEarlier(floors('a', 'b', 'c'), true).repeats).toBe('firstPage');
		expect(seen.compareWithEarlier(floors('d', 'e', 'f'), true).repeats).toBe('previousPage');
		expect(seen.compareWithEarlier(floors('g', 'h', 'i'), true).repeats).toBe('no');
	});

	it('holds as the first page its better answer', () => {
		const seen = after();
		seen.compareWithEarlier(users(1), false);
		seen.take(0, users(1, 2), false);
		expect(seen.firstRecords).toEqual(users(1, 2));
		seen.take(1, users(3, 4), false);
		expect(seen.firstRecords).toEqual(users(1, 2));
	});

	it('does not hold a repeated page as the last one', () => {
		const seen = after(users(1, 2), users(3, 4));
		seen.take(2, users(1, 2), true);
		expect(seen.lastNumber).toBe(1);
		expect(seen.compareWithEarlier(users(3, 4), true).repeats).toBe('previousPage');
	});
});
