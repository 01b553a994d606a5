import { ServiceFailure } from '../failure/serviceFailure';
import { DEFAULT_PAGE_SIZE } from '../listing/endOfList';
import { type ListingReport, listRecords } from '../listing/listRecords';
import { LISTED_RESOURCES } from '../response/resources';
import { redactSecrets } from '../values/serverText';
import { requireFailure } from './diagnosisSession';
import type { Finding } from './finding';
import { MAX_CHANGES, type Users } from './users';

const MAX_LIST_PAGES = 3;

/** Options of List Users. Others have their defaults. */
interface Settings {
	readonly itemsPath?: string;
	readonly pageSize?: number;
	readonly sort?: string;
}

/** How List Users reads the first pages. */
type TrialResult =
	| { kind: 'read'; hasRepeats: boolean }
	| { kind: 'failed'; failure: ServiceFailure };

/** Whether List Users works, for the summary. */
export interface Outcome {
	status: Finding['status'];
	sentences: readonly string[];
	setting?: Finding['setting'];
	/** Defects of the service, beside those in the findings. */
	broken?: readonly string[];
}

const WORKS = 'List Users works with the defaults on the pages that were read.';
const NEEDS = 'List Users works only with other settings than the defaults.';
const NOT_CLEAR = 'Users can be read, but how is not clear.';

const INCOMPLETE = new ServiceFailure(
	'List Users does not return all users.',
	'Ask your service provider which users this client ID is allowed to see.',
	{ kind: 'service' },
);

/** Lists the users as the node does, some pages only. */
export async function trialRun(
	users: Users,
	{ pageSize = DEFAULT_PAGE_SIZE, itemsPath = '', sort }: Settings,
	mustRefetch = false,
): Promise<TrialResult> {
	const { name, listNames } = LISTED_RESOURCES.user;
	try {
		const { records, report } = await listRecords({
			...{ resource: name, listNames, itemsPath, pageSize, startPage: 0, limit: undefined },
			...{ concurrency: 1, maxPages: MAX_LIST_PAGES, untilStable: false, hasPage: true },
			transform: users.keyOf,
			fetchPage: async (number, size) => {
				const query = { page: number, pageSize: size };
				const reply =
					sort === undefined
						? await users.fetchPage(query, mustRefetch)
						: await users.session.fetchList({ ...query, sort });
				const { response } = reply;
				// The listing also gets responses without a list.
				if (response !== undefined && response.statusCode < 300) return response;
				throw reply.kind === 'failed' ? reply.failure : INCOMPLETE;
			},
		});
		const keys = new Set(records);
		// In another order, the first pages hold other users.
		if (sort === undefined && isIncomplete(users, keys, report))
			return { kind: 'failed', failure: INCOMPLETE };
		return { kind: 'read', hasRepeats: report.duplicatesAcrossPages > 0 };
	} catch (error) {
		const { secrets } = users.session;
		return { kind: 'failed', failure: redactSecrets(requireFailure(error), secrets) };
	}
}

/** Whether less was read than the response without parameters holds or states. */
function isIncomplete(
	{ first, keyOf }: Users,
	keys: ReadonlySet<string>,
	{ endedBy }: ListingReport,
): boolean {
	const isStopped = endedBy === 'maxPages';
	// The response without parameters may be the whole list, and the trial reads only some pages.
	const expected = isStopped ? first.records.slice(0, keys.size) : first.records;
	const missingCount = expected.filter((record) => !keys.has(keyOf(record))).length;
	if (missingCount > 0 && missingCount >= Math.min(MAX_CHANGES + 1, expected.length)) return true;
	const isMore = first.metadata.more === true || (endedBy === 'noNewRecords' && keys.size === 0);
	return isMore && !isStopped && keys.size <= first.records.length;
}

/**
 * Whether List Users works with the defaults, or with the settings that the facts suggest, all
 * together, tried once.
 *
 * @param largest page size that is returned in full; undefined if none was found
 */
export async function recommend(
	users: Users,
	standard: TrialResult,
	largest?: number,
): Promise<Outcome> {
	const mustRefetch = standard.kind === 'failed' || !users.isPaged;
	// One response may be an accident. Pages that others follow need not be requested again.
	const again = await trialRun(users, {}, mustRefetch);
	if (standard.kind === 'failed' && again.kind === 'failed') {
		const isSame = again.failure.message === standard.failure.message;
		const isStopped = /^(?:rateLimit|outOfTime)$/.test(again.failure.kind);
		if (isSame && !isStopped) return await recommendOther(users, standard.failure, largest);
	}
	for (const { failure } of [standard, again].filter((trial) => trial.kind === 'failed'))
		return { status: 'unknown', sentences: [NOT_CLEAR, describeFailure(failure)] };
	return { status: 'ok', sentences: [WORKS] };
}

/** If users are repeated without a Sort only. */
export function needsSort(outcome: Outcome): Outcome {
	return outcome.status === 'ok' ? { ...outcome, status: 'warning', sentences: [NEEDS] } : outcome;
}

/** Settings with which List Users works, if the defaults fail. The Polling Trigger has them too. */
async function recommendOther(
	users: Users,
	failure: ServiceFailure,
	pageSize = users.first.records.length,
): Promise<Outcome> {
	const { itemsPath } = users.session.tenant;
	const values = {
		...(itemsPath !== '' && { 'Items Path': itemsPath }),
		...(pageSize > 0 && pageSize !== DEFAULT_PAGE_SIZE && { 'Page Size': pageSize }),
	};
	const isSet = Object.keys(values).length > 0;
	const trial = isSet && (await trialRun(users, { itemsPath, pageSize: pageSize || undefined }));
	if (trial && trial.kind === 'read')
		return {
			status: 'warning',
			sentences: [NEEDS],
			setting: { 'List Users': values, 'Polling Trigger': values },
		};
	const sentences = ['List Users fails.', describeFailure(failure)];
	return { status: 'failed', sentences, broken: [failure.message] };
}

function describeFailure({ message, description }: ServiceFailure): string {
	return `${message} ${description}`;
}
