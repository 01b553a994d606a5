import { customResource, singular } from '../../../../../nodes/VisitorService/response/resources';

describe('the names of resources', () => {
	it.each([
		['users', 'user'],
		['companies', 'company'],
		['passes', 'pass'],
		['pass', 'pass'],
		['boxes', 'box'],
		['houses', 'house'],
		['staff', 'staff'],
		['', ''],
	])('one of the list %j is called %j', (plural, expected) => {
		expect(singular(plural)).toBe(expected);
	});

	it('are those of the listed one whose path ends as that of another list does', () => {
		expect(customResource('sites/7/users').listNames).toContain('people');
	});
});
