import { fieldsSeen } from '../answer/fieldNames';
import { findIdentity, type RecordId, readIdentity } from '../answer/identity';
import { findCreationTimes, findUpdatePath, isUnsetTime } from '../answer/updateTimes';
import { ServiceFailure } from '../failure/serviceFailure';
import { type JsonObject, readDotPath } from '../values/json';
import { timeUnitOf } from './timeUnit';
import { MAX_ZONE_SHIFT, type Moment, readMoment, type TriggerOn } from './versions';

/** Dot paths of what tells versions apart. */
export interface RecordFields {
	id: string;
	/** Empty if the records have none. */
	updatedAt: string;
	/** Empty if the records have none. */
	createdAt: string;
	/** Of the update times, as `timeUnitOf`: missing until a time shows. */
	unit?: number;
	/** That of the creation times, if it is another. */
	createdUnit?: number;
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
	const updatedAt = set.updatedAt === '' ? findUpdatePath(records, name, createdAt) : set.updatedAt;
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
	return { id, ...paths, ...unitsOf(records, { id, ...paths }) };
}

function unitsOf(
	records: readonly JsonObject[],
	fields: RecordFields,
): Pick<RecordFields, 'unit' | 'createdUnit'> {
	const { createdAt } = fields;
	const created = createdAt === '' ? undefined : timeUnitOf(records, createdAt);
	const updated = records.filter((record) => !isNeverUpdated(record, fields));
	// The first update is written as the creation is.
	const unit = timeUnitOf(updated, fields.updatedAt) ?? created;
	return {
		...(unit !== undefined && { unit }),
		...(created !== undefined && created !== unit && { createdUnit: created }),
	};
}

/** @throws ServiceFailure that names the option, if the record has no ID */
export function requireId(record: JsonObject, path: string, names: RecordNames): RecordId {
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
	if (fields.unit !== undefined && found.createdAt === fields.createdAt) return found;
	const { unit = fields.unit, ...units } = unitsOf(records, found);
	return { ...found, ...units, ...(unit !== undefined && { unit: fields.unit ?? unit }) };
}

/** When a record was created. */
export function readCreation(
	record: JsonObject,
	{ createdAt, createdUnit, unit }: RecordFields,
): Moment | undefined {
	return createdAt === '' ? undefined : readMoment(record, createdAt, createdUnit ?? unit);
}

/** The time that decides where a record stands among the others. */
export function readStanding(
	record: JsonObject,
	fields: RecordFields,
	triggerOn: TriggerOn,
): Moment | undefined {
	return triggerOn === 'created' ? readCreation(record, fields) : readUpdate(record, fields);
}

/**
 * Whether a record was never updated: it shows no update time, or one that stands for none, because
 * it is older than the record, in whatever zone either is written.
 */
export function isNeverUpdated(record: JsonObject, fields: RecordFields): boolean {
	return readTimes(record, fields).kind === 'neverUpdated';
}

/** When a record was changed last, or created, if it was never changed. */
export function readUpdate(record: JsonObject, fields: RecordFields): Moment | undefined {
	const times = readTimes(record, fields);
	if (times.kind === 'updated') return times.updated;
	const { created } = times;
	if (created === undefined) return undefined;
	// Not the same as an update at that time, and another one if the record is removed and created
	// again. A change that leaves the update time empty shows by what the record holds.
	return { ...created, state: { created: created.state }, tick: Math.max(1, created.tick) };
}

type Times =
	| { kind: 'updated'; updated: Moment }
	/** Some services leave the update time empty until the first update. */
	| { kind: 'neverUpdated'; created: Moment | undefined }
	/** There is no update time to be looked for, or one that cannot be read. */
	| { kind: 'unknown'; created?: undefined };

function readTimes(record: JsonObject, fields: RecordFields): Times {
	const { updatedAt, unit } = fields;
	if (updatedAt === '') return { kind: 'unknown' };
	const updated = readMoment(record, updatedAt, unit);
	const created = readCreation(record, fields);
	if (updated !== undefined) {
		const age = (created?.earliest ?? -Infinity) - updated.latest;
		return age > MAX_ZONE_SHIFT ? { kind: 'neverUpdated', created } : { kind: 'updated', updated };
	}
	const isUnset = isUnsetTime(readDotPath(record, updatedAt));
	return isUnset ? { kind: 'neverUpdated', created } : { kind: 'unknown' };
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
