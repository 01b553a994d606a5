import type { ServiceFailure } from '../failure/serviceFailure';
import type { JsonObject } from '../values/json';
import type { Contents } from './contents';
import type { KnownList, PollCursor } from './cursor';
import type { RecordFields } from './fields';
import { kindOfTime, type ListRules, requireUpdateTime } from './open';
import type { NextPage } from './pagesRead';
import type { PolledList, ReadingEnd, TakePage } from './reading';
import type { ServiceTime } from './serviceTime';

export interface PollSettings extends ListRules {
	/** Milliseconds since 1970; undefined = now. */
	startDate?: number;
	/** Milliseconds a change may take until it shows in the list. */
	overlap: number;
	/** Max number of records of one poll. */
	maxItems: number;
	/** Dot paths of fields that do not count as a change; none if it is missing. */
	ignoreFields?: readonly string[];
	maxRemembered?: number;
	maxCompared?: number;
}

/** What a poll reads its list with. */
export interface CurrentPoll {
	list: PolledList;
	settings: PollSettings;
	clock: ServiceTime;
	contents: Contents;
	/** What the user should know. */
	notes: string[];
	cursor: PollCursor & { list: KnownList };
	/** Milliseconds of our time since the last poll that was stored; undefined at the first one. */
	stoppedFor: number | undefined;
}

export interface ReadingOutcome {
	/** Oldest change first. */
	records: JsonObject[];
	/** What the user should know. */
	notes: string[];
	/** Why a page could not be read, from which the next poll goes on. */
	interruptedBy?: ServiceFailure;
	/** The parts of the cursor that differ now. */
	moved: Partial<PollCursor>;
}

/**
 * What is asked while the list is read: at the end, with no time left for an answer, a failure
 * would undo the reading, and the next one likewise.
 */
export function answeredLater<T>(answer: Promise<T>): Promise<T> {
	answer.catch(() => undefined);
	return answer;
}

/**
 * Reads from where the last poll had to stop.
 *
 * @throws ServiceFailure if no record has the update time any more, but another one in its place,
 *   or none that can be read
 */
export async function readOn(
	{ list, settings, cursor, notes }: CurrentPoll,
	unfinished: NextPage | undefined,
	take: TakePage,
	asked: number | undefined,
): Promise<ReadingEnd> {
	const { pageSize, triggerOn } = settings;
	const { fields } = cursor.list;
	const from = unfinished ?? { page: 0, pageSize };
	const isNeeded = fields.updatedAt !== '' && triggerOn !== 'created' && triggerOn !== 'removed';
	const kinds = new Set<ReturnType<typeof kindOfTime>>();
	const isDoubtful = () =>
		!kinds.has('readable') &&
		(kinds.has('unreadable') || (kinds.has('missing') && !kinds.has('unset')));
	let answer: ReturnType<typeof requireUpdateTime> | undefined;
	const end = await list.read(
		from,
		(records, query) => {
			if (take(records, query) === 'stop') return 'stop';
			if (!isNeeded || kinds.has('readable')) return 'goOn';
			for (const record of records) kinds.add(kindOfTime(record, fields));
			if (isDoubtful()) answer ??= answeredLater(requireUpdateTime(list, fields, pageSize));
			return 'goOn';
		},
		asked,
		fields.id,
	);
	const note = isDoubtful() ? await answer : undefined;
	if (note !== undefined) notes.push(note);
	return end;
}

/** Finds out, before it is chosen what is returned, whether records differ without a change. */
export async function settle(
	{ list, settings: { triggerOn }, contents }: CurrentPoll,
	fields: RecordFields,
	asked: number | undefined,
): Promise<void> {
	if (triggerOn === 'created' || triggerOn === 'removed') return;
	await contents.settle(list, fields, asked);
}
