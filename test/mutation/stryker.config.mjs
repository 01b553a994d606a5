import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../install.mjs';
import { folders, REPORT } from './folders.mjs';

const { MUTATED_FOLDERS: names, MUTATED_EVERY: share } = process.env;

/** Most of what is changed as a whole fits in: a condition, a function of some lines. */
const LINES_OF_PART = 20;

/** As Stryker names them: the files of the folders, or the parts of them that were asked for. */
function changedParts() {
	const [every, first = 0] = share.split(':').map(Number);
	return names
		.split(',')
		.flatMap((name) => sourceFiles(folders[name]))
		.flatMap(partsOf)
		.filter((_, number) => number % every === first);
}

function sourceFiles(folder) {
	return readdirSync(path.join(root, folder))
		.filter((file) => file.endsWith('.ts'))
		.sort()
		.map((file) => path.posix.join(folder, file));
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
	plugins: ['@stryker-mutator/jest-runner'],
	testRunner: 'jest',
	jest: { configFile: 'test/mutation/jest.config.cjs', enableFindRelatedTests: false },
	coverageAnalysis: 'perTest',
	// On a busy computer the first run of all tests takes longer than Stryker waits by itself.
	dryRunTimeoutMinutes: 30,
	mutate: changedParts(),
	// Texts are the business of the words list, and no test repeats each of them.
	mutator: { excludedMutations: ['StringLiteral'] },
	// What is computed once, when a module is loaded, would need every test for each mutant.
	ignoreStatic: true,
	ignorePatterns: ['/dist', '/.npmignore', '/coverage', '/test/n8n/*/'],
	tempDirName: 'coverage/mutation/sandbox',
	// Slow only because the computer is busy must not count as found.
	timeoutFactor: 5,
	timeoutMS: 60_000,
	reporters: ['clear-text', 'json', 'progress-append-only'],
	clearTextReporter: { logTests: false, reportTests: false, reportScoreTable: false },
	jsonReporter: { fileName: REPORT },
	incrementalFile: 'coverage/mutation/incremental.json',
};
