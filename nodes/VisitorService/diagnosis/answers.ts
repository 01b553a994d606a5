import { findIdentity } from '../answer/identity';
import { LISTED_RESOURCES } from '../answer/resources';
import { describeTimes, findUpdatePath, findUpdateTimes } from '../answer/updateTimes';
import { isLimitHeader, readLimitSize } from '../http/announcedLimit';
import { TOO_MANY_REQUESTS } from '../http/temporaryStatus';
import { writeCount, writeNumber } from '../values/count';
import { findClockDifference } from './clockDifference';
import { type Finding, type Found, ok, unknown, warning } from './finding';
import type { Attempt } from './politeTransport';
import type { Users } from './users';

/** What identifies the users known, and when they were changed; nothing of an empty list. */
export function findFields({ beginning: { records } }: Users): Finding[] {
	const { name } = LISTED_RESOURCES.user;
	if (records.length === 0) return [];
	const id = findIdentity(records, name)?.field;
	const times = findUpdateTimes(records, name);
	const updatedAt = findUpdatePath(records, name);
	const unset = `"${updatedAt ?? ''}" is empty in all users seen, as if none was ever updated.`;
	return [
		id === undefined
			? unknown('idField', 'The Polling Trigger needs it: if users have an ID, set ID Path.')
			: ok('idField', id, `"${id}" identifies the ${writeCount(records.length, 'user')} seen.`),
		updatedAt === undefined
			? unknown(
					'updatedAtField',
					'The Polling Trigger needs it: if users have one, set Updated At Path.',
				)
			: ok('updatedAtField', updatedAt, times ? describeTimes(times) : unset),
	];
}

/** What the first page says about the list. */
export function checkMetadata({ first: { came, metadata }, beginning }: Users): Found {
	const check = 'pagingMetadata';
	const { total, totalPages, more } = metadata;
	const named = {
		...(total !== undefined && { total: `a total of ${writeNumber(total)}` }),
		...(totalPages !== undefined && { totalPages: writeCount(totalPages, 'page') }),
		...(more !== undefined && { more: more ? 'that pages follow' : 'that no page follows' }),
	};
	const observed = Object.keys(named).join(', ');
	const { total: counted = Infinity } = beginning.metadata;
	if (beginning.came > counted) {
		const what = `A page holds ${writeCount(beginning.came, 'user')} and names a total of ${writeNumber(counted)}.`;
		return warning(check, observed, `${what} List Users may end too early.`);
	}
	if (observed !== '') {
		return ok(check, observed, `The first page names ${Object.values(named).join(', ')}.`);
	}
	const meaning = 'A page says nothing about further pages. List Users reads until one is empty.';
	return came === 0 ? undefined : ok(check, 'none', meaning);
}

/** Seconds by which times of n8n and of the service differ so much that it shows. */
const NOTABLE_DIFFERENCE = 5;

/** What headers and statuses say about a limit of the rate. */
export function checkRateLimit(attempts: readonly Attempt[]): Finding {
	const check = 'rateLimit';
	const answers = attempts.flatMap(({ answer }) => answer ?? []);
	const limited = answers.filter(({ statusCode }) => statusCode === TOO_MANY_REQUESTS).length;
	const names = answers.flatMap(({ headers }) => Object.keys(headers)).filter(isLimitHeader);
	const [limit] = answers.flatMap(({ headers }) => readLimitSize(headers) ?? []);
	const seen = [...new Set(names)].sort().join(', ');
	const headers = seen === '' ? '' : ` Headers seen: ${seen}.`;
	const times = limited === 1 ? 'once' : `${limited} times`;
	const answered = `The service answered 429 ${times}.${headers} The nodes slow down automatically.`;
	if (limited > 1) return warning(check, limit ?? null, answered);
	if (limit === undefined) {
		return unknown(check, limited === 1 ? answered : `No answer was a 429.${headers}`);
	}
	const size = writeCount(limit, 'request');
	return ok(check, limit, `The service names a limit of ${size}.${headers}`);
}

/** How far the clock of the service is ahead of ours. */
export function checkClockDifference(attempts: readonly Attempt[]): Finding {
	const check = 'clockDifference';
	const milliseconds = findClockDifference(attempts);
	if (milliseconds === undefined) return unknown(check);
	const seconds = Math.round(milliseconds / 1000);
	const size = Math.abs(seconds);
	if (size < NOTABLE_DIFFERENCE) {
		// A second is within what whole seconds can show.
		return ok(check, size <= 1 ? 0 : seconds, 'The clocks of the service and of n8n agree.');
	}
	const difference = `${writeCount(size, 'second')} ${seconds > 0 ? 'ahead of' : 'behind'}`;
	const what = `The clock of the service is ${difference} that of n8n.`;
	return warning(check, seconds, `${what} Tokens and polls allow for it automatically.`);
}
