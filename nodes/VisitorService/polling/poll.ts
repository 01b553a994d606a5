import { configurationFailure, ServiceFailure } from '../failure/serviceFailure';
import { mayBeOfPageSize } from '../listing/largerPage';
import type { EarlierReading } from '../listing/listFacts';
import type { JsonObject } from '../values/json';
import { formatNumber } from '../values/scalar';
import { ChangeDetector, type PollContext } from './changeDetector';
import { findRenewedFields } from './contents';
import type { PollCursor, Reading, StoredCursor } from './cursor';
import { type PollSettings, renewedNote } from './listProbe';
import { type ListSource, mayRejectTime, PolledList } from './polledList';
import { isFailureOfKind, type ReadingResult } from './readingResult';
import { type RememberedRecords, readRemovedId } from './rememberedRecords';
import { startPoll } from './resume';
import { spreadMs } from './timePrecision';
import { advanceWatermark, NOTHING_PENDING_AT, queryFrom } from './watermark';

interface PollOutcome {
	/** The oldest change first. */
	records: JsonObject[];
	cursor: PollCursor;
	/** Notes for the user that were not logged yet. */
	notes: string[];
}

/** Max records to remember: usually 20 bytes each, plus the ID for Removed. */
const MAX_REMEMBERED = 100_000;

/** Note if the service rejects the time since which changes are requested. */
const READ_WHOLE_NOTE =
	'The service rejects an "updatedSince" as early as this poll needs, so the whole list was read instead, now and whenever that happens again. Nothing is missed. Poll more often, or ask your service provider how far back "updatedSince" may lie.';

/** How often a list without an order is read for the baseline, so that it misses few records. */
const MAX_BASELINE_READINGS = 3;

/** How many complete readings in a row a record has to be absent from to count as removed. */
const ABSENCES = 2;
/** The same if others are absent for the first time: they may have moved between the requests. */
const ABSENCES_IF_OTHERS_GO = 6;

/**
 * One poll: resumes from the cursor or probes the list, reads the list, returns the changes, and
 * advances the watermark.
 *
 * @param settings `warnings`: further notes for the user, after the list was read
 * @param stored the cursor of the last poll; nothing of it is changed
 * @throws ServiceFailure if something could not be read; the last cursor then stays valid. Not if
 *   the time ran out after a probe, which is kept
 */
export async function pollList(
	source: ListSource,
	settings: PollSettings & { warnings: () => string[] },
	stored: StoredCursor,
): Promise<PollOutcome> {
	const list = new PolledList(source);
	const { cursor, notes, profile } = await startPoll(list, settings, stored);
	const { reportedNotes } = cursor;
	const begun = { records: [], cursor: { ...cursor, profile }, notes: [] };
	const outcome = profile
		? await runPoll({ list, settings, cursor, profile }).catch((error: unknown) => {
				// What takes a whole poll to find out is not found out again by the next one.
				if (cursor.profile || !isFailureOfKind(error, 'outOfTime')) throw error;
				return begun;
			})
		: begun;
	const allNotes = [...notes, ...outcome.notes, ...settings.warnings()];
	const newNotes = allNotes.filter((note) => !reportedNotes.includes(note));
	return {
		...outcome,
		cursor: { ...outcome.cursor, reportedNotes: [...reportedNotes, ...newNotes] },
		notes: newNotes,
	};
}

/** Reads the list from where the last poll stopped, and advances the watermark. */
async function runPoll(poll: PollContext): Promise<PollOutcome> {
	const { cursor, list, settings } = poll;
	const { fields, reads } = poll.profile;
	const detector = new ChangeDetector(poll);
	const { remembered } = detector;
	const { end, from } = await readFromCursor(poll, detector);
	const notes = [...(await findRenewed(poll, detector, from)), ...detector.warnings(from.sinceAt)];
	if (reads === 'changes' && from.sinceAt === undefined) notes.push(READ_WHOLE_NOTE);
	const { records, pendingAt } = detector.selectChanges();
	const startedAt = Math.min(from.startedAt, list.clock.earliestAt);
	const { newest } = detector.times;
	const reading = { ...from, startedAt, pendingAt: Math.min(from.pendingAt, pendingAt), newest };
	const isSingleRequest = cursor.reading === undefined && end.requestCount === 1;
	const resumePoint = end.kind === 'interrupted' ? end.resumePoint : undefined;
	const isFilterVerified = detector.times.hasAny || reads !== 'changes';
	const isSure = end.kind === 'complete' && !detector.baseline.hasMissed;
	const advanced = advanceWatermark(cursor, list.clock, reading, {
		newestAt: detector.times.newestAt,
		nowAt: list.source.now(),
		overlapMs: settings.overlapMs,
		ended: resumePoint ? undefined : { isSingleRequest, isSure },
	});
	if (!resumePoint) {
		const finished = finishReading(remembered, poll, { end, isSingleRequest });
		records.push(...finished.removed);
		notes.push(...finished.notes);
		remembered.pruneBefore(advanced.floorAt, spreadMs(fields.precision), reads === 'comparison');
	}
	limitRemembered(remembered, list.source.names.plural);
	const next: PollCursor = {
		...advanced,
		profile: { ...detector.profile, firstPageNumber: list.firstPageNumber },
		reading: resumePoint && { ...reading, next: resumePoint },
		isBaseline: resumePoint && cursor.isBaseline,
		earlier: earlierAfter(cursor, from, end),
		remembered: remembered.toText(),
		...(isFilterVerified && { filterVerifiedAt: list.clock.latestAt }),
	};
	return { records, cursor: next, notes };
}

/**
 * Reads the changes, or the whole list: if the service does not look back far enough, or no longer
 * returns pages as large as in an earlier reading.
 */
async function readFromCursor(
	poll: PollContext,
	{ addPage }: ChangeDetector,
): Promise<{ end: ReadingResult; from: Reading }> {
	const { cursor, list, profile, settings } = poll;
	const from = cursor.reading ?? beginReading(poll);
	const start = { page: 0, pageSize: settings.pageSize };
	const isWhole = from.sinceAt === undefined;
	const read = async ({ next, sinceAt }: Reading, earlier?: EarlierReading) => {
		const scope = { sinceAt, idPath: profile.fields.id, earlier };
		let end = await list.read(next, addPage, scope);
		const mayMiss = () => cursor.isBaseline && end.kind === 'unordered';
		for (let readings = 1; readings < MAX_BASELINE_READINGS && mayMiss(); readings++)
			end = await list.read(start, addPage, scope);
		return end;
	};
	return await read(from, isWhole && !cursor.reading ? cursor.earlier : undefined).then(
		(end) => ({ end, from }),
		async (error: unknown) => {
			const isLarger = from.next.page === 0 && from.next.pageSize > start.pageSize;
			const mayReadWhole = isWhole ? isLarger && mayBeOfPageSize(error) : mayRejectTime(error);
			if (!mayReadWhole) throw error;
			const whole = { ...from, next: start, sinceAt: undefined };
			return { end: await read(whole), from: whole };
		},
	);
}

/**
 * Finds fields that are renewed with each response, by records that differ at the same time, and
 * no longer counts them as changes.
 *
 * @returns what the user should know of it
 */
async function findRenewed(
	{ list, profile }: PollContext,
	detector: ChangeDetector,
	{ sinceAt }: Reading,
): Promise<string[]> {
	if (!detector.differingPage) return [];
	const seen = { ...detector.differingPage, sinceAt };
	const found = await findRenewedFields(list, profile.fields, seen).catch((error: unknown) => {
		// The next poll looks again.
		if (!(error instanceof ServiceFailure)) throw error;
		return [];
	});
	return detector.ignoreRenewed(found).map(renewedNote);
}

/** What a reading of the whole list shows to the next one, unless the list has changed. */
function earlierAfter({ earlier, reading }: PollCursor, { sinceAt }: Reading, end: ReadingResult) {
	if (reading || sinceAt !== undefined || end.kind !== 'complete') return undefined;
	const hasChanged = earlier !== undefined && earlier.recordCount !== end.earlier.recordCount;
	return hasChanged ? undefined : end.earlier;
}

function beginReading({ cursor, list, profile, settings }: PollContext): Reading {
	const { lookbackMs, reads } = profile;
	const { overlapMs, pageSize } = settings;
	const earlierSize = list.source.largerPageSize && cursor.earlier?.pageSize;
	return {
		next: { page: 0, pageSize: earlierSize ?? pageSize },
		sinceAt: reads === 'changes' ? queryFrom(cursor, overlapMs, lookbackMs) : undefined,
		startedAt: Infinity,
		pendingAt: NOTHING_PENDING_AT,
	};
}

/**
 * Counts absences, which `hasNewAbsence` looks at before.
 *
 * @returns the removed records, if those are wanted, and notes for the user
 */
function finishReading(
	remembered: RememberedRecords,
	{ list, profile: { fields, reads }, settings }: PollContext,
	{ end, isSingleRequest }: { end: ReadingResult; isSingleRequest: boolean },
): { removed: JsonObject[]; notes: string[] } {
	const { name, plural } = list.source.names;
	const isRemoval = settings.triggerOn === 'removed';
	const all = [...remembered.values()];
	const seenCount = all.filter(({ isSeen }) => isSeen).length;
	const hasNewAbsence = all.some(({ isSeen, absences }) => !isSeen && absences === 0);
	const isComplete = end.kind === 'complete';
	const haveRecordsMoved = end.kind === 'moved' || end.kind === 'unordered';
	// Duplicates stand in for records that are missing.
	const holdsEachRecord = isComplete && (end.total ?? 0) <= seenCount;
	const showsAbsences = isRemoval ? holdsEachRecord : isComplete || haveRecordsMoved;
	const isStable = isSingleRequest || !hasNewAbsence;
	remembered.endReading(showsAbsences);
	const loss = isRemoval ? 'nothing counts as removed' : 'changes may be missed';
	const uncertain = haveRecordsMoved
		? `Some ${plural} were on several pages, as in a list without an order, so ${loss}. Set Sort in the options to a field in which no two ${plural} are equal, such as their ID.`
		: `The list of ${plural} could not be read to a sure end, so ${loss}. Ask your service provider how its pages show where the list ends.`;
	const isUncertain = reads === 'comparison' && !showsAbsences && seenCount > 0;
	const notes = end.kind === 'unordered' || isUncertain ? [uncertain] : [];
	if (!isRemoval || !showsAbsences) return { removed: [], notes };
	const gone = remembered
		.absentFor(isStable ? ABSENCES : ABSENCES_IF_OTHERS_GO)
		.slice(0, settings.maxItems);
	for (const [key] of gone) remembered.delete(key);
	const ids = gone.map(([, record]) => readRemovedId(record));
	const removed = ids.filter((id) => id !== undefined).map((id) => ({ [fields.id]: id }));
	const damaged = `What this trigger stored is damaged: it cannot tell which ${name} was removed, so the workflow is not started for it.`;
	return { removed, notes: removed.length < ids.length ? [...notes, damaged] : notes };
}

/**
 * Forgets the records that the last reading did not have, if too many are remembered.
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
