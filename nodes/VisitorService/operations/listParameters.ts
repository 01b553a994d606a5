import { LISTED_RESOURCES, type ListedResource, listedAt, otherList } from '../answer/resources';
import type { UpdatedSinceFormat } from '../answer/updatedSince';
import { ServiceFailure } from '../failure/serviceFailure';
import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import type { MatchRules } from '../match/recordMatch';
import { isText, type JsonObject } from '../values/json';
import { isUnset } from '../values/parameters';
import { readFieldOf, readMatch } from './matchParameters';
import {
	readChoice,
	readCollection,
	readExactText,
	readFlag,
	readList,
	readRows,
	readText,
	readTime,
	readWholeNumber,
} from './parameters';

/** Milliseconds; a timer of Node.js that is to run longer runs out at once. */
const MAX_TIMER = 2 ** 31 - 1;

/** Parameters that no list is asked for but by the parameters of this node. */
const OWN_QUERY_PARAMETERS = ['page', 'pageSize', 'sort', 'updatedSince'];

/** How a list is read, whatever of it is returned. */
interface ReadingParameters {
	pageSize: number;
	sort: string;
	/** Filters that the service provider names. */
	queryParameters: Record<string, string>;
	concurrency: number;
	itemsPath: string;
	idPath: string;
	/** Dot paths; empty = all. */
	fields: string[];
	maxPages: number;
	timeout: number;
	maxRetries: number;
}

export interface ListParameters extends ReadingParameters {
	resource: ListedResource;
	returnAll: boolean;
	limit: number;
	/** 0 if the whole list is read. */
	page: number;
	/** Milliseconds since 1970; undefined = whenever they were changed. */
	updatedSince: number | undefined;
	updatedSinceFormat: UpdatedSinceFormat;
	match: MatchRules;
	removeDuplicates: boolean;
	untilStable: boolean;
}

export interface FindParameters extends ListParameters {
	/** Whether it is an error if no record matches. */
	mustFind: boolean;
}

/** The value of a parameter, expressions resolved, so of any type; nothing if it is hidden. */
type ReadParameter = (name: string) => unknown;

/**
 * Which list a user chose, and at which path.
 *
 * @throws ServiceFailure if a workflow names a resource this version does not know, or if the path
 *   may lead out of the API
 */
export function readResource(resource: unknown, pathSegment: unknown): ListedResource {
	const name = readChoice(resource, 'Resource', ['user', 'company', 'visit', 'task', 'other']);
	if (name === 'other') return otherList(readSegment(pathSegment));
	const listed = LISTED_RESOURCES[name];
	// The path of users is documented.
	if (name === 'user') return listed;
	return listedAt(listed, readSegment(pathSegment ?? listed.segment));
}

/**
 * @param zone where a time without a zone is at home
 * @throws ServiceFailure that names the parameter
 */
export function readListParameters(read: ReadParameter, zone: string): ListParameters {
	const resource = readResource(read('resource'), read('pathSegment'));
	const options = readCollection(read('options'), 'Options');
	const filters = readCollection(read('filters'), 'Filters');
	const match = readMatch(read);
	const returnAll = readFlag(read('returnAll'), 'Return All');

	const limit = readWholeNumber(read('limit'), 'Limit', { fallback: 50, minimum: 1 });
	const page = returnAll ? 0 : readWholeNumber(read('page'), 'Page', { fallback: 0, minimum: 0 });
	// Pages as long as Limit, so that Page 0, 1, 2 join without a gap. A search from the start reads
	// far more than Limit.
	const isWhole = returnAll || (match.conditions.length > 0 && page === 0);
	const usualSize = isWhole ? USUAL_PAGE_SIZE : Math.min(limit, USUAL_PAGE_SIZE);

	return {
		resource,
		returnAll,
		limit,
		page,
		updatedSince:
			resource.acceptsUpdatedSince && !isUnset(filters.updatedSince)
				? readTime(filters.updatedSince, 'Updated Since', zone)
				: undefined,
		updatedSinceFormat: readUpdatedSinceFormat(options.updatedSinceFormat),
		match,
		removeDuplicates: readFlag(options.removeDuplicates, 'Remove Duplicates', true),
		untilStable: readFlag(options.untilStable, 'Until Stable'),
		...readReading(options, usualSize),
	};
}

/** @throws ServiceFailure that names the parameter */
export function readFindParameters(read: ReadParameter): FindParameters {
	const options = readCollection(read('options'), 'Options');
	const field = readFieldOf(read('field'), 'The field to look at is not set.');
	const ifNotFound = readChoice(options.ifNotFound, 'If Not Found', ['noItem', 'error']);
	return {
		resource: readResource(read('resource'), read('pathSegment')),
		returnAll: false,
		limit: 1,
		page: 0,
		updatedSince: undefined,
		updatedSinceFormat: 'iso',
		match: { type: 'all', conditions: [{ field, comparison: 'equals', value: read('value') }] },
		removeDuplicates: true,
		untilStable: false,
		...readReading(options, USUAL_PAGE_SIZE),
		mustFind: ifNotFound === 'error',
	};
}

function readReading(options: JsonObject, usualSize: number): ReadingParameters {
	return {
		pageSize: readWholeNumber(options.pageSize, 'Page Size', {
			fallback: usualSize,
			minimum: 1,
		}),
		sort: readText(options.sort, 'Sort'),
		queryParameters: readQueryParameters(options.queryParameters),
		concurrency: readWholeNumber(options.concurrency, 'Concurrency', { fallback: 5, minimum: 1 }),
		itemsPath: readText(options.itemsPath, 'Items Path'),
		idPath: readText(options.idPath, 'ID Path'),
		fields: readList(options.fields, 'Output Field Names or IDs'),
		maxPages: readWholeNumber(options.maxPages, 'Max Pages', { fallback: 0, minimum: 0 }),
		timeout: Math.min(
			readWholeNumber(options.timeout, 'Timeout', { fallback: 30_000, minimum: 1 }),
			MAX_TIMER,
		),
		maxRetries: readWholeNumber(options.maxRetries, 'Max Retries', { fallback: 5, minimum: 0 }),
	};
}

export function readUpdatedSinceFormat(value: unknown): UpdatedSinceFormat {
	return readChoice(value, 'Updated Since Format', ['iso', 'epochMs', 'epochS']);
}

/**
 * What is sent with each page as it stands.
 *
 * @throws ServiceFailure for a name that is set elsewhere or twice, and for an empty name or value:
 *   a filter that is silently empty lets everything through
 */
export function readQueryParameters(value: unknown): Record<string, string> {
	const query: Record<string, string> = {};
	for (const row of readRows(value, 'parameters', 'Query Parameters')) {
		const name = readText(row.name, 'Name of a query parameter');
		const text = readExactText(row.value, `Value of the query parameter "${name}"`);
		if (name === '' || !isText(text) || Object.hasOwn(query, name)) {
			throw new ServiceFailure(
				`The query parameter "${name}" has no name, has no value, or is set twice.`,
				'Set both, or remove it. If one is an expression, check what it returns.',
				{ kind: 'configuration' },
			);
		}
		if (OWN_QUERY_PARAMETERS.some((own) => own.toLowerCase() === name.toLowerCase())) {
			throw new ServiceFailure(
				`Query Parameters must not hold "${name}".`,
				'Remove it. Limit, Page, Page Size, Sort and Updated Since set it.',
				{ kind: 'configuration' },
			);
		}
		query[name] = text;
	}
	return query;
}

/** The path of a list, which must not lead out of the API: the token goes with it. */
function readSegment(value: unknown): string {
	const segment = readText(value, 'Path Segment').replace(/^\/+|(?<!\/)\/+$/g, '');
	const parts = segment.split('/');
	const safe = parts.every((part) => /^[\w.~-]+$/.test(part) && !/^\.{1,2}$/.test(part));
	if (safe) return segment;
	throw new ServiceFailure(
		'Path Segment is empty or not a valid path.',
		'Set Path Segment to what follows the API version in the URL of the list, such as companies.',
		{ kind: 'configuration' },
	);
}
