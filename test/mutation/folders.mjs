const INSIDE = [
	'webhook',
	'listing',
	'polling',
	'response',
	'tenant',
	'http',
	'authorization',
	'match',
	'diagnosis',
	'operations',
	'descriptions',
	'values',
	'failure',
];

/** The folders whose behavior the tests at the boundary have to hold: all of them. */
export const folders = {
	...Object.fromEntries(INSIDE.map((name) => [name, `nodes/VisitorService/${name}`])),
	nodes: 'nodes/VisitorService',
	credentials: 'credentials',
};

export const REPORT = 'coverage/mutation/report.json';
