import { readHttpDate } from '../http/retryTimes';
import type { Attempt } from './politeTransport';

/** Milliseconds between the least and the most that is possible: half of it may be wrong. */
const MAX_WIDTH = 2_000;

/**
 * How many milliseconds the clock of the service is ahead of ours. A `Date` has whole seconds, cut
 * off, and was written between the sending of a request and the receipt of its answer: all narrow
 * it down.
 *
 * @returns undefined without a `Date`, if answers are slow, or if their dates contradict each other
 */
export function findClockDifference(attempts: readonly Attempt[]): number | undefined {
	const dated = attempts.flatMap((attempt) => {
		const date = readHttpDate(attempt.answer?.headers.date);
		return date === undefined ? [] : [{ ...attempt, date }];
	});
	const least = Math.max(...dated.map(({ date, receivedAt }) => date - receivedAt));
	const most = Math.min(...dated.map(({ date, sentAt }) => date + 1000 - sentAt));
	return least <= most && most - least <= MAX_WIDTH ? (least + most) / 2 : undefined;
}
