import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import type { NextPage, PageQuery } from '../../../../../nodes/VisitorService/polling/pagesRead';
import {
	type ListSource,
	outOfTime,
	PolledList,
	type ReadingEnd,
} from '../../../../../nodes/VisitorService/polling/reading';
import { ServiceTime } from '../../../../../nodes/VisitorService/polling/serviceTime';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { ImpatientClock } from '../../../../simulation/clock';

interface List {
	size: number;
	clamp?: number;
	total?: boolean;
	/** Throws to make the page fail. */
	before?: (page: number) => void;
}

interface Changes extends Partial<Pick<ListSource, 'fetchPage' | 'mayReadOn'>> {
	/** The total said before, where the reading goes on. */
	total?: number;
	page?: number;
	pageSize?: number;
	take?: () => void;
}

function reading(list: List, changes: Changes = {}) {
	const taken: unknown[] = [];
	const clock = new ImpatientClock(() => 0);
	const { page = 0, pageSize = 10, take, total, ...ofSource } = changes;
	const source: ListSource = {
		service: 'tenant-1',
		names: { name: 'user', plural: 'users' },
		keys: ['users'],
		itemsPath: '',
		now: () => clock.now(),
		mayReadOn: () => true,
		pause: async (milliseconds) => await clock.sleep(milliseconds),
		fetchPage: async (page, pageSize) => {
			await Promise.resolve();
			list.before?.(page);
			const size = Math.min(pageSize, list.clamp ?? Infinity);
			const data: JsonObject[] = [];
			for (let id = page * size; id < Math.min(list.size, (page + 1) * size); id++)
				data.push({ id });
			const body = list.total === false ? data : { data, total: list.size, pageSize: size };
			return { statusCode: 200, headers: {}, body };
		},
		...ofSource,
	};
	const from: NextPage = { page, pageSize, ...(total !== undefined && { total }) };
	const read = async () =>
		await new PolledList(source, new ServiceTime(undefined)).read(from, (users) => {
			take?.();
			taken.push(...users.map(({ id }) => id));
			return 'goOn';
		});
	return { read, source, taken };
}

/** Where the next poll goes on. */
function nextOf(end: ReadingEnd): PageQuery | undefined {
	if (end.kind === 'ended') return undefined;
	const { page, pageSize } = end.next;
	return { page, pageSize };
}

function failing(failure: Error, from = 0): (page: number) => void {
	return (page) => {
		if (page >= from) throw failure;
	};
}

const upTo = (size: number) => Array.from({ length: size }, (_, id) => id);
const unique = (ids: unknown[]) =>
	[...new Set(ids)].sort((one, other) => Number(one) - Number(other));

describe('a list of users', () => {
	it.each([
		[{ size: 0 }, 1],
		[{ size: 3 }, 1],
		[{ size: 35 }, 4],
		[{ size: 35, clamp: 5 }, 8],
	])('reads a list of users to its end: %p', async (list, requests) => {
		const { read, taken } = reading(list);
		expect(await read()).toEqual({
			kind: 'ended',
			requests,
			isComplete: true,
			hasMoved: false,
			total: list.size,
		});
		expect(unique(taken)).toEqual(upTo(list.size));
	});

	it('reads a list of users to its end though it says nothing of it', async () => {
		const { read, taken } = reading({ size: 35, total: false });
		const end = await read();
		expect(nextOf(end)).toBeUndefined();
		expect(unique(taken)).toEqual(upTo(35));
	});

	it.each([
		[{ size: 35 }, { page: 2, pageSize: 10 }],
		[
			{ size: 35, clamp: 5 },
			{ page: 2, pageSize: 5 },
		],
	])(
		'leaves a list of users when the time is over, and reads on from there: %p',
		async (list, next) => {
			let pages = 2;
			const first = reading(list, { mayReadOn: () => --pages > 0 });
			const end = await first.read();
			expect(nextOf(end)).toEqual(next);
			const second = reading(list, nextOf(end));
			expect(nextOf(await second.read())).toBeUndefined();
			expect(unique([...first.taken, ...second.taken])).toEqual(upTo(35));
		},
	);

	it('reads one page of a list of users at least', async () => {
		const { read, taken } = reading({ size: 35 }, { mayReadOn: () => false });
		expect(await read()).toMatchObject({
			kind: 'interrupted',
			requests: 1,
			next: { page: 1, pageSize: 10, total: 35 },
			failure: { kind: 'outOfTime' },
		});
		expect(taken).toEqual(upTo(10));
	});

	it('reads a list on at the size of its first page if the service clamps it', async () => {
		const { read } = reading({ size: 35, clamp: 4 }, { mayReadOn: () => false });
		expect(nextOf(await read())).toEqual({ page: 1, pageSize: 4 });
	});

	it.each([
		[
			'the service asks for a pause',
			new ServiceFailure('Slow down.', 'Wait.', { kind: 'rateLimit', statusCode: 429 }),
		],
		['the time is over while waiting', outOfTime()],
	])('leaves a list of users if %s, after a page was read', async (_why, failure) => {
		const later = reading({ size: 35, before: failing(failure, 2) });
		expect(nextOf(await later.read())).toEqual({ page: 2, pageSize: 10 });
		const atOnce = reading({ size: 35, before: failing(failure) });
		await expect(atOnce.read()).rejects.toBe(failure);
	});

	it('goes on at the page it was left at, and looks for no other beginning', async () => {
		const asked: number[] = [];
		const { read } = reading(
			{ size: 5, clamp: 2, total: false, before: (page) => asked.push(page) },
			{ page: 2, pageSize: 5, mayReadOn: () => asked.length < 2 },
		);
		expect(nextOf(await read())).toBeUndefined();
		expect(asked).toEqual([2, 3]);
	});

	it('ends a list that is refused where it was left', async () => {
		const refusal = new ServiceFailure('Gone.', 'Check it.', { kind: 'notFound', statusCode: 404 });
		const shorter = reading({ size: 5, before: failing(refusal, 1) }, { page: 3 });
		expect(await shorter.read()).toEqual({
			kind: 'ended',
			requests: 1,
			isComplete: true,
			hasMoved: false,
		});
		const gone = reading({ size: 5, before: failing(refusal) });
		await expect(gone.read()).rejects.toBe(refusal);
	});

	it.each([
		[
			'the list ignores the number of the page',
			new ServiceFailure('It broke.', 'Do it.', { kind: 'pageIgnored' }),
		],
		[
			'something is set wrong',
			new ServiceFailure('It broke.', 'Do it.', { kind: 'configuration' }),
		],
	])('does not leave a list of users if %s', async (_why, failure) => {
		const { read } = reading({ size: 35, before: failing(failure, 2) });
		await expect(read()).rejects.toBe(failure);
	});

	it('fails if the page it was left at fails, although later ones come', async () => {
		const failure = new ServiceFailure('It broke.', 'Try again.', {
			kind: 'service',
			statusCode: 500,
		});
		const before = (page: number) => {
			if (page === 3) throw failure;
		};
		const { read } = reading({ size: 85, before }, { page: 3 });
		await expect(read()).rejects.toBe(failure);
	});

	it('goes on at the size of its first page if the page that would tell a better one fails', async () => {
		const failure = new ServiceFailure('It broke.', 'Try again.', { kind: 'service' });
		const { read } = reading({ size: 35, clamp: 5, total: false, before: failing(failure, 1) });
		expect(nextOf(await read())).toEqual({ page: 1, pageSize: 5 });
	});

	it('does not take a page that is refused for the end if the list goes on after it', async () => {
		const refusal = new ServiceFailure('No.', 'Check it.', { kind: 'notFound', statusCode: 404 });
		const before = (page: number) => {
			if (page === 2) throw refusal;
		};
		const first = reading({ size: 35, before });
		const end = await first.read();
		expect(nextOf(end)).toEqual({ page: 2, pageSize: 10 });
		const second = reading({ size: 35, before }, { page: 2, total: 35 });
		await expect(second.read()).rejects.toThrow('although the list goes on after it');
		// Of a list that has become shorter meanwhile it is one after the end.
		const shorter = reading({ size: 15, before }, { page: 2, total: 35 });
		expect(nextOf(await shorter.read())).toBeUndefined();
	});

	it('reads no more than it may of a list in which a page fails', async () => {
		const failure = new ServiceFailure('It broke.', 'Try again.', { kind: 'service' });
		const { source } = reading({ size: 35, before: failing(failure, 2) });
		const list = new PolledList(source, new ServiceTime(undefined));
		expect(await list.upTo(2).readAll({ page: 0, pageSize: 10 })).toHaveLength(20);
		await expect(list.readAll({ page: 0, pageSize: 10 })).rejects.toBe(failure);
	});

	it('a list of users is empty if the answer has no content', async () => {
		const noContent = { statusCode: 204, headers: {}, body: '' };
		const { read, taken } = reading(
			{ size: 5 },
			{ fetchPage: async () => await Promise.resolve(noContent) },
		);
		// An answer without a list is asked for again.
		expect((await read()).requests).toBe(2);
		expect(taken).toEqual([]);
	});

	it('takes no users after it was left', async () => {
		let release: () => void = () => undefined;
		const late = new Promise<void>((resolve) => (release = resolve));
		const pause = new ServiceFailure('Slow down.', 'Wait.', { kind: 'rateLimit', statusCode: 429 });
		const { source } = reading({ size: 100 });
		const { read, taken } = reading(
			{ size: 100 },
			{
				fetchPage: async (page, pageSize) => {
					if (page === 1) throw pause;
					if (page > 1) await late;
					return await source.fetchPage(page, pageSize);
				},
			},
		);
		expect(nextOf(await read())).toEqual({ page: 1, pageSize: 10 });
		release();
		await new Promise((resolve) => setImmediate(resolve));
		expect(taken).toEqual(upTo(10));
	});

	it('fails as whoever takes its users does', async () => {
		const failure = new ServiceFailure('No ID.', 'Set ID Path.', { kind: 'configuration' });
		const take = () => {
			throw failure;
		};
		const { read } = reading({ size: 35 }, { take });
		await expect(read()).rejects.toBe(failure);
	});
});

describe('a list that starts over', () => {
	/** Six pages, of which the last one comes late. */
	const startingOver = async (page: number, firstPage = 0) => {
		const asked: number[] = [];
		const { source } = reading(
			{ size: 60 },
			{
				fetchPage: async (number, pageSize) => {
					asked.push(number);
					const laps = number % 6 === 5 ? 20 : 1;
					for (let lap = 0; lap < laps; lap++) await new Promise(setImmediate);
					const start = ((number - firstPage + 6) % 6) * pageSize;
					const body =
						number < firstPage
							? []
							: Array.from({ length: pageSize }, (_, place) => ({ id: start + place }));
					return { statusCode: 200, headers: {}, body };
				},
			},
		);
		const taken = new Set<unknown>();
		const list = new PolledList(source, new ServiceTime(undefined));
		const take = (users: readonly JsonObject[]) => {
			for (const { id } of users) taken.add(id);
			return 'goOn' as const;
		};
		const end = await list.read({ page, pageSize: 10 }, take, undefined, 'id');
		return { asked, end, taken };
	};

	it('ends a list that starts over by its first page, which is read again where a reading goes on', async () => {
		const { asked, end, taken } = await startingOver(6);
		expect(asked).toEqual([0, 6]);
		expect(end).toMatchObject({ kind: 'ended', isComplete: true });
		expect(taken.size).toBe(0);
	});

	it('ends a list that starts over by its first page with users if it counts from 1', async () => {
		const { asked, end, taken } = await startingOver(7, 1);
		expect(asked).toEqual([0, 1, 0, 7]);
		expect(end.kind).toBe('ended');
		expect(taken.size).toBe(0);
	});

	it('reads a list to its end although a page is still under way when it starts over', async () => {
		const { asked, end, taken } = await startingOver(3);
		expect(end.kind).toBe('ended');
		expect(asked).toEqual([0, 3, 4, 5, 6, 7]);
		expect([...taken]).toEqual(expect.arrayContaining([30, 49, 50, 59]));
	});
});
