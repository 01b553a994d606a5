const { TestEnvironment } = require('jest-environment-node');

/** One test that fails has noticed a mutant: the others are left out, as jest cannot do itself. */
module.exports = class extends TestEnvironment {
	handleTestEvent({ name, test }) {
		if (name === 'test_start' && this.hasFailed) test.mode = 'skip';
		if (name === 'test_done') this.hasFailed ||= test.errors.length > 0;
	}
};
