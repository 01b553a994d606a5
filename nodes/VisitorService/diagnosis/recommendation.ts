import { LISTED_RESOURCES } from '../answer/resources';
import { concealSecrets } from '../failure/serverText';
import { ServiceFailure } from '../failure/serviceFailure';
import { isOverload } from '../http/temporaryStatus';
import { listRecords } from '../listing/listRecords';
import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import { requireFailure } from './conversation';
import type { Numbering } from './pages';
import { keyOf, MAX_CHANGES, type Users } from './users';

const MAX_LIST_PAGES = 3;

/** Parameters and options of List Users; what is not set has its default, but Return All is on. */
export type ListSettings = { readonly returnAll?: boolean; readonly itemsPath?: string } & {
	readonly [name in 'page' | 'limit' | 'pageSize' | 'maxPages']?: number;
};

/** Reading from page 1 takes Return All off, and a limit that no list reaches. */
const FROM_PAGE_ONE: ListSettings = { returnAll: false, page: 1, limit: 1_000_000_000 };

/** What List Users read of the first pages. */
interface Trial {
	/** What ended it; undefined if it was read as far as it was to be. */
	failure?: ServiceFailure;
	/** The records, as text. */
	keys: ReadonlySet<string>;
	/** Whether it reached the end of the list: what is after it may still fail. */
	whole: boolean;
	/** Whether it holds the users known of what it read; undefined if the service had no time. */
	isRead: boolean | undefined;
}

/** What List Users does, and what it should be set to. */
export interface Recommendation extends Pick<Trial, 'isRead' | 'whole'> {
	/** What was tried and is better than the defaults. */
	values: ListSettings;
	/** Why it cannot be read with the defaults. */
	reason?: string;
}

/**
 * Lists the users as the node does, some pages only.
 *
 * @param before why what is before the page to begin with cannot be read, if that is known
 */
export async function tryList(
	users: Users,
	settings: ListSettings,
	{ isFresh = false, before }: { isFresh?: boolean; before?: ServiceFailure } = {},
): Promise<Trial> {
	const { page = 0, limit, pageSize = USUAL_PAGE_SIZE, itemsPath = '' } = settings;
	const { name, keys } = LISTED_RESOURCES.user;
	try {
		const { records, report } = await listRecords({
			...{ resource: name, keys, itemsPath, limit, pageSize, firstPage: page, keepAs: keyOf },
			...{ concurrency: 1, maxPages: settings.maxPages ?? MAX_LIST_PAGES, untilStable: false },
			fetchPage: async (number, size) => {
				if (number < page && before !== undefined) throw before;
				const { answer, failure } = await users.ask({ page: number, pageSize: size }, isFresh);
				// What the listing makes of an answer without a list is tried, too.
				if (answer === undefined || answer.statusCode >= 300) throw failure as ServiceFailure;
				return answer;
			},
		});
		if (records.length === 0 && report.endedBy === 'nothingMore') {
			throw new ServiceFailure(
				'No users are returned, although the service says that there are some.',
				'Ask your service provider which users this client ID is allowed to see.',
				{ kind: 'service' },
			);
		}
		const trial = { keys: new Set(records), whole: report.endedBy !== 'maxPages' };
		return { ...trial, isRead: holdsKnown(users, trial) };
	} catch (error) {
		const { secrets, stopReason } = users.conversation;
		const failure = concealSecrets(requireFailure(error), secrets);
		const isOver = failure.kind === 'rateLimit' || failure.kind === 'outOfTime';
		const isRead = isOver || stopReason !== undefined ? undefined : false;
		return { failure, keys: new Set(), whole: false, isRead };
	}
}

/** But for a change of the list. */
function holdsKnown({ first, longest }: Users, { keys, whole }: Omit<Trial, 'isRead'>): boolean {
	const { records, metadata } = whole ? longest : first;
	// One that ended with the page that says that others follow ended by accident.
	if (whole && metadata.more === true && keys.size <= records.length) return false;
	const missing = records.filter((record) => !keys.has(keyOf(record))).length;
	return missing === 0 || missing <= Math.min(MAX_CHANGES, records.length - 1);
}

/**
 * What the facts speak for, all together, tried once: it has to read all that came without it.
 *
 * @param size the largest page size returned in full; undefined if none is known
 */
export async function recommend(
	users: Users,
	standard: Trial,
	numbering: Numbering,
	size = USUAL_PAGE_SIZE,
): Promise<Recommendation> {
	const { failure, keys, whole } = standard;
	// More users may be known than when it was tried.
	const isRead = standard.isRead && holdsKnown(users, standard);
	const { kind, statusCode = 0 } = failure ?? {};
	const { message = 'It does not return all users.' } = failure ?? {};
	const nothing = {
		values: {},
		whole,
		...(isRead === false && { reason: [message, failure?.description].join(' ').trim() }),
	};
	// One answer may be an accident, unless other pages follow it or show that there is none; a
	// request without an answer was repeated.
	const isSilent = kind === 'connection' || isOverload(statusCode);
	const isSure = isRead ? numbering === 'from0' : numbering === 'from1' && isSilent;
	const again = isSure ? standard : await tryList(users, {}, { isFresh: true });
	const isClear = isRead === again.isRead && !(isRead && numbering === 'ignored');
	if (isRead === undefined || !isClear) return { ...nothing, isRead: undefined };

	const isLong = users.longest.records.length >= USUAL_PAGE_SIZE;
	if (isRead) {
		const values = isLong && size > USUAL_PAGE_SIZE ? { pageSize: size } : {};
		const trial = await tryList(users, values);
		const isLess = [...keys].some((key) => !trial.keys.has(key));
		return isLess ? { ...nothing, isRead } : { values, whole: whole || trial.whole, isRead };
	}
	const { itemsPath } = users.conversation.tenant;
	const isOnePage = kind === 'pageIgnored' || numbering === 'ignored';
	const isFromOne = numbering === 'from1' || (numbering === 'unclear' && itemsPath === '');
	const isAccepted = users.pages.some(({ query }) => query.pageSize === USUAL_PAGE_SIZE);
	const isSizeNeeded = size !== USUAL_PAGE_SIZE && (isLong || !isAccepted);
	const values: ListSettings = {
		...(itemsPath !== '' && { itemsPath }),
		...(isOnePage ? { maxPages: 1 } : isFromOne && FROM_PAGE_ONE),
		...(isSizeNeeded && { pageSize: size }),
	};
	const trial = await tryList(users, values, { before: failure });
	return trial.isRead ? { ...nothing, values, isRead } : { ...nothing, isRead: trial.isRead };
}
