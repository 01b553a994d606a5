import { ServiceFailure } from '../failure/serviceFailure';
import { DAY } from '../values/instant';
import type { CurrentPoll } from './currentPoll';
import { explainUndated, type OpenedList, requireReadableFilter } from './open';

/** How long a filter may find nothing before it is tried. */
const MAX_UNPROVED = DAY;

/** Whether it is time to try the filter, by what the service's clock should show. */
export function isFilterUnproved({ list, clock, cursor }: CurrentPoll): boolean {
	const now = clock.expectedAt(list.source.now());
	return now - (cursor.list.filterProvedAt ?? now) >= MAX_UNPROVED;
}

/** What was found out once holds as long as it cannot be asked again. */
export async function explainAgain({
	list,
	settings,
	clock,
	cursor,
	stoppedFor = 0,
}: CurrentPoll): ReturnType<typeof explainUndated> {
	const { list: known } = cursor;
	const explanation = explainUndated(list, clock, known, settings, stoppedFor);
	if (known.findsUndated !== true) return await explanation;
	return await explanation.catch((error: unknown) => ifUnanswered(error, known));
}

/**
 * A service may come to read `updatedSince` in another way, and then find nothing for ever. So it
 * is tried with what the list shows if it found nothing for a day. If that cannot be asked, a later
 * poll does it, within another day: what this one read is not to be read again.
 *
 * @returns when it was proved last
 * @throws ServiceFailure if it misses what the list shows, or could not be tried for two days
 */
export async function proveFilter(
	{ list, settings, clock, cursor }: CurrentPoll,
	opened: OpenedList | undefined,
	isUnproved: boolean,
	metChange: boolean,
): Promise<number> {
	const { startedAt } = clock;
	const { fields, filterProvedAt = startedAt } = cursor.list;
	if (metChange) return startedAt;
	if (opened === undefined && !isUnproved) return filterProvedAt;
	const prove = async () => {
		const records = opened?.records ?? (await list.readPage(settings));
		await requireReadableFilter(list, clock, { fields, records }, settings);
		return startedAt;
	};
	const mayWait = opened === undefined && startedAt - filterProvedAt < 2 * MAX_UNPROVED;
	return await (mayWait
		? prove().catch((error: unknown) => ifUnanswered(error, filterProvedAt))
		: prove());
}

/** @throws if the failure is not one of a page */
function ifUnanswered<T>(error: unknown, otherwise: T): T {
	if (error instanceof ServiceFailure && error.kind !== 'configuration') return otherwise;
	throw error;
}
