import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { cut, KINDS, listOf, named, readAnswers } from './readAnswers';

describe('A page that the user begins with, and that is the first one again', () => {
	it.each([
		[1, 10],
		[2, 10],
		[2, 12],
		[3, 7],
	])('fails if page %d holds the %d records of every page', async (firstPage, count) => {
		const users = listOf(count, (place) => ({ id: `user-${place}` }));
		const reading = readAnswers(() => ({ data: users }), { firstPage, limit: 10 });
		await expect(reading).rejects.toThrow('it ignores the parameter "page"');
	});

	it('reads page 1 of a service that counts from 1, which is page 0 too', async () => {
		const users = listOf(7, (place) => ({ id: `user-${place}` }));
		const { listing } = await readAnswers(
			(page, size) => ({ data: cut(users, Math.max(0, page - 1), size) }),
			{ firstPage: 1, limit: 10 },
		);
		expect(listing.records).toEqual(users);
	});
});

describe('A wrong answer to the question where a later page begins', () => {
	const withId = (place: number) => ({ id: `user-${place}`, ...named(place) });

	it('asks again for an empty page after a full one, in a list that counts from 1', async () => {
		const users = listOf(10, withId);
		let isWrong = true;
		const { listing } = await readAnswers(
			(page, size) => {
				const data = page === 1 && isWrong ? [] : cut(users, Math.max(0, page - 1), size);
				if (page === 1) isWrong = false;
				return { data };
			},
			{ firstPage: 1, limit: 10 },
		);
		expect(listing.records).toEqual(users);
	});

	it('asks again for an earlier page that holds the records of a later one', async () => {
		const users = listOf(6, withId);
		const wrong = new Set([1]);
		const { listing } = await readAnswers(
			(page, size) => ({
				data: cut(users, wrong.delete(page) ? 1 : Math.max(0, page - 1), Math.min(size, 3)),
			}),
			{ firstPage: 2, pageSize: 4 },
		);
		expect(listing.records).toEqual(users.slice(4));
	});

	it('asks again for an empty page before one with records', async () => {
		const users = listOf(13, withId);
		const wrong = new Set([2]);
		const { listing } = await readAnswers(
			(page) => ({ data: wrong.delete(page) ? [] : cut(users, Math.min(page, 2), 5) }),
			{ firstPage: 3, pageSize: 4 },
		);
		expect(listing.records).toEqual(users.slice(12));
	});

	it('shows a warning if a page with the IDs of the one to begin with has other content', async () => {
		const users = listOf(50, (place) => ({ ...withId(place), id: `card-${place % 17}` }));
		const { listing, warning } = await readAnswers((page) => ({ data: cut(users, page, 2) }), {
			firstPage: 1,
			pageSize: 15,
		});
		expect([listing.records.length < 35, warning]).toEqual([true, true]);
	});
});

describe('A listing that begins after the end of a list that repeats its last page', () => {
	const repeating =
		(users: readonly JsonObject[], { first = 0, facts = {} } = {}) =>
		(page: number, size: number) => {
			const last = Math.ceil(users.length / size) - 1;
			return { data: cut(users, Math.min(Math.max(0, page - first), last), size), ...facts };
		};

	it.each(
		KINDS.flatMap(([kind, record]) =>
			[4, 7, 10, 25, 30].flatMap((count) =>
				[{}, { total: count }, { last: true, total: count }].map(
					(facts) => [kind, count, facts, record] as const,
				),
			),
		),
	)(
		'returns each record once on Page 0 to 5: %s, %d records, %j',
		async (_, count, facts, record) => {
			const users = listOf(count, record);
			const records: JsonObject[] = [];
			for (let page = 0; page < 6; page++) {
				const wish = { firstPage: page, limit: 10, mayBeginAfterEnd: true };
				const { listing } = await readAnswers(repeating(users, { facts }), wish);
				records.push(...listing.records);
			}
			expect(records).toEqual(users);
		},
	);

	it.each(KINDS)(
		'returns each record once on Page 1 to 5 of a service that counts from 1, %s',
		async (_, record) => {
			for (const count of [4, 7, 10, 25, 30]) {
				const users = listOf(count, record);
				const records: JsonObject[] = [];
				for (let page = 1; page < 6; page++) {
					const wish = { firstPage: page, limit: 10, mayBeginAfterEnd: true };
					const { listing } = await readAnswers(repeating(users, { first: 1 }), wish);
					records.push(...listing.records);
				}
				expect(records).toEqual(users);
			}
		},
	);

	it('returns each record once on Page 0 to 8 of pages of 12 records at least', async () => {
		for (const count of [24, 28, 36]) {
			const users = listOf(count, (place) => ({ id: `user-${place}` }));
			const records: JsonObject[] = [];
			for (let page = 0; page < 9; page++) {
				const { listing } = await readAnswers(
					(number, size) => repeating(users)(number, Math.max(size, 12)),
					{ firstPage: page, pageSize: 5, limit: 5 },
				);
				records.push(...listing.records);
			}
			expect(records).toEqual(users);
		}
	});

	it.each([4, 12, 40])(
		'returns each record once on Page 0 to 5 of pages of %d records at most',
		async (maximum) => {
			const users = listOf(25, (place) => ({ id: `user-${place}`, ...named(place) }));
			const records: JsonObject[] = [];
			for (let page = 0; page < 6; page++) {
				const { listing } = await readAnswers(
					(number, size) => repeating(users)(number, Math.min(size, maximum)),
					{ firstPage: page, limit: 10 },
				);
				records.push(...listing.records);
			}
			expect(records).toEqual(users);
		},
	);

	it('returns each record once on Page 1 to 30 of pages of 9 records, signed anew in each answer', async () => {
		const users = listOf(28, (place) => ({ id: `user-${place}`, name: `User ${place}` }));
		const records: JsonObject[] = [];
		let answers = 0;
		for (let page = 1; page < 30; page++) {
			const { listing } = await readAnswers(
				(number) => {
					const { data } = repeating(users, { first: 1 })(number, 9);
					return { data: data.map((user) => ({ ...user, photo: answers++ })) };
				},
				{ firstPage: page, pageSize: 1, limit: 1 },
			);
			records.push(...listing.records.map(({ id, name }) => ({ id, name })));
		}
		expect(records).toEqual(users);
	});

	it('says that a page is after the end, and takes pages that are signed anew in each answer for the same', async () => {
		const users = listOf(25, (place) => ({ id: `user-${place}`, name: `User ${place}` }));
		let answers = 0;
		const { listing, message, warning } = await readAnswers(
			(page, size) => ({
				data: cut(users, Math.min(page, 2), size).map((user) => ({ ...user, photo: answers++ })),
			}),
			{ firstPage: 3, limit: 10 },
		);
		expect(listing.records).toEqual([]);
		expect(message).toContain(
			'Page 3 repeats an earlier page, so it is after the end of the list.',
		);
		expect(warning).toBe(false);
	});

	it('returns nothing, with a warning, if records have no ID', async () => {
		const users = listOf(25, named);
		const wish = { firstPage: 3, limit: 10 };
		const { listing, warning } = await readAnswers(repeating(users), wish);
		expect(listing.records).toEqual([]);
		expect(warning).toBe(true);
	});

	it.each([
		['all records are equal', 30, () => ({ floor: 1 })],
		['the list holds a single record', 1, (place: number) => ({ id: place })],
	])('returns the page with a warning if nothing tells: %s', async (_, count, record) => {
		const users = listOf(count, record);
		const firstPage = count > 1 ? 3 : 1;
		const { listing, message, warning } = await readAnswers(repeating(users), {
			firstPage,
			limit: 10,
		});
		expect(listing.records).toEqual(users.slice(0, 10));
		expect(message).toContain(`Page ${firstPage} may be an earlier page again`);
		expect(warning).toBe(true);
	});

	it('returns nothing after the end of a list that starts over, if its total tells', async () => {
		const users = listOf(25, (place) => ({ id: `user-${place}` }));
		for (const firstPage of [3, 4, 5, 6]) {
			const { listing } = await readAnswers(
				(page, size) => ({ data: cut(users, page % 3, size), total: 25 }),
				{ firstPage, limit: 10 },
			);
			expect(listing.records).toEqual([]);
		}
	});

	it('returns what the page holds when it is requested again, if only its first answer was an earlier page', async () => {
		const users = listOf(50, (place) => ({ id: `user-${place}` }));
		const wrong = new Set([3, 4]);
		const { listing } = await readAnswers(
			(page, size) => ({ data: cut(users, wrong.delete(page) ? 2 : page, size) }),
			{ firstPage: 3, limit: 20 },
		);
		expect(listing.records).toEqual(users.slice(30));
	});

	it.each(KINDS)(
		'returns nothing if it repeats the last page, cut short once, %s',
		async (_, record) => {
			const users = listOf(4, record);
			const wrong = new Set([2]);
			const { listing } = await readAnswers(
				(page, size) => ({
					data: repeating(users)(page, size).data.slice(0, wrong.delete(page) ? 1 : 2),
				}),
				{ firstPage: 2, pageSize: 2, limit: 2 },
			);
			expect(listing.records).toEqual([]);
		},
	);

	it('returns a page of equal records if nothing follows it', async () => {
		const users = listOf(25, () => ({ floor: 1 }));
		const { listing, warning } = await readAnswers(
			(page, size) => ({ data: cut(users, page, size) }),
			{ firstPage: 1, limit: 20 },
		);
		expect(listing.records).toHaveLength(15);
		expect(warning).toBe(true);
	});
});

describe('A listing that begins with a later page', () => {
	const users = listOf(35, (place) => ({ id: `user-${place}` }));
	const facts = { total: 35, hasMore: true };

	it.each<[string, number, number, unknown]>([
		['its first answer is empty', 10, 0, { data: [], ...facts }],
		['its first answer holds nothing', 10, 0, null],
		['the page before it holds nothing', 5, 1, null],
		['the page before it is an error with a success status', 5, 1, { error: 'Busy' }],
		['an answer about shorter pages is empty', 4, 3, { data: [], ...facts }],
	])('returns its records if %s, once', async (_, maximum, wrongAt, wrong) => {
		const { listing } = await readAnswers(
			(page, size, asked) =>
				asked === wrongAt ? wrong : { data: cut(users, page, Math.min(size, maximum)), ...facts },
			{ firstPage: 1, limit: 10, mayBeginAfterEnd: true },
		);
		expect(listing.records).toEqual(users.slice(10, 20));
	});
});

describe('A later page among pages whose length says another size than they have', () => {
	const withId = (place: number) => ({ id: `user-${place}`, ...named(place) });
	const FROM_LATER = { mayBeginAfterEnd: true };

	it('shows a warning if records follow an empty page to begin with', async () => {
		const users = listOf(3, withId);
		const { warning } = await readAnswers(
			(page) => ({ data: page === 1 ? [] : cut(users, page, 1), totalPages: 3 }),
			{ ...FROM_LATER, firstPage: 1, pageSize: 3 },
		);
		expect(warning).toBe(true);
	});

	it('shows a warning if pages of the size returned hold other records', async () => {
		const users = listOf(12, withId);
		const hidden = new Set([users[1], users[6]]);
		const { warning } = await readAnswers(
			(page, size) => ({
				data: cut(users, page, Math.min(size, 6)).filter((user) => !hidden.has(user)),
				totalPages: Math.ceil(users.length / Math.min(size, 6)),
			}),
			{ ...FROM_LATER, firstPage: 1, pageSize: 11 },
		);
		expect(warning).toBe(true);
	});

	it('begins within the page before it if that is longer than asked for', async () => {
		const users = listOf(13, withId);
		const hidden = new Set(users.slice(2, 5));
		const { listing, warning } = await readAnswers(
			(page) => ({ data: cut(users, page, 4).filter((user) => !hidden.has(user)) }),
			{ ...FROM_LATER, firstPage: 3, pageSize: 3 },
		);
		expect([listing.records, warning]).toEqual([users.slice(9), true]);
	});

	it.each<[string, number, number, number[], number, number]>([
		['a page after the one to begin within', 16, 5, [1, 5, 10, 11], 2, 1],
		['the page to begin with', 28, 9, [1, 9, 18, 19], 2, 8],
		['a page before the one to begin with', 26, 11, [13, 14, 15, 16, 17, 18, 19, 20, 21, 22], 3, 8],
		['the first page', 31, 10, [1, 2, 10, 20], 3, 9],
	])(
		'shows a warning if %s is short, and another follows',
		async (_, count, length, hidden, firstPage, pageSize) => {
			const users = listOf(count, withId);
			const isShown = (user: JsonObject) => !hidden.some((place) => users[place] === user);
			const { warning } = await readAnswers(
				(page) => ({ data: cut(users, page, length).filter(isShown) }),
				{ ...FROM_LATER, firstPage, pageSize },
			);
			expect(warning).toBe(true);
		},
	);

	it('shows a warning if a page repeats the last one, although the total says that it holds records', async () => {
		const users = listOf(22, withId);
		const { message, warning } = await readAnswers(
			(page) => ({
				data: cut(users, Math.min(page, 2), 8).filter((user) => user !== users[1]),
				total: 22,
			}),
			{ ...FROM_LATER, firstPage: 3, pageSize: 7 },
		);
		expect(warning).toBe(true);
		expect(message).toContain('The total says that it holds users');
	});

	it.each([0, 1])(
		'shows no warning from Page %d on if a page after a full one is short',
		async (firstPage) => {
			const users = listOf(320, withId);
			const hidden = new Set(users.slice(210, 213));
			const { listing, warning } = await readAnswers(
				(page, size) => ({ data: cut(users, page, size).filter((user) => !hidden.has(user)) }),
				{ firstPage, pageSize: 100 },
			);
			expect(listing.records).toHaveLength(317 - 100 * firstPage);
			expect(warning).toBe(false);
		},
	);

	it('asks again for a first page that is shorter than the second', async () => {
		const users = listOf(7, withId);
		const wrong = new Set([0]);
		const { listing } = await readAnswers(
			(page) => ({ data: cut(users, page, 4).slice(wrong.delete(page) ? 2 : 0) }),
			{ ...FROM_LATER, firstPage: 2, pageSize: 3 },
		);
		expect(listing.records).toEqual(users.slice(6));
	});

	it('asks again for an empty Page 1 if page 0 has a record', async () => {
		const users = listOf(1, withId);
		const wrong = new Set([1]);
		const { listing } = await readAnswers(
			(page, size) => ({
				data: wrong.delete(page) ? [] : cut(users, Math.max(0, page - 1), size),
			}),
			{ ...FROM_LATER, firstPage: 1, limit: 10 },
		);
		expect(listing.records).toEqual(users);
	});
});
