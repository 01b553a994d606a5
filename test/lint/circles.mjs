import { readFileSync } from 'node:fs';
import path from 'node:path';

/** An import or export of another file of this package, also of types. */
const FROM = /(?:^(?:import|export)\b[^;'"]*?\bfrom |^import |\bimport\()'(\.[^']+)'/gm;

const fileOf = (file, place) => `${path.resolve(path.dirname(file), place)}.ts`;

const texts = new Map();

/** What a file imports, as long as the linter runs. One that is not there imports nothing. */
function importsOf(file) {
	if (!texts.has(file)) {
		let text = '';
		try {
			text = readFileSync(file, 'utf8');
		} catch (error) {
			if (error.code !== 'ENOENT') throw error;
		}
		texts.set(
			file,
			[...text.matchAll(FROM)].map(([, place]) => fileOf(file, place)),
		);
	}
	return texts.get(file);
}

/** Whether one file needs another, directly or by others. */
function needs(file, needed) {
	const files = new Set([file]);
	for (const one of files) {
		if (one === needed) return true;
		for (const imported of importsOf(one)) files.add(imported);
	}
	return false;
}

/**
 * `import/no-cycle` skips imports of types, but files that need each other's types cannot be read
 * one by one either.
 */
export const noCircle = {
	meta: {
		type: 'problem',
		schema: [],
		messages: {
			circle: '{{place}} needs this file as well: no circle of files, nor of their types.',
		},
	},
	create: (context) => {
		const check = (node) => {
			const place = node.source?.value;
			if (!place?.startsWith('.') || !needs(fileOf(context.filename, place), context.filename))
				return;
			context.report({ node, messageId: 'circle', data: { place } });
		};
		return {
			ImportDeclaration: check,
			ImportExpression: check,
			ExportNamedDeclaration: check,
			ExportAllDeclaration: check,
		};
	},
};
