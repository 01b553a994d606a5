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
	type FoundList,
	filterNote,
	type ListRules,
	type OpenedList,
	openList,
	requireNoStart,
} from './open';
import { type ListSource, PolledList, type ReadingEnd, type ServiceClock } from './pages';
import { askedSince, movePlace, NEVER, type Place, placeAtPoll, type ReadingProof } from './place';
import { ANY_ZONE, isOfPresence, timeOf } from './versions';

export interface PollSettings extends ListRules {
	/** Milliseconds a change may take until it shows in the list. */
	overlap: number;
	/** Max number of records of one poll. */
	maxItems: number;
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
	const found = isKnown ? undefined : await openList(list, settings);
	if (found && stored === undefined) requireNoStart(settings, found.opened);
	const opened = isKnown ? stored.list : found?.opened;
	const cursor = isKnown ? stored : beginning(list, settings, stored, found);
	const polledAt = () => Math.max(source.now(), (stored?.polledAt ?? -Infinity) + 1);
	if (opened === undefined)
		return { records: [], cursor: { ...cursor, polledAt: polledAt() }, notes: [] };
	const notes = found?.notes ?? [];
	if (stored && !isKnown && cursor.isBaseline && !stored.isBaseline) notes.push(REMEMBERS_ANEW);
	else if (stored?.service === '') notes.push(BEGINS_ANEW);
	const passed = Math.max(0, source.now() - cursor.polledAt);
	const begun = { ...cursor, ...placeAtPoll(cursor, passed), list: opened };
	const outcome = await new Reading({ list, settings, notes, passed, cursor: begun }).end();
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
class Reading {
	private readonly known: KnownRecords;

	private readonly differences: Differences;

	/** Since when changes are asked for; none for the whole list. */
	private readonly since?: number;

	constructor(private readonly poll: OpenPoll) {
		const { cursor, list, passed, settings } = poll;
		const { fields, reads, volatile } = cursor.list;
		this.known = new KnownRecords(cursor.known);
		this.differences = new Differences({
			...settings,
			...cursor,
			doubted: new Set(cursor.doubted),
			known: this.known,
			fields,
			names: list.source.names,
			isCompared: reads === 'comparison',
			now: cursor.date + passed,
			without: [...volatile, ...settings.ignoreFields],
		});
		const slack = slackOf(fields, settings.triggerOn);
		if (cursor.reading) this.since = cursor.reading.since;
		else if (reads === 'changes')
			this.since = askedSince(cursor, { overlap: settings.overlap, slack });
	}

	/** What is found, and where the next poll goes on. */
	async end(): Promise<Omit<PollOutcome, 'notes'>> {
		const { differences, known, poll, since } = this;
		const { cursor, list, settings } = poll;
		const end = await list.read(
			cursor.reading?.next ?? { page: 0, pageSize: settings.pageSize },
			(records) => differences.take(records),
			{ since, idPath: cursor.list.fields.id },
		);
		this.noteTimes();
		this.noteContents();
		const proved = await this.proveFilter(end);
		const { records, waitingFrom } = differences.choose();
		const reading = this.progress(waitingFrom);
		const proof = end.kind === 'ended' ? this.proofOf(end, reading.hasNews) : undefined;
		const place = this.placeAfter(reading, { provedAt: proved.at, proof });
		const { fields } = differences;
		const moved = { ...cursor, ...place, list: { ...cursor.list, fields, reads: proved.reads } };
		if (end.kind === 'interrupted') {
			const { failure, next } = end;
			const interruptedBy = PAUSES.has(failure.kind) ? undefined : failure;
			this.limit();
			const doubted = [...cursor.doubted, ...differences.doubted];
			const unfinished = { reading: { ...reading, next }, doubted, known: known.toText() };
			return { records, interruptedBy, cursor: { ...moved, ...unfinished } };
		}
		const removed = this.endKnown(end, proof === 'sure');
		known.forget(place.floor, fields, this.isCompared);
		this.limit();
		const doubted = [...differences.doubted];
		const ended = { reading: undefined, isBaseline: false, hasMoved: end.hasMoved, doubted };
		return {
			records: [...records, ...removed],
			cursor: { ...moved, ...ended, known: known.toText() },
		};
	}

	private get isCompared(): boolean {
		return this.poll.cursor.list.reads === 'comparison';
	}

	private progress(waitingFrom: number): Omit<NonNullable<PollCursor['reading']>, 'next'> {
		const { cursor, list } = this.poll;
		const { hasNews = false, startedAt, waitingFrom: waiting = NEVER } = cursor.reading ?? {};
		const { shown, start } = clockOf(list);
		return {
			since: this.since,
			startedAt: Math.min(startedAt ?? start, shown),
			waitingFrom: Math.min(waiting, waitingFrom),
			hasNews: hasNews || this.differences.hasNews,
		};
	}

	private placeAfter(
		{ startedAt, waitingFrom }: Pick<ReadingProof, 'startedAt' | 'waitingFrom'>,
		{ proof, provedAt }: Pick<ReadingProof, 'proof'> & { provedAt: number },
	): Place {
		const { cursor, list, passed, settings } = this.poll;
		const { newest } = this.differences;
		return movePlace(
			{ ...cursor, provedAt },
			clockOf(list),
			{ startedAt, waitingFrom, newest, proof },
			{ overlap: settings.overlap, passed },
		);
	}

	/** How sure it is that a reading that ended missed nothing. */
	private proofOf({ requests }: ReadingEnd, hasNews: boolean): ReadingProof['proof'] {
		const { cursor, settings } = this.poll;
		if (cursor.reading === undefined && requests === 1) return 'sure';
		const from = (this.since ?? -Infinity) + slackOf(cursor.list.fields, settings.triggerOn);
		const isExpected = ({ seen }: { seen: readonly string[] }) =>
			cursor.list.reads !== 'changes' || seen.some((version) => timeOf(version) >= from);
		return hasNews || this.known.hasLost(isExpected) ? 'other' : 'same';
	}

	/** Notes what the user should know of the times that came. @throws ServiceFailure if none did */
	private noteTimes(): void {
		const { cursor, list, notes, settings } = this.poll;
		const { fields, hasField, hasTimeless, oldest, withoutField } = this.differences;
		const { triggerOn } = settings;
		const { updatedAt } = cursor.list.fields;
		const { names } = list.source;
		const { name, plural } = names;
		if (isOfPresence(triggerOn) || updatedAt === '') return;
		const isMissing = triggerOn !== 'created' && withoutField !== undefined && !hasField;
		// The field may have another name by now.
		if (isMissing && (!readUpdate(withoutField, fields) || findUpdateTimes([withoutField], name)))
			throw missingTime(updatedAt, [withoutField], names);
		if (hasTimeless && !this.isCompared)
			notes.push(
				`Some ${plural} have no time that can be read, so they are left out. Ask your service provider why.`,
			);
		if (isMissing && this.since === undefined)
			notes.push(
				`No ${plural} show a time at "${updatedAt}" any more, so updates may be missed. Ask your service provider why, or set Updated At Path to another time.`,
			);
		if (this.since !== undefined && oldest < this.since - ANY_ZONE)
			notes.push(
				`Asked for recent changes, the service also sends users whose time at "${updatedAt}" is older. They do not start the workflow. If they should, set Updated At Path to the time that the service filters by.`,
			);
	}

	/** Some fields are renewed now and then, such as a signed URL. */
	private noteContents(): void {
		const { list, notes } = this.poll;
		const { differing, same } = this.differences.compared;
		if (same > 0 || differing < MANY) return;
		notes.push(
			`All ${list.source.names.plural} differ although their times are the same, so each of them started the workflow. If one of their fields is renewed again and again, such as a signed URL, add it to Ignore Fields.`,
		);
	}

	/**
	 * A service may come to read `updatedSince` in another way, and then find nothing for ever. So
	 * how changes are found is chosen anew if it found nothing for a day.
	 *
	 * @returns how they are found, and since when that is proved
	 * @throws ServiceFailure if it misses what the list shows
	 */
	private async proveFilter({
		kind,
	}: ReadingEnd): Promise<{ at: number; reads: OpenedList['reads'] }> {
		const { cursor, list, notes, settings } = this.poll;
		const { fields, met } = this.differences;
		const { reads } = cursor.list;
		const { shown } = clockOf(list);
		if (met > 0 || reads !== 'changes') return { at: shown, reads };
		if (kind === 'interrupted' || shown - cursor.provedAt < DAY)
			return { at: cursor.provedAt, reads };
		const records = await list.firstPage(settings.pageSize);
		const chosen = await chooseReading(list, { fields, records }, settings);
		notes.push(...filterNote(chosen));
		return { at: shown, reads: chosen };
	}

	/** @returns what is gone for good, if that is wanted */
	private endKnown(end: Extract<ReadingEnd, { kind: 'ended' }>, isSure: boolean): JsonObject[] {
		const { known, poll } = this;
		const { cursor, list, notes, settings } = poll;
		const isRemoval = settings.triggerOn === 'removed';
		const { met } = known;
		// Records that came twice, such as those of a list without an order, stand in for others that
		// did not come.
		const isComplete = end.isComplete && (!isRemoval || (end.total ?? 0) <= met);
		const isStill = isSure || (cursor.hasMoved !== true && !known.hasLost(() => true));
		known.endReading(isComplete);
		if (this.isCompared && !isComplete && met > 0) {
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
	private limit(): void {
		const { isCompared, known, poll } = this;
		const { list, settings } = poll;
		const most = isCompared
			? (settings.maxCompared ?? MAX_COMPARED)
			: (settings.maxRemembered ?? MAX_REMEMBERED);
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
}

function clockOf({ clock = { start: 0, shown: 0, isSaid: false } }: PolledList): ServiceClock {
	return clock;
}
