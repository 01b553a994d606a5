import type { ListedResource } from '../answer/resources';
import type { UpdatedSinceFormat } from '../answer/updatedSince';
import { ServiceFailure } from '../failure/serviceFailure';
import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import type { MatchRules } from '../match/recordMatch';
import type { PollSettings } from '../polling/open';
import { isOfPresence } from '../polling/versions';
import { MINUTE } from '../values/instant';
import { readQueryParameters, readResource, readUpdatedSinceFormat } from './listParameters';
import { readMatch } from './matchParameters';
import {
	readChoice,
	readCollection,
	readNumber,
	readText,
	readTime,
	readWholeNumber,
} from './parameters';

export interface PollingParameters extends Omit<PollSettings, 'holds'> {
	resource: ListedResource;
	/** Which of the records that differ start the workflow. */
	match: MatchRules;
	itemsPath: string;
	sort: string;
	/** Filters that the service provider names. */
	queryParameters: Record<string, string>;
	updatedSinceFormat: UpdatedSinceFormat;
}

const EVERYTHING: MatchRules = { type: 'all', conditions: [] };

/**
 * Reads what the user set, expressions resolved, so of any type.
 *
 * @param read the value of a parameter; nothing if it is hidden
 * @param zone where a start date without a zone is at home
 * @throws ServiceFailure that names the parameter
 */
export function readPollingParameters(
	read: (name: string) => unknown,
	zone: string,
): PollingParameters {
	const options = readCollection(read('options'), 'Options');
	const resource = readResource(read('resource'), read('pathSegment'));
	const { acceptsUpdatedSince } = resource;
	const triggerOn = readChoice(read('triggerOn'), 'Trigger On', [
		'createdOrUpdated',
		'created',
		'updated',
		'removed',
		'startsToMatch',
	]);
	const isStartShown = acceptsUpdatedSince && !isOfPresence(triggerOn);
	const match = triggerOn === 'removed' ? EVERYTHING : readMatch(read);
	if (triggerOn === 'startsToMatch' && match.conditions.length === 0) throw noCondition();
	const hasStart =
		isStartShown && readChoice(read('startFrom'), 'Start From', ['now', 'date']) === 'date';
	return {
		resource,
		triggerOn,
		acceptsUpdatedSince,
		match,
		startDate: hasStart ? readTime(read('startDate'), 'Start Date', zone) : undefined,
		overlap: readNumber(options.overlap, 'Overlap', { fallback: 5, minimum: 0 }) * MINUTE,
		itemsPath: readText(options.itemsPath, 'Items Path'),
		paths: {
			id: readText(options.idPath, 'ID Path'),
			updatedAt: readText(options.updatedAtPath, 'Updated At Path'),
			createdAt: readText(options.createdAtPath, 'Created At Path'),
		},
		pageSize: readWholeNumber(options.pageSize, 'Page Size', {
			fallback: USUAL_PAGE_SIZE,
			minimum: 1,
		}),
		maxItems: readWholeNumber(options.maxItems, 'Max Items', { fallback: 10_000, minimum: 1 }),
		ignoreFields: readText(options.ignoreFields, 'Ignore Fields')
			.split(',')
			.map((path) => path.trim())
			.filter((path) => path !== ''),
		sort: readText(options.sort, 'Sort'),
		queryParameters: readQueryParameters(options.queryParameters),
		updatedSinceFormat: readUpdatedSinceFormat(options.updatedSinceFormat),
	};
}

function noCondition(): ServiceFailure {
	return new ServiceFailure(
		'Starts to Match has no condition, so Conditions must be set.',
		'Add a condition under Conditions, or choose another Trigger On.',
		{ kind: 'configuration' },
	);
}
