import { configurationFailure } from '../failure/serviceFailure';
import type { JsonObject } from '../values/json';
import { formatNumber } from '../values/scalar';
import { ChangeDetector, type PollContext, readRemovedId } from './changeDetector';
import { BASELINE_RESET_NOTE, initialCursor, type PollCursor, WATERMARK_KEPT_NOTE } from './cursor';
import { filterLookbackMs } from './fields';
import { type ListProfile, type PollSettings, probeList } from './listProbe';
import { type ListSource, PolledList, type ReadingResult } from './polledList';
import type { RememberedRecords } from './rememberedRecords';
import { advanceWatermark, isFilterSilent, NOTHING_PENDING_AT, queryFrom } from './watermark';

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
const ABSENCES_IF_STABLE = 2;
const ABSENCES_IF_MOVED = 6;

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
	const { cursor, notes, profile } = await resumePoll(list, settings, stored);
	const { told } = cursor;
	const outcome = profile
		? await runPoll({ list, settings, cursor, profile })
		: { records: [], cursor, notes: [] };
	const allNotes = [...notes, ...outcome.notes, ...settings.remarks()];
	const newNotes = allNotes.filter((note) => !told.includes(note));
	return {
		...outcome,
		cursor: { ...outcome.cursor, told: [...told, ...newNotes] },
		notes: newNotes,
	};
}

/** From where a poll reads on, and what the user should know of the list; not opened if empty. */
async function resumePoll(
	list: PolledList,
	settings: PollSettings,
	stored: PollCursor | undefined,
): Promise<{ cursor: PollCursor; notes: string[]; profile?: ListProfile }> {
	const { fingerprint } = list.source;
	const before = stored?.service === fingerprint ? stored.list : undefined;
	const proved = stored && before && (await verifyFilter(list, settings, stored, before));
	if (proved) return { cursor: proved, notes: [], profile: before };
	// A list that is opened again still has its fields where they were.
	const paths = before?.fields ?? settings.paths;
	const { profile, notes = [] } = (await probeList(list, { ...settings, paths })) ?? {};
	const first = initialCursor(fingerprint, list.clock, stored ? undefined : settings.startDate);
	if (stored === undefined) return { cursor: first, notes, profile };
	// An empty list holds nothing of before, whichever version of this trigger looked at it last.
	if (profile === undefined)
		return { cursor: { ...stored, service: stored.service || fingerprint }, notes };
	if (before) return { cursor: { ...stored, provedAt: list.clock.latestAt }, notes, profile };
	const { isBaseline, known: remembered, newest, place, told } = stored;
	if (stored.service === fingerprint) {
		// If the list was empty at the last poll, each record there is now is new.
		const floor = isBaseline ? 0 : stored.floor;
		return { cursor: { ...stored, floor, isBaseline: false }, notes, profile };
	}
	// What was compared, or will be, tells nothing of what is of before.
	if (profile.reads === 'comparison' || stored.list?.reads === 'comparison' || isBaseline) {
		if (!isBaseline) notes.push(BASELINE_RESET_NOTE);
		return { cursor: first, notes, profile };
	}
	if (stored.service === '') notes.push(WATERMARK_KEPT_NOTE);
	// It goes on from the same time, so changes of the overlap may come again.
	const last = Math.min(place, newest?.time ?? -Infinity);
	const floor = Math.max(stored.floor, last - settings.overlap);
	return {
		cursor: { ...first, place, floor, known: remembered, told, isBaseline },
		notes,
		profile,
	};
}

/**
 * The cursor to read on with; undefined if the list has to be opened again, because no time has
 * shown, or nothing was found for long, as if the service had come to read `updatedSince` in
 * another way.
 */
async function verifyFilter(
	list: PolledList,
	{ overlap, pageSize }: PollSettings,
	stored: PollCursor,
	{ fields, reads }: ListProfile,
): Promise<PollCursor | undefined> {
	if (reads !== 'changes' || stored.reading) return stored;
	if (fields.unit !== undefined && !isFilterSilent(stored, list.source.now())) return stored;
	if (stored.newest === undefined) return undefined;
	// The clock that stamps changes may have been set back to what was found last.
	const place = Math.min(stored.place, stored.newest.time);
	const since = queryFrom({ ...stored, place }, overlap, filterLookbackMs(fields));
	if ((await list.fetchSample(1, pageSize, since)).length === 0) return undefined;
	// By how much it is behind shows anew, once two records do.
	return { ...stored, place, newest: undefined, provedAt: list.clock.latestAt };
}

/** Reads the list from where the last poll had to stop, and moves the place. */
async function runPoll(poll: PollContext): Promise<PollOutcome> {
	const { cursor, list, profile, settings } = poll;
	const { fields, reads } = profile;
	const { overlap, pageSize } = settings;
	const from = cursor.reading ?? {
		next: { page: 0, pageSize },
		since: reads === 'changes' ? queryFrom(cursor, overlap, filterLookbackMs(fields)) : undefined,
		startedAt: Infinity,
		waitingFrom: NOTHING_PENDING_AT,
	};
	const detector = new ChangeDetector(poll);
	const { remembered } = detector;
	const rules = { since: from.since, idPath: fields.id };
	const end = await list.read(from.next, detector.addPage, rules);
	const notes = detector.warnings(from.since);
	const { records, waitingFrom } = detector.selectChanges();
	const reading = {
		...from,
		startedAt: Math.min(from.startedAt, list.clock.earliestAt),
		waitingFrom: Math.min(from.waitingFrom, waitingFrom),
	};
	const isSinglePage = cursor.reading === undefined && end.requestCount === 1;
	const isFilterVerified = detector.times.size > 0 || reads !== 'changes';
	const moved = advanceWatermark(cursor, list.clock, reading, {
		newest: detector.newest,
		now: list.source.now(),
		overlap,
		ended: end.resumePoint ? undefined : { isSinglePage },
	});
	if (!end.resumePoint) {
		records.push(...finishReading(remembered, poll, { end, isSinglePage, notes }));
		remembered.pruneBefore(moved.floor, fields.unit, reads === 'comparison');
	}
	limitRemembered(remembered, list.source.names.plural);
	const found: PollCursor = {
		...moved,
		list: { ...profile, sample: detector.sample },
		reading: end.resumePoint && { ...reading, next: end.resumePoint },
		isBaseline: cursor.isBaseline && end.resumePoint !== undefined,
		known: remembered.toText(),
		...(isFilterVerified && { provedAt: list.clock.latestAt }),
	};
	return { records, cursor: found, notes };
}

/** @returns what is gone for good, if that is wanted */
function finishReading(
	remembered: RememberedRecords,
	{ list, profile: { fields, reads }, settings }: PollContext,
	{ end, isSinglePage, notes }: { end: ReadingResult; isSinglePage: boolean; notes: string[] },
): JsonObject[] {
	const isRemoval = settings.triggerOn === 'removed';
	const all = [...remembered.values()];
	const seenCount = all.filter(({ isSeen }) => isSeen).length;
	const hasAbsence = all.some(({ isSeen, absences }) => !isSeen && absences === 0);
	// Records that came twice, such as those of a list without an order, stand in for others that
	// did not come.
	const isComplete = end.isComplete && (!isRemoval || (end.total ?? 0) <= seenCount);
	const isStable = isSinglePage || !(end.haveRecordsMoved || hasAbsence);
	remembered.endReading(isComplete);
	if (reads === 'comparison' && !isComplete && seenCount > 0) {
		const loss = isRemoval ? 'nothing counts as removed' : 'changes may be missed';
		notes.push(
			`The list of ${list.source.names.plural} could not be read to a sure end, so ${loss}. Ask your service provider how its pages show where the list ends.`,
		);
	}
	if (!isRemoval || !isComplete) return [];
	const removed = remembered.absentFor(isStable ? ABSENCES_IF_STABLE : ABSENCES_IF_MOVED);
	return removed.slice(0, settings.maxItems).flatMap(([key, record]) => {
		remembered.delete(key);
		const id = readRemovedId(record);
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
function limitRemembered(remembered: RememberedRecords, plural: string): void {
	if (remembered.size > MAX_REMEMBERED)
		for (const [key] of remembered.absentFor(1)) remembered.delete(key);
	if (remembered.size <= MAX_REMEMBERED) return;
	throw configurationFailure(
		`The list has more than ${formatNumber(MAX_REMEMBERED)} ${plural} to remember, the maximum of this trigger.`,
		`Narrow it with Query Parameters, or list the ${plural} on a schedule and keep them in a data table.`,
	);
}
