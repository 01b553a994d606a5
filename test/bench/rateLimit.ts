import type { RateLimitSwitches } from '../reference-service/switches';
import { type BenchN8n, printHead, printRow, type Subject, timeOf, withN8n } from './bench';
import { visitorServiceChain } from './listingWorkflows';
import type { ServiceProcess } from './startServiceProcess';

const RATE = 20;
const PAGES = 400;

/** Share of the responses that may be rejections. */
const MAX_THROTTLED = 0.05;

/** What has to be used of a limit: without bursts each rejection costs the whole pause after it. */
const LIMITERS = [
	{ name: 'token bucket, burst 20', burst: 20, algorithm: 'bucket', used: 0.9 },
	{ name: 'token bucket, burst 1', burst: 1, algorithm: 'bucket', used: 0.7 },
	{ name: 'window of a second', burst: 20, algorithm: 'window', used: 0.9 },
] as const;

/** How services reject: RFC 6585 has 429, many proxies respond with 503. */
const THROTTLINGS = [
	{ name: '429 with Retry-After', status: 429, retryAfter: 'seconds' },
	{ name: '429', status: 429, retryAfter: 'none' },
	{ name: '503', status: 503, retryAfter: 'none' },
] as const;

/**
 * A service that allows 20 requests a second: how much of that is used, and how many responses are
 * rejections.
 */
export async function measureRateLimit(subject: Subject): Promise<void> {
	console.log(
		`A service that allows ${RATE} requests a second, ${PAGES} pages, concurrency 16, default retries\n`,
	);
	printHead('limiter', 'rejects with', 'seconds', 'rate used', 'rejected', 'targets');
	await withN8n(subject, async (bench) => {
		for (const limiter of LIMITERS) {
			for (const throttling of THROTTLINGS) {
				const { seconds, accepted, throttled } = await readThrough(bench, subject.service, {
					requestsPerSecond: RATE,
					burst: limiter.burst,
					algorithm: limiter.algorithm,
					status: throttling.status,
					retryAfter: throttling.retryAfter,
				});
				const used = accepted / seconds / RATE;
				const share = throttled / (accepted + throttled);
				const reached = used >= limiter.used && share <= MAX_THROTTLED;
				printRow([
					limiter.name,
					throttling.name,
					seconds.toFixed(1),
					`${(used * 100).toFixed(0)} %`,
					`${(share * 100).toFixed(1)} %`,
					`≥ ${limiter.used * 100} %, ≤ ${MAX_THROTTLED * 100} %: ${reached ? 'reached' : 'missed'}`,
				]);
			}
		}
	});
	console.log('');
}

async function readThrough(
	bench: BenchN8n,
	{ control }: ServiceProcess,
	rateLimit: Partial<RateLimitSwitches>,
): Promise<{ seconds: number; accepted: number; throttled: number }> {
	await control.resetSwitches();
	await control.seed('users', PAGES * 10);
	await control.set({ list: { latencyMs: 20, rateLimit } });
	await control.clearRequests();
	const chain = visitorServiceChain(bench.visitorService, { pageSize: 10, concurrency: 16 });
	const seconds = (await timeOf(bench, chain, PAGES * 10)) / 1000;
	const { byPath } = await control.summary();
	const byStatus = byPath['/api/external/v2/users'] ?? {};
	return {
		seconds,
		accepted: byStatus['200'] ?? 0,
		throttled: byStatus[String(rateLimit.status)] ?? 0,
	};
}
