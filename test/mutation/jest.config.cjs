const { projects } = require('../jest.config');

const { setupFilesAfterEnv, ...unit } = projects.find(({ displayName }) => displayName === 'unit');

// Only the tests that mirror the mutated folder: a mutant is the business of the tests beside it.
module.exports = {
	...unit,
	roots: [`<rootDir>/unit/${process.env.MUTATED_FOLDER}`],
	testMatch: ['**/*.test.ts'],
	// No check of each request against the interface: loading it takes longer than most tests.
	setupFilesAfterEnv: setupFilesAfterEnv.filter((file) => file.endsWith('timeLimit.ts')),
};
