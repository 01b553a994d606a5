import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const TEST = path.resolve(__dirname, '..', '..');

/** Variants of `it` that take a title. */
const VARIANTS = new Set(['each', 'only', 'skip', 'failing', 'concurrent']);

/**
 * Such a title goes on with the sentence of its describe: "of another shape keeps its place", "is
 * found as %s".
 */
const FRAGMENT =
	/^(of|on|in|at|by|from|with|without|where|for|behind|after|before|while|than|or|and|but|also|else|that|which|whose|to|is|are|was|were|be|have|can|may|get|keep|hold|go|end|start|follow|hide|know|need|come|differ|return|leave|make|give|show|say|take|stay) /;
/** What is left of a title without the values put in should be words: not "%s" or "pageIgnored". */
const VALUES = /%[a-z#]|\$[\w.]+/g;
const WORDS = /\p{L}{2,}\W+.*\p{L}{2,}/u;

const readsAlone = (title: string) =>
	!FRAGMENT.test(title) && !/^says so\b/.test(title) && WORDS.test(title.replaceAll(VALUES, ''));

const suites = readdirSync(TEST, { recursive: true, encoding: 'utf8' })
	.map((file) => file.split(path.sep).join('/'))
	.filter((file) => file.endsWith('.test.ts'));

describe('A title of a test', () => {
	it.each([
		'of another shape keeps its place: %s',
		'that ran out in the store is not sent at all',
		'on a short page with which the total agrees',
		'is refused while another service has it',
		'are listed each with its own parameters',
		'to a token that was just issued is a matter of permission',
		'%s',
		'$name',
		'pageIgnored',
	])('a title of a test is found to need its describe: "%s"', (title) => {
		expect(readsAlone(title)).toBe(false);
	});

	it('a title of a test is found to read alone if it has a verb and an object', () => {
		expect(readsAlone('reads the new path after Updated At Path is changed')).toBe(true);
		expect(readsAlone('refuses port "%s" and says which one to give')).toBe(true);
	});

	it.each(suites)('reads alone in %s', (suite) => {
		const source = ts.createSourceFile(
			suite,
			readFileSync(path.join(TEST, suite), 'utf8'),
			ts.ScriptTarget.ES2022,
		);
		expect(titlesIn(source).filter((title) => !readsAlone(title))).toEqual([]);
	});
});

function titlesIn(source: ts.SourceFile): string[] {
	const titles: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isCallExpression(node) && isTest(node.expression)) {
			const [title] = node.arguments;
			if (title !== undefined && ts.isStringLiteralLike(title)) titles.push(title.text);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return titles;
}

/** `it`, `it.each([…])` and the like, but no method of a variable that is called `test`. */
function isTest(called: ts.Expression): boolean {
	if (ts.isIdentifier(called)) return called.text === 'it' || called.text === 'test';
	if (ts.isPropertyAccessExpression(called))
		return VARIANTS.has(called.name.text) && isTest(called.expression);
	return ts.isCallExpression(called) && isTest(called.expression);
}
