import type { ListedResource } from '../answer/resources';
import type { UpdatedSinceFormat } from '../answer/updatedSince';
import { pollingOptions, pollingParameters } from '../descriptions/pollingParameters';
import {
	choiceReader,
	type Reader,
	readCollection,
	readNumber,
	readParameters,
	readText,
	readWholeNumber,
	timeReader,
	type ValueOf,
} from '../failure/parameters';
import { ServiceFailure } from '../failure/serviceFailure';
import type { MatchRules } from '../match/recordMatch';
import type { PollSettings } from '../polling/open';
import { isOfPresence } from '../polling/versions';
import { MINUTE } from '../values/instant';
import {
	readMatch,
	readQueryParameters,
	readResource,
	readUpdatedSinceFormat,
} from './listParameters';

const TRIGGERS = ['createdOrUpdated', 'created', 'updated', 'removed', 'startsToMatch'] as const;

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
 * @param zone where a start date without a zone is at home
 * @throws ServiceFailure that names the parameter
 */
export function readPollingParameters(valueOf: ValueOf, zone: string): PollingParameters {
	const { options, startFrom, triggerOn } = readParameters(pollingParameters, valueOf, {
		options: readCollection,
		triggerOn: choiceReader(TRIGGERS),
		startFrom: choiceReader(['now', 'date']),
	});
	const resource = readResource(valueOf);
	const { acceptsUpdatedSince } = resource;
	const match = triggerOn === 'removed' ? EVERYTHING : readMatch(valueOf);
	if (triggerOn === 'startsToMatch' && match.conditions.length === 0) throw noCondition();
	const hasStart = acceptsUpdatedSince && !isOfPresence(triggerOn) && startFrom === 'date';
	const { createdAtPath, idPath, overlap, updatedAtPath, ...reading } = readParameters(
		pollingOptions,
		(name) => options[name],
		{
			overlap: readNumber,
			itemsPath: readText,
			idPath: readText,
			updatedAtPath: readText,
			createdAtPath: readText,
			pageSize: readWholeNumber,
			maxItems: readWholeNumber,
			ignoreFields: readPaths,
			sort: readText,
			queryParameters: readQueryParameters,
			updatedSinceFormat: readUpdatedSinceFormat,
		},
	);
	return {
		...{ ...reading, resource, triggerOn, acceptsUpdatedSince, match },
		startDate: hasStart
			? readParameters(pollingParameters, valueOf, { startDate: timeReader(zone) }).startDate
			: undefined,
		overlap: overlap * MINUTE,
		paths: { id: idPath, updatedAt: updatedAtPath, createdAt: createdAtPath },
	};
}

const readPaths: Reader<string[]> = (value, parameter) =>
	readText(value, parameter)
		.split(',')
		.map((path) => path.trim())
		.filter((path) => path !== '');

function noCondition(): ServiceFailure {
	return new ServiceFailure(
		'Starts to Match has no condition, so Conditions must be set.',
		'Add a condition under Conditions, or choose another Trigger On.',
		{ kind: 'configuration' },
	);
}
