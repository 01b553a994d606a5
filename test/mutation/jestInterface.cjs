// What the tests use of jest, for mocha, which runs tests again in the same process. jest would
// load every module again for each of thousands of mutants: a second in place of milliseconds.
const { expect } = require('expect');
const { bind } = require('jest-each');
const { ModuleMocker } = require('jest-mock');
const Mocha = require('mocha');

const { bdd } = Mocha.interfaces;

Mocha.interfaces.bdd = (rootSuite) => {
	bdd(rootSuite);
	// A mutant that is reached while the tests load, for their titles, and in tests is tried in tests
	// only. Stryker would start a process for each.
	rootSuite.afterAll(() => {
		const { perTest = {}, static: whileLoading = {} } =
			globalThis.__stryker__?.mutantCoverage ?? {};
		for (const inTest of Object.values(perTest)) {
			for (const mutant of Object.keys(inTest)) delete whileLoading[mutant];
		}
	});
	rootSuite.on('pre-require', (globals) => {
		globals.expect = expect;
		globals.jest = new ModuleMocker(globalThis);
		globals.beforeAll = globals.before;
		globals.afterAll = globals.after;
		globals.it.each = bind(globals.it);
		globals.describe.each = bind(globals.describe, false);
	});
};
