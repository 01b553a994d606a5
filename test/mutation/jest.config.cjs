const { projects } = require('../jest.config.js');

const boundary = projects.find(({ displayName }) => displayName === 'boundary');

/** The tests at the boundary as one file: see boundary.ts. */
module.exports = {
	...boundary,
	// A test that is slow only because the computer is busy has noticed nothing.
	globals: { ...boundary.globals, secondsForOneTest: 600 },
	// jest looks for tests below these only, once for each mutant.
	roots: ['<rootDir>/mutation'],
	testEnvironment: require.resolve('./untilFailure.cjs'),
	testMatch: ['<rootDir>/mutation/boundary.ts'],
	watchman: false,
};
