import { LISTED_RESOURCES } from '../answer/resources';
import { type UpdatedSinceFormat, writeUpdatedSince } from '../answer/updatedSince';
import { findUpdateTimes } from '../answer/updateTimes';
import { DAY, HOUR, readInstant } from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';
import { type Found, failed, ok, unknown } from './finding';
import { keyOf, MAX_CHANGES, type Users } from './users';

/** Each writes that a field is sorted in descending order. */
const SPELLINGS = ['field,desc', '-field', 'field:desc', 'field desc'];

/** Which spelling of `sort` turns the order round, by one field whose values ascend. */
export async function checkSort({ conversation, first }: Users): Promise<Found> {
	const field = Object.keys(first.records[0] ?? {}).find(
		(name) => ascents(first.records, name) > MAX_CHANGES,
	);
	if (field === undefined) return undefined;
	for (const spelling of SPELLINGS) {
		const sort = spelling.replace('field', () => field);
		const { answer, records } = await conversation.ask({ sort });
		if (answer === undefined) return undefined;
		const isDescending = records.length > MAX_CHANGES && ascents(records, field) === 0;
		if (isDescending) return ok('sortFormat', spelling, `"${sort}" works.`);
	}
	return unknown('sortFormat', `The service may not sort by "${field}".`);
}

/** How often a record is followed by a greater one: more often than one change explains. */
function ascents(records: readonly JsonObject[], field: string): number {
	return records.filter((record, place) => {
		const [less, more] = [records[place - 1]?.[field], record[field]];
		if (typeof less === 'number' && typeof more === 'number') return less < more;
		return typeof less === 'string' && typeof more === 'string' && less < more;
	}).length;
}

const FORMATS = [
	{ name: 'ISO 8601', format: 'iso', unit: 1 },
	{ name: 'epoch milliseconds', format: 'epochMs', unit: 1 },
	{ name: 'epoch seconds', format: 'epochS', unit: 1000 },
] as const;

/** Who is returned; `works`: the user changed last, and nobody who is known to be older. */
type Verdict = 'works' | 'nobody' | 'everybody' | 'unclear';

/** Milliseconds: services compare in whole seconds. */
const BLUR = 2_000;
/** Farther than a time can be shifted that is written without its zone. */
const ANY_ZONE = 15 * HOUR;

/**
 * How `updatedSince` has to be written, and whether it includes the time itself: with a format that
 * works, the user changed last is returned, and users who are known to be older are not. It is
 * ignored if they come in each format, even for a time at which none can have changed.
 */
export async function checkUpdatedSince(
	{ conversation, first, longest }: Users,
	now: number,
): Promise<Found[]> {
	const check = 'updatedSinceFormat';
	const times = findUpdateTimes(longest.records, LISTED_RESOURCES.user.name);
	const timeOf = (record: JsonObject) =>
		readInstant(readDotPath(record, times?.path ?? ''), 'utc')?.earliest ?? -Infinity;
	const latest = longest.records.reduce((most, one) => Math.max(most, timeOf(one)), now);
	const [newest] = longest.records
		.filter((record) => timeOf(record) <= now + DAY)
		.sort((one, other) => timeOf(other) - timeOf(one));
	if (times === undefined || newest === undefined) return [];
	const time = timeOf(newest);
	// As polls ask: in whole seconds.
	const floor = time - BLUR - (times.zone === 'none' ? ANY_ZONE : 0);
	const since = Math.floor(floor / 1000) * 1000;
	const isOlder = (record: JsonObject) => timeOf(record) < since - BLUR;
	if (first.records.filter(isOlder).length <= MAX_CHANGES) return [];

	const judge = async (format: UpdatedSinceFormat, instant: number): Promise<Verdict> => {
		const updatedSince = writeUpdatedSince(instant, format);
		const { failure, records } = await conversation.ask({ updatedSince });
		if (failure === undefined && records.length === 0) return 'nobody';
		if (records.some(isOlder)) return 'everybody';
		return records.some((record) => keyOf(record) === keyOf(newest)) ? 'works' : 'unclear';
	};
	const verdicts: Verdict[] = [];
	for (const { name, format, unit } of FORMATS) {
		verdicts.push(await judge(format, since));
		if (verdicts.at(-1) !== 'works') continue;
		const values = { updatedSinceFormat: format };
		const setting = { 'List Users': values, 'Polling Trigger': values };
		const meaning = `The service reads times in ${name}.`;
		const found = ok(check, format, meaning, format === 'iso' ? null : setting);
		if (times.zone === 'none') return [found];
		const precision = readInstant(readDotPath(newest, times.path), 'utc')?.precision;
		const isExact = time % unit === 0 && precision === 'millisecond';
		return [
			found,
			await checkInclusive(isExact, async (ahead) => await judge(format, time - ahead)),
		];
	}
	for (const { format } of FORMATS) {
		const isIgnored = verdicts.shift() === 'everybody';
		if (!isIgnored || (await judge(format, latest + DAY)) !== 'everybody') return [];
	}
	const effect = 'Updated Since cannot be used, and the Polling Trigger reads all users each time.';
	return [failed(check, null, `The service does not follow "updatedSince". ${effect}`)];
}

/** That the user is not returned counts only if it happens twice: one answer may be an accident. */
async function checkInclusive(
	isExact: boolean,
	judge: (ahead: number) => Promise<Verdict>,
): Promise<Found> {
	const check = 'updatedSinceInclusive';
	const verdict = await judge(0);
	if (verdict === 'works' && isExact) {
		return ok(check, true, 'A user changed exactly at the requested time is also returned.');
	}
	const isLeftOut = verdict === 'nobody' && (await judge(1000)) === 'works';
	if (!isLeftOut || (await judge(0)) !== 'nobody') return undefined;
	const meaning =
		'A user changed exactly at the requested time is not returned. The Polling Trigger asks for earlier changes, so it misses none.';
	return ok(check, false, meaning);
}
