import fc from '../properties';
import { type DeepPartial, type Fault, type Switches, syntheticRecord } from '../reference-service';

type Metadata = Switches['list']['metadata'];

/** The first choice of each is the plain one, to which a counterexample shrinks. */
const list: fc.Arbitrary<DeepPartial<Switches['list']>> = fc
	.record({
		envelope: fc.constantFrom(
			...(['data', 'array', 'items', 'content', 'embedded', 'resultList', 'dataItems'] as const),
			...(['twoArrays', 'twoArraysUnnamed', 'named', 'value', 'results'] as const),
		),
		metadata: fc.constantFrom<Metadata[]>('standard', 'none', ['total'], ['hasMore']),
		totalLag: fc.constantFrom(0, 0, 0, 20, -7),
		emptyAs: fc.constantFrom('array', 'null'),
		defaultPageSize: fc.constantFrom(50, 10, 20, 25, 100),
		minPageSize: fc.constantFrom(1, 1, 1, 10),
		maxPageSize: fc.constantFrom(1000, 100, 200, 333, 500, 2000, 5000),
		beyondMaximum: fc.constantFrom(
			...(['clamp', 'clampKeepingOffsetOfRequestedSize', 'error', 'useDefault'] as const),
		),
		pageSizeIgnored: fc.constantFrom(false, false, false, false, true),
		pageIgnored: fc.constantFrom(false, false, false, false, false, true),
		firstPageNumber: fc.constantFrom(0, 0, 1),
		pageBeforeFirst: fc.constantFrom('first', 'empty', 'error'),
		pageBeyondEnd: fc.constantFrom('empty', 'empty', 'lastPage', 'error'),
		hiddenAfterPaging: fc.constantFrom(0, 0, 0, 2, 3, 7, 10, 25, 50),
		duplicatesAcrossPages: fc.constantFrom(0, 0, 0, 1, 3),
		idField: fc.constantFrom('id', 'id', 'uuid', null),
		updatedAtField: fc.constantFrom('updatedAt', 'updatedAt', 'modified', null),
		updatedAtFormat: fc.constantFrom(
			...(['iso', 'isoSeconds', 'isoOffset', 'isoLocal'] as const),
			...(['epochMs', 'epochS', 'epochSText'] as const),
		),
		totalHeader: fc.constantFrom(false, false, true),
		zoneOffsetMinutes: fc.constantFrom(0, 120, -330),
		sortSpellings: fc.subarray(['field,desc', '-field', 'field:desc', 'field desc'] as const),
		unknownSort: fc.constantFrom('ignored', 'error'),
		naturalOrder: fc.constantFrom('insertion', 'id', 'updatedAt', 'updatedAtDescending'),
		updatedSince: fc.record({
			ignored: fc.constantFrom(false, false, false, true),
			accepted: fc.subarray([
				...(['iso', 'isoSeconds', 'epochMs', 'epochS', 'isoLocal', 'date'] as const),
			]),
			unreadable: fc.constantFrom('error', 'ignored', 'empty'),
			misreadEpoch: fc.boolean(),
			inclusive: fc.boolean(),
			precision: fc.constantFrom('ms', 's', 'min'),
			rejectsFuture: fc.boolean(),
		}),
		badParameter: fc.record({ status: fc.constantFrom(400, 422, 500) }),
		unknownPath: fc.record({ status: fc.constantFrom(404, 403, 401, 400) }),
		paths: fc.record({ companies: fc.constantFrom('companies', 'organizations', null) }),
		rateLimit: fc.record({
			requestsPerSecond: fc.constant(1000),
			burst: fc.constant(5000),
			headers: fc.constantFrom('none', 'none', 'x-ratelimit', 'ratelimit'),
		}),
	})
	// Records both left out and repeated look like other pages altogether; no service is known to do
	// it.
	.map((switches) => ({
		...switches,
		duplicatesAcrossPages: switches.hiddenAfterPaging === 0 ? switches.duplicatesAcrossPages : 0,
	}));

const IDS = {
	texts: (number: number) => `user-${String(number).padStart(6, '0')}`,
	numbers: (number: number) => number,
	uuids: (number: number) => `00000001-0000-8000-8000-${number.toString(16).padStart(12, '0')}`,
};

/** A service that Diagnose is to find out about, as switches of the reference service. */
export const diagnosedServices = fc.record({
	users: fc.constantFrom(
		...[30, 0, 1, 2, 3, 4, 5, 7, 10, 20, 33, 50, 51, 100, 101, 250, 600, 1001, 1300, 2600],
	),
	ids: fc.constantFrom<keyof typeof IDS>('texts', 'numbers', 'uuids'),
	switches: fc.record({
		clockOffsetMs: fc.constantFrom(0, 0, 4000, -70_000),
		dateHeader: fc.constantFrom(true, true, true, true, true, true, true, true, true, false),
		errors: fc.record({
			body: fc.constantFrom('json', 'empty', 'html', 'text', 'echoAuthorization'),
		}),
		token: fc.record({
			revokePrevious: fc.boolean(),
			// A token that lives for fewer requests than are in flight is given up: a new one that is
			// rejected before it got a list ends the run.
			lifetimeRequests: fc.constantFrom(0, 0, 0, 9, 17, 33),
			response: fc.constantFrom('rfc6749', 'rfc6749', 'camelCase', 'data', 'array'),
			format: fc.constantFrom('opaque', 'opaque', 'jwt'),
			expiresIn: fc.constantFrom(
				...(['number', 'number', 'string', 'missing'] as const),
				...(['milliseconds', 'expires_at_iso', 'expires_at_epoch_s'] as const),
			),
		}),
		authorization: fc.record({
			invalid: fc.record({ status: fc.constantFrom(401, 401, 401, 403, 419) }),
			permission: fc.constantFrom<Switches['authorization']['permission'][]>('all', 'all', [
				'users',
			]),
		}),
		list,
	}),
});

export type DiagnosedService =
	typeof diagnosedServices extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** The user with this number, counted from 1. */
export const userOf = ({ ids }: Pick<DiagnosedService, 'ids'>, number: number) => ({
	...syntheticRecord('users', number),
	id: IDS[ids](number),
});

/** What comes in place of a response that is broken. */
const BROKEN: Fault[] = [
	{ status: 500 },
	{ status: 502, body: '<html><body>Bad gateway</body></html>' },
	{ status: 503 },
	{ status: 504 },
	{ status: 429, retryAfter: 1 },
	'reset',
	'cut',
	'html',
	'truncatedJson',
	'errorObject200',
	'empty',
];

/** Responses that break at random. */
export const brokenResponses = fc.record({
	share: fc.constantFrom(0.05, 0.1, 0.2, 0.4),
	seed: fc.nat(),
	faults: fc.constant(BROKEN),
});
