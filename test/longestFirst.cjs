const Sequencer = require('@jest/test-sequencer').default;

const LONGEST = ['model', 'engine', 'package'];

/**
 * jest begins with what took longest the last time. In a fresh clone it goes by the size of a file,
 * and would leave the longest test of all, in a short file, to one core at the end.
 */
module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const rank = ({ context }) => {
			const index = LONGEST.indexOf(context.config.displayName.name);
			return index < 0 ? LONGEST.length : index;
		};
		return super.sort(tests).sort((one, other) => rank(one) - rank(other));
	}
};
