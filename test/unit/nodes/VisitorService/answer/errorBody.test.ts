import { judgeBody } from '../../../../../nodes/VisitorService/answer/errorBody';

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
		expect(judgeBody(body).kind).toBe('fault');
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
		expect(judgeBody(body).kind).toBe('success');
	});
});
