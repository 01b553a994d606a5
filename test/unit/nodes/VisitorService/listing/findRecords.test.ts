import {
	findRecords,
	readRecords,
	shapeOf,
} from '../../../../../nodes/VisitorService/listing/findRecords';
import { LISTED_RESOURCES } from '../../../../../nodes/VisitorService/listing/resources';
import { ServiceFailure } from '../../../../../nodes/VisitorService/transport/serviceFailure';

const records = [{ id: 1 }, { id: 2 }];
const others = [{ id: 'site-1' }];

const find = (body: unknown, itemsPath = '', resource: keyof typeof LISTED_RESOURCES = 'user') =>
	findRecords(body, { keys: LISTED_RESOURCES[resource].keys, itemsPath });

const failureOf = (act: () => unknown): ServiceFailure => {
	try {
		act();
	} catch (error) {
		if (error instanceof ServiceFailure) return error;
		throw error;
	}
	throw new Error('Nothing was thrown.');
};

describe('findRecords', () => {
	it.each<[string, string, unknown]>([
		['a bare array', '', records],
		['data', 'data', { data: records }],
		['items', 'items', { items: records, total: 2 }],
		['the name of the resource', 'users', { users: records }],
		['the name in another case', 'Users', { Users: records }],
		[
			'content of Spring',
			'content',
			{ content: records, pageable: { sort: [] }, sort: [], last: true },
		],
		['results', 'results', { count: 2, next: null, results: records }],
		['value of OData', 'value', { '@odata.context': 'x', value: records }],
		['d.results of OData 2', 'd.results', { d: { results: records } }],
		[
			'_embedded of HAL',
			'_embedded.users',
			{ _embedded: { users: records }, _links: {}, page: {} },
		],
		['_embedded of HAL by any name', '_embedded.staff', { _embedded: { staff: records } }],
		['result.list', 'result.list', { result: { list: records } }],
		['data.items', 'data.items', { data: { items: records, total: 2 } }],
		['response.data.users', 'response.data.users', { response: { data: { users: records } } }],
		['the resource inside data', 'data.users', { data: { users: records, sites: others } }],
		['an array by any name', 'staff', { staff: records, total: 2 }],
	])('finds the list of %s', (_, path, body) => {
		expect(find(body)).toEqual({ records, path });
	});

	it.each<[string, string, unknown]>([
		['named for the resource first', 'users', { data: others, users: records }],
		['with a usual name before any other', 'list', { sites: others, list: records }],
		['of records, not of texts', 'rows', { data: ['a', 'b'], rows: records }],
		['and no companion', 'staff', { included: others, errors: [], links: others, staff: records }],
		['and not what else is empty', 'items', { data: [], items: records }],
	])('takes of two arrays the one %s', (_, path, body) => {
		expect(find(body)).toEqual({ records, path });
	});

	it.each<[string, unknown]>([
		['an empty list beside other records', { users: [], sites: others }],
		['an empty list of a usual name beside other records', { list: [], sites: others }],
		['null', null],
		['no body', undefined],
		['an empty array', []],
		['a list that is null', { data: null }],
		['a list that is null inside', { data: { items: null }, total: 0 }],
		['a null list named for the resource', { users: null, total: 0 }],
		['a null list named for the resource beside others', { users: null, sites: others }],
		['a null list and 200 in five digits', { code: 20000, data: null }],
		['no list and a total of 0', { total: 0 }],
		['HAL without _embedded', { page: { totalElements: 0 }, _links: {} }],
		['no list and no page', { totalPages: '0' }],
	])('takes for an empty page: %s', (_, body) => {
		expect(find(body).records).toEqual([]);
	});

	it.each<[string, unknown, RegExp]>([
		['42', 42, /a number instead of a list/],
		['true', true, /a boolean instead/],
		['a text', 'not json', /text that is no complete JSON/],
		['an empty text', '', /with nothing instead/],
		['a blank text', ' \n', /with nothing instead/],
		['cut-off JSON', '{"data":[{"id":1},{"i', /text that is no complete JSON/],
		['HTML', '<!DOCTYPE html><html></html>', /a web page/],
		['HTML without a doctype', '\n <html><body>Sign in</body></html>', /a web page/],
		['an error', { error: 'unauthorized' }, /refused the request, although/],
		['an error object', { error: { code: 1 }, data: [] }, /refused the request, although/],
		[
			'a list of errors',
			{ errors: [{ message: 'no' }], data: records },
			/refused the request, although/,
		],
		['success false', { success: false, data: records }, /refused the request, although/],
		['status error', { status: 'error', data: [] }, /refused the request, although/],
		['success "false"', { isSuccess: 'false', data: [] }, /refused the request, although/],
		[
			'an error in another case',
			{ Data: [], Error: 'Database is down' },
			/refused the request, although/,
		],
		['an error within data', { data: { error: 'no', items: [] } }, /refused the request, although/],
		['a status object', { status: { code: 500 }, users: [] }, /refused the request, although/],
		[
			'a code of its own',
			{ code: 1001, message: 'no', data: null },
			/refused the request, although/,
		],
		['a negative code', { code: '-1', data: null, page: {} }, /refused the request, although/],
		['status 403', { status: 403, message: 'no' }, /refused the request, although/],
		['code "401"', { code: '401', msg: 'no', data: null }, /refused the request, although/],
		[
			'RFC 9457',
			{ type: 'about:blank', title: 'Bad', status: 400 },
			/refused the request, although/,
		],
		['an empty object', {}, /no list of records\. It has no fields/],
		['a message only', { message: 'hello' }, /Fields seen: message\./],
		['one record', { id: 1, name: 'User', roles: [{ id: 2 }] }, /Fields seen: id, name, roles\./],
		['one record inside data', { data: { id: 1, roles: [{ id: 2 }] } }, /Fields seen: data\./],
		['a map of records', { users: { a: { id: 1 } } }, /Fields seen: users\./],
		['a list of numbers', [1, 2], /elements are not all records/],
		['a list of lists', [[{ id: 1 }]], /elements are not all records/],
		['a list with a null', [{ id: 1 }, null], /elements are not all records/],
		['a list of texts', { data: ['a'] }, /at "data" a list whose elements are not all records/],
		['a list written as text', { data: '[{"id":1}]' }, /Fields seen: data\./],
	])('refuses %s', (_, body, message) => {
		for (const resource of ['user', 'company', 'visit', 'task'] as const) {
			const failure = failureOf(() => find(body, '', resource));
			expect(failure.message).toMatch(message);
			expect(failure.remedy).toMatch(/^[A-Z].*\.$/);
		}
	});

	it.each<[string, unknown]>([
		['null', { error: null }],
		['false', { error: false }],
		['0', { errorCode: 0 }],
		['"0"', { errorCode: '0' }],
		['an empty list', { errors: [] }],
		['an empty object', { error: {} }],
		['"none"', { error: 'none' }],
		['success', { success: true, ok: true, code: 200, status: 'OK' }],
		['a status that is no code', { status: 4000 }],
		['a success code of five digits', { code: 20000 }],
		['a code in the metadata', { meta: { code: 1000 } }],
		['a success object', { status: { code: 200, success: true } }],
	])('takes for no error: %s', (_, fields) => {
		expect(find({ ...(fields as object), data: records }).records).toEqual(records);
	});

	it('names at most fifteen fields, cut short', () => {
		const body = Object.fromEntries(
			Array.from({ length: 20 }, (_, place) => [`field${place}${'x'.repeat(60)}`, 1]),
		);
		const { message } = failureOf(() => find(body));
		expect(message.match(/field/g)).toHaveLength(15);
		expect(message).not.toContain('x'.repeat(50));
	});

	it('quotes the service without what may be a secret or a person', () => {
		const body = { error: 'bad Bearer abc.def for user-000123@example.test' };
		const { serverText } = failureOf(() => find(body));
		expect(serverText).toBe('bad Bearer … for …');
	});

	describe('with itemsPath', () => {
		it('takes the list at the path, whatever else there is', () => {
			expect(find({ users: others, deep: { er: records } }, 'deep.er')).toEqual({
				records,
				path: 'deep.er',
			});
		});

		it.each([[{ deep: null }], [{ total: 0 }], [null]])('takes %p for an empty page', (body) => {
			expect(find(body, 'deep').records).toEqual([]);
		});

		it.each<[unknown, RegExp]>([
			[{ users: records }, /no list at "deep"\. Fields seen: users\./],
			[{ deep: { id: 1 } }, /no list at "deep"\. Fields seen: deep\./],
			[records, /no list at "deep"\. The answer itself is a list\./],
			[{ deep: [1] }, /at "deep" a list whose elements are not all records/],
			[{ deep: records, error: 'no' }, /refused the request, although/],
			['text', /no complete JSON/],
		])('refuses %p', (body, message) => {
			expect(failureOf(() => find(body, 'deep')).message).toMatch(message);
		});
	});
});

describe('readRecords', () => {
	const first = shapeOf({ data: records, total: 2, message: 'fine', code: 0 });
	const read = (body: unknown, path = 'data') => readRecords(body, path, first);

	it('reads the list where the first page had it, whatever else looks like one', () => {
		expect(read({ data: records, users: others })).toEqual(records);
		expect(read(records, '')).toEqual(records);
	});

	it.each([
		[null],
		[undefined],
		[{ data: null }],
		[{ data: [] }],
		[{ total: 2 }],
		[{}],
		[{ total: 0, x: 1 }],
		[{ data: null, code: 0 }],
		[{ data: null, code: 200 }],
	])('takes %p for an empty page', (body) => {
		expect(read(body)).toEqual([]);
	});

	it.each<[unknown, RegExp]>([
		['', /with nothing/],
		['<html>', /a web page/],
		[42, /a number/],
		[{ error: 'no' }, /refused the request, although/],
		[{ message: 'The server is busy' }, /A page has no list at "data".*Fields seen: message\./],
		[{ data: null, notice: 'busy' }, /A page has no list/],
		[{ data: null, code: 7, message: 'busy' }, /A page has no list/],
		[{ data: { id: 1 } }, /A page has no list/],
		[{ data: [1] }, /not all records/],
		[records, /A page has no list/],
		[{ items: records }, /A page has no list/],
	])('refuses %p', (body, message) => {
		expect(failureOf(() => read(body)).message).toMatch(message);
	});

	it('refuses an object where the first page was a bare array', () => {
		expect(failureOf(() => read({}, '')).message).toMatch(/A page has no list/);
	});
});
