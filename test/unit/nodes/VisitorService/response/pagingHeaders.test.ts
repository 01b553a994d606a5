import {
	readLinkHeader,
	readPagingHeaders,
	readRangeHeader,
} from '../../../../../nodes/VisitorService/response/pagingHeaders';

// What responses say of paging by them is in paging.test.ts.

const url = 'https://tenant.test/users';
const links = (parameter: string) =>
	`<${url}?${parameter}=1>; rel="next", <${url}?size=2&${parameter}=4>; rel="last"`;

it.each([
	[`<${url}?page=2>;rel="next"`, { more: true, nextPage: 'named' }],
	[` <${url}?page=2>;  Rel = next`, { more: true, nextPage: 'named' }],
	[`<${url}?page=2>; rel="up  next"`, { more: true, nextPage: 'named' }],
	[`<${url}?page=2>; rel="next";  results = false`, { more: false, nextPage: 'named' }],
	[`<${url}?page=2>; rel="next"; results="true"`, { more: true, nextPage: 'named' }],
	[`<${url}?page=0>; rel="first"`, { more: undefined, nextPage: 'none' }],
	[`<${url}?page=4>; rel="last"`, { more: false, nextPage: 'none' }],
	['next', { more: undefined, nextPage: undefined }],
	['', { more: undefined, nextPage: undefined }],
	[
		`<${url}?page=2>; rel="next",  <${url}?page=4&a=1,2>; rel="last", <${url}?page=1>; rel="first"`,
		{ more: true, totalPages: 4, nextPage: 'named' },
	],
	[
		`<${url}?page=x&page=1#top>; rel="next", <${url}?page=%34>; rel="last"`,
		{ more: true, totalPages: 5, nextPage: 'named' },
	],
	[
		`<${url}?page=x>; rel="next", <${url}?page=4>; rel="last"`,
		{ more: true, totalPages: undefined, nextPage: 'named' },
	],
])('the Link header tells of the pages around this one: %s', (header, pages) => {
	expect(readLinkHeader(header)).toEqual(pages);
});

it.each([
	...['page', 'Page', 'pageNumber', 'PAGE_NUMBER', 'page-number', 'page[number]', 'Page[Number]'],
	...['page%5Bnumber%5D', 'page_no', 'PageIndex', 'currentPage', 'page.number', '$page'],
])('the number of a page in a link has any spelling of its name: %s', (name) => {
	expect(readLinkHeader(links(name)).totalPages).toBe(5);
});

it.each(['number', 'index', 'pageSize', 'page[size]', 'per_page', 'pages', 'offset', 'lastPage'])(
	'no other parameter of a link is the number of a page: %s',
	(name) => {
		expect(readLinkHeader(links(name)).totalPages).toBeUndefined();
	},
);

it.each([
	[{ 'x-range': 'users 10-19/20 ' }, { total: 20, more: false }],
	[{ 'content-range': 'items */573' }, {}],
	[{ 'content-range': 'items 0-24/573 of all' }, {}],
	[{ 'x-count': 'items 0-24/573' }, {}],
	[
		{ 'accept-range': 'bytes', 'content-range': 'items 0-24/573' },
		{ total: 573, more: true },
	],
])('a range header tells the total and whether more follows: %j', (headers, range) => {
	expect(readRangeHeader(headers)).toEqual(range);
});

it.each([
	[{ 'x-wp-total': '7' }, [{ total: '7' }]],
	[{ 'pagination-total': '7' }, [{ total: '7' }]],
	[{ 'max-x-total': '7' }, [{ 'max-x-total': '7' }]],
	[{ 'my-wp-total': '7' }, [{ 'my-wp-total': '7' }]],
	[{ 'x-pagination': '{"total":7}' }, [{ pagination: '{"total":7}' }, { total: 7 }]],
	[{ pagination: '{"total":7}' }, [{ pagination: '{"total":7}' }, { total: 7 }]],
	[{ 'x-pagination': '{' }, [{ pagination: '{' }]],
])('fields of headers have names without the words in front of them: %j', (headers, fields) => {
	expect(readPagingHeaders(headers)).toEqual(fields);
});
