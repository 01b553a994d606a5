import { createHash } from 'node:crypto';

import { isRecord } from '../json/isRecord';
import type { JsonObject } from '../listing/findRecords';

/** A place in the order of all versions: by time, and by key where times are equal. */
export interface Position {
	/** Milliseconds since 1970, service time. */
	time: number;
	key: string;
}

/** One state of one user. */
export interface UserVersion extends Position {
	/** `time` is the latest moment of the change; this is the earliest, where the service leaves its zone out. */
	earliest: number;
	record: JsonObject;
}

/** 72 bits: among the 50,000 remembered no other version is taken for a known one. */
const KEY_LENGTH = 12;
/** 48 bits: compared for one user and one time only. */
const CONTENT_LENGTH = 8;

export function comparePositions(one: Position, other: Position): number {
	if (one.time !== other.time) return one.time - other.time;
	return one.key === other.key ? 0 : one.key < other.key ? -1 : 1;
}

export function earlierOf(one: Position, other: Position | undefined): Position {
	return other === undefined || comparePositions(one, other) <= 0 ? one : other;
}

/** @param updatedAt the update time as the service writes it */
export function versionKey(id: string | number, updatedAt: unknown): string {
	return digest(JSON.stringify([id, updatedAt]), KEY_LENGTH);
}

/** Equal for records with equal contents, in whatever order their fields come. */
export function contentDigest(record: JsonObject): string {
	return digest(JSON.stringify(record, sortFields), CONTENT_LENGTH);
}

function sortFields(_field: string, value: unknown): unknown {
	if (!isRecord(value)) return value;
	return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function digest(text: string, length: number): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, length);
}
