import { readIdentity } from '../answer/identity';
import { findUpdateTimes } from '../answer/updateTimes';
import { type FailureKind, ServiceFailure } from '../failure/serviceFailure';
import { DAY } from '../values/instant';
import type { JsonObject } from '../values/json';
import { findVolatileLater, marksOf } from './contents';
import { BEGINS_ANEW, cursorOfOther, firstCursor, type PollCursor, REMEMBERS_ANEW } from './cursor';
import { type DifferenceRules, Differences, idOf } from './differences';
import { missingTime, type RecordNames, readUpdate, scaleOf, slackOf } from './fields';
import { KnownRecords } from './known';
import {
	type FoundList,
	filterNote,
	type ListRules,
	type OpenedList,
	openList,
	requireNoStart,
	requireReadableFilter,
} from './open';
import { type ListSource, PolledList, type ReadingEnd, type ServiceClock } from './pages';
import { askedSince, movePlace, placeAtPoll } from './place';
import { ANY_ZONE, isOfPresence, timeOf } from './versions';

export interface PollSettings extends ListRules {
	/** Milliseconds a change may take until it shows in the list. */
	overlap: number;
	/** Max number of records of one poll. */
	maxItems: number;
	/** Dot paths of fields that do not count as a change; none if it is missing. */
	ignoreFields?: readonly string[];
	/** Whether a record may start the workflow. */
	holds: (record: JsonObject) => boolean;
	maxRemembered?: number;
	maxCompared?: number;
}

export interface PollOutcome {
	/** Oldest change first. */
	records: JsonObject[];
	cursor: PollCursor;
	/** What the user should know, and was not told before. */
	notes: string[];
	/** Why a page could not be read, from which the next poll goes on. */
	interruptedBy?: ServiceFailure;
}

/** A poll of a list that was opened. */
interface OpenPoll {
	list: PolledList;
	settings: PollSettings;
	cursor: PollCursor & { list: OpenedList };
	notes: string[];
}

/** Records that are remembered: 20 bytes for each as a rule; of what is removed its ID. */
const MAX_REMEMBERED = 200_000;
const MAX_COMPARED = 50_000;

/** So many records that differ at once, and no other one, speak of a field that is renewed. */
const MANY = 3;

/** So many readings without a record prove that it is gone: if nothing moved, or if records did. */
const MISSED_IF_STILL = 2;
const MISSED_IF_MOVED = 6;

/**
 * The life of a poll: what is known of the list is looked up or found out, the list is read, what
 * differs from what is remembered is returned, and the place moves.
 *
 * @param stored the cursor of the last poll; nothing of it is changed
 * @throws ServiceFailure if something could not be read; then the last cursor holds
 */
export async function poll(
	source: ListSource,
	settings: PollSettings,
	stored: PollCursor | undefined,
): Promise<PollOutcome> {
	const list = new PolledList(source);
	const isKnown = stored?.service === source.service && stored.list !== undefined;
	const found = isKnown ? undefined : await openList(list, settings);
	if (found && stored === undefined) requireNoStart(settings, found.opened);
	const opened = isKnown ? stored.list : found?.opened;
	const cursor = isKnown ? stored : beginning(list, settings, stored, found);
	const polledAt = () => Math.max(source.now(), (stored?.polledAt ?? -Infinity) + 1);
	if (opened === undefined)
		return { records: [], cursor: { ...cursor, polledAt: polledAt() }, notes: [] };
	const notes = filterNote(opened);
	if (stored && !isKnown && cursor.isBaseline && !stored.isBaseline) notes.push(REMEMBERS_ANEW);
	else if (stored?.service === '') notes.push(BEGINS_ANEW);
	const passed = Math.max(0, source.now() - cursor.polledAt);
	const begun = { ...cursor, ...placeAtPoll(cursor, passed), list: opened };
	const outcome = await readOn({ list, settings, notes, cursor: begun });
	const told = [...new Set([...cursor.told, ...notes])];
	return {
		...outcome,
		cursor: { ...outcome.cursor, told, polledAt: polledAt() },
		// What was told before is not told again.
		notes: notes.filter((note) => !cursor.told.includes(note)),
	};
}

/** Where a trigger begins at a list that it does not know; without one if that has no records. */
function beginning(
	list: PolledList,
	{ overlap, startDate }: PollSettings,
	stored: PollCursor | undefined,
	found: FoundList | undefined,
): PollCursor {
	const { source } = list;
	const { newest = Infinity, opened } = found ?? {};
	const origin = { service: source.service, clock: clockOf(list), now: source.now(), newest };
	if (stored === undefined) return firstCursor(origin, startDate);
	if (opened === undefined) return stored;
	if (stored.service !== source.service) {
		return cursorOfOther(stored, origin, { isDated: opened.reads !== 'comparison', overlap });
	}
	// The list was empty at the last poll, so that each record there is now is new.
	return { ...stored, isBaseline: false, floor: startDate ?? 0 };
}

/** Reads the list from where the last poll had to stop. */
async function readOn(poll: OpenPoll): Promise<Omit<PollOutcome, 'notes'>> {
	const { cursor, list, settings } = poll;
	const { list: opened, reading: begun } = cursor;
	const known = new KnownRecords(cursor.known);
	const differences = new Differences(differenceRules(poll, known));
	const since = begun ? begun.since : sinceOf(poll);
	const end = await list.read(
		begun?.next ?? { page: 0, pageSize: settings.pageSize },
		(records, query) => differences.take(records, query),
		{ since, idPath: opened.fields.id },
	);
	poll.notes.push(...timeNotes(poll, differences, since));
	const learned = await settleContents(poll, differences, since);
	const provedAt = await proveFilter(poll, differences, end);
	const { records, waitingFrom } = differences.choose();
	const clock = clockOf(list);
	const progress = {
		since,
		startedAt: Math.min(begun?.startedAt ?? clock.start, clock.shown),
		waitingFrom: Math.min(begun?.waitingFrom ?? Infinity, waitingFrom),
		hasNews: differences.hasNews || begun?.hasNews === true,
	};
	const proof = end.kind === 'ended' ? proofOf(poll, end, known, progress) : undefined;
	const place = movePlace(
		{ ...cursor, provedAt },
		clock,
		{ ...progress, newest: differences.newest, proof },
		{ overlap: settings.overlap, passed: passedSince(poll) },
	);
	const learnedList = { ...opened, ...learned, fields: differences.fields };
	const moved = { ...cursor, ...place, list: learnedList, reading: undefined };
	if (end.kind === 'interrupted') {
		const { failure, next } = end;
		const reading = { ...progress, next, waitingFrom: finite(progress.waitingFrom) };
		const interruptedBy = PAUSES.has(failure.kind) ? undefined : failure;
		limit(poll, known);
		return { records, interruptedBy, cursor: { ...moved, reading, known: known.toText() } };
	}
	const isCompared = opened.reads === 'comparison';
	const removed = endReading(poll, end, known, proof === 'sure');
	known.forget(place.floor, scaleOf(differences.fields), isCompared);
	limit(poll, known);
	const ended = { known: known.toText(), isBaseline: false, hasMoved: end.hasMoved };
	return { records: [...records, ...removed], cursor: { ...moved, ...ended } };
}

/** What says nothing of the service: a shorter reading has to do. */
const PAUSES: ReadonlySet<FailureKind> = new Set(['outOfTime', 'rateLimit']);

function differenceRules(poll: OpenPoll, known: KnownRecords): DifferenceRules {
	const { cursor, list, settings } = poll;
	const { fields, reads, volatile } = cursor.list;
	return {
		known,
		fields,
		names: list.source.names,
		triggerOn: settings.triggerOn,
		isCompared: reads === 'comparison',
		isBaseline: cursor.isBaseline,
		floor: cursor.floor,
		now: cursor.date + passedSince(poll),
		maxItems: settings.maxItems,
		holds: settings.holds,
		without: [...volatile, ...(settings.ignoreFields ?? [])],
	};
}

/** Milliseconds since the last poll by our clock, at least. */
function passedSince({ cursor, list }: OpenPoll): number {
	return Math.max(0, list.source.now() - cursor.polledAt);
}

function sinceOf({ cursor, settings }: OpenPoll): number | undefined {
	const { fields, reads } = cursor.list;
	if (reads !== 'changes') return undefined;
	const { overlap, triggerOn } = settings;
	return askedSince(cursor, { overlap, slack: slackOf(fields, triggerOn) });
}

function clockOf({ clock = { start: 0, shown: 0, isSaid: false } }: PolledList): ServiceClock {
	return clock;
}

function finite(time: number): number | null {
	return Number.isFinite(time) ? time : null;
}

/** How sure it is that a reading that ended missed nothing. */
function proofOf(
	{ cursor, settings }: OpenPoll,
	{ requests }: ReadingEnd,
	known: KnownRecords,
	{ hasNews, since = -Infinity }: { hasNews: boolean; since?: number },
): 'sure' | 'same' | 'other' {
	if (cursor.reading === undefined && requests === 1) return 'sure';
	const { fields, reads } = cursor.list;
	const from = since + slackOf(fields, settings.triggerOn);
	const isExpected = ({ seen }: { seen: readonly string[] }) =>
		reads !== 'changes' || seen.some((version) => timeOf(version) >= from);
	return hasNews || known.hasLost(isExpected) ? 'other' : 'same';
}

/** What the user should know of the times that came. @throws ServiceFailure if there are none */
function timeNotes(
	{ cursor, list, settings }: OpenPoll,
	{ fields, hasField, hasTimeless, oldest, withoutField }: Differences,
	since: number | undefined,
): string[] {
	const { names } = list.source;
	const { triggerOn } = settings;
	if (isOfPresence(triggerOn) || cursor.list.fields.updatedAt === '') return [];
	const { name } = names;
	const isMissing = triggerOn !== 'created' && withoutField !== undefined && !hasField;
	// The field may have another name by now.
	if (isMissing && (!readUpdate(withoutField, fields) || findUpdateTimes([withoutField], name)))
		throw missingTime(fields.updatedAt, [withoutField], names);
	const isLeftOut = hasTimeless && cursor.list.reads !== 'comparison';
	return [
		...(isLeftOut ? [timelessNote(names)] : []),
		...(isMissing && since === undefined ? [timeGoneNote(fields.updatedAt, names)] : []),
		...(since !== undefined && oldest < since - ANY_ZONE ? [undatedNote(fields.updatedAt)] : []),
	];
}

function timeGoneNote(path: string, { plural }: RecordNames): string {
	return `No ${plural} show a time at "${path}" any more, so updates may be missed. Ask your service provider why, or set Updated At Path to another time.`;
}

function timelessNote({ plural }: RecordNames): string {
	return `Some ${plural} have no time that can be read, so they are left out. Ask your service provider why.`;
}

function undatedNote(path: string): string {
	return `Asked for recent changes, the service also sends users whose time at "${path}" is older. They do not start the workflow. If they should, set Updated At Path to the time that the service filters by.`;
}

/** Finds out, before it is chosen what is returned, whether records differ without a change. */
async function settleContents(
	{ cursor, list, notes, settings }: OpenPoll,
	differences: Differences,
	since: number | undefined,
): Promise<Pick<OpenedList, 'volatile' | 'sample'>> {
	const { differing, page, same } = differences.compared;
	const { sample, volatile } = cursor.list;
	if (page === undefined) return { volatile, ...(sample && { sample }) };
	const { fields } = differences;
	const found = await findVolatileLater(list, fields, page, since);
	const all = [...new Set([...volatile, ...found])];
	const without = [...all, ...(settings.ignoreFields ?? [])];
	if (all.length > volatile.length) differences.ignoreContents(without);
	const marks = new Map(
		page.records.map((record) => [
			JSON.stringify(readIdentity(record, fields.id)),
			marksOf(record, without),
		]),
	);
	const now = sample && marks.get(sample.key);
	if (found.length === 0 && same === 0 && differing >= MANY && now) {
		const names = Object.keys(now).filter((name) => now[name] !== sample.marks[name]);
		notes.push(...names.map((name) => renewedNote(name, list.source.names)));
	}
	const [first] = marks;
	return { volatile: all, ...(first && { sample: { key: first[0], marks: first[1] } }) };
}

function renewedNote(path: string, { plural }: RecordNames): string {
	return `"${path}" differs in all ${plural} although their times are the same, so each of them started the workflow. If it is renewed again and again, such as a signed URL, add it to Ignore Fields.`;
}

/**
 * A service may come to read `updatedSince` in another way, and then find nothing for ever. So it
 * is tried with what the list shows if it found nothing for a day.
 *
 * @returns when it was proved last
 * @throws ServiceFailure if it misses what the list shows
 */
async function proveFilter(
	{ cursor, list, settings }: OpenPoll,
	{ fields, met }: Differences,
	{ kind }: ReadingEnd,
): Promise<number> {
	const { provedAt, list: opened } = cursor;
	const { shown } = clockOf(list);
	if (met > 0 || opened.reads !== 'changes') return shown;
	if (kind === 'interrupted' || shown - provedAt < DAY) return provedAt;
	const records = await list.firstPage(settings.pageSize);
	await requireReadableFilter(list, { fields, records }, settings);
	return shown;
}

/** @returns what is gone for good, if that is wanted */
function endReading(
	{ cursor, list, notes, settings }: OpenPoll,
	end: Extract<ReadingEnd, { kind: 'ended' }>,
	known: KnownRecords,
	isSure: boolean,
): JsonObject[] {
	const isRemoval = settings.triggerOn === 'removed';
	const { met } = known;
	// Records that came twice, such as those of a list without an order, stand in for others that
	// did not come.
	const isComplete = end.isComplete && (!isRemoval || (end.total ?? 0) <= met);
	const isStill = isSure || (cursor.hasMoved !== true && !known.hasLost(() => true));
	known.endReading(isComplete);
	if (cursor.list.reads === 'comparison' && !isComplete && met > 0) {
		const { plural } = list.source.names;
		const loss = isRemoval ? 'nothing counts as removed' : 'changes may be missed';
		notes.push(
			`The list of ${plural} could not be read to a sure end, so ${loss}. Run Diagnose to see what the service says of its pages.`,
		);
	}
	if (!isRemoval || !isComplete) return [];
	const gone = known.missedBy(isStill ? MISSED_IF_STILL : MISSED_IF_MOVED);
	return gone.slice(0, settings.maxItems).map((key) => {
		known.delete(key);
		return { [cursor.list.fields.id]: idOf(key) };
	});
}

/** @throws ServiceFailure if more would have to be remembered than n8n should keep */
function limit({ cursor, list, settings }: OpenPoll, known: KnownRecords): void {
	const isCompared = cursor.list.reads === 'comparison';
	const most = isCompared
		? (settings.maxCompared ?? MAX_COMPARED)
		: (settings.maxRemembered ?? MAX_REMEMBERED);
	if (known.size > most) for (const key of known.missedBy(1)) known.delete(key);
	if (known.size <= most) return;
	const { plural } = list.source.names;
	throw new ServiceFailure(
		isCompared
			? `The list has more than ${most} ${plural}, the maximum this trigger can compare.`
			: `More than ${most} ${plural} were changed within a few hours, the maximum this trigger can remember.`,
		`List the ${plural} on a schedule with the Visitor Service node, and keep them in a data table.`,
		{ kind: 'configuration' },
	);
}
