import type { JsonObject } from '../reference-service';

/** What tells the records of a list apart, or seems to. */
const RECORD_KINDS = {
	/** An ID that is one. */
	id: (index: number): JsonObject => ({ id: `user-${index}`, name: `User ${index}` }),
	/** Nothing but an ID. */
	onlyId: (index: number): JsonObject => ({ id: index + 1 }),
	/** No ID. */
	name: (index: number): JsonObject => ({ name: `User ${index}`, floor: index % 4 }),
	/** No ID, and equal records. */
	floor: (index: number): JsonObject => ({ floor: `Floor ${index % 3}` }),
	/** A field called ID that is that of a group. */
	groupId: (index: number): JsonObject => ({
		id: `group-${Math.floor(index / 3)}`,
		name: `User ${index}`,
		badge: `badge-${index}`,
	}),
	/** A field called ID that repeats on later pages only, mostly. */
	lateId: (index: number): JsonObject => ({
		id: `card-${index % 17}`,
		name: `User ${index}`,
		badge: `badge-${index}`,
	}),
	/** A field that is often an ID, and is that of a card here. */
	uncertainId: (index: number): JsonObject => ({ uid: `card-${index % 7}`, name: `User ${index}` }),
} as const;

export type RecordKind = keyof typeof RECORD_KINDS;

export const recordKinds = Object.keys(RECORD_KINDS) as RecordKind[];

export function recordsOf(kind: RecordKind, count: number): JsonObject[] {
	return Array.from({ length: count }, (_, index) => RECORD_KINDS[kind](index));
}

/** The field that a service signs anew in each response. */
const SIGNED = 'photo';

const contentOf = (record: JsonObject) => JSON.stringify({ ...record, [SIGNED]: undefined });

/** What records hold, without what differs in each response. */
export const contentsOf = (records: readonly JsonObject[]): string[] => records.map(contentOf);
