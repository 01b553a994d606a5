import { isOverload } from '../http/temporaryStatus';
import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import type { Numbering } from './pages';
import { keyOf, type ListSettings, MAX_CHANGES, type Trial, type Users } from './users';

/** What List Users does, and what it should be set to. */
export interface Recommendation {
	/** It works with the defaults, or with other values only; or it fails, or that is not clear. */
	kind: 'works' | 'needs' | 'fails' | 'unclear';
	/** What was tried and is better than the defaults. */
	values: ListSettings;
	/** Whether the end of the list was reached: what is after it may still fail. */
	whole?: boolean;
	/** Why it cannot be read with the defaults, if it is the service's fault. */
	reason?: string;
}

export const UNCLEAR: Recommendation = { kind: 'unclear', values: {} };

/** Reading from page 1 takes Return All off, and a limit that no list reaches. */
const FROM_PAGE_ONE: ListSettings = { returnAll: false, page: 1, limit: 1_000_000_000 };

/**
 * What the facts speak for, all together, tried once: it has to read all that came without it.
 *
 * @param useful a large page size; undefined if none is known
 */
export async function recommend(
	users: Users,
	standard: Trial,
	numbering: Numbering,
	useful?: number,
): Promise<Recommendation> {
	const { longest, pathToSet } = users;
	const isLong = longest.records.length >= USUAL_PAGE_SIZE;
	if (holdsKnown(users, standard)) {
		// One page 0 may be an accident, unless other pages follow it.
		const isSure = numbering === 'from0' || holdsKnown(users, await users.list({}, true));
		if (!isSure || numbering === 'ignored') return UNCLEAR;
		const works = { kind: 'works', values: {}, whole: standard.whole } as const;
		if (!isLong || useful === undefined || useful <= USUAL_PAGE_SIZE) return works;
		const trial = await users.list({ pageSize: useful });
		const isBetter = missingIn(trial, standard.keys) === 0 && speedOf(trial) > speedOf(standard);
		if (!isBetter) return works;
		return { kind: 'works', values: { pageSize: useful }, whole: trial.whole || standard.whole };
	}
	const reason = reasonOf(standard);
	// A page 0 without an answer was asked for twice, and other pages say that there is none.
	const { kind, statusCode = 0 } = standard.failure ?? {};
	const isSure = numbering === 'from1' && (kind === 'connection' || isOverload(statusCode));
	const again = isSure ? standard : await users.list({}, true);
	const areUnclear = [standard, again].map((trial) => isUnclear(users, trial));
	if (holdsKnown(users, again) || areUnclear.includes(true)) {
		return { ...UNCLEAR, reason: areUnclear[0] === true ? undefined : reason };
	}
	const isOnePage = again.failure?.kind === 'pageIgnored' || numbering === 'ignored';
	const isAccepted = users.beginnings.some(({ query }) => query.pageSize === USUAL_PAGE_SIZE);
	const isFromOne = numbering === 'from1' || (numbering === 'unclear' && pathToSet === '');
	const isSizeNeeded = useful !== undefined && (isAccepted ? isLong : true);
	const values: ListSettings = {
		...(pathToSet !== '' && { itemsPath: pathToSet }),
		...(isOnePage ? { maxPages: 1 } : isFromOne && FROM_PAGE_ONE),
		...(isSizeNeeded && useful !== USUAL_PAGE_SIZE && { pageSize: useful }),
	};
	const trial = await users.list(values, false, isSure ? standard.failure : undefined);
	if (isUnclear(users, trial)) return { ...UNCLEAR, reason };
	if (!holdsKnown(users, trial)) return { kind: 'fails', values: {}, reason };
	return { kind: 'needs', values, ...(values.page === 1 && { reason }) };
}

function reasonOf({ failure }: Trial): string {
	return failure ? `${failure.message} ${failure.description}` : 'It does not return all users.';
}

/** Whether the service had no time, or is not asked any more. */
function isUnclear({ conversation }: Users, { failure }: Trial): boolean {
	const isOver = failure?.kind === 'rateLimit' || failure?.kind === 'outOfTime';
	return failure !== undefined && (isOver || conversation.stopReason !== undefined);
}

/** Whether a reading holds the users known of what it read, but for a change of the list. */
function holdsKnown({ first, longest }: Users, trial: Trial): boolean {
	if (trial.failure !== undefined) return false;
	const { records, metadata } = trial.whole ? longest : first;
	// One that ended with the page that says that others follow ended by accident.
	if (trial.whole && metadata.more === true && trial.keys.length <= records.length) return false;
	const missing = missingIn(trial, records.map(keyOf));
	return missing === 0 || missing <= Math.min(MAX_CHANGES, records.length - 1);
}

/** How many of these records a reading lacks. */
function missingIn({ keys }: Trial, sought: readonly string[]): number {
	const known = new Set(keys);
	return sought.filter((key) => !known.has(key)).length;
}

function speedOf({ keys, requests }: Trial): number {
	return keys.length / Math.max(1, requests);
}

/** Whether the Polling Trigger, which reads the same list, can be set to these values. */
export function hasPolling(values: ListSettings): boolean {
	return Object.keys(values).every((name) => ['itemsPath', 'pageSize'].includes(name));
}
