import { folders } from './folders.mjs';

const { MUTATED_FOLDER: source } = process.env;
const [name, { leastScore }] = Object.entries(folders).find(([, each]) => each.source === source);
const report = `coverage/mutation/${name}`;

export default {
	packageManager: 'npm',
	plugins: ['@stryker-mutator/mocha-runner'],
	testRunner: 'mocha',
	mochaOptions: {
		'no-config': true,
		require: ['tsx/cjs', './test/mutation/jestInterface.cjs'],
		// Only the tests that mirror the mutated folder: a mutant is the business of the tests beside
		// it. Services of every kind are what a diagnosis is tested with.
		spec: [
			`test/unit/${source}/**/*.test.ts`,
			...(name === 'diagnosis' ? [`test/model/${source}/personalities.test.ts`] : []),
		],
	},
	coverageAnalysis: 'perTest',
	mutate: [`${source}/**/*.ts`],
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
