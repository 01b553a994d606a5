import { findIdentity } from '../answer/identity';
import { LISTED_RESOURCES } from '../answer/resources';
import { describeTimes, findUpdateTimes } from '../answer/updateTimes';
import { writeCount, writeNumber } from '../values/count';
import { type Found, ok, unknown, warning } from './finding';
import { type Trial, type Users } from './users';

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

/** What the first page says about the list, compared with what was read. */
export function checkMetadata({ first }: Users, trials: readonly Trial[]): Found {
	const check = 'pagingMetadata';
	const { metadata, keys } = first;
	const { total, totalPages, more } = metadata;
	const named = {
		...(total !== undefined && { total: `a total of ${writeNumber(total)}` }),
		...(totalPages !== undefined && { totalPages: writeCount(totalPages, 'page') }),
		...(more !== undefined && { more: more ? 'that pages follow' : 'that no page follows' }),
	};
	const observed = Object.keys(named).join(', ');
	if (observed === '') {
		const meaning = 'A page says nothing about further pages. List Users reads until one is empty.';
		return keys.length === 0 ? undefined : ok(check, 'none', meaning);
	}
	const meaning = `The first page names ${Object.values(named).join(', ')}.`;
	const doubt = contradiction(trials);
	if (doubt === undefined) return ok(check, observed, meaning);
	const remark = 'List Users goes by the users that are returned.';
	return warning(check, observed, `${meaning} ${doubt} ${remark}`);
}

/** How the total disagrees with the users that can be read; only if two readings say so. */
function contradiction(trials: readonly Trial[]): string | undefined {
	const whole = trials.flatMap((trial) => (trial.kind === 'read' && trial.whole ? [trial] : []));
	const surplus = whole.map(({ keys, total = keys.length }) => total - keys.length);
	const [one = 0] = surplus;
	if (one !== 0 && surplus.length > 1 && surplus.every((other) => other === one)) {
		return `That is ${writeCount(Math.abs(one), 'user')} too ${one > 0 ? 'many' : 'few'}: the total is late, or counts users this client ID may not see.`;
	}
	return undefined;
}
