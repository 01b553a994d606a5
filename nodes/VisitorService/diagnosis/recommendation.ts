import { LISTED_RESOURCES } from '../answer/resources';
import { concealSecrets } from '../answer/serverText';
import { ServiceFailure } from '../failure/serviceFailure';
import { USUAL_PAGE_SIZE } from '../listing/endOfList';
import { listRecords } from '../listing/listRecords';
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
export interface Trial {
	/** Why not all is read that should be. */
	failure: ServiceFailure;
	/** The records, as text. */
	keys: ReadonlySet<string>;
	/** Whether it reached the end of the list: what is after it may still fail. */
	whole: boolean;
	/** Whether it ended with its only page once more: the list, or a service that ignores `page`. */
	isOnePage?: boolean;
	/** Whether it holds the users known of what it read; undefined if that is not clear. */
	isRead: boolean | undefined;
}

/** What List Users does, and what it should be set to: what was tried and is better. */
export interface Recommendation extends Trial {
	values: ListSettings;
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
			...{ resource: name, keys, itemsPath, limit, pageSize, firstPage: page, keepAs: keyOf },
			...{ concurrency: 1, maxPages: settings.maxPages ?? MAX_LIST_PAGES, untilStable: false },
			fetchPage: async (number, size) => {
				const { answer, failure } = await users.ask({ page: number, pageSize: size }, isFresh);
				// What the listing makes of an answer without a list is tried, too.
				if (answer === undefined || answer.statusCode >= 300) throw failure as ServiceFailure;
				return answer;
			},
		});
		const trial = { keys: new Set(records), whole: report.endedBy !== 'maxPages' };
		const isNobody = records.length === 0 && report.endedBy === 'nothingMore';
		const isRepeated = ['lastPageAgain', 'nothingMore'].includes(report.endedBy);
		const isOnePage = report.pages === 1 && isRepeated;
		const isRead = !isNobody && holdsKnown(users, trial);
		return { ...trial, failure: INCOMPLETE, isOnePage, isRead };
	} catch (error) {
		const { secrets, stopReason } = users.conversation;
		const failure = concealSecrets(requireFailure(error), secrets);
		const isOver = failure.kind === 'rateLimit' || failure.kind === 'outOfTime';
		const isRead = isOver || stopReason !== undefined ? undefined : false;
		return { failure, keys: new Set(), whole: false, isRead };
	}
}

/** But for a change of the list. */
function holdsKnown({ first, longest }: Users, { keys, whole }: Omit<Trial, 'isRead' | 'failure'>) {
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
	const { conversation, longest, pages } = users;
	// More users may be known than when it was tried.
	const isRead = standard.isRead && holdsKnown(users, standard);
	// One answer may be an accident, unless others follow it.
	const isSure = isRead === true && numbering === 'from0';
	const again = isSure ? standard : await tryList(users, {}, true);
	const isClear = isRead === again.isRead && !(isRead && numbering === 'ignored');
	const nothing = { ...standard, isRead: isClear ? isRead : undefined, values: {} };
	if (nothing.isRead === undefined) return nothing;
	const isLong = longest.records.length >= USUAL_PAGE_SIZE;
	const isAccepted = pages.some(({ query }) => query.pageSize === USUAL_PAGE_SIZE);
	const isBetter = isRead
		? isLong && size > USUAL_PAGE_SIZE
		: size !== USUAL_PAGE_SIZE && (isLong || !isAccepted);
	const { itemsPath } = conversation.tenant;
	const isOnePage = standard.failure.kind === 'pageIgnored' || numbering === 'ignored';
	const isFromOne = numbering === 'from1' || (numbering === 'unclear' && itemsPath === '');
	const values: ListSettings = {
		...(!isRead && itemsPath !== '' && { itemsPath }),
		...(!isRead && (isOnePage ? { maxPages: 1 } : isFromOne && FROM_PAGE_ONE)),
		...(isBetter && { pageSize: size }),
	};
	const trial = await tryList(users, values);
	const isLess = [...standard.keys].some((key) => !trial.keys.has(key));
	if (isRead ? isLess : trial.isRead !== true)
		return { ...nothing, isRead: isRead || trial.isRead };
	return { ...nothing, values, whole: standard.whole || trial.whole };
}
