import { LISTED_RESOURCES } from '../answer/resources';
import { ServiceFailure } from '../failure/serviceFailure';
import { USUAL_PAGE_SIZE } from '../listing/endOfList';
import { type ListingReport, listRecords } from '../listing/listRecords';
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

/** What List Users read of the first pages. */
export interface Trial {
	/** The records, as text. */
	keys: ReadonlySet<string>;
	/** Undefined if it read the users of the first page. */
	failure?: ServiceFailure;
}

/** How List Users does. */
export interface Outcome {
	/** With the defaults, only with the settings, not at all, or it is not clear. */
	kind: 'works' | 'needs' | 'fails' | 'unclear';
	/** What it should be set to: what was tried, and reads no less. */
	settings: ListSettings;
	/** Why it fails with the defaults, or why it is not clear. */
	failure?: ServiceFailure;
	/** Whether no users were read. */
	isEmpty: boolean;
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
		const read = new Set(records);
		return { keys: read, failure: isComplete(users, read, report) ? undefined : INCOMPLETE };
	} catch (error) {
		const { secrets, stopped } = users.conversation;
		const failure = stopped ?? concealSecrets(requireFailure(error), secrets);
		return { keys: new Set(), failure };
	}
}

/** Whether the users of the first page were read, but for a change, and others if more are said. */
function isComplete({ first }: Users, read: ReadonlySet<string>, { endedBy }: ListingReport) {
	const { metadata, records } = first;
	const isMoreSaid =
		read.size === 0 ? endedBy === 'nothingMore' : metadata.more === true && endedBy !== 'maxPages';
	if (isMoreSaid && read.size <= records.length) return false;
	const missing = records.filter((record) => !read.has(keyOf(record))).length;
	return missing === 0 || missing <= Math.min(MAX_CHANGES, records.length - 1);
}

/**
 * What the facts speak for, all together, tried once: it has to read all that came without it.
 *
 * @param largest page size that is returned in full; undefined if none is known
 */
export async function recommend(
	users: Users,
	standard: Trial,
	numbering: Numbering,
	largest?: number,
): Promise<Outcome> {
	const { failure, keys } = standard;
	const outcome = { settings: {}, failure, isEmpty: keys.size === 0 };
	// One answer may be an accident, unless others follow it.
	const isSure = failure === undefined && numbering === 'from0';
	const again = isSure ? standard : await tryList(users, {}, true);
	const isStopped = /^(?:rateLimit|outOfTime)$/.test(again.failure?.kind ?? '');
	if (isStopped || again.failure?.message !== failure?.message) {
		return { ...outcome, kind: 'unclear', failure: failure ?? again.failure };
	}
	const size = largest ?? (failure && users.first.records.length);
	const { itemsPath } = users.conversation.tenant;
	const settings: ListSettings = {
		...(failure && itemsPath !== '' && { itemsPath }),
		...(failure && (numbering === 'from1' || numbering === 'unclear') && FROM_PAGE_ONE),
		...(failure?.kind === 'pageIgnored' && { maxPages: 1 }),
		...(size && size !== USUAL_PAGE_SIZE && { pageSize: size }),
	};
	const trial = await tryList(users, settings);
	const isLess = trial.failure !== undefined || [...keys].some((key) => !trial.keys.has(key));
	if (isLess) return { ...outcome, kind: failure ? 'fails' : 'works' };
	return { ...outcome, kind: failure ? 'needs' : 'works', settings };
}
