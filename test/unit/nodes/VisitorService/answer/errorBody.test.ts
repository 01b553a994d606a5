import { refusalIn } from '../../../../../nodes/VisitorService/answer/errorBody';

const data = [{ id: 1 }];

describe('An answer with a status of success', () => {
	it.each([
		{ errorMessage: 'Failed', data },
		{ err_msg: 'Failed', data },
		{ isError: true, data },
		{ hasErrors: true, data },
		{ failed: true, data },
		{ success: false, data },
		{ ok: 'No', data },
		{ success: 0, data },
		{ status: 'FAILED', data },
		{ code: 400, data },
		{ code: 599, data },
		{ code: 600 },
		{ code: -1 },
		{ success: true, error: 'Failed' },
		{ success: true, error: { text: 'Failed' }, data },
	])('takes an answer with a status of success for an error: %j', (body) => {
		expect(refusalIn(body)?.kind).toBe('fault');
	});

	it.each([
		{ success: true, errorMessage: 'Failed', data },
		{ success: true, error: 'Failed', data },
		{ success: 'true', error: 'Failed', data },
		{ isError: false, data },
		{ isError: 'true', data },
		{ success: 'nothing', data },
		{ success: 'piano', data },
		{ status: 5, data },
		{ code: 600, data },
		{ code: -1, data },
		{ code: 0 },
		{ code: 399 + 1000, data },
	])('takes an answer with a status of success for a page: %j', (body) => {
		expect(refusalIn(body)).toBeUndefined();
	});

	it.each<[boolean, unknown]>([
		[true, { success: false, errors: ['No users found'], data: [] }],
		[true, { data: [], errors: [{ code: 404, detail: 'No records found' }] }],
		[true, { status: 'error', errors: [{ message: 'Invalid page' }], data: [] }],
		[true, { error: { message: 'Could not find any users' } }],
		[false, { errors: [{ status: '404', title: 'Not Found' }] }],
		[false, { error: { code: 'NOT_FOUND' } }],
		[false, { fault: { code: 404 } }],
	])(
		'takes an answer for one that says there is no data, believed of a first page: %s, %j',
		(meansEmpty, body) => {
			expect(refusalIn(body)).toMatchObject({ kind: 'noData', meansEmpty });
		},
	);

	it.each([
		{ code: 'FAIL', message: 'DB down', data: [] },
		{ fault: { code: 500 }, data: [] },
		{ error: 1234, data: [] },
		{ error: { number: 17 }, data: [] },
		{ errors: [{ code: 1001 }], data: [] },
		{ success: false, message: '<b>Internal error</b>', data: [] },
		{ success: false, errors: ['Database is down'], data: [] },
		{ success: false, message: 'Company not found', data: [] },
	])('takes an empty list beside an error for an error: %j', (body) => {
		expect(refusalIn(body)?.kind).toBe('fault');
	});

	it.each([
		{ errorMessage: 'Operation completed.', data },
		{ err: { errno: 0, errmsg: 'Done' }, data },
	])('takes records beside a text that tells of no error for a page: %j', (body) => {
		expect(refusalIn(body)).toBeUndefined();
	});
});
