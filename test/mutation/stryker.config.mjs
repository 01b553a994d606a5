import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../install.mjs';
import { folders } from './folders.mjs';

const { MUTATED_FOLDER: source, MUTATED_EVERY: share } = process.env;
const [name, { leastScore, slowTests = [] }] = Object.entries(folders).find(
	([, each]) => each.source === source,
);
const report = `coverage/mutation/${name}`;

/** Most of what is changed as a whole fits in: a condition, a function of some lines. */
const LINES_OF_PART = 20;

/** As Stryker names them: the files of the folder, or the parts of them that were asked for. */
function changedParts() {
	const [every, first = 0] = share.split(':').map(Number);
	if (every === 1) return [`${source}/**/*.ts`];
	return sourceFiles()
		.flatMap(partsOf)
		.filter((_, number) => number % every === first);
}

function sourceFiles() {
	return readdirSync(path.join(root, source), { recursive: true })
		.filter((file) => file.endsWith('.ts'))
		.sort()
		.map((file) => path.join(source, file));
}

function partsOf(file) {
	const lines = readFileSync(path.join(root, file), 'utf8').split('\n').length;
	const begins = Array.from({ length: Math.ceil(lines / LINES_OF_PART) }, (_, part) => part);
	return begins.map((part) => {
		const begin = part * LINES_OF_PART;
		return `${file}:${begin + 1}-${Math.min(begin + LINES_OF_PART, lines)}`;
	});
}

export default {
	packageManager: 'npm',
	plugins: ['@stryker-mutator/mocha-runner'],
	testRunner: 'mocha',
	mochaOptions: {
		'no-config': true,
		require: ['tsx/cjs', './test/mutation/jestInterface.cjs'],
		// Only the tests that mirror the mutated folder: a mutant is the business of the tests beside
		// it.
		spec: [`test/unit/${source}/**/*.test.ts`, ...slowTests],
	},
	coverageAnalysis: 'perTest',
	mutate: changedParts(),
	// Texts are the business of the words test, and no test repeats each of them.
	mutator: { excludedMutations: ['StringLiteral'] },
	// What is computed once, when a module is loaded, would need a process of its own for each
	// mutant.
	ignoreStatic: true,
	ignorePatterns: ['/dist', '/coverage', '/test/n8n/*/'],
	tempDirName: 'coverage/mutation/sandbox',
	// Slow only because the computer is busy must not count as found.
	timeoutFactor: 5,
	concurrency: 1,
	reporters: ['clear-text', 'json'],
	clearTextReporter: { logTests: false, reportTests: false, skipFull: true },
	jsonReporter: { fileName: `${report}.json` },
	incrementalFile: `${report}.incremental.json`,
	thresholds: { high: 90, low: leastScore, break: leastScore },
};
