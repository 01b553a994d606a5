import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import { type Finding, twoOfThree } from './finding';
import type { Numbering } from './numbering';
import { type ListedUsers, type ListSettings, MAX_CHANGES, missingIn, type Trial } from './users';

/** What List Users does, and what it should be set to. */
export interface Recommendation {
	/** It works with the defaults, or with other values only; or it fails, or could not be tried. */
	kind: 'works' | 'needs' | 'fails' | 'unclear';
	/** What was tried and is better than the defaults. */
	values: ListSettings;
	/** Whether the end of the list was reached: what is after it may still fail. */
	whole?: boolean;
	/** Options that the Polling Trigger does not work without. */
	pollingNeeds?: readonly string[];
	/** Why it cannot be read from page 0, or not at all, if it is the service's fault. */
	reason?: string;
}

export const UNCLEAR: Recommendation = { kind: 'unclear', values: {} };

/** Reading from page 1 takes Return All off, and a limit that no list reaches. */
const FROM_PAGE_ONE: ListSettings = { returnAll: false, page: 1, limit: 1_000_000_000 };

/** For a service that ignores `page`: it may read a size that is too large as none. */
const SIZES_OF_ONE_PAGE = [500, 1000];

/**
 * What read most with a request, and all that came without it, of all that the facts speak for.
 *
 * @param useful a large page size that works; 0 if none is known
 */
export async function recommend(
	list: ListedUsers,
	numbering: Numbering,
	useful: number,
): Promise<Recommendation> {
	const { users, standard: first } = list;
	const works = (trial: Trial) => holdsKnown(list, trial);
	const endOf = (trial: Trial) => (works(trial) ? '' : (trial.failure?.message ?? 'less'));
	// A page 0 that is returned once may be an accident of a service that counts from 1.
	const beginnings = users.pages.filter(({ query }) => query.page === 0).length;
	const mayWork = numbering === 'from1' ? beginnings > 1 : numbering !== 'ignored';
	const isOnePage = ({ failure }: Trial) => failure?.kind === 'pageIgnored';
	const mayFail = numbering === 'from1' ? beginnings === 0 : isOnePage(first);
	const standard = await twoOfThree(
		first,
		// A page that could not be read says nothing against those that came.
		async () => await users.list({}, first.kind === 'read' || isOnePage(first)),
		endOf,
		// What other pages speak for too needs no second reading.
		(trial) => (works(trial) ? mayWork : mayFail),
	);
	if (standard === undefined || standard.kind === 'unclear') {
		return first.kind === 'failed' ? { ...UNCLEAR, reason: reasonOf(first) } : UNCLEAR;
	}
	const isNeeded = !works(standard);
	const expected = isNeeded ? users.first.keys : standard.keys;
	let values: ListSettings = {};
	let speed = isNeeded ? 0 : speedOf(standard);
	let { whole } = standard;
	const start: ListSettings = {
		...(isNeeded && users.pathToSet !== '' && { itemsPath: users.pathToSet }),
		...(isNeeded && !isOnePage(standard) && numbering !== 'from0' && FROM_PAGE_ONE),
		...(isOnePage(standard) && { maxPages: 1 }),
	};
	// Users that fit on one page are not read faster on a larger one.
	const isLong = users.goesOn || users.beginning.came >= USUAL_PAGE_SIZE;
	const isWorthIt = (size: number) => (size > USUAL_PAGE_SIZE ? isLong : isNeeded && size > 0);
	const sizes = (isOnePage(standard) ? SIZES_OF_ONE_PAGE : [useful]).filter(isWorthIt);
	// One refusal is reason enough to try other sizes only, but not to try nothing.
	const isSizeNeeded = start.page === 1 && users.size.pageSize === undefined && sizes.length > 0;
	for (const candidate of [start, ...sizes.map((pageSize) => ({ ...start, pageSize }))]) {
		if (Object.keys(candidate).length === 0 || (isSizeNeeded && candidate === start)) continue;
		const trial = await users.list(candidate);
		if (missingIn(trial, expected) > (isNeeded ? tolerated(expected) : 0)) continue;
		// The simpler ones are tried first: another one has to be faster.
		if (speedOf(trial) > speed) [values, speed] = [candidate, speedOf(trial)];
		whole ||= trial.whole;
	}
	if (!isNeeded) return { kind: 'works', values, whole };
	const reason = reasonOf(standard);
	if (speed === 0) return { kind: 'fails', values, reason };
	return { kind: 'needs', values, ...(values.page === 1 && beginnings === 0 && { reason }) };
}

function reasonOf({ failure }: Trial): string {
	return failure ? `${failure.message} ${failure.description}` : 'It does not return all users.';
}

function speedOf({ keys, requests }: Trial): number {
	return keys.length / Math.max(1, requests);
}

/**
 * Whether a reading holds the users that are known to be in what it read. One that was stopped
 * shows that the list goes on only by users of several pages.
 */
function holdsKnown({ users, areTold, isComparable }: ListedUsers, trial: Trial): boolean {
	const { beginning, first } = users;
	if (trial.kind !== 'read' || (!trial.whole && trial.keys.length <= trial.longest)) return false;
	if (!areTold) return true;
	const expected = trial.whole ? beginning.keys : first.keys.slice(0, trial.keys.length);
	const missing = missingIn(trial, expected);
	// Without IDs, users that change with each answer cannot be found again.
	return missing <= tolerated(expected) || (!isComparable && missing === expected.length);
}

function tolerated({ length }: readonly string[]): number {
	return Math.min(MAX_CHANGES, length - 1);
}

/** Which finding speaks for which parameter of List Users. */
const SETTING_REASONS: Readonly<Partial<Record<Finding['check'], readonly string[]>>> = {
	itemsPath: ['itemsPath'],
	firstPageNumber: ['returnAll', 'page', 'limit'],
	pageHonoured: ['maxPages'],
	maxPageSize: ['pageSize'],
};

/** What the Polling Trigger has too; it reads the same list. */
const ALSO_IN_POLLING = ['itemsPath', 'pageSize'];

/** Whether the Polling Trigger can be set to these values. */
export function hasPolling(values: ListSettings): boolean {
	return Object.keys(values).every((name) => ALSO_IN_POLLING.includes(name));
}

/** The finding with the settings that were tried for it. */
export function withRecommended(finding: Finding, { kind, values }: Recommendation): Finding {
	const names = SETTING_REASONS[finding.check] ?? [];
	const chosen = Object.entries(values).filter(([name]) => names.includes(name));
	if (chosen.length === 0) return finding;
	const ofList = Object.fromEntries(chosen);
	// Values that were tried together hold for the Polling Trigger if it has them all.
	const isForPolling = kind === 'needs' && hasPolling(values);
	const setting = { 'List Users': ofList, ...(isForPolling && { 'Polling Trigger': ofList }) };
	return { ...finding, setting };
}
