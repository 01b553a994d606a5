import { sleep } from 'n8n-workflow';

/**
 * Waits until something has ended, well or not.
 *
 * @param until milliseconds since 1970
 * @returns whether it ended before that time
 */
export async function endsBefore(work: Promise<unknown>, until: number): Promise<boolean> {
	const over = new AbortController();
	const isLate = () => false;
	const isInTime = () => true;
	// n8n 1.123's sleep knows no signal; there its timer runs out by itself.
	const late = sleep(Math.max(0, until - Date.now()), over.signal).then(isLate, isLate);
	const ended = await Promise.race([work.then(isInTime, isInTime), late]);
	over.abort();
	return ended;
}
