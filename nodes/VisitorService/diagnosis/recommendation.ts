import { ServiceFailure } from '../failure/serviceFailure';
import { DEFAULT_PAGE_SIZE } from '../listing/endOfList';
import { listRecords } from '../listing/listRecords';
import { LISTED_RESOURCES } from '../response/resources';
import { redactSecrets } from '../values/serverText';
import { requireFailure } from './diagnosisSession';
import type { Finding } from './finding';
import { MAX_CHANGES, type Users } from './users';

const MAX_LIST_PAGES = 3;

/** Parameters and options of List Users; what is not set has its default, but Return All is on. */
type Recommended = { readonly returnAll?: boolean; readonly itemsPath?: string } & {
	readonly [name in 'page' | 'limit' | 'pageSize' | 'maxPages']?: number;
};

/** Reading from page 1 takes Return All off, and a limit that no list reaches. */
const FROM_PAGE_ONE: Recommended = { returnAll: false, page: 1, limit: 1_000_000_000 };

/** What List Users read of the first pages, as text, or why it does not read them. */
type TrialResult = { keys: ReadonlySet<string>; failure?: ServiceFailure };

/** How List Users does, as the summary says it. */
export interface Outcome {
	status: Finding['status'];
	sentences: readonly string[];
	setting?: Finding['setting'];
	/** What is broken in the service, beside what the findings say. */
	broken?: readonly string[];
}

const WORKS = 'List Users works with the defaults on the pages that were read.';
const NEEDS = 'List Users works only with other settings than the defaults.';
const NOT_CLEAR = 'Users can be read, but how is not clear.';
const NO_FIRST_PAGE = 'Page 0 should be the first page of the users, but cannot be read.';

const INCOMPLETE = new ServiceFailure(
	'List Users does not return all users.',
	'Ask your service provider which users this client ID is allowed to see.',
	{ kind: 'service' },
);

/** Lists the users as the node does, some pages only. */
export async function trialRun(
	users: Users,
	settings: Recommended,
	isFresh = false,
): Promise<TrialResult> {
	const { page = 0, limit, pageSize = DEFAULT_PAGE_SIZE, itemsPath = '' } = settings;
	const { name, listNames } = LISTED_RESOURCES.user;
	try {
		const { recordCount, report } = await listRecords({
			...{
				resource: name,
				listNames,
				itemsPath,
				limit,
				pageSize,
				startPage: page,
				transform: users.keyOf,
			},
			...{ concurrency: 1, maxPages: settings.maxPages ?? MAX_LIST_PAGES, untilStable: false },
			fetchPage: async (number, size) => {
				const { response, failure } = await users.fetchPage(
					{ page: number, pageSize: size },
					isFresh,
				);
				// What the listing makes of an answer without a list is tried, too.
				if (response === undefined || response.statusCode >= 300) throw failure as ServiceFailure;
				return response;
			},
		});
		const read = new Set(recordCount);
		const first = users.first.records;
		const missing = first.filter((record) => !read.has(users.keyOf(record))).length;
		const { metadata } = users.first;
		const isMore = metadata.more === true || (report.endedBy === 'noNewRecords' && read.size === 0);
		const isShort = isMore && report.endedBy !== 'maxPages' && read.size <= first.length;
		const isLess = missing > 0 && missing >= Math.min(MAX_CHANGES + 1, first.length);
		return { keys: read, failure: isShort || isLess ? INCOMPLETE : undefined };
	} catch (error) {
		const { secrets } = users.conversation;
		return { keys: new Set(), failure: redactSecrets(requireFailure(error), secrets) };
	}
}

/**
 * What the facts speak for, all together, tried once: it has to read all that came without it.
 *
 * @param largest page size that is returned in full; undefined if none is known
 */
export async function recommend(
	users: Users,
	standard: TrialResult,
	largest?: number,
): Promise<Outcome> {
	const { numbering } = users;
	const { failure, keys } = standard;
	// One answer may be an accident. Pages that others follow are known, and not asked for again.
	const again = await trialRun(users, {}, failure !== undefined || numbering !== 0);
	const isStopped = /^(?:rateLimit|outOfTime)$/.test(again.failure?.kind ?? '');
	if (isStopped || again.failure?.message !== failure?.message)
		return { status: 'unknown', sentences: [NOT_CLEAR, describeFailure(failure ?? again.failure)] };
	const size = largest ?? (failure && users.first.records.length);
	const { itemsPath } = users.conversation.tenant;
	const settings: Recommended = {
		...(failure && itemsPath !== '' && { itemsPath }),
		...(failure && (numbering === 1 || numbering === 'unclear') && FROM_PAGE_ONE),
		...(failure?.kind === 'pageIgnored' && { maxPages: 1 }),
		...(size && size !== DEFAULT_PAGE_SIZE && { pageSize: size }),
	};
	const names = Object.keys(settings);
	const trial = names.length > 0 ? await trialRun(users, settings) : undefined;
	const isBetter =
		trial && trial.failure === undefined && [...keys].every((key) => trial.keys.has(key));
	if (failure === undefined) {
		if (!isBetter) return { status: 'ok', sentences: [WORKS] };
		const sentences = [WORKS, 'Larger pages are faster.'];
		return { status: 'ok', sentences, setting: { 'List Users': settings } };
	}
	const { message } = failure;
	if (!isBetter) {
		const sentences = ['List Users fails.', describeFailure(failure)];
		return { status: 'failed', sentences, broken: [message] };
	}
	// It has no other settings, and what works only together it needs all of.
	const isForPolling = names.every((name) => name === 'itemsPath' || name === 'pageSize');
	return {
		status: 'warning',
		sentences: isForPolling ? [NEEDS] : [NEEDS, 'The Polling Trigger has no such settings.'],
		setting: { 'List Users': settings, ...(isForPolling && { 'Polling Trigger': settings }) },
		broken: settings.page === 1 ? [NO_FIRST_PAGE, message] : [],
	};
}

function describeFailure(failure?: ServiceFailure): string {
	return failure ? `${failure.message} ${failure.description}` : '';
}
