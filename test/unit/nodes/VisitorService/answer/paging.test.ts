import { readPagingMetadata } from '../../../../../nodes/VisitorService/answer/paging';

const nothing = { total: undefined, totalPages: undefined, more: undefined };
const read = (body: unknown, headers: Record<string, string> = {}) => ({
	...readPagingMetadata(body, headers),
	nextPage: undefined,
});

describe('readPagingMetadata', () => {
	it.each<[string, unknown, Partial<typeof nothing> | object]>([
		[
			'HAL',
			{ _embedded: {}, page: { size: 1, totalElements: 2, totalPages: 2 } },
			{ total: 2, totalPages: 2, pageSize: 1 },
		],
		['meta', { meta: { total: 5, hasNextPage: true } }, { total: 5, more: true }],
		['meta.pagination', { meta: { pagination: { total_count: 5 } } }, { total: 5 }],
		['result', { result: { list: [], total: 9, hasMore: false } }, { total: 9, more: false }],
		[
			'numbers as text',
			{ total: '12', totalPages: ' 2 ', hasMore: 'False' },
			{ total: 12, totalPages: 2, more: false },
		],
		['page count', { pageCount: 4 }, { totalPages: 4 }],
		['a next page', { next: 'https://tenant.example.test/?page=1' }, { more: true }],
		['0 records', { total: 0 }, { total: 0 }],
		['Django, last page', { count: 5, next: null, previous: 'x' }, { total: 5, more: false }],
		[
			'the last page, if total and page size say that it counts from 1',
			{ total: 100, per_page: 20, last_page: 5 },
			{ total: 100, totalPages: 5, pageSize: 20 },
		],
		[
			'the last page, if they say that it counts from 0',
			{ total: 100, pageSize: 20, lastPage: 4 },
			{ total: 100, totalPages: 5, pageSize: 20 },
		],
		['the next page as an object', { next: { href: 'x' } }, { more: true }],
		['the next page as a number', { next: 50 }, { more: true }],
		['the next page as a flag', { nextPage: true }, { more: true }],
		['a flag as 1', { has_more: 1 }, { more: true }],
		['a flag as 0', { hasMore: 0 }, { more: false }],
		['a flag as the text 1', { has_more: '1' }, { more: true }],
		['a flag as the text 0', { hasNextPage: '0' }, { more: false }],
		['a flag as Yes', { moreItems: 'Yes' }, { more: true }],
		['a flag as no', { has_more: 'no' }, { more: false }],
		['a last page as 1', { isLast: 1 }, { more: false }],
		['a last page as N', { isLastPage: 'n' }, { more: true }],
		['1 in the place of the last page, which is its number', { lastPage: 1 }, {}],
		['1 in the place of the last one', { last: '1' }, {}],
		['1 in the place of the next page', { nextPage: 1 }, { more: true }],
		['0 in the place of the next page', { next: 0 }, {}],
		['how many follow', { has_more: 2 }, {}],
		['the next page in a list of links', { links: [{ rel: 'next', href: 'x' }] }, { more: true }],
		['a flag rather than a cursor', { has_more: false, next_cursor: 'x' }, { more: false }],
	])('reads this paging metadata: %s', (_, body, expected) => {
		expect(read(body)).toEqual({ ...nothing, ...expected });
	});

	it.each<[string, unknown, string | undefined]>([
		['a URL', { next: 'https://tenant.example.test/?page=1' }, 'named'],
		['a token', { nextPageToken: 'x' }, 'named'],
		['a link in a list', { links: [{ rel: 'next', href: 'x' }] }, 'named'],
		['a link in a list of .NET', { Links: [{ Rel: 'Next', Href: 'x' }] }, 'named'],
		['a link with several relations', { links: [{ rel: ['last', 'next'] }] }, 'named'],
		['a link to another page', { links: [{ rel: 'prev', href: 'x' }] }, undefined],
		['a cursor beside a flag', { has_more: false, next_cursor: 'x' }, 'named'],
		['an object with a URL', { next: { href: 'x' } }, 'named'],
		['an object with a cursor', { next: { after: 'x', count: 2 } }, 'named'],
		['an object that leads nowhere', { next: { title: 'Call', due: '2026-01-31' } }, 'none'],
		['null', { next: null }, 'none'],
		['an empty token', { metadata: { continue: '' } }, 'none'],
		['a number that leads nowhere', { nextPage: -1 }, 'none'],
		['no place for it', { total: 5, hasMore: true }, undefined],
	])('tells whether the next page is named: %s', (_, body, nextPage) => {
		expect(readPagingMetadata(body, {}).nextPage).toBe(nextPage);
	});

	it.each<[string, unknown]>([
		['a bare array', [{ total: 1 }]],
		['null', null],
		['a text', 'total'],
		['a negative total', { total: -1 }],
		['a fraction', { total: 1.5 }],
		['an object as total', { total: { value: 5 } }],
		['the address of the last page', { last: 'https://tenant.example.test/?page=9' }],
		['the number of the last page', { lastPage: 9 }],
		['no next page', { next: null }],
		['no cursor', { next_cursor: '', nextPageToken: null, next: {} }],
		['the number of records on the page', { count: 5, size: 'x', found: 5, recordCount: 5 }],
		['the total of something else', { _shards: { total: 5 }, aggregations: { all: { total: 5 } } }],
		['what the request asked for', { search_criteria: { filters: [], total: 5 } }],
		['records that have a total', { data: [{ total: 5 }] }],
	])('reads nothing from %s', (_, body) => {
		expect(read(body)).toEqual(nothing);
	});

	it('prefers the outer place', () => {
		expect(read({ total: 3, meta: { total: 4 } }).total).toBe(3);
	});

	it('reads headers if the body says nothing', () => {
		expect(read([], { 'x-total-count': '8', 'x-total-pages': '2' })).toEqual({
			...nothing,
			total: 8,
			totalPages: 2,
		});
		expect(read({ total: 3 }, { 'x-total-count': '8' }).total).toBe(3);
	});

	it.each<[string, Record<string, string>, object]>([
		['the range', { 'content-range': 'items 0-24/573' }, { total: 573, more: true }],
		['the range of the last page', { 'content-range': '550-572/573' }, { total: 573, more: false }],
		['the range without a total', { 'content-range': 'id 01..02' }, {}],
		['JSON', { 'x-pagination': '{"TotalCount":8,"HasNext":true}' }, { total: 8, more: true }],
		['JSON that is none', { 'x-pagination': '{' }, {}],
		['the next page', { 'x-next-page': '2' }, { more: true }],
		['no next page', { 'x-next-page': '' }, {}],
		['a rate limit', { 'x-ratelimit-limit': '8', 'x-ratelimit-remaining': '7' }, {}],
	])('reads from headers: %s', (_, headers, expected) => {
		expect(read([], headers)).toEqual({ ...nothing, ...expected });
	});

	it.each<[string, number | undefined]>([
		['<x?page=1>; rel="first", <x?page=2>; rel="next", <x?page=5>; rel="last"', 5],
		['<x?page=0>; rel="first", <x?page=1>; rel="next", <x?page=4>; rel="last"', 5],
		['<x?page[number]=1>; rel="next", <x?page[number]=4>; rel="last"', 5],
		['<x?page=2>; rel="next", <x?page=5>; rel="last"', undefined],
		['<x?offset=20>; rel="next", <x?offset=80>; rel="last"', undefined],
	])('counts the pages of Link, if it shows where they begin: %s', (link, totalPages) => {
		expect(read([], { link })).toMatchObject({ more: true, totalPages });
	});

	it.each<[string, boolean | undefined]>([
		['<https://tenant.example.test/?page=2>; rel="next"', true],
		['<x?page=0>; rel="prev", <x?page=2>; rel=next', true],
		['<x?page=0>; rel="first prev"', undefined],
		['<x?page=1>; rel="first", <x?page=1>; rel="last"', false],
		['<x?cursor=1>; rel="next"; results="false"', false],
		['<x?next=1>; rel="prev"', undefined],
	])('reads from Link: %s', (link, more) => {
		expect(read([], { link }).more).toBe(more);
	});
});

describe('a next page that is written as text', () => {
	it.each(['-1', '0', 'null', 'None', 'undefined', ' ', 'N/A'])(
		'names no next page if its place holds "%s"',
		(next) => {
			expect(readPagingMetadata({ users: [{}], nextPage: next }, {})).toMatchObject({
				nextPage: 'none',
			});
			expect(readPagingMetadata({ users: [{}], cursor: next }, {}).nextPage).toBeUndefined();
			expect(readPagingMetadata({ users: [{}], offset: next }, {}).nextPage).toBeUndefined();
		},
	);

	it.each(['2', 'nullable', '-abc', 'https://tenant.example.test/?page=1'])(
		'names a next page if its place holds "%s"',
		(next) => {
			expect(readPagingMetadata({ users: [{}], nextPage: next }, {})).toMatchObject({
				nextPage: 'named',
				more: true,
			});
		},
	);
});

describe('totals by name', () => {
	it.each<[string, object, number]>([
		['DataTables before 1.10', { aaData: [{}], iTotalRecords: 100, iTotalDisplayRecords: 3 }, 3],
		['Directus', { data: [{}], meta: { total_count: 100, filter_count: 3 } }, 3],
		['Keri', { TotalRecordCount: 100, users: [{}] }, 100],
		['Flask-Restless', { num_results: 100, objects: [{}] }, 100],
	])('reads the total of what a filter leaves: %s', (_, body, total) => {
		expect(readPagingMetadata(body, {}).total).toBe(total);
	});

	it('reads what ManageEngine says of its list', () => {
		const list_info = { has_more_rows: true, total_count: 100 };
		expect(readPagingMetadata({ users: [{}], list_info }, {})).toMatchObject({
			total: 100,
			more: true,
		});
	});

	it.each([
		...['itemsTotal', 'totalOfRecords', 'oslc:totalCount', 'totalMatches'],
		...['total_number_of_results', 'usersTotal', 'TotalSize', 'totalDocs', 'total_entries'],
	])('reads %s as the total', (name) => {
		expect(readPagingMetadata({ users: [{}], [name]: 60 }, {}).total).toBe(60);
	});

	it.each([
		...['totalCost', 'subtotal', 'totalTime', 'totalSeats', 'itemsTotalled', 'totalPages'],
		...['itemCount', 'results'],
	])('does not read %s as the total', (name) => {
		expect(readPagingMetadata({ pages: [{}], [name]: 60 }, {}).total).toBeUndefined();
	});

	it.each([
		...['pagesCount', 'page_total', 'numberOfPages', 'totalNumberOfPages', 'nbPages'],
		...['pages', 'num_pages', 'total_page', 'totalPageCount'],
	])('reads %s as the page count', (name) => {
		expect(readPagingMetadata({ users: [{}], [name]: 6 }, {}).totalPages).toBe(6);
	});

	it.each(['page', 'pageNumber', 'pageNum', 'numPage', 'pageNo', 'pagesRead', 'homepages'])(
		'does not read %s as the page count',
		(name) => {
			expect(readPagingMetadata({ users: [{}], [name]: 6 }, {}).totalPages).toBeUndefined();
		},
	);

	it('reads a total of Elasticsearch only if it is exact', () => {
		const read = (relation: string) =>
			readPagingMetadata({ hits: { total: { value: 60, relation }, hits: [{}] } }, {}).total;
		expect([read('eq'), read('gte')]).toEqual([60, undefined]);
	});

	it.each<[object, Record<string, string>]>([
		[{ cursorNext: 'x' }, {}],
		[{ NextStartReference: 'x' }, {}],
		[{ 'oslc:responseInfo': { 'oslc:nextPage': { 'rdf:resource': 'x' } } }, {}],
		[{}, { 'x-ms-continuation': 'x' }],
		[{}, { 'x-ms-continuationtoken': 'x' }],
		[{}, { 'after-cursor': 'x' }],
	])('finds the next page in %j and the headers %j', (body, headers) => {
		expect(readPagingMetadata({ ...body, users: [{}] }, headers)).toMatchObject({ more: true });
	});

	it('reads headers of one vendor', () => {
		expect(readPagingMetadata([{}], { 'x-pcty-total-count': '100' }).total).toBe(100);
		expect(readPagingMetadata([{}], { 'opc-next-page': 'abc' })).toMatchObject({ more: true });
	});
});

describe('paging fields that mean something else beside others', () => {
	const said = (body: unknown) => readPagingMetadata(body, {});

	it.each<[string, object, number | undefined]>([
		['"page 1 of 6"', { page: 1, total: 6 }, undefined],
		['"number 1 of 6"', { number: 1, total: 6 }, undefined],
		['"page 1 of 6" with a next page', { page: 1, total: 6, next: 'x' }, undefined],
		['a total beside the page size', { page: 1, total: 60, pageSize: 10 }, 60],
		['a total beside a field that is no number of a page', { sort: 1, total: 60 }, 60],
		['a total beside a page that is not a number', { page: 'first', total: 60 }, 60],
		['a total alone', { total: 60 }, 60],
	])('reads the total of pagination as %s says it', (_, pagination, total) => {
		expect(said({ pagination, data: [{}] }).total).toBe(total);
		expect(said({ paging: pagination, data: [{}] }).total).toBe(total);
	});

	it('reads a total beside the number of a page where the object is not one of pages', () => {
		expect(said({ meta: { page: 1, total: 6 }, data: [{}] }).total).toBe(6);
		expect(said({ homepage: { page: 1, total: 6 }, data: [{}] }).total).toBe(6);
		expect(said({ pageinfo: { page: 1, total: 6 }, data: [{}] }).total).toBe(6);
	});

	it.each<[object, { total?: number; totalPages?: number }]>([
		[{ page: 1, total: 60, records: 60 }, { total: 60 }],
		[{ total: 6, records: 60 }, { total: 6 }],
		[{ page: 1, records: 60 }, {}],
	])(
		'takes the total for the number of pages in no grid like %j',
		(grid, { total, totalPages }) => {
			expect(said({ ...grid, rows: [{}] })).toMatchObject({ total, totalPages });
		},
	);

	it.each([
		{ total: 60, pageSize: 10, lastPage: 3 },
		{ total: 60, lastPage: 6 },
		{ pageSize: 10, lastPage: 6 },
		{ total: 60, pageSize: 10 },
	])('does not take the last page for the number of pages in %j', (body) => {
		expect(said({ ...body, data: [{}] }).totalPages).toBeUndefined();
	});

	it.each<[object, 'named' | 'none' | undefined]>([
		[{ cursor: 'abc' }, 'named'],
		[{ cursor: ' ' }, undefined],
		[{ cursor: 5 }, undefined],
		[{ offset: 'itrX/rec7' }, 'named'],
		[{ offset: '20' }, undefined],
		[{ offset: 20 }, undefined],
		[{ cursors: { before: '', after: 'x' } }, 'named'],
		[{ cursors: { before: 'x', after: 'y' } }, undefined],
		[{ cursors: { before: '', after: null } }, 'none'],
		[{ meta: { before: '', after: 'x' } }, undefined],
		[
			{
				links: [
					{ rel: 'self', href: 'x' },
					{ rel: 'next', href: 'y' },
				],
			},
			'named',
		],
		[{ links: [{ rel: 'self', href: 'x' }] }, undefined],
		[{ uplinks: [{ rel: 'next', href: 'y' }] }, undefined],
		[{ link: [{ relation: ['alternate', 'next'], url: 'y' }] }, 'named'],
	])('tells whether %j leads to the next page', (body, nextPage) => {
		expect(said({ ...body, data: [{}] }).nextPage).toBe(nextPage);
	});

	it('reads a count as a total only where the next and the previous page are named', () => {
		expect(said({ count: 60, next: 'x', data: [{}] }).total).toBeUndefined();
		expect(said({ count: 60, previous: 'x', data: [{}] }).total).toBeUndefined();
		expect(said({ count: 60, next: null, prev: 'x', data: [{}] }).total).toBe(60);
	});

	it.each(['@odata.count', '@count', '$count', '__count'])('reads %s as the total', (name) => {
		expect(said({ [name]: 60, value: [{}] }).total).toBe(60);
	});

	it.each(['x$count', '@counter'])('does not read %s as the total', (name) => {
		expect(said({ [name]: 60, value: [{}] }).total).toBeUndefined();
	});
});
