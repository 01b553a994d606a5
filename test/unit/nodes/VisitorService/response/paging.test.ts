import {
	type PagingMetadata,
	readPagingMetadata,
} from '../../../../../nodes/VisitorService/response/paging';

const read = (body: unknown, headers: Record<string, string> = {}) =>
	readPagingMetadata(body, headers);
/** As the fields of a response with records; but for where it stands, which is tested alone. */
const stated = (fields: object) => ({
	...read({ ...fields, data: [{}] }),
	pageNumber: undefined,
	offset: undefined,
});

it.each([{ page: 24 }, { meta: { currentPage: '24', total: 60 } }, { page: { pageNumber: 24 } }])(
	'%j names its own number',
	(fields) => {
		expect(read({ ...fields, data: [{}] }).pageNumber).toBe(24);
	},
);

const NEXT = { more: true, nextPage: 'named' } as const;

describe('what a response says of its list', () => {
	it.each<[object, PagingMetadata]>([
		[
			{ _embedded: {}, page: { size: 1, totalElements: 2, totalPages: 2 } },
			{ total: 2, totalPages: 2, pageSize: 1 },
		],
		[{ meta: { total: 5, hasNextPage: true } }, { total: 5, more: true }],
		[{ meta: { pagination: { total_count: 5 } } }, { total: 5 }],
		[{ result: { list: [], total: 9, hasMore: false } }, { total: 9, more: false }],
		[
			{ total: '12', totalPages: ' 2 ' },
			{ total: 12, totalPages: 2 },
		],
		[{ total: 3, meta: { total: 4 } }, { total: 3 }],
		[{ total: 0 }, { total: 0 }],
		[{ list_info: { has_more_rows: true, total_count: 100 } }, { total: 100, more: true }],
		// What a filter leaves.
		[{ aaData: [{}], iTotalRecords: 100, iTotalDisplayRecords: 3 }, { total: 3 }],
		[{ meta: { total_count: 100, filter_count: 3 } }, { total: 3 }],
		// Elasticsearch, if it is exact.
		[{ hits: { total: { value: 60, relation: 'eq' }, hits: [{}] } }, { total: 60 }],
		[{ hits: { total: { value: 60, relation: 'gte' }, hits: [{}] } }, {}],
		// Pages from 1 or 0 on, if total and page size say so.
		[
			{ total: 60, per_page: 10, last_page: 6 },
			{ total: 60, totalPages: 6, pageSize: 10 },
		],
		[
			{ total: 60, pageSize: 10, lastPage: 5 },
			{ total: 60, totalPages: 6, pageSize: 10 },
		],
		[
			{ total: 60, pageSize: 10, lastPage: 3 },
			{ total: 60, pageSize: 10 },
		],
		[
			{ total: 60, pageSize: 10 },
			{ total: 60, pageSize: 10 },
		],
		[{ total: 60, lastPage: 6 }, { total: 60 }],
		[{ pageSize: 10, lastPage: 6 }, { pageSize: 10 }],
		// Django counts the whole list, and names both neighbors.
		[
			{ count: 5, next: null, previous: 'x' },
			{ total: 5, more: false, nextPage: 'none' },
		],
		[{ count: 5, next: 'x' }, NEXT],
		[{ count: 5, previous: 'x' }, {}],
		// "Page 1 of 6" may count pages, but not beside other numbers, or elsewhere.
		[{ pagination: { page: 1, total: 6 } }, {}],
		[{ paging: { number: 1, total: 6, next: 'x' } }, NEXT],
		[{ paging: { page: 1, total: 60, pageSize: 10 } }, { total: 60, pageSize: 10 }],
		[{ pagination: { sort: 1, total: 60 } }, { total: 60 }],
		[{ pagination: { page: 'first', total: 60 } }, { total: 60 }],
		[{ paging: { total: 60 } }, { total: 60 }],
		...['meta', 'homepage', 'pageinfo'].map((name): [object, PagingMetadata] => [
			{ [name]: { page: 1, total: 6 } },
			{ total: 6 },
		]),
		// A grid of jqGrid.
		[
			{ page: 1, total: 6, records: 60 },
			{ total: 60, totalPages: 6 },
		],
		[{ page: 1, total: 60, records: 60 }, { total: 60 }],
		[{ total: 6, records: 60 }, { total: 6 }],
		[{ page: 1, records: 60 }, {}],
		// Nothing that counts the list.
		[{ total: -1 }, {}],
		[{ total: 1.5 }, {}],
		[{ total: 1e30 }, {}],
		[{ total: { value: 5 } }, {}],
		[{ count: 5, size: 'x', found: 5, recordCount: 5 }, {}],
		[{ _shards: { total: 5 }, aggregations: { all: { total: 5 } } }, {}],
		[{ search_criteria: { filters: [], total: 5 } }, {}],
		[{ last: 'https://tenant.example.test/?page=9' }, {}],
		[{ lastPage: 1 }, {}],
		[{ last: '1' }, {}],
		[{ pages: [{}], totalPages: 6 }, { totalPages: 6 }],
	])('%j says %j', (fields, expected) => {
		expect(stated(fields)).toEqual(expected);
	});

	it.each([[[{ total: 1 }]], [null], ['total'], [{ data: [{ total: 5 }] }]])(
		'nothing is said by %j',
		(body) => {
			expect(read(body)).toEqual({});
		},
	);

	it.each<[boolean, object[]]>([
		[true, [{ has_more: 1 }, { has_more: '1' }, { moreItems: 'Yes' }, { isLastPage: 'n' }]],
		[false, [{ hasMore: 0 }, { hasNextPage: '0' }, { has_more: 'no' }, { isLast: 1 }]],
		[false, [{ hasMore: 'False' }, { done: true }, { isTruncated: false }]],
	])('flags say that more follows: %j', (more, flags) => {
		expect(flags.map((flag) => stated(flag))).toEqual(flags.map(() => ({ more })));
	});

	it.each([
		['total', ['itemsTotal', 'totalOfRecords', 'oslc:totalCount', 'totalMatches', 'num_results']],
		['total', ['total_number_of_results', 'dataTotal', 'TotalSize', 'totalDocs', 'total_entries']],
		['total', ['@odata.count', '@count', '$count', '__count', 'TotalRecordCount']],
		['totalPages', ['pagesCount', 'page_total', 'numberOfPages', 'totalNumberOfPages']],
		['totalPages', ['pages', 'num_pages', 'nbPages', 'total_page', 'totalPageCount', 'pageCount']],
		[undefined, ['totalCost', 'subtotal', 'totalTime', 'totalSeats', 'itemsTotalled', 'itemCount']],
		[undefined, ['results', 'x$count', '@counter', 'lastPage', 'last', 'page', 'pageNumber']],
		[undefined, ['pageNum', 'numPage', 'pageNo', 'pagesRead', 'homepages', 'isLast', 'has_more']],
	])('the %s has any of the names %j', (fact, names) => {
		const expected = fact === undefined ? {} : { [fact]: 60 };
		expect(names.map((name) => stated({ [name]: 60 }))).toEqual(names.map(() => expected));
	});
});

describe('the next page', () => {
	const url = 'https://tenant.example.test/?page=1';
	const to = (rel: unknown, location = 'links') => ({
		[location]: [{ rel: 'self' }, { rel, href: 'y' }],
	});

	it.each<[PagingMetadata['nextPage'], object[]]>([
		['named', [{ next: url }, { nextPageToken: 'x' }, { cursorNext: 'x' }, { next: 50 }]],
		['named', [{ nextPage: '2' }, { nextPage: 'nullable' }, { nextPage: '-abc' }, { nextPage: 1 }]],
		['named', [{ next: { href: 'x' } }, { next: { after: 'x', count: 2 } }, { cursor: 'abc' }]],
		['named', [{ offset: 'itrX/rec7' }, { cursors: { before: '', after: 'x' } }]],
		['named', [{ NextStartReference: 'x' }, { metadata: { continue: 'x' } }]],
		['named', [{ 'oslc:responseInfo': { 'oslc:nextPage': { 'rdf:resource': 'x' } } }]],
		['named', [to('next'), to(['last', 'next']), { Links: [{ Rel: 'Next', Href: 'x' }] }]],
		['named', [{ link: [{ relation: ['alternate', 'next'], url: 'y' }] }]],
		['none', [{ next: null }, { metadata: { continue: '' } }, { nextPage: -1 }, { next: 0 }]],
		['none', [{ next: { title: 'Call', due: '2026-01-31' } }, { nextPageToken: null, next: {} }]],
		['none', ['-1', '0', 'null', 'None', 'undefined', ' ', 'N/A'].map((next) => ({ next }))],
		['none', [{ cursors: { before: '', after: null } }]],
		[undefined, ['-1', '0', 'null', ' ', '20', 5].map((cursor) => ({ cursor, offset: cursor }))],
		[undefined, [{ cursors: { before: 'x', after: 'y' } }, { meta: { before: '', after: 'x' } }]],
		[undefined, [to('prev'), to('next', 'uplinks'), { links: [{ rel: 'self' }] }]],
	])('is %j: %j', (nextPage, fields) => {
		const expected = nextPage === 'named' ? NEXT : { nextPage };
		expect(fields.map((one) => stated(one))).toEqual(fields.map(() => expected));
	});

	it('is no more than a flag says', () => {
		expect(stated({ has_more: false, next_cursor: 'x' })).toEqual({
			more: false,
			nextPage: 'named',
		});
	});
});

describe('what headers say of a list', () => {
	it.each<[Record<string, string>, PagingMetadata]>([
		[
			{ 'x-total-count': '8', 'x-total-pages': '2' },
			{ total: 8, totalPages: 2 },
		],
		[{ 'x-pcty-total-count': '100' }, { total: 100 }],
		[{ 'content-range': 'items 0-24/573' }, { total: 573, more: true }],
		[{ 'content-range': '550-572/573' }, { total: 573, more: false }],
		[{ 'content-range': 'id 01..02' }, {}],
		[{ 'x-pagination': '{"TotalCount":8,"HasNext":true}' }, { total: 8, more: true }],
		[{ 'x-pagination': '{' }, {}],
		[{ 'x-next-page': '2' }, NEXT],
		[{ 'x-next-page': '' }, { nextPage: 'none' }],
		...['x-ms-continuation', 'x-ms-continuationtoken', 'after-cursor', 'opc-next-page'].map(
			(name): [Record<string, string>, PagingMetadata] => [{ [name]: 'x' }, NEXT],
		),
		[{ 'x-ratelimit-limit': '8', 'x-ratelimit-remaining': '7' }, {}],
		[{ link: '<x?page=2>; rel="next", <x?page=5>; rel="last"' }, NEXT],
		[
			{ link: '<x?page=0>; rel="first", <x?page=1>; rel="next", <x?page=4>; rel="last"' },
			{ ...NEXT, totalPages: 5 },
		],
	])('%j says %j', (headers, expected) => {
		expect(read([], headers)).toEqual(expected);
	});

	it('is believed less than the body', () => {
		expect(read({ total: 3 }, { 'x-total-count': '8' })).toEqual({ total: 3 });
	});
});
