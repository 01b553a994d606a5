import { type UpdatedSinceFormat, writeUpdatedSince } from '../answer/updatedSince';
import { type RecordTimes, readUpdateTime } from '../answer/updateTimes';
import { DAY } from '../values/instant';
import { type Finding, type Found, failed, ok, unknown, warning } from './finding';
import { MAX_CHANGES, type UserPage, type Users } from './users';

interface Format {
	name: string;
	observed: UpdatedSinceFormat | 'isoSeconds';
	/** The smallest unit it can say, in milliseconds. */
	unit: 1 | 1000;
}

const FORMATS: readonly Format[] = [
	{ name: 'ISO 8601', observed: 'iso', unit: 1 },
	{ name: 'epoch milliseconds', observed: 'epochMs', unit: 1 },
	{ name: 'epoch seconds', observed: 'epochS', unit: 1000 },
	{ name: 'ISO 8601 without milliseconds', observed: 'isoSeconds', unit: 1000 },
];

const WORDS = {
	works: 'works',
	refused: 'is refused',
	ignored: 'has no effect',
	/** It lets earlier changes through. */
	coarse: 'returns earlier changes too',
	/** It leaves out recent changes. */
	late: 'leaves out recent changes',
	nothing: 'returns nothing',
	unclear: 'was not clear',
} as const;

type Verdict = keyof typeof WORDS;

/** Services compare in whole seconds, or read formats that have no fraction. Milliseconds, as the next ones. */
const BLUR = 2_000;
/** Farther than a time can be shifted that is written without its zone. */
const ANY_ZONE = 15 * 3_600_000;
/** Long before any user was changed. */
const PAST = Date.UTC(2000, 0, 1);

const PAGE_SIZE = 100;

/** What a format is tried with: a time since which a user was changed, and one since which none can have been. */
interface Times {
	/** The user changed last; undefined if update times are not known. */
	newest?: { key: string; time: number };
	since: number;
	future: number;
	/** Whether a user was changed before `since` for sure. */
	isEarlier: (record: UserPage['records'][number]) => boolean;
	/** Whether all users may be deleted between two questions. */
	mayVanish: boolean;
}

/** How `updatedSince` has to be written, and whether it includes the time itself. */
export async function checkUpdatedSince(
	users: Users,
	times: RecordTimes | undefined,
	now: number,
): Promise<Found[]> {
	const size = users.acceptedSize(PAGE_SIZE);
	const asked = chooseTimes(users, times, now);
	const ask: Ask = async (format, time) => {
		const reading = await users.read({ updatedSince: write(format, Math.max(0, time)), ...size });
		return reading.kind === 'page' ? reading.page : reading.kind;
	};
	const verdicts = new Map<Format, Verdict>();
	for (const format of FORMATS) {
		const isLikelyIgnored = [...verdicts.values()].includes('ignored');
		const verdict = await judge(format, ask, asked, isLikelyIgnored);
		verdicts.set(format, verdict);
		// What is not needed is not asked for.
		if (['works', 'coarse', 'late'].includes(verdict)) break;
	}
	const working = FORMATS.find((format) => verdicts.get(format) === 'works');
	const isExact = times !== undefined && times.zone !== 'none' && times.precision !== 'finer';
	return [
		describeFormat(working, verdicts),
		working !== undefined && isExact
			? await checkInclusive(working, ask, asked, times.precision === 'millisecond')
			: undefined,
	];
}

type Ask = (format: Format, time: number) => Promise<UserPage | 'refused' | 'unclear'>;

function write({ observed }: Format, time: number): string | number {
	if (observed !== 'isoSeconds') return writeUpdatedSince(time, observed);
	return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

function chooseTimes({ beginning }: Users, times: RecordTimes | undefined, now: number): Times {
	const mayVanish = beginning.keys.length <= MAX_CHANGES;
	const newest = beginning.keys
		.map((key, place) => ({ key, time: times?.times[place] ?? -Infinity }))
		.reduce((most, one) => (one.time > most.time ? one : most), { key: '', time: -Infinity });
	if (times === undefined || newest.time === -Infinity) {
		return { since: PAST, future: now + DAY, isEarlier: () => false, mayVanish };
	}
	const blur = BLUR + (times.zone === 'none' ? ANY_ZONE : 0);
	const since = newest.time - blur;
	return {
		newest,
		since,
		future: Math.max(now, newest.time) + DAY,
		isEarlier: (record) => (readUpdateTime(record, times.path) ?? since) < since - blur,
		mayVanish,
	};
}

/**
 * Two questions: one whose answer must hold users, one that shows that others are left out. If a change of the list
 * may explain that, a third one shows that it does not.
 */
async function judge(
	format: Format,
	ask: Ask,
	{ newest, since, future, isEarlier, mayVanish }: Times,
	isLikelyIgnored: boolean,
): Promise<Verdict> {
	const page = await ask(format, since);
	if (typeof page === 'string') return page;
	if (page.keys.length === 0) {
		if (newest === undefined) return 'nothing';
		const before = await ask(format, since - 2 * DAY);
		if (typeof before === 'string') return 'unclear';
		if (before.keys.length === 0) return 'nothing';
		// If it is not there any more, it was deleted or changed meanwhile.
		return before.keys.includes(newest.key) ? 'late' : 'unclear';
	}
	const holdsEarlier = page.records.some(isEarlier);
	if (holdsEarlier && isLikelyIgnored) return 'ignored';
	const late = await ask(format, future);
	if (late === 'unclear') return 'unclear';
	// A time to come may be refused for what it is, by a service that reads it.
	if (late !== 'refused' && late.keys.length > 0) return 'ignored';
	if (mayVanish) {
		// An answer without users says nothing of the filter if they are gone.
		const after = await ask(format, since);
		const isThere = typeof after !== 'string' && after.keys.some((key) => page.keys.includes(key));
		if (!isThere) return 'unclear';
	}
	return holdsEarlier ? 'coarse' : 'works';
}

/** @param format one that works */
async function checkInclusive(
	format: Format,
	ask: Ask,
	{ newest }: Times,
	isToMillisecond: boolean,
): Promise<Found> {
	const check = 'updatedSinceInclusive';
	if (newest === undefined) return undefined;
	const isHeld = async (time: number) => {
		const page = await ask(format, time);
		return typeof page === 'string' ? undefined : page.keys.includes(newest.key);
	};
	const isIncluded = await isHeld(newest.time);
	if (isIncluded === true) {
		const isExact = newest.time % format.unit === 0 && isToMillisecond;
		const meaning = 'A user changed exactly at the time asked for is returned too.';
		return isExact ? ok(check, true, meaning) : undefined;
	}
	if (isIncluded === undefined || (await isHeld(newest.time - BLUR)) !== true) {
		return unknown(check, 'The list changed while it was asked.');
	}
	return ok(
		check,
		false,
		'A user changed exactly at the time asked for is not returned. The Polling Trigger asks for earlier changes, so it misses none.',
	);
}

function describeFormat(
	working: Format | undefined,
	verdicts: ReadonlyMap<Format, Verdict>,
): Finding {
	const check = 'updatedSinceFormat';
	const tried = [...verdicts].map(([{ name }, verdict]) => `${name} ${WORDS[verdict]}`).join(', ');
	const has = (...some: Verdict[]) => [...verdicts.values()].some((one) => some.includes(one));
	if (working?.observed === 'iso') return ok(check, 'iso', `${tried}.`);
	if (working?.observed === 'isoSeconds') {
		return has('unclear')
			? unknown(check, `${tried}.`)
			: failed(
					check,
					'isoSeconds',
					`The service reads "updatedSince" only without milliseconds: ${tried}. No option of the nodes writes that format.`,
				);
	}
	if (working !== undefined) {
		const values = { updatedSinceFormat: working.observed };
		return ok(check, working.observed, `${tried}.`, {
			'List Users': values,
			'Polling Trigger': values,
		});
	}
	if (has('late')) {
		return warning(
			check,
			null,
			`${tried}. The service seems to compare whole days, or to read the time in another time zone. Updated Since and the Polling Trigger would miss changes.`,
		);
	}
	// That nothing is returned may be right for users that were never updated.
	if (has('coarse', 'unclear', 'nothing')) return unknown(check, `${tried}.`);
	const effect = has('ignored')
		? 'Updated Since cannot be used, and the Polling Trigger reads all users each time.'
		: 'Updated Since and the Polling Trigger cannot be used.';
	return failed(check, null, `The service does not follow "updatedSince": ${tried}. ${effect}`);
}
