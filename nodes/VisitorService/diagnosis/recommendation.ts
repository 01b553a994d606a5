import { LISTED_RESOURCES } from '../answer/resources';
import { ServiceFailure } from '../failure/serviceFailure';
import { USUAL_PAGE_SIZE } from '../listing/endOfList';
import { listRecords } from '../listing/listRecords';
import { concealSecrets } from '../values/serverText';
import { requireFailure, SPENT } from './conversation';
import type { Finding } from './finding';
import { MAX_CHANGES, type Users } from './users';

const MAX_LIST_PAGES = 3;

/** Parameters and options of List Users; what is not set has its default, but Return All is on. */
export type ListSettings = { readonly returnAll?: boolean; readonly itemsPath?: string } & {
	readonly [name in 'page' | 'limit' | 'pageSize' | 'maxPages']?: number;
};

/** The Polling Trigger has these too. What works only together it needs all of. */
const POLLING_OPTIONS = ['itemsPath', 'pageSize'];
/** Reading from page 1 takes Return All off, and a limit that no list reaches. */
const FROM_PAGE_ONE: ListSettings = { returnAll: false, page: 1, limit: 1_000_000_000 };

/** What List Users read of the first pages, as text, or why it does not read them. */
type Trial = { keys: ReadonlySet<string>; failure?: ServiceFailure };

/** How List Users does. */
export interface Outcome extends Partial<Pick<Finding, 'setting'>> {
	/** With the defaults, only with the setting, not at all, or it is not clear. */
	kind: 'works' | 'needs' | 'fails' | 'unclear';
	/** Why it fails with the defaults, or why it is not clear. */
	failure?: ServiceFailure;
}

const INCOMPLETE = new ServiceFailure(
	'List Users does not return all users.',
	'Ask your service provider which users this client ID is allowed to see.',
	{ kind: 'service' },
);

/** Lists the users as the node does, some pages only. */
export async function tryList(
	users: Users,
	settings: ListSettings,
	isFresh = false,
): Promise<Trial> {
	const { page = 0, limit, pageSize = USUAL_PAGE_SIZE, itemsPath = '' } = settings;
	const { name, keys } = LISTED_RESOURCES.user;
	try {
		const { records, report } = await listRecords({
			...{ resource: name, keys, itemsPath, limit, pageSize, firstPage: page, keepAs: users.keyOf },
			...{ concurrency: 1, maxPages: settings.maxPages ?? MAX_LIST_PAGES, untilStable: false },
			fetchPage: async (number, size) => {
				const { answer, failure } = await users.ask({ page: number, pageSize: size }, isFresh);
				// What the listing makes of an answer without a list is tried, too.
				if (answer === undefined || answer.statusCode >= 300) throw failure as ServiceFailure;
				return answer;
			},
		});
		const read = new Set(records);
		const first = users.first.records;
		const missing = first.filter((record) => !read.has(users.keyOf(record))).length;
		const { metadata } = users.first;
		const isMore = metadata.more === true || (report.endedBy === 'nothingMore' && read.size === 0);
		const isShort = isMore && report.endedBy !== 'maxPages' && read.size <= first.length;
		const isLess = missing > 0 && missing >= Math.min(MAX_CHANGES + 1, first.length);
		return { keys: read, failure: isShort || isLess ? INCOMPLETE : undefined };
	} catch (error) {
		const { conversation } = users;
		const failure = concealSecrets(requireFailure(error), conversation.secrets);
		return { keys: new Set(), failure: conversation.isOver() ? SPENT : failure };
	}
}

/**
 * What the facts speak for, all together, tried once: it has to read all that came without it.
 *
 * @param largest page size that is returned in full; undefined if none is known
 */
export async function recommend(users: Users, standard: Trial, largest?: number): Promise<Outcome> {
	const { numbering } = users;
	const { failure, keys } = standard;
	// One answer may be an accident. Pages that others follow are known, and not asked for again.
	const again = await tryList(users, {}, failure !== undefined || numbering !== 0);
	const isStopped = /^(?:rateLimit|outOfTime)$/.test(again.failure?.kind ?? '');
	if (isStopped || again.failure?.message !== failure?.message)
		return { kind: 'unclear', failure: failure ?? again.failure };
	const size = largest ?? (failure && users.first.records.length);
	const { itemsPath } = users.conversation.tenant;
	const settings: ListSettings = {
		...(failure && itemsPath !== '' && { itemsPath }),
		...(failure && (numbering === 1 || numbering === 'unclear') && FROM_PAGE_ONE),
		...(failure?.kind === 'pageIgnored' && { maxPages: 1 }),
		...(size && size !== USUAL_PAGE_SIZE && { pageSize: size }),
	};
	const trial = await tryList(users, settings);
	const isLess = trial.failure !== undefined || [...keys].some((key) => !trial.keys.has(key));
	const names = Object.keys(settings);
	if (isLess || names.length === 0) return { kind: failure ? 'fails' : 'works', failure };
	const isForPolling = failure && names.every((name) => POLLING_OPTIONS.includes(name));
	const setting = { 'List Users': settings, ...(isForPolling && { 'Polling Trigger': settings }) };
	return { kind: failure ? 'needs' : 'works', failure, setting };
}
