import ts from 'typescript';
import type { Text } from './rules';

/**
 * A text is something to be read: two words at least, and no name of a header, a path or a pattern.
 */
const isProse = (text: string) => /[A-Za-z]{2,}[,.:;]? [A-Za-z]{2,}/.test(text);

/** The sentences of a program: what it shows is for users, what it notes is for developers. */
export function textsOfProgram(program: string): Text[] {
	const source = ts.createSourceFile('program.ts', program, ts.ScriptTarget.ES2022, true);
	const texts: Text[] = [];
	const visit = (node: ts.Node): void => {
		const shown = shownText(node);
		if (shown !== undefined && isProse(shown)) texts.push({ reader: 'user', text: shown });
		ts.forEachChild(node, visit);
	};
	visit(source);
	return [...texts, ...commentsOf(source)];
}

/** What a program declares: its functions, variables, types and their members. */
export function namesOfProgram(program: string): string[] {
	const source = ts.createSourceFile('program.ts', program, ts.ScriptTarget.ES2022, true);
	const names: string[] = [];
	const visit = (node: ts.Node): void => {
		const { name } = node as ts.NamedDeclaration;
		if (isDeclaration(node) && name !== undefined && ts.isIdentifier(name)) names.push(name.text);
		ts.forEachChild(node, visit);
	};
	visit(source);
	return names;
}

const isDeclaration = (node: ts.Node) =>
	ts.isVariableDeclaration(node) ||
	ts.isParameter(node) ||
	ts.isBindingElement(node) ||
	ts.isFunctionDeclaration(node) ||
	ts.isClassElement(node) ||
	ts.isTypeElement(node) ||
	ts.isTypeAliasDeclaration(node) ||
	ts.isInterfaceDeclaration(node) ||
	ts.isClassDeclaration(node);

/** A document without its code, which shows what others wrote. */
export function textsOfDocument(document: string): Text[] {
	return document
		.replace(/^```[\s\S]*?^```/gm, '')
		.replace(/`[^`\n]*`/g, '…')
		.replace(/\]\([^)]*\)/g, ']')
		.split(/\n(?=\s*[|#-])|\n{2,}/)
		.map((text) => ({ reader: 'user', text }));
}

/** Every text in a JSON file: notes and messages of a workflow, words of the search. */
export function textsOfJson(json: string): Text[] {
	const texts: Text[] = [];
	JSON.parse(json, (_key, value: unknown) => {
		if (typeof value === 'string' && isProse(value)) texts.push({ reader: 'user', text: value });
		return value;
	});
	return texts;
}

function shownText(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

/** What stands between the tokens. Comments on lines that follow each other are one text. */
function commentsOf(source: ts.SourceFile): Text[] {
	const comments: string[] = [];
	const visit = (node: ts.Node): void => {
		const children = node.getChildren(source);
		if (children.length === 0) {
			const between = source.text.slice(node.pos, node.getStart(source, false));
			comments.push(...(between.match(/\/\*[\s\S]*?\*\/|\/\/.*(\n\s*\/\/.*)*/g) ?? []));
		}
		for (const child of children) if (!ts.isJSDoc(child)) visit(child);
	};
	visit(source);
	return comments.map((text) => ({
		reader: 'developer',
		text: text.replace(/^\s*\/?\*+\/? ?|\*+\/$|^\s*\/\/ ?/gm, ''),
	}));
}
