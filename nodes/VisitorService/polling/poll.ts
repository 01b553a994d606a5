import { FILTER_SLACK } from '../answer/updatedSince';
import { ServiceFailure } from '../failure/serviceFailure';
import { AFTER_ALL_THAT_SHOWS } from './changes';
import { Contents } from './contents';
import type { CurrentPoll, PollSettings, ReadingOutcome } from './currentPoll';
import { type KnownList, knownUntil, type PollCursor } from './cursor';
import { slackFor } from './filterSlack';
import { findVolatile, type OpenedList, openList } from './open';
import { pollByComparison } from './pollByComparison';
import { pollForChanges } from './pollForChanges';
import { type ListSource, PolledList } from './reading';
import { ServiceTime } from './serviceTime';
import { earlierOf } from './versions';

export interface PollOutcome extends Omit<ReadingOutcome, 'moved'> {
	cursor: PollCursor;
}

/**
 * The life of a poll: what is known of the list is looked up or found out, the list is read from
 * the place of the last poll on, what was not returned yet is chosen, and the new place is noted.
 *
 * @param stored the cursor of the last poll; nothing of it is changed
 * @throws ServiceFailure if something could not be read; then the last cursor holds
 */
export async function poll(
	source: ListSource,
	settings: PollSettings,
	stored: PollCursor | undefined,
): Promise<PollOutcome> {
	const isSame = stored?.service === source.service;
	const clock = new ServiceTime(isSame ? stored.clock : undefined);
	const list = new PolledList(source, clock);
	const known = isSame ? stored.list : undefined;
	const opened = known === undefined ? await openList(list, clock, settings) : undefined;
	const isNew = stored === undefined || known === undefined;
	if (opened?.reads === 'comparison' && stored === undefined) requireNoStart(settings, opened);
	const cursor: PollCursor = {
		...(isNew ? startCursor(source, settings, clock, stored) : stored),
		polledAt: Math.max(source.now(), (stored?.polledAt ?? -Infinity) + 1),
	};
	const found = known ?? (opened && (await learnList(list, opened, settings)));
	if (found === undefined) {
		const kept = { ...cursor, clock: clock.toMemory() };
		return { records: [], cursor: kept, notes: [] };
	}

	const wasEmpty = isSame && known === undefined;
	const contents = new Contents(found, settings.ignoreFields);
	const stoppedFor = stored && source.now() - (stored.polledAt ?? -Infinity);
	const current: CurrentPoll = {
		list,
		settings,
		clock,
		contents,
		notes: [],
		cursor: { ...cursor, list: found },
		stoppedFor,
	};
	const outcome =
		found.reads === 'comparison'
			? await pollByComparison(current, wasEmpty)
			: await pollForChanges(
					current,
					opened ? beginningOf(stored, settings, wasEmpty) : cursor.changes?.beginsAt,
					opened,
				);
	const notes = [...new Set([...current.notes, ...outcome.notes, ...contents.notes])];
	return {
		records: outcome.records,
		cursor: {
			...current.cursor,
			...outcome.moved,
			clock: clock.toMemory(),
			told: [...new Set([...cursor.told, ...notes])],
		},
		// What was told before is not told again.
		notes: notes.filter((note) => !cursor.told.includes(note)),
		interruptedBy: outcome.interruptedBy,
	};
}

/** @throws ServiceFailure that names the options: the past of a compared list is not known */
function requireNoStart({ startDate }: PollSettings, { fields }: OpenedList): void {
	if (startDate === undefined) return;
	const [option, time] =
		fields.createdAt === '' ? ['Created At Path', 'created'] : ['Updated At Path', 'changed last'];
	throw new ServiceFailure(
		`Start Date needs the time a user was ${time}, which no user shows, so ${option} must be set.`,
		`Set ${option} in the options, or choose Now for Start From.`,
		{ kind: 'configuration' },
	);
}

/**
 * The cursor of a first poll, or of one at another tenant, with another client or read another way.
 * There the trigger goes on from the same time, reaching back so far that a difference between the
 * clocks hides nothing.
 */
function startCursor(
	{ service }: ListSource,
	{ startDate, overlap }: PollSettings,
	clock: ServiceTime,
	stored: PollCursor | undefined,
): PollCursor {
	const margin = { time: clock.reached - overlap - FILTER_SLACK, key: '' };
	if (stored === undefined) {
		const since = startDate === undefined ? margin : { time: startDate, key: '' };
		return { version: 1, since, service, told: [] };
	}
	const since = earlierOf(stored.since, margin);
	const { waitingFrom, remembered = '' } = stored.changes ?? {};
	const changes = {
		remembered,
		unproved: [],
		// Who was there before other settings were published is not new, even within the overlap.
		createdBefore: Math.max(
			knownUntil(stored),
			stored.service === service ? -Infinity : clock.mayHaveReached,
		),
		...(waitingFrom !== undefined && { waitingFrom }),
	};
	return { version: 1, since, service, changes, told: [] };
}

/** What is kept of a list that was just opened. */
async function learnList(
	list: PolledList,
	opened: OpenedList,
	settings: PollSettings,
): Promise<KnownList> {
	const { fields, reads, records } = opened;
	const slack = slackFor(records, fields, settings.triggerOn);
	return { fields, reads, slack, volatile: await findVolatile(list, opened, settings) };
}

/**
 * What was changed before is only remembered: all that a first reading from now on shows, however
 * many polls it takes. To tell what changed while it ran, the clocks would have to be known.
 *
 * @returns milliseconds; undefined if the list was empty at the last poll, so that each record
 *   there is now is new
 */
function beginningOf(
	stored: PollCursor | undefined,
	{ startDate }: PollSettings,
	wasEmpty: boolean,
): number | undefined {
	if (stored === undefined) return startDate ?? AFTER_ALL_THAT_SHOWS;
	return wasEmpty ? undefined : stored.since.time;
}
