import { ServiceFailure } from '../failure/serviceFailure';
import type { Admission, RequestPace, SlowDown } from '../http/sendRequest';
import { outOfTime } from './pages';

/** The part of a host's poll context that says how much time there is; n8n 1.123 has none of it. */
export interface PollHost {
	getPollBudgetMs?: () => number;
}

/**
 * What a poll takes if the host sets no limit: polls of every minute must not pile up without end.
 */
const OWN_BUDGET = 5 * 60_000;
const MAX_REQUEST_TIME = 30_000;
const MIN_TIMEOUT = 1_000;

/**
 * Whether n8n's durable scheduler makes the polls. It allows each of them less time than a process
 * that polls alone, for which n8n 2.41.1 says five minutes.
 */
export function isScheduled(host: PollHost): boolean {
	return budgetOf(host) !== OWN_BUDGET;
}

function budgetOf(host: PollHost): number {
	return typeof host.getPollBudgetMs === 'function' ? host.getPollBudgetMs() : OWN_BUDGET;
}

/**
 * The time one poll has. n8n with its durable scheduler gives up a poll after 45 seconds (2.41.1).
 */
export class PollTime {
	private readonly budget: number;

	private readonly startedAt: number;

	constructor(
		host: PollHost,
		private readonly clock: { now(): number },
	) {
		this.budget = budgetOf(host);
		this.startedAt = clock.now();
	}

	/** No further page in the second half: the pages under way may have to be asked for again. */
	allowsAnotherPage(): boolean {
		return this.clock.now() - this.startedAt < this.budget / 2;
	}

	/** Milliseconds one request may take. */
	get forOneRequest(): number {
		return Math.max(MIN_TIMEOUT, Math.min(MAX_REQUEST_TIME, this.budget * 0.3));
	}

	/** A pace within that time; the first request is sent in any case. */
	limit(pace: RequestPace): RequestPace {
		let hasStarted = false;
		const left = () => this.budget * 0.7 - (this.clock.now() - this.startedAt);
		const admit = async (): Promise<Admission> => {
			const admission = await pace.admit();
			if (hasStarted && left() <= 0) {
				admission.released();
				throw outOfTime();
			}
			hasStarted = true;
			return {
				accepted: (announced) => admission.accepted(announced),
				released: () => admission.released(),
				limited: (slowDown) => {
					if (slowDown.wait > left()) throw tooLongPause(slowDown);
					admission.limited(slowDown);
				},
			};
		};
		return {
			admit,
			close: () => pace.close(),
			get pausesInVain() {
				return pace.pausesInVain;
			},
		};
	}
}

function tooLongPause({ statusCode, wait }: SlowDown): ServiceFailure {
	return new ServiceFailure(
		`The service answered ${statusCode} and asks to wait ${Math.ceil(wait / 1000)} seconds.`,
		'The next poll continues from the same place. Poll less often, or ask your service provider for a higher rate limit.',
		{ kind: 'rateLimit', statusCode, retryAfter: wait },
	);
}
