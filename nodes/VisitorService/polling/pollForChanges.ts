import { ChangeFinder, type ChangesMemory } from './changes';
import {
	answeredLater,
	type CurrentPoll,
	type ReadingOutcome,
	readOn,
	settle,
} from './currentPoll';
import { type KnownList, metUntil } from './cursor';
import { explainAgain, isFilterUnproved, proveFilter } from './filterTrial';
import type { explainUndated, OpenedList } from './open';
import { afterNewest } from './place';
import { failureOfPage, type ReadingEnd, type TakePage } from './reading';

export const FILTER_IGNORED =
	'The service ignores "updatedSince", so each poll reads the whole list of users and picks the changed ones. Ask your service provider, or try another Updated Since Format.';

const FILTER_INCOMPLETE =
	'The service leaves users that were never updated out of what it finds by "updatedSince", so each poll reads the whole list. Ask your service provider to give them an update time.';

const UNDATED_FOUND =
	'Asked for recent changes, the service also sends users whose update time is older, because something else of them was changed, and they start the workflow too. If they should not, ask your service provider for the time it filters by, and set Updated At Path to it.';

/** Of a list that is asked for changes, or read as a whole and looked through for them. */
export async function pollForChanges(
	current: CurrentPoll,
	beginsAt: number | undefined,
	opened: OpenedList | undefined,
): Promise<ReadingOutcome> {
	const { contents, cursor } = current;
	const { list: known } = cursor;
	const isUnproved = isFilterUnproved(current);
	const finder = finderFor(current, beginsAt, isUnproved);
	const asked = known.reads === 'allIncomplete' ? undefined : finder.asked;
	const { end, reads, findsUndated } = await readExplained(current, finder, asked);
	// What is older than asked for was returned before if the filter is ignored, and is new if it
	// finds more than the times show: it counts only now that this is known.
	if (reads !== known.reads || findsUndated !== known.findsUndated) {
		const explained = { ...cursor, list: { ...known, reads, findsUndated } };
		return await pollForChanges({ ...current, cursor: explained }, beginsAt, opened);
	}
	await settle(current, finder.fields, asked);
	const { records, notes, since, memory } = finder.finish(end);
	const filterProvedAt =
		reads === 'changes'
			? await proveFilter(current, opened, isUnproved, finder.metChange)
			: undefined;
	return {
		records,
		notes: [...notes, ...filterNotes(known)],
		interruptedBy: failureOfPage(end),
		moved: {
			since,
			changes: memory,
			list: {
				...known,
				...contents.toMemory(),
				fields: finder.fields,
				...(filterProvedAt !== undefined && { filterProvedAt }),
			},
		},
	};
}

/** Finds what was changed since the place, or, if that may have hidden changes, before it. */
function finderFor(
	{ list, settings, clock, contents, cursor }: CurrentPoll,
	beginsAt: number | undefined,
	isUnproved: boolean,
): ChangeFinder {
	const { list: known, since: place } = cursor;
	const memory: ChangesMemory = cursor.changes ?? { remembered: '', unproved: [] };
	const readsMissed = known.reads !== 'changes' || isUnproved;
	// If the clock that stamps changes was set back, no filter finds them after the place. A reading
	// under way goes on as it began.
	const since =
		readsMissed && memory.unfinished === undefined ? afterNewest(place, memory.newestMet) : place;
	return new ChangeFinder({
		...settings,
		...known,
		since,
		sinceBefore: memory.unfinished?.sinceBefore ?? place,
		memory: since === place ? memory : { ...memory, createdBefore: metUntil(memory) },
		clock,
		contents,
		names: list.source.names,
		isFiltered: known.reads === 'changes',
		beginsAt,
	});
}

type Explained = Pick<KnownList, 'reads' | 'findsUndated'> & { end: ReadingEnd };

/**
 * Reads the list, and finds out how its changes are found if it shows others than were asked for.
 */
async function readExplained(
	current: CurrentPoll,
	finder: ChangeFinder,
	asked: number | undefined,
): Promise<Explained> {
	const { changes, list: known } = current.cursor;
	let explanation: ReturnType<typeof explainUndated> | undefined;
	const take: TakePage = (records, query) => {
		finder.take(records, query);
		if (!finder.farTooOld) return 'goOn';
		explanation ??= answeredLater(explainAgain(current));
		// Whatever the reason, the list is read anew.
		return known.findsUndated === true ? 'goOn' : 'stop';
	};
	const end = await readOn(current, changes?.unfinished, take, asked);
	const { reads, findsUndated } = known;
	return { reads, findsUndated, ...(await explanation), end };
}

/** What the user should know of a filter that does not find what it should, or more than that. */
function filterNotes({ reads, findsUndated }: KnownList): string[] {
	if (reads === 'allIgnored') return [FILTER_IGNORED];
	if (reads === 'allIncomplete') return [FILTER_INCOMPLETE];
	return reads === 'changes' && findsUndated ? [UNDATED_FOUND] : [];
}
