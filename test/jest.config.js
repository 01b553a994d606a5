const project = (name, overrides = {}) => ({
	displayName: name,
	rootDir: __dirname,
	testEnvironment: 'node',
	testMatch: [`<rootDir>/${name}/**/*.test.ts`],
	transform: {
		// Types are checked once, by `npm run typecheck`; a second check per test file would only cost time.
		'^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.json', diagnostics: false }],
	},
	setupFilesAfterEnv: ['<rootDir>/contract/everyRequest.ts'],
	...overrides,
});

module.exports = {
	// An n8n start, a build and a workflow of 250,000 records all have to fit.
	testTimeout: 180_000,
	projects: [
		project('unit'),
		project('package'),
		project('engine'),
		project('e2e', {
			globalSetup: '<rootDir>/e2e/harness/startSharedN8n.ts',
			globalTeardown: '<rootDir>/e2e/harness/stopSharedN8n.ts',
		}),
		project('browser', {
			globalSetup: '<rootDir>/browser/harness/startN8nForBrowser.ts',
			globalTeardown: '<rootDir>/e2e/harness/stopSharedN8n.ts',
		}),
		project('queue'),
	],
};
