import { pollingOptions, pollingParameters } from '../descriptions/pollingParameters';
import { configurationFailure } from '../failure/serviceFailure';
import { AUTOMATIC_PAGE_SIZE } from '../listing/largerPage';
import type { MatchRules } from '../match/recordMatch';
import { ignoresTimes, TRIGGERS } from '../polling/listProbe';
import { MINUTE } from '../values/instant';
import type { GetValue } from '../values/parameters';
import * as read from '../values/parameters';
import {
	readMatch,
	readPageSize,
	readQueryParameters,
	readResource,
	readUpdatedSinceFormat,
} from './listSettings';

export type PollingSettings = ReturnType<typeof readPollingSettings>;

const EVERYTHING: MatchRules = { type: 'all', conditions: [] };

const OPTION_READERS = {
	overlap: read.number,
	itemsPath: read.text,
	idPath: read.text,
	updatedAtPath: read.text,
	createdAtPath: read.text,
	pageSize: readPageSize,
	maxItems: read.wholeNumber,
	ignoreFields: read.texts,
	sort: read.text,
	queryParameters: readQueryParameters,
	updatedSinceFormat: readUpdatedSinceFormat,
};

/**
 * Reads the parameters of the polling trigger.
 *
 * @param zone of a start date without one
 * @throws ServiceFailure that names the parameter
 */
export function readPollingSettings(valueOf: GetValue, zone: string) {
	const { options, startFrom, triggerOn } = read.readParameters(pollingParameters, valueOf, {
		options: read.collection,
		triggerOn: read.oneOf(TRIGGERS),
		startFrom: read.oneOf(['now', 'date']),
	});
	const resource = readResource(valueOf);
	const { acceptsUpdatedSince } = resource;
	const match = triggerOn === 'removed' ? EVERYTHING : readMatch(valueOf);
	if (triggerOn === 'startsToMatch' && match.conditions.length === 0) {
		throw configurationFailure(
			'Starts to Match has no condition, so Conditions must be set.',
			'Add a condition under Conditions, or choose another Trigger On.',
		);
	}
	const hasStart = acceptsUpdatedSince && !ignoresTimes(triggerOn) && startFrom === 'date';
	const { createdAtPath, idPath, overlap, updatedAtPath, ...reading } = read.readParameters(
		pollingOptions,
		options,
		OPTION_READERS,
	);
	return {
		...{ ...reading, resource, triggerOn, acceptsUpdatedSince, match },
		pageSize: reading.pageSize ?? AUTOMATIC_PAGE_SIZE.first,
		largerPageSize: reading.pageSize === undefined ? AUTOMATIC_PAGE_SIZE.max : undefined,
		startAt: hasStart
			? read.readParameters(pollingParameters, valueOf, { startDate: read.time(zone) }).startDate
			: undefined,
		overlapMs: overlap * MINUTE,
		paths: { id: idPath, updatedAt: updatedAtPath, createdAt: createdAtPath },
	};
}
