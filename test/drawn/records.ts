import type { JsonObject } from '../reference-service';

/** What tells the records of a list apart, or seems to. */
const RECORD_KINDS = {
	/** An ID that is one. */
	id: (place: number): JsonObject => ({ id: `user-${place}`, name: `User ${place}` }),
	/** Nothing but an ID. */
	onlyId: (place: number): JsonObject => ({ id: place + 1 }),
	/** No ID. */
	name: (place: number): JsonObject => ({ name: `User ${place}`, floor: place % 4 }),
	/** No ID, and equal records. */
	floor: (place: number): JsonObject => ({ floor: `Floor ${place % 3}` }),
	/** A field called ID that is that of a group. */
	groupId: (place: number): JsonObject => ({
		id: `group-${Math.floor(place / 3)}`,
		name: `User ${place}`,
		badge: `badge-${place}`,
	}),
	/** A field called ID that repeats on later pages only, mostly. */
	lateId: (place: number): JsonObject => ({
		id: `card-${place % 17}`,
		name: `User ${place}`,
		badge: `badge-${place}`,
	}),
	/** A field that is often an ID, and is that of a card here. */
	doubtfulId: (place: number): JsonObject => ({ uid: `card-${place % 7}`, name: `User ${place}` }),
} as const;

export type RecordKind = keyof typeof RECORD_KINDS;

export const recordKinds = Object.keys(RECORD_KINDS) as RecordKind[];

export function recordsOf(kind: RecordKind, count: number): JsonObject[] {
	return Array.from({ length: count }, (_, place) => RECORD_KINDS[kind](place));
}

/** The field that a service signs anew in each answer. */
const SIGNED = 'photo';

const contentOf = (record: JsonObject) => JSON.stringify({ ...record, [SIGNED]: undefined });

/** What records hold, without what differs in each answer. */
export const contentsOf = (records: readonly JsonObject[]): string[] => records.map(contentOf);
