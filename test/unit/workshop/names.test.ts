import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const SOURCES = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => `${folder}/${file.split(path.sep).join('/')}`),
);

interface Declared {
	file: string;
	/** A verb like `cut` or `refused` says the same of different things, if nobody else reads it. */
	isPrivateFunction: boolean;
}

function namesOf(statement: ts.Statement): string[] {
	if (ts.isVariableStatement(statement)) {
		const names = statement.declarationList.declarations.map(({ name }) => name);
		return names.filter(ts.isIdentifier).map(({ text }) => text);
	}
	const isNamed =
		ts.isFunctionDeclaration(statement) ||
		ts.isClassDeclaration(statement) ||
		ts.isInterfaceDeclaration(statement) ||
		ts.isTypeAliasDeclaration(statement);
	return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

function isExported(statement: ts.Statement): boolean {
	const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
	return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

function isFunction(statement: ts.Statement): boolean {
	if (!ts.isVariableStatement(statement)) return ts.isFunctionDeclaration(statement);
	return statement.declarationList.declarations.every(
		({ initializer }) => initializer !== undefined && ts.isArrowFunction(initializer),
	);
}

/** Each name of the sources, with the files that declare it at their top level. */
function declaredNames(): ReadonlyMap<string, readonly Declared[]> {
	const names = new Map<string, Declared[]>();
	for (const file of SOURCES) {
		const text = readFileSync(path.join(ROOT, file), 'utf8');
		const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
		for (const statement of statements) {
			const isPrivateFunction = isFunction(statement) && !isExported(statement);
			for (const name of namesOf(statement)) {
				names.set(name, [...(names.get(name) ?? []), { file, isPrivateFunction }]);
			}
		}
	}
	return names;
}

describe('A name', () => {
	it('means one thing in all files, unless it is that of functions private to them', () => {
		const ambiguous = [...declaredNames()]
			.filter(([, all]) => new Set(all.map(({ file }) => file)).size > 1)
			.filter(([, all]) => !all.every(({ isPrivateFunction }) => isPrivateFunction));
		expect(ambiguous.map(([name, all]) => [name, ...all.map(({ file }) => file)])).toEqual([]);
	});
});
