import {
	asksToSlowDown,
	isOverload,
	isTemporary,
} from '../../../../../nodes/VisitorService/http/temporaryStatus';

describe('temporaryStatus', () => {
	it.each([
		[200, false, false, false],
		[202, true, false, false],
		[206, false, false, false],
		[302, false, false, false],
		[400, false, false, false],
		[401, false, false, false],
		[408, false, false, false],
		[429, true, true, true],
		[500, false, false, true],
		[501, false, false, true],
		[502, true, false, true],
		[503, true, true, true],
		[504, true, false, true],
		[599, false, false, true],
	])('knows what status %d means: overload %p, slow down %p, temporary %p', (status, ...known) => {
		expect([isOverload(status), asksToSlowDown(status), isTemporary(status)]).toEqual(known);
	});
});
