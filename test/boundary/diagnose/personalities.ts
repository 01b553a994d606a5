import type { Check } from '../../../nodes/VisitorService/diagnosis/finding';
import type { JsonObject } from '../../reference-service';
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
const since: Check[] = ['updatedSinceFormat', 'updatedSinceInclusive'];
const wholeList: Check[] = [
	...numbering,
	...sizes,
	'sortFormat',
	...since,
	'idField',
	'updatedAtField',
];

export const workingPersonalities: WorkingPersonality[] = [
	{ name: 'a plain service', settles: wholeList },

	{
		name: 'paths that do not exist get 401',
		switches: { list: { unknownPath: { status: 401 } } },
		settles: [...wholeList, 'tokenLifetime', 'unknownPathAnswer'],
	},
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
	{
		name: 'a bare array',
		switches: { list: { envelope: 'array' } },
		settles: wholeList,
	},
	{
		name: 'a bare array with Link and X-Total-Count',
		switches: { list: { envelope: 'array', metadataHeaders: ['link', 'xTotalCount'] } },
		settles: wholeList,
	},
	{
		name: 'items without metadata',
		switches: { list: { envelope: 'items', metadata: 'none' } },
		settles: wholeList,
	},
	{
		name: 'the resource by its name',
		switches: { list: { envelope: 'named' } },
		settles: wholeList,
	},
	{
		name: 'Spring Data',
		switches: { list: { envelope: 'content', defaultPageSize: 20, maxPageSize: 200 } },
		settles: wholeList,
	},
	{
		name: 'a default size above the largest one that can be asked for',
		switches: { list: { envelope: 'content', defaultPageSize: 50, maxPageSize: 40 } },
		settles: ['pageSizeHonoured', ...numbering],
	},
	{
		name: 'fewer users than the largest page holds, and pages that state their size',
		users: 730,
		settles: ['defaultPageSize', ...numbering],
	},
	{ name: 'HAL', switches: { list: { envelope: 'embedded' } }, settles: wholeList },
	{
		name: 'OData',
		switches: { list: { envelope: 'value', defaultPageSize: 100 } },
		settles: wholeList,
	},
	{ name: 'a nested list', switches: { list: { envelope: 'resultList' } }, settles: wholeList },
	{
		name: 'another nested list',
		switches: { list: { envelope: 'dataItems', metadata: ['hasMore', 'total'] } },
		settles: wholeList,
	},
	{
		name: 'two arrays, one of them named',
		switches: { list: { envelope: 'twoArrays' } },
		settles: ['itemsPath'],
	},
	{
		name: 'two arrays without names',
		switches: { list: { envelope: 'twoArraysUnnamed' } },
		settles: ['itemsPath'],
	},
	{
		name: 'metadata elsewhere under other names',
		switches: {
			list: {
				envelope: 'results',
				metadata: ['total', 'pageSize'],
				metadataUnder: 'meta',
				metadataNames: { total: 'totalCount', pageSize: 'per_page' },
			},
		},
		settles: wholeList,
	},
	{ name: 'a total that lags behind', switches: { list: { totalLag: -100 } }, users: 2500 },
	{ name: 'a total that runs ahead', switches: { list: { totalLag: 40 } }, users: 60 },

	// Tokens.
	{
		name: 'camel-case token answer',
		switches: { token: { answer: 'camelCase' } },
		settles: ['tokenField', 'tokenLifetime', 'tokenRevocation'],
	},
	{
		name: 'a nested token',
		switches: { token: { answer: 'data', expiresIn: 'string' } },
		settles: ['tokenField', 'tokenLifetime'],
	},
	{
		name: 'a token two levels down, with Token Field set',
		switches: { token: { answer: 'deep' } },
		answerPath: 'data.attributes.access_token',
		settles: ['tokenField'],
	},
	{ name: 'a token in a list', switches: { token: { answer: 'array' } }, settles: ['tokenField'] },
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
		name: 'no lifetime',
		switches: { token: { expiresIn: 'missing' } },
		cannotSettle: ['tokenLifetime'],
	},
	{
		name: 'a new token revokes the last one',
		switches: { token: { revokePrevious: true } },
		settles: ['tokenRevocation', ...wholeList],
	},
	{
		name: 'a new token revokes the last one, which is answered with 403',
		switches: { token: { revokePrevious: true }, authorization: { invalid: { status: 403 } } },
		settles: ['tokenRevocation', 'badTokenAnswer'],
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
		readable: 0,
	},

	// Numbering.
	{
		name: 'numbering from 1, page 0 is page 1',
		switches: { list: { firstPageNumber: 1 } },
		settles: [...numbering, ...sizes, ...since],
	},
	{
		name: 'numbering from 1, page 0 is empty',
		switches: {
			list: { firstPageNumber: 1, pageBeforeFirst: 'empty', metadata: ['total', 'hasMore'] },
		},
		settles: [...numbering, ...sizes],
	},
	{
		name: 'numbering from 1, page 0 is refused',
		switches: { list: { firstPageNumber: 1, pageBeforeFirst: 'error', metadata: 'none' } },
		settles: [...numbering, ...sizes],
	},
	{
		name: 'numbering from 1, page 0 is empty, no metadata',
		switches: { list: { firstPageNumber: 1, pageBeforeFirst: 'empty', metadata: 'none' } },
		settles: [...numbering, ...sizes],
	},
	{
		name: 'numbering from 1 of a single record',
		switches: { list: { firstPageNumber: 1 } },
		users: 1,
		cannotSettle: numbering,
	},
	...(['hang', 'reset', { status: 504 }, { status: 500 }] as const).map(
		(fault): WorkingPersonality => ({
			name: `numbering from 1, page 0 always breaks: ${JSON.stringify(fault)}`,
			switches: { list: { firstPageNumber: 1, pageFaults: [{ page: 0, fault, times: 0 }] } },
			settles: numbering,
		}),
	),
	{
		name: '"page" is ignored',
		switches: { list: { pageIgnored: true } },
		users: 400,
		settles: ['pageHonoured'],
		cannotSettle: ['firstPageNumber'],
	},
	{
		name: '"page" and "pageSize" are ignored',
		switches: { list: { pageIgnored: true, pageSizeIgnored: true, metadata: ['hasMore'] } },
		users: 50,
	},
	{
		name: 'pages begin with the end of the page before',
		switches: { list: { duplicatesAcrossPages: 3 } },
		settles: numbering,
	},
	{
		name: 'a page after the end is refused',
		switches: { list: { pageBeyondEnd: 'error' } },
		users: 30,
		settles: numbering,
	},
	{
		name: 'a page after the end is the last one',
		switches: { list: { pageBeyondEnd: 'lastPage' } },
		users: 30,
		settles: numbering,
	},
	{
		name: 'a page after the end is the last one, of one record',
		switches: { list: { pageBeyondEnd: 'lastPage' } },
		users: 1,
		cannotSettle: numbering,
	},

	// Page sizes.
	{
		name: '"pageSize" is ignored',
		switches: { list: { pageSizeIgnored: true } },
		settles: [...numbering, 'pageSizeHonoured'],
		cannotSettle: ['maxPageSize'],
	},
	{
		name: '"pageSize" is ignored in a short list',
		switches: { list: { pageSizeIgnored: true } },
		users: 40,
		settles: ['pageSizeHonoured'],
	},
	{
		name: '"pageSize" is ignored, numbering from 1',
		switches: { list: { pageSizeIgnored: true, firstPageNumber: 1 } },
		users: 120,
		settles: numbering,
	},
	{
		name: 'a limit of 100',
		switches: { list: { maxPageSize: 100, metadata: 'none' } },
		settles: sizes,
	},
	{
		name: 'a limit of 100 in a list of 130',
		switches: { list: { maxPageSize: 100, metadata: 'none' } },
		users: 130,
		settles: sizes,
	},
	{
		name: 'a limit that is named by an error',
		switches: { list: { maxPageSize: 333, beyondMaximum: 'error', metadata: 'none' } },
		settles: ['pageSizeHonoured', 'defaultPageSize'],
	},
	{
		name: 'a limit that is answered by a bare error',
		switches: {
			list: { maxPageSize: 200, beyondMaximum: 'error', metadata: 'none' },
			errors: { body: 'empty' },
		},
		settles: sizes,
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
	{
		name: 'the default size beyond the limit',
		switches: { list: { maxPageSize: 250, beyondMaximum: 'useDefault' } },
		settles: ['pageSizeHonoured', 'defaultPageSize'],
	},
	{
		name: 'the default size beyond the limit, unstated',
		switches: { list: { maxPageSize: 500, beyondMaximum: 'useDefault', metadata: 'none' } },
		settles: sizes,
	},
	{
		name: 'a limit that does not hold for the offset',
		switches: {
			list: { maxPageSize: 500, beyondMaximum: 'clampKeepingOffsetOfAskedSize', metadata: 'none' },
		},
		settles: sizes,
	},
	{
		name: 'the default size is the limit',
		switches: { list: { defaultPageSize: 50, maxPageSize: 50, metadata: 'none' } },
		settles: ['pageSizeHonoured', 'maxPageSize'],
	},
	{
		name: 'a limit beyond what is asked for',
		switches: { list: { maxPageSize: 5000 } },
		cannotSettle: ['maxPageSize'],
	},
	{
		name: 'a tenth of each page is hidden',
		switches: { list: { hiddenAfterPaging: 10, metadata: 'none' } },
		settles: numbering,
		cannotSettle: ['defaultPageSize', 'maxPageSize'],
	},
	{
		name: 'every 50th record is hidden',
		switches: { list: { hiddenAfterPaging: 50, metadata: 'none' } },
		settles: numbering,
		cannotSettle: ['maxPageSize'],
	},
	{
		name: 'every other record is hidden',
		switches: { list: { hiddenAfterPaging: 2, metadata: 'none', totalCountsHidden: false } },
		settles: numbering,
		cannotSettle: ['defaultPageSize', 'maxPageSize'],
	},
	{
		name: 'hidden records, and a limit that does not hold for the offset',
		switches: {
			list: {
				hiddenAfterPaging: 3,
				maxPageSize: 50,
				defaultPageSize: 10,
				beyondMaximum: 'clampKeepingOffsetOfAskedSize',
				metadata: ['total'],
			},
		},
		users: 1300,
	},
	{
		name: 'hidden records, and a page size that is stated',
		switches: { list: { hiddenAfterPaging: 7 } },
		settles: [...numbering, 'pageSizeHonoured'],
	},

	// Short lists.
	{ name: 'an empty list', users: 0, cannotSettle: wholeList },
	{
		name: 'an empty bare array',
		switches: { list: { envelope: 'array' } },
		users: 0,
		settles: ['itemsPath'],
	},
	{
		name: 'an empty list that is null',
		switches: { list: { emptyAs: 'null' } },
		users: 0,
		cannotSettle: wholeList,
	},
	{
		name: 'an empty list without content',
		switches: { list: { emptyAs: 'noContent' } },
		users: 0,
		cannotSettle: wholeList,
	},
	{
		name: 'one record',
		users: 1,
		cannotSettle: [...numbering, ...sizes, 'sortFormat', ...since],
	},
	{ name: 'two records', users: 2 },
	{ name: 'three records', users: 3 },
	{
		name: 'exactly one default page',
		users: 50,
		settles: [...numbering, 'pageSizeHonoured', ...since],
	},

	// Records.
	{
		name: 'userId',
		switches: { list: { idField: 'userId' }, seeding: { idStyle: 'uuid' } },
		settles: ['idField', 'sortFormat'],
	},
	{
		name: 'no id',
		switches: { list: { idField: null } },
		users: 300,
		settles: [...numbering, 'sortFormat'],
		cannotSettle: ['idField'],
	},
	{
		name: 'an id further down',
		switches: { list: { idField: 'profile.id' } },
		users: 300,
		cannotSettle: ['idField'],
	},
	{
		name: 'equal records',
		users: equalRecords(60),
		cannotSettle: [...numbering, 'maxPageSize', 'idField', 'sortFormat', ...since],
	},
	{
		name: 'no update time',
		switches: { list: { updatedAtField: null } },
		settles: ['sortFormat'],
		cannotSettle: ['updatedAtField', ...since],
	},
	{
		name: 'update times further down, in milliseconds',
		switches: { list: { updatedAtField: 'meta.lastModified', updatedAtFormat: 'epochMs' } },
		settles: ['updatedAtField', ...since],
	},
	{
		name: 'update times in seconds',
		switches: { list: { updatedAtField: 'changed_at', updatedAtFormat: 'epochS' } },
		settles: ['updatedAtField', 'updatedSinceFormat'],
	},
	{
		name: 'update times in seconds, as text',
		switches: {
			list: { updatedAtFormat: 'epochSText', updatedSince: { inclusive: false, precision: 's' } },
		},
		settles: ['updatedAtField', ...since],
	},
	{
		name: 'update times without zone',
		switches: { list: { updatedAtFormat: 'isoLocal', zoneOffsetMinutes: 120 } },
		settles: ['updatedAtField', 'updatedSinceFormat'],
		cannotSettle: ['updatedSinceInclusive'],
	},
	{
		name: 'update times with an offset',
		switches: { list: { updatedAtFormat: 'isoOffset', zoneOffsetMinutes: -330 } },
		settles: ['updatedAtField', ...since],
	},
	{
		name: 'update times without milliseconds',
		switches: { list: { updatedAtFormat: 'isoSeconds' } },
		settles: ['updatedSinceFormat'],
		cannotSettle: ['updatedSinceInclusive'],
	},
	{
		name: 'all changed at the same time',
		users: changedTogether(80),
		settles: ['updatedAtField'],
		cannotSettle: since,
	},

	// Sorting.
	{
		name: 'no sorting',
		switches: { list: { sortSpellings: [] } },
		settles: wholeList.filter((check) => check !== 'sortFormat'),
		// It may sort by fields that were not tried.
		cannotSettle: ['sortFormat'],
	},
	{
		name: 'no sorting, refused',
		switches: { list: { sortSpellings: [], unknownSort: 'error' } },
		settles: wholeList.filter((check) => check !== 'sortFormat'),
		cannotSettle: ['sortFormat'],
	},
	{
		name: 'sorting by -field',
		switches: { list: { sortSpellings: ['-field'], unknownSort: 'error' } },
		settles: ['sortFormat'],
	},
	{
		name: 'sorting by field:desc, of a list sorted so already',
		switches: {
			list: { sortSpellings: ['field:desc'], naturalOrder: 'updatedAtDescending', idField: null },
		},
		users: 90,
		settles: ['sortFormat'],
	},
	{
		name: 'sorting by field desc',
		switches: { list: { sortSpellings: ['field desc'], naturalOrder: 'updatedAt' } },
		settles: ['sortFormat'],
	},

	// Filtering.
	{
		name: 'updatedSince is ignored',
		switches: { list: { updatedSince: { ignored: true } } },
		settles: ['updatedSinceFormat'],
		cannotSettle: ['updatedSinceInclusive'],
	},
	{
		name: 'updatedSince is ignored, newest first',
		switches: { list: { updatedSince: { ignored: true }, naturalOrder: 'updatedAtDescending' } },
		settles: ['updatedSinceFormat'],
		cannotSettle: ['updatedSinceInclusive'],
	},
	{
		name: 'updatedSince, newest first',
		switches: { list: { naturalOrder: 'updatedAtDescending' } },
		settles: since,
	},
	{
		name: 'updatedSince is exclusive',
		switches: { list: { updatedSince: { inclusive: false } } },
		settles: since,
	},
	{
		name: 'updatedSince in milliseconds, seconds misread',
		switches: {
			list: { updatedSince: { accepted: ['epochMs'], misreadEpoch: true, unreadable: 'ignored' } },
		},
		settles: since,
	},
	{
		name: 'updatedSince in seconds, milliseconds misread',
		switches: {
			list: {
				updatedSince: {
					accepted: ['epochS'],
					misreadEpoch: true,
					unreadable: 'empty',
					inclusive: false,
					precision: 's',
				},
			},
		},
		settles: since,
	},
	{
		name: 'updatedSince without milliseconds only',
		switches: { list: { updatedSince: { accepted: ['isoSeconds'] } } },
		settles: ['updatedSinceFormat'],
	},
	{
		name: 'updatedSince in whole seconds',
		switches: { list: { updatedSince: { precision: 's', inclusive: false } } },
		settles: since,
	},
	{
		name: 'updatedSince of an unknown format is ignored',
		switches: { list: { updatedSince: { accepted: ['date', 'isoLocal'], unreadable: 'ignored' } } },
		settles: ['updatedSinceFormat'],
	},
	{
		name: 'updatedSince without update times, in seconds',
		switches: {
			list: {
				updatedAtField: null,
				updatedSince: { accepted: ['epochS'], misreadEpoch: true, unreadable: 'empty' },
			},
		},
		cannotSettle: since,
	},
	{
		name: 'updatedSince is ignored, without update times',
		switches: { list: { updatedAtField: null, updatedSince: { ignored: true } } },
		cannotSettle: since,
	},
	{
		name: 'updatedSince and hidden records',
		switches: { list: { hiddenAfterPaging: 3, metadata: 'none' } },
		settles: ['updatedSinceFormat'],
	},

	// Refusals, headers, other lists.
	{
		name: 'mistakes are not reported',
		switches: { list: { badParameters: 'ignored' } },
		settles: ['badParameterAnswer'],
	},
	{
		name: 'mistakes are answered with 422',
		switches: { list: { badParameter: { status: 422, body: 'problem' } } },
		settles: ['badParameterAnswer'],
	},
	{
		name: 'mistakes are answered with 500',
		switches: {
			list: {
				badParameter: { status: 500, body: 'html' },
				updatedSince: { unreadable: 'ignored' },
			},
		},
		cannotSettle: ['badParameterAnswer'],
	},
	{
		name: 'a bad token is answered with 400',
		switches: { authorization: { invalid: { status: 400, body: 'text' } } },
		settles: ['badTokenAnswer'],
	},
	{
		name: 'an unknown path is answered with 403',
		switches: { list: { unknownPath: { status: 403 }, paths: { visits: null } } },
		settles: ['unknownPathAnswer', 'companiesPath'],
	},
	{
		name: 'errors that echo the token',
		switches: { errors: { body: 'echoAuthorization' } },
		settles: ['badParameterAnswer'],
	},
	{
		name: 'a high limit, announced',
		switches: {
			list: { rateLimit: { requestsPerSecond: 1000, burst: 5000, headers: 'x-ratelimit' } },
		},
		settles: ['rateLimit'],
	},
	{
		name: 'a high limit, announced as the draft says',
		switches: {
			list: { rateLimit: { requestsPerSecond: 1000, burst: 600, headers: 'ratelimit' } },
		},
		settles: ['rateLimit'],
	},
	{
		name: 'a clock that is an hour behind',
		switches: { clockOffsetMs: -3_600_000 },
		settles: ['clockDifference'],
	},
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
	{
		name: 'other paths',
		switches: { list: { paths: { companies: 'organizations', visits: 'visit', tasks: null } } },
		settles: ['companiesPath', 'visitsPath'],
		cannotSettle: ['tasksPath'],
	},
	{
		name: 'no lists but the users',
		switches: { list: { paths: { companies: null, visits: null, tasks: null } } },
		cannotSettle: ['companiesPath', 'visitsPath', 'tasksPath'],
	},
	{
		name: 'no users list',
		switches: { list: { paths: { users: null } } },
		settles: ['usersReadable', 'unknownPathAnswer'],
	},
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
