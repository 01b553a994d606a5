import type { ForcedResponse } from './bodies';
import type { JsonObject, JsonValue } from './json';
import type { ENVELOPES, ERROR_BODIES, FAULTS, MetadataField, TOKEN_RESPONSES } from './presets';
import type { Resource } from './records';

/**
 * One response that is not the plain one.
 *
 * `none` the plain response · `reset` TCP reset before any byte · `hang` no byte ever · `cut` half
 * the body, then the connection is destroyed · `stall` half the body, then silence · `trickle` half
 * the body, then a byte now and then, without end · `truncatedJson` a complete response 200 whose
 * JSON ends in the middle · an object: that status, body and headers.
 */
export type Fault =
	| ('none' | 'reset' | 'hang' | 'cut' | 'stall' | 'trickle' | 'truncatedJson')
	| keyof typeof FAULTS
	| ForcedResponse;

/**
 * A page that is one, but not the right one. `shortPage` its first half · `emptyPage` none of its
 * records, and no metadata · `earlierPage` the page before it, as from a cache.
 */
export type WrongPage = 'shortPage' | 'emptyPage' | 'earlierPage';

/** A fault tied to one page number of the lists. */
export interface PageFault {
	/** The page number as asked for. */
	page: number;
	fault: Fault | WrongPage;
	/** How often it is played; default 1, 0 = always. */
	times?: number;
}

/** Faults at random but repeatable, for soaks. */
export interface RandomFaults {
	/** Share of the requests that get a fault, 0 to 1. */
	share: number;
	/** Picked from with equal chance. */
	faults: Fault[];
	seed: number;
}

/** In a template the texts `{status}`, `{code}` and `{message}` are filled in. */
export type ErrorBody = keyof typeof ERROR_BODIES | { template: JsonValue };

export interface ErrorResponse {
	status: number;
	/** null = `errors.body`. */
	body: ErrorBody | null;
}

export class TokenSwitches {
	/**
	 * `bareString` is the token as text, `deep` under `data.attributes`, `echo` no token, but the
	 * whole request with the secret. In a template `{token}` and `{expiresIn}` are filled in.
	 */
	response: keyof typeof TOKEN_RESPONSES | { template: JsonValue } = 'rfc6749';
	/** What the token itself looks like; a JWT carries `iat` and `exp`. */
	format: 'opaque' | 'jwt' = 'opaque';
	/** Start of every opaque token; tests for leaks search for it. */
	prefix = 'reference-token-';
	/**
	 * How the lifetime is announced. `number`, `string`, `missing`: the field `expires_in`.
	 * `milliseconds`: `expires_in` in the wrong unit. `expires_at…`: a point in time under that name.
	 * `{value}`: exactly this as `expires_in`.
	 */
	expiresIn:
		| 'number'
		| 'string'
		| 'missing'
		| 'milliseconds'
		| 'expires_at_iso'
		| 'expires_at_epoch_s'
		| { value: JsonValue } = 'number';
	/** Real lifetime, fractions allowed. */
	lifetimeSeconds = 3600;
	/**
	 * API calls a token is good for; 0 = any number. Expiry in mid-listing without waiting for a
	 * clock.
	 */
	lifetimeRequests = 0;
	/** A new token makes all earlier ones invalid. */
	revokePrevious = false;
	latencyMs = 0;
	/** Played on every token request; `none` = the plain response. */
	force: Fault = 'none';
	/** Played one per token request, then the plain response again. What is left shows here. */
	faults: Fault[] = [];
	/** Token requests are redirected here (a full URL); null = not. */
	redirectTo: string | null = null;
	/** How rejections are written: by RFC 6749 section 5.2, or with the whole form repeated. */
	errorStyle: 'rfc6749' | 'echo' = 'rfc6749';
}

export class AuthorizationSwitches {
	/** No `Authorization` header, or not `Bearer <token>`. */
	missing: ErrorResponse = { status: 401, body: null };
	/** A token never issued, or revoked. */
	invalid: ErrorResponse = { status: 401, body: null };
	expired: ErrorResponse = { status: 401, body: null };
	/** A good token that may not read this. */
	forbidden: ErrorResponse = { status: 403, body: null };
	/**
	 * Calls without a good token are redirected there, as to a page to log in, which every path
	 * that ends in `/log-in` is. null = not.
	 */
	redirectTo: string | null = null;
	/** Resources a good token may read. */
	permission: 'all' | 'none' | string[] = 'all';
}

/** A list request about to get a response. */
export interface ListRequest {
	resource: Resource;
	/** Page number as asked for; the first page's where none was. */
	page: number;
	query: Record<string, string>;
	/** Which list request with a response this is since the service started, counted from 1. */
	number: number;
}

/** What a page is made from, for an envelope written as a function (in-process only). */
export interface PageContents {
	resource: string;
	records: JsonObject[];
	metadata: PagingMetadata;
}

/** The facts of one page that metadata is written from. */
export interface PagingMetadata {
	/** Page number as the service counts. */
	page: number;
	/** Records per page the service used. */
	pageSize: number;
	/** Records in the whole list, as the service believes (`totalLag`). */
	total: number;
	totalPages: number;
	/** Whether nothing comes after this page: the truth, not from `total`. */
	last: boolean;
}

export type SortSpelling = 'field,desc' | '-field' | 'field:desc' | 'field desc';

export type TimeFormat = 'iso' | 'isoSeconds' | 'isoLocal' | 'epochMs' | 'epochS' | 'date';

class UpdatedSinceSwitches {
	/** No effect at all. */
	ignored = false;
	/**
	 * `iso` has a fraction of a second and a zone, `isoSeconds` a zone only, `isoLocal` neither,
	 * `date` no time.
	 */
	accepted: TimeFormat[] = ['iso', 'isoSeconds'];
	/** What another format gets. */
	unreadable: 'error' | 'ignored' | 'empty' = 'error';
	/**
	 * A number in the unit that is not accepted is read in the one that is (1970, or far ahead), as
	 * careless parsers do.
	 */
	misreadEpoch = false;
	/** Whether a record changed exactly at that time is shown. */
	inclusive = true;
	/** The unit both sides are cut to before they are compared. */
	precision: 'ms' | 's' | 'min' | 'day' = 'ms';
	/** Milliseconds by which the time that is compared is ahead of the one shown. */
	aheadMs = 0;
	/** Whether a time in the future is rejected. */
	rejectsFuture = false;
	/** Milliseconds it looks back at most; what is older is rejected. 0 = without end. */
	maxAgeMs = 0;
}

export class ListSwitches {
	/** Version segments that exist; another one is an unknown path. */
	apiVersions: string[] = ['v2'];
	/** Path segments after the version; null = this tenant has no such list. */
	paths: Record<Resource, string | null> = {
		...{ users: 'users', companies: 'companies' },
		...{ visits: 'visits', tasks: 'tasks' },
	};
	/**
	 * In a template `{records}` stands for the list, and `{total}`, `{totalPages}`, `{page}`,
	 * `{pageSize}`, `{last}` for those facts.
	 */
	envelope: keyof typeof ENVELOPES | { template: JsonValue } | ((page: PageContents) => JsonValue) =
		'data';
	/**
	 * Paging facts in the body. `standard` = what belongs to the envelope (Spring: `last`,
	 * `totalElements`, …; HAL: `page`; OData: `@odata.count`, `@odata.nextLink`; others: page,
	 * pageSize, total, totalPages), `none`, or exactly these.
	 */
	metadata: 'standard' | 'none' | MetadataField[] = 'standard';
	/** Whether `X-Total-Count` has the total. */
	totalHeader = false;
	/** Added to the true total, either sign; never below 0. */
	totalLag = 0;
	/** Of what the total is: of the list, or of the page it stands on. */
	totalOf: 'list' | 'page' = 'list';
	/** Whether a page is called the last one because it is not full, whatever comes after it. */
	lastIfNotFull = false;
	/** Whether page count and flags are computed from the size asked for, instead of the one used. */
	countsByRequestedSize = false;
	/** What stands for the list when a page is empty; `noContent` = status 204. */
	emptyAs: 'array' | 'null' | 'missing' | 'noContent' = 'array';
	/** Whether that is so after the end only; other pages that are empty have an empty list. */
	emptyOnlyBeyondEnd = false;
	defaultPageSize = 50;
	maxPageSize = 1000;
	/**
	 * What a `pageSize` beyond the maximum gets. With `clampKeepingOffsetOfRequestedSize` records are
	 * lost between pages.
	 */
	beyondMaximum: 'clamp' | 'clampKeepingOffsetOfRequestedSize' | 'error' | 'useDefault' = 'clamp';
	/** A smaller `pageSize` is raised to this. */
	minPageSize = 1;
	/** `pageSize` has no effect: always `defaultPageSize`. */
	pageSizeIgnored = false;
	/** `page` has no effect: always the first page. */
	pageIgnored = false;
	/** The published number is 0. */
	firstPageNumber: 0 | 1 = 0;
	/** What page 0 gets when numbering starts at 1. */
	pageBeforeFirst: 'first' | 'empty' | 'error' = 'first';
	/** What a page after the end gets; with `startsOver` the list begins again. */
	pageBeyondEnd: 'empty' | 'lastPage' | 'startsOver' | 'error' = 'empty';
	/**
	 * Every nth record (by its place in the list) is taken out after the page was cut; 0 = none; or a
	 * predicate in-process.
	 */
	hiddenAfterPaging: number | ((record: JsonObject, index: number) => boolean) = 0;
	/** Every page but the first begins with this many records of the page before. */
	duplicatesAcrossPages = 0;
	/** Name of the id, dots nest; null = records show none. */
	idField: string | null = 'id';
	/** Name of the update time, dots nest; null = records show none. */
	updatedAtField: string | null = 'updatedAt';
	/**
	 * Of update and creation times. `iso` is the time as stored. `isoMinutes` has the seconds cut
	 * off. `isoDate` is a day in UTC. `isoLocal` has no zone and means `zoneOffsetMinutes`;
	 * `isoOffset` carries that offset.
	 */
	updatedAtFormat:
		| 'iso'
		| 'isoSeconds'
		| 'isoMinutes'
		| 'isoDate'
		| 'isoMicroseconds'
		| 'isoOffset'
		| 'isoLocal'
		| 'epochMs'
		| 'epochS'
		| 'epochSText' = 'iso';
	/**
	 * The unit times are cut to when they are stored: all that shows, and all that `updatedSince` is
	 * compared with.
	 */
	timeUnit: 'ms' | 'min' | 'hour' | 'day' = 'ms';
	/**
	 * The update time of a record that was not changed since its creation: that of its creation,
	 * null, or null and no
	 * `updatedSince` finds it.
	 */
	neverUpdated: 'dated' | 'null' | 'notFound' = 'dated';
	/** What stands there instead of null: databases have their own zero. */
	neverUpdatedAs: JsonValue = null;
	/** Name of the creation time; null = records show none. */
	createdAtField: string | null = 'createdAt';
	/** Milliseconds the clock that stamps creations is ahead of the one that stamps changes. */
	createdAheadMs = 0;
	/** A field `photo` that differs without a change, as signed addresses do; null = none. */
	renewed: RenewedSwitches | null = null;
	/** The service's own zone, minutes east of UTC. */
	zoneOffsetMinutes = 0;
	/**
	 * Spellings of `sort` understood; the bare field name (ascending) is, too, unless the list is
	 * empty.
	 */
	sortSpellings: SortSpelling[] = ['field,desc'];
	/** What another spelling or an unknown field gets. */
	unknownSort: 'ignored' | 'error' = 'ignored';
	/**
	 * Order without `sort`. `none`: another one in each response, whatever `sort` is. `loose`: of
	 * forty that are equal, other ones come first on each page, the same each time.
	 */
	naturalOrder: 'insertion' | 'id' | 'updatedAt' | 'updatedAtDescending' | 'none' | 'loose' =
		'insertion';
	updatedSince = new UpdatedSinceSwitches();
	badParameter: ErrorResponse = { status: 400, body: null };
	unknownPath: ErrorResponse = { status: 404, body: null };
	/** Responds in place of a page, in-process only: for what no other switch says. */
	respondWith: ((requested: ListRequest) => ForcedResponse) | null = null;
	latencyMs = 0;
	rateLimit = new RateLimitSwitches();
	/** Played on every list request; `none` = the plain response. */
	force: Fault = 'none';
	/** Played one per list request, then the plain response again. What is left shows here. */
	faults: Fault[] = [];
	pageFaults: PageFault[] = [];
	randomFaults: RandomFaults | null = null;
	/** List requests are redirected to this origin, path and query kept; null = not. */
	redirectTo: string | null = null;
	redirectStatus = 307;
	/** Responses are gzipped for clients that accept it. */
	gzip = false;
	contentType = 'application/json; charset=utf-8';
	/** The body starts with U+FEFF, as some frameworks write it. */
	byteOrderMark = false;
}

export interface RenewedSwitches {
	/** In each response, or every so many milliseconds, in all records at once. */
	every: 'response' | number;
	/** Another path, and tags in another order; or an address of each record, signed anew. */
	as: 'path' | 'signature';
	/** Only of records that have this state; null = of all. */
	ofState?: string | null;
}

/**
 * How services announce their limit, on every response.
 *
 * `ratelimit`: draft-ietf-httpapi-ratelimit-headers up to 07, three headers ·
 * `ratelimit-structured`: from 08 on, one structured field · `x-ratelimit`: reset as epoch seconds
 * (GitHub) · `x-ratelimit-seconds`: reset as seconds from now · `x-rate-limit`: the spelling of
 * Twitter and Okta.
 */
export type HeaderStyle =
	| 'none'
	| 'ratelimit'
	| 'ratelimit-structured'
	| 'x-ratelimit'
	| 'x-ratelimit-seconds'
	| 'x-rate-limit';

export class RateLimitSwitches {
	/** 0 = no limit. */
	requestsPerSecond = 0;
	/**
	 * Requests allowed at once after a pause, and in one window; null = those of one second, at least
	 * 1.
	 */
	burst: number | null = null;
	/**
	 * `bucket` refills steadily, `window` allows `burst` requests in each span of burst /
	 * requestsPerSecond seconds, one after the other, `sliding` in every such span.
	 */
	algorithm: 'bucket' | 'window' | 'sliding' = 'bucket';
	/** Requests in work at once; 0 = any number. */
	concurrent = 0;
	status = 429;
	/**
	 * `seconds` the true wait rounded up · `date` the same as HTTP date · `none` · a number of
	 * seconds · a text.
	 */
	retryAfter: 'seconds' | 'date' | 'none' | number | { text: string } = 'seconds';
	headers: HeaderStyle = 'none';
	body: ErrorBody | null = null;
}

export class WebhookSwitches {
	/** Wait before each further attempt; after the last one a delivery has failed. */
	retryScheduleMs: number[] = [500, 2_000, 5_000, 15_000, 60_000];
	timeoutMs = 10_000;
}

/**
 * Everything the published interface does not show, as a switch. The defaults make a plain,
 * well-behaved service.
 *
 * A switch whose default is an object is merged key by key by `set`; every other one is replaced.
 */
export class Switches {
	/**
	 * Milliseconds the service's clock is ahead (behind when negative): `Date` header, `expires_at`,
	 * new `updatedAt`.
	 */
	clockOffsetMs = 0;
	/** Whether responses carry a `Date` header. */
	dateHeader = true;
	/**
	 * Played instead of every response, of tokens and lists alike, while set: the service is down.
	 */
	outage: Fault = 'none';
	token = new TokenSwitches();
	authorization = new AuthorizationSwitches();
	list = new ListSwitches();
	/** How the body of an error of the API is written where nothing more special is set. */
	errors: { body: ErrorBody } = { body: 'json' };
	webhooks = new WebhookSwitches();
}

/** Parts of `T`; lists and functions come whole. */
export type DeepPartial<T> = T extends (...parameters: never[]) => unknown
	? T
	: T extends readonly unknown[]
		? T
		: T extends object
			? { [K in keyof T]?: DeepPartial<T[K]> }
			: T;

/**
 * Writes `changes` into `switches`. Lists are copied, so that schedules used up by requests leave
 * the caller's alone.
 * @throws Error naming the switch when there is none of that name: a misspelt switch would make a
 * test prove nothing.
 */
export function mergeSwitches(switches: Switches, changes: DeepPartial<Switches>): void {
	// On a throw-away set first: a rejected change leaves everything as it was.
	mergeInto(new Switches(), new Switches(), changes, '');
	mergeInto(switches, new Switches(), changes, '');
}

function mergeInto(target: object, defaults: object, changes: object, path: string): void {
	for (const [key, value] of Object.entries(changes) as Array<[string, unknown]>) {
		if (value === undefined) continue;
		if (!Object.hasOwn(defaults, key)) throw new Error(`There is no switch "${path}${key}".`);
		const standard: unknown = Reflect.get(defaults, key);
		if (isGroup(standard)) {
			if (!isGroup(value)) throw new Error(`The switch "${path}${key}" is a group of switches.`);
			const group: unknown = Reflect.get(target, key);
			if (isGroup(group)) mergeInto(group, standard, value, `${path}${key}.`);
		} else {
			Reflect.set(target, key, Array.isArray(value) ? structuredClone(value) : value);
		}
	}
}

function isGroup(value: unknown): value is object {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
