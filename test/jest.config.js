/** @param secondsForOneTest after which a test, or a hook of one, has failed */
const project = (name, secondsForOneTest, overrides = {}) => ({
	displayName: name,
	rootDir: __dirname,
	testEnvironment: 'node',
	testMatch: [`<rootDir>/${name}/**/*.test.ts`],
	transform: {
		// Types are checked once, by `npm run typecheck`; a second check per test file would only cost time.
		'^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.json', diagnostics: false }],
	},
	globals: { secondsForOneTest },
	setupFilesAfterEnv: ['<rootDir>/timeLimit.ts', '<rootDir>/contract/everyRequest.ts'],
	...overrides,
});

module.exports = {
	projects: [
		project('unit', 15),
		// Thousands of drawn cases in one test.
		project('model', 600),
		// A build and n8n's scanner.
		project('package', 180),
		// A workflow of 250,000 records.
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
	],
};
