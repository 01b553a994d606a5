import { LISTED_RESOURCES } from '../answer/resources';
import { FILTER_SLACK, writeUpdatedSince } from '../answer/updatedSince';
import { findUpdateTimes, type RecordTimes, readUpdateTime } from '../answer/updateTimes';
import { DAY, HOUR } from '../values/instant';
import type { JsonObject } from '../values/json';
import { type Finding, type Found, failed, ok, unknown, warning } from './finding';
import { type ListedUsers, MAX_CHANGES, type UserPage, type Users } from './users';

/** With the smallest unit each can say, in milliseconds. */
const FORMATS = [
	{ name: 'ISO 8601', observed: 'iso', unit: 1 },
	{ name: 'epoch milliseconds', observed: 'epochMs', unit: 1 },
	{ name: 'epoch seconds', observed: 'epochS', unit: 1000 },
	{ name: 'ISO 8601 without milliseconds', observed: 'isoSeconds', unit: 1000 },
] as const;

type Format = (typeof FORMATS)[number];

const WORDS = {
	works: 'works',
	refused: 'is refused',
	ignored: 'has no effect',
	coarse: 'returns earlier changes too',
	late: 'leaves out recent changes',
	nothing: 'returns nothing',
	unclear: 'was not clear',
} as const;

type FormatVerdict = keyof typeof WORDS;

type Verdicts = ReadonlyMap<Format, FormatVerdict>;

/** Milliseconds: services compare in whole seconds, or read formats that have no fraction. */
const BLUR = 2_000;
/** Farther than a time can be shifted that is written without its zone. */
const ANY_ZONE = 15 * HOUR;
/** Long before any user was changed. */
const PAST = Date.UTC(2000, 0, 1);

/** How `updatedSince` has to be written, and whether it includes the time itself. */
export async function checkUpdatedSince(list: ListedUsers, now: number): Promise<Found[]> {
	if (!list.isComparable) return [];
	const filter = new Filter(list.users, now);
	const verdicts = new Map<Format, FormatVerdict>();
	for (const format of FORMATS) {
		const verdict = await filter.judge(format, [...verdicts.values()].includes('ignored'));
		verdicts.set(format, verdict);
		// What is not needed is not asked for.
		if (['works', 'coarse', 'late'].includes(verdict)) break;
	}
	const working = FORMATS.find((format) => verdicts.get(format) === 'works');
	const found = describeFormat(verdicts, working);
	// That all formats are ignored is said often enough.
	const isIgnored = [...verdicts.values()].every((verdict) => verdict === 'ignored');
	const isBad = !isIgnored && (found.status === 'failed' || found.status === 'warning');
	if (isBad && !(await filter.fareAgain(verdicts))) return [];
	return [found, working && (await filter.checkInclusive(working))];
}

class Filter {
	private readonly times?: RecordTimes;

	/** The user changed last; undefined if update times are not known. */
	private readonly newest?: { key: string; time: number };

	/** Users dated in the future by mistake: they are found however the filter is misread. */
	private readonly mistaken: ReadonlySet<string>;

	private readonly future: number;

	constructor(
		private readonly users: Users,
		private readonly now: number,
	) {
		const { keys, records } = users.beginning;
		this.times = findUpdateTimes(records, LISTED_RESOURCES.user.name);
		const changes = (this.times?.times ?? [])
			.flatMap((time, place) => (time === undefined ? [] : [{ key: keys[place] ?? '', time }]))
			.sort((one, other) => other.time - one.time);
		this.newest = changes.find(({ time }) => time <= now + DAY) ?? changes[0];
		const { time: latest = 0 } = this.newest ?? {};
		this.mistaken = new Set(changes.filter(({ time }) => time > latest).map(({ key }) => key));
		this.future = Math.max(now, changes[0]?.time ?? 0) + DAY;
	}

	private async ask({ observed }: Format, time: number): Promise<UserPage | undefined> {
		const since = Math.max(0, time);
		const iso = new Date(since).toISOString();
		// With milliseconds in any case, and without: some services read one of them alone.
		const written = { iso, isoSeconds: iso.replace(/\.\d+/, '') };
		const isIso = observed === 'iso' || observed === 'isoSeconds';
		const updatedSince = isIso ? written[observed] : writeUpdatedSince(since, observed);
		return await this.users.read({ updatedSince, ...this.users.size });
	}

	/** By one question whose answer must hold users, and one that shows that others are left out. */
	async judge(format: Format, isLikelyIgnored: boolean): Promise<FormatVerdict> {
		const { newest, times } = this;
		const early = isLikelyIgnored ? await this.ask(format, this.future) : undefined;
		if (early !== undefined && early.came > 0) return 'ignored';
		const blur = BLUR + (times?.zone === 'none' ? ANY_ZONE : 0);
		let since = newest === undefined ? PAST : newest.time - blur;
		let page = await this.ask(format, since);
		if (page === undefined) return 'unclear';
		if (page.kind === 'refused') return 'refused';
		if (page.keys.every((key) => this.mistaken.has(key))) {
			// If it is not there any more, it was deleted or changed meanwhile.
			const hasNewest = (one?: UserPage) => newest && one?.keys.includes(newest.key) === true;
			if (!hasNewest(await this.ask(format, since - 2 * DAY))) return 'nothing';
			since -= FILTER_SLACK;
			page = await this.ask(format, since);
			if (page === undefined || !hasNewest(page)) return 'late';
		}
		const late = early ?? (await this.ask(format, this.future));
		if (late === undefined) return 'unclear';
		// A service that reads a time to come may refuse it for what it is.
		if (late.came > 0) return 'ignored';
		// Few users may all be deleted between two questions.
		const isFew = this.users.beginning.came <= MAX_CHANGES;
		const after = isFew ? await this.ask(format, since) : page;
		if (after?.keys.some((key) => page.keys.includes(key)) !== true) return 'unclear';
		const timeOf = (record: JsonObject) => readUpdateTime(record, times?.path ?? '') ?? since;
		return page.records.some((record) => timeOf(record) < since - blur) ? 'coarse' : 'works';
	}

	/** Of formats the nodes can write. Old times and expired tokens may be refused as formats are. */
	async fareAgain(verdicts: Verdicts): Promise<boolean> {
		const isRead = async () => (await this.users.read(this.users.size))?.answer !== undefined;
		if ([...verdicts.values()].includes('refused') && !(await isRead())) return false;
		const told = new Set<boolean>();
		for (const [format, verdict] of verdicts) {
			if (format.observed === 'isoSeconds') continue;
			const judge = async () => await this.judge(format, verdict === 'ignored');
			const isRefused = verdict === 'refused';
			const again = isRefused ? (await this.ask(format, this.now))?.kind : await judge();
			if (again !== undefined && again !== 'unclear') told.add(again === verdict);
		}
		return told.has(true) && !told.has(false);
	}

	/** @param format one that works */
	async checkInclusive(format: Format): Promise<Found> {
		const check = 'updatedSinceInclusive';
		const { newest, times } = this;
		const isVague = times?.zone === 'none' || times?.precision === 'finer';
		if (newest === undefined || isVague) return undefined;
		const { key, time } = newest;
		const isReturned = async (since: number) => (await this.ask(format, since))?.keys.includes(key);
		if ((await isReturned(time)) === true) {
			const isExact = time % format.unit === 0 && times?.precision === 'millisecond';
			const meaning = 'A user changed exactly at the requested time is also returned.';
			return isExact ? ok(check, true, meaning) : undefined;
		}
		// If it is not there any more, the list changed; and one answer may be an accident.
		const isLeftOut =
			(await isReturned(time - FILTER_SLACK)) === true && (await isReturned(time)) === false;
		const meaning =
			'A user changed exactly at the requested time is not returned. The Polling Trigger asks for earlier changes, so it misses none.';
		return isLeftOut ? ok(check, false, meaning) : undefined;
	}
}

function describeFormat(verdicts: Verdicts, working?: Format): Finding {
	const check = 'updatedSinceFormat';
	const tried = [...verdicts].map(([{ name }, verdict]) => `${name} ${WORDS[verdict]}`).join(', ');
	const told = new Set(verdicts.values());
	if (working !== undefined && working.observed !== 'isoSeconds') {
		const values = { updatedSinceFormat: working.observed };
		const setting = { 'List Users': values, 'Polling Trigger': values };
		return ok(check, working.observed, `${tried}.`, working.observed === 'iso' ? null : setting);
	}
	if (working !== undefined && !told.has('unclear')) {
		const what = `The service reads "updatedSince" only without milliseconds: ${tried}.`;
		return failed(
			check,
			'isoSeconds',
			`${what} The nodes write whole seconds that way, and any other time with milliseconds.`,
		);
	}
	if (told.has('late')) {
		const meaning = `${tried}. The service seems to compare whole days, or to read the time in another time zone. Updated Since would miss changes. The Polling Trigger asks early enough, or fails.`;
		return warning(check, null, meaning);
	}
	// That nothing is returned may be right for users that were never updated.
	const isOpen = told.has('coarse') || told.has('unclear') || told.has('nothing');
	if (isOpen) return unknown(check, `${tried}.`);
	const effect = told.has('ignored')
		? 'Updated Since cannot be used, and the Polling Trigger reads all users each time.'
		: 'Updated Since and the Polling Trigger cannot be used.';
	return failed(check, null, `The service does not follow "updatedSince": ${tried}. ${effect}`);
}
