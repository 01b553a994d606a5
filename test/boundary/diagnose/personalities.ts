import type { Check } from '../../../nodes/VisitorService/diagnosis/finding';
import type { DeepPartial, JsonObject, Switches } from '../../reference-service';
import type { Personality } from './diagnosed';

/** Of a service that answers every question it gets. */
export interface WorkingPersonality extends Personality {
	/** Checks that have to be settled here, so that a diagnosis that knows nothing does not pass. */
	settles?: Check[];
	/** Checks that cannot be settled here: the data does not show it. */
	cannotSettle?: Check[];
	/** Users that List Users can read with the settings, if not all. */
	readable?: number;
}

const numbering: Check[] = ['firstPageNumber', 'pageHonoured'];
const sizes: Check[] = ['defaultPageSize', 'pageSizeHonoured', 'maxPageSize'];
const since: Check[] = ['updatedSinceFormat'];
const wholeList: Check[] = [
	...numbering,
	...sizes,
	'sortFormat',
	...since,
	'idField',
	'updatedAtField',
];

/** A service with these switches of its lists, and the checks that have to be settled. */
function of(
	name: string,
	list: DeepPartial<Switches['list']>,
	more: Check[] | Omit<WorkingPersonality, 'name' | 'switches'> = {},
): WorkingPersonality {
	return { name, switches: { list }, ...(Array.isArray(more) ? { settles: more } : more) };
}

export const workingPersonalities: WorkingPersonality[] = [
	{ name: 'a plain service', settles: wholeList },
	...(['empty', 'error'] as const).flatMap((pageBeforeFirst) =>
		(['standard', ['totalPages'], ['total', 'totalPages']] as const).map(
			(metadata): WorkingPersonality => ({
				name: `counted from 1, page 0 is ${pageBeforeFirst}, with ${String(metadata)}`,
				users: 1300,
				switches: {
					list: {
						firstPageNumber: 1,
						pageBeforeFirst,
						metadata: metadata === 'standard' ? metadata : [...metadata],
					},
				},
			}),
		),
	),

	// Where the list is, and what is said about it.
	of(
		'a bare array with Link and X-Total-Count',
		{ envelope: 'array', metadataHeaders: ['link', 'xTotalCount'] },
		wholeList,
	),
	of('the resource by its name', { envelope: 'named' }, wholeList),
	of(
		'a default size above the largest one that can be asked for',
		{ envelope: 'content', defaultPageSize: 50, maxPageSize: 40 },
		['pageSizeHonoured', ...numbering],
	),
	{
		name: 'fewer users than the largest page holds, and pages that state their size',
		users: 730,
		settles: ['defaultPageSize', ...numbering],
	},
	of('OData', { envelope: 'value', defaultPageSize: 100 }, wholeList),
	of('two arrays without names', { envelope: 'twoArraysUnnamed' }, ['itemsPath']),
	of(
		'metadata elsewhere under other names',
		{
			envelope: 'results',
			metadata: ['total', 'pageSize'],
			metadataUnder: 'meta',
			metadataNames: { total: 'totalCount', pageSize: 'per_page' },
		},
		wholeList,
	),
	of('a total that lags behind', { totalLag: -100 }, { users: 2500 }),

	// Tokens.
	{
		name: 'camel-case token answer',
		switches: { token: { response: 'camelCase' } },
		settles: ['tokenField', 'tokenLifetime', 'tokenRevocation'],
	},
	{
		name: 'a nested token',
		switches: { token: { response: 'data', expiresIn: 'string' } },
		settles: ['tokenField', 'tokenLifetime'],
	},
	{
		name: 'a token two levels down, with Token Field set',
		switches: { token: { response: 'deep' } },
		answerPath: 'data.attributes.access_token',
		settles: ['tokenField'],
	},
	{
		name: 'a token in a list',
		switches: { token: { response: 'array' } },
		settles: ['tokenField'],
	},
	{
		// Only `expires_in` in seconds is read; of any other lifetime a 401 tells.
		name: 'an expiry as a point in time of a clock that is ahead',
		switches: { clockOffsetMs: 90_000, token: { expiresIn: 'expires_at_iso' } },
		settles: ['clockDifference'],
		cannotSettle: ['tokenLifetime'],
	},
	{
		name: 'an expiry in the wrong unit',
		switches: { token: { expiresIn: 'milliseconds' } },
		cannotSettle: ['tokenLifetime'],
	},
	{
		name: 'a JWT without a lifetime beside it',
		switches: { token: { format: 'jwt', expiresIn: 'missing' } },
		cannotSettle: ['tokenLifetime'],
	},
	{
		name: 'tokens for ten requests',
		switches: { token: { lifetimeRequests: 10 } },
		settles: ['tokenRevocation', ...numbering],
	},
	{
		name: 'tokens for eight requests, then 403',
		switches: { token: { lifetimeRequests: 8 }, authorization: { expired: { status: 403 } } },
		settles: ['tokenRevocation', ...numbering],
	},
	{
		name: 'tokens for a single request',
		switches: { token: { lifetimeRequests: 1 } },
	},

	// Numbering.
	of(
		'numbering from 1 of a single record',
		{ firstPageNumber: 1 },
		{ users: 1, cannotSettle: numbering },
	),
	...(['hang', 'reset', { status: 504 }, { status: 500 }] as const).map(
		(fault): WorkingPersonality => ({
			name: `numbering from 1, page 0 always breaks: ${JSON.stringify(fault)}`,
			switches: { list: { firstPageNumber: 1, pageFaults: [{ page: 0, fault, times: 0 }] } },
			settles: numbering,
			// A service that does not answer is left alone before the settings are tried.
			...(typeof fault === 'string' || fault.status === 504 ? { readable: 0 } : {}),
		}),
	),
	of(
		'"page" and "pageSize" are ignored',
		{ pageIgnored: true, pageSizeIgnored: true, metadata: ['hasMore'] },
		{ users: 50 },
	),

	// Page sizes.
	...[100, 200].map((defaultPageSize) =>
		of(
			`"pageSize" is ignored, pages hold ${defaultPageSize}`,
			{ pageSizeIgnored: true, defaultPageSize },
			{ settles: ['pageSizeHonoured', ...numbering], cannotSettle: ['maxPageSize'] },
		),
	),
	{
		name: 'a limit that is answered by a bare error',
		switches: {
			list: { maxPageSize: 200, beyondMaximum: 'error', metadata: 'none' },
			errors: { body: 'empty' },
		},
		settles: ['defaultPageSize', 'pageSizeHonoured'],
	},
	{
		name: 'a limit that is answered by a bare error, in a short list',
		switches: {
			list: { maxPageSize: 100, beyondMaximum: 'error', metadata: 'none' },
			errors: { body: 'html' },
		},
		users: 20,
		cannotSettle: ['maxPageSize'],
	},
	of('the default size is the limit', { defaultPageSize: 50, maxPageSize: 50, metadata: 'none' }, [
		'pageSizeHonoured',
	]),
	of(
		'hidden records, and a limit that does not hold for the offset',
		{
			hiddenAfterPaging: 3,
			maxPageSize: 50,
			defaultPageSize: 10,
			beyondMaximum: 'clampKeepingOffsetOfRequestedSize',
			metadata: ['total'],
		},
		{ users: 1300 },
	),

	// Short lists.
	of('an empty bare array', { envelope: 'array' }, { users: 0, settles: ['itemsPath'] }),
	of(
		'an empty list without content',
		{ emptyAs: 'noContent' },
		{ users: 0, cannotSettle: wholeList },
	),

	// Records.
	{
		name: 'userId',
		switches: { list: { idField: 'userId' }, seeding: { idStyle: 'uuid' } },
		settles: ['idField', 'sortFormat'],
	},
	of('an id further down', { idField: 'profile.id' }, { users: 300, cannotSettle: ['idField'] }),
	{
		name: 'equal records',
		users: equalRecords(60),
		cannotSettle: [...numbering, 'maxPageSize', 'idField', 'sortFormat', ...since],
	},
	of(
		'update times further down, in milliseconds',
		{ updatedAtField: 'meta.lastModified', updatedAtFormat: 'epochMs' },
		['updatedAtField', ...since],
	),
	of(
		'update times in seconds, as text',
		{ updatedAtFormat: 'epochSText', updatedSince: { inclusive: false, precision: 's' } },
		['updatedAtField', ...since],
	),
	{
		name: 'all changed at the same time',
		users: changedTogether(80),
		settles: ['updatedAtField'],
		cannotSettle: since,
	},

	// Sorting.
	of(
		'sorting by field:desc, of a list sorted so already',
		{ sortSpellings: ['field:desc'], naturalOrder: 'updatedAtDescending', idField: null },
		{ users: 90, settles: ['sortFormat'] },
	),

	of('sorting by -field', { sortSpellings: ['-field'], unknownSort: 'error' }, ['sortFormat']),
	of('sorting by field desc', { sortSpellings: ['field desc'], naturalOrder: 'updatedAt' }, [
		'sortFormat',
	]),

	// Filtering.
	of(
		'updatedSince in seconds, milliseconds misread',
		{
			updatedSince: {
				...{ accepted: ['epochS'], misreadEpoch: true, unreadable: 'empty' },
				...{ inclusive: false, precision: 's' },
			},
		},
		since,
	),
	of(
		'updatedSince of an unknown format is ignored',
		{ updatedSince: { accepted: ['date', 'isoLocal'], unreadable: 'ignored' } },
		['updatedSinceFormat'],
	),

	// Refusals, headers, other lists.
	{
		name: 'a bad token is answered with 400',
		switches: { authorization: { invalid: { status: 400, body: 'text' } } },
		settles: ['badTokenAnswer'],
	},
	{
		name: 'errors that echo the token',
		switches: { errors: { body: 'echoAuthorization' } },
		settles: ['unknownPathAnswer'],
	},
	of(
		'a high limit, announced',
		{ rateLimit: { requestsPerSecond: 1000, burst: 5000, headers: 'x-ratelimit' } },
		['rateLimit'],
	),
	of(
		'a high limit, announced as the draft says',
		{ rateLimit: { requestsPerSecond: 1000, burst: 600, headers: 'ratelimit' } },
		['rateLimit'],
	),
	{ name: 'no Date header', switches: { dateHeader: false }, cannotSettle: ['clockDifference'] },
	{
		name: 'users only',
		switches: { authorization: { permission: ['users'] } },
		settles: ['companiesPath', 'visitsPath', 'tasksPath'],
	},
	{
		name: 'no permission for users',
		switches: { authorization: { permission: ['companies'] } },
		settles: ['usersReadable', 'companiesPath'],
	},
	of(
		'other paths',
		{ paths: { companies: 'organizations', visits: 'visit', tasks: null } },
		{ cannotSettle: ['companiesPath', 'visitsPath', 'tasksPath'] },
	),
	of(
		'no lists but the users',
		{ paths: { companies: null, visits: null, tasks: null } },
		{ cannotSettle: ['companiesPath', 'visitsPath', 'tasksPath'] },
	),
	of('no users list', { paths: { users: null } }, ['usersReadable', 'unknownPathAnswer']),
];

function equalRecords(count: number): JsonObject[] {
	return Array.from({ length: count }, () => ({ lastName: 'Equal' }));
}

function changedTogether(count: number): JsonObject[] {
	return Array.from({ length: count }, (_, index) => ({
		id: `user-${String(index + 1).padStart(6, '0')}`,
		updatedAt: '2026-01-05T08:00:00.000Z',
	}));
}
