import type { Workflow } from './workflows';

const NOON = '={{ DateTime.fromISO("2026-03-01T12:00:00Z") }}';
const MIDNIGHT = '={{ DateTime.fromISO("2026-03-01T00:00:00Z") }}';

const TIMES = [
	{ id: 1, at: '2026-03-01T01:00:00+01:00', updatedAt: '2026-02-01T00:00:00Z' },
	{ id: 2, at: '2026-03-02T00:00:00Z', updatedAt: '2026-04-01T00:00:00Z' },
];

const listing = (
	title: string,
	parameters: Record<string, unknown>,
	more: Partial<Workflow> = {},
): Workflow => ({
	title,
	node: 'action',
	users: 60,
	steps: ['run'],
	...more,
	parameters: { resource: 'user', operation: 'list', ...parameters },
});

const times = (title: string, parameters: object): Workflow =>
	listing(
		title,
		{ ...parameters },
		{ users: 0, steps: [async (service) => await service.seed('users', TIMES), 'run'] },
	);

const matching = (condition: string, value: unknown) => ({
	match: { conditions: [{ field: 'at', condition, value }] },
});

/** Two input items, each with a credential of its own. */
const ofItems = (title: string, credential: Workflow['credential'], more: Partial<Workflow> = {}) =>
	listing(
		title,
		{},
		{ credential, items: [{ text: 'wrong' }, { text: 'wrong too' }], users: 2, ...more },
	);

/**
 * What n8n decides of values, credentials and errors before a node sees them: run in the host in
 * memory and in n8n-core.
 */
export const HOST_RULES: Workflow[] = [
	times('equals a time that an expression returns', matching('equals', MIDNIGHT)),
	times('not equals a time that an expression returns', matching('notEquals', MIDNIGHT)),
	times('before a time that an expression returns', matching('before', NOON)),
	times('a list of times that an expression returns', {
		match: `={{ ({ conditions: [{ field: "at", condition: "equals", value: ${MIDNIGHT.slice(4, -3)} }] }) }}`,
	}),
	times('find a time that an expression returns', {
		operation: 'find',
		field: 'at',
		value: MIDNIGHT,
	}),
	times('updated since a time that an expression returns', { filters: { updatedSince: NOON } }),
	listing('an operation that is null', { operation: null }),
	listing('a limit that is null', { limit: null }),
	listing('options that are null', { options: null }),
	listing('conditions that are null', { match: null }),
	listing('a path segment that is null', { resource: 'company', pathSegment: null }),
	listing('find null', { operation: 'find', field: 'id', value: '={{ null }}' }),
	listing('an expression of another node, which is not there', {
		limit: '={{ $("Nowhere").item.json.a }}',
	}),
	listing('an expression with a syntax error', { limit: '={{ 1 + }}' }),
	listing('a list where a text is expected', { options: { sort: '={{ ["id", "asc"] }}' } }),
	ofItems('an audience of each item', { audience: '={{ $json.text }}' }),
	ofItems(
		'a secret of each item',
		{ clientSecret: '={{ $json.text }}' },
		{ onError: 'continueRegularOutput' },
	),
	ofItems('a credential with an expression that fails', {
		clientSecret: '={{ $("Nowhere").item.json.a }}',
	}),
	ofItems('a credential that speaks of itself', { authUrl: '={{ $self.baseUrl }}' }),
	listing(
		'the older setting Continue On Fail',
		{ limit: 9, options: { pageSize: '={{ $json.size }}' } },
		{ continueOnFail: true, items: [{ size: 7 }, { size: 0 }, { size: 9 }] },
	),
	listing(
		'a token that the service has revoked',
		{},
		{ steps: ['run', (service) => service.revokeTokens(), 'run'] },
	),
	{
		title: 'a start that is a time of an expression',
		node: 'polling',
		users: 0,
		parameters: { startFrom: 'date', startDate: '={{ DateTime.fromISO("2026-03-01T00:00:00Z") }}' },
		steps: [async (service) => await service.seed('users', TIMES), 'run'],
	},
	{
		title: 'a credential of the input item, where there is none',
		node: 'polling',
		users: 3,
		credential: { clientSecret: '={{ $json.text }}' },
		steps: ['run'],
	},
];
