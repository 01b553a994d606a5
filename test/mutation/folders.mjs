const node = (folder) => `nodes/VisitorService/${folder}`;

/** The folders whose behavior the tests at the boundary have to hold. */
export const folders = {
	webhook: node('webhook'),
	listing: node('listing'),
	polling: node('polling'),
	response: node('response'),
	tenant: node('tenant'),
	http: node('http'),
	authorization: node('authorization'),
};

export const REPORT = 'coverage/mutation/report.json';
