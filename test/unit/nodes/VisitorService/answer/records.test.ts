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
	it.each<[string, unknown]>([
		['', records],
		['data', { data: records }],
		['items', { items: records, total: 2 }],
		['users', { users: records }],
		['Users', { Users: records }],
		['_embedded.staff', { _embedded: { staff: records } }],
		['data.items', { data: { items: records, total: 2 } }],
		['response.data.users', { response: { data: { users: records } } }],
		['data.users', { data: { users: records, sites: others } }],
		['staff', { staff: records, total: 2 }],
		// Named for the resource first, then by a usual name; of records, and not empty.
		['users', { data: others, users: records }],
		['list', { sites: others, list: records }],
		['rows', { data: ['a', 'b'], rows: records }],
		['staff', { included: others, errors: [], links: others, staff: records }],
		['items', { data: [], items: records }],
	])('finds the list at "%s"', (path, body) => {
		expect(find(body)).toMatchObject({ kind: 'records', records, path });
	});

	it.each<[unknown]>([
		[{ users: [], sites: others }],
		[{ list: [], sites: others }],
		[undefined],
		[[]],
		[{ data: { items: null }, total: 0 }],
		[{ users: null, total: 0 }],
		[{ users: null, sites: others }],
		[{ code: 20000, data: null }],
		[{ page: { totalElements: 0 }, _links: {} }],
		[{ totalPages: '0' }],
	])('takes for an empty page: %j', (body) => {
		expect(recordsIn(body)).toEqual([]);
	});

	const refused = [
		{ error: 'unauthorized' },
		{ error: { code: 1 }, data: [] },
		{ errors: [{ message: 'no' }], data: records },
		{ success: false, data: records },
		{ status: 'error', message: 'busy', data: [] },
		{ isSuccess: 'false', data: null },
		{ Data: [], Error: 'Database is down' },
		{ data: { error: 'no', items: [] } },
		{ code: 1001, message: 'no', data: null },
		{ code: '-1', data: null, page: {} },
		{ status: 403, message: 'no' },
		{ code: '401', msg: 'no', data: null },
		{ type: 'about:blank', title: 'Bad', status: 400 },
	];

	it.each<[unknown, RegExp]>([
		...refused.map((body): [unknown, RegExp] => [body, /refused the request, but/]),
		['not json', /text that is not complete JSON/],
		[' \n', /with nothing instead/],
		['\n <html><body>Sign in</body></html>', /a web page/],
		[{ version: 2 }, /no list of records\. Fields seen: version\./],
		[{ message: 'hello' }, /Fields seen: message\./],
		[{ id: 1, name: 'User', roles: [{ id: 2 }] }, /Fields seen: id, name, roles\./],
		[{ data: { id: 1, roles: [{ id: 2 }] } }, /Fields seen: data\./],
		[{ users: { a: { id: 1 } } }, /Fields seen: users\./],
		[[1, 2], /elements are not all records/],
		[[[{ id: 1 }]], /elements are not all records/],
		[[{ id: 1 }, null], /elements are not all records/],
		[{ data: ['a'] }, /Fields seen: data\./],
		[{ data: '[{"id":1}]' }, /Fields seen: data\./],
	])('refuses an answer it cannot read as records: %j', (body, message) => {
		for (const resource of ['user', 'company', 'visit', 'task'] as const) {
			const failure = failureOf(() => recordsIn(body, '', resource));
			expect(failure.message).toMatch(message);
			expect(failure.remedy).toMatch(/^[A-Z].*\.$/);
		}
	});

	it.each([
		...[{ error: null }, { error: false }, { errorCode: 0 }, { errorCode: '0' }, { errors: [] }],
		...[{ error: {} }, { error: 'none' }, { status: 4000 }, { code: 20000 }],
		...[{ success: true, ok: true, code: 200, status: 'OK' }, { meta: { code: 1000 } }],
		{ status: { code: 200, success: true } },
	])('takes for no error: %j', (fields) => {
		expect(recordsIn({ ...fields, data: records })).toEqual(records);
	});

	it('names at most fifteen fields, cut short', () => {
		const body = Object.fromEntries(
			Array.from({ length: 20 }, (_, place) => [`field${place}${'x'.repeat(60)}`, 1]),
		);
		const { message } = failureOf(() => recordsIn(body));
		expect(message.match(/field/g)).toHaveLength(15);
		expect(message).not.toContain('x'.repeat(50));
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
});

describe('what an answer holds', () => {
	const first = shapeOf({ data: records });

	it.each<[unknown]>([
		[null],
		[{}],
		[{ data: null }],
		[{ data: { items: null } }],
		[{ visitors: null, count: 0 }],
		[{ data: {} }],
		// It may be an error of any kind, which is not to look like a list that everybody left.
		[{ success: false, data: [] }],
		[{ status: 'error', data: [] }],
	])('is nothing in %j', (body) => {
		expect(find(body)).toMatchObject({ kind: 'nothing', records: [] });
		expect(readRecords(body, 'data', first)).toMatchObject({ kind: 'nothing' });
	});

	it('is nothing in an answer of status 204', () => {
		const answer = { statusCode: 204, body: '' };
		const found = findRecords(answer, { keys: ['users'], itemsPath: '' });
		expect(found).toMatchObject({ kind: 'nothing', records: [] });
	});

	it.each([
		{ users: [] },
		{ visitors: [] },
		{ userList: [], page: 0 },
		{ 'hydra:member': [], 'hydra:totalItems': 0 },
		{ envelope: { answer: { visitors: [] } } },
		{ expected: [], arrived: [], departed: [] },
		{ total: 0 },
	])('is an explicitly empty list in %j', (body) => {
		expect(find(body)).toMatchObject({ kind: 'records', records: [] });
	});

	it.each([
		{ code: 404, message: 'No records found', data: [] },
		{ status: '404', message: 'No data', data: null },
		{ success: false, message: 'No records found', data: [] },
		{ status: 'error', message: 'No visits found.', data: [] },
		{ error: { code: 404, message: 'Page out of range' }, users: [] },
		{ message: 'No users found' },
		{ code: 1001, msg: 'No more data', data: null },
	])('is no data, even on a first page, in %j', (body) => {
		expect(find(body)).toMatchObject({ kind: 'records', records: [] });
		expect(readRecords(body, 'data', first)).toMatchObject({ kind: 'noData' });
	});

	it.each([
		{ code: 404 },
		{ code: 404, message: 'Tenant not found', data: null },
		{ status: 410, message: 'No such route found' },
	])('is no data, except on a first page, in %j', (body) => {
		expect(find(body)).toMatchObject({ kind: 'noData', meansEmpty: false });
	});

	it.each([
		{ success: false, message: 'Busy.', data: [] },
		{ success: false, message: 'Token not found', data: [] },
		{ success: false, message: 'No records found', data: records },
		{ status: { code: 500 }, users: [] },
		{ code: 1015, message: 'rate limit exceeded', data: [] },
		{ message: 'Unauthorized', data: [] },
		{ status: 'REQUEST_DENIED', results: [] },
		{ err: 'Database timeout', users: [] },
		{ resultCode: 500, users: [] },
		{ return_code: 'FAIL', return_msg: 'sign error', list: [] },
		{ success: false, message: 'Page size exceeds maximum of 50' },
		{ success: false, error: 'Unexpected end of JSON input' },
		{ success: false, message: 'list index out of range', data: [] },
		{ success: false, message: 'SQLSTATE[42S22]: Column not found', data: [] },
		{ success: false, message: 'Organization not found', data: [] },
		{ code: '40001', msg: 'siteId can not be empty', data: null },
		{ error: 'no shard available for [people]', status: 503 },
	])('is a fault if the service says that it failed: %j', (body) => {
		expect(find(body)).toMatchObject({ kind: 'fault', failure: { kind: 'answer' } });
	});

	it.each([
		{ error: { code: 0, message: null } },
		{ error: { code: 200, message: 'OK' } },
		{ error: { code: '0', message: 'Done.' } },
		{ errorCode: 0, errorMessage: 'Success.' },
		{ errorMessage: 'Operation successful' },
		{ errcode: 0, errmsg: 'fine' },
		{ errors: { count: 0 } },
		...[{ errors: [null] }, { errors: [{}] }, { error: 'N' }, { ErrorCode: 'NoError' }],
		...[{ error_code: 'NO_ERROR' }, { errorCode: 'ERROR_SUCCESS' }, { errorCode: 'S_OK' }],
		...[{ error: '0x0' }, { error: 'No errors' }, { error: 'No errors found.' }],
		{ success: true, error: { type: 'NoError' } },
		{ errorMessage: 'Completed without errors' },
		{ code: 200, error: 'Completed', message: 'Completed' },
	])('is the list, though it speaks of an error: %j', (fields) => {
		expect(find({ ...fields, data: records })).toMatchObject({ kind: 'records', records });
		expect(find({ ...fields, deep: { er: records } }, 'deep.er')).toMatchObject({ records });
	});
});

describe('the choice among several lists', () => {
	const visits = [{ id: 7 }, { id: 8 }];
	const links = [{ rel: 'self' }];
	const named = [{ name: 'x' }];

	it.each<[string, unknown]>([
		['data.listUsers.items', { data: { listUsers: { items: records } } }],
		// With IDs, or named for the resource with more words.
		['staff', { groups: named, staff: records }],
		['userList', { siteList: others, userList: records }],
		// Not in what describes the answer, or goes with it, if there is another.
		['staff', { staff: records, meta: { groups: others } }],
		['data', { data: records, includes: { users: others } }],
		['staff', { staff: records, linked: { people: others } }],
		['data', { data: [], included: { users: others } }],
		['search.users', { search: { users: records }, tags: ['x'] }],
		['users', { users: records, links: others }],
		['staff', { staff: records, me: { id: 1, roles: others } }],
		// Nearer than one of a usual name.
		['staff', { options: { values: named }, staff: records }],
		['cards', { id: 'x', total: 2, cards: records }],
	])('takes the list at %s', (path, body) => {
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

	it.each<[string, unknown]>([
		['0.data', [{ total: 250, data: records }]],
		['0.data', [{ meta: [{ total: 9 }], n: [{ n: 9 }], data: records }]],
		['Response.Users.0.User', { Response: { Users: [{ User: [{ Id: ['7'] }] }] } }],
		['users.0.items', { users: [{ items: records, hasMore: true }] }],
		['0.data', [{ total: 0, data: [] }]],
	])('takes the list in an envelope in a list: %s', (path, body) => {
		expect(find(body)).toMatchObject({ kind: 'records', path });
	});

	it('reads the page after the first in an envelope in a list', () => {
		const shape = shapeOf([{ total: 2, data: records }], '0.data');
		const read = (body: unknown) => readRecords(body, '0.data', shape);
		expect(read([{ total: 2, data: others }])).toMatchObject({ records: others });
		expect(read([{ total: 2, data: [] }])).toMatchObject({ records: [] });
	});

	it.each([
		{ id: 7, roles: others },
		{ userId: 7, total: 2, items: records },
		{ name: 'Anna', roles: others, groups: [] },
		{ name: ['Anna'], roles: others },
		{ user: { name: 'Anna' }, roles: others },
		{ node: { id: 7, posts: others } },
	])('takes a single record with lists for no envelope: %j', (record) => {
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
		...['violations', 'validationErrors', 'invalidParams', 'field_errors', 'errorList', 'issue'],
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
