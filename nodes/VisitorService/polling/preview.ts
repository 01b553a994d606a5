import { normalizeId } from '../response/identity';
import { DAY } from '../values/instant';
import type { JsonObject } from '../values/json';
import { readUpdatedAt, requireId } from './fields';
import { MAX_PROBE_PAGES } from './filterProbe';
import { type PollSettings, probeList } from './listProbe';
import { type ListSource, mayRejectTime, PolledList } from './polledList';

const MAX_PREVIEW = 10;
const PREVIEW_SPAN_MS = 7 * DAY;
/** The ID in an example of a removed record. No real record has it. */
const EXAMPLE_ID = 'example';

/**
 * At most ten records as the trigger would return them, the newest changes first. If none changed
 * within a week, or the list has no filter for changes, records of the first page or of the sample.
 * For Removed, an example.
 *
 * @throws ServiceFailure as `poll`
 */
export async function previewRecords(
	source: ListSource,
	settings: PollSettings,
): Promise<{ records: JsonObject[]; notes: string[]; readCount: number }> {
	const list = new PolledList(source);
	const found = await probeList(list, settings);
	if (found === undefined) return { records: [], notes: [], readCount: 0 };
	const { fields, reads } = found.profile;
	// Not a real ID: a workflow that is tried out with it may end somebody's access.
	if (settings.triggerOn === 'removed')
		return { records: [{ [fields.id]: EXAMPLE_ID }], notes: [], readCount: 0 };
	const keyOf = (record: JsonObject) => normalizeId(requireId(record, fields.id, source.names));
	const timeOf = (record: JsonObject) => readUpdatedAt(record, fields) ?? 0;
	const inOrder = (some: readonly JsonObject[]) =>
		[...new Map(some.map((record) => [keyOf(record), record])).values()]
			.filter(settings.matches)
			.sort((one, other) => timeOf(other) - timeOf(one))
			.slice(0, MAX_PREVIEW);
	const sinceAt = Math.max(0, list.clock.earliestAt - PREVIEW_SPAN_MS);
	const changed = await list
		.fetchSample(MAX_PROBE_PAGES, settings.pageSize, reads === 'changes' ? sinceAt : undefined)
		.catch((error: unknown) => {
			if (!mayRejectTime(error)) throw error;
			return [];
		});
	const newest = inOrder(changed);
	const records = newest.length > 0 ? newest : inOrder(found.records);
	const readCount = new Set([...changed, ...found.records].map(keyOf)).size;
	return { records, notes: found.notes, readCount };
}
