import { isUnsetTime } from '../diagnosis/updateTimes';
import { readDotPath } from '../json/dotPath';
import type { JsonObject } from '../listing/findRecords';
import { ServiceFailure } from '../transport/serviceFailure';
import { CLOCK_TOLERANCE, type ServiceTime } from './serviceTime';
import { BLUR } from './sweep';
import { findUserFields, readVersion, type UserFields } from './userFields';
import type { UserList } from './userList';

export interface OpenedList {
	/** Of the first page, without a filter. */
	users: JsonObject[];
	fields: UserFields;
	filter: 'honoured' | 'ignored';
}

const YEAR = 366 * 86_400_000;

/** Enough that one of them was changed long ago, if the page is one of the whole list. */
const MANY = 100;

/** Farther than a time may be shifted that is written without its zone. */
const TWO_DAYS = 2 * 86_400_000;

/**
 * Finds out what has to be known of a list before its changes can be told, so that a trigger that could not work
 * fails at its activation.
 *
 * @returns undefined where the tenant has no users
 * @throws ServiceFailure that names the option, where a user has no ID or no update time
 */
export async function openList(
	list: UserList,
	clock: ServiceTime,
	{ pageSize, paths }: { pageSize: number; paths: UserFields },
): Promise<OpenedList | undefined> {
	const users = await list.readFirst(pageSize);
	if (users.length === 0) return undefined;
	const fields = findUserFields(users, paths);
	return { users, fields, filter: await probeFilter(list, clock, fields) };
}

/**
 * Finds out whether the service pays attention to `updatedSince`, by a time no user can have been changed since.
 * One that refuses times in the future is asked for the present, and recognised by users changed long ago.
 */
export async function probeFilter(
	list: UserList,
	clock: ServiceTime,
	fields: UserFields,
): Promise<'honoured' | 'ignored'> {
	const present = clock.reached;
	const found = await list.readFirst(1, present + CLOCK_TOLERANCE + YEAR).catch(asRefusal);
	if (found !== 'refused') return found.length === 0 ? 'honoured' : 'ignored';
	const recent = await list.readFirst(MANY, present);
	const isOld = (user: JsonObject) => readVersion(user, fields).time < present - TWO_DAYS;
	return recent.some(isOld) ? 'ignored' : 'honoured';
}

function asRefusal(error: unknown): 'refused' {
	if (error instanceof ServiceFailure && error.kind === 'badRequest') return 'refused';
	throw error;
}

/**
 * A service that reads `updatedSince` in another format or zone may take it for a later time and find no change, now
 * and for ever. That shows with a time before the newest change known.
 *
 * @throws ServiceFailure where it does
 */
export async function requireReadableFilter(
	list: UserList,
	{ users, fields }: OpenedList,
): Promise<void> {
	// A user that was never updated may be found by no time at all.
	const updated = users.filter((user) => !isUnsetTime(readDotPath(user, fields.updatedAt)));
	if (updated.length === 0) return;
	const newest = updated.reduce(
		(latest, user) => Math.max(latest, readVersion(user, fields).earliest),
		-Infinity,
	);
	// No earlier than the polls ask: a service that takes the UTC it is asked with for its own time is hours off.
	if ((await list.readFirst(1, Math.max(0, newest - BLUR))).length > 0) return;
	throw new ServiceFailure(
		'The service finds no change since a time before the last change it shows: it misreads "updatedSince".',
		'Choose another Updated Since Format in the options; the operation Diagnose finds out which one the service reads.',
		{ kind: 'configuration' },
	);
}
