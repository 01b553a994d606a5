import { fieldsSeen } from '../answer/fieldNames';
import { findIdentity, type Id, readIdentity } from '../answer/identity';
import {
	findCreationTimes,
	findUnsetUpdateTimes,
	findUpdateTimes,
	isUnsetTime,
} from '../answer/updateTimes';
import { ServiceFailure } from '../failure/serviceFailure';
import { type JsonObject, readDotPath } from '../values/json';
import { timeUnitOf } from './timeUnit';
import { type Moment, readMoment } from './versions';

/** Dot paths of what tells versions apart. */
export interface RecordFields {
	id: string;
	/** Empty if the records have none. */
	updatedAt: string;
	/** Empty if the records have none. */
	createdAt: string;
	/** As `timeUnitOf`: missing until a time shows. */
	unit?: number;
}

/** What the sentences of errors call the records. */
export interface RecordNames {
	/** For example `user`. */
	name: string;
	/** For example `users`. */
	plural: string;
}

/**
 * Finds the ID and the times of records.
 *
 * @param records at least one
 * @param set dot paths set by the user; an empty one is detected
 * @throws ServiceFailure that names the option, if the ID or a field that was set is not there
 */
export function findRecordFields(
	records: readonly JsonObject[],
	set: RecordFields,
	names: RecordNames,
): RecordFields {
	const id = set.id === '' ? findIdentity(records, names.name)?.field : set.id;
	if (id === undefined || records.some((record) => readIdentity(record, id) === undefined)) {
		throw missingId(id, records, names);
	}
	const { name } = names;
	const createdAt = set.createdAt === '' ? findCreationTimes(records, name)?.path : set.createdAt;
	const updatedAt = set.updatedAt === '' ? findUpdatePath(records, createdAt, name) : set.updatedAt;
	for (const [path, label] of [
		[set.updatedAt, 'updatedAt'],
		[set.createdAt, 'createdAt'],
	] as const) {
		const isThere = (record: JsonObject) => {
			const value = readDotPath(record, path);
			return value !== undefined && (isUnsetTime(value) || readMoment(record, path) !== undefined);
		};
		if (path !== '' && !records.some(isThere)) throw missingTime(path, records, names, label);
	}
	const paths = { updatedAt: updatedAt ?? '', createdAt: createdAt ?? '' };
	const unit = timeUnitOf(records, paths);
	return { id, ...paths, ...(unit !== undefined && { unit }) };
}

/** In a new account no record was changed yet, and all are dated by their creation. */
function findUpdatePath(
	records: readonly JsonObject[],
	createdAt: string | undefined,
	name: string,
): string | undefined {
	const found = findUpdateTimes(records, name)?.path;
	if (found !== undefined || createdAt === undefined) return found;
	return findUnsetUpdateTimes(records, name);
}

/** @throws ServiceFailure that names the option, if the record has no ID */
export function requireId(record: JsonObject, path: string, names: RecordNames): Id {
	const id = readIdentity(record, path);
	if (id === undefined) throw missingId(path, [record], names);
	return id;
}

/**
 * The first page may have shown no time, or no creation time, and later ones records that have
 * nothing else.
 */
export function completeFields(
	fields: RecordFields,
	records: readonly JsonObject[],
	{ name }: RecordNames,
): RecordFields {
	const isDated = (record: JsonObject) => readUpdate(record, fields) !== undefined;
	const isComplete = fields.createdAt !== '' || records.every(isDated);
	const createdAt = isComplete ? fields.createdAt : findCreationTimes(records, name)?.path;
	const found = { ...fields, createdAt: createdAt ?? '' };
	const unit = fields.unit ?? timeUnitOf(records, found);
	return { ...found, ...(unit !== undefined && { unit }) };
}

/** When a record was changed last, or created, if it was never changed. */
export function readUpdate(record: JsonObject, fields: RecordFields): Moment | undefined {
	const { updatedAt, createdAt, unit } = fields;
	const updated = updatedAt === '' ? undefined : readMoment(record, updatedAt, unit);
	if (updated !== undefined) return updated;
	// Some services leave the update time empty until the first update.
	if (createdAt === '' || !isUnsetTime(readDotPath(record, updatedAt))) return undefined;
	const created = readMoment(record, createdAt, unit);
	if (created === undefined) return undefined;
	// Not the same as an update at that time, and another one if the record is removed and created
	// again. A change that leaves the update time empty shows by what the record holds.
	return { ...created, state: { created: created.state }, tick: Math.max(1, created.tick) };
}

/**
 * The message names the option as well: it is all n8n shows if a workflow cannot be published
 * (2.41.1).
 */
function missingId(
	path: string | undefined,
	records: readonly JsonObject[],
	{ name, plural }: RecordNames,
): ServiceFailure {
	return new ServiceFailure(
		path === undefined
			? `Could not tell which field is the ID of the ${plural}, so ID Path must be set. ${fieldsSeen(records[0])}`
			: `A ${name} has no ID at "${path}". ${fieldsSeen(records[0])}`,
		`Set ID Path in the options to the dot path of the ID of a ${name}.`,
		{ kind: 'configuration' },
	);
}

export function missingTime(
	path: string,
	records: readonly JsonObject[],
	{ name, plural }: RecordNames,
	label: 'updatedAt' | 'createdAt' = 'updatedAt',
): ServiceFailure {
	const option = label === 'updatedAt' ? 'Updated At Path' : 'Created At Path';
	return new ServiceFailure(
		path === ''
			? `Could not tell when the ${plural} were changed last, so ${option} must be set. ${fieldsSeen(records[0])}`
			: `The ${plural} have no time that can be read at "${path}", so ${option} must be set. ${fieldsSeen(records[0])}`,
		`Set ${option} in the options to the dot path of the time a ${name} was ${label === 'updatedAt' ? 'changed last' : 'created'}.`,
		{ kind: 'configuration' },
	);
}
