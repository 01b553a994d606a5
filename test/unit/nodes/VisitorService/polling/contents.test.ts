import { contentDigest } from '../../../../../nodes/VisitorService/polling/contents';

const nest = (levels: number, wrap: (inner: unknown) => unknown, inner: unknown = 1) =>
	Array.from({ length: levels }).reduce((value) => wrap(value), inner);

describe('the digest of a record', () => {
	it.each([
		['lists in lists', (inner: unknown) => [inner]],
		['items in lists in items', (inner: unknown) => ({ content: [{ type: 'x', inner }] })],
	])('takes time in line with its size: %s', (_, wrap) => {
		const digestOf = (leaf: number) => contentDigest({ id: 1, a: nest(1000, wrap, leaf) }, []);
		expect(digestOf(1)).toBe(digestOf(1));
		expect(digestOf(1)).not.toBe(digestOf(2));
	});

	it.each([1, 3, 5, 6, 7, 11, 12, 13])('leaves the order of %i nested lists out', (levels) => {
		const wrap = (inner: unknown) => [{ name: 'x' }, { inner, z: null }];
		const turned = (inner: unknown) => [{ inner }, { name: 'x' }];
		const digests = [wrap, turned].map((one) => contentDigest({ a: nest(levels, one) }, []));
		expect(digests[0]).toBe(digests[1]);
	});

	// What saved cursors hold; another digest would start the workflow for each record.
	it('of what saved cursors hold stays as it is', () => {
		expect(contentDigest({ id: 1 }, [])).toBe('GGNH2e');
		expect(contentDigest({ b: { c: [2, 1], d: null }, a: [{ y: 1, x: 'z' }] }, ['a.y'])).toBe(
			'u31gFn',
		);
	});
});
