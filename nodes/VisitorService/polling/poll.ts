import { configurationFailure } from '../failure/serviceFailure';
import type { JsonObject } from '../values/json';
import { writeNumber } from '../values/scalar';
import { firstCursor, KEEPS_PLACE, type PollCursor, REMEMBERS_ANEW } from './cursor';
import { Differences, idOf, type OpenPoll } from './differences';
import { slackOf } from './fields';
import type { KnownRecords } from './known';
import { type OpenedList, openList, type PollSettings } from './open';
import { type ListSource, PolledList, type ReadingEnd } from './pages';
import { askedSince, findsNothing, movePlace, NEVER } from './place';

interface PollOutcome {
	/** Oldest change first. */
	records: JsonObject[];
	cursor: PollCursor;
	/** What the user should know, and was not told before. */
	notes: string[];
}

/** Records that are remembered: 20 bytes for each as a rule; of what is removed its ID as well. */
const MAX_REMEMBERED = 100_000;

/** So many readings without a record prove that it is gone: if nothing moved, or if records did. */
const MISSED_IF_STILL = 2;
const MISSED_IF_MOVED = 6;

/**
 * The life of a poll: what is known of the list is looked up or found out, the list is read, what
 * differs from what is remembered is returned, and the place moves.
 *
 * @param settings `remarks`: what else the user should know, once the list was read
 * @param stored the cursor of the last poll; nothing of it is changed
 * @throws ServiceFailure if something could not be read; then the last cursor holds
 */
export async function poll(
	source: ListSource,
	settings: PollSettings & { remarks: () => string[] },
	stored: PollCursor | undefined,
): Promise<PollOutcome> {
	const list = new PolledList(source);
	const { cursor, notes, opened } = await begin(list, settings, stored);
	const { told } = cursor;
	const outcome = opened
		? await readOn({ list, settings, cursor, opened })
		: { records: [], cursor, notes: [] };
	const said = [...notes, ...outcome.notes, ...settings.remarks()];
	const untold = said.filter((note) => !told.includes(note));
	return { ...outcome, cursor: { ...outcome.cursor, told: [...told, ...untold] }, notes: untold };
}

/** From where a poll reads on, and what the user should know of the list; not opened if empty. */
async function begin(
	list: PolledList,
	settings: PollSettings,
	stored: PollCursor | undefined,
): Promise<{ cursor: PollCursor; notes: string[]; opened?: OpenedList }> {
	const { service } = list.source;
	const before = stored?.service === service ? stored.list : undefined;
	const proved = stored && before && (await proveFilter(list, settings, stored, before));
	if (proved) return { cursor: proved, notes: [], opened: before };
	// A list that is opened again still has its fields where they were.
	const paths = before?.fields ?? settings.paths;
	const { opened, notes = [] } = (await openList(list, { ...settings, paths })) ?? {};
	const first = firstCursor(service, list.clock, stored ? undefined : settings.startDate);
	if (stored === undefined) return { cursor: first, notes, opened };
	// An empty list holds nothing of before, whichever version of this trigger looked at it last.
	if (opened === undefined)
		return { cursor: { ...stored, service: stored.service || service }, notes };
	if (before) return { cursor: { ...stored, provedAt: list.clock.shown }, notes, opened };
	const { isBaseline, known, newest, place, told } = stored;
	if (stored.service === service) {
		// If the list was empty at the last poll, each record there is now is new.
		const floor = isBaseline ? 0 : stored.floor;
		return { cursor: { ...stored, floor, isBaseline: false }, notes, opened };
	}
	// What was compared, or will be, tells nothing of what is of before.
	if (opened.reads === 'comparison' || stored.list?.reads === 'comparison' || isBaseline) {
		if (!isBaseline) notes.push(REMEMBERS_ANEW);
		return { cursor: first, notes, opened };
	}
	if (stored.service === '') notes.push(KEEPS_PLACE);
	// It goes on from the same time, so changes of the overlap may come again.
	const last = Math.min(place, newest?.time ?? -Infinity);
	const floor = Math.max(stored.floor, last - settings.overlap);
	return { cursor: { ...first, place, floor, known, told, isBaseline }, notes, opened };
}

/**
 * The cursor to read on with; undefined if the list has to be opened again, because no time has
 * shown, or nothing was found for long, as if the service had come to read `updatedSince` in
 * another way.
 */
async function proveFilter(
	list: PolledList,
	{ overlap, pageSize }: PollSettings,
	stored: PollCursor,
	{ fields, reads }: OpenedList,
): Promise<PollCursor | undefined> {
	if (reads !== 'changes' || stored.reading) return stored;
	if (fields.unit !== undefined && !findsNothing(stored, list.source.now())) return stored;
	if (stored.newest === undefined) return undefined;
	// The clock that stamps changes may have been set back to what was found last.
	const place = Math.min(stored.place, stored.newest.time);
	const since = askedSince({ ...stored, place }, overlap, slackOf(fields));
	if ((await list.some(1, pageSize, since)).length === 0) return undefined;
	// By how much it is behind shows anew, once two records do.
	return { ...stored, place, newest: undefined, provedAt: list.clock.shown };
}

/** Reads the list from where the last poll had to stop, and moves the place. */
async function readOn(poll: OpenPoll): Promise<PollOutcome> {
	const { cursor, list, opened, settings } = poll;
	const { fields, reads } = opened;
	const { overlap, pageSize } = settings;
	const from = cursor.reading ?? {
		next: { page: 0, pageSize },
		since: reads === 'changes' ? askedSince(cursor, overlap, slackOf(fields)) : undefined,
		startedAt: Infinity,
		waitingFrom: NEVER,
	};
	const differences = new Differences(poll);
	const { known } = differences;
	const rules = { since: from.since, idPath: fields.id };
	const end = await list.read(from.next, differences.take, rules);
	const notes = differences.remarks(from.since);
	const { records, waitingFrom } = differences.choose();
	const reading = {
		...from,
		startedAt: Math.min(from.startedAt, list.clock.start),
		waitingFrom: Math.min(from.waitingFrom, waitingFrom),
	};
	const isAtOnce = cursor.reading === undefined && end.requests === 1;
	const isProved = differences.times.size > 0 || reads !== 'changes';
	const moved = movePlace(cursor, list.clock, reading, {
		newest: differences.newest,
		now: list.source.now(),
		overlap,
		ended: end.next ? undefined : { isAtOnce },
	});
	if (!end.next) {
		records.push(...endKnown(known, poll, { end, isAtOnce, notes }));
		known.forget(moved.floor, fields.unit, reads === 'comparison');
	}
	forgetExcess(known, list.source.names.plural);
	const found: PollCursor = {
		...moved,
		list: { ...opened, sample: differences.sample },
		reading: end.next && { ...reading, next: end.next },
		isBaseline: cursor.isBaseline && end.next !== undefined,
		known: known.toText(),
		...(isProved && { provedAt: list.clock.shown }),
	};
	return { records, cursor: found, notes };
}

/** @returns what is gone for good, if that is wanted */
function endKnown(
	known: KnownRecords,
	{ list, opened: { fields, reads }, settings }: OpenPoll,
	{ end, isAtOnce, notes }: { end: ReadingEnd; isAtOnce: boolean; notes: string[] },
): JsonObject[] {
	const isRemoval = settings.triggerOn === 'removed';
	const all = [...known.values()];
	const met = all.filter(({ isMet }) => isMet).length;
	const hasLost = all.some(({ isMet, missed }) => !isMet && missed === 0);
	// Records that came twice, such as those of a list without an order, stand in for others that
	// did not come.
	const isComplete = end.isComplete && (!isRemoval || (end.total ?? 0) <= met);
	const isStill = isAtOnce || !(end.hasMoved || hasLost);
	known.endReading(isComplete);
	if (reads === 'comparison' && !isComplete && met > 0) {
		const loss = isRemoval ? 'nothing counts as removed' : 'changes may be missed';
		notes.push(
			`The list of ${list.source.names.plural} could not be read to a sure end, so ${loss}. Ask your service provider how its pages show where the list ends.`,
		);
	}
	if (!isRemoval || !isComplete) return [];
	const gone = known.missedBy(isStill ? MISSED_IF_STILL : MISSED_IF_MOVED);
	return gone.slice(0, settings.maxItems).flatMap(([key, record]) => {
		known.delete(key);
		const id = idOf(record);
		if (id !== undefined) return [{ [fields.id]: id }];
		notes.push(
			`What this trigger stored is damaged: it cannot tell which ${list.source.names.name} was removed, so the workflow is not started for it.`,
		);
		return [];
	});
}

/**
 * Forgets what the last reading missed, if it is too much.
 *
 * @throws ServiceFailure if more would have to be remembered than n8n should keep
 */
function forgetExcess(known: KnownRecords, plural: string): void {
	if (known.size > MAX_REMEMBERED) for (const [key] of known.missedBy(1)) known.delete(key);
	if (known.size <= MAX_REMEMBERED) return;
	throw configurationFailure(
		`The list has more than ${writeNumber(MAX_REMEMBERED)} ${plural} to remember, the maximum of this trigger.`,
		`Narrow it with Query Parameters, or list the ${plural} on a schedule and keep them in a data table.`,
	);
}
