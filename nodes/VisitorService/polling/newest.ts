import { spelledAlike } from '../answer/identity';
import { DAY } from '../values/instant';
import type { JsonObject } from '../values/json';
import { readUpdate, requireId } from './fields';
import { MAX_PROBED, openList, type PollSettings } from './open';
import { type ListSource, PolledList } from './pages';

const MAX_SHOWN = 10;
const SPAN = 7 * DAY;
/** An ID that no record has. */
const EXAMPLE = 'example';

/**
 * The wanted records changed last, for a look at what the trigger returns: newest first, ten at
 * most. If none of them changed within a week, or the list cannot be asked for changes, those of
 * the first page, or of those looked at to open the list. For removals an example.
 *
 * @throws ServiceFailure as `poll`
 */
export async function newestRecords(
	source: ListSource,
	settings: PollSettings,
): Promise<{ records: JsonObject[]; notes: string[] }> {
	const list = new PolledList(source);
	const found = await openList(list, settings);
	if (found === undefined) return { records: [], notes: [] };
	const { fields, reads } = found.opened;
	// What is tried out with the ID of a record that is there may end somebody's access.
	if (settings.triggerOn === 'removed') return { records: [{ [fields.id]: EXAMPLE }], notes: [] };
	const keyOf = (record: JsonObject) => spelledAlike(requireId(record, fields.id, source.names));
	const timeOf = (record: JsonObject) => readUpdate(record, fields) ?? 0;
	const inOrder = (some: readonly JsonObject[]) =>
		[...new Map(some.map((record) => [keyOf(record), record])).values()]
			.filter(settings.holds)
			.sort((one, other) => timeOf(other) - timeOf(one))
			.slice(0, MAX_SHOWN);
	const since = Math.max(0, list.clock.start - SPAN);
	const changed = reads === 'changes' ? await list.some(MAX_PROBED, settings.pageSize, since) : [];
	const newest = inOrder(changed);
	return { records: newest.length > 0 ? newest : inOrder(found.records), notes: found.notes };
}
