import { MemoryHost } from '../../host/memoryHost';
import { cut, KINDS, listOf, named, Refused, type Row, readAnswers } from './readAnswers';

describe('IDs in another spelling', () => {
	const uuid = (place: number) => `abcdef0${place % 10}-aaaa-4bbb-8ccc-ddddeeee${1000 + place}`;
	const withId = (change: (id: string) => unknown) => (record: Row) => ({
		...record,
		id: change(String(record.id)),
	});

	it.each<[string, (place: number) => unknown, (id: string) => unknown]>([
		['as text instead of numbers', (place) => place + 1, String],
		['as numbers instead of text', (place) => String(place + 1), Number],
		['as UUIDs in capitals', uuid, (id) => id.toUpperCase()],
		['as UUIDs in braces', uuid, (id) => `{${id}}`],
		[
			'as UUIDs without hyphens, in capitals',
			(n) => uuid(n).replace(/-/g, ''),
			(id) => id.toUpperCase(),
		],
	])(
		'reads a list once that starts over and then writes its IDs %s',
		async (_, idOf, respelled) => {
			for (const others of [{}, { name: 'User' }]) {
				const users = listOf(30, (place) => ({ id: idOf(place), ...others }));
				const again = users.map(withId(respelled));
				const { records, warning } = await readAnswers((page, size) => ({
					data: page < 3 ? cut(users, page, size) : cut(again, page % 3, size),
				}));
				expect(records).toEqual(users);
				expect(warning).toBe(false);
			}
		},
	);

	it.each([
		['letters of which the case matters', 'abcDEF', 'ABCdef'],
		['numbers with zeros before them', '7', '07'],
		['numbers beyond 2^53', '9007199254740993', '9007199254740992'],
	])('keeps records apart of which the IDs are %s', async (_, one, other) => {
		const users = [{ id: one }, { id: other }];
		const { records } = await readAnswers((page, size) => ({ data: cut(users, page, size) }), {
			pageSize: 1,
		});
		expect(records).toEqual(users);
	});
});

describe('A page returned in place of another one, once', () => {
	it.each(
		KINDS.flatMap(([kind, record]) =>
			[[0, 1] as const, [0, 3] as const, [2, 3] as const, [4, 2] as const].map(
				([page, held]) => [page, held, kind, record] as const,
			),
		),
	)(
		'comes right, or a warning says so: page %d with the records of page %d, %s',
		async (page, held, _, record) => {
			const users = listOf(65, record);
			for (const facts of [{}, { total: 65 }, { totalPages: 7 }, { hasMore: true }]) {
				for (const concurrency of [1, 5]) {
					let isWrong = true;
					const answer = (number: number, size: number) => {
						const isNow = isWrong && number === page;
						if (isNow) isWrong = false;
						const data = cut(users, isNow ? held : number, size);
						return { data, ...facts, ...('hasMore' in facts && { hasMore: number < 6 }) };
					};
					const { records, warning } = await readAnswers(answer, { concurrency });
					// A page that came in place of an earlier one is not read again.
					if (held > page) expect(warning).toBe(true);
					else expect([records, warning]).toEqual([users, false]);
				}
			}
		},
	);

	it('warns if it happens each time', async () => {
		const users = listOf(65, named);
		// Every other answer for the first page is that of the second.
		let asked = 0;
		const answer = (page: number, size: number) => {
			const isWrong = page === 0 && asked++ % 2 === 0;
			return { data: cut(users, isWrong ? 1 : page, size) };
		};
		const { warning, requests } = await readAnswers(answer);
		expect(warning).toBe(true);
		expect(requests).toBeLessThan(30);
	});
});

describe('A list that changes its order while it is read', () => {
	it('causes a warning although pages of one record look like a list that starts over', async () => {
		const users = listOf(12, (place) => ({ id: place }));
		// By then every other record comes first: page 6 is that of the first one again.
		const other = users.map((_, place) => users[(2 * place) % 12] as Row);
		for (const later of [other, [...users.slice(6), ...users.slice(2)]]) {
			const { warning } = await readAnswers(
				(page) => ({ data: cut(page < 4 ? users : later, page, 1) }),
				{ pageSize: 1 },
			);
			expect(warning).toBe(true);
		}
	});

	/** From the third answer on, the users of places 4 and 25 stand in each other's place. */
	const moving = (users: readonly Row[], facts: Row) => {
		const [one = {}, other = {}] = [users[4], users[25]];
		const later = [...users];
		later.splice(4, 1, other);
		later.splice(25, 1, one);
		return (page: number, size: number, asked: number) => ({
			data: cut(asked < 2 ? users : later, page, size),
			...facts,
		});
	};

	it('causes a warning that users may be missing, unless the total says that none is', async () => {
		const users = listOf(40, (place) => ({ id: `user-${place}` }));
		const silent = await readAnswers(moving(users, {}));
		expect(silent.records).toHaveLength(39);
		expect(silent).toMatchObject({
			warning: true,
			message: expect.stringContaining('1 user came again on later pages') as string,
		});
		const counted = await readAnswers(moving(users, { total: 39 }));
		expect(counted.warning).toBe(false);
		const missed = await readAnswers(moving(users, { total: 40 }));
		expect(missed.message).toContain('The service counts 40 users');
		expect(missed.message).not.toContain('came again');
	});

	it('causes a warning without an ID, unless equal records stand on one page', async () => {
		const users = listOf(40, named);
		const { records, message, warning } = await readAnswers(moving(users, { total: 40 }));
		expect(records).toHaveLength(40);
		expect(message).toContain('Some users equal earlier ones. Without an ID');
		expect(warning).toBe(true);
		const equal = await readAnswers(moving([named(1), ...users.slice(1)], {}));
		expect(equal.warning).toBe(false);
	});

	it('causes no warning if Until Stable reads it again and finds the same', async () => {
		const users = listOf(40, (place) => ({ id: `user-${place}` }));
		const { records, warning } = await readAnswers(moving(users, {}), { untilStable: true });
		expect(records).toHaveLength(40);
		expect(warning).toBe(false);
	});

	it('comes whole with Until Stable, in the order of the first reading', async () => {
		const users = listOf(40, (place) => ({ id: place }));
		const { records, message, warning } = await readAnswers(
			(page, size, asked) => {
				if (asked === 2) users.splice(0, 3);
				return { data: cut(users, page, size) };
			},
			{ untilStable: true },
		);
		const ids = records.map(({ id }) => Number(id));
		expect(ids.slice(20, 22)).toEqual([23, 24]);
		expect(ids.slice(-3)).toEqual([20, 21, 22]);
		expect(ids).toHaveLength(40);
		expect(message).toContain('Read 3 times; found 3 more after the first time.');
		expect(warning).toBe(false);
	});

	it('is read three times at most', async () => {
		const users = listOf(30, (place) => ({ id: place }));
		const { message, warning } = await readAnswers(
			(page, size, asked) => {
				users.push({ id: `new-${asked}` });
				return { data: cut(users, page, size) };
			},
			{ untilStable: true },
		);
		expect(message).toContain('Read 3 times');
		expect(message).toContain('The last time still found some');
		expect(warning).toBe(true);
	});

	it('counts for the ID that proves to be none what may be doubled without it', async () => {
		const row = (id: number, name: string) => ({ id, name });
		const pages = [
			[row(1, 'a'), row(2, 'b')],
			[row(1, 'a'), row(3, 'c')],
			[row(4, 'd'), row(4, 'e')],
		];
		const { records, warning } = await readAnswers((page) => ({ data: pages[page] ?? [] }), {
			pageSize: 2,
		});
		expect(records).toHaveLength(6);
		expect(warning).toBe(true);
	});
});

describe('Numbers that count only what was read so far', () => {
	it.each(KINDS)('lose no record of a list %s, and cause no warning', async (_, record) => {
		for (const count of [5, 10, 30, 35]) {
			const users = listOf(count, record);
			const facts = (page: number, size: number) => {
				const pages = Math.min(page + 1, Math.ceil(count / size));
				const total = Math.min(count, (page + 1) * size);
				return [{ totalPages: pages }, { total }, { total, totalPages: pages }];
			};
			for (const kind of [0, 1, 2]) {
				for (const concurrency of [1, 5]) {
					const { records, requests, warning } = await readAnswers(
						(page, size) => ({ data: cut(users, page, size), ...facts(page, size)[kind] }),
						{ concurrency },
					);
					expect(records).toEqual(users);
					expect(warning).toBe(false);
					expect(requests).toBeLessThanOrEqual(Math.ceil(count / 10) + concurrency + 1);
				}
			}
		}
	});

	it.each([4, 5, 7, 9])(
		'do not end a list in pages of %d instead of 10 if page 1 is null once',
		async (maximum) => {
			const users = listOf(47, (place) => ({ id: `user-${place}` }));
			let isWrong = true;
			const { records } = await readAnswers((page, size) => {
				if (isWrong && page === 1) {
					isWrong = false;
					return null;
				}
				const data = cut(users, page, Math.min(size, maximum));
				return { data, total: Math.min(47, page * Math.min(size, maximum) + data.length) };
			});
			expect(records).toEqual(users);
		},
	);

	it('bound a list that does not end', async () => {
		const reading = readAnswers((page, size, asked) => ({
			data: listOf(size, (place) => ({ nonce: `${asked}-${place}` })),
			total: (page + 1) * size,
			totalPages: page + 1,
		}));
		await expect(reading).rejects.toThrow('The list does not end: 1,000 pages were read');
		// A thousand requests.
	}, 60_000);
});

describe('A total that is the number of records on its page', () => {
	it.each(KINDS)('causes no warning that a list %s is not whole', async (_, record) => {
		const lists = [
			{ count: 5, first: 0 },
			{ count: 25, first: 0 },
			{ count: 25, first: 1 },
		];
		for (const { count, first } of lists) {
			const users = listOf(count, record);
			const { records, warning } = await readAnswers((page, size) => {
				const data = cut(users, Math.max(page, first) - first, size);
				return { data, total: data.length };
			});
			expect(records).toEqual(users);
			expect(warning).toBe(false);
		}
	});
});

describe('A first page that says nothing but what is true of the page', () => {
	const facts = (came: number) => [
		{ total: came, last: true },
		{ total: came, totalPages: 1, last: true, hasMore: false },
		{ total: came, totalPages: 1, pageSize: came, last: true },
	];

	it.each(KINDS)('does not end a list if a maximum explains its length, %s', async (_, record) => {
		for (const maximum of [5, 2]) {
			for (const count of [7, 25]) {
				for (const said of facts(maximum)) {
					const users = listOf(count, record);
					const { records } = await readAnswers((page, size) => ({
						data: cut(users, page, Math.min(size, maximum)),
						...said,
					}));
					expect(records).toEqual(users);
				}
			}
		}
	});

	it.each(KINDS)(
		'does not end a list of 600, 333 at most of 1,000 a page, whose flag is for that size, %s',
		async (_, record) => {
			for (const said of [(more: boolean) => ({ hasMore: more }), () => ({ totalPages: 1 })]) {
				const users = listOf(600, record);
				const { records, warning } = await readAnswers(
					(page, size) => ({
						data: users.slice(page * size, page * size + Math.min(size, 333)),
						...said((page + 1) * size < 600),
					}),
					{ pageSize: 1000 },
				);
				expect(records).toEqual(users);
				expect(warning).toBe(false);
			}
		},
	);

	it('takes one more request, and none if the page states that it has room for more', async () => {
		const users = listOf(5, (place) => ({ id: place }));
		const read = async (said: Row) =>
			await readAnswers((page, size) => ({ data: cut(users, page, size), ...said }));
		for (const said of facts(5)) expect((await read(said)).requests).toBe(2);
		for (const said of facts(5)) expect((await read({ ...said, pageSize: 10 })).requests).toBe(1);
	});
});

describe('A page that holds what came before, in place of another one', () => {
	it.each(KINDS)('is named if others follow it, and left out, of users %s', async (_, record) => {
		const users = listOf(60, record);
		const answer = (page: number, size: number) => ({
			data: cut(users, page === 3 ? 1 : page, size),
			hasMore: page < 5,
		});
		const { records, message, warning } = await readAnswers(answer);
		expect(records).toEqual(users.filter((_user, place) => place < 30 || place >= 40));
		expect(message).toContain('Left out 10 duplicates');
		expect(message).toContain('Page 3 held only users of earlier pages');
		expect(warning).toBe(true);
		const whole = await readAnswers(answer, { removeDuplicates: false });
		expect(whole.records).toHaveLength(60);
	});

	it('is not named if none follows it, although the service says so', async () => {
		const users = listOf(60, (place) => ({ id: place }));
		const { records, message } = await readAnswers((page, size) => ({
			data: cut(users, Math.min(page, 5), size),
			hasMore: true,
		}));
		expect(records).toEqual(users);
		expect(message).not.toContain('held only users of earlier pages');
		expect(message).toContain('although the service says there are more users');
	});
});

describe('IDs that are numbers within a site', () => {
	const visits = listOf(40, (place) => ({
		id: (place % 20) + 1,
		site: `Site ${Math.floor(place / 20)}`,
		isInside: place % 3 === 0,
	}));

	it.each([{}, { total: 40 }, { totalPages: 4 }])(
		'are not used if pages repeat them with other content, and %j is said',
		async (said) => {
			for (const concurrency of [1, 5]) {
				const { records, message, warning } = await readAnswers(
					(page, size) => ({ data: cut(visits, page, size), ...said }),
					{ concurrency },
				);
				expect(records).toEqual(visits);
				expect(message).toContain('"id" is not used as the ID');
				expect(warning).toBe(false);
			}
		},
	);
});

describe('Max Pages', () => {
	const read = async (count: number, maxPages: number, facts: (page: number) => Row) => {
		const users = listOf(count, (place) => ({ id: place }));
		const answer = (page: number, size: number) => ({
			data: cut(users, page, size),
			...facts(page),
		});
		return await readAnswers(answer, { maxPages });
	};

	it('Max Pages leads to no warning if the total agrees with what was read', async () => {
		const { records, requests, message, warning } = await read(20, 2, () => ({ total: 20 }));
		expect(records).toHaveLength(20);
		expect([requests, message, warning]).toEqual([
			2,
			expect.not.stringContaining('Max Pages'),
			false,
		]);
	});

	it.each<[string, number, number, (page: number) => Row]>([
		['the total is higher', 30, 2, () => ({ total: 30 })],
		['more pages are said to follow', 20, 2, () => ({ total: 20, hasMore: true })],
		['the page count is higher', 20, 2, () => ({ total: 20, totalPages: 3 })],
		['the total may be that of the page', 20, 1, () => ({ total: 10 })],
		['the total counts what was read so far', 40, 2, (page) => ({ total: 10 * (page + 1) })],
		['nothing is said', 20, 2, () => ({})],
	])('names Max Pages in a warning if %s', async (_, count, maxPages, facts) => {
		const { message, warning } = await read(count, maxPages, facts);
		expect(message).toContain(`Stopped at Max Pages (${maxPages}): there may be more users.`);
		expect(warning).toBe(true);
	});
});

describe('An ID that proves to be none when the limit is almost reached', () => {
	it('returns no more records than the limit', async () => {
		const row = (id: number, name: string) => ({ id, name });
		const pages = [
			[row(1, 'a'), row(2, 'b')],
			[row(1, 'c'), row(3, 'd')],
			[row(4, 'e'), row(4, 'f')],
		];
		const { records } = await readAnswers((page) => ({ data: pages[page] ?? [] }), {
			pageSize: 2,
			limit: 5,
		});
		expect(records.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e']);
	});
});

describe('A page count that is too low', () => {
	it.each(KINDS)('loses no record of a list %s, and causes no warning', async (_, record) => {
		for (const count of [35, 40, 41]) {
			const users = listOf(count, record);
			for (const concurrency of [1, 5]) {
				const { records } = await readAnswers(
					(page, size) => ({
						data: cut(users, page, size),
						totalPages: Math.ceil(count / size) - 1,
					}),
					{ concurrency },
				);
				expect(records).toEqual(users);
			}
		}
	});

	it.each([50, 25, 10])(
		'loses no record if it is 1 for the size asked for, and pages hold %d at most',
		async (maximum) => {
			const users = listOf(95, named);
			const { records, requests } = await readAnswers(
				(page, size) => ({
					data: cut(users, page, Math.min(size, maximum)),
					totalPages: Math.ceil(95 / size),
				}),
				{ pageSize: 100 },
			);
			expect(records).toEqual(users);
			expect(requests).toBeLessThan(95 / maximum + 5);
		},
	);

	it('does not fail at a page after the last one that the service cannot read', async () => {
		const users = listOf(30, named);
		const answer = (page: number, size: number) => ({
			data: cut(users, page, size),
			totalPages: 3,
		});
		const { records, warning } = await readAnswers((page, size) => {
			if (page < 3) return answer(page, size);
			throw new Refused(500);
		});
		expect(records).toEqual(users);
		expect(warning).toBe(false);
	});
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

	it('repeated pages end the reading soon if each answer has them in another order', async () => {
		const users = listOf(10, named);
		let requests = 0;
		const reading = readAnswers((_, size, asked) => {
			requests++;
			const from = asked % size;
			return { data: [...users.slice(from), ...users.slice(0, from)] };
		});
		await expect(reading).rejects.toThrow('it ignores the parameter "page"');
		expect(requests).toBeLessThan(15);
	});
});

describe('Pages of one record each', () => {
	it('are asked for once, although records have most fields in common', async () => {
		const users = listOf(30, (place) => ({ id: `user-${place}`, ...named(place), role: 'host' }));
		const { records, requests } = await readAnswers(
			(page, size) => ({ data: cut(users, page, size), hasMore: page < 29 }),
			{ pageSize: 1 },
		);
		expect([records, requests]).toEqual([users, 30]);
	});
});

describe('Pages of which the photos are signed anew in each answer', () => {
	it('cause no warning if each page holds a single record', async () => {
		const users = listOf(5, named);
		const answer = (page: number, size: number, asked: number) => ({
			data: cut(users, page, size).map((user) => ({ ...user, photo: asked })),
		});
		expect((await readAnswers(answer, { pageSize: 1 })).warning).toBe(false);
	});
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

describe('A list that is read from a later page on', () => {
	const users = listOf(60, (place) => ({ id: `user-${place}`, ...named(place) }));

	it.each<[string, number, number, (size: number) => number]>([
		['at most', 4, 10, (size) => Math.min(size, 4)],
		['at least', 24, 10, (size) => Math.max(size, 24)],
		['always', 7, 10, () => 7],
	])(
		'fails and names Page Size if pages hold %s %d records instead of %d',
		async (_, held, asked, sizeOf) => {
			for (const page of [1, 2, 5]) {
				const reading = readAnswers(
					(number, size) => ({ data: cut(users, number, sizeOf(size)) }),
					{
						page,
						pageSize: asked,
						limit: asked,
					},
				);
				await expect(reading).rejects.toMatchObject({
					message: `The service returns pages of ${held} instead of ${asked}, so Page ${page} begins elsewhere.`,
					description: expect.stringContaining(`Set Page Size to ${held}`) as unknown,
				});
			}
		},
	);

	it('fails and names Page Size if a service that counts from 1 holds 4 records a page instead of 10', async () => {
		const reading = readAnswers(
			(number, size) => ({ data: cut(users, Math.max(0, number - 1), Math.min(size, 4)) }),
			{ page: 1, limit: 100 },
		);
		await expect(reading).rejects.toMatchObject({
			description: expect.stringContaining('Set Page Size to 4') as unknown,
		});
	});

	it('fails and names Page Size if pages hold 7 records instead of 15, and the page is empty once', async () => {
		const some = users.slice(0, 23);
		const reading = readAnswers(
			(page, size, asked) => ({
				data: asked === 0 ? [] : cut(some, page, Math.min(size, 7)),
				total: 23,
			}),
			{ page: 3, pageSize: 15, limit: 100 },
		);
		await expect(reading).rejects.toMatchObject({
			description: expect.stringContaining('Set Page Size to 7') as unknown,
		});
	});

	it('fails and names Page Size if the last of larger pages comes again for each page after it', async () => {
		const some = users.slice(0, 12);
		const reading = readAnswers((page) => ({ data: cut(some, Math.min(page, 1), 10) }), {
			page: 2,
			pageSize: 2,
			limit: 100,
		});
		await expect(reading).rejects.toMatchObject({
			description: expect.stringContaining('Set Page Size to 10') as unknown,
		});
	});

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

	it('warns with Page 1 that it is page 0, which may be that of a service that counts from 1', async () => {
		const { records, message, warning } = await readAnswers(() => ({ data: users.slice(0, 3) }), {
			page: 1,
			limit: 10,
		});
		expect(records).toEqual([]);
		expect(message).toContain('read the list from Page 0');
		expect(warning).toBe(true);
	});

	it.each([1, 3])('fails if every page is the first one, with Page %d', async (page) => {
		const reading = readAnswers((_page, size) => ({ data: cut(users, 0, size) }), {
			page,
			limit: 10,
		});
		await expect(reading).rejects.toThrow('it ignores the parameter "page"');
	});
});

describe('A page that is empty although records are there', () => {
	const users = listOf(30, (place) => ({ id: `user-${place}` }));

	it.each([1, 25])(
		'reads %d users of a service that counts from 1 and has an empty page 0',
		async (count) => {
			const some = users.slice(0, count);
			const { records, warning } = await readAnswers((page, size) => ({
				data: page === 0 ? [] : cut(some, page - 1, size),
			}));
			expect(records).toEqual(some);
			expect(warning).toBe(false);
		},
	);

	it.each([0, 1, 2])('asks again for page %d of 3 if it is empty once', async (empty) => {
		let isEmpty = true;
		const { records } = await readAnswers((page, size) => {
			const data = isEmpty && page === empty ? [] : cut(users, page, size);
			if (data.length === 0) isEmpty = false;
			return { data };
		});
		expect(records).toEqual(users);
	});
});

describe('A page without records, of a list of which nothing is known', () => {
	const users = listOf(60, (place) => ({ id: `user-${place}` }));
	const refusal = new Refused(404);

	it.each([1, 5])('reads on after two empty pages, %d at a time', async (concurrency) => {
		const left = users.filter((_, place) => place < 20 || place >= 40);
		const { records, warning } = await readAnswers(
			(page, size) => ({ data: page === 2 || page === 3 ? [] : cut(users, page, size) }),
			{ concurrency },
		);
		expect(records).toEqual(left);
		expect(warning).toBe(false);
	});

	it.each([1, 5])(
		'asks again for the last page if it is refused once, %d at a time',
		async (concurrency) => {
			let isRefused = true;
			const { records, warning } = await readAnswers(
				(page, size) => {
					const isNow = isRefused && page === 5;
					if (isNow) isRefused = false;
					if (isNow || page > 5) throw refusal;
					return { data: cut(users, page, size) };
				},
				{ concurrency },
			);
			expect(records).toEqual(users);
			expect(warning).toBe(false);
		},
	);
});

describe('A flag that is stuck at the last page', () => {
	it('does not end a list whose first page is full', async () => {
		const users = listOf(35, (place) => ({ id: `user-${place}` }));
		const { records } = await readAnswers((page, size) => ({
			data: cut(users, page, size),
			hasMore: false,
		}));
		expect(records).toEqual(users);
	});
});

describe('A first page that is cut short once', () => {
	const SAYS: ReadonlyArray<[string, (page: number, size: number) => Row]> = [
		['nothing', () => ({})],
		['the total', () => ({ total: 470 })],
		['whether there is more', (page, size) => ({ hasMore: (page + 1) * size < 470 })],
	];
	const cases = KINDS.flatMap(([kind, record]) =>
		SAYS.flatMap(([what, says]) => [1, 3, 9].map((left) => ({ kind, record, what, says, left }))),
	);

	it.each(cases)(
		'does not set the size of all pages: $left of 100 are left, $kind, and the service says $what',
		async ({ record, says, left }) => {
			const users = listOf(470, record);
			const { records, requests, warning } = await readAnswers(
				(page, size, asked) => {
					const data = cut(users, page, size);
					return { data: asked === 0 ? data.slice(0, left) : data, ...says(page, size) };
				},
				{ pageSize: 100 },
			);
			expect(records).toEqual(users);
			expect(warning).toBe(false);
			expect(requests).toBeLessThanOrEqual(2 * 5 + 1);
		},
	);
});

describe('A list that is complete although pages were odd', () => {
	it.each(KINDS)(
		'causes no warning if the last page was empty once, of a list %s',
		async (_, record) => {
			const users = listOf(47, record);
			let isEmpty = true;
			const { records, warning } = await readAnswers((page, size) => {
				const isNow = isEmpty && page === 4;
				if (isNow) isEmpty = false;
				return { data: isNow ? [] : cut(users, page, size), total: 47 };
			});
			expect(records).toEqual(users);
			expect(warning).toBe(false);
		},
	);
});

describe('A list whose first page is short because records are left out', () => {
	it.each([[[3, 7]], [[3, 13, 14, 25]], [[9]]])(
		'comes whole and without a warning in pages of the size asked for: %j',
		async (places) => {
			const users = listOf(60, (place) => ({ id: place }));
			const hidden = new Set(places.map((place) => users[place]));
			for (const said of [{}, { total: 60 - places.length }]) {
				const { records, warning } = await readAnswers((page, size) => ({
					data: cut(users, page, size).filter((user) => !hidden.has(user)),
					...said,
				}));
				expect(records).toEqual(users.filter((user) => !hidden.has(user)));
				expect(warning).toBe(false);
			}
		},
	);

	it.each([1, 2, 10])(
		'reads on after an empty page that follows a second short one, with %d in flight',
		async (concurrency) => {
			const users = listOf(7, (place) => ({ id: `user-${place}`, ...named(place) }));
			const hidden = new Set([users[2], users[4], users[5]]);
			const { records } = await readAnswers(
				(page, size) => ({ data: cut(users, page, size).filter((user) => !hidden.has(user)) }),
				{ pageSize: 3, concurrency },
			);
			expect(records).toEqual(users.filter((user) => !hidden.has(user)));
		},
	);
});

it('warns without an ID if pages of the size that came may hold records of the one before', async () => {
	const people = listOf(59, named);
	const { message, warning } = await readAnswers(
		(page, size, asked) => ({
			data: cut(people, page, size)
				.filter(({ name }) => !/ [789]$/.test(String(name)))
				.map((record) => ({ ...record, photo: `?signature=${asked}` })),
			total: 59,
		}),
		{ pageSize: 13 },
	);
	expect(message).toContain('no ID shows whether any users are missing or doubled');
	expect(warning).toBe(true);
});

describe('A last page of one record whose ID is that of another record', () => {
	it('returns a last page alone if its ID is that of another record', async () => {
		const users = listOf(52, (place) => ({ id: `card-${place % 17}`, name: `User ${place}` }));
		const { records } = await readAnswers((page, size) => ({ data: cut(users, page, size) }), {
			page: 17,
			pageSize: 3,
			limit: 3,
		});
		expect(records).toEqual(users.slice(51));
	});
});

describe('An empty list whose one empty page is counted', () => {
	it.each([
		[{ totalPages: 1 }, 3],
		[{ totalPages: 1, last: true }, 2],
		[{ totalPages: 1, total: 0 }, 1],
		[{ meta: { total: 0, last_page: 1, total_pages: 1 } }, 1],
	])('reads an empty list without a warning if each page says %j', async (facts, most) => {
		const { records, requests, warning } = await readAnswers(() => ({ data: [], ...facts }));
		expect(records).toEqual([]);
		expect(warning).toBe(false);
		expect(requests).toBeLessThanOrEqual(most);
	});

	it.each([{ totalPages: 2 }, { totalPages: 1, total: 3 }, { totalPages: 1, hasMore: true }])(
		'causes a warning if each page says %j',
		async (facts) => {
			const { warning } = await readAnswers(() => ({ data: [], ...facts }));
			expect(warning).toBe(true);
		},
	);
});

describe('A list of which the first page is empty once', () => {
	it.each([{ total: 7 }, { total: 7, totalPages: 1 }, { totalPages: 1 }])(
		'reads a list whose first page is empty once if the page after it says %j',
		async (facts) => {
			const users = listOf(7, (place) => ({ id: `user-${place}` }));
			const { records } = await readAnswers((page, size, asked) =>
				asked === 0 ? { data: [] } : { data: cut(users, page, size), ...facts },
			);
			expect(records).toEqual(users);
		},
	);
});

describe('Records without the ID that the others have', () => {
	it('ends a list that repeats a last page with a record without the ID of the others', async () => {
		const users = listOf(25, (place) => ({ id: place === 24 ? null : place, name: `n${place}` }));
		const { records, requests } = await readAnswers((page, size) => ({
			data: cut(users, Math.min(page, 2), size),
		}));
		expect(records).toEqual(users);
		expect(requests).toBeLessThan(10);
	});

	it('reads all records without the ID of the others if a page is returned in place of another one, once', async () => {
		const users = listOf(45, (place) => ({ id: place < 15 ? place : null, name: `n${place}` }));
		for (const concurrency of [1, 5]) {
			let isWrong = true;
			const { records } = await readAnswers(
				(page, size) => {
					const held = page === 3 && isWrong ? 2 : page;
					if (page === 3) isWrong = false;
					return { data: cut(users, held, size), total: 45 };
				},
				{ concurrency },
			);
			expect(records).toEqual(users);
		}
	});
});

describe('ID Path', () => {
	const users = listOf(45, (place) => ({ id: place, name: `n${place}`, host: place % 10 }));

	it('names an ID Path in a warning if no record has an ID there, and reads the list without one', async () => {
		const { records, message, warning } = await readAnswers(
			(page, size) => ({ data: cut(users, Math.max(page, 1) - 1, size) }),
			{ idPath: 'ID' },
		);
		expect(records).toEqual(users);
		expect(message).toContain(
			'No user has an ID at "ID", so repeated ones are not recognized: check ID Path.',
		);
		expect(warning).toBe(true);
	});

	it('warns how many records differ if they have what is at ID Path in common', async () => {
		const { records, message, warning } = await readAnswers(
			(page, size) => ({ data: cut(users, page, size) }),
			{ idPath: 'host' },
		);
		expect(records).toHaveLength(10);
		expect(message).toContain('35 duplicates had other content.');
		expect(warning).toBe(true);
	});
});

describe('A service that refuses page sizes it does not know', () => {
	const refusal = new Refused(400);
	const known = [5, 10, 20, 50, 100];

	it.each(
		KINDS.flatMap(([kind, record]) =>
			[
				[100, 50],
				[100, 20],
				[10, 5],
			].flatMap(([asked = 0, max = 0]) =>
				[max, max + 1, 2 * max, 3 * max + 7].map(
					(count) => [count, max, asked, kind, record] as const,
				),
			),
		),
	)(
		'returns all of %d users in pages of %d instead of %d, %s',
		async (count, max, asked, _, record) => {
			const users = listOf(count, record);
			const { records, warning } = await readAnswers(
				(page, size) => {
					if (!known.includes(size)) throw refusal;
					return { data: cut(users, page, Math.min(size, max)) };
				},
				{ pageSize: asked },
			);
			expect(records).toEqual(users);
			expect(warning).toBe(false);
		},
	);
});

describe('A page count that is the number of records on the page', () => {
	it.each([100, 101, 230])(
		'causes neither a warning nor needless requests in a list of %d',
		async (count) => {
			const users = listOf(count, (place) => ({ id: place }));
			const { records, requests, warning } = await readAnswers(
				(page, size) => {
					const data = cut(users, page, size);
					return { data, page_count: data.length, total_count: count };
				},
				{ pageSize: 100, concurrency: 16 },
			);
			expect(records).toEqual(users);
			expect(warning).toBe(false);
			expect(requests).toBeLessThan(12);
		},
	);
});

describe('A list that counts from 1, and of which page 2 is the first one again, once', () => {
	it.each(KINDS)('reads such a list to its end, %s', async (_, record) => {
		const users = listOf(13, record);
		for (const concurrency of [1, 5]) {
			let isWrong = true;
			const { records } = await readAnswers(
				(page, size) => {
					const isNow = isWrong && page === 2;
					if (isNow) isWrong = false;
					return { data: cut(users, isNow ? 0 : Math.max(0, page - 1), size) };
				},
				{ concurrency },
			);
			expect(records).toEqual(users);
		}
	});
});

describe('A service that returns the whole list, whatever is asked for', () => {
	it.each(KINDS)(
		'reads it once, without a warning, if its total says so, %s',
		async (_, record) => {
			const users = listOf(47, record);
			// A page count may be that of the size asked for.
			for (const said of [{ total: 47 }, { total: 47, totalPages: 5 }]) {
				const { records, requests, warning } = await readAnswers(() => ({ ...said, users }));
				expect(records).toEqual(users);
				expect([requests, warning]).toEqual([1, false]);
			}
		},
	);
});

describe('IDs that differ in each answer', () => {
	it.each([
		['repeats its last page', (page: number) => Math.min(page, 3), 35],
		['counts from 1', (page: number) => Math.max(page, 1) - 1, 35],
		// Pages that were read before are not compared any more.
		['starts over', (page: number) => page % 4, 45],
	])('are not used, with a warning, and end a list soon that %s', async (_, held, most) => {
		const users = listOf(35, named);
		for (const concurrency of [1, 5]) {
			const { message, records, requests, warning } = await readAnswers(
				(page, size, asked) => ({
					data: cut(users, held(page), size).map((user, place) => ({
						id: `${asked}-${place}`,
						...user,
					})),
				}),
				{ concurrency },
			);
			expect(records.slice(0, 35).map(({ name }) => name)).toEqual(users.map(({ name }) => name));
			expect(records.length).toBeLessThanOrEqual(most);
			expect(message).toContain('"id" is not used as the ID, because it changes with each answer.');
			expect(warning).toBe(true);
			expect(requests).toBeLessThan(20);
		}
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
	it('reads a full page that is the only one by the page count', async () => {
		const users = listOf(10, (id) => ({ id }));
		const answer = () => ({ data: users, totalPages: 1 });
		expect(await readAnswers(answer)).toMatchObject({ records: users, warning: false });
	});

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

	it('asks for few pages if the service returns its first page for ever', async () => {
		const users = listOf(10, (id) => ({ id }));
		let requests = 0;
		const answer = (_: number, size: number) => {
			requests++;
			return { data: cut(users, 0, size) };
		};
		await expect(readAnswers(answer, { concurrency: 10 })).rejects.toThrow('ignores');
		expect(requests).toBeLessThanOrEqual(8);
	});
});

describe('An answer that says in words or codes how it went', () => {
	it.each([
		{ message: 'No users found' },
		{ success: false, message: 'No users found', data: [] },
		{ error: { code: 404, message: 'Page out of range' }, users: [] },
	])('is an empty list without a warning if a text says that there are none: %j', async (body) => {
		expect(await readAnswers(() => body)).toMatchObject({ records: [], warning: false });
	});

	// Neither a text nor a code tells a list of nobody from an error.
	it.each([
		{ success: false, users: [] },
		{ status: 'error', users: [] },
	])('is an empty list with a warning if it failed without a word: %j', async (body) => {
		const { message, records, warning } = await readAnswers(() => body);
		expect({ records, warning }).toEqual({ records: [], warning: true });
		expect(message).toContain('The answer held no list, so it counts as no users.');
	});

	it.each(['code', 'responseCode', 'statusCode', 'return_code'])(
		'is an error if "%s" has a word for one beside an empty list',
		async (name) => {
			const body = { [name]: 'FAIL', message: 'DB down', data: [] };
			await expect(readAnswers(() => body)).rejects.toThrow('refused the request');
		},
	);

	it.each(['Users: not found', 'Data: not found.', '"users" not found', 'User(s) not found'])(
		'ends the list after the last page: %s',
		async (message) => {
			const users = listOf(20, (id) => ({ id }));
			for (const total of [0, 20]) {
				const answer = (page: number, size: number) =>
					page * size < total ? { data: cut(users, page, size) } : { message };
				const found = await readAnswers(answer);
				expect(found).toMatchObject({ records: users.slice(0, total), warning: false });
			}
		},
	);
});

describe('Records that hold one thing of another resource and nothing else', () => {
	it.each(['company', 'visit', 'task'])(
		'are not taken for the same because that thing is: %s',
		async (name) => {
			const users = listOf(20, (place) => ({ [name]: { id: place % 11, name: 'A' } }));
			const { records } = await readAnswers((page, size) => ({ users: cut(users, page, size) }));
			expect(records).toEqual(users);
		},
	);
});

describe('A list of which nothing but a page count is said', () => {
	const answers = (users: Row[], isRemoved: (page: number) => boolean, ofEmpty?: number) =>
		readAnswers((page, size) => {
			const there = isRemoved(page) ? users.slice(1) : users;
			const data = cut(there, page, size);
			const totalPages = data.length > 0 ? undefined : ofEmpty;
			return { data, totalPages: totalPages ?? Math.ceil(there.length / size) };
		});

	it.each([21, 31])(
		'causes a warning if one of %d is removed, so that the last page is empty',
		async (count) => {
			const users = listOf(count, (id) => ({ id }));
			const { message, records, warning } = await answers(users, (page) => page * 10 > count - 10);
			expect(records).toHaveLength(count - 1);
			expect(message).toContain('The page count fell while the list was read');
			expect(warning).toBe(true);
		},
	);

	it.each([20, 21])('causes none if the page after %d says that there is none', async (count) => {
		const users = listOf(count, (id) => ({ id }));
		expect(await answers(users, () => false, 0)).toMatchObject({ records: users, warning: false });
	});
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
