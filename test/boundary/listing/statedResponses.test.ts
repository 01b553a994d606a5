import type { NodeOperationError } from 'n8n-workflow';
import { MemoryHost } from '../../host/memoryHost';
import { cut, list, listOf } from '../listedHost';
import {
	KINDS,
	named,
	onceAt,
	pagesOf,
	Rejected,
	type ResponseOf,
	type Row,
	readResponses,
	type Wish,
} from './readResponses';

/** A list of which all users come, without a warning, in so many requests at most. */
interface Whole {
	users: Row[];
	response: ResponseOf;
	wish?: Wish;
	requests?: number;
	hint?: string;
}

type Make = (record: (index: number) => Row) => Whole[];

const AT_ANY_PACE: Wish[] = [{ concurrency: 1 }, { concurrency: 5 }];
const withId = (index: number): Row => ({ id: `user-${index}` });
const numbered = (index: number): Row => ({ id: index });
const reject = (status: number) => (): never => {
	throw new Rejected(status);
};
/** Never more than so many records a page, whatever is asked for. */
const atMost =
	(max: number, response: ResponseOf): ResponseOf =>
	(page, size, requestIndex) =>
		response(page, Math.min(size, max), requestIndex);
/** Responds in another way from this page on. */
const from =
	(first: number, later: ResponseOf, before: ResponseOf): ResponseOf =>
	(page, ...rest) =>
		(page < first ? before : later)(page, ...rest);
const countedFrom1 =
	(response: ResponseOf): ResponseOf =>
	(page, ...requestIndex) =>
		response(Math.max(0, page - 1), ...requestIndex);

const statedOfPage = (received: number): Row[] => [
	{ total: received, last: true },
	{ total: received, totalPages: 1, last: true, hasMore: false },
	{ total: received, totalPages: 1, pageSize: received, last: true },
];

/** With IDs and without. */
const OF_EACH_KIND: Record<string, Make> = {
	'of which numbers count only what was read so far': (record) =>
		[5, 10, 30, 35].flatMap((count) => {
			const users = listOf(count, record);
			const soFar = (page: number, size: number) => ({
				totalPages: Math.min(page + 1, Math.ceil(count / size)),
				total: Math.min(count, (page + 1) * size),
			});
			return [['total'], ['totalPages'], ['total', 'totalPages']].flatMap((names) =>
				AT_ANY_PACE.map((wish) => ({
					...{ users, wish, requests: Math.ceil(count / 10) + (wish.concurrency ?? 0) + 1 },
					response: pagesOf(users, (page, size) =>
						Object.fromEntries(
							Object.entries(soFar(page, size)).filter(([name]) => names.includes(name)),
						),
					),
				})),
			);
		}),
	'of which a page is cut when it is requested once more': () => {
		// The department makes each page look like the one before.
		const users = listOf(65, (index) => ({ name: `User ${index}`, department: index % 10 }));
		const response = pagesOf(users);
		const requestIndex = new Map<number, number>();
		const cutOnce: ResponseOf = (page, size, number) => {
			requestIndex.set(page, (requestIndex.get(page) ?? 0) + 1);
			const isCut = page === 6 && requestIndex.get(page) === 2;
			return isCut ? { data: cut(users, page, size).slice(0, 4) } : response(page, size, number);
		};
		return [{ users, response: cutOnce }];
	},
	'whose service rejects page sizes it does not know': (record) =>
		[
			[100, 50],
			[100, 20],
			[10, 5],
		].flatMap(([pageSize = 0, max = 0]) =>
			[max, max + 1, 2 * max, 3 * max + 7].map((count) => {
				const users = listOf(count, record);
				const page = atMost(max, pagesOf(users));
				const response: ResponseOf = (...requestIndex) =>
					[5, 10, 20, 50, 100].includes(requestIndex[1]) ? page(...requestIndex) : reject(400)();
				return { users, response, wish: { pageSize } };
			}),
		),
	'of which a first page that a maximum explains says what is true of the page': (record) =>
		[5, 2].flatMap((maximum) =>
			[7, 25].flatMap((count) =>
				statedOfPage(maximum).map((stated) => {
					const users = listOf(count, record);
					return { users, response: atMost(maximum, pagesOf(users, stated)) };
				}),
			),
		),
};

const LISTS: Record<string, () => Whole[]> = {
	'whose one page states that it has room for more, in one request': () => {
		const users = listOf(5, numbered);
		return statedOfPage(5).flatMap((stated) => [
			{ users, response: pagesOf(users, stated), requests: 2 },
			{ users, response: pagesOf(users, { ...stated, pageSize: 10 }), requests: 1 },
		]);
	},
	'whose service rejects the size of the pages that came': () =>
		[
			[30, 400],
			[31, 422],
			[97, 400],
		].map(([count = 0, status = 0]) => {
			const users = listOf(count, withId);
			const page = atMost(30, pagesOf(users));
			const response: ResponseOf = (...requestIndex) =>
				(requestIndex[1] === 100 ? page : reject(status))(...requestIndex);
			return { users, response, wish: { pageSize: 100 } };
		}),
	'whose page count is 1 for the size asked for': () =>
		[50, 25, 10].map((maximum) => {
			const users = listOf(95, named);
			const response: ResponseOf = (page, size) => ({
				data: cut(users, page, Math.min(size, maximum)),
				totalPages: Math.ceil(95 / size),
			});
			return { users, response, wish: { pageSize: 100 }, requests: Math.ceil(95 / maximum) + 4 };
		}),
	'whose service cannot read the page after the last one': () => {
		const users = listOf(30, named);
		return [{ users, response: from(3, reject(500), pagesOf(users, { totalPages: 3 })) }];
	},
	'whose page count is the number of records on the page': () =>
		[100, 101, 230].map((count) => {
			const users = listOf(count, numbered);
			const stated = (page: number, size: number) => ({
				page_count: cut(users, page, size).length,
				total_count: count,
			});
			const wish = { pageSize: 100, concurrency: 16 };
			return { users, response: pagesOf(users, stated), wish, requests: 11 };
		}),
	'whose IDs are repeated by each site, with other content': () => {
		const visits = listOf(40, (index) => ({
			id: (index % 20) + 1,
			site: `Site ${Math.floor(index / 20)}`,
			isInside: index % 3 === 0,
		}));
		const hint = '"id" is not used as the ID';
		return [{}, { total: 40 }, { totalPages: 4 }].flatMap((stated) =>
			AT_ANY_PACE.map((wish) => ({ users: visits, response: pagesOf(visits, stated), wish, hint })),
		);
	},
	'in pages of one record, which have most fields in common': () => {
		const users = listOf(30, (index) => ({ ...withId(index), ...named(index), role: 'host' }));
		const response = pagesOf(users, (page) => ({ hasMore: page < 29 }));
		return [{ users, response, wish: { pageSize: 1 }, requests: 30 }];
	},
	'of which the first page is empty once, and the next one says how many there are': () =>
		[{ total: 7 }, { total: 7, totalPages: 1 }, { totalPages: 1 }].map((stated) => {
			const users = listOf(7, withId);
			return { users, response: onceAt(0, () => ({ data: [] }), pagesOf(users, stated)) };
		}),
	'of which a page after the end only says where it is': () => {
		const users = listOf(20, withId);
		const within = pagesOf(users, (page) => ({ start: 10 * page }));
		return [{ total_size: 20 }, { page: 3, pages: 2 }].map((stated) => {
			const past: ResponseOf = (page) => ({ start: 10 * page, ...stated, http_etag: 'x' });
			return { users, response: from(2, past, within) };
		});
	},
	'whose flag is stuck at the last page': () => {
		const users = listOf(35, withId);
		return [{ users, response: pagesOf(users, { hasMore: false }) }];
	},
	'of equal records without an ID, if Limit ends it, or its total agrees and only a flag is stuck':
		() => {
			const users = [named(1), ...listOf(35, named).slice(1)];
			return [
				{ users: users.slice(0, 25), response: pagesOf(users, { total: 35 }), wish: { limit: 25 } },
				{ users, response: pagesOf(users, { total: 35, hasMore: false }) },
			];
		},
	'of nobody, whose one empty page is counted': () =>
		(
			[
				[{ totalPages: 1 }, 3],
				[{ totalPages: 1, last: true }, 3],
				[{ totalPages: 1, total: 0 }, 2],
				[{ meta: { total: 0, last_page: 1, total_pages: 1 } }, 2],
			] as const
		).map(([stated, requests]) => ({ users: [], response: pagesOf([], stated), requests })),
	'that starts over and then writes its IDs in another way': () => {
		const uuid = (index: number) => `abcdef0${index % 10}-aaaa-4bbb-8ccc-ddddeeee${1000 + index}`;
		const spellings: Array<[(index: number) => unknown, (id: string) => unknown]> = [
			[(index) => index + 1, String],
			[(index) => String(index + 1), Number],
			[uuid, (id) => id.toUpperCase()],
			[uuid, (id) => `{${id}}`],
			[(index) => uuid(index).replace(/-/g, ''), (id) => id.toUpperCase()],
		];
		return spellings.flatMap(([idOf, respelled]) =>
			[{}, { name: 'User' }].map((others) => {
				const users = listOf(30, (index) => ({ id: idOf(index), ...others }));
				const again = pagesOf(users.map((user) => ({ ...user, id: respelled(String(user.id)) })));
				const later: ResponseOf = (page, ...rest) => again(page % 3, ...rest);
				return { users, response: from(3, later, pagesOf(users)) };
			}),
		);
	},
	'whose IDs are different letters, digits or numbers beyond 2^53': () =>
		[
			['abcDEF', 'ABCdef'],
			['7', '07'],
			['9007199254740993', '9007199254740992'],
		].map((ids) => {
			const users = ids.map((id) => ({ id }));
			return { users, response: pagesOf(users), wish: { pageSize: 1 } };
		}),
	'of one page, whose service rejects other sizes and pages after it': () => {
		const users = listOf(7, named);
		const response: ResponseOf = (page, size) =>
			page * size < 7 ? { data: cut(users, page, size) } : reject(400)();
		return [{ users, response, requests: 4 }];
	},
	'of which a page in the middle is empty, after one that showed what follows': () => {
		const users = listOf(5, withId);
		const pages = [users.slice(0, 4), users.slice(0, 4), [], users.slice(4)];
		const response: ResponseOf = (page) => ({ data: pages[page] ?? [], hasMore: false });
		return [{ users, response, wish: { pageSize: 1 } }];
	},
	'up to Max Pages, if the total agrees with it': () => {
		const users = listOf(20, numbered);
		return [{ users, response: pagesOf(users, { total: 20 }), wish: { maxPages: 2 }, requests: 2 }];
	},
	'read with Until Stable again, in the order of the first time': () => {
		const users = listOf(40, numbered);
		const response: ResponseOf = (page, size, requestIndex) =>
			pagesOf(requestIndex < 2 ? users : users.slice(3))(page, size, requestIndex);
		const received = [...users.slice(0, 20), ...users.slice(23), ...users.slice(20, 23)];
		const hint = 'Read 3 times; found 3 more after the first time.';
		return [{ users: received, response, wish: { untilStable: true }, hint }];
	},
};

async function readsWhole({ users, response, wish, requests = Infinity, hint = '' }: Whole) {
	const reading = await readResponses(response, wish);
	const { message, records, warning } = reading;
	expect({ records, warning, message }).toEqual({ records: users, warning: false, message });
	expect(message).toContain(hint);
	expect(reading.requests).toBeLessThanOrEqual(requests);
}

describe.each(KINDS)('A list %s is whole, and causes no warning', (_, record) => {
	it.each(Object.entries(OF_EACH_KIND))('%s', async (_, make) => {
		for (const whole of make(record)) await readsWhole(whole);
	});
});

it.each(Object.entries(LISTS))('A list is whole, and causes no warning: %s', async (_, make) => {
	for (const whole of make()) await readsWhole(whole);
});

it('A list of which a group is taken for the ID is whole, if pages come in any order', async () => {
	const users = listOf(40, (index) => ({ id: index % 10, ...named(index) }));
	const { records } = await readResponses((page, size, requestIndex) => {
		const rows = cut(users, page, size);
		const from = requestIndex % Math.max(1, rows.length);
		return { data: [...rows.slice(from), ...rows.slice(0, from)] };
	}, {});
	expect(new Set(records.map(({ name }) => name)).size).toBe(40);
});

/** What may not be whole, of which a warning says so. */
interface MaybeIncomplete {
	response: ResponseOf;
	wish?: Wish;
	/** How many records come, if that is certain. */
	recordCount?: number;
	requests?: number;
	hint?: string;
	neverHint?: string;
}

/** From the third response on, the users of places 4 and 25 stand in each other's place. */
const moving = (users: readonly Row[], stated: Row = {}): ResponseOf => {
	const [one = {}, other = {}] = [users[4], users[25]];
	const later = users.map((user) => (user === one ? other : user === other ? one : user));
	return (page, size, requestIndex) =>
		pagesOf(requestIndex < 2 ? users : later, stated)(page, size, requestIndex);
};

/** Whose pages after this one are those of the list without its first record. */
const removedAfter = (count: number, page: number): ResponseOf => {
	const users = listOf(count, numbered);
	const pages = (left: Row[]) =>
		pagesOf(left, (_, size) => ({ totalPages: Math.ceil(left.length / size) }));
	return from(page + 1, pages(users.slice(1)), pages(users));
};

const ofGroup = (id: number, name: string): Row => ({ id, name });

const floors = (...numbers: number[]): Row[] => numbers.map((number) => ({ floor: number }));

const WARNED: Record<string, () => MaybeIncomplete[]> = {
	'pages of another size than asked for hold records that nothing tells apart': () => [
		{
			response: (page) => ({ data: page === 0 ? floors(0, 1, 2, 0) : floors(0, 1, 2) }),
			...{ wish: { pageSize: 6 }, recordCount: 7 },
		},
		{
			response: (page) =>
				page === 0
					? { data: floors(1, 2, 0, 1), totalPages: 1 }
					: { data: page === 1 ? floors(1) : [], totalPages: 2 },
			...{ wish: { pageSize: 12 }, recordCount: 5 },
		},
	],
	'a page is empty once, and then holds what nothing tells from what came': () => {
		const shown = (indexes: number[], requestIndex: number) =>
			indexes.map((index) => ({ name: `User ${index}`, photo: `signed-${requestIndex}` }));
		const pages = [[0, 1, 2], [2]];
		const response: ResponseOf = (page, _, requestIndex) => ({
			data: shown(pages[page] ?? [], requestIndex),
			total: 3,
		});
		const emptyOnce = onceAt(1, () => ({ data: null }), response);
		return [{ response: emptyOnce, wish: { pageSize: 3 }, recordCount: 4 }];
	},
	'users with something new in each response come again on pages that were empty once': () => {
		let responses = 0;
		const shown = (...ids: number[]) => ids.map((id) => ({ id, photo: `signed-${responses++}` }));
		const pages = [
			[1, 2],
			[3, 4],
		];
		return [
			{
				response: (page, _, requestIndex) => ({
					data: shown(...(pages[page] ?? (requestIndex > 4 && page < 4 ? [page + 1] : []))),
				}),
				...{ wish: { pageSize: 3, concurrency: 3 }, recordCount: 4 },
			},
		];
	},
	'an earlier page comes in place of a page, once, and is not read again': () =>
		KINDS.flatMap(([, record]) =>
			[
				[0, 1],
				[0, 3],
				[2, 3],
			].flatMap(([page = 0, held = 0]) =>
				[{}, { total: 65 }, { totalPages: 7 }].flatMap((stated) =>
					AT_ANY_PACE.map((wish) => {
						const response = pagesOf(listOf(65, record), stated);
						const earlier: ResponseOf = (_, ...rest) => response(held, ...rest);
						return { response: onceAt(page, earlier, response), wish };
					}),
				),
			),
		),
	'pages of one record of another order look like a list that starts over': () => {
		const users = listOf(12, numbered);
		const other = users.map((_, index) => users[(2 * index) % 12] as Row);
		return [other, [...users.slice(6), ...users.slice(2)]].map((later) => ({
			response: (page) => ({ data: cut(page < 4 ? users : later, page, 1) }),
			wish: { pageSize: 1 },
		}));
	},
	'users move while the list is read': () => [
		{
			response: moving(listOf(40, withId)),
			...{ recordCount: 39, hint: '1 user appeared again on later pages' },
		},
		{
			response: moving(listOf(40, withId), { total: 40 }),
			hint: '1 user appeared again on later pages, while the total did not change: the list has no fixed order, so 1 user is missing. Set Sort',
			neverHint: 'may have changed',
		},
		{
			response: moving(listOf(40, named), { total: 40 }),
			...{ recordCount: 40, hint: 'Some users equal earlier ones. Without an ID' },
		},
	],
	'every page is the whole list, and longer than requested': () => {
		const users = listOf(25, numbered);
		return [{ data: users }, users].map((body) => ({
			response: () => body,
			recordCount: 25,
			hint: 'The service returned 25 users on every page',
		}));
	},
	'the list still changes when it is read for the third time': () => {
		const users = listOf(30, numbered);
		const growing: ResponseOf = (...requestIndex) => {
			users.push({ id: `new-${requestIndex[2]}` });
			return pagesOf(users)(...requestIndex);
		};
		return [
			{ response: growing, wish: { untilStable: true }, hint: 'The last time still found some' },
		];
	},
	'an ID proves to be none, and what came again may be doubled': () => {
		const pages = [
			[ofGroup(1, 'a'), ofGroup(2, 'b')],
			[ofGroup(1, 'a'), ofGroup(3, 'c')],
			[ofGroup(4, 'd'), ofGroup(4, 'e')],
		];
		return [
			{ response: (page) => ({ data: pages[page] ?? [] }), wish: { pageSize: 2 }, recordCount: 6 },
		];
	},
	'a user changes while the list is read, and comes again': () => {
		const users = listOf(20, (index) => ({
			...withId(index),
			at: new Date(index).toISOString(),
			name: `U ${index}`,
		}));
		const response = pagesOf([...users, { ...users[0], at: new Date(1e12).toISOString() }]);
		const [hint, neverHint] = ['1 user appeared again on later pages', 'had other content'];
		return [{ response, wish: { pageSize: 7 }, recordCount: 20, hint, neverHint }];
	},
	'Max Pages is reached, and nothing says that it was the last page': () =>
		(
			[
				[30, 2, () => ({ total: 30 })],
				[20, 2, () => ({ total: 20, hasMore: true })],
				[20, 2, () => ({ total: 20, totalPages: 3 })],
				[20, 1, () => ({ total: 10 })],
				[40, 2, (page) => ({ total: 10 * (page + 1) })],
				[20, 2, () => ({})],
			] as Array<[number, number, (page: number) => Row]>
		).map(([count, maxPages, stated]) => ({
			response: pagesOf(listOf(count, numbered), stated),
			wish: { maxPages },
			hint: `Stopped at Max Pages (${maxPages}): there may be more users.`,
		})),
	'without an ID pages of the size that came may hold records of the one before': () => {
		const people = listOf(59, named);
		const response: ResponseOf = (page, size, requestIndex) => ({
			data: cut(people, page, size)
				.filter(({ name }) => !/ [789]$/.test(String(name)))
				.map((record) => ({ ...record, photo: `?signature=${requestIndex}` })),
			total: 59,
		});
		const hint = 'no ID shows whether any users are missing or doubled';
		return [{ response, wish: { pageSize: 13 }, hint }];
	},
	'equal records without an ID may be those of the page before': () => {
		const floors = ['Floor 1', 'Floor 2', 'Floor 0', 'Floor 1', 'Floor 1'].map((floor) => ({
			floor,
		}));
		const [, ...later] = floors;
		const hint = 'Some users equal earlier ones. Without an ID';
		return [
			// They move while the list is read.
			{ response: moving([named(1), ...listOf(40, named).slice(1)]), recordCount: 40, hint },
			// One is left out of page 0, which is called the last, and page 1 holds one again.
			{
				response: (page, size) => ({
					...{ total: 5, totalPages: Math.ceil(5 / size) },
					data: page === 0 ? later : cut(floors, page, size),
				}),
				...{ wish: { pageSize: 5 }, hint },
			},
		];
	},
	'there is nobody, although something says so': () =>
		[{ totalPages: 2 }, { totalPages: 1, total: 3 }, { totalPages: 1, hasMore: true }].map(
			(stated) => ({ response: pagesOf([], stated), recordCount: 0 }),
		),
	'no record has an ID at ID Path': () => [
		{
			response: countedFrom1(pagesOf(listOf(45, (id) => ({ id, name: `n${id}` })))),
			wish: { idPath: 'ID' },
			recordCount: 45,
			hint: 'No user has an ID at "ID", so repeated ones are not recognized: check ID Path.',
		},
	],
	'records that differ have what is at ID Path in common': () => [
		{
			response: pagesOf(listOf(45, (id) => ({ id, name: `n${id}`, host: id % 10 }))),
			...{ wish: { idPath: 'host' }, recordCount: 10, hint: '35 duplicates had other content.' },
		},
	],
	'one is removed, and nothing but the page count says so': () =>
		[21, 31].map((count) => ({
			response: removedAfter(count, Math.floor(count / 10) - 1),
			...{ recordCount: count - 1, hint: 'The page count fell while the list was read' },
		})),
	'records hold one thing of another resource and nothing else, and equal others': () =>
		['company', 'visit', 'task'].map((name) => {
			const users = listOf(20, (index) => ({ [name]: { id: index % 11, name: 'A' } }));
			return { response: (page, size) => ({ users: cut(users, page, size) }), recordCount: 20 };
		}),
	'the IDs differ in each response': () =>
		(
			[
				[(page) => Math.min(page, 3), 35],
				[(page) => Math.max(page, 1) - 1, 35],
				// Pages that were read before are not compared any more.
				[(page) => page % 4, 45],
			] as Array<[(page: number) => number, number]>
		).flatMap(([held, recordCount]) =>
			AT_ANY_PACE.map((wish) => ({
				response: (page: number, size: number, requestIndex: number) => ({
					data: cut(listOf(35, named), held(page), size).map((user, index) => ({
						...{ id: `${requestIndex}-${index}`, ...user },
					})),
				}),
				...{ wish, recordCount, requests: 19 },
				hint: '"id" is not used as the ID, because it changes with each response.',
			})),
		),
	'Page 1 equals page 0, which may be that of a service that counts from 1': () => [
		{
			response: () => ({ data: listOf(3, withId) }),
			...{ wish: { page: 1, limit: 10 }, recordCount: 0, hint: 'read the list from Page 0' },
		},
	],
	'all pages are equal, without an ID, and it begins at a later one': () => [
		{
			response: pagesOf(listOf(45, () => ({ message: 'Door opened' }))),
			...{ wish: { page: 2, limit: 10 }, recordCount: 0, hint: 'Page 2 equals an earlier page' },
		},
	],
	'it begins at a page that equals the one before it, but states that the list goes on': () =>
		[{ total: 21 }, { totalPages: 3 }, { hasMore: true }].map((stated) => ({
			response: (page) => ({ data: cut(listOf(21, withId), Math.min(page, 1), 10), ...stated }),
			...{ wish: { page: 2, limit: 10 }, recordCount: 0, hint: 'Page 2 equals an earlier page' },
		})),
};

it.each(Object.entries(WARNED))('A warning is caused if %s', async (_, make) => {
	for (const { response, wish, recordCount, requests = Infinity, hint = '', neverHint } of make()) {
		const { message, records, warning, ...reading } = await readResponses(response, wish);
		expect({ message, warning }).toEqual({ message, warning: true });
		expect(message).toContain(hint);
		expect(message).not.toContain(neverHint ?? 'undefined');
		expect(records).toHaveLength(recordCount ?? records.length);
		expect(reading.requests).toBeLessThanOrEqual(requests);
	}
});

describe('Pages that are repeated without end, of records without an ID', () => {
	const day = (index: number) => `2026-05-0${1 + (index % 9)}`;

	it.each<[string, (index: number, requestIndex: number) => Row]>([
		['a name', named],
		[
			'a name, and most fields that differ each time',
			(index, requestIndex) => ({
				...{ name: `User ${index}`, minutes: requestIndex, served: requestIndex * 7 },
				photo: `${index}?${requestIndex}`,
			}),
		],
		['a time', (index) => ({ door: index % 4, at: `2026-05-01T08:00:${10 + index}Z` })],
		[
			'a time, and one that differs each time',
			(index, requestIndex) => ({
				...{ door: index % 4, at: `2026-05-01T08:00:${10 + index}Z` },
				served: new Date(1e12 + requestIndex * 1000).toISOString(),
			}),
		],
		[
			'a number with the year, and one that differs each time',
			(index, requestIndex) => ({
				number: `2026-${String(index).padStart(3, '0')}`,
				photo: `${index}?${requestIndex}`,
			}),
		],
		['a name that others have as well, and a day', (n) => ({ name: `User ${n % 7}`, at: day(n) })],
	])(
		'repeated pages end the reading soon if records can be told apart by %s',
		async (_, record) => {
			const pageOf: Record<string, (page: number) => number> = {
				'the last page again': (page) => Math.min(page, 3),
				'the list starts over': (page) => page % 4,
				'every page is the first': () => 0,
				'the first page again': (page) => (page < 4 ? page : 0),
				'two pages in turn': (page) => (page < 4 ? page : page % 2),
				nothing: (page) => page,
			};
			for (const filled of Object.values(pageOf)) {
				for (const facts of [{}, { hasMore: true }, { total: 0 }]) {
					let requests = 0;
					await readResponses((page, size, requestIndex) => {
						const users = listOf(40, (index) => record(index, requestIndex));
						requests = requestIndex + 1;
						return { data: cut(users, filled(page), size), ...facts };
					}).catch((error: unknown) => {
						expect(String(error)).toContain('it ignores the parameter "page"');
					});
					expect(requests).toBeLessThan(50);
				}
			}
		},
	);
});

/** A service with this body, to the letter. */
const hostOf = (body: string) =>
	new MemoryHost({
		switches: { list: { force: { status: 200, body, contentType: 'application/json' } } },
	});

it('names the field whose numbers are too long to be exact, and returns them as text', async () => {
	const body = '[{"id":"user-0","card":9007199254740993}]';
	const run = await list(hostOf(body));
	expect(run.items).toEqual([{ id: 'user-0', card: '9007199254740993' }]);
	expect(run.hints[0]?.message).toContain('too long to be exact: "card".');
});

it('names no key that may be a person in a hint', async () => {
	const cards = '{"anna@example.test":9007199254740993,"a\\nb":9007199254740993}';
	const body = `[{"id":"user-0","cards":${cards},"anna@example.test":1}]`;
	const match = { conditions: [{ field: 'emial', condition: 'isEmpty' }] };
	const run = await list(hostOf(body), { match });
	expect(run.items).toHaveLength(1);
	expect(run.hints[0]?.message).toMatch(/too long to be exact: "…"\. .* Fields: id, cards, …\.$/);
});

describe('A list that is read from a later page on', () => {
	const users = listOf(60, (index) => ({ id: `user-${index}`, ...named(index) }));

	it.each([0, 1])(
		'joins Page %d and those after it, and returns nothing after the end',
		async (first) => {
			for (const repeats of [false, true]) {
				const found: unknown[] = [];
				for (let page = first; page < first + 6; page++) {
					const { records, warning } = await readResponses(
						(number, size) => {
							const index = Math.max(0, number - first);
							return { data: cut(users.slice(0, 35), repeats ? Math.min(index, 3) : index, size) };
						},
						{ page, limit: 10 },
					);
					found.push(...records);
					expect(warning).toBe(false);
				}
				expect(found).toEqual(users.slice(0, 35));
			}
		},
	);

	it.each<[string, () => unknown]>([
		['status 404', reject(404)],
		['a text with status 200', () => ({ success: false, message: 'Invalid page' })],
	])(
		'ends a loop over Page at a service that counts from 1 and responds to no page with %s',
		async (_, none) => {
			const found: unknown[] = [];
			for (const page of [1, 2, 3, 4, 5]) {
				const { records, warning } = await readResponses(
					(number, size) =>
						number < 1 || number > 3 ? none() : { data: cut(users.slice(0, 30), number - 1, size) },
					{ page, limit: 10 },
				);
				found.push(...records);
				expect(warning).toBe(false);
			}
			expect(found).toEqual(users.slice(0, 30));
		},
	);

	it.each<[string, ResponseOf]>([
		['empty', () => ({ data: [] })],
		['rejected', reject(404)],
	])('asks again for a page that is %s by mistake, if page 0 counts more', async (_, mistake) => {
		for (const stated of [{ total: 45 }, { totalPages: 5 }]) {
			const response = onceAt(2, mistake, pagesOf(users.slice(0, 45), stated));
			const { records } = await readResponses(response, { page: 2, limit: 100 });
			expect(records).toEqual(users.slice(20, 45));
		}
	});

	it('begins at a full page although records are left out of the page before it', async () => {
		const hidden = new Set([users[3], users[14]]);
		const { records, warning } = await readResponses(
			(page, size) => ({ data: cut(users, page, size).filter((user) => !hidden.has(user)) }),
			{ page: 2, limit: 10 },
		);
		expect(records).toEqual(users.slice(20, 30));
		expect(warning).toBe(false);
	});
});

describe('A page to begin with that looks like the one before it', () => {
	it.each([
		[1, ['planned', 'arrived', 'arrived', 'arrived', 'left', 'left']],
		[1, ['planned', 'planned', 'planned']],
		[2, ['planned', 'arrived', 'planned', 'arrived', 'planned', 'arrived']],
		[3, ['planned', 'arrived', 'left', 'planned', 'arrived', 'left', 'planned', 'arrived', 'left']],
	])('is read although only the IDs tell it apart: Limit %d', async (limit, states) => {
		const visits = states.map((state, id) => ({ id: id + 1, state, host: 'Reception' }));
		for (let page = 1; page * limit < visits.length; page++) {
			const wish = { limit, page, pageSize: limit };
			const { records } = await readResponses(
				(number, size) => ({ data: cut(visits, number, size) }),
				wish,
			);
			expect(records).toEqual(cut(visits, page, limit));
		}
	});

	it('is after the end if one field is the ID, and the other one is renewed', async () => {
		const { records } = await readResponses(
			(page, _, requestIndex) => ({ data: [{ id: Math.min(page, 1), photo: `${requestIndex}` }] }),
			{ page: 2, limit: 1, pageSize: 1 },
		);
		expect(records).toEqual([]);
	});
});

describe('A list whose last or only page comes again for ever', () => {
	it.each([2, 3, 7])(
		'asks for few pages after the last of %d if the service repeats it for ever',
		async (length) => {
			const users = listOf(length * 10, (id) => ({ id }));
			const read = async (concurrency: number) =>
				await readResponses(
					(page, size) => ({ data: cut(users, Math.min(page, length - 1), size) }),
					{ concurrency },
				);
			const { records, requests } = await read(10);
			expect(records).toEqual(users);
			expect(requests).toBeLessThanOrEqual((await read(1)).requests + length + 3);
		},
	);
});

describe('A later page to begin with of a service that repeats its last page for ever', () => {
	it.each<[string, (index: number, requestIndex: number) => Row]>([
		[
			'a photo that is signed',
			(index, requestIndex) => ({ id: index, photo: `/${index}?key=${requestIndex}` }),
		],
		['an ID', (index, requestIndex) => ({ id: `${requestIndex}-${index}` })],
	])('is read if it is in the list, and %s anew in each response', async (_, fields) => {
		for (const count of [7, 20, 25]) {
			const last = Math.ceil(count / 10) - 1;
			const response = (page: number, size: number, requestIndex: number) => {
				const users = listOf(count, (index) => ({
					...fields(index, requestIndex),
					...named(index),
				}));
				return { data: cut(users, Math.min(page, last), size) };
			};
			for (const page of [1, 2, 3]) {
				const { records } = await readResponses(response, { limit: 10, page });
				const names = cut(listOf(count, named), page, 10).map(({ name }) => name);
				expect(records.map(({ name }) => name)).toEqual(names);
			}
		}
	});
});

const SIXTY = listOf(60, withId);
/** A reading of these pages from one of them on fails, and names the Page Size. */
const fromPage = (
	page: number,
	received: number,
	pageSize: number,
	response: ResponseOf,
): MaybeIncomplete => ({
	response,
	wish: { page, pageSize, limit: 100 },
	hint: `The service returns pages of ${received} instead of ${pageSize}, so Page ${page} begins elsewhere. Set Page Size to ${received} in the options.`,
});
const sixty = pagesOf(SIXTY);

const FAILS: Record<string, () => MaybeIncomplete[]> = {
	'pages are of another size than asked for, and it begins with a later one': () => [
		...[1, 2, 5].flatMap((page) => [
			fromPage(page, 4, 10, atMost(4, sixty)),
			fromPage(page, 24, 10, (number) => sixty(number, 24, 0)),
			fromPage(page, 7, 10, (number) => sixty(number, 7, 0)),
		]),
		fromPage(1, 4, 10, countedFrom1(atMost(4, sixty))),
		fromPage(3, 7, 15, (page, _, requestIndex) => ({
			...{ total: 23, data: requestIndex === 0 ? [] : cut(SIXTY.slice(0, 23), page, 7) },
		})),
		// The last of larger pages comes again for each page after it.
		fromPage(2, 10, 2, (page) => ({ data: cut(SIXTY.slice(0, 12), Math.min(page, 1), 10) })),
	],
	'every page is the first one': () => {
		const rotated: ResponseOf = (_, size, requestIndex) => {
			const [first, users] = [requestIndex % size, listOf(10, named)];
			return { data: [...users.slice(first), ...users.slice(0, first)] };
		};
		const hint = 'it ignores the parameter "page"';
		const first: ResponseOf = (_, size) => ({ data: cut(SIXTY, 0, size) });
		return [
			{ response: rotated, requests: 14, hint },
			{ response: first, wish: { concurrency: 10 }, requests: 8, hint },
			...[1, 3].map((page) => ({ response: first, wish: { page, limit: 10 }, hint })),
		];
	},
	'the list does not end': () => [
		{
			response: (page, size, requestIndex) => ({
				data: listOf(size, (index) => ({ nonce: `${requestIndex}-${index}` })),
				...{ total: (page + 1) * size, totalPages: page + 1 },
			}),
			hint: 'The list does not end: 1,000 pages were read',
		},
	],
};

// A thousand requests for a list that does not end.
it.each(Object.entries(FAILS))(
	'An error is the result if %s',
	async (_, make) => {
		for (const { response, wish, requests = Infinity, hint } of make()) {
			let sent = 0;
			const reading = readResponses((...question) => {
				sent++;
				return response(...question);
			}, wish);
			const error = await reading.catch((thrown: unknown) => thrown as NodeOperationError);
			const { description = '', message } = error as NodeOperationError;
			expect(error).toBeInstanceOf(Error);
			expect(`${message} ${description}`).toContain(hint);
			expect(sent).toBeLessThanOrEqual(requests);
		}
	},
	60_000,
);

it('Until Stable makes a warning of moved users needless', async () => {
	const again = await readResponses(moving(listOf(40, withId)), { untilStable: true });
	expect(again).toMatchObject({ records: { length: 40 }, warning: false });
});

it('A page that came again comes out with all others without Remove Duplicates', async () => {
	const users = listOf(60, withId);
	const response = pagesOf(users, (page) => ({ hasMore: page < 5 }));
	const odd: ResponseOf = (page, ...requestIndex) =>
		response(page === 3 ? 1 : page, ...requestIndex);
	expect((await readResponses(odd, { removeDuplicates: false })).records).toHaveLength(60);
});

it('No more records than Limit come if the ID proves to be none', async () => {
	const rows = [ofGroup(1, 'a'), ofGroup(2, 'b'), ofGroup(1, 'c'), ofGroup(3, 'd')];
	const response = pagesOf([...rows, ofGroup(4, 'e'), ofGroup(4, 'f')]);
	const { records } = await readResponses(response, { pageSize: 2, limit: 5 });
	expect(records.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('A last page of one record comes alone although its ID is that of another record', async () => {
	const users = listOf(52, (index) => ({ id: `card-${index % 17}`, name: `User ${index}` }));
	const { records } = await readResponses(pagesOf(users), { page: 17, pageSize: 3, limit: 3 });
	expect(records).toEqual(users.slice(51));
});
