import { ListComparison } from './comparison';
import { type CurrentPoll, type ReadingOutcome, readOn, settle } from './currentPoll';
import { knownUntil, type PollCursor } from './cursor';
import { movePlace } from './place';
import { failureOfPage, type TakePage } from './reading';
import type { ServiceTime } from './serviceTime';
import type { Position } from './versions';

/** Without a `Date` our clock may be ahead by any time, and nobody would count as created since. */
function beganAt({ isSaid, reached, startedAt }: ServiceTime): number {
	return isSaid ? startedAt : reached;
}

/** Of a list that is compared with what it held before. */
export async function pollByComparison(
	current: CurrentPoll,
	wasEmpty: boolean,
): Promise<ReadingOutcome> {
	const { list, settings, clock, contents, cursor } = current;
	const { list: known } = cursor;
	const memory = cursor.comparison ?? {
		// Whatever came to an empty list came after the trigger began.
		startedAt: wasEmpty ? cursor.since.time : beganAt(clock),
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
	const end = await readOn(current, memory.unfinished, take, undefined);
	await settle(current, known.fields, undefined);
	const { records, notes, memory: kept, complete } = comparison.finish(end);
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
