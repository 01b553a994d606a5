import { LISTED_RESOURCES, type ListedResource } from '../answer/resources';
import { readTimeIfSet, type UpdatedSinceFormat } from '../answer/updatedSince';
import { ServiceFailure } from '../failure/serviceFailure';
import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import { COMPARISONS, type Condition } from '../listing/recordMatch';
import { fieldName } from '../values/fieldName';
import type { JsonObject } from '../values/json';
import {
	readChoice,
	readCollection,
	readFlag,
	readList,
	readRows,
	readText,
	readWholeNumber,
} from './parameters';

/** Milliseconds; a timer of Node.js that is to run longer runs out at once. */
const MAX_TIMER = 2 ** 31 - 1;

export interface ListParameters {
	resource: ListedResource;
	segment: string;
	returnAll: boolean;
	limit: number;
	/** 0 if the whole list is read. */
	page: number;
	/** Milliseconds since 1970; undefined = whenever they were changed. */
	updatedSince: number | undefined;
	/** All have to hold. */
	conditions: Condition[];
	updatedSinceFormat: UpdatedSinceFormat;
	pageSize: number;
	sort: string;
	concurrency: number;
	itemsPath: string;
	idPath: string;
	removeDuplicates: boolean;
	/** Dot paths; empty = all. */
	fields: string[];
	maxPages: number;
	untilStable: boolean;
	timeout: number;
	maxRetries: number;
}

/** @throws ServiceFailure if a workflow names a resource this version does not know */
export function readResource(value: unknown): ListedResource {
	return LISTED_RESOURCES[readChoice(value, 'Resource', ['user', 'company', 'visit', 'task'])];
}

/**
 * Reads what the user set, expressions resolved, so of any type.
 *
 * @param read the value of a parameter; nothing if it is hidden
 * @param zone where a time without a zone is at home
 * @throws ServiceFailure that names the parameter
 */
export function readListParameters(
	read: (name: string) => unknown,
	resource: ListedResource,
	zone: string,
): ListParameters {
	const options = readCollection(read('options'), 'Options');
	const filters = readCollection(read('filters'), 'Filters');
	const conditions = readRows(filters.match, 'conditions', 'Match').map(readCondition);
	const isUser = resource.name === 'user';
	const returnAll = readFlag(read('returnAll'), 'Return All');

	const limit = readWholeNumber(read('limit'), 'Limit', { fallback: 50, minimum: 1 });
	const page = returnAll ? 0 : readWholeNumber(read('page'), 'Page', { fallback: 0, minimum: 0 });
	// Pages as long as Limit, so that Page 0, 1, 2 join without a gap. A search from the start reads
	// far more than Limit.
	const isWhole = returnAll || (conditions.length > 0 && page === 0);
	const usualSize = isWhole ? USUAL_PAGE_SIZE : Math.min(limit, USUAL_PAGE_SIZE);

	return {
		resource,
		segment: readSegment(resource, read('pathSegment')),
		returnAll,
		limit,
		page,
		updatedSince: isUser ? readTimeIfSet(filters.updatedSince, 'Updated Since', zone) : undefined,
		conditions,
		updatedSinceFormat: readUpdatedSinceFormat(options.updatedSinceFormat),
		pageSize: readWholeNumber(options.pageSize, 'Page Size', {
			fallback: usualSize,
			minimum: 1,
		}),
		sort: readText(options.sort, 'Sort'),
		concurrency: readWholeNumber(options.concurrency, 'Concurrency', { fallback: 5, minimum: 1 }),
		itemsPath: readText(options.itemsPath, 'Items Path'),
		idPath: readText(options.idPath, 'ID Path'),
		removeDuplicates: readFlag(options.removeDuplicates, 'Remove Duplicates', true),
		fields: readList(options.fields, 'Field Names or IDs'),
		maxPages: readWholeNumber(options.maxPages, 'Max Pages', { fallback: 0, minimum: 0 }),
		untilStable: readFlag(options.untilStable, 'Until Stable'),
		timeout: Math.min(
			readWholeNumber(options.timeout, 'Timeout', { fallback: 30_000, minimum: 1 }),
			MAX_TIMER,
		),
		maxRetries: readWholeNumber(options.maxRetries, 'Max Retries', { fallback: 5, minimum: 0 }),
	};
}

function readCondition({ field, condition, value }: JsonObject): Condition {
	const comparison = readChoice(condition, 'Condition', COMPARISONS);
	const name = readText(field, 'Field Name or ID');
	if (name !== '') return { field: name, comparison, value };
	throw new ServiceFailure(
		'A condition names no field.',
		'Set Field Name or ID, or remove the condition. If it is an expression, check what it returns.',
		{ kind: 'configuration' },
	);
}

export function readUpdatedSinceFormat(value: unknown): UpdatedSinceFormat {
	return readChoice(value, 'Updated Since Format', ['iso', 'epochMs', 'epochS']);
}

/**
 * Keys the list may have in an answer: a list at a path of its own is mostly named for that path
 * there as well.
 */
export function listKeys(resource: ListedResource, segment: string): string[] {
	const name = fieldName(segment.split('/').at(-1) ?? '');
	return [...new Set([...resource.keys, name])];
}

/**
 * The path of a list, which must not lead out of the API: the token goes with it. That of users is
 * documented.
 *
 * @param value of Path Segment
 */
export function readSegment(resource: ListedResource, value: unknown): string {
	if (resource.name === 'user') return resource.segment;
	const segment = readText(value ?? resource.segment, 'Path Segment').replace(
		/^\/+|(?<!\/)\/+$/g,
		'',
	);
	const parts = segment.split('/');
	const safe = parts.every((part) => /^[\w.~-]+$/.test(part) && !/^\.{1,2}$/.test(part));
	if (safe) return segment;
	throw new ServiceFailure(
		'Path Segment is empty or not a valid path.',
		'Set Path Segment to what follows the API version in the URL of the list, such as companies.',
		{ kind: 'configuration' },
	);
}
