import { AdaptiveRateLimiter, type Permit, type Throttling } from '../http/adaptiveRateLimiter';
import type { Clock } from '../http/message';
import { retryAfterTooLongFailure } from '../http/sendRequest';
import { MINUTE, SECOND } from '../values/instant';
import { CONCURRENCY, outOfTimeFailure } from './polledList';

/** The part of a host's poll context that says how much time there is; n8n 1.123 has none of it. */
interface PollHost {
	getPollBudgetMs?: () => number;
}

/**
 * The time of a poll if the host sets no limit: polls of every minute must not pile up without end.
 */
const DEFAULT_BUDGET_MS = 5 * MINUTE;
const REMEDY = 'The next poll continues from the same place. Poll less often';
const MAX_REQUEST_MS = 30 * SECOND;

/**
 * Whether n8n's durable scheduler makes the polls. It allows a poll less time than a process that
 * polls alone, for which n8n 2.41.1 states five minutes.
 */
export function usesDurableScheduler(host: PollHost): boolean {
	return budgetMsOf(host) < DEFAULT_BUDGET_MS;
}

function budgetMsOf(host: PollHost): number {
	return host.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
}

/**
 * Limits the requests of one poll to its time. With the durable scheduler, n8n gives up a poll
 * after 45 seconds (2.41.1).
 */
export class PollRateLimiter extends AdaptiveRateLimiter {
	private readonly budgetMs: number;

	private readonly startedAt: number;

	constructor(
		host: PollHost,
		private readonly time: Clock,
	) {
		super(CONCURRENCY, time);
		this.budgetMs = budgetMsOf(host);
		this.startedAt = time.now();
	}

	/** False in the second half of the time, because pages in flight may have to be refetched. */
	get hasTimeForPage(): boolean {
		return this.remainingMs(0.5) > 0;
	}

	get requestTimeoutMs(): number {
		return Math.min(MAX_REQUEST_MS, this.budgetMs * 0.3);
	}

	override async acquire(): Promise<Permit> {
		const permit = await super.acquire();
		if (this.remainingMs(0.7) <= 0) {
			permit.release();
			throw outOfTimeFailure();
		}
		const reportThrottled = (throttling: Throttling) => {
			if (throttling.waitMs > this.remainingMs(0.7))
				throw retryAfterTooLongFailure(throttling, REMEDY);
			permit.reportThrottled(throttling);
		};
		return { ...permit, reportThrottled };
	}

	/** What remains of a part of its time. */
	private remainingMs(part: number): number {
		return this.budgetMs * part - (this.time.now() - this.startedAt);
	}
}
