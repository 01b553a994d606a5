const path = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

/** The longest test first; in `e2e` those that start an n8n of their own. */
const LONGEST = [
	'model/longLists',
	...['model', 'engine', 'package'],
	...['e2e/pollingTrigger', 'e2e/durableCursors', 'e2e/development'],
];

/**
 * jest begins with what took longest the last time. In a fresh clone it goes by the size of a file,
 * and would leave the longest test of all, in a short file, to one core at the end.
 */
module.exports = class LongestFirst extends Sequencer {
	sort(tests) {
		const rank = ({ path: file }) => {
			const name = path.relative(__dirname, file).split(path.sep).join('/');
			const index = LONGEST.findIndex((start) => name.startsWith(start));
			return index < 0 ? LONGEST.length : index;
		};
		return super.sort(tests).sort((one, other) => rank(one) - rank(other));
	}
};
