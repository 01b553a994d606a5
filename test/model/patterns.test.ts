import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
// Before any pattern is recorded: those of n8n are its own.
import 'n8n-workflow';
import { check, type Diagnostics } from 'recheck';
import ts from 'typescript';

const root = path.join(__dirname, '..', '..');

const files = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => path.join(root, folder, file)),
);

/**
 * Longer ones are lists of words with nothing repeated around them. Recheck says otherwise each
 * time: its result depends on the time it gets.
 */
const LONGEST = 120;

/** Every regular expression that the sources write, or put together when they are loaded, once. */
function patterns(): string[] {
	const found = new Set<string>(patternsMadeByLoading());
	for (const file of files) {
		const visit = (node: ts.Node): void => {
			if (ts.isRegularExpressionLiteral(node)) found.add(node.text);
			ts.forEachChild(node, visit);
		};
		visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
	}
	return [...found].filter((pattern) => pattern.length <= LONGEST).sort();
}

function patternsMadeByLoading(): string[] {
	const made: string[] = [];
	const { RegExp } = globalThis;
	globalThis.RegExp = new Proxy(RegExp, {
		construct: (constructor, values: [string, string?]) => {
			const pattern = new constructor(...values);
			made.push(String(pattern));
			return pattern;
		},
	});
	try {
		for (const file of files) jest.requireActual(file);
	} finally {
		globalThis.RegExp = RegExp;
	}
	return made;
}

/**
 * Recheck counts the steps of a backtracking matcher on the worst texts it can build, so neither a
 * fast nor a busy machine changes the result.
 */
async function growthOf(pattern: string): Promise<Diagnostics> {
	const end = pattern.lastIndexOf('/');
	return await check(pattern.slice(1, end), pattern.slice(end + 1), { timeout: 10_000 });
}

it('finds the patterns of the sources', () => {
	expect(patterns().length).toBeGreaterThan(100);
});

it.each(['/^(a+)+$/', String.raw`/\s+$/`])(
	'knows that %s takes more than twice as long',
	async (pattern) => {
		expect((await growthOf(pattern)).status).toBe('vulnerable');
	},
);

it.each(patterns())('takes twice the steps for twice the text: %s', async (pattern) => {
	// Safe means: the steps of the worst text grow with its length at most.
	expect((await growthOf(pattern)).status).toBe('safe');
});
