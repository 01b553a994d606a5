import { findUpdateTimes, isUnsetTime } from '../diagnosis/updateTimes';
import { readDotPath } from '../json/dotPath';
import { isRecord } from '../json/isRecord';
import type { JsonObject } from '../listing/findRecords';
import { findIdentity, readIdentity } from '../listing/recordIdentity';
import { LISTED_RESOURCES } from '../listing/resources';
import { ServiceFailure } from '../transport/serviceFailure';
import { type ChangeTime, readChangeTime } from './changeTime';
import { type UserVersion, versionKey } from './userVersion';

/** Dot paths of what a version is told by. */
export interface UserFields {
	id: string;
	updatedAt: string;
}

const CREATION_NAME =
	/^(date|time)?(created?|creation|registered|added)(at|on|date|time|timestamp)*(utc)?$/;

/**
 * Finds the ID and the update time of users.
 *
 * @param records at least one
 * @param set dot paths set by the user; empty = detect
 * @throws ServiceFailure that names the option, where one of them is not to be found
 */
export function findUserFields(records: readonly JsonObject[], set: UserFields): UserFields {
	const id = set.id === '' ? findIdentity(records, LISTED_RESOURCES.user.name)?.field : set.id;
	if (id === undefined || records.some((record) => readId(record, id) === undefined)) {
		throw missingId(id, records);
	}
	const updatedAt = set.updatedAt === '' ? findUpdateTimes(records)?.path : set.updatedAt;
	if (
		updatedAt === undefined ||
		records.every((record) => readTime(record, updatedAt) === undefined)
	) {
		throw missingTime(updatedAt, records);
	}
	return { id, updatedAt };
}

/** @throws ServiceFailure that names the option, where the record has no ID or neither update nor creation time */
export function readVersion(record: JsonObject, fields: UserFields): UserVersion {
	const id = readId(record, fields.id);
	if (id === undefined) throw missingId(fields.id, [record]);
	const updatedAt = readDotPath(record, fields.updatedAt) ?? null;
	// Some services leave the update time empty until the first update.
	const created = isUnsetTime(updatedAt) ? readCreationTime(record, fields.updatedAt) : undefined;
	const time = created ?? readChangeTime(updatedAt);
	if (time === undefined) throw missingTime(fields.updatedAt, [record]);
	return { key: versionKey(id, updatedAt), time: time.latest, earliest: time.earliest, record };
}

function readId(record: JsonObject, path: string): string | number | undefined {
	return readIdentity({ id: readDotPath(record, path) }, 'id');
}

function readTime(record: JsonObject, path: string): ChangeTime | undefined {
	return readChangeTime(readDotPath(record, path));
}

/** From the object that holds the update time, or from the record itself. */
function readCreationTime(record: JsonObject, updatedAt: string): ChangeTime | undefined {
	const parent = readDotPath(record, updatedAt.split('.').slice(0, -1).join('.'));
	for (const holder of [parent, record]) {
		if (!isRecord(holder)) continue;
		for (const [name, value] of Object.entries(holder)) {
			if (!CREATION_NAME.test(name.replace(/[-_\s]/g, '').toLowerCase())) continue;
			const time = readChangeTime(value);
			if (time !== undefined) return time;
		}
	}
	return undefined;
}

/** The message names the option as well: it is all n8n shows where a workflow cannot be published (2.41.1). */
function missingId(path: string | undefined, records: readonly JsonObject[]): ServiceFailure {
	return new ServiceFailure(
		path === undefined
			? `No field of the users is known to be their ID, so ID Path has to be set. ${fieldsSeen(records)}`
			: `A user has no ID at "${path}". ${fieldsSeen(records)}`,
		'Set ID Path (idPath) in the options to the dot path of the field that identifies a user.',
		{ kind: 'configuration' },
	);
}

function missingTime(path: string | undefined, records: readonly JsonObject[]): ServiceFailure {
	return new ServiceFailure(
		path === undefined
			? `No field of the users is known to be their update time, so Updated At Path has to be set. ${fieldsSeen(records)}`
			: `A user has no update time that can be read at "${path}". ${fieldsSeen(records)}`,
		'Set Updated At Path (updatedAtPath) in the options to the dot path of the time a user was changed last.',
		{ kind: 'configuration' },
	);
}

function fieldsSeen(records: readonly JsonObject[]): string {
	const names = Object.keys(records[0] ?? {})
		.slice(0, 15)
		.map((name) => (name.length > 40 ? `${name.slice(0, 40)}…` : name));
	return names.length === 0 ? 'It has no fields.' : `Fields seen: ${names.join(', ')}.`;
}
