import { type Finding, ok, unknown, warning } from './finding';
import type { TimedAnswer } from './politeTransport';

const LIMIT_HEADERS = [
	'x-ratelimit-limit',
	'x-rate-limit-limit',
	'ratelimit-limit',
	'ratelimit-policy',
	'ratelimit',
];

/** What is called a difference: n8n and the service then disagree about times in a way that shows. Seconds. */
const NOTABLE_DIFFERENCE = 5;

/** What headers and statuses say about a limit of the rate. Asks nothing. */
export function checkRateLimit(answers: readonly TimedAnswer[]): Finding {
	const tenant = answers
		.filter(({ request }) => request.method === 'GET')
		.map(({ answer }) => answer);
	const limited = tenant.findIndex(({ statusCode }) => statusCode === 429);
	const names = new Set(
		tenant.flatMap(({ headers }) =>
			Object.keys(headers).filter((name) => /^(x-)?rate-?limit/.test(name)),
		),
	);
	const limit = tenant.flatMap(({ headers }) =>
		LIMIT_HEADERS.flatMap((name) => readLimit(name, headers[name]) ?? []),
	)[0];
	const headers = names.size === 0 ? '' : ` Headers seen: ${[...names].sort().join(', ')}.`;
	if (limited >= 0) {
		return warning(
			'rateLimit',
			limit ?? null,
			`The service answered 429 after ${limited} requests.${headers} The connector slows down by itself; one page in flight is the politest.`,
			{ concurrency: 1 },
		);
	}
	if (limit !== undefined) {
		return ok('rateLimit', limit, `The service announces a limit of ${limit} requests.${headers}`);
	}
	if (names.size > 0) return unknown('rateLimit', `The limit cannot be read.${headers}`);
	return unknown(
		'rateLimit',
		tenant.length === 0
			? 'The tenant gave no answer.'
			: 'No answer carried rate-limit headers, and none was a 429. That does not prove that there is no limit.',
	);
}

/** `X-RateLimit-Limit: 100`, `RateLimit-Limit: 100, 100;w=60`, `RateLimit-Policy: "default";q=100;w=60`. */
function readLimit(name: string, value: string | undefined): number | undefined {
	if (value === undefined) return undefined;
	const pattern =
		/limit$/.test(name) && name !== 'ratelimit' ? /^\s*(\d+)/ : /(?:\bq|\blimit)=(\d+)/;
	const digits = pattern.exec(value)?.[1];
	return digits === undefined ? undefined : Number(digits);
}

/**
 * How far the clock of the service is ahead of ours. A `Date` header has whole seconds, cut off, and was written
 * between the sending of the request and the receipt of the answer; all answers together narrow it down.
 */
export function checkClockDifference(answers: readonly TimedAnswer[]): Finding {
	// The authorization server may be another machine; it is asked only where the tenant says nothing.
	const ofTenant = answers.filter(({ request }) => request.method === 'GET');
	let least = -Infinity;
	let most = Infinity;
	for (const { answer, sentAt, receivedAt } of ofTenant.length > 0 ? ofTenant : answers) {
		const date = Date.parse(answer.headers.date ?? '');
		if (Number.isNaN(date)) continue;
		least = Math.max(least, date - receivedAt);
		most = Math.min(most, date + 1000 - sentAt);
	}
	if (!Number.isFinite(least))
		return unknown('clockDifference', 'No answer carried a Date header.');
	if (least > most) {
		return unknown(
			'clockDifference',
			'The Date headers of different answers contradict each other.',
		);
	}
	const seconds = Math.round((least + most) / 2000);
	const size = Math.abs(seconds);
	const direction = seconds > 0 ? 'ahead of' : 'behind';
	if (size < NOTABLE_DIFFERENCE) {
		// A second is within what whole seconds can show.
		return ok(
			'clockDifference',
			size <= 1 ? 0 : seconds,
			'The clocks of the service and of n8n agree.',
		);
	}
	return warning(
		'clockDifference',
		seconds,
		`The clock of the service is ${size} seconds ${direction} that of n8n. Tokens and polls take it into account by themselves.`,
	);
}
