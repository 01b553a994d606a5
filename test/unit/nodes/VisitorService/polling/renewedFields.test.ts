import { PolledList } from '../../../../../nodes/VisitorService/polling/reading';
import { ServiceTime } from '../../../../../nodes/VisitorService/polling/serviceTime';
import {
	differingFields,
	findVolatileFields,
	type RenewalMemory,
	RenewedFields,
} from '../../../../../nodes/VisitorService/polling/volatileFields';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 31, 8);
const TIME = '2026-01-30T08:00:00Z';

const FIELDS = { id: 'id', updatedAt: 'updatedAt', createdAt: '' };

/** Users with a field that is another one for another `photo`. */
const usersWith = (photo: (user: number) => unknown, count = 10): JsonObject[] =>
	Array.from({ length: count }, (_, user) => ({
		id: user,
		updatedAt: TIME,
		name: `User ${user}`,
		photo: photo(user),
	}));

/** A list whose first page is the same for all, or depends on what was asked for. */
function listOf(records: (updatedSince?: number) => JsonObject[] = () => []) {
	const asked: Array<number | undefined> = [];
	const source = {
		service: 'service',
		names: { name: 'user', plural: 'users' },
		keys: ['users'],
		itemsPath: '',
		now: () => NOW,
		mayReadOn: () => true,
		pause: async () => await Promise.resolve(),
		fetchPage: async (_page: number, _pageSize: number, updatedSince?: number) => {
			asked.push(updatedSince);
			const body = records(updatedSince);
			return await Promise.resolve({ statusCode: 200, headers: {}, body });
		},
	};
	return { list: new PolledList(source, new ServiceTime(undefined)), asked };
}

/** What one poll finds, by what is remembered of earlier ones. */
function poll(
	records: JsonObject[],
	memory?: RenewalMemory,
	{ isOver = false, now = NOW, volatile = [] as string[] } = {},
) {
	const { list } = listOf();
	Object.assign(list.source, { now: () => now });
	const renewed = new RenewedFields(list, FIELDS, () => isOver, memory);
	renewed.show({ records, asked: undefined });
	const found = renewed.find(volatile);
	return { found, memory: renewed.toMemory(volatile, false) };
}

/** Polls in a row, each with another photo of all users but those that keep theirs. */
function pollOften(
	times: number,
	{ keeping = 0, count = 10, pause = 60_000 }: { keeping?: number; count?: number; pause?: number },
) {
	let { memory } = poll(usersWith(() => 'first', count));
	const found: string[][] = [];
	for (let time = 1; time <= times; time++) {
		const users = usersWith((user) => (user < keeping ? 'first' : `photo ${time}`), count);
		const result = poll(users, memory, { now: NOW + time * pause });
		memory = result.memory;
		found.push(result.found);
	}
	return found;
}

describe('answers made right after each other', () => {
	/** What is found if the photo of one user is the first of these, and then each of the others. */
	async function findIn([first, ...later]: readonly string[], fields = FIELDS) {
		const pauses: number[] = [];
		let requests = 0;
		const { list } = listOf(() => usersWith(() => later[requests++], 1));
		Object.assign(list.source, { pause: (time: number) => Promise.resolve(pauses.push(time)) });
		const page = { records: usersWith(() => first, 1), query: { page: 0, pageSize: 10 } };
		return { found: await findVolatileFields(list, fields, page), requests, pauses };
	}

	it('finds a field that differs in each of three answers made right after each other', async () => {
		const result = await findIn(['a', 'b', 'c', 'd']);
		expect(result).toEqual({ found: ['photo'], requests: 2, pauses: [] });
	});

	it('leaves a field alone that changed between two of three answers made right after each other', async () => {
		expect(await findIn(['a', 'b', 'b'])).toMatchObject({ found: [], requests: 2 });
	});

	it('asks for one more answer only if the first two are the same', async () => {
		expect(await findIn(['a', 'a'])).toMatchObject({ found: [], requests: 1 });
	});

	it('waits a little more than a second before each answer if users show no update time', async () => {
		const { found, pauses } = await findIn(['a', 'b', 'c'], { ...FIELDS, updatedAt: '' });
		expect(found).toEqual(['photo']);
		expect(pauses).toEqual([1100, 1100]);
	});

	it('compares two answers user by user, in whatever order these come', async () => {
		const users = usersWith((user) => `photo of ${user}`, 3);
		const { list } = listOf(() => [...users].reverse());
		const page = { records: users, query: { page: 0, pageSize: 10 } };
		expect(await findVolatileFields(list, FIELDS, page)).toEqual([]);
	});
});

describe('what is remembered of a page to find renewed fields', () => {
	it('keeps what each state held, and since when its page was asked for', () => {
		const { list } = listOf();
		const renewed = new RenewedFields(list, FIELDS, () => false);
		renewed.show({ records: usersWith(() => 'a', 1), asked: 5 });
		const whole = new RenewedFields(list, FIELDS, () => true);
		whole.show({ records: usersWith(() => 'a', 1), asked: undefined });
		const fields = {
			id: expect.any(String) as string,
			updatedAt: expect.any(String) as string,
			name: expect.any(String) as string,
			photo: expect.any(String) as string,
		};
		expect(Object.values(renewed.toMemory([], false).marks)).toEqual([
			{ fields, isOver: false, asked: 5 },
		]);
		const [mark] = Object.values(whole.toMemory([], false).marks);
		expect(mark).toStrictEqual({ fields, isOver: true });
	});

	it('keeps nothing of volatile fields, nor of what stands in them', () => {
		const records = [{ id: 1, updatedAt: TIME, photo: { url: 'a' }, badge: 'b', badges: 'c' }];
		const { memory } = poll(records, undefined, { volatile: ['photo', 'badge'] });
		const [mark] = Object.values(memory.marks);
		expect(Object.keys(mark?.fields ?? {}).sort()).toEqual(['badges', 'id', 'updatedAt']);
	});

	it('keeps states that cannot change any more rather than others, and 20 of them', () => {
		const { list } = listOf();
		const isOver = ({ earliest }: { earliest: number }) => earliest === Date.parse(TIME);
		const renewed = new RenewedFields(list, FIELDS, isOver);
		const later = usersWith(() => 'a', 5).map((user, place) => ({
			...user,
			id: `later ${place}`,
			updatedAt: '2026-01-31T07:59:59Z',
		}));
		renewed.show({ records: [...later, ...usersWith(() => 'a', 30)], asked: undefined });
		const marks = Object.values(renewed.toMemory([], false).marks);
		expect(marks.map((mark) => mark.isOver)).toEqual(Array.from({ length: 20 }, () => true));
	});

	it('keeps a known state once, as it was shown last', () => {
		const { memory } = poll(usersWith(() => 'a', 2));
		const { memory: later } = poll(
			usersWith(() => 'b', 1),
			memory,
		);
		const before = Object.entries(memory.marks);
		const after = Object.entries(later.marks);
		expect(after.map(([state]) => state)).toEqual(before.map(([state]) => state));
		expect(after[0]).not.toEqual(before[0]);
		expect(after[1]).toEqual(before[1]);
	});

	it('keeps the known states beside those that take their place while a reading goes on', () => {
		const { memory } = poll(usersWith(() => 'a', 2));
		const { list } = listOf();
		const shown = (known?: RenewalMemory) => {
			const renewed = new RenewedFields(list, FIELDS, () => false, known);
			renewed.show({ records: usersWith(() => 'b', 2), asked: undefined });
			return renewed;
		};
		const unfinished = shown(memory).toMemory([], true);
		expect(unfinished.marks).toEqual(memory.marks);
		expect(unfinished.next).not.toEqual(memory.marks);
		expect(shown(unfinished).toMemory([], false)).toEqual({
			marks: unfinished.next,
			renewed: {},
		});
		expect(shown().toMemory([], true).next).toBeUndefined();
		const looked = shown(memory);
		looked.find([]);
		expect(looked.toMemory([], true).next).toBeUndefined();
	});
});

describe('the first pages that are read again to find renewed fields', () => {
	const memoryOf = (asked: ReadonlyArray<number | undefined>): RenewalMemory => {
		const { memory } = poll(usersWith(() => 'a', asked.length));
		const marks = Object.entries(memory.marks).map(([state, mark], place) => {
			const since = asked[place];
			return [state, since === undefined ? mark : { ...mark, asked: since }] as const;
		});
		return { marks: Object.fromEntries(marks), renewed: {} };
	};
	const strangers = [{ id: 'other', updatedAt: TIME }];

	it.each([
		['the earliest time and the whole list', [30, 10, undefined], () => strangers, [10, undefined]],
		['the whole list only', [undefined], () => strangers, [undefined]],
		['the earliest time only, if a known state came', [10], () => usersWith(() => 'a', 1), [10]],
	])('asks for %s', async (_what, times, records, expected) => {
		const { list, asked } = listOf(records);
		const renewed = new RenewedFields(list, FIELDS, () => false, memoryOf(times));
		await renewed.readAgain(100);
		expect([...new Set(asked)]).toEqual(expected);
	});

	it('asks for nothing if one of several known states has come already', async () => {
		const { list, asked } = listOf(() => strangers);
		const renewed = new RenewedFields(list, FIELDS, () => false, memoryOf([10, 20]));
		renewed.show({ records: usersWith(() => 'a', 1), asked: undefined });
		await renewed.readAgain(100);
		expect(asked).toEqual([]);
	});
});

describe('the proof that a field is renewed', () => {
	it.each([
		['in all users', { keeping: 0 }, 6],
		['in nine of ten users', { keeping: 1 }, 6],
		['in all users, two days apart', { pause: 2 * DAY }, 6],
	])('takes six times in a row for a field that differs %s', (_what, how, times) => {
		const found = pollOften(times, how);
		expect(found).toEqual([...Array.from({ length: times - 1 }, () => []), ['photo']]);
	});

	it.each([
		['in eight of ten users', { keeping: 2 }],
		['in each of nine users', { count: 9 }],
		['in all users, more than two days apart', { pause: 2 * DAY + 1 }],
	])('never comes for a field that differs %s', (_what, how) => {
		expect(pollOften(12, how).flat()).toEqual([]);
	});

	it('takes one difference if a state among others cannot change any more', () => {
		const { memory } = poll(usersWith(() => 'a', 2));
		const [first, second] = Object.entries(memory.marks);
		const marks = Object.fromEntries(
			[first, second].flatMap((entry, place) =>
				entry === undefined ? [] : [[entry[0], { ...entry[1], isOver: place === 0 }] as const],
			),
		);
		expect(
			poll(
				usersWith(() => 'b', 2),
				{ marks, renewed: {} },
			).found,
		).toEqual(['photo']);
	});

	it.each([
		['signature and time', 'a/1?expires=5&sig=x', 'a/1?expires=6&sig=y', ['photo']],
		[
			'signature of a cloud',
			'a/1?X-Amz-Date=5&X-Amz-Signature=x',
			'a/1?X-Amz-Date=6&X-Amz-Signature=y',
			['photo'],
		],
		['path', 'a/1?sig=x', 'a/2?sig=y', []],
		['other parameter', 'a/1?sig=x&v=1', 'a/1?sig=y&v=2', []],
		['parameter whose name only ends so', 'a/1?resig=x', 'a/1?resig=y', []],
	])(
		'takes one difference of any user if a URL has another %s',
		(_what, before, after, expected) => {
			const { memory } = poll(usersWith(() => `https://${before}`, 1));
			expect(
				poll(
					usersWith(() => `https://${after}`, 1),
					memory,
				).found,
			).toEqual(expected);
		},
	);

	it('takes nothing for a signature outside a URL', () => {
		const { memory } = poll(usersWith(() => 'a?sig=x'));
		expect(
			poll(
				usersWith(() => 'a?sig=y'),
				memory,
			).found,
		).toEqual([]);
	});

	it('goes on after a poll in which nothing differs, and after one that shows too few users', () => {
		const known = { photo: { times: 5, at: NOW } };
		const { memory } = poll(usersWith(() => 'a'));
		for (const users of [usersWith(() => 'a'), usersWith(() => 'b', 3)]) {
			const { found, memory: after } = poll(users, { ...memory, renewed: known });
			expect([found, after.renewed]).toEqual([[], known]);
		}
	});

	it('begins anew if the field differs in some of few users only', () => {
		const { memory } = poll(usersWith(() => 'a'));
		const known = { photo: { times: 5, at: NOW } };
		const some = usersWith((user) => (user === 0 ? 'b' : 'a'), 3);
		expect(poll(some, { ...memory, renewed: known }).memory.renewed).toEqual({});
	});

	it('names an object that gets other names, and not what stands in it', () => {
		const linksOf = (time: string) => usersWith(() => ({ [`at ${time}`]: 1, size: time }));
		const { memory } = poll(linksOf('1'), undefined, { isOver: true });
		expect(poll(linksOf('2'), memory, { isOver: true }).found).toEqual(['photo']);
	});

	it('takes an object with the same names in another order for the same', () => {
		const { memory } = poll(
			usersWith(() => ({ a: 1, b: 2 })),
			undefined,
			{ isOver: true },
		);
		const again = usersWith(() => ({ b: 2, a: 1 }));
		expect(poll(again, memory, { isOver: true }).found).toEqual([]);
	});

	it('takes an empty field for one that is missing', () => {
		const { memory } = poll(
			usersWith(() => null),
			undefined,
			{ isOver: true },
		);
		const without = usersWith(() => null).map(({ id, updatedAt, name }) => ({
			id,
			updatedAt,
			name,
		}));
		expect(poll(without, memory, { isOver: true }).found).toEqual([]);
	});
});

describe('fields that differ between two answers', () => {
	const idOf = ({ id }: JsonObject) => String(id);
	const differing = (some: number) =>
		differingFields(
			usersWith(() => 'a'),
			usersWith((user) => (user < some ? 'b' : 'a')),
			idOf,
		);

	it('names a field that differs in more than half of the users, because one may change just then', () => {
		expect([differing(5), differing(6)]).toEqual([[], ['photo']]);
	});

	it('looks only at users that both answers hold', () => {
		const others = usersWith(() => 'b', 14).slice(7);
		expect(
			differingFields(
				usersWith(() => 'a', 10),
				others,
				idOf,
			),
		).toEqual(['photo']);
		expect(
			differingFields(
				usersWith(() => 'a', 7),
				others,
				idOf,
			),
		).toEqual([]);
	});
});
