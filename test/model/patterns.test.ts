import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
// Before any pattern is recorded: those of n8n are its own.
import 'n8n-workflow';
import { check, type Diagnostics } from 'recheck';
import ts from 'typescript';
import {
	hasAmbiguousBorder,
	parseTemplate,
	uncertainValues,
} from '../../nodes/VisitorService/webhook/template';
import { splitSignatures } from '../../nodes/VisitorService/webhook/verify';

const root = path.join(__dirname, '..', '..');

const files = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => path.join(root, folder, file)),
);

/** What webhooks sign, in which each placeholder stands beside the body. */
const SIGNED = [
	...`timestamp timestampSeconds timestampMilliseconds timestampIso id method url path header.a
		query.a bodySha256Hex bodySha256Base64`
		.split(/\s+/)
		.map((name) => `{${name}}.{body}`),
	...[
		'{body}{url}',
		'{body}|{timestamp}',
		'{id}.{timestamp}.{body}',
		'{header.a}.{header.b}.{body}',
	],
];

/** Every regular expression that the sources write, or put together when they run, once. */
function patterns(): string[] {
	const found = new Set<string>(patternsMadeByRunning());
	for (const file of files) {
		const visit = (node: ts.Node): void => {
			if (ts.isRegularExpressionLiteral(node)) found.add(node.text);
			ts.forEachChild(node, visit);
		};
		visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
	}
	return [...found].sort();
}

function patternsMadeByRunning(): string[] {
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
		for (const prefix of ['', 'sha256=', 'v1,']) splitSignatures('', prefix);
		for (const text of SIGNED) {
			const template = parseTemplate(text, 'x-id');
			hasAmbiguousBorder(template);
			uncertainValues(template);
		}
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
	const flags = pattern.slice(end + 1);
	// How far a part may reach at most does not change how the steps grow, but takes it long.
	const source = pattern.slice(1, end).replaceAll('{0,2048}', '{0,8}');
	// Nothing ends it, so that its answer does not depend on the time it gets.
	const judged = await check(source, flags, { timeout: null });
	// By trial, a far reach that ends somewhere looks like one without an end.
	if (judged.status === 'safe') return judged;
	return await check(source, flags, { checker: 'automaton', timeout: null });
}

it('finds the patterns of the sources', () => {
	expect(patterns().length).toBeGreaterThan(100);
	expect(patternsMadeByRunning().length).toBeGreaterThan(30);
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
