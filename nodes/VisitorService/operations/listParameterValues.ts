import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord } from '../json/isRecord';
import { LISTED_RESOURCES, type ListedResource } from '../listing/resources';
import type { UpdatedSinceFormat } from '../listing/updatedSince';
import { ServiceFailure } from '../transport/serviceFailure';

/** Milliseconds; a timer of Node.js that is to run longer runs out at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

export interface ListParameters {
	resource: ListedResource;
	segment: string;
	returnAll: boolean;
	limit: number;
	page: number;
	updatedSince: unknown;
	updatedSinceFormat: UpdatedSinceFormat;
	pageSize: number;
	sort: string;
	concurrency: number;
	itemsPath: string;
	fields: string;
	maxPages: number;
	untilStable: boolean;
	timeout: number;
	maxRetries: number;
}

/** @throws ServiceFailure where a workflow names a resource this version does not know */
export function readResource(value: unknown): ListedResource['name'] {
	const known = Object.values(LISTED_RESOURCES).find(({ name }) => name === value);
	if (known !== undefined) return known.name;
	throw new ServiceFailure(
		'The resource is not one of this node.',
		`Choose one of ${Object.keys(LISTED_RESOURCES).join(', ')}.`,
		{ kind: 'configuration' },
	);
}

/**
 * Reads what the user set, expressions resolved for this item, so of any type.
 *
 * @throws ServiceFailure that names the parameter
 */
export function readListParameters(
	context: IExecuteFunctions,
	resource: ListedResource,
	itemIndex: number,
): ListParameters {
	// Null, because n8n throws for a parameter that is hidden where no fallback is given.
	const read = (name: string): unknown => context.getNodeParameter(name, itemIndex, null);
	const options = toCollection(read('options'));
	const returnAll = toBoolean(read('returnAll'));
	const number = (label: string, value: unknown, fallback: number, minimum: number) =>
		toWholeNumber(value ?? fallback, label, minimum);

	return {
		resource,
		segment: resource.name === 'user' ? resource.segment : toSegment(read('pathSegment')),
		returnAll,
		limit: returnAll ? 0 : number('Limit', read('limit'), 50, 1),
		page: returnAll ? 0 : number('Page', read('page'), 0, 0),
		updatedSince: toCollection(read('filters')).updatedSince,
		updatedSinceFormat: toFormat(options.updatedSinceFormat),
		pageSize: number('Page Size', options.pageSize, 100, 1),
		sort: toText(options.sort, 'Sort'),
		concurrency: number('Concurrency', options.concurrency, 5, 1),
		itemsPath: toText(options.itemsPath, 'Items Path'),
		fields: toText(joinTexts(options.fields), 'Fields'),
		maxPages: number('Max Pages', options.maxPages, 0, 0),
		untilStable: toBoolean(options.untilStable),
		timeout: Math.min(number('Timeout', options.timeout, 30_000, 1), LONGEST_TIMER),
		maxRetries: number('Max Retries', options.maxRetries, 5, 0),
	};
}

function toCollection(value: unknown): Record<string, unknown> {
	return isRecord(value) ? value : {};
}

/** Anything else must not pass for empty: without Fields all of them come out, those nobody is to see too. */
function toText(value: unknown, label: string): string {
	if (value === undefined || value === null) return '';
	if (typeof value === 'string' || typeof value === 'number') return String(value).trim();
	throw new ServiceFailure(
		`${label} is no text.`,
		`Set ${label} to a text; an expression may have given something else.`,
		{
			kind: 'configuration',
		},
	);
}

/** An expression may give the names of fields as a list. */
function joinTexts(value: unknown): unknown {
	const isList =
		Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string');
	return isList ? value.join(',') : value;
}

/** An expression often gives the text "true". */
function toBoolean(value: unknown): boolean {
	return value === true || value === 'true';
}

function toWholeNumber(value: unknown, label: string, minimum: number): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof number === 'number' && Number.isSafeInteger(number) && number >= minimum)
		return number;
	throw new ServiceFailure(
		`${label} is not a whole number from ${minimum} up.`,
		`Set ${label} to a whole number, ${minimum} or more.`,
		{ kind: 'configuration' },
	);
}

function toFormat(value: unknown): UpdatedSinceFormat {
	if (value === undefined || value === '') return 'iso';
	if (value === 'iso' || value === 'epochMs' || value === 'epochS') return value;
	throw new ServiceFailure(
		'Updated Since Format is none of iso, epochMs and epochS.',
		'Choose one of them in the options.',
		{ kind: 'configuration' },
	);
}

/** A segment must not lead out of the API: the token goes with it. */
function toSegment(value: unknown): string {
	const segment = toText(value, 'Path Segment').replace(/^\/+|\/+$/g, '');
	const parts = segment.split('/');
	const safe = parts.every((part) => /^[\w.~-]+$/.test(part) && !/^\.{1,2}$/.test(part));
	if (safe) return segment;
	throw new ServiceFailure(
		'Path Segment is empty or no plain path.',
		'Set Path Segment to what follows the API version in the address of the list, such as companies.',
		{ kind: 'configuration' },
	);
}
