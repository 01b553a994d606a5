import type { INodeParameters } from 'n8n-workflow';

import {
	type DeepPartial,
	type Fault,
	type JsonObject,
	type ListSwitches,
	type PageContents,
} from '../../reference-service';
import type { VisitorService } from '../../reference-service/service';
import { cut, hostWith, list, listOf, stated, synthetic } from '../listedHost';

/** A service with an odd habit, and what becomes of its list. */
interface Odd {
	/** 450 of the usual kind unless they are given. */
	users?: JsonObject[];
	list?: DeepPartial<ListSwitches>;
	/** What happens to the list before a page gets a response. */
	meanwhile?: { page: number; change: (service: VisitorService) => Promise<void> | void };
	parameters?: INodeParameters;
	options?: INodeParameters;
	/** All of them unless they are given. */
	expected?: JsonObject[];
	/** The beginning of the hint, if it is not the number of those that came. */
	reads?: string;
	/**
	 * The rest of an informational hint, and the sentences of a warning: the two exclude each other.
	 */
	hint?: string;
	warns?: string[];
	/** Message and remedy of the error instead of a list. */
	fails?: [message: string, remedy: string];
}

const usual = (count: number, from = 0) => synthetic('users', count, from);
const named = (count: number) => listOf(count, (index) => ({ name: `User ${index}` }));

const SILENT = { metadata: 'none' } as const;
const once = (page: number, fault: Fault) => ({ pageFaults: [{ page, fault }] });
const always = (page: number, fault: Fault) => ({ pageFaults: [{ page, fault, times: 0 }] });
const response = (body: JsonObject | null) => ({ status: 200, body });
const writes = (
	more: (page: PageContents['metadata']) => JsonObject,
): DeepPartial<ListSwitches> => ({
	envelope: ({ records, metadata }) => ({ data: records, ...more(metadata) }),
});
/** 450 users, and a header with this number of pages. */
const countsPages = (pages: number) =>
	stated((page, size) => ({
		status: 200,
		body: cut(usual(450), page, size),
		headers: { 'x-total-pages': String(pages) },
	}));
let signatures = 0;
/** Each response signs the addresses of the photos anew. */
const signs = (
	more: (page: PageContents['metadata']) => JsonObject,
): DeepPartial<ListSwitches> => ({
	envelope: ({ records, metadata }) => {
		signatures++;
		const photo = (record: JsonObject) =>
			`/photos/${JSON.stringify(record.name)}?signature=${signatures}`;
		const data = records.map((record) => ({ ...record, photo: photo(record) }));
		return { data, ...more(metadata) };
	},
});

const ADVICE = 'Turn on Until Stable to read it again.';
const ADVICE_WITHOUT_ID = 'Set ID Path and turn on Until Stable to read it again.';
const counts = (total: number, advice = ADVICE) =>
	`The service counts ${total} users: the list may have changed while it was read${total < 450 ? '' : ', or this client ID may not be allowed to see all'}. ${advice}`;
const ended = (page: number, how: string) => `The list ended at page ${page}, which ${how}`;
const FROM_ONE = 'The service counts pages from 1, so Page 0 and Page 1 are the same.';
const EMPTY = 'was empty.';
const MORE = 'held nothing new, although the service says there are more users.';
const REPEATED = `Page 3 held only users of earlier pages, although the list goes on after it: some users may be missing. ${ADVICE}`;
const equal = (page: number) =>
	`The users of page ${page} equal earlier ones. Without an ID it is not possible to tell whether they are others: set ID Path, or compare the number of users.`;
const EQUAL =
	'Some users equal earlier ones. Without an ID it is not possible to tell whether they are others: set ID Path, or compare the number of users.';
const UNSURE =
	'Some pages held fewer users than others, and no ID shows whether any users are missing or doubled: set ID Path, or Page Size to a number that the service accepts.';
const IGNORED: Odd['fails'] = [
	'The service returns the same records for every page: it ignores the parameter "page".',
	'Set Max Pages to 1 to read what one page holds, and ask your service provider how its lists are paged.',
];
const RUN_AGAIN =
	'Run the workflow again. If it stays so, set Max Pages to 2 to read the pages before it.';

const TABLE: Record<string, Record<string, Odd>> = {
	'as many as wanted': {
		'Limit 50, and a total': {
			parameters: { returnAll: false, limit: 50 },
			expected: usual(50),
			reads: 'Read 50 of 450 users.',
		},
		'Page 2, which is the last by the total': {
			list: { metadata: ['total'] },
			parameters: { returnAll: false, limit: 200, page: 2 },
			options: { pageSize: 200 },
			expected: usual(50, 400),
		},
	},
	'what else is said': {
		'more than a thousand users': {
			users: usual(1200),
			options: { pageSize: 600 },
			reads: 'Read 1,200 users.',
		},
		'another list beside that of the users': {
			list: writes(({ last }) => ({ last, sites: [{ id: 1 }] })),
			hint: 'The list is at "data"; other lists: sites.',
		},
		'no advice to turn on what is on': {
			list: { totalLag: 60, metadata: ['total'] },
			options: { untilStable: true },
			warns: [
				'Read 2 times; found 0 more after the first time.',
				...[ended(5, MORE), counts(510, '').trim()],
			],
		},
		'why Until Stable reads only once without an ID': {
			users: named(450),
			options: { untilStable: true },
			hint: 'Read only once: without a sure ID it is not possible to tell which records are new. Set ID Path.',
		},
		'nothing of a page count that fell if the total agrees': {
			list: writes(({ page, total, totalPages }) => ({ total, totalPages: totalPages - page })),
		},
	},
	'a page that says that it is the last': {
		'and is': { list: { metadata: ['last'] } },
		'although the total speaks of more': {
			list: writes(({ page, total, last }) => ({ total, last: page === 1 || last })),
		},
		'although the page count speaks of more': {
			list: writes(({ page, totalPages, last }) => ({ totalPages, last: page === 1 || last })),
		},
		'and none ever does': {
			users: usual(300),
			list: writes(() => ({ hasMore: true })),
			warns: [ended(3, MORE)],
		},
	},
	'a short page': {
		'because the size is clamped, and nothing is said': {
			list: { maxPageSize: 50, ...SILENT },
			hint: `The service returned pages of 50 instead of the requested size. ${ended(9, EMPTY)}`,
		},
		'because the size is clamped, and the total is that of the page': {
			list: { maxPageSize: 50, totalOf: 'page', metadata: ['total', 'totalPages'] },
			hint: `The service returned pages of 50 instead of the requested size. ${ended(9, EMPTY)}`,
		},
		'because the size is clamped, and the offset is not': {
			list: { maxPageSize: 50, beyondMaximum: 'clampKeepingOffsetOfRequestedSize', ...SILENT },
			hint: `The service returned pages of 50 instead of the requested size. ${ended(9, EMPTY)}`,
		},
		'because it was cut, once, in the middle': {
			list: { ...once(2, response({ data: usual(40, 200) })), ...SILENT },
			hint: ended(5, EMPTY),
		},
		'because users are left out of pages': {
			list: { hiddenAfterPaging: (_, index) => index % 10 === 0, ...SILENT },
			expected: usual(450).filter((_, index) => index % 10 > 0),
			hint: ended(5, EMPTY),
		},
		'because users are left out of pages, while the total lags': {
			users: usual(101),
			list: { hiddenAfterPaging: (_, index) => index % 25 === 24, totalLag: -7 },
			expected: usual(101).filter((_, index) => index % 25 < 24),
			hint: ended(2, EMPTY),
		},
		'because users without an ID are left out of pages': {
			users: named(450),
			list: { hiddenAfterPaging: (_, index) => index % 10 === 0, ...SILENT },
			expected: named(450).filter((_, index) => index % 10 > 0),
			warns: [ended(5, EMPTY), UNSURE],
		},
		'because the size is clamped, while a user is added at the top': {
			list: { maxPageSize: 50, beyondMaximum: 'clampKeepingOffsetOfRequestedSize', ...SILENT },
			meanwhile: {
				page: 1,
				change: async (service) => await service.seed('users', [...usual(1, 450), ...usual(450)]),
			},
			warns: [
				'The service returned pages of 50 instead of the requested size.',
				'Left out 1 duplicate (by "id").',
				ended(10, EMPTY),
				`1 user appeared again on later pages: the list has no fixed order, or it changed while it was read, and some users may be missing. Set Sort to a field in which no two users are equal. ${ADVICE}`,
			],
		},
		'which is the whole list': { users: usual(50), list: SILENT, hint: ended(1, EMPTY) },
	},
	'records that came before': {
		'as the last page, again and again': {
			list: { pageBeyondEnd: 'lastPage', ...SILENT },
			hint: ended(5, 'repeated the one before it.'),
		},
		'as the last page, and not after it': {
			list: { ...always(5, response({ data: usual(50, 400) })), ...SILENT },
			warns: [
				ended(5, 'repeated the one before it.'),
				`Page 5 held only users of earlier pages: some users may be missing. ${ADVICE}`,
			],
		},
		'as the last page, with a field that differs each time': {
			users: listOf(450, (index) => ({ id: index, name: `User ${index}` })),
			list: { ...signs(() => ({})), pageBeyondEnd: 'lastPage' },
			hint: ended(5, 'repeated the one before it.'),
		},
		'because the list starts over': {
			list: { pageBeyondEnd: 'startsOver', ...SILENT },
			hint: ended(5, 'held nothing new.'),
		},
		'because the list starts over, without an ID': {
			users: named(450),
			list: { pageBeyondEnd: 'startsOver', ...SILENT },
			warns: [ended(5, 'held nothing new.'), equal(5)],
		},
		'because pages are counted from 1': {
			list: { firstPageNumber: 1, ...SILENT },
			hint: `${FROM_ONE} ${ended(6, EMPTY)}`,
		},
		'because pages are counted from 1, and once from a cache': {
			users: usual(105),
			list: {
				...once(2, response({ data: usual(100) })),
				firstPageNumber: 1,
				metadata: ['totalPages'],
			},
			hint: FROM_ONE,
		},
		'because pages are counted from 1, without an ID': {
			users: named(300),
			list: { firstPageNumber: 1, metadata: ['total', 'totalPages'] },
			hint: FROM_ONE,
		},
		'because page is ignored': { list: { pageIgnored: true, ...SILENT }, fails: IGNORED },
		'because page is ignored, with a total': { list: { pageIgnored: true }, fails: IGNORED },
		'because page is ignored, with a field that differs each time': {
			users: named(450),
			list: { ...signs(({ total }) => ({ total })), pageIgnored: true },
			fails: IGNORED,
		},
		'from a cache, once': { list: once(3, response({ data: usual(100, 100) })) },
		'from a cache, once, and nothing is said': {
			list: { ...once(3, response({ data: usual(100, 100) })), ...SILENT },
			hint: ended(5, EMPTY),
		},
		'from a cache, each time': {
			list: always(3, response({ data: usual(100, 100) })),
			expected: [...usual(300), ...usual(50, 400)],
			warns: ['Left out 100 duplicates (by "id").', counts(450), REPEATED],
		},
		'at the beginning of each page': {
			list: { duplicatesAcrossPages: 3 },
			warns: [
				'Left out 12 duplicates (by "id").',
				'Some pages held fewer users than others, and some users may be missing: set Page Size to a number that the service accepts.',
			],
		},
		'as equal pages without an ID': {
			users: listOf(300, () => ({ floor: 1 })),
			list: SILENT,
			expected: listOf(100, () => ({ floor: 1 })),
			warns: [ended(2, 'repeated the one before it.'), equal(1)],
		},
	},
	'a total that counts something else': {
		pages: { list: writes(({ totalPages }) => ({ total: totalPages })), hint: ended(5, EMPTY) },
		'pages, without an ID': {
			users: named(450),
			list: writes(({ totalPages }) => ({ total: totalPages })),
			hint: ended(5, EMPTY),
		},
		'what is left, without an ID': {
			users: named(450),
			list: writes(({ page, total }) => ({ total: total - page * 100 })),
			warns: [ended(5, EMPTY), counts(50, ADVICE_WITHOUT_ID)],
		},
		'pages that are left, without an ID': {
			users: named(450),
			list: writes(({ page, totalPages }) => ({ totalPages: totalPages - page })),
			warns: [
				ended(5, EMPTY),
				`The page count fell while the list was read: some users may be missing. ${ADVICE_WITHOUT_ID}`,
			],
		},
	},
	'the end': {
		'as nothing in the place of a next page': {
			list: writes(({ page, last }) => ({ next: last ? null : `/users?page=${page + 1}` })),
		},
		'as a page that names no next one, unlike the others': {
			list: writes(({ last }): JsonObject => (last ? {} : { nextPageToken: 'token' })),
			hint: ended(5, EMPTY),
		},
		'as an empty page': { list: SILENT, hint: ended(5, EMPTY) },
		'as a rejected page': {
			list: { pageBeyondEnd: 'error', ...SILENT },
			hint: ended(5, 'the service rejected.'),
		},
		'as a body that says that there is no data': {
			list: { ...always(5, response({ code: 404, message: 'No data', data: [] })), ...SILENT },
			hint: ended(5, 'the service rejected.'),
		},
		'as null': { list: { emptyAs: 'null', ...SILENT }, hint: ended(5, 'held no list.') },
		'as a list without users whose body says failure': {
			users: [],
			list: { force: response({ success: false, message: 'No records found', data: [] }) },
		},
	},
	'a page without users in the middle': {
		once: { list: { ...once(2, response({ data: [] })), ...SILENT }, hint: ended(5, EMPTY) },
		'once, with a total': { list: once(2, response({ data: [] })) },
		'each time, because all of its users are hidden': {
			list: { ...always(2, response({ data: [] })), ...SILENT },
			expected: [...usual(200), ...usual(150, 300)],
			hint: ended(5, EMPTY),
		},
		'each time, against the total': {
			list: always(2, response({ data: [] })),
			expected: [...usual(200), ...usual(150, 300)],
			warns: [counts(450)],
		},
		'because the total leads': {
			list: { totalLag: 60, metadata: ['total'] },
			warns: [ended(5, MORE), counts(510)],
		},
		'because the total lags': {
			list: { totalLag: -60, metadata: ['total'] },
			warns: [ended(5, EMPTY), counts(390)],
		},
		'rejected once': { list: once(2, { status: 404 }) },
		'rejected each time': {
			list: always(2, { status: 404 }),
			fails: [
				'The service rejected page 2 (status 404), although the list goes on after it.',
				RUN_AGAIN,
			],
		},
	},
	'a page without a list': {
		'null, once': { list: { ...once(2, response(null)), ...SILENT }, hint: ended(5, EMPTY) },
		'status 204, each time': {
			list: always(2, { status: 204 }),
			fails: ['Page 2 holds no list, although the list goes on after it.', RUN_AGAIN],
		},
		'an error with status 200, once': { list: once(2, 'errorObject200') },
		'an error with status 200, each time': {
			list: always(2, 'errorObject200'),
			fails: [
				'The service rejected the request, but responded with a success status.',
				'Check the options of the node, then ask your service provider.',
			],
		},
		'a status, once': { list: once(2, response({ status: 'timeout' })) },
		'a status, each time': {
			list: always(2, response({ status: 'timeout' })),
			fails: [
				'The service rejected the request, but responded with a success status.',
				'The service said: "status: timeout".',
			],
		},
		'null, as the first page, once': { list: once(0, response(null)) },
		'null, as the first page, each time': {
			list: always(0, response(null)),
			expected: usual(350, 100),
			warns: [
				'The service counts pages from 1, so Page 0 and Page 1 are the same.',
				'The list ended at page 5, which held nothing new, although the service says there are more users.',
				'The service counts 450 users: the list may have changed while it was read, or this client ID may not be allowed to see all.',
				'Turn on Until Stable to read it again.',
			],
		},
		'null, as each page': {
			list: { force: response(null) },
			expected: [],
			warns: ['The response held no list, so it counts as no users.'],
		},
		'other fields, as the first page': {
			list: { force: response({ hello: 'world', paging: { size: 3 } }) },
			fails: [
				'The response holds no list of records. Fields seen: hello, paging.size.',
				'Set Items Path to the dot path of the list.',
			],
		},
		'an empty error object beside the list': {
			list: writes(({ last }) => ({ last, error: { code: 0, message: null } })),
		},
	},
	'a field that looks like an ID': {
		'and is that of a card': {
			users: listOf(300, (index) => ({ visitNo: index, uid: `card-${index % 40}` })),
			options: { pageSize: 20 },
		},
		'and is that of a group': {
			users: listOf(300, (index) => ({
				id: `group-${Math.floor(index / 3)}`,
				name: `User ${index}`,
			})),
		},
		'and turns out to be none on a later page': {
			users: listOf(300, (index) => ({
				id: index < 100 ? index : index % 7,
				name: `User ${index}`,
			})),
			hint: '"id" is not used as the ID, because different users have the same one.',
		},
	},
	'a header that counts other pages than there are': {
		'fewer of them': { list: countsPages(1), hint: ended(5, EMPTY) },
		'more of them': { list: countsPages(9), warns: [ended(5, MORE)] },
		'none of them': { list: countsPages(0), hint: ended(5, EMPTY) },
	},
	'a list that changes while it is read': {
		'because a user is removed': {
			meanwhile: {
				page: 2,
				change: async (service) => await service.remove('users', 'user-000001'),
			},
			options: { concurrency: 1 },
			expected: [...usual(200), ...usual(249, 201)],
			warns: [
				`The total fell from 450 to 449 while the list was read: some users may be missing. ${ADVICE}`,
			],
		},
		'because users without an ID are added': {
			users: named(450),
			meanwhile: {
				page: 2,
				change: async (service) =>
					await service.seed('users', [{ name: 'Another user' }, ...named(450)]),
			},
			options: { concurrency: 1 },
			expected: [...named(200), ...named(450).slice(199)],
			warns: [EQUAL],
		},
		'because the maximum falls, without an ID': {
			users: named(450),
			list: SILENT,
			meanwhile: {
				page: 2,
				change: async (service) => {
					service.set({ list: { maxPageSize: 60 } });
					await Promise.resolve();
				},
			},
			options: { concurrency: 1 },
			expected: [...named(200), ...named(450).slice(120)],
			warns: [ended(8, EMPTY), EQUAL, UNSURE],
		},
	},
};

describe.each(Object.entries(TABLE))('an odd response: %s', (_, cases) => {
	it.each(Object.entries(cases))(
		'reads, explains or rejects an odd response in the very words: %s',
		async (_, odd) => {
			const { users = usual(450), meanwhile, options = {}, expected = users } = odd;
			const execute = async (more: INodeParameters) => {
				const host = await hostWith({ users }, { switches: { list: odd.list } });
				const { service } = host;
				if (meanwhile !== undefined) {
					const stop = service.onListRequest(async ({ page }) => {
						if (page !== meanwhile.page) return;
						stop();
						await meanwhile.change(service);
					});
				}
				const set = { ...more, maxRetries: 0, ...options };
				return await list(host, { options: set, ...odd.parameters });
			};
			for (const concurrency of [1, 5]) {
				const run = await execute({ concurrency, pageSize: 100 });
				if (odd.fails !== undefined) {
					const [message, remedy] = odd.fails;
					expect(run.error?.message).toBe(message);
					expect(run.error?.description).toContain(remedy);
					continue;
				}
				expect(run.error?.message).toBeUndefined();
				const { message = '', type } = run.hints[0] ?? {};
				const { reads = `Read ${expected.length} users.`, hint = [], warns = hint } = odd;
				expect([message.replace(/ \(.*?\)\./, '.'), type]).toEqual([
					[reads].concat(warns).join(' '),
					odd.warns === undefined ? 'info' : 'warning',
				]);
				const contents = run.items.map((user) => ({ ...user, photo: undefined }));
				expect(contents).toEqual(expected.map((user) => ({ ...user, photo: undefined })));
			}
			// Larger pages show less of what is odd, but miss nothing more in silence.
			const { error, hints, items } = await execute({ concurrency: 5 });
			if (error === undefined && hints[0]?.type === 'info')
				expect(items.length).toBeGreaterThanOrEqual(expected.length);
		},
	);
});

it.each([
	[999, '999 ms'],
	[1000, '1.0 s'],
	[9_949, '9.9 s'],
	[10_000, '10 s'],
])('says how long %d ms were', async (duration, words) => {
	let ways = 0;
	// There and back for a token, then for the list.
	const latency = () => (ways++ === 2 ? duration : 0);
	const run = await list(await hostWith({ users: 1 }, { latency }));
	expect(run.hints[0]?.message).toBe(`Read 1 user (1 page, 1 request, ${words}).`);
});
