import type { NodeOperationError } from 'n8n-workflow';
import { MemoryHost } from '../../host/memoryHost';
import {
	type AnswerOf,
	cut,
	KINDS,
	listOf,
	named,
	onceAt,
	pagesOf,
	Refused,
	type Row,
	readAnswers,
	type Wish,
} from './readAnswers';

/** A list of which all users come, without a warning, in so many requests at most. */
interface Whole {
	users: Row[];
	answer: AnswerOf;
	wish?: Wish;
	requests?: number;
	says?: string;
}

type Make = (record: (place: number) => Row) => Whole[];

const AT_ANY_PACE: Wish[] = [{ concurrency: 1 }, { concurrency: 5 }];
const withId = (place: number): Row => ({ id: `user-${place}` });
const numbered = (place: number): Row => ({ id: place });
const refuse = (status: number) => (): never => {
	throw new Refused(status);
};
/** Never more than so many records a page, whatever is asked for. */
const atMost =
	(max: number, answer: AnswerOf): AnswerOf =>
	(page, size, asked) =>
		answer(page, Math.min(size, max), asked);
const countedFrom1 =
	(answer: AnswerOf): AnswerOf =>
	(page, ...asked) =>
		answer(Math.max(0, page - 1), ...asked);
/** Its records are left out of the pages after they were cut. */
const without = (hidden: ReadonlySet<Row | undefined>, users: Row[], said: Row = {}): AnswerOf => {
	const shown = (page: number, size: number) =>
		cut(users, page, size).filter((user) => !hidden.has(user));
	return (page, size) => ({ data: shown(page, size), ...said });
};

const saidOfPage = (came: number): Row[] => [
	{ total: came, last: true },
	{ total: came, totalPages: 1, last: true, hasMore: false },
	{ total: came, totalPages: 1, pageSize: came, last: true },
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
					answer: pagesOf(users, (page, size) =>
						Object.fromEntries(
							Object.entries(soFar(page, size)).filter(([name]) => names.includes(name)),
						),
					),
				})),
			);
		}),
	'of which the total is the number of records on the page': (record) =>
		[
			[5, 0],
			[25, 0],
			[25, 1],
		].map(([count = 0, first]) => {
			const users = listOf(count, record);
			const answer = pagesOf(users, (page, size) => ({ total: cut(users, page, size).length }));
			return { users, answer: first === 1 ? countedFrom1(answer) : answer };
		}),
	'of 600, 333 at most of 1,000 a page, whose flag is for that size': (record) =>
		[(more: boolean): Row => ({ hasMore: more }), (): Row => ({ totalPages: 1 })].map((said) => {
			const users = listOf(600, record);
			const answer: AnswerOf = (page, size) => ({
				data: users.slice(page * size, page * size + Math.min(size, 333)),
				...said((page + 1) * size < 600),
			});
			return { users, answer, wish: { pageSize: 1000 } };
		}),
	'of which the pages are longer than requested, and whose total is that of the page': (record) => {
		const users = listOf(95, record);
		const pages = pagesOf(users, (page, size) => {
			const count = cut(users, page, size).length;
			return { total: count, totalPages: 5, totalItems: count, pageSize: size };
		});
		return AT_ANY_PACE.map((wish) => ({
			users,
			wish,
			answer: (page: number, _: number, asked: number) => pages(page, 20, asked),
		}));
	},
	'of which a page is cut when it is requested once more': () => {
		// The department makes each page look like the one before.
		const users = listOf(65, (place) => ({ name: `User ${place}`, department: place % 10 }));
		const answer = pagesOf(users);
		const asked = new Map<number, number>();
		const cutOnce: AnswerOf = (page, size, number) => {
			asked.set(page, (asked.get(page) ?? 0) + 1);
			const isCut = page === 6 && asked.get(page) === 2;
			return isCut ? { data: cut(users, page, size).slice(0, 4) } : answer(page, size, number);
		};
		return [{ users, answer: cutOnce }];
	},
	'of which the first page is cut short once': (record) => {
		const users = listOf(470, record);
		const says = [
			{},
			{ total: 470 },
			(page: number, size: number) => ({ hasMore: (page + 1) * size < 470 }),
		];
		return says.flatMap((said) =>
			[1, 3, 9].map((left) => {
				const answer = pagesOf(users, said);
				const short: AnswerOf = (...asked) => ({
					...(answer(...asked) as Row),
					data: users.slice(0, left),
				});
				return { users, answer: onceAt(0, short, answer), wish: { pageSize: 100 }, requests: 11 };
			}),
		);
	},
	'of which the last page is empty once': (record) => {
		const users = listOf(47, record);
		const answer = onceAt(4, () => ({ data: [], total: 47 }), pagesOf(users, { total: 47 }));
		return [{ users, answer }];
	},
	'whose service refuses page sizes it does not know': (record) =>
		[
			[100, 50],
			[100, 20],
			[10, 5],
		].flatMap(([pageSize = 0, max = 0]) =>
			[max, max + 1, 2 * max, 3 * max + 7].map((count) => {
				const users = listOf(count, record);
				const page = atMost(max, pagesOf(users));
				const answer: AnswerOf = (...asked) =>
					[5, 10, 20, 50, 100].includes(asked[1]) ? page(...asked) : refuse(400)();
				return { users, answer, wish: { pageSize } };
			}),
		),
	'that is sent at once, whatever is asked for, and whose total says so': (record) => {
		const users = listOf(47, record);
		// A page count may be that of the size asked for.
		return [{ total: 47 }, { total: 47, totalPages: 5 }].map((said) => ({
			...{ users, answer: () => ({ ...said, users }), requests: 1 },
		}));
	},
	'of which a page comes in place of a later one, once': (record) => {
		const users = listOf(65, record);
		const odd = pagesOf(users);
		return [
			{},
			{ total: 65 },
			{ totalPages: 7 },
			(page: number) => ({ hasMore: page < 6 }),
		].flatMap((said) =>
			AT_ANY_PACE.map((wish) => {
				const answer = pagesOf(users, said);
				const early: AnswerOf = (page, size, asked) => ({
					...(answer(page, size, asked) as Row),
					...(odd(2, size, asked) as Row),
				});
				return { users, answer: onceAt(4, early, answer), wish };
			}),
		);
	},
	'of which a first page that a maximum explains says what is true of the page': (record) =>
		[5, 2].flatMap((maximum) =>
			[7, 25].flatMap((count) =>
				saidOfPage(maximum).map((said) => {
					const users = listOf(count, record);
					return { users, answer: atMost(maximum, pagesOf(users, said)) };
				}),
			),
		),
	'of which the page count is too low': (record) =>
		[35, 40, 41].flatMap((count) => {
			const users = listOf(count, record);
			const answer = pagesOf(users, (_, size) => ({ totalPages: Math.ceil(count / size) - 1 }));
			return AT_ANY_PACE.map((wish) => ({ users, answer, wish }));
		}),
	'that counts from 1, and of which page 2 is the first one again, once': (record) => {
		const users = listOf(13, record);
		const answer = countedFrom1(pagesOf(users));
		const first: AnswerOf = (_, ...asked) => answer(0, ...asked);
		return AT_ANY_PACE.map((wish) => ({ users, answer: onceAt(2, first, answer), wish }));
	},
};

const LISTS: Record<string, () => Whole[]> = {
	'whose one page states that it has room for more, in one request': () => {
		const users = listOf(5, numbered);
		return saidOfPage(5).flatMap((said) => [
			{ users, answer: pagesOf(users, said), requests: 2 },
			{ users, answer: pagesOf(users, { ...said, pageSize: 10 }), requests: 1 },
		]);
	},
	'in pages of another size than asked for, of which page 1 is null once': () =>
		[4, 5, 7, 9].map((maximum) => {
			const users = listOf(47, withId);
			const total = (page: number, size: number) => Math.min(47, (page + 1) * size);
			const answer = atMost(
				maximum,
				pagesOf(users, (page, size) => ({ total: total(page, size) })),
			);
			return { users, answer: onceAt(1, () => null, answer) };
		}),
	'whose service refuses the size of the pages that came': () =>
		[30, 31, 97].map((count) => {
			const users = listOf(count, withId);
			const page = atMost(30, pagesOf(users));
			const answer: AnswerOf = (...asked) => (asked[1] === 100 ? page : refuse(400))(...asked);
			return { users, answer, wish: { pageSize: 100 } };
		}),
	'whose page count is 1 for the size asked for': () =>
		[50, 25, 10].map((maximum) => {
			const users = listOf(95, named);
			const answer: AnswerOf = (page, size) => ({
				data: cut(users, page, Math.min(size, maximum)),
				totalPages: Math.ceil(95 / size),
			});
			return { users, answer, wish: { pageSize: 100 }, requests: Math.ceil(95 / maximum) + 4 };
		}),
	'whose service cannot read the page after the last one': () => {
		const users = listOf(30, named);
		const answer = pagesOf(users, { totalPages: 3 });
		return [
			{ users, answer: (page, ...asked) => (page < 3 ? answer : refuse(500))(page, ...asked) },
		];
	},
	'whose page count is the number of records on the page': () =>
		[100, 101, 230].map((count) => {
			const users = listOf(count, numbered);
			const said = (page: number, size: number) => ({
				page_count: cut(users, page, size).length,
				total_count: count,
			});
			const wish = { pageSize: 100, concurrency: 16 };
			return { users, answer: pagesOf(users, said), wish, requests: 11 };
		}),
	'whose IDs are repeated by each site, with other content': () => {
		const visits = listOf(40, (place) => ({
			id: (place % 20) + 1,
			site: `Site ${Math.floor(place / 20)}`,
			isInside: place % 3 === 0,
		}));
		const says = '"id" is not used as the ID';
		return [{}, { total: 40 }, { totalPages: 4 }].flatMap((said) =>
			AT_ANY_PACE.map((wish) => ({ users: visits, answer: pagesOf(visits, said), wish, says })),
		);
	},
	'in pages of one record, which have most fields in common': () => {
		const users = listOf(30, (place) => ({ ...withId(place), ...named(place), role: 'host' }));
		const answer = pagesOf(users, (page) => ({ hasMore: page < 29 }));
		return [{ users, answer, wish: { pageSize: 1 }, requests: 30 }];
	},
	'that counts from 1 and has an empty page 0': () =>
		[1, 25].map((count) => {
			const users = listOf(count, withId);
			const answer = pagesOf(users);
			return {
				users,
				answer: (page, ...asked) => (page === 0 ? { data: [] } : answer(page - 1, ...asked)),
			};
		}),
	'of which a page is empty once': () =>
		[0, 1, 2].map((page) => {
			const users = listOf(30, withId);
			return { users, answer: onceAt(page, () => ({ data: [] }), pagesOf(users)) };
		}),
	'of which the first page is empty once, and the next one says how many there are': () =>
		[{ total: 7 }, { total: 7, totalPages: 1 }, { totalPages: 1 }].map((said) => {
			const users = listOf(7, withId);
			return { users, answer: onceAt(0, () => ({ data: [] }), pagesOf(users, said)) };
		}),
	'with two pages whose records are all left out': () =>
		AT_ANY_PACE.map((wish) => {
			const users = listOf(60, withId);
			const hidden = new Set(users.slice(20, 40));
			return {
				users: users.filter((user) => !hidden.has(user)),
				answer: without(hidden, users),
				wish,
			};
		}),
	'of which the last page is refused once': () =>
		AT_ANY_PACE.map((wish) => {
			const users = listOf(60, withId);
			const answer = pagesOf(users);
			const ending: AnswerOf = (page, ...asked) =>
				(page > 5 ? refuse(404) : answer)(page, ...asked);
			return { users, answer: onceAt(5, refuse(404), ending), wish };
		}),
	'whose flag is stuck at the last page': () => {
		const users = listOf(35, withId);
		return [{ users, answer: pagesOf(users, { hasMore: false }) }];
	},
	'of equal records without an ID, if Limit ends it, or its total agrees and only a flag is stuck':
		() => {
			const users = [named(1), ...listOf(35, named).slice(1)];
			return [
				{ users: users.slice(0, 25), answer: pagesOf(users, { total: 35 }), wish: { limit: 25 } },
				{ users, answer: pagesOf(users, { total: 35, hasMore: false }) },
			];
		},
	'whose first page is short because records are left out': () =>
		[[3, 7], [3, 13, 14, 25], [9]].flatMap((places) => {
			const users = listOf(60, numbered);
			const hidden = new Set(places.map((place) => users[place]));
			const shown = users.filter((user) => !hidden.has(user));
			const says = [{}, { total: 60 - places.length }];
			return says.map((said) => ({ users: shown, answer: without(hidden, users, said) }));
		}),
	'with a second short page and an empty one after it': () =>
		[1, 2, 10].map((concurrency) => {
			const users = listOf(7, (place) => ({ ...withId(place), ...named(place) }));
			const hidden = new Set([users[2], users[4], users[5]]);
			const shown = users.filter((user) => !hidden.has(user));
			const wish = { pageSize: 3, concurrency };
			return { users: shown, answer: without(hidden, users), wish };
		}),
	'of nobody, whose one empty page is counted': () =>
		(
			[
				[{ totalPages: 1 }, 3],
				[{ totalPages: 1, last: true }, 2],
				[{ totalPages: 1, total: 0 }, 1],
				[{ meta: { total: 0, last_page: 1, total_pages: 1 } }, 1],
			] as const
		).map(([said, requests]) => ({ users: [], answer: pagesOf([], said), requests })),
	'of nobody, because a text says so': () =>
		[
			{ message: 'No users found' },
			{ success: false, message: 'No users found', data: [] },
			{ error: { code: 404, message: 'Page out of range' }, users: [] },
		].map((body) => ({ users: [], answer: () => body })),
	'whose end a text says': () =>
		['Users: not found', 'Data: not found.', '"users" not found', 'User(s) not found'].flatMap(
			(message) =>
				[0, 20].map((count) => {
					const users = listOf(count, numbered);
					const answer = pagesOf(users);
					return {
						users,
						answer: (page, size, asked) =>
							page * size < count ? answer(page, size, asked) : { message },
					};
				}),
		),
	'whose last page comes again and holds a record without the ID of the others': () => {
		const users = listOf(25, (place) => ({ id: place === 24 ? null : place, name: `n${place}` }));
		const answer = pagesOf(users);
		return [
			{ users, answer: (page, ...asked) => answer(Math.min(page, 2), ...asked), requests: 9 },
		];
	},
	'with records without the ID of the others, one page of them in place of another one, once': () =>
		AT_ANY_PACE.map((wish) => {
			const users = listOf(45, (place) => ({ id: place < 15 ? place : null, name: `n${place}` }));
			const answer = pagesOf(users, { total: 45 });
			return { users, answer: onceAt(3, (_, ...asked) => answer(2, ...asked), answer), wish };
		}),
	'of one full page, by the page count': () => {
		const users = listOf(10, numbered);
		return [{ users, answer: () => ({ data: users, totalPages: 1 }) }];
	},
	'whose page after the last one says that there is none': () =>
		[20, 21].map((count) => {
			const users = listOf(count, numbered);
			const pages = (page: number, size: number) =>
				page * size < count ? Math.ceil(count / size) : 0;
			const said = (page: number, size: number) => ({ totalPages: pages(page, size) });
			return { users, answer: pagesOf(users, said) };
		}),
	'that starts over and then writes its IDs in another way': () => {
		const uuid = (place: number) => `abcdef0${place % 10}-aaaa-4bbb-8ccc-ddddeeee${1000 + place}`;
		const spellings: Array<[(place: number) => unknown, (id: string) => unknown]> = [
			[(place) => place + 1, String],
			[(place) => String(place + 1), Number],
			[uuid, (id) => id.toUpperCase()],
			[uuid, (id) => `{${id}}`],
			[(place) => uuid(place).replace(/-/g, ''), (id) => id.toUpperCase()],
		];
		return spellings.flatMap(([idOf, respelled]) =>
			[{}, { name: 'User' }].map((others) => {
				const users = listOf(30, (place) => ({ id: idOf(place), ...others }));
				const again = pagesOf(
					users.map(({ id, ...rest }) => ({ id: respelled(String(id)), ...rest })),
				);
				const answer = pagesOf(users);
				return {
					...{ users, answer: (page, ...asked) => (page < 3 ? answer : again)(page % 3, ...asked) },
				};
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
			return { users, answer: pagesOf(users), wish: { pageSize: 1 } };
		}),
	'of which users moved, and whose total agrees with what came': () => {
		const users = listOf(40, withId);
		const came = [...users.slice(0, 20), ...users.slice(20).filter((_, place) => place !== 5)];
		return [{ users: came, answer: moving(users, { total: 39 }) }];
	},
	'of one page, whose service refuses other sizes and pages after it': () => {
		const users = listOf(7, named);
		const answer: AnswerOf = (page, size) =>
			page * size < 7 ? { data: cut(users, page, size) } : refuse(400)();
		return [{ users, answer, requests: 4 }];
	},
	'of equal rows in smaller pages, whose total agrees': () => {
		const users = listOf(23, (place) => ({ message: `Door ${Math.floor(place / 2)}` }));
		const answer: AnswerOf = (page, size) => ({
			data: cut(users, page, Math.min(size, 6)),
			total: 23,
		});
		return [{ users, answer }];
	},
	'of which a page in the middle is empty, after one that showed what follows': () => {
		const users = listOf(5, withId);
		const pages = [users.slice(0, 4), users.slice(0, 4), [], users.slice(4)];
		const answer: AnswerOf = (page) => ({ data: pages[page] ?? [], hasMore: false });
		return [{ users, answer, wish: { pageSize: 1 } }];
	},
	'up to Max Pages, if the total agrees with it': () => {
		const users = listOf(20, numbered);
		return [{ users, answer: pagesOf(users, { total: 20 }), wish: { maxPages: 2 }, requests: 2 }];
	},
	'read with Until Stable again, in the order of the first time': () => {
		const users = listOf(40, numbered);
		const answer: AnswerOf = (page, size, asked) =>
			pagesOf(asked < 2 ? users : users.slice(3))(page, size, asked);
		const came = [...users.slice(0, 20), ...users.slice(23), ...users.slice(20, 23)];
		const says = 'Read 3 times; found 3 more after the first time.';
		return [{ users: came, answer, wish: { untilStable: true }, says }];
	},
};

async function readsWhole({ users, answer, wish, requests = Infinity, says = '' }: Whole) {
	const reading = await readAnswers(answer, wish);
	const { message, records, warning } = reading;
	expect({ records, warning, message }).toEqual({ records: users, warning: false, message });
	expect(message).toContain(says);
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
	const users = listOf(40, (place) => ({
		id: place % 10,
		name: `User ${place}`,
		floor: place % 4,
	}));
	const { records } = await readAnswers((page, size, asked) => {
		const rows = cut(users, page, size);
		const from = asked % Math.max(1, rows.length);
		return { data: [...rows.slice(from), ...rows.slice(0, from)] };
	}, {});
	expect(new Set(records.map(({ name }) => name)).size).toBe(40);
});

/** What may not be whole, of which a warning says so. */
interface Doubtful {
	answer: AnswerOf;
	wish?: Wish;
	/** How many records come, if that is certain. */
	comes?: number;
	requests?: number;
	says?: string;
	neverSays?: string;
}

/** From the third answer on, the users of places 4 and 25 stand in each other's place. */
const moving = (users: readonly Row[], said: Row = {}): AnswerOf => {
	const [one = {}, other = {}] = [users[4], users[25]];
	const later = users.map((user) => (user === one ? other : user === other ? one : user));
	return (page, size, asked) => pagesOf(asked < 2 ? users : later, said)(page, size, asked);
};

/** Whose pages after this one are those of the list without its first record. */
const removedAfter = (count: number, page: number): AnswerOf => {
	const users = listOf(count, numbered);
	const pages = (left: Row[]) =>
		pagesOf(left, (_, size) => ({ totalPages: Math.ceil(left.length / size) }));
	return (number, ...asked) => pages(number > page ? users.slice(1) : users)(number, ...asked);
};

const ofGroup = (id: number, name: string): Row => ({ id, name });

const floors = (...numbers: number[]): Row[] => numbers.map((number) => ({ floor: number }));

const WARNED: Record<string, () => Doubtful[]> = {
	'pages of another size than asked for hold records that nothing tells apart': () => [
		{
			answer: (page) => ({ data: page === 0 ? floors(0, 1, 2, 0) : floors(0, 1, 2) }),
			...{ wish: { pageSize: 6 }, comes: 7 },
		},
		{
			answer: (page) =>
				page === 0
					? { data: floors(1, 2, 0, 1), totalPages: 1 }
					: { data: page === 1 ? floors(1) : [], totalPages: 2 },
			...{ wish: { pageSize: 12 }, comes: 5 },
		},
	],
	'a page is empty once, and then holds what nothing tells from what came': () => {
		const shown = (places: number[], asked: number) =>
			places.map((place) => ({ name: `User ${place}`, photo: `signed-${asked}` }));
		const pages = [[0, 1, 2], [2]];
		const answer: AnswerOf = (page, _, asked) => ({
			data: shown(pages[page] ?? [], asked),
			total: 3,
		});
		const emptyOnce = onceAt(1, () => ({ data: null }), answer);
		return [{ answer: emptyOnce, wish: { pageSize: 3 }, comes: 4 }];
	},
	'users with something new in each answer come again on pages that were empty once': () => {
		let answers = 0;
		const shown = (...ids: number[]) => ids.map((id) => ({ id, photo: `signed-${answers++}` }));
		const pages = [
			[1, 2],
			[3, 4],
		];
		return [
			{
				answer: (page, _, asked) => ({
					data: shown(...(pages[page] ?? (asked > 4 && page < 4 ? [page + 1] : []))),
				}),
				...{ wish: { pageSize: 3, concurrency: 3 }, comes: 4 },
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
				[{}, { total: 65 }, { totalPages: 7 }].flatMap((said) =>
					AT_ANY_PACE.map((wish) => {
						const answer = pagesOf(listOf(65, record), said);
						return { answer: onceAt(page, (_, ...asked) => answer(held, ...asked), answer), wish };
					}),
				),
			),
		),
	'every other answer for the first page is the second one': () => {
		const answer = pagesOf(listOf(65, named));
		let times = 0;
		const isOther = (page: number) => page === 0 && times++ % 2 === 0;
		return [
			{ answer: (page, ...asked) => answer(isOther(page) ? 1 : page, ...asked), requests: 29 },
		];
	},
	'pages of one record of another order look like a list that starts over': () => {
		const users = listOf(12, numbered);
		const other = users.map((_, place) => users[(2 * place) % 12] as Row);
		return [other, [...users.slice(6), ...users.slice(2)]].map((later) => ({
			answer: (page) => ({ data: cut(page < 4 ? users : later, page, 1) }),
			wish: { pageSize: 1 },
		}));
	},
	'users move while the list is read': () => [
		{
			answer: moving(listOf(40, withId)),
			...{ comes: 39, says: '1 user came again on later pages' },
		},
		{
			answer: moving(listOf(40, withId), { total: 40 }),
			says: 'The service counts 40 users',
			neverSays: 'came again',
		},
		{
			answer: moving(listOf(40, named), { total: 40 }),
			...{ comes: 40, says: 'Some users equal earlier ones. Without an ID' },
		},
	],
	'the list still changes when it is read for the third time': () => {
		const users = listOf(30, numbered);
		const growing: AnswerOf = (...asked) => {
			users.push({ id: `new-${asked[2]}` });
			return pagesOf(users)(...asked);
		};
		return [
			{ answer: growing, wish: { untilStable: true }, says: 'The last time still found some' },
		];
	},
	'an ID proves to be none, and what came again may be doubled': () => {
		const pages = [
			[ofGroup(1, 'a'), ofGroup(2, 'b')],
			[ofGroup(1, 'a'), ofGroup(3, 'c')],
			[ofGroup(4, 'd'), ofGroup(4, 'e')],
		];
		return [{ answer: (page) => ({ data: pages[page] ?? [] }), wish: { pageSize: 2 }, comes: 6 }];
	},
	'a page in the middle comes again, each time': () =>
		KINDS.map(([, record]) => {
			const answer = pagesOf(listOf(60, record), (page) => ({ hasMore: page < 5 }));
			const odd: AnswerOf = (page, size, asked) => ({
				...(answer(page, size, asked) as Row),
				...(page === 3 && { data: cut(listOf(60, record), 1, size) }),
			});
			return { answer: odd, comes: 50, says: 'Page 3 held only users of earlier pages' };
		}),
	'the last page comes again, and is said not to be the last': () => {
		const answer = pagesOf(listOf(60, numbered), { hasMore: true });
		const says = 'although the service says there are more users';
		const neverSays = 'held only users of earlier pages';
		return [
			{
				answer: (page, ...asked) => answer(Math.min(page, 5), ...asked),
				comes: 60,
				says,
				neverSays,
			},
		];
	},
	'a user changes while the list is read, and comes again': () => {
		const users = listOf(20, (place) => ({
			...withId(place),
			at: new Date(place).toISOString(),
			name: `U ${place}`,
		}));
		const answer = pagesOf([...users, { ...users[0], at: new Date(1e12).toISOString() }]);
		const [says, neverSays] = ['1 user came again on later pages', 'had other content'];
		return [{ answer, wish: { pageSize: 7 }, comes: 20, says, neverSays }];
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
		).map(([count, maxPages, said]) => ({
			answer: pagesOf(listOf(count, numbered), said),
			wish: { maxPages },
			says: `Stopped at Max Pages (${maxPages}): there may be more users.`,
		})),
	'without an ID pages of the size that came may hold records of the one before': () => {
		const people = listOf(59, named);
		const answer: AnswerOf = (page, size, asked) => ({
			data: cut(people, page, size)
				.filter(({ name }) => !/ [789]$/.test(String(name)))
				.map((record) => ({ ...record, photo: `?signature=${asked}` })),
			total: 59,
		});
		const says = 'no ID shows whether any users are missing or doubled';
		return [{ answer, wish: { pageSize: 13 }, says }];
	},
	'equal records without an ID may be those of the page before': () => {
		const floors = ['Floor 1', 'Floor 2', 'Floor 0', 'Floor 1', 'Floor 1'].map((floor) => ({
			floor,
		}));
		const [, ...later] = floors;
		const says = 'Some users equal earlier ones. Without an ID';
		return [
			// They move while the list is read.
			{ answer: moving([named(1), ...listOf(40, named).slice(1)]), comes: 40, says },
			// One is left out of page 0, which is called the last, and page 1 holds one again.
			{
				answer: (page, size) => ({
					...{ total: 5, totalPages: Math.ceil(5 / size) },
					data: page === 0 ? later : cut(floors, page, size),
				}),
				...{ wish: { pageSize: 5 }, says },
			},
		];
	},
	'there is nobody, although something says so': () =>
		[{ totalPages: 2 }, { totalPages: 1, total: 3 }, { totalPages: 1, hasMore: true }].map(
			(said) => ({ answer: pagesOf([], said), comes: 0 }),
		),
	// Neither a text nor a code tells a list of nobody from an error.
	'there is nobody, and the answer failed without a word': () =>
		[
			{ success: false, users: [] },
			{ status: 'error', users: [] },
		].map((body) => ({
			...{ answer: () => body, comes: 0 },
			says: 'The answer held no list, so it counts as no users.',
		})),
	'no record has an ID at ID Path': () => [
		{
			answer: countedFrom1(pagesOf(listOf(45, (id) => ({ id, name: `n${id}` })))),
			wish: { idPath: 'ID' },
			comes: 45,
			says: 'No user has an ID at "ID", so repeated ones are not recognized: check ID Path.',
		},
	],
	'records that differ have what is at ID Path in common': () => [
		{
			answer: pagesOf(listOf(45, (id) => ({ id, name: `n${id}`, host: id % 10 }))),
			...{ wish: { idPath: 'host' }, comes: 10, says: '35 duplicates had other content.' },
		},
	],
	'one is removed, and nothing but the page count says so': () =>
		[21, 31].map((count) => ({
			answer: removedAfter(count, Math.floor(count / 10) - 1),
			...{ comes: count - 1, says: 'The page count fell while the list was read' },
		})),
	'records hold one thing of another resource and nothing else, and equal others': () =>
		['company', 'visit', 'task'].map((name) => {
			const users = listOf(20, (place) => ({ [name]: { id: place % 11, name: 'A' } }));
			return { answer: (page, size) => ({ users: cut(users, page, size) }), comes: 20 };
		}),
	'the IDs differ in each answer': () =>
		(
			[
				[(page) => Math.min(page, 3), 35],
				[(page) => Math.max(page, 1) - 1, 35],
				// Pages that were read before are not compared any more.
				[(page) => page % 4, 45],
			] as Array<[(page: number) => number, number]>
		).flatMap(([held, comes]) =>
			AT_ANY_PACE.map((wish) => ({
				answer: (page: number, size: number, asked: number) => ({
					data: cut(listOf(35, named), held(page), size).map((user, place) => ({
						...{ id: `${asked}-${place}`, ...user },
					})),
				}),
				...{ wish, comes, requests: 19 },
				says: '"id" is not used as the ID, because it changes with each answer.',
			})),
		),
	'Page 1 equals page 0, which may be that of a service that counts from 1': () => [
		{
			answer: () => ({ data: listOf(3, withId) }),
			...{ wish: { page: 1, limit: 10 }, comes: 0, says: 'read the list from Page 0' },
		},
	],
	'all pages are equal, without an ID, and it begins at a later one': () => [
		{
			answer: pagesOf(listOf(45, () => ({ message: 'Door opened' }))),
			...{ wish: { page: 2, limit: 10 }, comes: 0, says: 'Page 2 equals an earlier page' },
		},
	],
};

it.each(Object.entries(WARNED))('A warning is caused if %s', async (_, make) => {
	for (const { answer, wish, comes, requests = Infinity, says = '', neverSays } of make()) {
		const { message, records, warning, ...reading } = await readAnswers(answer, wish);
		expect({ message, warning }).toEqual({ message, warning: true });
		expect(message).toContain(says);
		expect(message).not.toContain(neverSays ?? 'undefined');
		expect(records).toHaveLength(comes ?? records.length);
		expect(reading.requests).toBeLessThanOrEqual(requests);
	}
});

describe('Pages that are repeated without end, of records without an ID', () => {
	const day = (place: number) => `2026-05-0${1 + (place % 9)}`;

	it.each<[string, (place: number, asked: number) => Row]>([
		['a name', named],
		[
			'a name, and most fields that differ each time',
			(place, asked) => ({
				...{ name: `User ${place}`, minutes: asked, served: asked * 7, photo: `${place}?${asked}` },
			}),
		],
		['a time', (place) => ({ door: place % 4, at: `2026-05-01T08:00:${10 + place}Z` })],
		[
			'a time, and one that differs each time',
			(place, asked) => ({
				...{ door: place % 4, at: `2026-05-01T08:00:${10 + place}Z` },
				served: new Date(1e12 + asked * 1000).toISOString(),
			}),
		],
		[
			'a number with the year, and one that differs each time',
			(place, asked) => ({
				number: `2026-${String(place).padStart(3, '0')}`,
				photo: `${place}?${asked}`,
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
			for (const placed of Object.values(pageOf)) {
				for (const facts of [{}, { hasMore: true }, { total: 0 }]) {
					let requests = 0;
					const users = (asked: number) => listOf(40, (place) => record(place, asked));
					await readAnswers((page, size, asked) => {
						requests++;
						return { data: cut(users(asked), placed(page), size), ...facts };
					}).catch((error: unknown) => {
						expect(String(error)).toContain('it ignores the parameter "page"');
					});
					expect(requests).toBeLessThan(50);
				}
			}
		},
	);
});

it('names the field whose numbers are too long to be exact, and returns them as text', async () => {
	const body = '[{"id":"user-0","card":9007199254740993}]';
	const host = new MemoryHost({
		switches: {
			list: { answeredBy: () => ({ status: 200, body, contentType: 'application/json' }) },
		},
	});
	const run = await host.execute({ resource: 'user', operation: 'list', returnAll: true });
	expect(run.items).toEqual([{ id: 'user-0', card: '9007199254740993' }]);
	expect(run.hints[0]?.message).toContain('too long to be exact: "card".');
});

it('names no key that may be a person in a hint', async () => {
	const cards = '{"anna@example.test":9007199254740993,"a\\nb":9007199254740993}';
	const body = `[{"id":"user-0","cards":${cards},"anna@example.test":1}]`;
	const host = new MemoryHost({
		switches: {
			list: { answeredBy: () => ({ status: 200, body, contentType: 'application/json' }) },
		},
	});
	const match = { conditions: [{ field: 'emial', condition: 'isEmpty' }] };
	const run = await host.execute({ resource: 'user', operation: 'list', returnAll: true, match });
	expect(run.items).toHaveLength(1);
	expect(run.hints[0]?.message).toMatch(/too long to be exact: "…"\. .* Fields: id, cards, …\.$/);
});

describe('A list that is read from a later page on', () => {
	const users = listOf(60, (place) => ({ id: `user-${place}`, ...named(place) }));

	it.each([0, 1])(
		'joins Page %d and those after it, and returns nothing after the end',
		async (first) => {
			for (const repeats of [false, true]) {
				const found: unknown[] = [];
				for (let page = first; page < first + 6; page++) {
					const { records, warning } = await readAnswers(
						(number, size) => {
							const place = Math.max(0, number - first);
							return { data: cut(users.slice(0, 35), repeats ? Math.min(place, 3) : place, size) };
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
		[
			'status 404',
			() => {
				throw new Refused(404);
			},
		],
		['a text with status 200', () => ({ success: false, message: 'Invalid page' })],
	])(
		'ends a loop over Page at a service that counts from 1 and answers no page with %s',
		async (_, none) => {
			const found: unknown[] = [];
			for (const page of [1, 2, 3, 4, 5]) {
				const { records, warning } = await readAnswers(
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

	it('begins at a full page although records are left out of the page before it', async () => {
		const hidden = new Set([users[3], users[14]]);
		const { records, warning } = await readAnswers(
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
			const { records } = await readAnswers(
				(number, size) => ({ data: cut(visits, number, size) }),
				wish,
			);
			expect(records).toEqual(cut(visits, page, limit));
		}
	});
});

describe('A list whose last or only page comes again for ever', () => {
	it.each([2, 3, 7])(
		'asks for few pages after the last of %d if the service repeats it for ever',
		async (length) => {
			const users = listOf(length * 10, (id) => ({ id }));
			const read = async (concurrency: number) =>
				await readAnswers(
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
	it.each<[string, (place: number, asked: number) => Row]>([
		['a photo that is signed', (place, asked) => ({ id: place, photo: `/${place}?key=${asked}` })],
		['an ID', (place, asked) => ({ id: `${asked}-${place}` })],
	])('is read if it is in the list, and %s anew in each answer', async (_, fields) => {
		for (const count of [7, 20, 25]) {
			const last = Math.ceil(count / 10) - 1;
			const answer = (page: number, size: number, asked: number) => {
				const users = listOf(count, (place) => ({ ...fields(place, asked), ...named(place) }));
				return { data: cut(users, Math.min(page, last), size) };
			};
			for (const page of [1, 2, 3]) {
				const { records } = await readAnswers(answer, { limit: 10, page });
				const names = cut(listOf(count, named), page, 10).map(({ name }) => name);
				expect(records.map(({ name }) => name)).toEqual(names);
			}
		}
	});
});

const SIXTY = listOf(60, withId);
/** A reading of these pages from one of them on fails, and names the Page Size. */
const fromPage = (page: number, came: number, pageSize: number, answer: AnswerOf): Doubtful => ({
	answer,
	wish: { page, pageSize, limit: 100 },
	says: `The service returns pages of ${came} instead of ${pageSize}, so Page ${page} begins elsewhere. Set Page Size to ${came} in the options.`,
});
const sized =
	(sizeOf: (size: number) => number): AnswerOf =>
	(page, size) => ({ data: cut(SIXTY, page, sizeOf(size)) });

const FAILS: Record<string, () => Doubtful[]> = {
	'pages are of another size than asked for, and it begins with a later one': () => [
		...[1, 2, 5].flatMap((page) => [
			fromPage(
				page,
				4,
				10,
				sized((size) => Math.min(size, 4)),
			),
			fromPage(
				page,
				24,
				10,
				sized((size) => Math.max(size, 24)),
			),
			fromPage(
				page,
				7,
				10,
				sized(() => 7),
			),
		]),
		fromPage(1, 4, 10, countedFrom1(sized((size) => Math.min(size, 4)))),
		fromPage(3, 7, 15, (page, size, asked) => ({
			...{ data: asked === 0 ? [] : cut(SIXTY.slice(0, 23), page, Math.min(size, 7)), total: 23 },
		})),
		// The last of larger pages comes again for each page after it.
		fromPage(2, 10, 2, (page) => ({ data: cut(SIXTY.slice(0, 12), Math.min(page, 1), 10) })),
	],
	'every page is the first one': () => {
		const rotated: AnswerOf = (_, size, asked) => {
			const [first, users] = [asked % size, listOf(10, named)];
			return { data: [...users.slice(first), ...users.slice(0, first)] };
		};
		const says = 'it ignores the parameter "page"';
		const first: AnswerOf = (_, size) => ({ data: cut(SIXTY, 0, size) });
		return [
			{ answer: rotated, requests: 14, says },
			{ answer: first, wish: { concurrency: 10 }, requests: 8, says },
			...[1, 3].map((page) => ({ answer: first, wish: { page, limit: 10 }, says })),
		];
	},
	'the list does not end': () => [
		{
			answer: (page, size, asked) => ({
				data: listOf(size, (place) => ({ nonce: `${asked}-${place}` })),
				...{ total: (page + 1) * size, totalPages: page + 1 },
			}),
			says: 'The list does not end: 1,000 pages were read',
		},
	],
	'a code has a word for an error beside an empty list': () =>
		['code', 'responseCode', 'statusCode', 'return_code'].map((name) => ({
			answer: () => ({ [name]: 'FAIL', message: 'DB down', data: [] }),
			says: 'refused the request',
		})),
};

// A thousand requests for a list that does not end.
it.each(Object.entries(FAILS))(
	'An error is the result if %s',
	async (_, make) => {
		for (const { answer, wish, requests = Infinity, says } of make()) {
			let asked = 0;
			const reading = readAnswers((...question) => {
				asked++;
				return answer(...question);
			}, wish);
			const said = await reading.then(
				() => 'no error',
				(error: unknown) => {
					const { description, message } = error as NodeOperationError;
					return `${message} ${description ?? ''}`;
				},
			);
			expect(said).toContain(says);
			expect(asked).toBeLessThanOrEqual(requests);
		}
	},
	60_000,
);

it('Until Stable makes a warning of moved users needless', async () => {
	const again = await readAnswers(moving(listOf(40, withId)), { untilStable: true });
	expect(again).toMatchObject({ records: { length: 40 }, warning: false });
});

it('A page that came again comes out with all others without Remove Duplicates', async () => {
	const users = listOf(60, withId);
	const answer = pagesOf(users, (page) => ({ hasMore: page < 5 }));
	const odd: AnswerOf = (page, ...asked) => answer(page === 3 ? 1 : page, ...asked);
	expect((await readAnswers(odd, { removeDuplicates: false })).records).toHaveLength(60);
});

it('No more records than Limit come if the ID proves to be none', async () => {
	const rows = [ofGroup(1, 'a'), ofGroup(2, 'b'), ofGroup(1, 'c'), ofGroup(3, 'd')];
	const answer = pagesOf([...rows, ofGroup(4, 'e'), ofGroup(4, 'f')]);
	const { records } = await readAnswers(answer, { pageSize: 2, limit: 5 });
	expect(records.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('A last page of one record comes alone although its ID is that of another record', async () => {
	const users = listOf(52, (place) => ({ id: `card-${place % 17}`, name: `User ${place}` }));
	const { records } = await readAnswers(pagesOf(users), { page: 17, pageSize: 3, limit: 3 });
	expect(records).toEqual(users.slice(51));
});
