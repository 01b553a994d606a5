import { headerFieldName } from '../../../../../nodes/VisitorService/values/headerFieldName';

describe('headerFieldName', () => {
	it.each([
		['X-Signature', 'x-signature'],
		['x-signature', 'x-signature'],
		[' X-Signature\t', 'x-signature'],
		['X_Signature', 'x_signature'],
		['', ''],
	])('reads %j as %j', (written, name) => {
		expect(headerFieldName(written)).toBe(name);
	});
});
