const node = (folder) => `nodes/VisitorService/${folder}`;

/**
 * The folders whose tests need neither n8n nor a network, and the share of their mutants that the
 * tests have to find.
 */
export const folders = {
	webhook: { source: node('webhook'), leastScore: 85 },
	answer: { source: node('answer'), leastScore: 85 },
	authorization: { source: 'credentials/authorization', leastScore: 85 },
	listing: { source: node('listing'), leastScore: 85 },
	polling: { source: node('polling'), leastScore: 85 },
	diagnosis: { source: node('diagnosis'), leastScore: 75 },
};
