import { DAY } from '../values/instant';
import type { JsonObject } from '../values/json';
import type { PollSettings } from './currentPoll';
import { readUpdate, requireId } from './fields';
import { openList } from './open';
import { FILTER_IGNORED } from './pollForChanges';
import { type ListSource, PolledList } from './reading';
import { ServiceTime } from './serviceTime';

const MAX_SHOWN = 10;
const MAX_NEWEST_PAGES = 10;
const SPANS = [DAY, 30 * DAY];

/**
 * The records changed last, for a look at what the trigger returns: newest first, ten at most. If
 * none changed for thirty days, or the list cannot be asked for changes, those of the first page.
 *
 * @throws ServiceFailure as `poll`
 */
export async function newestRecords(
	source: ListSource,
	settings: PollSettings,
): Promise<{ records: JsonObject[]; notes: string[] }> {
	const clock = new ServiceTime(undefined);
	const list = new PolledList(source, clock);
	const opened = await openList(list, clock, settings);
	if (opened === undefined) return { records: [], notes: [] };
	const { fields, records, reads } = opened;
	if (settings.triggerOn === 'removed') return { records: shownAsRemoved(records), notes: [] };
	const notes = reads === 'allIgnored' ? [FILTER_IGNORED] : [];
	const newest = new Map<string, { time: number; record: JsonObject }>();
	const take = (record: JsonObject) => {
		const id = requireId(record, fields.id, source.names);
		newest.set(JSON.stringify(id), { time: readUpdate(record, fields)?.latest ?? 0, record });
	};

	// A list that is not asked for changes would return the same pages each time.
	for (const span of reads === 'changes' ? SPANS : []) {
		await list.upTo(MAX_NEWEST_PAGES).read(
			{ page: 0, pageSize: settings.pageSize },
			(page) => {
				page.forEach(take);
				return 'goOn';
			},
			Math.max(0, clock.startedAt - span),
		);
		if (newest.size > 0) return { records: inOrder(), notes };
	}
	records.forEach(take);
	return { records: inOrder(), notes };

	function inOrder(): JsonObject[] {
		return [...newest.values()]
			.sort((one, other) => other.time - one.time)
			.slice(0, MAX_SHOWN)
			.map(({ record }) => record);
	}

	/** So that the next nodes can be set up with what an item will hold. */
	function shownAsRemoved(present: JsonObject[]): JsonObject[] {
		return present
			.slice(0, MAX_SHOWN)
			.map((record) => ({ [fields.id]: requireId(record, fields.id, source.names) }));
	}
}
