import { type UpdatedSinceFormat, writeUpdatedSince } from '../answer/updatedSince';
import { type RecordTimes, readUpdateTime } from '../answer/updateTimes';
import { DAY, HOUR } from '../values/instant';
import { type Finding, type Found, failed, ok, unknown, warning } from './finding';
import { MAX_CHANGES, type UserPage } from './seen';
import type { Users } from './users';

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
const ANY_ZONE = 15 * HOUR;
/** Long before any user was changed. */
const PAST = Date.UTC(2000, 0, 1);

/** How `updatedSince` has to be written, and whether it includes the time itself. */
export async function checkUpdatedSince(
	users: Users,
	times: RecordTimes | undefined,
	now: number,
): Promise<Found[]> {
	const filter = new Filter(users, times, now);
	const verdicts = new Map<Format, Verdict>();
	for (const format of FORMATS) {
		const isLikelyIgnored = [...verdicts.values()].includes('ignored');
		const verdict = await filter.judge(format, isLikelyIgnored);
		verdicts.set(format, verdict);
		// What is not needed is not asked for.
		if (['works', 'coarse', 'late'].includes(verdict)) break;
	}
	const isRefused = [...verdicts.values()].every((verdict) => verdict === 'refused');
	// Some services refuse a token that has expired as they refuse a parameter.
	if (isRefused && (await users.read(users.seen.usualSize))?.answer === undefined) return [];
	const working = FORMATS.find((format) => verdicts.get(format) === 'works');
	return [describeFormat(working, verdicts), working && (await filter.checkInclusive(working))];
}

function write({ observed }: Format, time: number): string | number {
	if (observed !== 'isoSeconds') return writeUpdatedSince(time, observed);
	return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

class Filter {
	/** The user changed last; undefined if update times are not known. */
	private readonly newest?: { key: string; time: number };

	constructor(
		private readonly users: Users,
		private readonly times: RecordTimes | undefined,
		private readonly now: number,
	) {
		for (const [place, key] of users.seen.beginning.keys.entries()) {
			const time = times?.times[place];
			if (time !== undefined && time > (this.newest?.time ?? -Infinity))
				this.newest = { key, time };
		}
	}

	private async ask(format: Format, time: number): Promise<UserPage | undefined> {
		const updatedSince = write(format, Math.max(0, time));
		return await this.users.read({ updatedSince, ...this.users.seen.usualSize });
	}

	private async askForFuture(format: Format): Promise<UserPage | undefined> {
		return await this.ask(format, Math.max(this.now, this.newest?.time ?? this.now) + DAY);
	}

	/**
	 * Two questions: one whose answer must hold users, one that shows that others are left out. If a change of the
	 * list may explain that, a third one shows that it does not.
	 */
	async judge(format: Format, isLikelyIgnored: boolean): Promise<Verdict> {
		const { newest, times } = this;
		const early = isLikelyIgnored ? await this.askForFuture(format) : undefined;
		if (early !== undefined && early.keys.length > 0) return 'ignored';
		const blur = BLUR + (times?.zone === 'none' ? ANY_ZONE : 0);
		const since = newest === undefined ? PAST : newest.time - blur;
		const page = await this.ask(format, since);
		if (page === undefined) return 'unclear';
		if (page.kind === 'refused') return 'refused';
		if (page.keys.length === 0) {
			if (newest === undefined) return 'nothing';
			const before = await this.ask(format, since - 2 * DAY);
			if (before?.answer === undefined) return 'unclear';
			if (before.keys.length === 0) return 'nothing';
			// If it is not there any more, it was deleted or changed meanwhile.
			return before.keys.includes(newest.key) ? 'late' : 'unclear';
		}
		const holdsEarlier =
			times !== undefined &&
			page.records.some((record) => (readUpdateTime(record, times.path) ?? since) < since - blur);
		const late = early ?? (await this.askForFuture(format));
		if (late === undefined) return 'unclear';
		// A service that reads a time to come may refuse it for what it is.
		if (late.keys.length > 0) return 'ignored';
		// Few users may all be deleted between two questions.
		if (this.users.seen.beginning.keys.length <= MAX_CHANGES) {
			const after = await this.ask(format, since);
			if (after?.keys.some((key) => page.keys.includes(key)) !== true) return 'unclear';
		}
		return holdsEarlier ? 'coarse' : 'works';
	}

	/** @param format one that works */
	async checkInclusive(format: Format): Promise<Found> {
		const check = 'updatedSinceInclusive';
		const { newest, times } = this;
		if (newest === undefined || times?.zone === 'none' || times?.precision === 'finer') {
			return undefined;
		}
		const { key, time } = newest;
		const isIncluded = (await this.ask(format, time))?.keys.includes(key);
		if (isIncluded === true) {
			const isExact = time % format.unit === 0 && times?.precision === 'millisecond';
			const meaning = 'A user changed exactly at the requested time is also returned.';
			return isExact ? ok(check, true, meaning) : undefined;
		}
		const before = isIncluded === false ? await this.ask(format, time - BLUR) : undefined;
		if (before?.keys.includes(key) !== true) {
			return unknown(check, 'The list changed while it was read.');
		}
		const meaning = 'A user changed exactly at the requested time is not returned.';
		const remark = 'The Polling Trigger asks for earlier changes, so it misses none.';
		return ok(check, false, `${meaning} ${remark}`);
	}
}

function describeFormat(
	working: Format | undefined,
	verdicts: ReadonlyMap<Format, Verdict>,
): Finding {
	const check = 'updatedSinceFormat';
	const tried = [...verdicts].map(([{ name }, verdict]) => `${name} ${WORDS[verdict]}`).join(', ');
	const has = (...some: Verdict[]) => [...verdicts.values()].some((one) => some.includes(one));
	if (working !== undefined && working.observed !== 'isoSeconds') {
		const values = { updatedSinceFormat: working.observed };
		const setting = { 'List Users': values, 'Polling Trigger': values };
		return ok(check, working.observed, `${tried}.`, working.observed === 'iso' ? null : setting);
	}
	if (working !== undefined && !has('unclear')) {
		const what = `The service reads "updatedSince" only without milliseconds: ${tried}.`;
		return failed(check, 'isoSeconds', `${what} No option of the nodes writes that format.`);
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
