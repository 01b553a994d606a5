import { locatePage } from '../../../../../nodes/VisitorService/diagnosis/pagePosition';

const list = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];

describe('a page of three, of a list of which nine records are known', () => {
	it.each([
		['', 'empty'],
		['abc', 'firstPage'],
		['ab', 'firstPage'],
		['abcdefghi', 'firstPage'],
		['def', 'nextPage'],
		['bcdef', 'nextPage'],
		['ef', 'nextPage'],
		['jkl', 'nextPage'],
		['hijkl', 'nextPage'],
		['bcd', 'offset'],
		['cba', 'elsewhere'],
		['adf', 'elsewhere'],
		['abx', 'elsewhere'],
		['xde', 'elsewhere'],
	])('%s is %s', (page, position) => {
		expect(locatePage(page.split(''), list, 3, [9])).toBe(position);
	});
});
