import { headerValue } from '../../../../../nodes/VisitorService/webhook/delivery';

describe('headerValue', () => {
	const headers = { 'x-a': ' a ', 'x-list': ['a', 'b'], 'x-empty': '', 'x-missing': undefined };
	it.each([
		['x-a', 'a'],
		[' X-A ', 'a'],
		['x-list', 'a, b'],
		['x-empty', ''],
		['x-missing', ''],
		['x-other', ''],
		['', ''],
		['constructor', ''],
		['__proto__', ''],
	])('%j', (name, expected) => {
		expect(headerValue(headers, name)).toBe(expected);
	});
});
