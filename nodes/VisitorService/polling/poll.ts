import { findUpdateTimes } from '../answer/updateTimes';
import { ServiceFailure } from '../failure/serviceFailure';
import type { JsonObject } from '../values/json';
import { BEGINS_ANEW, firstCursor, type PollCursor, REMEMBERS_ANEW } from './cursor';
import { Differences, idOf } from './differences';
import { missing, readUpdate, slackOf } from './fields';
import { KnownRecords } from './known';
import { notesOn, type OpenedList, openList, type PollSettings } from './open';
import { type ListSource, PolledList, type ReadingEnd } from './pages';
import { askedSince, findsNothing, movePlace, NEVER } from './place';
import { ANY_ZONE, isOfPresence } from './versions';

export interface PollOutcome {
	/** Oldest change first. */
	records: JsonObject[];
	cursor: PollCursor;
	/** What the user should know, and was not told before. */
	notes: string[];
}

/** A poll of a list that was opened. */
interface OpenPoll {
	list: PolledList;
	settings: PollSettings;
	cursor: PollCursor;
	opened: OpenedList;
	notes: string[];
}

/** Records that are remembered: 20 bytes for each as a rule; of what is removed its ID. */
const MAX_REMEMBERED = 100_000;

/** So many records that differ at once, and no other one, speak of a field that is renewed. */
const MANY = 3;

/** So many readings without a record prove that it is gone: if nothing moved, or if records did. */
const MISSED_IF_STILL = 2;
const MISSED_IF_MOVED = 6;

/** After so many further readings movements cannot have hidden a version each time. */
const MAX_PROVING_READINGS = 2;

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
	const isKnown = stored?.service === source.service && stored.list !== undefined;
	const begun = isKnown
		? { cursor: stored, notes: [], opened: stored.list }
		: await begin(list, settings, stored);
	const { cursor, notes, opened } = begun;
	const outcome = opened
		? await readOn({ list, settings, notes, cursor, opened })
		: { records: [], cursor };
	const { told } = cursor;
	const said = [...(outcome.cursor.list ? notesOn(outcome.cursor.list) : []), ...notes];
	const untold = [...said, ...settings.remarks()].filter((note) => !told.includes(note));
	return { ...outcome, cursor: { ...outcome.cursor, told: [...told, ...untold] }, notes: untold };
}

/** Where a trigger begins at a list that it does not know; without one if that has no records. */
async function begin(
	list: PolledList,
	settings: PollSettings,
	stored: PollCursor | undefined,
): Promise<{ cursor: PollCursor; notes: string[]; opened?: OpenedList }> {
	const { overlap, startDate } = settings;
	const { service } = list.source;
	const { opened } = (await openList(list, settings)) ?? {};
	const first = (start?: number) => firstCursor(service, list.clock, start);
	if (stored === undefined) return { cursor: first(startDate), notes: [], opened };
	if (opened === undefined) return { cursor: stored, notes: [] };
	if (stored.service === service) {
		// If the list was empty at the last poll, each record there is now is new.
		const floor = stored.isBaseline ? 0 : stored.floor;
		return { cursor: { ...stored, floor, isBaseline: false }, notes: [], opened };
	}
	const { isBaseline, known, newest, place, told } = stored;
	// Without times there and here, nothing tells what is of before.
	const isTimeless = stored.list?.reads === 'comparison' && newest === undefined;
	if (opened.reads === 'comparison' || isBaseline || isTimeless)
		return { cursor: first(), notes: isBaseline ? [] : [REMEMBERS_ANEW], opened };
	const notes = stored.service === '' ? [BEGINS_ANEW] : [];
	// It goes on from the same time, so changes of the overlap may come again.
	const floor = Math.max(stored.floor, Math.min(place, newest?.time ?? -Infinity) - overlap);
	return { cursor: { ...first(), place, floor, known, told, isBaseline }, notes, opened };
}

/** Reads the list from where the last poll had to stop, and moves the place. */
async function readOn(poll: OpenPoll): Promise<Pick<PollOutcome, 'cursor' | 'records'>> {
	const { cursor, list, notes, opened, settings } = poll;
	const { fields, reads, volatile } = opened;
	const { overlap, pageSize } = settings;
	const isCompared = reads === 'comparison';
	// A service may come to read `updatedSince` in another way, and then find nothing for ever.
	const isDoubtful = reads === 'changes' && findsNothing(cursor, list.source.now());
	const from = cursor.reading ?? {
		next: { page: 0, pageSize },
		since:
			reads === 'changes'
				? askedSince(cursor, { isDoubtful, overlap, slack: slackOf(fields) })
				: undefined,
		startedAt: Infinity,
		waitingFrom: NEVER,
	};
	const { since } = from;
	const known = new KnownRecords(cursor.known);
	const differences = new Differences({
		...settings,
		...cursor,
		known,
		fields,
		names: list.source.names,
		isCompared,
		now: () => list.clock.shown,
		without: [...volatile, ...settings.ignoreFields],
		sample: opened.sample,
	});
	const take = (records: readonly JsonObject[]) => differences.take(records);
	const end = await list.read(from.next, take, { since, idPath: fields.id });
	const { next } = end;
	notes.push(...remarksOn(differences, poll, since));
	const isUnproved = isDoubtful && differences.met === 0 && next === undefined;
	const isProved = isUnproved || differences.met > 0 || reads !== 'changes';
	const provedAt = isProved ? list.clock.shown : cursor.provedAt;
	const { records, waitingFrom } = differences.choose();
	const reading = {
		startedAt: Math.min(from.startedAt, list.clock.start),
		waitingFrom: Math.min(from.waitingFrom, waitingFrom),
	};
	const isAtOnce = cursor.reading === undefined && end.requests === 1;
	// Between several requests, records may move out of sight.
	const readings = isAtOnce ? 0 : MAX_PROVING_READINGS;
	const place = movePlace({ ...cursor, provedAt }, list.clock, reading, {
		newest: differences.newest,
		now: list.source.now(),
		overlap,
		readings: next ? undefined : readings,
	});
	const gone = next ? [] : endKnown(known, poll, { end, isAtOnce });
	if (!next) known.forget(place.floor, differences.fields.unit, isCompared);
	limit(known, list.source.names.plural);
	const moved = {
		// What was found out of the list is in doubt, but for where its fields are.
		list: isUnproved
			? (await openList(list, { ...settings, paths: fields }))?.opened
			: { ...opened, fields: differences.fields, sample: differences.sample },
		reading: next && { ...reading, since, next },
		isBaseline: cursor.isBaseline && next !== undefined,
		known: known.toText(),
	};
	return { records: [...records, ...gone], cursor: { ...place, ...moved } };
}

/**
 * What the user should know of the times and contents that came.
 *
 * @throws ServiceFailure if the update time has another name by now, or is gone
 */
function remarksOn(
	{ compared, differing, hasField, hasTimeless, oldest, withoutField }: Differences,
	{ list, opened: { fields }, settings }: OpenPoll,
	since: number | undefined,
): string[] {
	const { triggerOn } = settings;
	const { updatedAt } = fields;
	const { names } = list.source;
	const { name, plural } = names;
	const where =
		differing.length > 0 ? ` at ${differing.map((field) => `"${field}"`).join(', ')}` : '';
	const although = updatedAt === '' ? '' : ' although their times are the same';
	const renewed = `All ${plural} differ${where}${although}, so each of them started the workflow. If a field is renewed again and again, such as a signed URL, add it to Ignore Fields.`;
	const notes = compared.same === 0 && compared.differing >= MANY ? [renewed] : [];
	if (isOfPresence(triggerOn) || updatedAt === '') return notes;
	const isMissing = triggerOn !== 'created' && withoutField !== undefined && !hasField;
	if (isMissing && (!readUpdate(withoutField, fields) || findUpdateTimes([withoutField], name)))
		throw missing('updatedAt', updatedAt, [withoutField], names);
	const timeless = `Some ${plural} have no time that can be read, so they are left out. Ask your service provider why.`;
	const gone = `No ${plural} show a time at "${updatedAt}" any more, so updates may be missed. Ask your service provider why, or set Updated At Path to another time.`;
	const older = `The service ignores "updatedSince", or finds users by another time than "${updatedAt}": it also sends users that were changed earlier, which do not start the workflow. Ask your service provider, or set Updated Since Format or Updated At Path.`;
	if (hasTimeless) notes.push(timeless);
	const isWhole = since === undefined || oldest < since - ANY_ZONE;
	if (isMissing && isWhole) notes.push(gone);
	if (since !== undefined && isWhole) notes.push(older);
	return notes;
}

/** @returns what is gone for good, if that is wanted */
function endKnown(
	known: KnownRecords,
	{ list, notes, opened: { fields, reads }, settings }: OpenPoll,
	{ end, isAtOnce }: { end: ReadingEnd; isAtOnce: boolean },
): JsonObject[] {
	const isRemoval = settings.triggerOn === 'removed';
	const { met } = known;
	// Records that came twice, such as those of a list without an order, stand in for others that
	// did not come.
	const isComplete = end.isComplete && (!isRemoval || (end.total ?? 0) <= met);
	const isStill = isAtOnce || !(end.hasMoved || known.hasLost());
	known.endReading(isComplete);
	if (reads === 'comparison' && !isComplete && met > 0) {
		const loss = isRemoval ? 'nothing counts as removed' : 'changes may be missed';
		notes.push(
			`The list of ${list.source.names.plural} could not be read to a sure end, so ${loss}. Run Diagnose to see what the service says of its pages.`,
		);
	}
	if (!isRemoval || !isComplete) return [];
	const gone = known.missedBy(isStill ? MISSED_IF_STILL : MISSED_IF_MOVED);
	return gone.slice(0, settings.maxItems).map(([key, record]) => {
		known.delete(key);
		return { [fields.id]: idOf(key, record) };
	});
}

/** @throws ServiceFailure if more would have to be remembered than n8n should keep */
function limit(known: KnownRecords, plural: string): void {
	if (known.size > MAX_REMEMBERED) for (const [key] of known.missedBy(1)) known.delete(key);
	if (known.size <= MAX_REMEMBERED) return;
	throw new ServiceFailure(
		`The list has more than ${MAX_REMEMBERED} ${plural} to remember, the maximum of this trigger.`,
		`List the ${plural} on a schedule with the Visitor Service node, and keep them in a data table.`,
		{ kind: 'configuration' },
	);
}
