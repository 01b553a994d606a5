import type { JsonObject } from '../../../../../nodes/VisitorService/listing/findRecords';
import {
	OutOfTime,
	readUsers,
	type UserReading,
} from '../../../../../nodes/VisitorService/polling/readUsers';
import { ServiceFailure } from '../../../../../nodes/VisitorService/transport/serviceFailure';

interface List {
	size: number;
	clamp?: number;
	total?: boolean;
	/** Throws to make the page fail. */
	before?: (page: number) => void;
}

function reading(list: List, changes: Partial<UserReading> = {}) {
	const taken: unknown[] = [];
	const asked: Array<[page: number, pageSize: number]> = [];
	const request: UserReading = {
		page: 0,
		pageSize: 10,
		mayReadOn: () => true,
		take: (users) => taken.push(...users.map(({ id }) => id)),
		fetchPage: async (page, pageSize) => {
			asked.push([page, pageSize]);
			await Promise.resolve();
			list.before?.(page);
			const size = Math.min(pageSize, list.clamp ?? Infinity);
			const data: JsonObject[] = [];
			for (let id = page * size; id < Math.min(list.size, (page + 1) * size); id++)
				data.push({ id });
			const body = list.total === false ? data : { data, total: list.size };
			return { statusCode: 200, headers: {}, body };
		},
		...changes,
	};
	return { request, taken, asked };
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
	])('is read to its end: %p', async (list, requests) => {
		const { request, taken } = reading(list);
		expect(await readUsers(request)).toEqual({ requests });
		expect(unique(taken)).toEqual(upTo(list.size));
	});

	it('is read to its end though it says nothing of it', async () => {
		const { request, taken } = reading({ size: 35, total: false });
		const end = await readUsers(request);
		expect(end.next).toBeUndefined();
		expect(unique(taken)).toEqual(upTo(35));
	});

	it.each([
		[{ size: 35 }, { page: 2, pageSize: 10 }],
		[
			{ size: 35, clamp: 5 },
			{ page: 2, pageSize: 5 },
		],
	])('is left where the time is over, and read on from there: %p', async (list, next) => {
		let pages = 2;
		const first = reading(list, { mayReadOn: () => --pages > 0 });
		const end = await readUsers(first.request);
		expect(end.next).toEqual(next);
		const second = reading(list, end.next);
		expect((await readUsers(second.request)).next).toBeUndefined();
		expect(unique([...first.taken, ...second.taken])).toEqual(upTo(35));
	});

	it('is read one page at least', async () => {
		const { request, taken } = reading({ size: 35 }, { mayReadOn: () => false });
		expect(await readUsers(request)).toEqual({ requests: 1, next: { page: 1, pageSize: 10 } });
		expect(taken).toEqual(upTo(10));
	});

	it('whose first page is clamped is read on at the size that came', async () => {
		const { request } = reading({ size: 35, clamp: 4 }, { mayReadOn: () => false });
		expect((await readUsers(request)).next).toEqual({ page: 1, pageSize: 4 });
	});

	it.each([
		[
			'the service asks for a pause',
			new ServiceFailure('Slow down.', 'Wait.', { kind: 'rateLimit', statusCode: 429 }),
		],
		['the time is over while waiting', new OutOfTime()],
	])('is left where %s, after a page came', async (_why, failure) => {
		const later = reading({ size: 35, before: failing(failure, 2) });
		expect((await readUsers(later.request)).next).toEqual({ page: 2, pageSize: 10 });
		const atOnce = reading({ size: 35, before: failing(failure) });
		await expect(readUsers(atOnce.request)).rejects.toBe(failure);
	});

	it('that became shorter than where it was left is begun again', async () => {
		const refusal = new ServiceFailure('Gone.', 'Check it.', { kind: 'notFound', statusCode: 404 });
		const shorter = reading({ size: 5, before: failing(refusal, 1) }, { page: 3 });
		expect((await readUsers(shorter.request)).next).toEqual({ page: 0, pageSize: 10 });
		const gone = reading({ size: 5, before: failing(refusal) });
		await expect(readUsers(gone.request)).rejects.toBe(refusal);
	});

	it('is not left for any other failure', async () => {
		const failure = new ServiceFailure('It broke.', 'Try again.', {
			kind: 'service',
			statusCode: 500,
		});
		const { request } = reading({ size: 35, before: failing(failure, 2) });
		await expect(readUsers(request)).rejects.toBe(failure);
	});

	it('is empty where the answer has no content', async () => {
		const noContent = { statusCode: 204, headers: {}, body: '' };
		const { request, taken } = reading(
			{ size: 5 },
			{ fetchPage: async () => await Promise.resolve(noContent) },
		);
		expect(await readUsers(request)).toEqual({ requests: 1 });
		expect(taken).toEqual([]);
	});

	it('gives nothing any more once it was left', async () => {
		let release: () => void = () => undefined;
		const late = new Promise<void>((resolve) => (release = resolve));
		const pause = new ServiceFailure('Slow down.', 'Wait.', { kind: 'rateLimit', statusCode: 429 });
		const { request, taken } = reading({ size: 100 });
		const { fetchPage } = request;
		const left: UserReading = {
			...request,
			fetchPage: async (page, pageSize) => {
				if (page === 1) throw pause;
				if (page > 1) await late;
				return await fetchPage(page, pageSize);
			},
		};
		expect((await readUsers(left)).next).toEqual({ page: 1, pageSize: 10 });
		release();
		await new Promise((resolve) => setImmediate(resolve));
		expect(taken).toEqual(upTo(10));
	});

	it('fails as whoever takes its users does', async () => {
		const failure = new ServiceFailure('No ID.', 'Set ID Path.', { kind: 'configuration' });
		const take = () => {
			throw failure;
		};
		const { request } = reading({ size: 35 }, { take });
		await expect(readUsers(request)).rejects.toBe(failure);
	});
});
