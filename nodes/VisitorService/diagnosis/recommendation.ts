import { LISTED_RESOURCES } from '../answer/resources';
import { ServiceFailure } from '../failure/serviceFailure';
import { type EndedBy, USUAL_PAGE_SIZE } from '../listing/endOfList';
import { listRecords } from '../listing/listRecords';
import { concealSecrets } from '../values/serverText';
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

/** What List Users read of the first pages, or why it failed. */
export interface Trial {
	/** The records, as text. */
	keys: ReadonlySet<string>;
	endedBy?: EndedBy;
	failure?: ServiceFailure;
}

/** What List Users does, and what it should be set to: what was tried and is better. */
export interface Recommendation {
	values: ListSettings;
	/** Whether it reads the users known without these values; undefined if that is not clear. */
	isRead: boolean | undefined;
	/** Why it does not, or why it is not clear. */
	failure: ServiceFailure;
	/** Whether there are no users. */
	isEmpty: boolean;
	/** Whether it certainly reached the end of the list: what is after it may still fail. */
	isWhole: boolean;
}

/** These are also how a service that ignores `page` ends. */
const UNSURE_ENDS: ReadonlyArray<EndedBy | undefined> = [
	'maxPages',
	'lastPageAgain',
	'startsOver',
	'nothingMore',
];

const INCOMPLETE = new ServiceFailure(
	'List Users does not return all users.',
	'Ask your service provider which users this client ID is allowed to see.',
	{ kind: 'service' },
);
const DIFFERENT = new ServiceFailure(
	'The list was read twice, with different results.',
	'Run Diagnose again later.',
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
		return { keys: new Set(records), endedBy: report.endedBy };
	} catch (error) {
		const { secrets, stopped } = users.conversation;
		const failure = stopped ?? concealSecrets(requireFailure(error), secrets);
		return { keys: new Set(), failure };
	}
}

/** Whether it read the users known, but for a change of the list; undefined if it was stopped. */
function readsKnown({ first, longest }: Users, trial: Trial): boolean | undefined {
	const { endedBy, failure, keys } = trial;
	if (failure !== undefined) {
		return failure.kind === 'rateLimit' || failure.kind === 'outOfTime' ? undefined : false;
	}
	if (keys.size === 0 && endedBy === 'nothingMore') return false;
	const { records } = endedBy === 'maxPages' ? first : longest;
	if (first.metadata.more === true && keys.size <= records.length && endedBy !== 'maxPages')
		return false;
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
	const isRead = readsKnown(users, standard);
	const { endedBy, failure = INCOMPLETE, keys } = standard;
	const isWhole = !UNSURE_ENDS.includes(endedBy);
	const nothing = {
		values: {},
		isRead,
		failure,
		isEmpty: isRead === true && keys.size === 0,
		isWhole,
	};
	// One answer may be an accident, unless others follow it.
	const isSure = isRead === true && numbering === 'from0';
	const again = isSure ? standard : await tryList(users, {}, true);
	const isSame = isRead === readsKnown(users, again);
	if (isRead === undefined || !isSame) {
		const cause = standard.failure ?? again.failure ?? DIFFERENT;
		return { ...nothing, isRead: undefined, failure: cause };
	}
	const isLong = users.longest.records.length >= USUAL_PAGE_SIZE;
	const isFaster = isLong && size > USUAL_PAGE_SIZE;
	const { itemsPath } = users.conversation.tenant;
	const isFromOne = numbering === 'from1' || numbering === 'unclear';
	const values: ListSettings = {
		...(!isRead && itemsPath !== '' && { itemsPath }),
		...(!isRead && (failure.kind === 'pageIgnored' ? { maxPages: 1 } : isFromOne && FROM_PAGE_ONE)),
		...((isFaster || !isRead) && { pageSize: size }),
	};
	const trial = await tryList(users, values);
	const isTried = readsKnown(users, trial);
	const isLess = [...keys].some((key) => !trial.keys.has(key));
	if (isRead ? isLess : !isTried) return nothing;
	return { ...nothing, values, isWhole: isWhole || !UNSURE_ENDS.includes(trial.endedBy) };
}
