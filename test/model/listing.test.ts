import { hostWith, list, listOf } from '../boundary/listedHost';
import type { HostOptions } from '../host/memoryHost';
import fc from '../properties';
import type { DeepPartial, Fault, ListSwitches, MetadataField } from '../reference-service';

const RUNS = Number(process.env.LIST_RUNS ?? 60) * 3;

const upTo = (max: number) => fc.integer({ min: 1, max });
const metadata = fc.uniqueArray(
	fc.constantFrom<MetadataField>('total', 'totalPages', 'last', 'hasMore'),
);
const sizing = fc.oneof(
	upTo(12).map((maxPageSize): DeepPartial<ListSwitches> => ({ maxPageSize })),
	upTo(12).map((size) => ({ pageSizeIgnored: true, defaultPageSize: size })),
	upTo(12).map((minPageSize) => ({ minPageSize })),
);
const beyondEnd = fc.constantFrom<DeepPartial<ListSwitches>>(
	...(['array', 'null', 'missing'] as const).map((emptyAs) => ({ emptyAs })),
	...[404, 400, 416, 422].map((status) => ({
		...{ pageBeyondEnd: 'error' as const, badParameter: { status } },
	})),
);
/** How the node reads: what a user may set, and what the network does. */
const reading = fc.record({
	pageSize: upTo(15),
	concurrency: upTo(16),
	latencies: fc.array(fc.nat(100), { minLength: 1, maxLength: 7 }),
});

interface Reading {
	pageSize: number;
	concurrency?: number;
	latencies?: number[];
	untilStable?: boolean;
	maxRetries?: number;
}

const numbered = (count: number) => listOf(count, (index) => ({ id: `user-${index}` }));

/** @param change of the records before a page, counted from 1, is cut */
async function read(
	users: Array<{ id: string }>,
	lists: DeepPartial<ListSwitches>,
	{ latencies = [0], ...options }: Reading,
	change?: (page: number) => void,
): Promise<string[]> {
	let sent = 0;
	const latency: HostOptions['latency'] = () => latencies[sent++ % latencies.length] ?? 0;
	const switches = { list: { maxPageSize: Infinity, ...lists } };
	const host = await hostWith({ users }, { latency, switches });
	let responseCount = 0;
	if (change !== undefined) {
		host.service.onListRequest(async () => {
			change(++responseCount);
			await host.service.seed('users', users);
		});
	}
	const { error, items } = await list(host, { options });
	expect(error).toBeUndefined();
	return items.map(({ id }) => id as string);
}

describe('a list read page by page', () => {
	it('comes whole in spite of rejected, failed and broken requests', async () => {
		const failed = [429, 502, 503, 504].map((status): Fault => ({ status }));
		const fault = fc.constantFrom<Fault>('none', 'none', 'reset', ...failed);
		const faulty = fc.array(fault, { maxLength: 30 });
		const property = fc.asyncProperty(
			...([fc.nat(80), sizing, metadata, beyondEnd, faulty, reading] as const),
			async (count, size, fields, end, faults, how) => {
				const users = numbered(count);
				const list = { ...size, ...end, metadata: fields, faults };
				const ids = await read(users, list, { ...how, maxRetries: 30 });
				expect(ids).toEqual(users.map(({ id }) => id));
			},
		);
		await fc.assert(property, { numRuns: RUNS });
	});

	it('comes whole with Until Stable although records were deleted while it was read', async () => {
		const deletion = fc.record({ before: fc.nat(12), index: fc.nat(59) });
		const deletions = fc.array(deletion, { maxLength: 8 });
		const property = fc.asyncProperty(
			...([fc.nat(60), deletions, metadata, reading] as const),
			async (count, deleted, fields, how) => {
				// All within the first sweep, so that the second one finds a list at rest.
				fc.pre(deleted.every(({ before }) => before * how.pageSize <= count));
				const users = numbered(count);
				const ids = await read(
					users,
					{ metadata: fields },
					{ ...how, untilStable: true },
					(page) => {
						for (const { before, index } of deleted)
							if (before === page && index < users.length) users.splice(index, 1);
					},
				);
				expect(new Set(ids).size).toBe(ids.length);
				expect(users.filter(({ id }) => !ids.includes(id))).toEqual([]);
			},
		);
		await fc.assert(property, { numRuns: RUNS });
	});

	it('holds each record once although records were added in front while it was read', async () => {
		const additions = fc.array(upTo(12), { maxLength: 4 });
		const property = fc.asyncProperty(
			...([upTo(60), additions, metadata, reading] as const),
			async (count, added, fields, how) => {
				// Pages this small may repeat as a whole, as if the service ignored `page`.
				fc.pre(how.pageSize > added.length && count >= how.pageSize);
				const users = numbered(count);
				const originals = [...users];
				// In parallel only Until Stable finds a record that moves to a page that was read before.
				const ids = await read(users, { metadata: fields }, { ...how, concurrency: 1 }, (page) => {
					if (added.includes(page)) users.unshift({ id: `added-${page}` });
				});
				expect(new Set(ids).size).toBe(ids.length);
				expect(originals.filter(({ id }) => !ids.includes(id))).toEqual([]);
			},
		);
		await fc.assert(property, { numRuns: RUNS });
	});

	it.each([
		['250,000 records', 250_000, 5_000],
		['12,000 pages of new IDs of which the service says nothing', 60_000, 5],
	])('reads %s', async (_, count, pageSize) => {
		const ids = await read(numbered(count), { metadata: 'none' }, { pageSize });
		expect(ids).toHaveLength(count);
		expect(ids.at(-1)).toBe(`user-${count - 1}`);
	});
});
