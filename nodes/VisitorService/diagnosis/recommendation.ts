import { ServiceFailure } from '../failure/serviceFailure';
import { AUTOMATIC_PAGE_SIZE, DEFAULT_PAGE_SIZE } from '../listing/largerPage';
import { type ListingReport, listRecords } from '../listing/listRecords';
import { LISTED_RESOURCES } from '../response/resources';
import { redactSecrets } from '../values/serverText';
import { requireFailure } from './diagnosisSession';
import type { Finding } from './finding';
import { MAX_CHANGES, type Users } from './users';

const MAX_LIST_PAGES = 3;

/**
 * Parameters and options of List Users. Others have their defaults, except Return All, which is on.
 */
type Recommended = {
	readonly returnAll?: boolean;
	readonly itemsPath?: string;
	readonly sort?: string;
} & {
	readonly [name in 'page' | 'limit' | 'pageSize' | 'maxPages']?: number;
};

const LABELS: Readonly<Record<keyof Recommended, string>> = {
	returnAll: 'Return All',
	page: 'Page',
	limit: 'Limit',
	itemsPath: 'Items Path',
	sort: 'Sort',
	pageSize: 'Page Size',
	maxPages: 'Max Pages',
};

/** Reading from page 1 needs Return All off, and a limit that no list reaches. */
const FROM_PAGE_ONE: Recommended = { returnAll: false, page: 1, limit: 1_000_000_000 };

/** How List Users reads the first pages. */
type TrialResult =
	| { kind: 'read'; keys: ReadonlySet<string>; hasRepeats: boolean }
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
	mustRefetch = false,
): Promise<TrialResult> {
	const { page = 0, limit, pageSize = DEFAULT_PAGE_SIZE, itemsPath = '', sort } = settings;
	const { name, listNames } = LISTED_RESOURCES.user;
	try {
		const { records, report } = await listRecords({
			...{ resource: name, listNames, itemsPath, limit, pageSize, startPage: page },
			...{ concurrency: 1, maxPages: settings.maxPages ?? MAX_LIST_PAGES, untilStable: false },
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
		return { kind: 'read', keys, hasRepeats: report.duplicatesAcrossPages > 0 };
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
 * The settings that the facts suggest, all together, tried once: they have to read all records that
 * the defaults read.
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
	const pageSize = largest ?? DEFAULT_PAGE_SIZE;
	const isFaster =
		standard.kind === 'read' &&
		pageSize > DEFAULT_PAGE_SIZE &&
		!isAutomatic(users, pageSize) &&
		(await readsAll(users, { pageSize }, standard.keys));
	if (!isFaster) return { status: 'ok', sentences: [WORKS] };
	const setting = { 'List Users': { 'Page Size': pageSize } };
	return { status: 'ok', sentences: [WORKS, 'Larger pages are faster.'], setting };
}

/** Whether List Users reads such pages anyway: with an ID, if a page of the largest size is one. */
function isAutomatic({ firstPages, idField }: Users, pageSize: number): boolean {
	const largest = firstPages.find(({ query }) => query.pageSize === AUTOMATIC_PAGE_SIZE.max);
	return idField !== '' && (largest?.records.length ?? 0) >= pageSize;
}

/** If users are repeated without a Sort only. */
export function needsSort(outcome: Outcome): Outcome {
	return outcome.status === 'ok' ? { ...outcome, status: 'warning', sentences: [NEEDS] } : outcome;
}

/** Settings with which List Users works, if the defaults fail. */
async function recommendOther(
	users: Users,
	failure: ServiceFailure,
	largest = users.first.records.length,
): Promise<Outcome> {
	const { numbering } = users;
	const { itemsPath } = users.session.tenant;
	const settings: Recommended = {
		...(itemsPath !== '' && { itemsPath }),
		...((numbering === 'fromOne' || numbering === 'unclear') && FROM_PAGE_ONE),
		...(failure.kind === 'pageIgnored' && { maxPages: 1 }),
		...(largest > 0 && largest !== DEFAULT_PAGE_SIZE && { pageSize: largest }),
	};
	const names = Object.keys(settings) as Array<keyof Recommended>;
	if (names.length === 0 || !(await readsAll(users, settings))) {
		const sentences = ['List Users fails.', describeFailure(failure)];
		return { status: 'failed', sentences, broken: [failure.message] };
	}
	const values = Object.fromEntries(names.map((name) => [LABELS[name], settings[name] ?? '']));
	// The polling trigger has only these settings, and all recommended settings are needed.
	const suitsPolling = names.every((name) => name === 'itemsPath' || name === 'pageSize');
	return {
		status: 'warning',
		sentences: suitsPolling ? [NEEDS] : [NEEDS, 'The Polling Trigger has no such settings.'],
		setting: { 'List Users': values, ...(suitsPolling && { 'Polling Trigger': values }) },
		broken: settings.page === 1 ? [NO_FIRST_PAGE, failure.message] : [],
	};
}

async function readsAll(
	users: Users,
	settings: Recommended,
	expected: ReadonlySet<string> = new Set(),
): Promise<boolean> {
	const trial = await trialRun(users, settings);
	return trial.kind === 'read' && [...expected].every((key) => trial.keys.has(key));
}

function describeFailure({ message, description }: ServiceFailure): string {
	return `${message} ${description}`;
}
