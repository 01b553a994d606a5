import { type ListSwitches, syntheticRecord } from '../../reference-service';
import { referenceServices } from './services';

const start = referenceServices();

async function page(list: Partial<ListSwitches>, target = 'users?page=1&pageSize=2', count = 5) {
	const running = await start({ switches: { list } });
	await running.service.seed('users', count);
	return await running.list(target);
}

const records = [syntheticRecord('users', 3), syntheticRecord('users', 4)];
const plain = { page: 1, pageSize: 2, total: 5, totalPages: 3 };

describe('envelope', () => {
	it.each([
		['array', records],
		['data', { data: records, ...plain }],
		['items', { items: records, ...plain }],
		['results', { results: records, ...plain }],
		['records', { records, ...plain }],
		['named', { users: records, ...plain }],
		['string', { data: JSON.stringify(records), ...plain }],
		['resultList', { result: { list: records, ...plain } }],
		['dataItems', { data: { items: records, ...plain } }],
		[
			'content',
			{
				content: records,
				first: false,
				number: 1,
				size: 2,
				totalElements: 5,
				totalPages: 3,
				last: false,
			},
		],
		[
			'embedded',
			{
				_embedded: { users: records },
				page: { size: 2, totalElements: 5, totalPages: 3, number: 1 },
			},
		],
	] as const)('sends the records in the envelope %s', async (envelope, expected) => {
		expect((await page({ envelope })).json).toEqual(expected);
	});

	it('value (OData)', async () => {
		expect((await page({ envelope: 'value' })).json).toEqual({
			'@odata.context': '$metadata#users',
			value: records,
			'@odata.count': 5,
			'@odata.nextLink': expect.stringMatching(
				/^http:\/\/127\.0\.0\.1:\d+\/api\/external\/v2\/users\?page=2&pageSize=2$/,
			) as unknown,
		});
	});

	it.each([
		['twoArrays', ['included', 'users']],
		['twoArraysUnnamed', ['included', 'list']],
	] as const)(
		'sends a second list before the records in the envelope %s',
		async (envelope, keys) => {
			const answer = (await page({ envelope })).json as Record<string, unknown>;
			expect(Object.keys(answer).slice(0, 2)).toEqual(keys);
			expect(answer[keys[0]]).toEqual([
				expect.objectContaining({ type: 'site' }),
				expect.objectContaining({ type: 'site' }),
			]);
			expect(answer[keys[1]]).toEqual(records);
		},
	);

	it('fills in the template of an envelope', async () => {
		const template = {
			a: { b: '{records}' },
			count: '{total}',
			text: 'page {page} of {totalPages}',
		};
		expect((await page({ envelope: { template } })).json).toEqual({
			a: { b: records },
			count: 5,
			text: 'page 1 of 3',
		});
	});

	it('sends what a function makes of the records', async () => {
		const answer = await page({
			envelope: ({ resource, records: shown, metadata }) => ({
				[resource]: shown,
				end: metadata.last,
			}),
		});
		expect(answer.json).toEqual({ users: records, end: false });
	});
});

describe('metadata', () => {
	it('sends no metadata if there is to be none', async () => {
		expect((await page({ metadata: 'none' })).json).toEqual({ data: records });
		expect((await page({ envelope: 'content', metadata: 'none' })).json).toEqual({
			content: records,
			first: false,
		});
	});

	it('exactly these, under a key, with other names', async () => {
		const answer = await page({
			metadata: ['total', 'last', 'hasNext', 'hasMore'],
			metadataUnder: 'meta',
			metadataNames: { total: 'totalCount' },
		});
		expect(answer.json).toEqual({
			data: records,
			meta: { totalCount: 5, last: false, hasNext: true, hasMore: true },
		});
	});

	it('next is there until the end', async () => {
		const metadata: ListSwitches['metadata'] = ['next', 'last'];
		expect((await page({ metadata })).json).toEqual({
			data: records,
			next: expect.stringContaining('page=2') as unknown,
			last: false,
		});
		expect((await page({ metadata }, 'users?page=2&pageSize=2')).json).toEqual({
			data: [syntheticRecord('users', 5)],
			last: true,
		});
	});

	it('sends the total and the next page in headers', async () => {
		const metadataHeaders: ListSwitches['metadataHeaders'] = ['link', 'xTotalCount'];
		const answer = await page({ metadataHeaders });
		expect(answer.headers['x-total-count']).toBe('5');
		expect(answer.headers.link).toMatch(/^<http:.*[?&]page=2&pageSize=2>; rel="next"$/);
		const last = await page({ metadataHeaders }, 'users?page=2&pageSize=2');
		expect(last.headers.link).toBeUndefined();
	});

	it.each([
		[3, 8, 4],
		[-2, 3, 2],
		[-9, 0, 0],
	])('states a total that lags by %p', async (totalLag, total, totalPages) => {
		const answer = await page({ totalLag, metadata: ['total', 'totalPages', 'last'] });
		expect(answer.json).toEqual({ data: records, total, totalPages, last: false });
	});
});

describe('emptyAs', () => {
	it.each([
		['data', 'array', { data: [] }],
		['data', 'null', { data: null }],
		['data', 'missing', {}],
		['array', 'array', []],
		['array', 'null', null],
		['array', 'missing', undefined],
		['embedded', 'missing', {}],
		['resultList', 'missing', { result: {} }],
		[{ template: { a: { b: '{records}' }, n: 1 } }, 'missing', { a: {}, n: 1 }],
		[{ template: { a: { b: '{records}' }, n: 1 } }, 'null', { a: { b: null }, n: 1 }],
	] as const)(
		'sends an empty list in the envelope %p as %s',
		async (envelope, emptyAs, expected) => {
			const answer = await page({ envelope, emptyAs, metadata: 'none' }, 'users', 0);
			expect(answer.status).toBe(200);
			expect(answer.json).toEqual(expected);
		},
	);

	it('answers an empty list with 204 if it is to have no content', async () => {
		const answer = await page({ emptyAs: 'noContent' }, 'users', 0);
		expect(answer).toMatchObject({ status: 204, text: '' });
	});

	it.each([
		[0, 200],
		[1, 204],
	])(
		'answers page %p of an empty list with %p if only pages after the end are to have no content',
		async (number, status) => {
			const target = `users?page=${number}`;
			const answer = await page({ emptyAs: 'noContent', emptyOnlyBeyondEnd: true }, target, 0);
			expect(answer).toMatchObject({ status });
		},
	);
});
