const node = (folder) => `nodes/VisitorService/${folder}`;

/** Tests of a folder that are too slow for the unit tests, and notice mutants all the same. */
const model = (tests) => `test/model/nodes/VisitorService/${tests}.test.ts`;

/**
 * The folders whose tests need neither n8n nor a network, and the share of their mutants that the
 * tests have to find.
 */
export const folders = {
	webhook: { source: node('webhook'), leastScore: 85 },
	answer: { source: node('answer'), leastScore: 85 },
	authorization: { source: 'credentials/authorization', leastScore: 85 },
	listing: { source: node('listing'), leastScore: 85 },
	polling: {
		source: node('polling'),
		leastScore: 85,
		slowTests: [model('polling/{clocks,moreThanFits,triggerOn,updatedSince,volatileFields}')],
	},
	diagnosis: {
		source: node('diagnosis'),
		leastScore: 75,
		// Services of every kind are what a diagnosis is tested with.
		slowTests: [model('diagnosis/personalities')],
	},
};
