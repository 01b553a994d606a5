import {
	headerFields,
	readLinkHeader,
	readRangeHeader,
} from '../../../../../nodes/VisitorService/answer/pagingHeaders';

const url = 'https://tenant.test/users';

describe('The Link header', () => {
	it.each([
		[`<${url}?page=2>;rel="next"`, { more: true }],
		[` <${url}?page=2>;  Rel = next`, { more: true }],
		[`<${url}?page=2>; rel="up  next"`, { more: true }],
		[`<${url}?page=2>; rel="next"; results="false"`, { more: false }],
		[`<${url}?page=2>; rel="next";  results = false`, { more: false }],
		[`<${url}?page=2>; rel="next"; results="true"`, { more: true }],
		[`<${url}?page=0>; rel="first"`, { more: undefined }],
		[`<${url}?page=4>; rel="last"`, { more: false }],
		['next', { more: undefined }],
		[`<${url}?page=1>; rel="next",<${url}?page=4>; rel="last"`, { more: true, totalPages: 5 }],
		[
			`<${url}?page=2>; rel="next",  <${url}?page=4&a=1,2>; rel="last", <${url}?page=1>; rel="first"`,
			{ more: true, totalPages: 4 },
		],
		[
			`<${url}?a=1&page%5Bnumber%5D=1#top>; rel="next", <${url}?page[number]=4>; rel="last"`,
			{ more: true, totalPages: 5 },
		],
		[`<${url}?page=x>; rel="next", <${url}?page=4>; rel="last"`, { more: true }],
		[
			`<${url}?page=x&page=1>; rel="next", <${url}?page=%34>; rel="last"`,
			{ more: true, totalPages: 5 },
		],
	])('tells of the pages around this one: %s', (header, pages) => {
		expect({ ...readLinkHeader(header), nextPage: undefined }).toEqual(pages);
	});

	it.each([
		[`<${url}?page=2>; rel="next"`, 'named'],
		[`<${url}?page=2>; rel="next"; results="false"`, 'named'],
		[`<${url}?page=0>; rel="first"`, 'none'],
		[`<${url}?page=4>; rel="last"`, 'none'],
		['next', undefined],
		['', undefined],
	])('tells whether the next page is named: %s', (header, nextPage) => {
		expect(readLinkHeader(header).nextPage).toBe(nextPage);
	});
});

describe('The number of a page in a URL of the Link header', () => {
	it.each([
		...['page', 'Page', 'pageNumber', 'PAGE_NUMBER', 'page-number', 'page[number]', 'Page[Number]'],
		...['page_no', 'PageIndex', 'currentPage', 'page.number', '$page'],
	])('reads the number of a page in a link by any spelling of its name: %s', (name) => {
		const header = `<${url}?${name}=1>; rel="next", <${url}?size=2&${name}=4>; rel="last"`;
		expect(readLinkHeader(header).totalPages).toBe(5);
	});

	it.each(['number', 'index', 'pageSize', 'page[size]', 'per_page', 'pages', 'offset', 'lastPage'])(
		'takes no other parameter of a link for the number of a page: %s',
		(name) => {
			const header = `<${url}?${name}=1>; rel="next", <${url}?${name}=4>; rel="last"`;
			expect(readLinkHeader(header).totalPages).toBeUndefined();
		},
	);
});

describe('A range header', () => {
	it.each([
		[{ 'content-range': 'items 0-24/573' }, { total: 573, more: true }],
		[{ 'x-range': 'users 10-19/20 ' }, { total: 20, more: false }],
		[{ 'content-range': 'items */573' }, {}],
		[{ 'content-range': 'items 0-24/573 of all' }, {}],
		[{ 'x-count': 'items 0-24/573' }, {}],
		[
			{ 'accept-range': 'bytes', 'content-range': 'items 0-24/573' },
			{ total: 573, more: true },
		],
	])('tells the total and whether more follows: %j', (headers, range) => {
		expect(readRangeHeader(headers)).toEqual(range);
	});
});

describe('The fields of headers', () => {
	it.each([
		[{ 'x-wp-total': '7' }, [{ total: '7' }]],
		[{ 'pagination-total': '7' }, [{ total: '7' }]],
		[{ 'max-x-total': '7' }, [{ 'max-x-total': '7' }]],
		[{ 'my-wp-total': '7' }, [{ 'my-wp-total': '7' }]],
		[{ 'x-pagination': '{"total":7}' }, [{ pagination: '{"total":7}' }, { total: 7 }]],
		[{ 'x-pagination': '{' }, [{ pagination: '{' }]],
	])(
		'the fields of headers have the names without the words in front of them: %j',
		(headers, fields) => {
			expect(headerFields(headers)).toEqual(fields);
		},
	);
});
