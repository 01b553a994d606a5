import { setImmediate } from 'node:timers/promises';
import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { sized } from '../../../../simulation/sizing';
import { cut, readAnswers } from './readAnswers';
import { readSimulated } from './readSimulated';
import { listOf, numbered } from './simulatedList';

const named = (place: number): JsonObject => ({ name: `User ${place}`, floor: place % 4 });
const withId = (place: number): JsonObject => ({ id: `user-${place}`, ...named(place) });
const people = (count: number) => Array.from({ length: count }, (_, place) => named(place));
const users = (count: number) => Array.from({ length: count }, (_, place) => withId(place));

/** Lets everything happen that is due. */
async function turns(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn++) await setImmediate();
}

const SHORT = 'Some pages held fewer users than others';
const CHANGED = 'the list changed while it was read';
const CAME_AGAIN = 'came again on later pages';

describe('Reading a list in which a page holds only what came before', () => {
	const inPlaceOf = (list: readonly JsonObject[], held: (page: number) => number) => {
		const last = list.length / 10 - 1;
		return (page: number, size: number) => ({
			data: cut(list, held(page), size),
			hasMore: page < last,
		});
	};

	it.each([
		['with IDs', users(60), ' (by "id")'],
		['without IDs', people(60), ''],
	])('names the page if others follow it, of users %s', async (_, list, by) => {
		const answer = inPlaceOf(list, (page) => (page === 3 ? 1 : page));
		const { listing, message, warning } = await readAnswers(answer);
		expect(listing.records).toEqual(list.filter((_user, place) => place < 30 || place >= 40));
		expect(listing.report).toMatchObject({ repeatedPages: [3], duplicates: 10 });
		expect(message).toContain(`Left out 10 duplicates${by}.`);
		expect(message).toContain('Page 3 held only users of earlier pages');
		expect(warning).toBe(true);
		const whole = await readAnswers(answer, { removeDuplicates: false });
		expect(whole.listing.records).toHaveLength(60);
		expect(whole.listing.report.duplicates).toBe(0);
	});

	it('does not name repeated pages if none follows them', async () => {
		for (const [hasIds, list] of [
			[true, users(60)],
			[false, people(60)],
		] as const) {
			const { listing, message } = await readAnswers((page, size) => ({
				data: cut(list, Math.min(page, 5), size),
				hasMore: true,
			}));
			expect(listing.records).toEqual(list);
			expect(message).not.toContain('held only users of earlier pages');
			expect(message).toContain('although the service says there are more users');
			expect(message.includes('The users of page 6 equal earlier ones')).toBe(!hasIds);
		}
	});

	it.each([
		['the service says so', { hasMore: false }],
		['the next one is empty', {}],
	])('counts what came again on the last page if %s', async (_, end) => {
		const list = users(30);
		const { listing, message } = await readAnswers((page, size) => {
			const last = [list[1], list[12], list[23]];
			if (page === 3) return { data: last, ...end };
			return { data: cut(list, page, size), ...('hasMore' in end && { hasMore: page < 3 }) };
		});
		expect(listing.records).toEqual(list);
		expect(listing.report).toMatchObject({ duplicates: 3, cameAgain: 3 });
		expect(message).toContain(`3 users ${CAME_AGAIN}`);
	});
});

describe('Reading a list in which a page comes in place of another one each time', () => {
	it('warns that users may be missing', async () => {
		const list = users(65);
		let answers = 0;
		const { message } = await readAnswers((page, size) => ({
			data: cut(list, page === 0 && answers++ % 2 === 0 ? 1 : page, size),
		}));
		expect(message).toContain(`${CHANGED}, and some users may be missing`);
	});
});

describe('Reading a list without IDs in which an earlier page holds others when it is asked for again', () => {
	const floors = (...numbers: number[]) => numbers.map((number) => ({ floor: `Floor ${number}` }));

	it('warns if a later page seems to repeat it', async () => {
		const { message, warning } = await readAnswers(
			(page, _size, asked) => {
				if (page === 0) return { data: asked === 0 ? floors(0, 1, 2) : floors(0, 1, 1), total: 9 };
				return { data: [floors(2, 0, 1), floors(2, 2, 0)][page - 1] ?? [], total: 9 };
			},
			{ pageSize: 3 },
		);
		expect(message).toContain(
			`${CHANGED}, and no ID shows whether any users are missing or doubled`,
		);
		expect(warning).toBe(true);
	});

	it('does not warn if only the signature of a photo differs', async () => {
		const { message } = await readAnswers((page, size, asked) => {
			const photo = (place: number) => `/photos/${place}?signature=${asked}`;
			const list = Array.from({ length: 15 }, (_, place) => ({
				...{ floor: place % 2, photo: photo(place) },
			}));
			return { data: cut(list, page, size), total: 40 };
		});
		expect(message).toContain('The service counts 40 users');
		expect(message).not.toContain(CHANGED);
	});

	it('warns if pages are shorter than they were asked for', async () => {
		const { message, warning } = await readAnswers(
			(page, _size, asked) => {
				if (page === 0) return { data: asked === 0 ? floors(0, 1, 2) : floors(0, 1, 0) };
				return { data: page === 1 ? floors(1, 2, 2) : [] };
			},
			{ pageSize: 4 },
		);
		expect(message).toContain('no ID shows whether any users are missing or doubled');
		expect(warning).toBe(true);
	});
});

describe('Reading a list with short pages', () => {
	const shortened = (list: readonly JsonObject[]) => (page: number, size: number) => ({
		data: page === 2 ? list.slice(20, 27) : cut(list, page, size),
		hasMore: page < 5,
	});

	it('warns without an ID that no ID shows what is missing, and not with one', async () => {
		const nameless = await readAnswers(shortened(people(60)));
		expect(nameless.listing.records).toHaveLength(57);
		expect(nameless.message).toContain(`${SHORT}, and no ID shows`);
		const known = await readAnswers(shortened(users(60)));
		expect(known.listing.records).toHaveLength(57);
		expect(known.warning).toBe(false);
	});

	it('warns with an ID if users came twice as well', async () => {
		const list = users(60);
		const { message } = await readAnswers((page, size) => {
			const { data, hasMore } = shortened(list)(page, size);
			return { data: page === 4 ? [list[1], ...data.slice(1)] : data, hasMore };
		});
		expect(message).toContain(`${SHORT}, and some users may be missing`);
	});

	it.each([
		['with IDs', users(60)],
		['without IDs', people(60)],
	])('warns if a later page is longer than the first one, of users %s', async (_, list) => {
		const { listing, message } = await readAnswers((page) => {
			if (page < 2) return { data: list.slice(page * 10, 10 + page * 12) };
			return { data: list.slice(12 + (page - 1) * 10, 12 + page * 10) };
		});
		expect(listing.records).toEqual(list);
		expect(message).toContain(SHORT);
	});

	it('warns if two answers for a short page hold different new users', async () => {
		const list = users(60);
		let asked = 0;
		const { message } = await readAnswers((page, size) => ({
			data: page === 2 ? list.slice(20 + asked, 27 + asked++) : cut(list, page, size),
			hasMore: page < 5,
		}));
		expect(message).toContain(CHANGED);
	});

	it('does not take the size of a single page for one that the service insists on', async () => {
		const { listing, requests } = await readAnswers((page, size) => ({
			data: cut(users(5), page, size),
			totalPages: 1,
		}));
		expect(requests).toBe(2);
		expect(listing.report.pageSizeThatCame).toBeUndefined();
	});
});

describe('Reading a list in smaller pages than were asked for', () => {
	it.each([
		['a total', 60, { total: 60 }, 16],
		['a total below the size asked for', 8, { total: 8 }, 3],
		['nothing', 60, {}, 19],
	])('takes few requests if the service says %s', async (_, count, facts, most) => {
		const list = users(count);
		const { listing, requests } = await readAnswers((page, size) => ({
			data: cut(list, page, Math.min(size, 4)),
			...facts,
		}));
		expect(listing.records).toEqual(list);
		expect(requests).toBe(most);
	});

	it('does not begin again if the last page is repeated, and offsets are those of the size asked for', async () => {
		const { listing, asked } = await readSimulated(
			listOf(30, {
				...sized({ kind: 'clampedKeepingOffset', maximum: 4 }),
				pageBeyondEnd: 'lastPage',
			}),
			{ concurrency: 1 },
		);
		expect(listing.records).toEqual(numbered(30));
		expect(asked.filter(({ page }) => page === 0).length).toBeLessThanOrEqual(1);
	});

	it('finds out their size once, and reads each page anew with Until Stable', async () => {
		const list = users(60);
		const { listing, requests } = await readAnswers(
			(page, size, asked) => {
				if (asked === 20) list.splice(5, 1, withId(99));
				return { data: cut(list, page, Math.min(size, 4)) };
			},
			{ untilStable: true },
		);
		expect(listing.report.sweeps).toEqual([60, 1, 0]);
		expect(requests).toBe(19 * 3);
	});
});

describe('Reading a list of which a page fails', () => {
	const failing = (statusCode: number, from: number, facts: JsonObject) =>
		readAnswers((page, size) => {
			if (page >= from) {
				throw new ServiceFailure(`Failed with ${statusCode}.`, 'Do.', {
					kind: 'service',
					statusCode,
				});
			}
			return { data: page === 2 ? [] : cut(users(60), page, size), ...facts };
		});

	it('fails if an empty page comes before it, and the service counts more', async () => {
		await expect(failing(500, 3, { total: 60 })).rejects.toThrow('Failed with 500.');
	});

	it('fails if it is after the page count, for another reason than an error of the service', async () => {
		await expect(failing(401, 2, { totalPages: 2 })).rejects.toThrow('Failed with 401.');
		expect((await failing(500, 2, { totalPages: 2 })).listing.records).toHaveLength(20);
	});
});

describe('Reading several pages at a time', () => {
	it('does not end at a page that says it is the last if later ones have arrived', async () => {
		const list = users(60);
		let arrive = () => {};
		const later = new Promise<void>((resolve) => {
			arrive = resolve;
		});
		const { listing } = await readAnswers(
			async (page, size) => {
				if (page === 2) await later;
				if (page === 3) void turns(10).then(arrive);
				return { data: cut(list, page, size), last: page === 2 || page === 5 };
			},
			{ concurrency: 5 },
		);
		expect(listing.records).toEqual(list);
	});

	it.each<[string, number, number, (page: number) => JsonObject]>([
		['as far as its concurrency allows, while a page is slow', 400, 6, () => ({ hasMore: true })],
		['no page after an empty one has come, while a page is slow', 40, 5, () => ({ hasMore: true })],
		['no page after the last one, while a page is slow', 40, 4, (page) => ({ hasMore: page < 3 })],
	])('asks for %s', async (_, count, most, facts) => {
		const list = users(count);
		let highest = 0;
		let highestMeanwhile = 0;
		await readAnswers(
			async (page, size) => {
				highest = Math.max(highest, page);
				if (page === 2) {
					await turns(20);
					highestMeanwhile = highest;
				}
				return { data: cut(list, page, size), ...facts(page) };
			},
			{ concurrency: 3 },
		);
		expect(highestMeanwhile).toBe(most);
	});

	it('asks one after the other, one page ahead, for no page after the first one that is empty', async () => {
		const pages: number[] = [];
		let inFlight = 0;
		const { requests } = await readAnswers(
			async (page, size) => {
				pages.push(page);
				expect(++inFlight).toBe(1);
				await turns(3);
				inFlight--;
				return { data: cut(users(25), page, size) };
			},
			{ maxAhead: 1 },
		);
		expect(pages).toEqual([0, 1, 2, 3]);
		expect(requests).toBe(4);
	});

	it.each([
		['that arrives before earlier ones', 4, [0, 1, 2, 3, 4, 5]],
		['that comes first', 0, [0]],
	])('reads a list up to a page %s from which on nothing is wanted', async (_, stop, asked) => {
		const data = users(100);
		const arrived: number[] = [];
		const { listing, requests } = await readAnswers(
			async (page, pageSize) => {
				if (page === stop - 1) await turns(100);
				return { data: cut(data, page, pageSize), total: data.length, hasMore: page < 9 };
			},
			{
				concurrency: 3,
				pageArrived: (page) => {
					arrived.push(page);
					return page === stop ? 'stop' : 'goOn';
				},
			},
		);
		expect(listing.records).toEqual(data.slice(0, stop * 10));
		expect(listing.report).toMatchObject({ endedBy: 'stopped', lastPage: stop });
		expect([...arrived].sort()).toEqual(asked);
		expect(requests).toBe(asked.length);
	});

	it('asks for nothing any more after it failed', async () => {
		let requests = 0;
		const data = users(10);
		const reading = readAnswers(
			async (page) => {
				requests++;
				if (page > 2) await turns(20 * (page - 2));
				return { data, hasMore: true };
			},
			{ concurrency: 5 },
		);
		await expect(reading).rejects.toThrow('it ignores the parameter "page"');
		const before = requests;
		await turns(200);
		expect(requests).toBe(before);
	});
});

describe('Reading a list whose IDs are numbers within a site or a page', () => {
	const visit = (place: number, perSite: number): JsonObject => ({
		id: (place % perSite) + 1,
		site: `Site ${Math.floor(place / perSite)}`,
		isInside: place % 3 === 0,
	});
	const visits = (count: number, perSite: number) =>
		Array.from({ length: count }, (_, place) => visit(place, perSite));

	it.each([
		['says nothing', {}],
		['counts the visits', { total: 40 }],
		['counts the pages', { totalPages: 4 }],
	])(
		'drops them if whole pages repeat them with other content, and the service %s',
		async (_, said) => {
			for (const perSite of [10, 20]) {
				for (const concurrency of [1, 5]) {
					const list = visits(40, perSite);
					const { listing, message, warning } = await readAnswers(
						(page, size) => ({ data: cut(list, page, size), ...said }),
						{ concurrency },
					);
					expect(listing.records).toEqual(list);
					expect(message).toContain('"id" is not used as the ID');
					expect(warning).toBe(false);
				}
			}
		},
	);

	it('warns if ID Path names them', async () => {
		const list = visits(40, 10);
		const { message } = await readAnswers((page, size) => ({ data: cut(list, page, size) }), {
			idPath: 'id',
		});
		expect(message).toContain('30 users came again on later pages');
	});

	it.each([
		['has changed in a few places', (place: number) => place % 3 === 0],
		['holds another time in each answer', () => true],
	])('keeps them if the last page is repeated, and %s', async (_, changes) => {
		const list = visits(30, 30);
		const { listing, warning } = await readAnswers((page, size, asked) => ({
			data: cut(list, Math.min(page, 2), size).map((record, place) =>
				changes(place) ? { ...record, seen: `${page}-${asked}` } : { ...record, seen: '' },
			),
		}));
		expect(listing.records).toHaveLength(30);
		expect(listing.report.idField).toBe('id');
		expect(warning).toBe(false);
	});
});
