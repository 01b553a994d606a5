import { LISTED_RESOURCES } from '../response/resources';
import { type UpdatedSinceFormat, writeUpdatedSince } from '../response/updatedSince';
import { findUpdatedAtField } from '../response/updateTimes';
import { DAY, MAX_EAST_OFFSET_MS, readInstant, SECOND } from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';
import { isShownName } from '../values/serverText';
import { type Finding, failed, ok, warning } from './finding';
import { trialRun } from './recommendation';
import { MAX_CHANGES, type Users } from './users';

/** Ways to write that a field is sorted in descending order. */
const SPELLINGS = ['field,desc', '-field', 'field:desc', 'field desc'];

/**
 * Which spelling of `sort` reverses the order, by a field whose values ascend: the ID if possible,
 * because no two users share it.
 *
 * @returns whether users are repeated without it only, because the list has no fixed order
 */
export async function checkSort(users: Users): Promise<boolean> {
	const { first, idField, session } = users;
	const names = [idField, ...Object.keys(first.records[0] ?? {})].filter(isShownName);
	const field = names.find((name) => ascents(first.records, name) > MAX_CHANGES);
	if (field === undefined) return false;
	for (const spelling of SPELLINGS) {
		const sort = spelling.replace('field', () => field);
		const { records } = await session.fetchList({ sort });
		if (records.length <= MAX_CHANGES || ascents(records, field) > 0) continue;
		const trial = users.hasRepeats && field === idField && (await trialRun(users, { sort }));
		const isNeeded = trial && trial.kind === 'read' && !trial.hasRepeats;
		session.findings.push(
			isNeeded ? recommendSort(spelling, sort) : ok('sortFormat', spelling, `"${sort}" works.`),
		);
		return isNeeded;
	}
	return false;
}

function recommendSort(spelling: string, sort: string): Finding {
	const fact = `"${sort}" works. Without it the order of the users is not fixed.`;
	const advice = 'Set Sort: pages then join without a gap.';
	const setting = { 'List Users': { Sort: sort }, 'Polling Trigger': { Sort: sort } };
	return { ...warning('sortFormat', spelling, fact, advice), setting };
}

/** How often a record is followed by a greater one. */
function ascents(records: readonly JsonObject[], field: string): number {
	return records.filter((record, index) => {
		const [less, more] = [records[index - 1]?.[field], record[field]];
		if (typeof less === 'number' && typeof more === 'number') return less < more;
		return typeof less === 'string' && typeof more === 'string' && less < more;
	}).length;
}

const FORMATS = [
	{ name: 'ISO 8601', format: 'iso' },
	{ name: 'Epoch Milliseconds', format: 'epochMs' },
	{ name: 'Epoch Seconds', format: 'epochS' },
] as const;

/** Services compare in whole seconds. */
const CLOCK_TOLERANCE_MS = 2 * SECOND;

/** Users that should be returned for a time, and users that should not. */
interface FilterCase {
	sinceMs: number;
	newest: JsonObject;
	isOlder: (user: JsonObject) => boolean;
}

/**
 * How `updatedSince` has to be written: with a format that works, the user changed last is
 * returned, and users who were changed earlier are not. It is ignored if these are returned in each
 * format, even for a time at which nobody can have changed.
 */
export async function checkUpdatedSince(users: Users): Promise<void> {
	const { findings, tenant } = users.session;
	const now = tenant.clock.now();
	const filterCase = chooseFilterCase(users, now);
	if (filterCase === undefined) return;
	for (const { name, format } of FORMATS) {
		if ((await testFormat(users, filterCase, format, filterCase.sinceMs)) !== 'works') continue;
		const values = { 'Updated Since Format': name };
		const setting = { 'List Users': values, 'Polling Trigger': values };
		const finding = ok('updatedSinceFormat', format, `The service reads times in ${name}.`);
		findings.push(format === 'iso' ? finding : { ...finding, setting });
		return;
	}
	// In whole seconds as well: what reads no fraction would ignore the time.
	const futureMs = Math.ceil((now + DAY) / SECOND) * SECOND;
	for (const { format } of FORMATS)
		if ((await testFormat(users, filterCase, format, futureMs)) !== 'everybody') return;
	const effect = 'Updated Since cannot be used, and the Polling Trigger reads all users each time.';
	const fact = 'The service does not follow "updatedSince".';
	findings.push(failed('updatedSinceFormat', undefined, fact, effect));
}

/** @returns undefined if the users do not show whether they are filtered */
function chooseFilterCase({ first, seen }: Users, now: number): FilterCase | undefined {
	const records = [...seen.values()];
	const times = findUpdatedAtField(records, LISTED_RESOURCES.user.name);
	if (times === undefined) return undefined;
	const timeOf = (user: JsonObject) =>
		readInstant(readDotPath(user, times.path), 'utc')?.earliestAt ?? -Infinity;
	const [newest] = records
		.filter((user) => timeOf(user) <= now + DAY)
		.sort((user, other) => timeOf(other) - timeOf(user));
	if (newest === undefined) return undefined;
	// Without a zone, it may be earlier by that of the service. As polls ask: in whole seconds.
	const zoneMs = times.hasZone ? 0 : MAX_EAST_OFFSET_MS;
	const floorMs = timeOf(newest) - CLOCK_TOLERANCE_MS - zoneMs;
	const sinceMs = Math.floor(floorMs / SECOND) * SECOND;
	const isOlder = (user: JsonObject) => timeOf(user) < sinceMs - CLOCK_TOLERANCE_MS;
	return first.records.filter(isOlder).length > MAX_CHANGES
		? { sinceMs, newest, isOlder }
		: undefined;
}

/** Who is returned; `works`: the user changed last, and nobody who was changed earlier. */
async function testFormat(
	{ keyOf, session }: Users,
	{ newest, isOlder }: FilterCase,
	format: UpdatedSinceFormat,
	instant: number,
): Promise<'works' | 'everybody' | 'unclear'> {
	const query = { updatedSince: writeUpdatedSince(instant, format) };
	const { records } = await session.fetchList(query);
	if (records.some(isOlder)) return 'everybody';
	return records.some((user) => keyOf(user) === keyOf(newest)) ? 'works' : 'unclear';
}
