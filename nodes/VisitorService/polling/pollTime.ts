/** The part of a host's poll context that says how much time there is; n8n 1.123 has none of it. */
export interface PollHost {
	getPollBudgetMs?: () => number;
}

/** What a poll takes where the host sets no limit: polls of every minute must not pile up without end. */
const OWN_BUDGET = 5 * 60_000;
const LONGEST_REQUEST = 30_000;
const SHORTEST_TIMEOUT = 1_000;

/** The time one poll has. n8n with its durable scheduler gives up a poll after 45 seconds (2.41.1). */
export class PollTime {
	private readonly budget: number;

	private readonly startedAt: number;

	constructor(
		host: PollHost,
		private readonly clock: { now(): number },
	) {
		this.budget = typeof host.getPollBudgetMs === 'function' ? host.getPollBudgetMs() : OWN_BUDGET;
		this.startedAt = clock.now();
	}

	/** No further page in the second half: the pages under way may have to be asked for again. */
	allowsAnotherPage(): boolean {
		return this.passed < this.budget / 2;
	}

	/** Milliseconds in which a request may still be sent. */
	left(): number {
		return this.budget * 0.7 - this.passed;
	}

	/** Milliseconds one request may take. */
	get forOneRequest(): number {
		return Math.max(SHORTEST_TIMEOUT, Math.min(LONGEST_REQUEST, this.budget * 0.3));
	}

	private get passed(): number {
		return this.clock.now() - this.startedAt;
	}
}
