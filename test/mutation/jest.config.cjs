const { projects } = require('../jest.config.js');

/** The tests at the boundary as one file: see boundary.ts. */
module.exports = {
	...projects.find(({ displayName }) => displayName === 'boundary'),
	// jest looks for tests below these only, once for each mutant.
	roots: ['<rootDir>/mutation'],
	testEnvironment: require.resolve('./untilFailure.cjs'),
	testMatch: ['<rootDir>/mutation/boundary.ts'],
	watchman: false,
};
