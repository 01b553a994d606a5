import { findIdentity } from '../answer/identity';
import { LISTED_RESOURCES } from '../answer/resources';
import { describeTimes, findUpdateTimes } from '../answer/updateTimes';
import { writeCount, writeNumber } from '../values/count';
import { type Found, ok, unknown } from './finding';
import type { Users } from './users';

/** What identifies the users known, and when they were changed. */
export function findFields({ beginning: { records } }: Users): Found[] {
	const { name } = LISTED_RESOURCES.user;
	const id = findIdentity(records, name)?.field;
	const times = findUpdateTimes(records, name);
	return [
		id === undefined
			? unknown('idField', 'If users have an ID, set its field as ID Path.')
			: ok('idField', id, `"${id}" identifies the ${writeCount(records.length, 'user')} seen.`),
		times === undefined
			? unknown('updatedAtField', 'If users have one, set it as Updated At Path.')
			: ok('updatedAtField', times.path, describeTimes(times)),
	];
}

/** What the first page says about the list. */
export function checkMetadata({ first: { came, metadata } }: Users): Found {
	const check = 'pagingMetadata';
	const { total, totalPages, more } = metadata;
	const named = {
		...(total !== undefined && { total: `a total of ${writeNumber(total)}` }),
		...(totalPages !== undefined && { totalPages: writeCount(totalPages, 'page') }),
		...(more !== undefined && { more: more ? 'that pages follow' : 'that no page follows' }),
	};
	const observed = Object.keys(named).join(', ');
	if (observed !== '') {
		return ok(check, observed, `The first page names ${Object.values(named).join(', ')}.`);
	}
	const meaning = 'A page says nothing about further pages. List Users reads until one is empty.';
	return came === 0 ? undefined : ok(check, 'none', meaning);
}
