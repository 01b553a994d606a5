// Run by lines.test.ts. The declaration is longer than what the compiler leaves of it, which is
// nothing, so that without a source map the failure is reported some lines too early.
interface Visitor {
	id: string;
	name: string;
	company: string;
}

const visitor: Visitor = { id: 'user-1', name: 'A name', company: 'A company' };

it('fails', () => {
	expect(visitor.name).toBe('Another name'); // the line to be named
});
