import { findUpdateTimes } from '../answer/updateTimes';
import { type FailureKind, ServiceFailure } from '../failure/serviceFailure';
import { DAY } from '../values/instant';
import type { JsonObject } from '../values/json';
import { BEGINS_ANEW, cursorOfOther, firstCursor, type PollCursor, REMEMBERS_ANEW } from './cursor';
import { Differences, idOf } from './differences';
import { missingTime, readUpdate, slackOf } from './fields';
import { KnownRecords } from './known';
import {
	chooseReading,
	filterNote,
	type ListRules,
	type OpenedList,
	openList,
	requireNoStart,
} from './open';
import { type ListSource, PolledList, type ReadingEnd } from './pages';
import { askedSince, movePlace, NEVER, placeAtPoll } from './place';
import { ANY_ZONE, isOfPresence } from './versions';

export interface PollSettings extends ListRules {
	/** Milliseconds a change may take until it shows in the list. */
	overlap: number;
	/** Max number of records of one poll. */
	maxItems: number;
	/** Whether a record may start the workflow. */
	holds: (record: JsonObject) => boolean;
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
	/** Milliseconds since the last poll by our clock, at least. */
	passed: number;
}

/** Records that are remembered: 20 bytes for each as a rule; of what is removed its ID. */
const MAX_REMEMBERED = 200_000;
const MAX_COMPARED = 50_000;

/** What says nothing of the service: a shorter reading has to do. */
const PAUSES: ReadonlySet<FailureKind> = new Set(['outOfTime', 'rateLimit']);

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
	const begun = isKnown
		? { cursor: stored, notes: [], opened: stored.list }
		: await begin(list, settings, stored);
	const { cursor, notes, opened } = begun;
	const { told } = cursor;
	const passed = Math.max(0, source.now() - cursor.polledAt);
	const placed = { ...cursor, ...placeAtPoll(cursor, passed) };
	const outcome = opened
		? await readOn({ list, settings, notes, passed, cursor: { ...placed, list: opened } })
		: { records: [], cursor };
	const polledAt = Math.max(source.now(), (stored?.polledAt ?? -Infinity) + 1);
	return {
		...outcome,
		cursor: { ...outcome.cursor, told: [...new Set([...told, ...notes])], polledAt },
		// What was told before is not told again.
		notes: notes.filter((note) => !told.includes(note)),
	};
}

/** Where a trigger begins at a list that it does not know; without one if that has no records. */
async function begin(
	list: PolledList,
	settings: PollSettings,
	stored: PollCursor | undefined,
): Promise<{ cursor: PollCursor; notes: string[]; opened?: OpenedList }> {
	const { overlap, startDate } = settings;
	const { service } = list.source;
	const found = await openList(list, settings);
	const { notes = [], opened } = found ?? {};
	const origin = { service, clock: list.clock, now: list.source.now() };
	if (stored === undefined) {
		if (opened) requireNoStart(settings, opened);
		return { cursor: firstCursor(origin, startDate), notes, opened };
	}
	if (opened === undefined) return { cursor: stored, notes };
	// If the list was empty at the last poll, each record there is now is new.
	const isFilled = stored.service === service;
	const cursor = isFilled
		? { ...stored, isBaseline: false, floor: startDate ?? 0 }
		: cursorOfOther(stored, origin, { isDated: opened.reads !== 'comparison', overlap });
	if (cursor.isBaseline && !stored.isBaseline) notes.push(REMEMBERS_ANEW);
	else if (stored.service === '') notes.push(BEGINS_ANEW);
	return { cursor, notes, opened };
}

/** Reads the list from where the last poll had to stop, and moves the place. */
async function readOn(poll: OpenPoll): Promise<Omit<PollOutcome, 'notes'>> {
	const { cursor, list, notes, passed, settings } = poll;
	const { fields, reads, volatile } = cursor.list;
	const { overlap, pageSize, triggerOn } = settings;
	const isCompared = reads === 'comparison';
	const slack = slackOf(fields, triggerOn);
	const from = cursor.reading ?? {
		next: { page: 0, pageSize },
		since: reads === 'changes' ? askedSince(cursor, { overlap, slack }) : undefined,
		startedAt: Infinity,
		waitingFrom: NEVER,
		doubted: [],
	};
	const { since } = from;
	const known = new KnownRecords(cursor.known);
	const differences = new Differences({
		...settings,
		...cursor,
		doubted: new Set(cursor.doubted),
		known,
		fields,
		names: list.source.names,
		isCompared,
		now: cursor.date + passed,
		without: [...volatile, ...settings.ignoreFields],
	});
	const take = (records: readonly JsonObject[]) => differences.take(records);
	const end = await list.read(from.next, take, { since, idPath: fields.id });
	notes.push(...remarksOn(differences, poll, since));
	const { next } = end;
	const proved = await proveFilter(poll, { met: differences.met, hasEnded: next === undefined });
	const { records, waitingFrom } = differences.choose();
	const reading = {
		since,
		startedAt: Math.min(from.startedAt, list.clock.start),
		waitingFrom: Math.min(from.waitingFrom, waitingFrom),
	};
	const isAtOnce = cursor.reading === undefined && end.requests === 1;
	const { newest } = differences;
	const proof = next ? undefined : isAtOnce ? ('sure' as const) : ('later' as const);
	const place = movePlace(
		{ ...cursor, provedAt: proved.at },
		list.clock,
		{ ...reading, newest, proof },
		{ overlap, passed },
	);
	const opened = { ...cursor.list, fields: differences.fields, reads: proved.reads };
	const moved = { ...cursor, ...place, list: opened };
	const doubted = [...from.doubted, ...differences.doubted];
	if (next) {
		limit(known, poll, isCompared);
		const { failure } = end;
		const interruptedBy = failure && PAUSES.has(failure.kind) ? undefined : failure;
		const unfinished = { reading: { ...reading, next, doubted }, known: known.toText() };
		return { records, interruptedBy, cursor: { ...moved, ...unfinished } };
	}
	const gone = endKnown(known, poll, { end, isAtOnce, isCompared });
	known.forget(place.floor, differences.fields, isCompared);
	limit(known, poll, isCompared);
	const ended = { reading: undefined, isBaseline: false, hasMoved: end.hasMoved, doubted };
	return {
		records: [...records, ...gone],
		cursor: { ...moved, ...ended, known: known.toText() },
	};
}

/**
 * What the user should know of the times and contents that came.
 *
 * @throws ServiceFailure if the update time has another name by now, or is gone
 */
function remarksOn(
	{ compared, fields, hasField, hasTimeless, oldest, withoutField }: Differences,
	{ list, settings }: OpenPoll,
	since: number | undefined,
): string[] {
	const { triggerOn } = settings;
	const { updatedAt } = fields;
	const { names } = list.source;
	const { name, plural } = names;
	if (isOfPresence(triggerOn) || updatedAt === '') return differing(compared, plural);
	const isMissing = triggerOn !== 'created' && withoutField !== undefined && !hasField;
	if (isMissing && (!readUpdate(withoutField, fields) || findUpdateTimes([withoutField], name)))
		throw missingTime(updatedAt, [withoutField], names);
	const timeless = `Some ${plural} have no time that can be read, so they are left out. Ask your service provider why.`;
	const gone = `No ${plural} show a time at "${updatedAt}" any more, so updates may be missed. Ask your service provider why, or set Updated At Path to another time.`;
	const older = `Asked for recent changes, the service also sends users whose time at "${updatedAt}" is older. They do not start the workflow. If they should, set Updated At Path to the time that the service filters by.`;
	return [
		...differing(compared, plural),
		...(hasTimeless ? [timeless] : []),
		...(isMissing && since === undefined ? [gone] : []),
		...(since !== undefined && oldest < since - ANY_ZONE ? [older] : []),
	];
}

/** Some fields are renewed now and then, such as a signed URL. */
function differing(compared: Differences['compared'], plural: string): string[] {
	if (compared.same > 0 || compared.differing < MANY) return [];
	return [
		`All ${plural} differ although their times are the same, so each of them started the workflow. Compare one of them in two executions: if the field that differs is renewed again and again, such as a signed URL, add it to Ignore Fields.`,
	];
}

/**
 * A service may come to read `updatedSince` in another way, and then find nothing for ever. So
 * how changes are found is chosen anew if it found nothing for a day.
 *
 * @returns how they are found, and since when that is proved
 * @throws ServiceFailure if it misses what the list shows
 */
async function proveFilter(
	{ cursor, list, notes, settings }: OpenPoll,
	{ hasEnded, met }: { hasEnded: boolean; met: number },
): Promise<{ at: number; reads: OpenedList['reads'] }> {
	const { fields, reads } = cursor.list;
	const { shown } = list.clock;
	if (met > 0 || reads !== 'changes') return { at: shown, reads };
	if (!hasEnded || shown - cursor.provedAt < DAY) return { at: cursor.provedAt, reads };
	const records = await list.firstPage(settings.pageSize);
	const chosen = await chooseReading(list, { fields, records }, settings);
	notes.push(...filterNote(chosen));
	return { at: shown, reads: chosen };
}

/** @returns what is gone for good, if that is wanted */
function endKnown(
	known: KnownRecords,
	{ cursor, list, notes, settings }: OpenPoll,
	reading: { end: ReadingEnd; isAtOnce: boolean; isCompared: boolean },
): JsonObject[] {
	const { end, isAtOnce, isCompared } = reading;
	const isRemoval = settings.triggerOn === 'removed';
	const { met } = known;
	// Records that came twice, such as those of a list without an order, stand in for others that
	// did not come.
	const isComplete = end.isComplete && (!isRemoval || (end.total ?? 0) <= met);
	const isStill = isAtOnce || (cursor.hasMoved !== true && !known.hasLost());
	known.endReading(isComplete);
	if (isCompared && !isComplete && met > 0) {
		const loss = isRemoval ? 'nothing counts as removed' : 'changes may be missed';
		notes.push(
			`The list of ${list.source.names.plural} could not be read to a sure end, so ${loss}. Run Diagnose to see what the service says of its pages.`,
		);
	}
	if (!isRemoval || !isComplete) return [];
	const gone = known.missedBy(isStill ? MISSED_IF_STILL : MISSED_IF_MOVED);
	return gone.slice(0, settings.maxItems).map(([key, record]) => {
		known.delete(key);
		return { [cursor.list.fields.id]: idOf(key, record) };
	});
}

/** @throws ServiceFailure if more would have to be remembered than n8n should keep */
function limit(known: KnownRecords, { list }: OpenPoll, isCompared: boolean): void {
	const most = isCompared ? MAX_COMPARED : MAX_REMEMBERED;
	if (known.size > most) for (const [key] of known.missedBy(1)) known.delete(key);
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
