import { ServiceFailure } from '../failure/serviceFailure';
import type { JsonObject } from '../values/json';
import { firstReadingAt, type PollingBeginning } from './beginning';
import { ChangeFinder, type ChangesMemory } from './changes';
import { ListComparison } from './comparison';
import { Contents } from './contents';
import type { KnownList, PollCursor } from './cursor';
import { readStanding } from './fields';
import { FILTER_SLACK, slackFor } from './filterSlack';
import { explainAgain, MAX_UNPROVED, proveFilter } from './filterTrial';
import { type explainUndated, findVolatile, type OpenedList, openList } from './open';
import { afterNewest, movePlace } from './place';
import { answeredLater, type PollReading, type PollSettings, readOn, settle } from './pollReading';
import { failureOfPage, type ListSource, PolledList, type TakePage } from './reading';
import { ServiceTime } from './serviceTime';
import { earlierOf, type Position } from './versions';

export interface PollOutcome {
	/** Oldest change first. */
	records: JsonObject[];
	cursor: PollCursor;
	/** What the user should know, one sentence on what and one on what to do. */
	notes: string[];
	/** Why a page could not be read, from which the next poll goes on. */
	interruptedBy?: ServiceFailure;
}

export const FILTER_IGNORED =
	'The service ignores "updatedSince", so each poll reads the whole list of users and picks the changed ones. Ask your service provider, or try another Updated Since Format.';

const FILTER_INCOMPLETE =
	'The service leaves users that were never updated out of what it finds by "updatedSince", so each poll reads the whole list. Ask your service provider to give them an update time.';

const UNDATED_FOUND =
	'Asked for recent changes, the service also sends users whose update time is older, because something else of them was changed, and they start the workflow too. If they should not, ask your service provider for the time it filters by, and set Updated At Path to it.';

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
	const contents = new Contents(found);
	if (opened !== undefined) contents.show({ records: opened.records, asked: undefined });
	const stoppedFor = stored && source.now() - (stored.polledAt ?? -Infinity);
	const reading: PollReading = {
		list,
		settings,
		clock,
		contents,
		notes: [],
		cursor: { ...cursor, list: found },
		stoppedFor,
	};
	const {
		records,
		notes: told,
		interruptedBy,
		moved,
	} = found.reads === 'comparison'
		? await pollByComparison(reading, wasEmpty)
		: await findChanges(
				reading,
				opened ? beginningOf(stored, settings, opened, clock, wasEmpty) : cursor.changes?.beginning,
				opened,
			);
	const notes = [...new Set([...reading.notes, ...told, ...contents.notes])];
	return {
		records,
		cursor: {
			...reading.cursor,
			...moved,
			clock: clock.toMemory(),
			told: [...new Set([...cursor.told, ...notes])],
		},
		// What was told before is not told again.
		notes: notes.filter((note) => !cursor.told.includes(note)),
		interruptedBy,
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
			stored.service === service ? -Infinity : clock.shownUntil,
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

interface ReadingOutcome extends Pick<PollOutcome, 'records' | 'notes' | 'interruptedBy'> {
	/** The parts of the cursor that differ now. */
	moved: Partial<PollCursor>;
}

/** Of a list that is asked for changes, or read as a whole and looked through for them. */
async function findChanges(
	reading: PollReading,
	beginning: PollingBeginning | undefined,
	opened: OpenedList | undefined,
): Promise<ReadingOutcome> {
	const { list, settings, clock, contents, cursor } = reading;
	const { list: known, since } = cursor;
	const { names } = list.source;
	const memory: ChangesMemory = cursor.changes ?? { remembered: '', unproved: [] };
	const now = clock.expectedAt(list.source.now());
	const isUnproved = now - (known.filterProvedAt ?? now) >= MAX_UNPROVED;
	const readsMissed = known.reads !== 'changes' || isUnproved;
	// If the clock that stamps changes was set back, no filter finds them after the place. A reading
	// under way goes on as it began.
	const place =
		readsMissed && memory.unfinished === undefined ? afterNewest(since, memory.newestMet) : since;
	const finder = new ChangeFinder({
		...settings,
		...known,
		since: place,
		placeBefore: memory.unfinished?.placeBefore ?? since,
		memory: place === since ? memory : { ...memory, createdBefore: metUntil(memory) },
		clock,
		contents,
		names,
		isFiltered: known.reads === 'changes',
		beginning,
	});
	const asked = known.reads === 'allIncomplete' ? undefined : finder.asked;
	let explanation: ReturnType<typeof explainUndated> | undefined;
	const take: TakePage = (records, query) => {
		finder.take(records, query);
		if (!finder.farTooOld) return 'goOn';
		explanation ??= answeredLater(explainAgain(reading));
		// Whatever the reason, the list is read anew.
		return known.findsUndated === true ? 'goOn' : 'stop';
	};
	const end = await readOn(reading, memory.unfinished, take, asked);
	const { reads = known.reads, findsUndated = known.findsUndated } = (await explanation) ?? {};
	// What is older than asked for was returned before if the filter is ignored, and is new if it
	// finds more than the times show: it counts only now that this is known.
	if (reads !== known.reads || findsUndated !== known.findsUndated) {
		if (findsUndated) contents.forgetMarks();
		const explained = { ...cursor, list: { ...known, reads, findsUndated } };
		return await findChanges({ ...reading, cursor: explained }, beginning, opened);
	}
	await settle(reading, finder.fields, end, asked);
	const { records, notes, since: reached, memory: kept } = finder.finish(end);
	if (reads === 'allIgnored') notes.push(FILTER_IGNORED);
	if (reads === 'allIncomplete') notes.push(FILTER_INCOMPLETE);
	if (reads === 'changes' && known.findsUndated) notes.push(UNDATED_FOUND);
	const filterProvedAt =
		reads === 'changes'
			? await proveFilter(reading, opened, isUnproved, finder.metChange)
			: undefined;
	return {
		records,
		notes,
		interruptedBy: failureOfPage(end),
		moved: {
			since: reached,
			changes: kept,
			list: {
				...known,
				...contents.toMemory(),
				fields: finder.fields,
				...(filterProvedAt !== undefined && { filterProvedAt }),
			},
		},
	};
}

/** Who was created later than anybody who was met is new. */
function metUntil({ createdBefore = -Infinity, newestMet = -Infinity }: ChangesMemory): number {
	return Math.max(createdBefore, newestMet + 1);
}

/** Who was created before is not new, even if the place is put back. */
function knownUntil({ changes, since }: PollCursor): number {
	return Math.max(since.time, changes === undefined ? -Infinity : metUntil(changes));
}

/** What a poll only remembers that has just opened its list. */
function beginningOf(
	stored: PollCursor | undefined,
	{ startDate, triggerOn }: PollSettings,
	{ fields, records }: OpenedList,
	clock: ServiceTime,
	wasEmpty: boolean,
): PollingBeginning | undefined {
	if (stored === undefined && startDate === undefined) {
		const times = records.map(
			(record) => readStanding(record, fields, triggerOn)?.earliest ?? -Infinity,
		);
		const newest = Math.max(0, ...times.filter((time) => !clock.isMistake(time)));
		return firstReadingAt(clock, newest);
	}
	// If the list was empty at the last poll, each record there is now is new.
	if (wasEmpty) return undefined;
	return { kind: 'startDate', date: stored?.since.time ?? startDate ?? 0 };
}

/** Of a list that is compared with what it held before. */
async function pollByComparison(reading: PollReading, wasEmpty: boolean): Promise<ReadingOutcome> {
	const { list, settings, clock, contents, cursor } = reading;
	const { list: known } = cursor;
	const memory = cursor.comparison ?? {
		// Whatever came to an empty list came after the trigger began.
		startedAt: wasEmpty ? cursor.since.time : clock.startedAt,
		records: '',
		hasBeenRead: wasEmpty,
		hasMoved: false,
		unproved: [],
	};
	const { names } = list.source;
	const comparison = new ListComparison({ ...settings, ...known, memory, clock, contents, names });
	const take: TakePage = (records, query) => {
		comparison.take(records, query);
		return 'goOn';
	};
	const end = await readOn(reading, memory.unfinished, take, undefined);
	await settle(reading, known.fields, end, undefined);
	const { records, notes, memory: kept, reading: complete } = comparison.finish(end);
	const place = { since: cursor.since, unproved: memory.unproved, digest: memory.records };
	const { since, unproved } = movePlace(place, complete, clock, settings.overlap);
	return {
		records,
		notes,
		interruptedBy: failureOfPage(end),
		moved: {
			...(since !== cursor.since && placeOfComparison(cursor, since)),
			comparison: { ...kept, unproved },
			list: { ...known, ...contents.toMemory() },
		},
	};
}

/**
 * The place if the list will be asked for changes one day, because other settings are published. A
 * place of the beginning would return all of the time since.
 */
function placeOfComparison(
	before: PollCursor,
	since: Position,
): Pick<PollCursor, 'since' | 'changes'> {
	const changes = { remembered: '', unproved: [], createdBefore: knownUntil(before) };
	return { since, changes };
}
