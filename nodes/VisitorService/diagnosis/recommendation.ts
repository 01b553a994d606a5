import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import type { Check, Finding, Setting, Values } from './finding';
import type { Numbering } from './numbering';
import { MAX_CHANGES, type Seen } from './seen';
import { missingIn, type Trial, type Users } from './users';

/** What List Users does, and what it should be set to. */
export type Recommendation =
	/** `values` are what was tried and is better; empty if the defaults are best. */
	| { kind: 'works'; isNeeded: boolean; values: Values }
	| { kind: 'fails'; reason: string }
	| { kind: 'unclear' };

/** Reading from page 1 takes Return All off, and a limit that no list reaches. */
const FROM_PAGE_ONE: Values = { returnAll: false, page: 1, limit: 1_000_000_000 };

/** For a service that ignores `page`, and reads a size that is too large as none. */
const MODERATE_PAGE_SIZE = 500;

export interface Facts {
	numbering: Numbering;
	/** A large page size that works. */
	useful?: number;
	/** What Items Path has to be; '' = nothing. */
	itemsPath: string;
	/** Whether pages of the list can be compared. */
	isComparable: boolean;
}

/**
 * Tries what the facts speak for, and recommends what read most with a request, and all that came without it.
 *
 * @param standard the reading with the defaults
 * @returns all readings too, the one with the defaults among them
 */
export async function recommend(
	users: Users,
	standard: Trial,
	facts: Facts,
): Promise<{ recommendation: Recommendation; trials: readonly Trial[] }> {
	const { seen } = users;
	const trials = [standard];
	const told = (recommendation: Recommendation) => ({ recommendation, trials });
	if (standard.kind === 'unclear') return told({ kind: 'unclear' });
	const isNeeded = !works(seen, standard, facts);
	let best: { values: Values; speed: number } = {
		values: {},
		speed: isNeeded ? 0 : speedOf(standard),
	};
	// Then the one page may hold all.
	const isOnePage = standard.kind === 'failed' && standard.failure.kind === 'pageIgnored';
	const isLong = () => isOnePage || seen.goesOn || seen.beginning.keys.length > USUAL_PAGE_SIZE;
	for (const values of candidates(facts, isNeeded, isOnePage)) {
		// Users that fit on one page are not read faster on a larger one.
		if (Number(values.pageSize ?? 0) > USUAL_PAGE_SIZE && !isLong()) break;
		const trial = await users.list(values);
		trials.push(trial);
		const expected = isNeeded || standard.kind === 'failed' ? seen.first.keys : standard.keys;
		const isWhole = missingIn(trial, expected) <= (isNeeded ? tolerated(expected) : 0);
		if (isWhole && speedOf(trial) > best.speed) best = { values, speed: speedOf(trial) };
	}
	if (best.speed > 0 || !isNeeded) return told({ kind: 'works', isNeeded, values: best.values });
	// What several pages showed needs no second reading.
	const isSure = standard.kind === 'failed' && standard.pages.length > 2;
	return told(judgeAgain(seen, isSure ? standard : await users.list({}, true), facts));
}

/** The simpler one first, because another one has to be faster. */
function candidates(
	{ numbering, useful = 0, itemsPath }: Facts,
	isNeeded: boolean,
	isOnePage: boolean,
): Values[] {
	if (!isNeeded) return useful > USUAL_PAGE_SIZE ? [{ pageSize: useful }] : [];
	const start: Values = {
		...(itemsPath !== '' && { itemsPath }),
		...(numbering === 'from1' && FROM_PAGE_ONE),
		...(isOnePage && { maxPages: 1 }),
	};
	const sizes = [useful, ...(isOnePage ? [MODERATE_PAGE_SIZE] : [])];
	const sized = sizes.filter((size) => size > 0).map((pageSize) => ({ ...start, pageSize }));
	return [start, ...sized].filter((values) => Object.keys(values).length > 0);
}

/** Users that came with a request. */
function speedOf(trial: Trial): number {
	return trial.kind === 'read' ? trial.keys.length / trial.requests : 0;
}

/** Whether a reading holds the users that are known to be in what it read. */
function works(seen: Seen, trial: Trial, { isComparable }: Facts): boolean {
	if (trial.kind !== 'read' || !isComparable) return trial.kind === 'read';
	const { keys } = trial.whole ? seen.beginning : seen.first;
	const expected = trial.whole ? keys : keys.slice(0, trial.keys.length);
	return missingIn(trial, expected) <= tolerated(keys);
}

function tolerated({ length }: readonly string[]): number {
	return Math.min(MAX_CHANGES, length - 1);
}

/** What speaks against the service counts only if a second reading ends like the first. */
function judgeAgain(seen: Seen, again: Trial, facts: Facts): Recommendation {
	if (again.kind === 'unclear') return { kind: 'unclear' };
	if (works(seen, again, facts)) return { kind: 'works', isNeeded: false, values: {} };
	if (again.kind === 'read') return { kind: 'fails', reason: 'It does not return all users.' };
	return { kind: 'fails', reason: `${again.failure.message} ${again.failure.description}` };
}

/** Which finding speaks for which parameter of List Users. */
const REASONS: Readonly<Partial<Record<Check, readonly string[]>>> = {
	itemsPath: ['itemsPath'],
	firstPageNumber: ['returnAll', 'page', 'limit'],
	pageHonoured: ['maxPages'],
	maxPageSize: ['pageSize'],
};

/** What the Polling Trigger has too; it reads the same list. */
const ALSO_IN_POLLING = ['itemsPath', 'pageSize'];

/** The finding with the settings that were tried for it. */
export function withRecommended(finding: Finding, recommendation: Recommendation): Finding {
	if (recommendation.kind !== 'works' || finding.check === 'summary') return finding;
	const { isNeeded, values } = recommendation;
	const names = REASONS[finding.check] ?? [];
	const chosen = Object.entries(values).filter(([name]) => names.includes(name));
	if (chosen.length === 0) return finding;
	const ofList = Object.fromEntries(chosen);
	// Values that were tried together hold for the Polling Trigger if it has them all.
	const isForPolling =
		isNeeded && Object.keys(values).every((name) => ALSO_IN_POLLING.includes(name));
	const setting: Setting = {
		'List Users': ofList,
		...(isForPolling && { 'Polling Trigger': ofList }),
	};
	return { ...finding, setting };
}
