import { isLimitHeader, readLimitSize } from '../http/announcedLimit';
import { readHttpDate } from '../http/retryTimes';
import { TOO_MANY_REQUESTS } from '../http/temporaryStatus';
import { writeCount } from '../values/count';
import { type Finding, ok, unknown, warning } from './finding';
import type { Exchange } from './politeTransport';

/** What is called a difference: n8n and the service then disagree about times in a way that shows. Seconds. */
const NOTABLE_DIFFERENCE = 5;

/** Milliseconds between the least and the most that is possible: half of it may be wrong. */
const MAX_WIDTH = 2_000;

/** What headers and statuses say about a limit of the rate. Asks nothing. */
export function checkRateLimit(exchanges: readonly Exchange[]): Finding {
	const check = 'rateLimit';
	const tenant = exchanges.flatMap(({ request, answer }) =>
		request.method === 'GET' && answer !== undefined ? [answer] : [],
	);
	const limited = tenant.filter(({ statusCode }) => statusCode === TOO_MANY_REQUESTS).length;
	const names = tenant.flatMap(({ headers }) => Object.keys(headers)).filter(isLimitHeader);
	const [limit] = tenant.flatMap(({ headers }) => readLimitSize(headers) ?? []);
	const seen = [...new Set(names)].sort().join(', ');
	const headers = seen === '' ? '' : ` Headers seen: ${seen}.`;
	const times = limited === 1 ? 'once' : `${limited} times`;
	const answered = `The service answered 429 ${times}.${headers} The nodes slow down automatically.`;
	if (limited > 1) return warning(check, limit ?? null, answered);
	if (limit !== undefined) {
		const size = writeCount(limit, 'request');
		return ok(check, limit, `The service names a limit of ${size}.${headers}`);
	}
	return unknown(check, limited === 1 ? answered : `No answer was a 429.${headers}`);
}

/**
 * How far the clock of the service is ahead of ours. A `Date` header has whole seconds, cut off, and was written
 * between the sending of the request and the receipt of the answer; all answers together narrow it down.
 */
export function checkClockDifference(exchanges: readonly Exchange[]): Finding {
	const check = 'clockDifference';
	// The authorization server may be another machine; it counts only if the tenant says nothing.
	const ofTenant = exchanges.filter(({ request }) => request.method === 'GET');
	let least = -Infinity;
	let most = Infinity;
	for (const { answer, sentAt, receivedAt } of ofTenant.length > 0 ? ofTenant : exchanges) {
		const date = readHttpDate(answer?.headers.date);
		if (date === undefined) continue;
		least = Math.max(least, date - receivedAt);
		most = Math.min(most, date + 1000 - sentAt);
	}
	// Without a Date, with slow answers, or with Dates that contradict each other nothing can be told.
	if (!(most - least <= MAX_WIDTH) || least > most) return unknown(check);
	const seconds = Math.round((least + most) / 2000);
	const size = Math.abs(seconds);
	if (size < NOTABLE_DIFFERENCE) {
		// A second is within what whole seconds can show.
		return ok(check, size <= 1 ? 0 : seconds, 'The clocks of the service and of n8n agree.');
	}
	const difference = `${writeCount(size, 'second')} ${seconds > 0 ? 'ahead of' : 'behind'}`;
	const what = `The clock of the service is ${difference} that of n8n.`;
	return warning(check, seconds, `${what} Tokens and polls allow for it automatically.`);
}
