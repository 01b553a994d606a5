import {
	splitSignatures,
	timestampInSignature,
} from '../../../../../nodes/VisitorService/webhook/signatureList';

describe('splitSignatures', () => {
	it.each([
		['a', '', ['a']],
		['a,b c;d', '', ['a', 'b', 'c', 'd']],
		['a ,, b', '', ['a', 'b']],
		['sha256=a', 'sha256=', ['a']],
		['sha256=a, SHA256=b, sha1=c', 'sha256=', ['a', 'b']],
		['t=1,v1=a,v1=b', 'v1=', ['a', 'b']],
		['v1,a v1a,b v1,c', 'v1,', ['a', 'c']],
		['HMAC a', 'HMAC ', ['a']],
		['', '', []],
		['sha256=', 'sha256=', []],
	])('%j with the prefix %j', (header, prefix, expected) => {
		expect(splitSignatures(header, prefix)).toEqual(expected);
	});

	it('needs a number of steps in proportion to the header, whatever is in it', () => {
		// A pattern that tries again at each blank would need minutes for these.
		for (const header of [
			`a${' '.repeat(2 ** 20)},`,
			' ,'.repeat(2 ** 19),
			'v1=,'.repeat(2 ** 18),
		]) {
			expect(splitSignatures(header, 'v1=')).toEqual([]);
		}
	});
});

describe('timestampInSignature', () => {
	it.each([
		['t=1614265330,v1=a', '1614265330'],
		['v1=a, t=5', '5'],
		['v1=a;t=5', '5'],
		['ts=1671552777;h1=a', '1671552777'],
		['h1=a;ts=5', '5'],
		['h1=a;tss=5', undefined],
		['1614265330', undefined],
		['v1=a,at=5', undefined],
		['t=', undefined],
	])('%j', (header, expected) => {
		expect(timestampInSignature(header)).toBe(expected);
	});
});
