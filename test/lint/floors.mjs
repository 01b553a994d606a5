/**
 * The floors of the house, from the ground up: a folder may import what lies below it, and nothing
 * else. Folders of one floor do not know each other. CONTRIBUTING.md has the picture.
 */
const floors = [
	['nodes/VisitorService/failure', 'nodes/VisitorService/descriptions'],
	['nodes/VisitorService/values'],
	['nodes/VisitorService/http', 'nodes/VisitorService/match'],
	['nodes/VisitorService/response'],
	['nodes/VisitorService/authorization'],
	['nodes/VisitorService/tenant', 'nodes/VisitorService/listing'],
	[
		'nodes/VisitorService/polling',
		'nodes/VisitorService/diagnosis',
		'nodes/VisitorService/webhook',
	],
	['nodes/VisitorService/operations'],
	['nodes/VisitorService/*.node.ts', 'credentials/*.credentials.ts'],
];

const pattern = (part) => (part.endsWith('.ts') ? part : `${part}/**`);

const zone = (target, from) => ({
	target: `./${pattern(target)}`,
	from: from.map((part) => `./${pattern(part)}`),
	message: 'Imports go down, floor by floor: see CONTRIBUTING.md.',
});

/** For `import/no-restricted-paths`: what each folder must not import. */
export const zones = [
	...floors.flatMap((floor, number) =>
		floor.map((target) =>
			zone(target, [
				...floors.slice(number + 1).flat(),
				// No node imports another.
				...floor.filter((neighbour) => neighbour !== target || neighbour.endsWith('.ts')),
				'test',
			]),
		),
	),
];

/** For files that are nowhere here. */
export const withFloor = floors
	.flat()
	.map((part) => (part.endsWith('.ts') ? part : `${part}/*.ts`));
export const floorlessRules = {
	'no-restricted-syntax': [
		'error',
		{ selector: 'Program', message: 'This folder has no floor: give it one in floors.mjs.' },
	],
};

/** Below this floor the clock and randomness are passed in. */
const OPERATIONS = floors.findIndex((floor) => floor.includes('nodes/VisitorService/operations'));

export const withoutClock = floors.slice(0, OPERATIONS).flat().map(pattern);

const passedIn = 'is passed in to everything below operations/, so that tests decide it.';

/** For `withoutClock`. */
export const clockRules = {
	'no-restricted-properties': [
		'error',
		...[
			['Date', 'now', `The time ${passedIn}`],
			['performance', 'now', `The time ${passedIn}`],
			['DateTime', 'now', `The time ${passedIn}`],
			['DateTime', 'utc', `The time ${passedIn}`],
			['DateTime', 'local', `The time ${passedIn}`],
			['AbortSignal', 'timeout', `The time ${passedIn}`],
			['Math', 'random', `Randomness ${passedIn}`],
			['crypto', 'randomUUID', `Randomness ${passedIn}`],
			['crypto', 'getRandomValues', `Randomness ${passedIn}`],
			// This rule takes the place of that of all nodes.
			['URL', 'canParse', 'readUrl: see there why.'],
		].map(([object, property, message]) => ({ object, property, message })),
	],
	'no-restricted-imports': [
		'error',
		{
			name: 'n8n-workflow',
			importNames: ['sleep', 'sleepWithAbort'],
			message: `The time ${passedIn}`,
		},
		{
			name: 'node:crypto',
			importNames: ['randomBytes', 'randomInt', 'randomUUID', 'getRandomValues', 'webcrypto'],
			message: `Randomness ${passedIn}`,
		},
	],
	'no-restricted-syntax': [
		'error',
		{
			selector: ':matches(NewExpression, CallExpression)[callee.name="Date"][arguments.length=0]',
			message: `The time ${passedIn}`,
		},
	],
};
