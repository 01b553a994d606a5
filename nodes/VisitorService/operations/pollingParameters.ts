import { LISTED_RESOURCES, type ListedResource } from '../answer/resources';
import type { UpdatedSinceFormat } from '../answer/updatedSince';
import { ServiceFailure } from '../failure/serviceFailure';
import type { PollSettings } from '../polling/poll';
import { readInstant } from '../values/instant';
import { readSegment, readUpdatedSinceFormat } from './listParameters';
import { readChoice, readCollection, readNumber, readText, readWholeNumber } from './parameters';

export interface PollingParameters extends PollSettings {
	resource: ListedResource;
	/** Path segment of the list. */
	segment: string;
	itemsPath: string;
	sort: string;
	updatedSinceFormat: UpdatedSinceFormat;
}

const MINUTE = 60_000;

/**
 * Reads what the user set, expressions resolved, so of any type.
 *
 * @param read the value of a parameter
 * @param zone where a start date without a zone is at home
 * @throws ServiceFailure that names the parameter
 */
export function readPollingParameters(
	read: (name: string) => unknown,
	zone: string,
): PollingParameters {
	const options = readCollection(read('options'));
	const name = readChoice(read('resource'), 'Resource', ['user', 'company', 'visit', 'task']);
	const resource = LISTED_RESOURCES[name];
	const isUser = name === 'user';
	const triggerOn = readChoice(read('triggerOn'), 'Trigger On', [
		'createdOrUpdated',
		'created',
		'updated',
		'removed',
	]);
	const hasStart = isUser && triggerOn !== 'removed' && read('startFrom') === 'date';
	return {
		resource,
		segment: isUser ? resource.segment : readSegment(read('pathSegment') ?? resource.segment),
		triggerOn,
		acceptsUpdatedSince: isUser,
		startDate: hasStart ? readStartDate(read('startDate'), zone) : undefined,
		overlap: readNumber(options.overlap, 'Overlap', { fallback: 5, minimum: 0 }) * MINUTE,
		itemsPath: readText(options.itemsPath, 'Items Path'),
		paths: {
			id: readText(options.idPath, 'ID Path'),
			updatedAt: readText(options.updatedAtPath, 'Updated At Path'),
			createdAt: readText(options.createdAtPath, 'Created At Path'),
		},
		pageSize: readWholeNumber(options.pageSize, 'Page Size', { fallback: 100, minimum: 1 }),
		maxItems: readWholeNumber(options.maxItems, 'Max Items', { fallback: 10_000, minimum: 1 }),
		sort: readText(options.sort, 'Sort'),
		updatedSinceFormat: readUpdatedSinceFormat(options.updatedSinceFormat),
	};
}

function readStartDate(value: unknown, zone: string): number {
	const instant = readInstant(value, zone);
	if (instant !== undefined) return instant.earliest;
	throw new ServiceFailure(
		'Start Date is not a point in time that can be read.',
		'Set Start Date to a date like 2026-01-31T08:00:00Z, or Start From to Now.',
		{ kind: 'configuration' },
	);
}
