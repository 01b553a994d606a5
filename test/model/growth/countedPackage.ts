import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import ts from 'typescript';

/*
 * The package with a counter in it: of the functions that are called, of the rounds of loops, and
 * of what JavaScript itself walks through. Steps are the same on each machine, however busy it is.
 * What a pattern does is not counted beyond one look at its text: `patterns.test` judges patterns.
 */

export interface Counted<Ways> {
	ways: Ways;
	/** Since the last call. */
	steps: () => number;
}

/** What walks through a text, a list or an object without a function of ours. */
const WALKS = new Set(
	`concat entries exec flat fromEntries includes indexOf join keys lastIndexOf match matchAll
	normalize parse repeat replace replaceAll reverse slice sort split stringify test toLowerCase
	toUpperCase trim values`.split(/\s+/),
);

/** What the code of the package calls under the name `steps`. */
class Steps {
	count = 0;

	step<T>(value: T): T {
		this.count += 1;
		return value;
	}

	walk<T>(value: T): T {
		this.count += sizeOf(value);
		return value;
	}

	call(holder: Record<string, (...values: unknown[]) => unknown>, name: string, values: unknown[]) {
		const from = holder instanceof RegExp ? holder.lastIndex : Number(values[1] ?? 0);
		const result = holder[name]?.(...values);
		this.count += walked(holder, name, values, from, result);
		return result;
	}
}

function walked(holder: unknown, name: string, values: unknown[], from: number, result: unknown) {
	// An iterator: what it is spread into counts.
	if (holder instanceof Map || holder instanceof Set) return 1;
	if (name === 'slice' || name === 'stringify' || name === 'repeat') return sizeOf(result);
	if (holder instanceof RegExp) {
		if (!holder.global && !holder.sticky) return sizeOf(values[0]);
		// A search that goes on where the last one ended.
		return (holder.lastIndex || (holder.sticky ? from + 1 : sizeOf(values[0]))) - from;
	}
	if (name === 'normalize') return sizeOf(holder) + sortedMarks(String(holder));
	if (name === 'indexOf') return (Number(result) < 0 ? sizeOf(holder) : Number(result)) - from + 1;
	return sizeOf(holder) + (typeof holder === 'function' || holder === JSON ? sizeOf(values[0]) : 0);
}

/** Unicode normalization sorts marks by insertion, up to one that has no order, as U+034F. */
function sortedMarks(text: string): number {
	return [...text.matchAll(/[^\P{M}\u034f]+/gu)].reduce(
		(sum, [marks]) => sum + marks.length ** 2,
		0,
	);
}

function sizeOf(value: unknown): number {
	if (typeof value === 'string' || Array.isArray(value)) return value.length;
	if (value instanceof Set || value instanceof Map) return value.size;
	return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

const root = path.join(__dirname, '..', '..', '..');

/** Bundles a module and what it imports, with the counter in the sources of the package. */
export async function loadCounted<Ways extends object>(file: string): Promise<Counted<Ways>> {
	const outfile = path.join(root, 'node_modules', '.cache', `counted.${process.pid}.cjs`);
	await build({
		entryPoints: [file],
		bundle: true,
		outfile,
		platform: 'node',
		target: 'es2022',
		supported: { 'dynamic-import': false },
		external: ['n8n-workflow', 'luxon'],
		plugins: [counting],
	});
	const steps = new Steps();
	Object.assign(globalThis, { steps });
	const ways = jest.requireActual<Ways>(outfile);
	rmSync(outfile);
	return {
		ways,
		steps: () => {
			const { count } = steps;
			steps.count = 0;
			return count;
		},
	};
}

const counting: Plugin = {
	name: 'counting',
	setup: (bundler) => {
		bundler.onLoad(
			{ filter: new RegExp(`^${root}/(nodes|credentials)/.*\\.ts$`) },
			({ path: file }) => {
				const source = ts.createSourceFile(
					file,
					readFileSync(file, 'utf8'),
					ts.ScriptTarget.Latest,
				);
				const { transformed } = ts.transform(source, [countSteps]);
				return {
					contents: ts.createPrinter().printFile(transformed[0] as ts.SourceFile),
					loader: 'ts',
				};
			},
		);
	},
};

const countSteps: ts.TransformerFactory<ts.SourceFile> = (context) => (source) => {
	const { factory } = context;
	const call = (method: string, ...values: ts.Expression[]) => {
		const of = factory.createPropertyAccessExpression(factory.createIdentifier('steps'), method);
		return factory.createCallExpression(of, undefined, values);
	};
	const step = factory.createExpressionStatement(call('step', factory.createTrue()));
	const visit = (node: ts.Node): ts.Node => {
		const visitRound = (child: ts.Node): ts.Node =>
			ts.isStatement(child) && !ts.isBlock(child)
				? factory.createBlock([step, visit(child) as ts.Statement])
				: visit(child);
		const isLoop = ts.isIterationStatement(node, false);
		const inner = ts.visitEachChild(node, isLoop ? visitRound : visit, context);
		if (ts.isBlock(inner)) return factory.updateBlock(inner, [step, ...inner.statements]);
		if (ts.isArrowFunction(inner) && !ts.isBlock(inner.body)) {
			const { modifiers, typeParameters, parameters, type, equalsGreaterThanToken } = inner;
			const body = call('step', inner.body);
			return factory.updateArrowFunction(
				inner,
				modifiers,
				typeParameters,
				parameters,
				type,
				equalsGreaterThanToken,
				body,
			);
		}
		if (ts.isSpreadElement(inner))
			return factory.updateSpreadElement(inner, call('walk', inner.expression));
		if (ts.isSpreadAssignment(inner))
			return factory.updateSpreadAssignment(inner, call('walk', inner.expression));
		if (
			ts.isNewExpression(inner) &&
			ts.isIdentifier(inner.expression) &&
			/^(Set|Map)$/.test(inner.expression.text)
		) {
			const values = (inner.arguments ?? []).map((value) => call('walk', value));
			return factory.updateNewExpression(inner, inner.expression, inner.typeArguments, values);
		}
		if (ts.isCallExpression(inner) && ts.isPropertyAccessExpression(inner.expression)) {
			const { expression: holder, name, questionDotToken } = inner.expression;
			if (questionDotToken !== undefined || holder.kind === ts.SyntaxKind.SuperKeyword)
				return inner;
			if (!WALKS.has(name.text) || inner.questionDotToken) return inner;
			return call(
				'call',
				holder,
				factory.createStringLiteral(name.text),
				factory.createArrayLiteralExpression(inner.arguments),
			);
		}
		return inner;
	};
	return ts.visitNode(source, visit) as ts.SourceFile;
};
