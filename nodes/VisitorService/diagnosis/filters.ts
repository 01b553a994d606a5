import { LISTED_RESOURCES } from '../answer/resources';
import { type UpdatedSinceFormat, writeUpdatedSince } from '../answer/updatedSince';
import { findUpdateTimes, readUpdateTime } from '../answer/updateTimes';
import { DAY, HOUR, readInstant } from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';
import { type Found, failed, ok, unknown } from './finding';
import { keyOf, MAX_CHANGES, recordsOf, type Users } from './users';

/** Each writes that a field is sorted in descending order. */
const SPELLINGS = ['field,desc', '-field', 'field:desc', 'field desc'];

/** Which spelling of `sort` turns the order round, by one field whose values ascend. */
export async function checkSort(users: Users): Promise<Found> {
	const { first, longest } = users;
	if (first.query.page !== undefined) return undefined;
	const field = Object.keys(first.records[0] ?? {}).find(
		(name) => ascents(first.records, name) > MAX_CHANGES,
	);
	if (field === undefined) return undefined;
	const tried: string[] = [];
	for (const spelling of SPELLINGS) {
		const sort = spelling.replace('field', () => field);
		const reply = await users.ask({ sort });
		if (reply.kind === 'silence') return undefined;
		const page = recordsOf(reply);
		const [greatest] = page;
		const isDescending =
			page.length > MAX_CHANGES &&
			ascents(page, field) === 0 &&
			longest.records.every((record) => !isLess(greatest, record, field));
		tried.push(`"${sort}" ${isDescending ? 'works' : 'does not'}`);
		if (isDescending) return ok('sortFormat', spelling, `${tried.join(', ')}.`);
	}
	return unknown('sortFormat', `${tried.join(', ')}. The service may sort by other fields only.`);
}

/** How often a record is followed by a greater one: more often than one change explains. */
function ascents(records: readonly JsonObject[], field: string): number {
	return records.filter((record, place) => isLess(records[place - 1], record, field)).length;
}

function isLess(one: JsonObject | undefined, other: JsonObject, field: string): boolean {
	const [less, more] = [one?.[field], other[field]];
	const areTexts = typeof less === 'string' && typeof more === 'string';
	return (areTexts || (typeof less === 'number' && typeof more === 'number')) && less < more;
}

const FORMATS = [
	{ name: 'ISO 8601', format: 'iso', unit: 1 },
	{ name: 'epoch milliseconds', format: 'epochMs', unit: 1 },
	{ name: 'epoch seconds', format: 'epochS', unit: 1000 },
] as const;

/** Milliseconds: services compare in whole seconds. */
const BLUR = 2_000;
/** Farther than a time can be shifted that is written without its zone. */
const ANY_ZONE = 15 * HOUR;

/**
 * How `updatedSince` has to be written, and whether it includes the time itself: with a format that
 * works, the user changed last is returned, and users who are known to be older are not.
 */
export async function checkUpdatedSince(users: Users, now: number): Promise<Found[]> {
	const { first, longest } = users;
	const times = findUpdateTimes(longest.records, LISTED_RESOURCES.user.name);
	if (times === undefined || first.query.page !== undefined) return [];
	const timeOf = (record: JsonObject) => readUpdateTime(record, times.path) ?? -Infinity;
	const [newest] = longest.records
		.filter((record) => timeOf(record) <= now + DAY)
		.sort((one, other) => timeOf(other) - timeOf(one));
	if (newest === undefined) return [];
	const time = timeOf(newest);
	// As polls ask: in whole seconds.
	const floor = time - BLUR - (times.zone === 'none' ? ANY_ZONE : 0);
	const since = Math.floor(floor / 1000) * 1000;
	const isOlder = (record: JsonObject) => timeOf(record) < since - BLUR;
	if (first.records.filter(isOlder).length <= MAX_CHANGES) return [];

	const judge = async (format: UpdatedSinceFormat, instant: number) => {
		const reply = await users.ask({ updatedSince: writeUpdatedSince(instant, format) });
		const records = recordsOf(reply);
		if (reply.kind !== 'list') return reply.kind === 'refusal' ? 'is refused' : 'was not answered';
		if (records.length === 0) return 'returns nothing';
		if (records.some(isOlder)) return 'returns earlier changes too';
		const isThere = records.some((record) => keyOf(record) === keyOf(newest));
		return isThere ? 'works' : 'was not clear';
	};
	const said: string[] = [];
	for (const { name, format, unit } of FORMATS) {
		const verdict = await judge(format, since);
		said.push(`${name} ${verdict}`);
		if (verdict !== 'works') continue;
		const precision = readInstant(readDotPath(newest, times.path), 'utc')?.precision;
		const isExact = time % unit === 0 && precision === 'millisecond' && times.zone !== 'none';
		const values = { updatedSinceFormat: format };
		const setting = { 'List Users': values, 'Polling Trigger': values };
		return [
			ok('updatedSinceFormat', format, `${said.join(', ')}.`, format === 'iso' ? null : setting),
			times.zone === 'none'
				? undefined
				: await describeInclusive(isExact, async (ahead) => await judge(format, time - ahead)),
		];
	}
	const latest = longest.records.reduce((most, record) => Math.max(most, timeOf(record)), now);
	return [await describeNone(users, said.join(', '), latest + DAY)];
}

/** That the user is not returned counts only if it happens twice: one answer may be an accident. */
async function describeInclusive(
	isExact: boolean,
	judge: (ahead: number) => Promise<string>,
): Promise<Found> {
	const check = 'updatedSinceInclusive';
	const verdict = await judge(0);
	if (verdict === 'works') {
		const meaning = 'A user changed exactly at the requested time is also returned.';
		return isExact ? ok(check, true, meaning) : undefined;
	}
	const isLeftOut =
		verdict === 'returns nothing' &&
		(await judge(1000)) === 'works' &&
		(await judge(0)) === verdict;
	const meaning =
		'A user changed exactly at the requested time is not returned. The Polling Trigger asks for earlier changes, so it misses none.';
	return isLeftOut ? ok(check, false, meaning) : undefined;
}

/** The parameter is ignored if users come in each format, although none can have changed. */
async function describeNone(users: Users, said: string, future: number): Promise<Found> {
	const check = 'updatedSinceFormat';
	for (const { format } of FORMATS) {
		const reply = await users.ask({ updatedSince: writeUpdatedSince(future, format) });
		if (recordsOf(reply).length === 0) return unknown(check, `${said}.`);
	}
	const effect = 'Updated Since cannot be used, and the Polling Trigger reads all users each time.';
	return failed(check, null, `The service does not follow "updatedSince": ${said}. ${effect}`);
}
