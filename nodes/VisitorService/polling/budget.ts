import { AdaptivePace, type Admission, type SlowDown } from '../http/adaptivePace';
import type { Clock } from '../http/message';
import { longWait } from '../http/sendRequest';
import { MINUTE, SECOND } from '../values/instant';
import { CONCURRENCY, outOfTime } from './pages';

/** The part of a host's poll context that says how much time there is; n8n 1.123 has none of it. */
interface PollHost {
	getPollBudgetMs?: () => number;
}

/**
 * What a poll takes if the host sets no limit: polls of every minute must not pile up without end.
 */
const OWN_BUDGET = 5 * MINUTE;
const REMEDY = 'The next poll continues from the same place. Poll less often';
const MAX_REQUEST_TIME = 30 * SECOND;

/**
 * Whether n8n's durable scheduler makes the polls. It allows each of them less time than a process
 * that polls alone, for which n8n 2.41.1 says five minutes.
 */
export function isScheduled(host: PollHost): boolean {
	return budgetOf(host) < OWN_BUDGET;
}

function budgetOf(host: PollHost): number {
	return host.getPollBudgetMs?.() ?? OWN_BUDGET;
}

/**
 * The pace of one poll within its time. n8n with its durable scheduler gives up a poll after 45
 * seconds (2.41.1).
 */
export class PollPace extends AdaptivePace {
	private readonly budget: number;

	private readonly startedAt: number;

	constructor(
		host: PollHost,
		private readonly time: Clock,
	) {
		super(CONCURRENCY, time);
		this.budget = budgetOf(host);
		this.startedAt = time.now();
	}

	/** No further page in the second half: the pages under way may have to be asked for again. */
	get allowsAnotherPage(): boolean {
		return this.left(0.5) > 0;
	}

	/** Milliseconds one request may take. */
	get forOneRequest(): number {
		return Math.min(MAX_REQUEST_TIME, this.budget * 0.3);
	}

	override async admit(): Promise<Admission> {
		const admission = await super.admit();
		if (this.left(0.7) <= 0) {
			admission.released();
			throw outOfTime();
		}
		const limited = (slowDown: SlowDown) => {
			if (slowDown.wait > this.left(0.7)) throw longWait(slowDown, REMEDY);
			admission.limited(slowDown);
		};
		return { ...admission, limited };
	}

	/** Milliseconds of a part of its time. */
	private left(part: number): number {
		return this.budget * part - (this.time.now() - this.startedAt);
	}
}
