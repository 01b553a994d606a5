import { DAY } from '../values/instant';
import { initialCursor, type PollCursor, type StoredCursor } from './cursor';
import { findRecordFields } from './fields';
import { FilterProbe } from './filterProbe';
import { type ListProfile, type PollSettings, probeList } from './listProbe';
import { mayRejectTime, type PolledList } from './polledList';
import { isFilterSilent, queryFrom } from './watermark';

/** From where a poll goes on, and notes for the user. */
interface PollStart {
	cursor: PollCursor;
	notes: string[];
	/** Undefined if the list is empty. */
	profile?: ListProfile;
}

/** Note if the cursor is from another version, or damaged. */
const WATERMARK_KEPT_NOTE =
	'What this trigger stored is of another version of it, or damaged: only the time can be read, so it continues from there. Changes of a few minutes may be missed or repeated.';

/** Note if the remembered records no longer show what is a change. */
const BASELINE_RESET_NOTE =
	'This trigger was changed, so it only remembers the list as it is now. What changed since its last poll does not start the workflow.';

/**
 * Finds where a poll begins: with the profile of an earlier probe, or else of a new one.
 *
 * @throws ServiceFailure as `probeList`
 */
export async function startPoll(
	list: PolledList,
	settings: PollSettings,
	stored: StoredCursor,
): Promise<PollStart> {
	const { fingerprint } = list.source;
	const isSame = stored.kind === 'current' && stored.cursor.fingerprint === fingerprint;
	const before = isSame ? stored.cursor.profile : undefined;
	if (isSame && before) {
		list.firstPageNumber = before.firstPageNumber ?? 0;
		const cursor = await verifyFilter(list, settings, stored.cursor, before);
		if (cursor) return { cursor, notes: [], profile: before };
	}
	list.firstPageNumber = undefined;
	const probe = await probeList(list, settings, before);
	// So that conditions on fields that no record has are noticed.
	if (stored.kind === 'none' && settings.triggerOn !== 'removed')
		probe?.records.forEach(settings.matches);
	const { cursor, note } = startFrom(stored, { list, settings, profile: probe?.profile });
	const notes = [...(probe?.notes ?? []), ...(note === undefined ? [] : [note])];
	return { cursor, notes, profile: probe?.profile };
}

/** Where to go on with a list that was probed, and what the user should know of that. */
function startFrom(
	stored: StoredCursor,
	{ list, profile, settings }: { list: PolledList; settings: PollSettings; profile?: ListProfile },
): { cursor: PollCursor; note?: string } {
	const { fingerprint } = list.source;
	const startAt = stored.kind === 'none' ? settings.startAt : undefined;
	const first = initialCursor(fingerprint, list.clock, startAt);
	if (stored.kind === 'none') return { cursor: first };
	const { cursor, kind } = stored;
	// Nothing in an empty list predates the baseline, whichever version of this trigger read it.
	if (profile === undefined)
		return { cursor: { ...cursor, fingerprint: cursor.fingerprint || fingerprint } };
	if (cursor.fingerprint === fingerprint) {
		if (cursor.profile) return { cursor: { ...cursor, filterVerifiedAt: list.clock.latestAt } };
		// The list was empty, so all its records are new.
		const floorAt = cursor.isBaseline ? 0 : cursor.floorAt;
		return { cursor: { ...cursor, floorAt, isBaseline: undefined } };
	}
	if (cursor.isBaseline) return { cursor: first };
	// Comparisons remember no times, which would show what predates the baseline.
	const isCompared = [profile, cursor.profile].some((one) => one?.reads === 'comparison');
	if (isCompared) return { cursor: first, note: BASELINE_RESET_NOTE };
	const note = kind === 'otherVersion' ? WATERMARK_KEPT_NOTE : undefined;
	return { cursor: continueAs(first, cursor, settings.overlapMs), note };
}

/** Continues from the same watermark. Changes of the overlap may be delivered again. */
function continueAs(first: PollCursor, cursor: PollCursor, overlapMs: number): PollCursor {
	const { floorAt, newest, remembered, reportedNotes, watermarkAt } = cursor;
	const lastAt = Math.min(watermarkAt, newest?.stampedAt ?? -Infinity);
	const kept = { watermarkAt, remembered, reportedNotes, isBaseline: undefined };
	return { ...first, ...kept, floorAt: Math.max(floorAt, lastAt - overlapMs) };
}

/**
 * Less than a week, the shortest time that services are documented to look back. What is added for
 * times of whole days, or a filter that is behind, may exceed it: then the whole list is read.
 */
const LOOK_BACK_MS = 5 * DAY;

/**
 * Tests the filter if it found nothing for a day: the service may misread `updatedSince`, or the
 * clock that stamps changes may have been set back. The filter has to find the newest change. If
 * that is too old for services that look back a week, the first page must not have a newer one.
 *
 * @returns undefined if the list has shown no time yet, or the filter misses changes: it has to be
 *   probed again
 */
async function verifyFilter(
	list: PolledList,
	{ overlapMs, pageSize }: PollSettings,
	cursor: PollCursor,
	{ fields, lookbackMs, reads }: ListProfile,
): Promise<PollCursor | undefined> {
	const nowAt = list.source.now();
	if (reads !== 'changes' || cursor.reading) return cursor;
	if (fields.precision === undefined) return undefined;
	if (!isFilterSilent(cursor, nowAt)) return cursor;
	const newestAt = cursor.newest?.stampedAt ?? -Infinity;
	const filterVerifiedAt = nowAt + (cursor.clockOffsetMs ?? 0);
	const earliestAt = filterVerifiedAt - LOOK_BACK_MS;
	const watermarkAt = Math.min(cursor.watermarkAt, Math.max(newestAt, earliestAt));
	// If the newest change known is too old, the filter need not find it.
	if (newestAt >= earliestAt || watermarkAt < cursor.watermarkAt) {
		const sinceAt = queryFrom({ ...cursor, watermarkAt }, overlapMs, lookbackMs);
		const found = await list.fetchSample(1, pageSize, sinceAt).catch((error: unknown) => {
			if (!mayRejectTime(error)) throw error;
		});
		// Two records have to show anew how far that clock is behind.
		if (found && found.length > 0)
			return { ...cursor, watermarkAt, newest: undefined, filterVerifiedAt };
		if (found && newestAt >= earliestAt) return undefined;
	}
	const records = await list.fetchSample(1, pageSize);
	if (records.length === 0) return { ...cursor, filterVerifiedAt };
	findRecordFields(records, fields, list.source.names, false);
	const shown = new FilterProbe(list, fields, { pageSize, records }).newestUpdateOf(records);
	return shown > watermarkAt ? undefined : { ...cursor, filterVerifiedAt };
}
