import { listOptions, listParameters } from '../descriptions/actionParameters';
import { fieldOfList } from '../descriptions/conditions';
import { configurationFailure } from '../failure/serviceFailure';
import { AUTOMATIC_PAGE_SIZE } from '../listing/largerPage';
import { COMPARISONS, type Condition } from '../match/conditions';
import type { MatchRules } from '../match/recordMatch';
import {
	customResource,
	LISTED_RESOURCES,
	listedResource,
	resourceAtPath,
} from '../response/resources';
import { UPDATED_SINCE_FORMATS, writeUpdatedSince } from '../response/updatedSince';
import { isNonBlank, type JsonObject } from '../values/json';
import * as read from '../values/parameters';
import { type GetValue, isUnset, type Reader } from '../values/parameters';

/*
 * Readers of the parameters that choose a list. Each throws a ServiceFailure that names the
 * parameter.
 */

/** A timer of Node.js with a longer delay fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Set by parameters of the node, so Query Parameters must not set them too. */
const OWN_QUERY_PARAMETERS = ['page', 'pagesize', 'sort', 'updatedsince'];

/** Parameters that axios, the HTTP client of n8n, leaves out without an error. */
const UNSENT_QUERY_PARAMETERS = ['__proto__', 'constructor', 'prototype'];

export const readUpdatedSinceFormat = read.oneOf(UPDATED_SINCE_FORMATS);

export type ListSettings = ReturnType<typeof readListSettings>;

/** @param zone of times without one */
export function readListSettings(valueOf: GetValue, zone: string, match = readMatch(valueOf)) {
	const { options, filters, limit, page, returnAll } = read.readParameters(
		listParameters,
		valueOf,
		{
			returnAll: read.flag,
			limit: read.wholeNumber,
			page: read.wholeNumber,
			filters: read.collection,
			options: read.collection,
		},
	);
	const startPage = returnAll ? 0 : page;
	// Otherwise pages are as long as Limit, so that Page 0, 1, 2 join without a gap. A search from
	// the start reads far more than Limit.
	const readsWholeList = returnAll || (match.conditions.length > 0 && startPage === 0);
	const reading = read.readParameters(listOptions, options, OPTION_READERS);
	const { maxPages, pageSize } = reading;
	const wantedCount = readsWholeList ? Infinity : limit;
	// Pages of another size are not those that Max Pages counts.
	const mayEnlarge = pageSize === undefined && maxPages === 0;
	const resource = readResource(valueOf);
	const since = resource.acceptsUpdatedSince ? filters('updatedSince', '') : '';
	return {
		...{ ...reading, resource, startPage, match, isFind: false, hasPage: true },
		limit: returnAll ? undefined : limit,
		pageSize: pageSize ?? Math.min(wantedCount, AUTOMATIC_PAGE_SIZE.first),
		largerPageSize: mayEnlarge ? Math.min(wantedCount, AUTOMATIC_PAGE_SIZE.max) : undefined,
		timeout: Math.min(reading.timeout, MAX_TIMER_MS),
		/** Updated Since; undefined = all users. */
		sinceAt: isUnset(since) ? undefined : read.time(zone)(since, { displayName: 'Updated Since' }),
	};
}

/** Find is a list with one condition and Limit 1. */
export function readFindSettings(valueOf: GetValue, zone: string): ListSettings {
	const values = { field: valueOf('field', ''), value: valueOf('value', '') };
	const condition = readCondition(values, 'Field is not set.');
	const match: MatchRules = { type: 'all', conditions: [condition] };
	return { ...readListSettings(valueOf, zone, match), limit: 1, isFind: true, hasPage: false };
}

/** The query of each page, without page and pageSize. */
export function toQuery({
	queryParameters,
	sort,
	sinceAt,
	updatedSinceFormat,
}: Pick<ListSettings, 'queryParameters' | 'sort' | 'sinceAt' | 'updatedSinceFormat'>): Record<
	string,
	string | number
> {
	return {
		...(sort !== '' && { sort }),
		...(sinceAt !== undefined && { updatedSince: writeUpdatedSince(sinceAt, updatedSinceFormat) }),
		...queryParameters,
	};
}

/** The list that the user has chosen, and its path. */
export function readResource(valueOf: GetValue) {
	const readName = read.oneOf([...Object.keys(LISTED_RESOURCES), 'other']);
	const name = readName(valueOf('resource', 'user'), { displayName: 'Resource', default: 'user' });
	// The path of users is documented, so it has no Path Segment.
	if (name === 'user') return LISTED_RESOURCES.user;
	const listed = listedResource(name);
	const segment = readSegment(valueOf('pathSegment', listed?.segment) ?? listed?.segment);
	return listed === undefined ? customResource(segment) : resourceAtPath(listed, segment);
}

/** The path must stay within the API, because the token is sent with it. */
function readSegment(value: unknown): string {
	const text = read.text(value, { displayName: 'Path Segment' });
	const segment = text.replace(/^\/+|(?<!\/)\/+$/g, '');
	const parts = segment.split('/');
	const safe = parts.every((part) => /^[\w.~-]+$/.test(part) && !/^\.{1,2}$/.test(part));
	if (safe) return segment;
	const [, problem, remedy] = SEGMENT_PROBLEMS.find(([pattern]) => pattern.test(text)) ?? OTHER;
	throw configurationFailure(problem, remedy);
}

const OTHER = [
	/^/,
	'Path Segment is empty or not a valid path.',
	'Set Path Segment to what follows the API version in the URL of the list, such as companies.',
] as const;

const SEGMENT_PROBLEMS = [
	[
		/^\s*https?:/i,
		'Path Segment is a whole URL.',
		'Cut off its beginning up to the API version: for …/api/external/v2/visits set Path Segment to visits.',
	],
	[
		/\?/,
		'Path Segment holds a query.',
		'Set Path Segment to what is before the question mark, and the rest as Query Parameters in the options.',
	],
] as const;

/** Reads the parameters that `conditionParameters` describes. */
export function readMatch(valueOf: GetValue): MatchRules {
	const { match, matchType } = read.readParameters(listParameters, valueOf, {
		matchType: read.oneOf(['all', 'any']),
		match: read.rows('conditions'),
	});
	return { type: matchType, conditions: match.map((row) => readCondition(row)) };
}

const readComparison = read.oneOf(COMPARISONS);

function readCondition(
	{ field, condition, value }: JsonObject,
	withoutField = 'A condition in Conditions has no Field.',
): Condition {
	// Text alone is in workflows that were saved before, and what expressions return.
	const name = read.text(read.locatedValue(field), fieldOfList);
	if (name === '') {
		throw configurationFailure(
			withoutField,
			'Choose a field, or type its name. If it is an expression, check what it returns.',
		);
	}
	const comparison = readComparison(condition, { displayName: 'Condition', default: 'equals' });
	return { field: name, comparison, value };
}

/** An empty filter is an error, because the service would return everything. */
export const readQueryParameters: Reader<Record<string, string>> = (value, parameter) => {
	const query: Record<string, string> = {};
	for (const row of read.rows('parameters')(value, parameter)) {
		const name = read.text(row.name, { displayName: 'Name of a query parameter' });
		const displayName = `Value of the query parameter "${name}"`;
		const text = read.exactText(row.value, { displayName });
		const problem =
			(name === '' && 'A query parameter has no name.') ||
			(!isNonBlank(text) && `The query parameter "${name}" has no value.`) ||
			(Object.hasOwn(query, name) && `The query parameter "${name}" is set twice.`);
		if (problem !== false) {
			throw configurationFailure(
				problem,
				'Correct it, or remove it. If it is an expression, check what it returns.',
			);
		}
		const isOwn = OWN_QUERY_PARAMETERS.includes(name.toLowerCase());
		if (isOwn || UNSENT_QUERY_PARAMETERS.includes(name)) {
			throw configurationFailure(
				`Query Parameters must not hold "${name}".`,
				isOwn
					? 'Remove it. Limit, Page, Page Size, Sort and Updated Since set it.'
					: 'Remove it. n8n does not send parameters of this name.',
			);
		}
		query[name] = text;
	}
	return query;
};

/** Undefined: automatic. */
export const readPageSize: Reader<number | undefined> = (value, parameter) =>
	isUnset(value) ? undefined : read.wholeNumber(value, parameter);

const OPTION_READERS = {
	pageSize: readPageSize,
	sort: read.text,
	queryParameters: readQueryParameters,
	concurrency: read.wholeNumber,
	itemsPath: read.text,
	idPath: read.text,
	fields: read.texts,
	maxPages: read.wholeNumber,
	timeout: read.wholeNumber,
	maxRetries: read.wholeNumber,
	removeDuplicates: read.flag,
	untilStable: read.flag,
	updatedSinceFormat: readUpdatedSinceFormat,
	ifNotFound: read.oneOf(['noItem', 'error']),
};
