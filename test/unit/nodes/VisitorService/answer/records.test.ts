import {
	findRecords,
	type ListReading,
	shapeOf,
} from '../../../../../nodes/VisitorService/answer/records';
import { LISTED_RESOURCES } from '../../../../../nodes/VisitorService/answer/resources';
import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';

const records = [{ id: 1 }, { id: 2 }];
const others = [{ id: 'site-1' }];

const find = (body: unknown, itemsPath = '', resource: keyof typeof LISTED_RESOURCES = 'user') =>
	findRecords({ statusCode: 200, body }, { keys: LISTED_RESOURCES[resource].keys, itemsPath });
const requireRecords = (reading: ListReading) => {
	if ('failure' in reading) throw reading.failure;
	return reading.records;
};
const recordsIn = (...args: Parameters<typeof find>) => requireRecords(find(...args));

const failureOf = (act: () => unknown): ServiceFailure => {
	try {
		act();
	} catch (error) {
		if (error instanceof ServiceFailure) return error;
		throw error;
	}
	throw new Error('Nothing was thrown.');
};

const users = { keys: LISTED_RESOURCES.user.keys, itemsPath: '' };

/** As on a later page, whose list is known to be at a path. */
const readRecords = (body: unknown, path: string, shape: ReadonlySet<string>) =>
	findRecords({ statusCode: 200, body }, users, { path, shape });

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
		expect(find(body)).toMatchObject({ kind: 'records', records, path });
	});

	it.each<[string, string, unknown]>([
		['named for the resource first', 'users', { data: others, users: records }],
		['with a usual name before any other', 'list', { sites: others, list: records }],
		['of records, not of texts', 'rows', { data: ['a', 'b'], rows: records }],
		['and no companion', 'staff', { included: others, errors: [], links: others, staff: records }],
		['and not what else is empty', 'items', { data: [], items: records }],
	])('takes of two arrays the one %s', (_, path, body) => {
		expect(find(body)).toMatchObject({ kind: 'records', records, path });
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
		expect(recordsIn(body)).toEqual([]);
	});

	it.each<[string, unknown, RegExp]>([
		['42', 42, /a number instead of a list/],
		['true', true, /a boolean instead/],
		['a text', 'not json', /text that is not complete JSON/],
		['an empty text', '', /with nothing instead/],
		['a blank text', ' \n', /with nothing instead/],
		['cut-off JSON', '{"data":[{"id":1},{"i', /text that is not complete JSON/],
		['HTML', '<!DOCTYPE html><html></html>', /a web page/],
		['HTML without a doctype', '\n <html><body>Sign in</body></html>', /a web page/],
		['an error', { error: 'unauthorized' }, /refused the request, but/],
		['an error object', { error: { code: 1 }, data: [] }, /refused the request, but/],
		[
			'a list of errors',
			{ errors: [{ message: 'no' }], data: records },
			/refused the request, but/,
		],
		['success false', { success: false, data: records }, /refused the request, but/],
		['status error', { status: 'error', message: 'busy', data: [] }, /refused the request, but/],
		['success "false"', { isSuccess: 'false', data: null }, /refused the request, but/],
		[
			'an error in another case',
			{ Data: [], Error: 'Database is down' },
			/refused the request, but/,
		],
		['an error within data', { data: { error: 'no', items: [] } }, /refused the request, but/],
		['a status object', { status: { code: 500 }, users: [] }, /refused the request, but/],
		['a code of its own', { code: 1001, message: 'no', data: null }, /refused the request, but/],
		['a negative code', { code: '-1', data: null, page: {} }, /refused the request, but/],
		['status 403', { status: 403, message: 'no' }, /refused the request, but/],
		['code "401"', { code: '401', msg: 'no', data: null }, /refused the request, but/],
		['RFC 9457', { type: 'about:blank', title: 'Bad', status: 400 }, /refused the request, but/],
		['an object without a list', { version: 2 }, /no list of records\. Fields seen: version\./],
		['a message only', { message: 'hello' }, /Fields seen: message\./],
		['one record', { id: 1, name: 'User', roles: [{ id: 2 }] }, /Fields seen: id, name, roles\./],
		['one record inside data', { data: { id: 1, roles: [{ id: 2 }] } }, /Fields seen: data\./],
		['a map of records', { users: { a: { id: 1 } } }, /Fields seen: users\./],
		['a list of numbers', [1, 2], /elements are not all records/],
		['a list of lists', [[{ id: 1 }]], /elements are not all records/],
		['a list with a null', [{ id: 1 }, null], /elements are not all records/],
		['a list of texts', { data: ['a'] }, /Fields seen: data\./],
		['a list written as text', { data: '[{"id":1}]' }, /Fields seen: data\./],
	])('refuses an answer it cannot read as records: %s', (_, body, message) => {
		for (const resource of ['user', 'company', 'visit', 'task'] as const) {
			const failure = failureOf(() => recordsIn(body, '', resource));
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
		expect(recordsIn({ ...(fields as object), data: records })).toEqual(records);
	});

	it('names at most fifteen fields, cut short', () => {
		const body = Object.fromEntries(
			Array.from({ length: 20 }, (_, place) => [`field${place}${'x'.repeat(60)}`, 1]),
		);
		const { message } = failureOf(() => recordsIn(body));
		expect(message.match(/field/g)).toHaveLength(15);
		expect(message).not.toContain('x'.repeat(50));
	});

	it('quotes the service without what may be a secret or a person', () => {
		const body = { error: 'bad Bearer abc.def for user-000123@example.test' };
		const { serverText } = failureOf(() => recordsIn(body));
		expect(serverText).toBe('bad Bearer … for …');
	});

	describe('with itemsPath', () => {
		it('takes the list at the path, whatever else there is', () => {
			expect(find({ users: others, deep: { er: records } }, 'deep.er')).toMatchObject({
				records,
				path: 'deep.er',
			});
		});

		it.each([[{ deep: null }], [{ total: 0 }], [null]])('takes %p for an empty page', (body) => {
			expect(recordsIn(body, 'deep')).toEqual([]);
		});

		it.each<[unknown, RegExp]>([
			[{ deep: { page: 0, pageSize: 10 } }, /no list at "deep"/],
			[{ deep: { id: 1, name: 'A', users: records } }, /no list at "deep"/],
			[{ users: records }, /no list at "deep"\. Fields seen: users\./],
			[{ deep: { id: 1 } }, /no list at "deep"\. Fields seen: deep\./],
			[records, /no list at "deep"\. The answer itself is a list\./],
			[{ deep: [1] }, /at "deep" a list whose elements are not all records/],
			[{ deep: records, error: 'no' }, /refused the request, but/],
			['text', /not complete JSON/],
		])('refuses an answer without readable records at Items Path: %p', (body, message) => {
			expect(failureOf(() => recordsIn(body, 'deep')).message).toMatch(message);
		});
	});
});

describe('readRecords', () => {
	const first = shapeOf({ data: records, total: 2, message: 'fine', code: 0 });
	const read = (body: unknown, path = 'data') => requireRecords(readRecords(body, path, first));

	it.each(['message', 'Message', 'REASON'])(
		'refuses a page without a list if "%s" says why',
		(name) => {
			const shape = shapeOf({ data: records, total: 2, [name]: 'fine' }, 'data');
			const answered = (text: string) => ({ total: 2, [name]: text });
			expect(() =>
				requireRecords(readRecords(answered('Come back tomorrow'), 'data', shape)),
			).toThrow('A page has no list at "data"');
			expect(() =>
				requireRecords(readRecords(answered('The server is busy'), 'data', shape)),
			).toThrow('The service refused the request');
		},
	);

	it('reads the list at the path of the first page, whatever else looks like one', () => {
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
		[{ error: 'no' }, /refused the request, but/],
		[{ message: 'Come back' }, /A page has no list at "data".*Fields seen: message\./],
		[{ message: 'The server is busy' }, /refused the request, but/],
		[{ data: null, notice: 'busy' }, /A page has no list/],
		[{ data: null, code: 7, message: 'Come back' }, /A page has no list/],
		[{ data: null, code: 7, message: 'busy' }, /refused the request, but/],
		[{ data: [], code: 1015 }, /refused the request, but/],
		[{ data: [], status: 'OVER_QUERY_LIMIT' }, /refused the request, but/],
		[{ data: [], message: 'Service busy, try later' }, /refused the request, but/],
		[{ data: { id: 1 } }, /A page has no list/],
		[{ data: [1] }, /not all records/],
		[records, /A page has no list/],
		[{ items: records }, /A page has no list/],
	])('refuses a page it cannot read as records: %p', (body, message) => {
		expect(failureOf(() => read(body)).message).toMatch(message);
	});

	it.each<[string, object, object]>([
		[
			'another object beside the way to the list',
			{ Envelope: { Body: { Users: { User: records } } } },
			{ Envelope: { Body: { Fault: { faultcode: 'Server' } } } },
		],
		[
			'another status on the way to the list',
			{ Envelope: { Body: { Users: { Status: 'Open', User: records } } } },
			{ Envelope: { Body: { Users: { Status: 'Closed' } } } },
		],
	])('takes no page for an empty one that has %s', (_, page, body) => {
		const path = 'Envelope.Body.Users.User';
		const shape = shapeOf(page, path);
		expect(readRecords(body, path, shape).kind).toBe('fault');
		const empty = { Envelope: { Body: {} } };
		expect(readRecords(empty, path, shape).kind).toBe('nothing');
	});

	it('believes an empty page whose code is that of the pages before it', () => {
		const shape = shapeOf({ status: 'partial', code: 7000, data: records }, 'data');
		const body = { status: 'partial', code: 7000, data: [] };
		expect(readRecords(body, 'data', shape)).toMatchObject({ records: [] });
	});

	it('reads nothing from an empty object if the first page was a bare array', () => {
		const first = shapeOf(records);
		expect(readRecords({}, '', first)).toMatchObject({ kind: 'nothing', records: [] });
	});
});

describe('what stands in place of the list', () => {
	const first = { Users: { User: [{ id: 1, name: 'a', email: 'x' }, { id: 2 }] }, page: 0 };
	const shape = shapeOf(first, 'Users.User');
	const read = (User: unknown) => readRecords({ Users: { User }, page: 1 }, 'Users.User', shape);

	it.each<[unknown]>([[{}], [''], [' '], [false], [null]])(
		'reads nothing on a later page if what is in place of the list holds nothing: %j',
		(value) => expect(read(value)).toMatchObject({ kind: 'nothing', records: [] }),
	);

	it.each<[unknown]>([[{}], [''], [' ']])(
		'reads nobody on the first page if what is in place of the list holds nothing: %j',
		(users) => {
			expect(find({ users, page: 1, pageSize: 100 })).toMatchObject({
				kind: 'nothing',
				records: [],
			});
			expect(find({ deep: users, page: 1 }, 'deep')).toMatchObject({
				kind: 'nothing',
				records: [],
			});
		},
	);

	it('refuses a first page with a number in place of the list, or in which something else holds nothing', () => {
		expect(find({ users: 0, tasks: 5 })).toMatchObject({ kind: 'fault' });
		expect(find({ sites: {}, page: 1 })).toMatchObject({ kind: 'fault' });
	});

	it('reads nobody if the only object around the total says so', () => {
		const body = {
			UserInfoSearch: { searchID: '1', responseStatusStrg: 'NO MATCH', totalMatches: 0 },
		};
		expect(find(body)).toMatchObject({ kind: 'records', records: [] });
		expect(find({ ...body, site: { name: 'x' } })).toMatchObject({ kind: 'fault' });
	});
});

describe('what an answer holds', () => {
	it.each<[string, unknown]>([
		['null', null],
		['an empty object', {}],
		['a null list', { data: null }],
		['a null list inside', { data: { items: null } }],
		['a null list of any name and a count of 0', { visitors: null, count: 0 }],
		['an empty object in place of the list', { data: {} }],
	])('what an answer holds is nothing in %s', (_, body) => {
		expect(find(body)).toMatchObject({ kind: 'nothing', records: [] });
		expect(readRecords(body, 'data', shapeOf({ data: records }))).toMatchObject({
			kind: 'nothing',
		});
	});

	it('what an answer holds is nothing in an answer of status 204', () => {
		const answer = { statusCode: 204, body: '' };
		expect(findRecords(answer, { keys: ['users'], itemsPath: '' })).toMatchObject({
			kind: 'nothing',
			records: [],
		});
	});

	it.each<[string, unknown]>([
		['an empty list', { users: [] }],
		['one empty list of any name', { visitors: [] }],
		['one empty list of any name and a count', { userList: [], page: 0 }],
		['an empty list of Hydra', { 'hydra:member': [], 'hydra:totalItems': 0 }],
		['an empty list deep down', { envelope: { answer: { visitors: [] } } }],
		['several lists that are all empty', { expected: [], arrived: [], departed: [] }],
		['a total of 0', { total: 0 }],
	])('what an answer holds is an explicitly empty list in %s', (_, body) => {
		expect(find(body)).toMatchObject({ kind: 'records', records: [] });
	});

	it.each<[string, unknown]>([
		['a code of 404', { code: 404, message: 'No records found', data: [] }],
		['a code of 404 as text, and null', { status: '404', message: 'No data', data: null }],
		['success false', { success: false, message: 'No records found', data: [] }],
		['status error', { status: 'error', message: 'No visits found.', data: [] }],
		['an error object', { error: { code: 404, message: 'Page out of range' }, users: [] }],
		['a text alone', { message: 'No users found' }],
		['a code of its own', { code: 1001, msg: 'No more data', data: null }],
	])('means no data, even on a first page, if it has %s', (_, body) => {
		const first = shapeOf({ data: records });
		expect(find(body)).toMatchObject({ kind: 'records', records: [] });
		expect(readRecords(body, 'data', first)).toMatchObject({ kind: 'noData' });
	});

	// It may be an error of any kind, which is not to look like a list that everybody left.
	it.each([
		{ success: false, data: [] },
		{ status: 'error', data: [] },
	])('what an answer holds is nothing if it failed without a word: %j', (body) => {
		const first = shapeOf({ data: records });
		expect(find(body)).toMatchObject({ kind: 'nothing', records: [] });
		expect(readRecords(body, 'data', first)).toMatchObject({ kind: 'nothing' });
	});

	it.each<[string, unknown]>([
		['says nothing of records', { code: 404 }],
		['names another thing', { code: 404, message: 'Tenant not found', data: null }],
		['names the address', { status: 410, message: 'No such route found' }],
	])('means no data, except on a first page, if a code of 404 or 410 %s', (_, body) => {
		expect(find(body)).toMatchObject({ kind: 'noData', meansEmpty: false });
	});

	it.each<[string, unknown]>([
		['another reason beside an empty list', { success: false, message: 'Busy.', data: [] }],
		['what is missing is no record', { success: false, message: 'Token not found', data: [] }],
		['records beside it', { success: false, message: 'No records found', data: records }],
		['another code beside an empty list', { status: { code: 500 }, users: [] }],
		['a code of its own and why', { code: 1015, message: 'rate limit exceeded', data: [] }],
		['a text alone', { message: 'Unauthorized', data: [] }],
		['the name of a code', { status: 'REQUEST_DENIED', results: [] }],
		['a text under a short name', { err: 'Database timeout', users: [] }],
		['another code', { resultCode: 500, users: [] }],
		['a code that failed', { return_code: 'FAIL', return_msg: 'sign error', list: [] }],
		['a page size', { success: false, message: 'Page size exceeds maximum of 50' }],
		['half a request', { success: false, error: 'Unexpected end of JSON input' }],
		['an index', { success: false, message: 'list index out of range', data: [] }],
		['a column', { success: false, message: 'SQLSTATE[42S22]: Column not found', data: [] }],
		['another resource', { success: false, message: 'Organization not found', data: [] }],
		['a field that is empty', { code: '40001', msg: 'siteId can not be empty', data: null }],
		['what is not available', { error: 'no shard available for [people]', status: 503 }],
	])('what an answer holds is a fault if the service says that it failed, with %s', (_, body) => {
		expect(find(body)).toMatchObject({ kind: 'fault', failure: { kind: 'answer' } });
	});

	it.each<[string, object]>([
		['an error of code 0', { error: { code: 0, message: null } }],
		['an error of code 200', { error: { code: 200, message: 'OK' } }],
		['an error of code 0 with a text', { error: { code: '0', message: 'Done.' } }],
		['a text of success', { errorCode: 0, errorMessage: 'Success.' }],
		['another text of success', { errorMessage: 'Operation successful' }],
		['a code of success beside any text', { errcode: 0, errmsg: 'fine' }],
		['a count of errors', { errors: { count: 0 } }],
		['a list of null', { errors: [null] }],
		['a list of empty objects', { errors: [{}] }],
		['the flag N', { error: 'N' }],
		['a code without error in words', { ErrorCode: 'NoError' }],
		['a code without error in capitals', { error_code: 'NO_ERROR' }],
		['a code of success in capitals', { errorCode: 'ERROR_SUCCESS' }],
		['a code of Windows', { errorCode: 'S_OK' }],
		['a code of success in hexadecimal', { error: '0x0' }],
		['a type of no error', { success: true, error: { type: 'NoError' } }],
		['a text without errors', { errorMessage: 'Completed without errors' }],
		['"No errors"', { error: 'No errors' }],
		['"No errors found."', { error: 'No errors found.' }],
		['a text that a code contradicts', { code: 200, error: 'Completed', message: 'Completed' }],
	])('what an answer holds is the list, though it speaks of an error, beside %s', (_, fields) => {
		expect(find({ ...fields, data: records })).toMatchObject({ kind: 'records', records });
		expect(find({ ...fields, deep: { er: records } }, 'deep.er')).toMatchObject({ records });
	});
});

describe('the choice among several lists', () => {
	const visits = [{ id: 7 }, { id: 8 }];
	const links = [{ rel: 'self' }];
	const named = [{ name: 'x' }];

	it.each<[string, string, unknown]>([
		['deep', 'UserInfoSearch.UserInfo', { UserInfoSearch: { numOfMatches: 2, UserInfo: records } }],
		['of a GraphQL field', 'data.listUsers.items', { data: { listUsers: { items: records } } }],
		[
			'of a SOAP body',
			's:Envelope.s:Body.GetAllResponse.GetAllResult.b:Cardholder',
			{
				's:Envelope': {
					's:Header': { to: 'x' },
					's:Body': { GetAllResponse: { GetAllResult: { 'b:Cardholder': records } } },
				},
			},
		],
		['with IDs', 'staff', { groups: named, staff: records }],
		['named for the resource with more words', 'userList', { siteList: others, userList: records }],
		['outside what describes the answer', 'staff', { staff: records, meta: { groups: others } }],
		['outside included records', 'data', { data: records, includes: { users: others } }],
		['by any name outside linked records', 'staff', { staff: records, linked: { people: others } }],
		['that is empty beside included records', 'data', { data: [], included: { users: others } }],
		[
			'in a companion if there is no other',
			'search.users',
			{ search: { users: records }, tags: ['x'] },
		],
		[
			'named for the resource, though it is called as a companion',
			'users',
			{ users: records, links: others },
		],
		['outside a record', 'staff', { staff: records, me: { id: 1, roles: others } }],
		['nearer than one of a usual name', 'staff', { options: { values: named }, staff: records }],
		[
			'of an answer with an ID that speaks of pages',
			'cards',
			{ id: 'x', total: 2, cards: records },
		],
	])('takes the list %s', (_, path, body) => {
		expect(find(body)).toMatchObject({ kind: 'records', path });
	});

	it.each<[string, RegExp, unknown]>([
		['have IDs', /: arrived, departed\.$/, { arrived: visits, departed: records }],
		['have none', /: arrived, departed\.$/, { arrived: named, departed: links }],
		['are empty on a quiet day', /: sites, visitors\.$/, { visitors: [], sites: others }],
	])('names all that %s, and takes none', (_, message, body) => {
		const reading = find(body);
		expect(reading).toMatchObject({ kind: 'fault', failure: { kind: 'noList' } });
		expect(reading.kind === 'fault' && reading.failure.message).toMatch(message);
	});

	it.each<[string, string, unknown]>([
		['MongoDB’s $facet', '0.data', [{ total: 250, data: records }]],
		[
			'MongoDB’s $facet with counts',
			'0.data',
			[{ meta: [{ total: 9 }], n: [{ n: 9 }], data: records }],
		],
		[
			'a board',
			'data.boards.0.items_page.items',
			{ data: { boards: [{ items_page: { cursor: 'c', items: records } }] } },
		],
		[
			'XML read as lists',
			'Response.Users.0.User',
			{ Response: { Users: [{ User: [{ Id: ['7'] }] }] } },
		],
		[
			'a list that bears the name itself',
			'users.0.items',
			{ users: [{ items: records, hasMore: true }] },
		],
		['an envelope of an empty list', '0.data', [{ total: 0, data: [] }]],
	])('takes the list in an envelope in a list: %s', (_, path, body) => {
		expect(find(body)).toMatchObject({ kind: 'records', path });
	});

	it('reads the page after the first in an envelope in a list', () => {
		const shape = shapeOf([{ total: 2, data: records }], '0.data');
		const read = (body: unknown) => readRecords(body, '0.data', shape);
		expect(read([{ total: 2, data: others }])).toMatchObject({ records: others });
		expect(read([{ total: 2, data: [] }])).toMatchObject({ records: [] });
	});

	it.each<[string, object]>([
		['an ID', { id: 7, roles: others }],
		['an ID of another name', { userId: 7, total: 2, items: records }],
		['a name', { name: 'Anna', roles: others, groups: [] }],
		['texts in lists', { name: ['Anna'], roles: others }],
		['only an object in it', { user: { name: 'Anna' }, roles: others }],
		['a record in it', { node: { id: 7, posts: others } }],
	])('takes a single record with lists for no envelope if it has %s', (_, record) => {
		expect(find([record])).toMatchObject({ records: [record], path: '' });
		expect(find({ users: [record], total: 1 })).toMatchObject({ records: [record], path: 'users' });
	});

	it('finds the list beside the total in a list of both', () => {
		expect(find([records, 120])).toMatchObject({ records, path: '0' });
		expect(find([120, records])).toMatchObject({ records, path: '1' });
		expect(find([[], 0])).toMatchObject({ records: [], path: '0' });
	});

	it.each([[[[]]], [[[], []]], [[[], 'x']], [[3, 120]]])(
		'does not take %j for a list beside its total',
		(body) => {
			expect(find(body)).toMatchObject({ kind: 'fault' });
		},
	);

	it('takes two records of lists alone for no envelopes', () => {
		expect(find([{ roles: others }, { roles: others }])).toMatchObject({ path: '' });
	});

	it.each([
		'violations',
		'validationErrors',
		'invalidParams',
		'field_errors',
		'errorList',
		'issue',
	])('takes no list of faults for the records: %s', (name) => {
		expect(find({ title: 'Look', [name]: records })).toMatchObject({ kind: 'fault' });
		expect(find({ [name]: records, staff: others })).toMatchObject({ path: 'staff' });
	});

	it('takes a list that is sought by the name of a companion', () => {
		const body = { orders: records, data: others };
		const reading = findRecords({ statusCode: 200, body }, { keys: ['orders'], itemsPath: '' });
		expect(reading).toMatchObject({ path: 'orders' });
	});

	it('says which other lists there were', () => {
		expect(find({ data: records, staff: visits, deep: { er: named }, links })).toMatchObject({
			path: 'data',
			otherPaths: ['staff', 'deep.er'],
		});
	});

	it.each<[string, unknown]>([
		['e-mail addresses', { 'anna@example.test': { id: 1 }, 'bob@example.test': { id: 2 } }],
		['dates', { data: { '2026-05-01': visits, '2026-05-02': records } }],
		['one date', { data: { '2026-05-01': visits } }],
		['names of hosts', { data: { ameier: visits, bschmidt: records, cjones: [] } }],
		['IDs', { users: { a7f3c21e9d04: { roles: others } } }],
		['names of people', { anna: { id: 1, roles: others }, bob: { id: 2, roles: others } }],
	])('shows no keys that are data: %s', (_, body) => {
		const reading = find(body);
		const text = reading.kind === 'fault' ? reading.failure.message : '';
		expect(text).toMatch(/no list of records\. (It has no fields|Fields seen: (data|users))\.$/);
	});

	it('names the paths of what is there, lists before the rest', () => {
		const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`name${at}`, at]));
		const body = { answer: { status: 'fine', codes: ['x'] }, ...many };
		const reading = find(body);
		const text = reading.kind === 'fault' ? reading.failure.message : '';
		expect(text).toContain('Fields seen: answer.status, answer.codes, name0,');
		expect(find({ ...many, deep: { er: { codes: ['x'] } } })).toMatchObject({
			failure: { message: expect.stringContaining('deep.er.codes') as unknown },
		});
	});
});
