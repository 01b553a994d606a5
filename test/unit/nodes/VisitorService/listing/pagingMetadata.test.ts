import { readPagingMetadata } from '../../../../../nodes/VisitorService/listing/pagingMetadata';

const nothing = { total: undefined, totalPages: undefined, more: undefined };
const read = (body: unknown, headers: Record<string, string> = {}) =>
	readPagingMetadata(body, headers);

describe('readPagingMetadata', () => {
	it.each<[string, unknown, Partial<typeof nothing> | object]>([
		[
			'Spring',
			{ totalElements: 250, totalPages: 3, last: false },
			{ total: 250, totalPages: 3, more: true },
		],
		[
			'Spring, last page',
			{ totalElements: 250, totalPages: 3, last: true },
			{ total: 250, totalPages: 3, more: false },
		],
		[
			'HAL',
			{ _embedded: {}, page: { size: 1, totalElements: 2, totalPages: 2 } },
			{ total: 2, totalPages: 2 },
		],
		['OData', { '@odata.count': 7, '@odata.nextLink': 'x' }, { total: 7, more: true }],
		['meta', { meta: { total: 5, hasNextPage: true } }, { total: 5, more: true }],
		['meta.pagination', { meta: { pagination: { total_count: 5 } } }, { total: 5 }],
		['result', { result: { list: [], total: 9, hasMore: false } }, { total: 9, more: false }],
		[
			'numbers as text',
			{ total: '12', totalPages: ' 2 ', hasMore: 'false' },
			{ total: 12, totalPages: 2, more: false },
		],
		['page count', { pageCount: 4 }, { totalPages: 4 }],
		['a next page', { next: 'https://tenant.example.test/?page=1' }, { more: true }],
		['0 records', { total: 0 }, { total: 0 }],
		['.NET', { TotalCount: 5, PageInfo: { HasNextPage: true } }, { total: 5, more: true }],
	])('reads %s', (_, body, expected) => {
		expect(read(body)).toEqual({ ...nothing, ...expected });
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
		['records that have a total', { data: [{ total: 5 }] }],
	])('reads nothing from %s', (_, body) => {
		expect(read(body)).toEqual(nothing);
	});

	it('prefers the outer place', () => {
		expect(read({ total: 3, meta: { total: 4 } }).total).toBe(3);
	});

	it('reads headers where the body says nothing', () => {
		expect(read([], { 'x-total-count': '8', 'x-total-pages': '2' })).toEqual({
			...nothing,
			total: 8,
			totalPages: 2,
		});
		expect(read({ total: 3 }, { 'x-total-count': '8' }).total).toBe(3);
	});

	it.each<[string, boolean | undefined]>([
		['<https://tenant.example.test/?page=2>; rel="next"', true],
		['<x?page=0>; rel="prev", <x?page=2>; rel=next', true],
		['<x?page=0>; rel="first prev"', undefined],
		['<x?next=1>; rel="prev"', undefined],
	])('reads from Link: %s', (link, more) => {
		expect(read([], { link }).more).toBe(more);
	});
});
