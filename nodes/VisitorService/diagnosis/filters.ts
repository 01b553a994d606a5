import { LISTED_RESOURCES } from '../response/resources';
import { type UpdatedSinceFormat, writeUpdatedSince } from '../response/updatedSince';
import { findUpdatedAtField } from '../response/updateTimes';
import { DAY, MAX_EAST_OFFSET_MS, readInstant, SECOND } from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';
import { failed, ok } from './finding';
import { MAX_CHANGES, type Users } from './users';

/** Each writes that a field is sorted in descending order. */
const SPELLINGS = ['field,desc', '-field', 'field:desc', 'field desc'];

/** Which spelling of `sort` turns the order round, by one field whose values ascend. */
export async function checkSort({ conversation, first }: Users): Promise<void> {
	const field = Object.keys(first.records[0] ?? {}).find(
		(name) => ascents(first.records, name) > MAX_CHANGES,
	);
	if (field === undefined) return;
	for (const spelling of SPELLINGS) {
		const sort = spelling.replace('field', () => field);
		const { records } = await conversation.fetchList({ sort });
		if (records.length <= MAX_CHANGES || ascents(records, field) > 0) continue;
		conversation.findings.push(ok('sortFormat', spelling, `"${sort}" works.`));
		return;
	}
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
	{ name: 'epoch seconds', format: 'epochS', unit: SECOND },
] as const;

/** Who is returned; `works`: the user changed last, and nobody who is known to be older. */
type FilterResult = 'works' | 'nobody' | 'everybody' | 'unclear';

/** Milliseconds: services compare in whole seconds. */
const CLOCK_TOLERANCE_MS = 2 * SECOND;

/**
 * How `updatedSince` has to be written, and whether it includes the time itself: with a format that
 * works, the user changed last is returned, and users who are known to be older are not. It is
 * ignored if these come in each format, even for a time at which nobody can have changed.
 */
export async function checkUpdatedSince({
	conversation,
	first,
	keyOf,
	seen,
}: Users): Promise<void> {
	const [check, inclusive] = ['updatedSinceFormat', 'updatedSinceInclusive'] as const;
	const { findings, tenant } = conversation;
	const now = tenant.clock.now();
	const records = [...seen.values()];
	const times = findUpdatedAtField(records, LISTED_RESOURCES.user.name);
	const instantOf = (one: JsonObject) => readInstant(readDotPath(one, times?.path ?? ''), 'utc');
	const timeOf = (one: JsonObject) => instantOf(one)?.earliestMs ?? -Infinity;
	const [newest] = records
		.filter((one) => timeOf(one) <= now + DAY)
		.sort((one, other) => timeOf(other) - timeOf(one));
	if (times === undefined || newest === undefined) return;
	const time = timeOf(newest);
	// Without a zone, it may be earlier by that of the service. As polls ask: in whole seconds.
	const floor = time - CLOCK_TOLERANCE_MS - (times.hasZone ? 0 : MAX_EAST_OFFSET_MS);
	const since = Math.floor(floor / SECOND) * SECOND;
	const isOlder = (one: JsonObject) => timeOf(one) < since - CLOCK_TOLERANCE_MS;
	if (first.records.filter(isOlder).length <= MAX_CHANGES) return;

	const testFormat = async (format: UpdatedSinceFormat, instant: number): Promise<FilterResult> => {
		const updatedSince = writeUpdatedSince(instant, format);
		const { failure, records: changed } = await conversation.fetchList({ updatedSince });
		if (failure === undefined && changed.length === 0) return 'nobody';
		if (changed.some(isOlder)) return 'everybody';
		return changed.some((one) => keyOf(one) === keyOf(newest)) ? 'works' : 'unclear';
	};
	for (const { name, format, unit } of FORMATS) {
		if ((await testFormat(format, since)) !== 'works') continue;
		const values = { updatedSinceFormat: format };
		const setting = format === 'iso' ? null : { 'List Users': values, 'Polling Trigger': values };
		findings.push({ ...ok(check, format, `The service reads times in ${name}.`), setting });
		if (!times.hasZone) return;
		const verdict = await testFormat(format, time);
		const isCut = time % SECOND === 0 || instantOf(newest)?.hasSubMilliseconds;
		const isExact = time % unit === 0 && !isCut;
		const returned = 'A user changed exactly at the requested time is also returned.';
		if (verdict === 'works' && isExact) findings.push(ok(inclusive, true, returned));
		// One answer may be an accident, and a time with a fraction may be read as none.
		const isNobody = verdict === 'nobody' && (await testFormat(format, time)) === 'nobody';
		const isLeftOut = isNobody && (await testFormat(format, floor)) === 'works';
		const leftOut = 'A user changed exactly at the requested time is not returned.';
		if (isLeftOut) findings.push(ok(inclusive, false, leftOut));
		return;
	}
	for (const { format } of FORMATS)
		if ((await testFormat(format, now + DAY)) !== 'everybody') return;
	const effect = 'Updated Since cannot be used, and the Polling Trigger reads all users each time.';
	findings.push(failed(check, null, 'The service does not follow "updatedSince".', effect));
}
