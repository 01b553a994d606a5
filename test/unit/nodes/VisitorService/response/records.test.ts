import {
	findRecords,
	keyPathsOf,
	type RecordsResult,
} from '../../../../../nodes/VisitorService/response/records';
import { LISTED_RESOURCES } from '../../../../../nodes/VisitorService/response/resources';

// What a user sees of most responses is in `boundary/envelopes`, `errorBodies` and `lists`.

const records = [{ id: 1 }, { id: 2 }];
const others = [{ id: 'site-1' }];
const visits = [{ id: 7 }, { id: 8 }];
const links = [{ rel: 'self' }];
const named = [{ name: 'x' }];

const KEYS = LISTED_RESOURCES.user.listNames;

/** As on a first page. */
const find = (body: unknown, itemsPath = '', listNames = KEYS) =>
	findRecords({ statusCode: 200, body }, { listNames, itemsPath });

/** As on a later page, after one that was like this. */
const readAfter = (first: unknown, path: string, body: unknown) =>
	findRecords(
		{ statusCode: 200, body },
		{ listNames: KEYS, itemsPath: '' },
		{ path, keyPaths: keyPathsOf(first, path) },
	);

const messageOf = (reading: RecordsResult) =>
	'failure' in reading ? reading.failure.message : reading.kind;

describe('the list of a first page', () => {
	it.each<[string, unknown]>([
		['list', { sites: others, list: records }],
		['rows', { data: ['a', 'b'], rows: records }],
		['items', { data: [], items: records }],
		['staff', { included: others, errors: [], links: others, staff: records }],
		['data.listUsers.items', { data: { listUsers: { items: records } } }],
		// With IDs, or named for the resource with more words.
		['staff', { groups: named, staff: records }],
		['userList', { siteList: others, userList: records }],
		// Not in what describes the response, or goes with it, if there is another.
		['staff', { staff: records, meta: { groups: others } }],
		['data', { data: records, includes: { users: others } }],
		['staff', { staff: records, linked: { people: others } }],
		['data', { data: [], included: { users: others } }],
		['staff', { staff: records, me: { id: 1, roles: others } }],
		// Nearer than one of a usual name.
		['staff', { options: { values: named }, staff: records }],
		['cards', { id: 'x', total: 2, cards: records }],
		// In an envelope in a list, beside nothing that is known about a thing.
		['0.data', [{ total: 250, data: records }]],
		['0.data', [{ meta: [{ total: 9 }], n: [{ n: 9 }], data: records }]],
		['Response.Users.0.User', { Response: { Users: [{ User: [{ Id: ['7'] }] }] } }],
		['users.0.items', { users: [{ items: records, hasMore: true }] }],
		['0.data', [{ total: 0, data: [] }]],
		['', [{ roles: others }, { roles: others }]],
		// Beside its total.
		['0', [records, 120]],
		['1', [120, records]],
		['0', [[], 0]],
	])('is at "%s" in %j', (path, body) => {
		expect(find(body)).toMatchObject({ kind: 'list', path });
	});

	it.each([
		{ id: 7, roles: others },
		{ userId: 7, total: 2, items: records },
		{ name: 'Anna', roles: others, groups: [] },
		{ name: ['Anna'], roles: others },
		{ user: { name: 'Anna' }, roles: others },
		{ node: { id: 7, posts: others } },
	])('is not in a single record with lists: %j', (record) => {
		expect(find([record])).toMatchObject({ records: [record], path: '' });
		expect(find({ users: [record], total: 1 })).toMatchObject({ records: [record], path: 'users' });
	});

	it.each([
		...['violations', 'validationErrors', 'invalidParams', 'field_errors', 'errorList', 'issue'],
	])('is no list of faults: %s', (name) => {
		expect(find({ title: 'Look', [name]: records })).toMatchObject({ kind: 'invalid' });
		expect(find({ [name]: records, staff: others })).toMatchObject({ path: 'staff' });
	});

	it('may have the name of a companion, and others beside it', () => {
		expect(find({ orders: records, data: others }, '', ['orders'])).toMatchObject({
			path: 'orders',
		});
		expect(find({ data: records, staff: visits, deep: { er: named }, links })).toMatchObject({
			path: 'data',
			otherPaths: ['staff', 'deep.er'],
		});
	});
});

const NOBODY = { kind: 'list', records: [] };
const BLANK = { kind: 'noList', records: [] };
const FAULT = { kind: 'invalid', failure: { kind: 'response' } };
const NO_LIST = { kind: 'invalid', failure: { kind: 'noList' } };

/** What a first page holds, and as what each of these bodies is read. */
const HELD: Record<string, [expected: object, ...bodies: unknown[]]> = {
	nobody: [
		NOBODY,
		...[{ users: [], sites: others }, { list: [], sites: others }, [], { visitors: [] }],
		{ userList: [], page: 0 },
		{ expected: [], arrived: [], departed: [] },
		...[{ 'hydra:member': [], 'hydra:totalItems': 0 }, { a: { answer: { visitors: [] } } }],
		...[{ total: 0 }, { totalPages: '0' }, { page: { totalElements: 0 }, _links: {} }],
		{ users: null, total: 0 },
		{ data: { items: null }, total: 0 },
	],
	'nobody, because a text says so': [
		NOBODY,
		{ code: 404, message: 'No records found', data: [] },
		{ status: '404', message: 'No data', data: null },
		{ status: 'error', message: 'No visits found.', data: [] },
		{ error: { code: 404, message: 'Page out of range' }, users: [] },
		{ message: 'No users found' },
		{ code: 1001, msg: 'No more data', data: null },
	],
	nothing: [
		BLANK,
		...[undefined, null, {}, { data: null }, { data: { items: null } }, { data: {} }],
		{ visitors: null, count: 0 },
		{ code: 20000, data: null },
		...[{}, '', ' ', null].map((users) => ({ users, page: 1, sites: others })),
		// It may be an error of any kind, which is not to look like a list that everybody left.
		{ success: false, data: [] },
		{ status: 'error', data: [] },
	],
	'no data, which may be no list': [
		{ kind: 'noData', mayMeanEmptyList: false },
		...[{ code: 404 }, { code: 404, message: 'Tenant not found', data: null }],
		{ status: 410, message: 'No such route found' },
	],
	'an error': [
		FAULT,
		...[{ error: 'unauthorized' }, { data: { error: 'no', items: [] } }],
		{ code: 1001, message: 'no', data: null },
		{ code: '-1', data: null, page: {} },
		{ type: 'about:blank', title: 'Bad', status: 400 },
		{ resultCode: 500, users: [] },
		{ status: { code: 500 }, users: [] },
		{ status: 'REQUEST_DENIED', results: [] },
		{ message: 'Unauthorized', data: [] },
		{ code: 1015, message: 'rate limit', data: [] },
		{ success: false, message: 'No records found', data: records },
		{ success: false, message: 'Token not found', data: [] },
		{ success: false, message: 'list index out of range', data: [] },
		{ success: false, message: 'Page size exceeds maximum of 50' },
		{ isSuccess: 'false', data: null },
		{ err: 'Database timeout', users: [] },
		{ errors: [{ message: 'no' }], data: records },
		{ success: false, error: 'Unexpected end of JSON input' },
		{ return_code: 'FAIL', return_msg: 'sign error', list: [] },
		...['code', 'responseCode', 'statusCode'].map((name) => ({ [name]: 'FAIL', data: [] })),
		{ code: '40001', msg: 'siteId can not be empty', data: null },
		{ error: 'no shard available for [people]', status: 503 },
	],
	'no list of records': [FAULT, [[]], [[], []], [[], 'x'], [3, 120], [[{ id: 1 }]], [{}, null]],
	'no list': [NO_LIST, { users: 0, tasks: 5 }, { sites: {}, page: 1 }],
	'the list, though it speaks of an error': [
		{ kind: 'list', records },
		...[
			...[{ error: null }, { error: false }, { errorCode: '0' }, { errors: [] }, { error: {} }],
			...[{ status: 4000 }, { code: 20000 }, { status: { code: 200, success: true } }],
			...[{ success: true, ok: true, code: 200, status: 'OK' }, { meta: { code: 1000 } }],
			...[{ error: { code: 0, message: null } }, { error: { code: 200, message: 'OK' } }],
			...[{ errorCode: 0, errorMessage: 'Success.' }, { errors: { count: 0 } }],
			...[{ errors: [null] }, { errors: [{}] }, { success: true, error: { type: 'NoError' } }],
			{ code: 200, error: 'Completed', message: 'Completed' },
		].map((fields) => ({ ...fields, data: records })),
	],
};

describe('what a first page holds', () => {
	it.each(
		Object.entries(HELD).flatMap(([what, [expected, ...bodies]]) =>
			bodies.map((body) => [what, body, expected]),
		),
	)('is %s: %j', (_, body, expected) => {
		expect(find(body)).toMatchObject(expected as object);
	});

	it('is nothing with status 204', () => {
		const response = { statusCode: 204, body: '' };
		expect(findRecords(response, { listNames: KEYS, itemsPath: '' })).toMatchObject(BLANK);
	});

	it.each<[unknown, RegExp]>([
		['<html><body>Sign in</body></html>', /a web page/],
		[' \n', /with nothing instead/],
		[{ id: 1, name: 'User', roles: [{ id: 2 }] }, /no list .* Fields seen: id, name, roles\./],
		[{ data: { id: 1, roles: [{ id: 2 }] } }, /Fields seen: data\./],
		[{ users: { a: { id: 1 } } }, /Fields seen: users\./],
		[{ data: ['a'] }, /Fields seen: data\./],
		// Several lists.
		[{ arrived: visits, departed: records }, /: arrived, departed\.$/],
		[{ arrived: named, departed: links }, /: arrived, departed\.$/],
		[{ visitors: [], sites: others }, /: sites, visitors\.$/],
		// Keys that are data.
		[{ 'anna@example.test': { id: 1 }, 'bob@example.test': { id: 2 } }, / It has no fields\.$/],
		[{ data: { '2026-05-01': visits, '2026-05-02': records } }, /Fields seen: data\.$/],
		[{ data: { '2026-05-01': visits } }, /Fields seen: data\.$/],
		[{ data: { ameier: visits, bschmidt: records, cjones: [] } }, /Fields seen: data\.$/],
		[{ users: { a7f3c21e9d04: { roles: others } } }, /Fields seen: users\.$/],
		[{ anna: { id: 1, roles: others }, bob: { id: 2, roles: others } }, / It has no fields\.$/],
	])('is rejected, and what it is: %j', (body, message) => {
		const reading = find(body);
		expect(messageOf(reading)).toMatch(message);
		expect(reading).toMatchObject({
			failure: { remedy: expect.stringMatching(/^[A-Z].*\.$/) as unknown },
		});
	});

	it('is named by fifteen fields at most, none of a long name, and lists before the rest', () => {
		const many = Array.from({ length: 20 }, (_, at) => [`field${at}`, at]);
		const fields = { [`field${'x'.repeat(60)}`]: 1, ...(Object.fromEntries(many) as object) };
		expect(messageOf(find(fields)).match(/field/g)).toHaveLength(15);
		expect(messageOf(find(fields))).not.toContain('fieldx');
		const body = { answer: { status: 'fine', codes: ['x'] }, ...fields };
		expect(messageOf(find(body))).toContain('Fields seen: answer.status, answer.codes, field0');
		const deep = { ...fields, deep: { er: { codes: ['x'] } } };
		expect(messageOf(find(deep))).toContain('deep.er.codes');
	});
});

describe('what is at Items Path', () => {
	it.each<[unknown, object]>([
		[
			{ users: others, deep: { er: records } },
			{ records, path: 'deep.er' },
		],
		[{ deep: { er: records }, error: 'Completed', code: 200 }, { records }],
		...[{ deep: { er: null } }, { deep: { er: {} } }, { deep: { er: ' ' } }, null].map(
			(body): [unknown, object] => [body, BLANK],
		),
		[{ total: 0 }, NOBODY],
		[{ deep: { er: records }, error: 'no' }, FAULT],
		[{ deep: { er: [1] } }, FAULT],
		...[{ page: 0, pageSize: 10 }, { id: 1, users: records }, { id: 1 }].map(
			(er): [unknown, object] => [{ deep: { er } }, NO_LIST],
		),
	])('is read, or rejected, whatever else there is: %j', (body, expected) => {
		expect(find(body, 'deep.er')).toMatchObject(expected);
	});
});

describe('a page after the first', () => {
	const first = { data: records, total: 2, message: 'fine', code: 0 };

	it.each<[unknown, object]>([
		[{ data: records, users: others }, { records }],
		...[{ data: [] }, { total: 0, x: 1 }].map((body): [unknown, object] => [body, NOBODY]),
		...[null, {}, { total: 2 }, { data: null }, { data: null, code: 0 }, { data: {} }].map(
			(body): [unknown, object] => [body, BLANK],
		),
		...[{ code: 404, message: 'No records found' }, { message: 'No users found' }].map(
			(body): [unknown, object] => [body, { kind: 'noData' }],
		),
		...['', '<html>', 42, { error: 'no' }, { message: 'The server is busy' }, { data: [1] }].map(
			(body): [unknown, object] => [body, FAULT],
		),
		...[{ code: 7, message: 'busy' }, { code: 1015 }, { status: 'OVER_QUERY_LIMIT' }].map(
			(fields): [unknown, object] => [{ data: [], ...fields }, FAULT],
		),
		...[{ message: 'Come back' }, { data: null, notice: 'busy' }, { data: { id: 1 } }].map(
			(body): [unknown, object] => [body, NO_LIST],
		),
		...[{ data: null, code: 7, message: 'Come back' }, records, { items: records }].map(
			(body): [unknown, object] => [body, NO_LIST],
		),
	])('is read where the first one had its list: %j', (body, expected) => {
		expect(readAfter(first, 'data', body)).toMatchObject(expected);
	});

	it.each(['message', 'Message', 'REASON'])('is not empty if "%s" says why', (name) => {
		const responseOf = (text: string) =>
			readAfter({ data: records, total: 2, [name]: 'fine' }, 'data', { total: 2, [name]: text });
		expect(messageOf(responseOf('Come back tomorrow'))).toContain('A page has no list at "data"');
		const ofAda = { 'Ada Example': [1] };
		expect(messageOf(readAfter(ofAda, 'Ada Example', ofAda))).toContain('has at "…" a list');
		expect(responseOf('The server is busy')).toMatchObject(FAULT);
	});

	it.each<[string, string, unknown, unknown, string]>([
		[
			'an object less on the way',
			'e.b.u',
			{ e: { b: { u: records } } },
			{ e: { b: {} } },
			'noList',
		],
		[
			'another object',
			'e.b.u',
			{ e: { b: { u: records } } },
			{ e: { b: { f: { c: 1 } } } },
			'invalid',
		],
		[
			'another status',
			'e.u',
			{ e: { status: 'Open', u: records } },
			{ e: { status: 'Closed' } },
			'invalid',
		],
		[
			'the same code, which is no success',
			'data',
			{ status: 'partial', code: 7000, data: records },
			{ status: 'partial', code: 7000, data: [] },
			'list',
		],
		['a bare array before', '', records, {}, 'noList'],
		['an envelope in a list', '0.data', [{ n: 2, data: records }], [{ n: 2, data: [] }], 'list'],
	])('with %s', (_, path, before, body, kind) => {
		expect(readAfter(before, path, body).kind).toBe(kind);
	});

	it.each([[{}], [''], [' '], [false], [null]])('is empty with %j in place of the list', (User) => {
		const page = { Users: { User: [{ id: 1, name: 'a', email: 'x' }] }, page: 0 };
		expect(readAfter(page, 'Users.User', { Users: { User }, page: 1 })).toMatchObject(BLANK);
	});
});
