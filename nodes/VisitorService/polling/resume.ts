import { initialCursor, type PollCursor, type StoredCursor } from './cursor';
import { filterLookbackMs } from './fields';
import { type ListProfile, type PollSettings, probeList } from './listProbe';
import { mayRejectTime, type PolledList } from './polledList';
import { isFilterSilent, queryFrom } from './watermark';

/** From where a poll reads on, and what the user should know of the list. */
interface PollStart {
	cursor: PollCursor;
	notes: string[];
	/** Undefined if the list is empty. */
	profile?: ListProfile;
}

/** If the cursor of another version was found. */
const WATERMARK_KEPT_NOTE =
	'Of what another version of this trigger stored only the time can be read, so it continues from there. Changes of a few minutes may be missed or repeated.';

/** If what was remembered of the list says nothing of what counts now. */
const BASELINE_RESET_NOTE =
	'This trigger was changed, so it only remembers the list as it is now. What changed since its last poll does not start the workflow.';

/** The ways to go on after a list was probed. */
type Resumption =
	| 'firstPoll'
	| 'listEmpty'
	| 'sameListProbedAgain'
	| 'listFilledSince'
	| 'baselineAgain'
	| 'baselineReset'
	| 'otherVersion'
	| 'otherSettings';

/**
 * Goes on with the list as it was probed before, or probes it.
 *
 * @throws ServiceFailure as `probeList`
 */
export async function resumePoll(
	list: PolledList,
	settings: PollSettings,
	stored: StoredCursor,
): Promise<PollStart> {
	const { fingerprint } = list.source;
	const isSame = stored.kind === 'current' && stored.cursor.fingerprint === fingerprint;
	const before = isSame ? stored.cursor.profile : undefined;
	if (isSame && before) {
		const filter = await verifyFilter(list, settings, stored.cursor, before);
		if (filter.kind !== 'unverified') return { cursor: filter.cursor, notes: [], profile: before };
	}
	// The fields of a list that is probed again stay where they were.
	const paths = before?.fields ?? settings.paths;
	const { profile, notes = [] } = (await probeList(list, { ...settings, paths })) ?? {};
	const startAt = stored.kind === 'none' ? settings.startAt : undefined;
	const first = initialCursor(fingerprint, list.clock, startAt);
	const cursor = stored.kind === 'none' ? first : stored.cursor;
	const { floorAt, newest, watermarkAt } = cursor;
	switch (chooseResumption(stored, fingerprint, profile)) {
		case 'firstPoll':
		case 'baselineAgain':
			return { cursor: first, notes, profile };
		case 'listEmpty':
			// Nothing in it predates the baseline, whichever version of this trigger read it last.
			return { cursor: { ...cursor, fingerprint: cursor.fingerprint || fingerprint }, notes };
		case 'sameListProbedAgain':
			return { cursor: { ...cursor, filterVerifiedAt: list.clock.latestAt }, notes, profile };
		case 'listFilledSince': {
			// Each record there is now is new.
			const since = cursor.isBaseline ? 0 : floorAt;
			return { cursor: { ...cursor, floorAt: since, isBaseline: false }, notes, profile };
		}
		case 'baselineReset':
			return { cursor: first, notes: [...notes, BASELINE_RESET_NOTE], profile };
		case 'otherVersion':
			return { cursor: continued(), notes: [...notes, WATERMARK_KEPT_NOTE], profile };
		case 'otherSettings':
			return { cursor: continued(), notes, profile };
	}

	/** From the same time on, so that changes of the overlap may be delivered again. */
	function continued(): PollCursor {
		const lastAt = Math.min(watermarkAt, newest?.stampedAt ?? -Infinity);
		return {
			...first,
			watermarkAt,
			floorAt: Math.max(floorAt, lastAt - settings.overlapMs),
			remembered: cursor.remembered,
			reportedNotes: cursor.reportedNotes,
			isBaseline: false,
		};
	}
}

function chooseResumption(
	stored: StoredCursor,
	fingerprint: string,
	profile: ListProfile | undefined,
): Resumption {
	if (stored.kind === 'none') return 'firstPoll';
	const { cursor, kind } = stored;
	if (profile === undefined) return 'listEmpty';
	if (cursor.fingerprint === fingerprint)
		return cursor.profile ? 'sameListProbedAgain' : 'listFilledSince';
	if (cursor.isBaseline) return 'baselineAgain';
	// What was compared, or will be, does not show what predates the baseline.
	const isCompared = [profile, cursor.profile].some((one) => one?.reads === 'comparison');
	if (isCompared) return 'baselineReset';
	return kind === 'otherVersion' ? 'otherVersion' : 'otherSettings';
}

type FilterCheck =
	/** It found something within a day, or no filter is used. */
	| { kind: 'notDue'; cursor: PollCursor }
	| { kind: 'verified'; cursor: PollCursor }
	/** The list has to be probed again: no time has shown, or the filter finds nothing. */
	| { kind: 'unverified' };

/** Tries the filter if it found nothing for long: the service may misread `updatedSince`. */
async function verifyFilter(
	list: PolledList,
	{ overlapMs, pageSize }: PollSettings,
	cursor: PollCursor,
	{ fields, reads }: ListProfile,
): Promise<FilterCheck> {
	if (reads !== 'changes' || cursor.reading) return { kind: 'notDue', cursor };
	if (fields.precision !== undefined && !isFilterSilent(cursor, list.source.now()))
		return { kind: 'notDue', cursor };
	if (cursor.newest === undefined) return { kind: 'unverified' };
	// The clock that stamps changes may have been set back to the newest time.
	const watermarkAt = Math.min(cursor.watermarkAt, cursor.newest.stampedAt);
	const sinceAt = queryFrom({ ...cursor, watermarkAt }, overlapMs, filterLookbackMs(fields));
	const found = await list.fetchSample(1, pageSize, sinceAt).catch((error: unknown) => {
		if (!mayRejectTime(error)) throw error;
	});
	// The newest change is older than the service looks back: the poll asks for later ones.
	if (found === undefined) {
		const filterVerifiedAt = list.source.now() + (cursor.clockOffsetMs ?? 0);
		return { kind: 'notDue', cursor: { ...cursor, filterVerifiedAt } };
	}
	if (found.length === 0) return { kind: 'unverified' };
	const filterVerifiedAt = list.clock.latestAt;
	// How far it is behind shows anew, once two records do.
	return {
		kind: 'verified',
		cursor: { ...cursor, watermarkAt, newest: undefined, filterVerifiedAt },
	};
}
