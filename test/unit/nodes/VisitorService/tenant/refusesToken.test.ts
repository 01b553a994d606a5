import { refusesToken } from '../../../../../nodes/VisitorService/tenant/tokenRenewal';

describe('refusesToken', () => {
	it.each([
		[401, {}, undefined],
		[419, {}, undefined],
		[498, {}, 'Invalid token'],
		[400, {}, { error: 'invalid_token', error_description: 'x' }],
		[400, { 'www-authenticate': 'Bearer realm="x", error="invalid_token"' }, undefined],
		[200, {}, { error: 'invalid_token' }],
		[200, {}, { code: 401, message: 'x' }],
		[200, {}, { status: '401' }],
	])('sees it in %d %j %j', (statusCode, headers, body) => {
		expect(refusesToken({ statusCode, headers, body })).toBe(true);
	});

	it.each([
		[200, {}, { data: [] }],
		[200, {}, [{ code: 401 }]],
		[200, {}, { data: [{ error: 'invalid_token' }] }],
		[200, {}, { code: 4010 }],
		[400, {}, { error: 'invalid_request' }],
		[400, { 'www-authenticate': 'Bearer error="insufficient_scope"' }, undefined],
		[403, {}, undefined],
		[500, {}, 'invalid'],
	])('sees none in %d %j %j', (statusCode, headers, body) => {
		expect(refusesToken({ statusCode, headers, body })).toBe(false);
	});
});
