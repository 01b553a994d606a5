import { resourceNames, singular } from '../../../../../nodes/VisitorService/response/resources';

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

	it('one of the users has every name that their list may have', () => {
		expect(resourceNames('user')).toEqual(['user', 'people', 'person', 'member']);
	});

	it('one of an unknown list is called as its path says', () => {
		expect(resourceNames('badge')).toEqual(['badge']);
	});
});
