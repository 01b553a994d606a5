const { existsSync, renameSync } = require('node:fs');
const path = require('node:path');
const { buildSync, version } = require('esbuild');
const workflow = require('n8n-workflow/package.json');

/**
 * n8n-workflow as one file: jest loads modules anew for each test file, and 700 small ones take
 * three times as long. luxon stays the one that the sources load.
 */
function n8nWorkflow() {
	const folder = path.join(__dirname, '..', 'node_modules', '.cache', 'n8n-workflow');
	const file = path.join(folder, `${workflow.version}-${version}.cjs`);
	if (!existsSync(file)) {
		// Another run may be at it.
		const outfile = `${file}.${process.pid}`;
		const entryPoints = [require.resolve('n8n-workflow')];
		const kept = { external: ['luxon'], keepNames: true };
		buildSync({ entryPoints, outfile, bundle: true, platform: 'node', ...kept });
		renameSync(outfile, file);
	}
	return file;
}

const { NIGHTLY } = process.env;

/** Part of the key of jest's cache, so that nothing made in another way is used. */
const compiler = {
	version,
	options: {
		loader: 'ts',
		format: 'cjs',
		target: 'es2022',
		// jest has no import() in modules of this format.
		supported: { 'dynamic-import': false },
		// In the code, where a debugger looks for it as well.
		sourcemap: 'inline',
	},
};

/**
 * What no test replaces, as some do RegExp and Date. jest runs modules in a context of `node:vm`,
 * in which each look-up of a global takes longer than most functions do; given to each module,
 * these are local to it.
 */
const UNCHANGED_GLOBALS = 'Array JSON Map Math Number Object Promise Set String Symbol'.split(' ');

/** @param secondsForOneTest after which a test, or a hook of one, has failed */
const project = (name, secondsForOneTest, overrides = {}) => ({
	displayName: name,
	rootDir: __dirname,
	testEnvironment: 'node',
	testMatch: [`<rootDir>/${name}/**/*.test.ts`],
	transform: {
		'^.+\\.ts$': ['<rootDir>/transform.js', compiler],
	},
	moduleNameMapper: { '^n8n-workflow$': n8nWorkflow() },
	sandboxInjectedGlobals: UNCHANGED_GLOBALS,
	globals: { secondsForOneTest },
	setupFilesAfterEnv: ['<rootDir>/timeLimit.ts', '<rootDir>/contract/everyRequest.ts'],
	...overrides,
});

module.exports = {
	testSequencer: '<rootDir>/longestFirst.cjs',
	projects: [
		// Ends what hangs, and nothing else: on a busy machine a test of one second can take a minute.
		project('unit', 300),
		project('boundary', 300, { globals: { secondsForOneTest: 300, drawnLists: 24 } }),
		// A server or a process in each test.
		project('programs', 300),
		// Hundreds of drawn cases in one test. The lists drawn at the boundary are drawn on each night.
		project('model', 600, {
			testMatch: [
				'<rootDir>/model/**/*.test.ts',
				...(NIGHTLY ? ['<rootDir>/boundary/listing/{readings,randomLists}.test.ts'] : []),
			],
			globals: NIGHTLY
				? { secondsForOneTest: 3600, drawnLists: 600 }
				: { secondsForOneTest: 600, drawnLists: 60 },
		}),
		// A build and n8n's scanner.
		project('package', 180),
		// n8n-core, and servers that are slow on purpose.
		project('engine', 180),
		// An n8n start.
		project('e2e', 180, {
			globalSetup: '<rootDir>/e2e/harness/startSharedN8n.ts',
			globalTeardown: '<rootDir>/e2e/harness/stopSharedN8n.ts',
		}),
		project('browser', 180, {
			globalSetup: '<rootDir>/browser/harness/startN8nForBrowser.ts',
			globalTeardown: '<rootDir>/e2e/harness/stopSharedN8n.ts',
		}),
		project('queue', 180),
		// The servers of others, installed into the cache when first needed.
		project('stacks', 240),
	],
};
