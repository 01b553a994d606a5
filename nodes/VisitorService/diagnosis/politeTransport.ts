import type { Clock, HttpAnswer, HttpRequest, Transport } from '../transport/httpMessage';
import { readRetryAfter } from '../transport/retryTimes';
import { ServiceFailure } from '../transport/serviceFailure';

/** Token requests, repetitions and redirects included. */
export const MOST_REQUESTS = 25;

/** Answers that ask for less, or connections that break, before a host is left alone. */
const MOST_OVERLOADS = 3;
/** The same, and failures of any kind, without a good answer in between. */
const MOST_FAILURES_IN_A_ROW = 4;
/** A host that wants a longer pause than this is not waited for. Milliseconds, as the next two. */
const LONGEST_PAUSE = 10_000;
const LONGEST_WAITING = 60_000;
const PAUSE_WITHOUT_RETRY_AFTER = 1_000;

const OVERLOADED = new Set([429, 502, 503, 504]);

export interface TimedAnswer {
	request: HttpRequest;
	answer: HttpAnswer;
	/** Milliseconds of our clock. */
	sentAt: number;
	receivedAt: number;
}

interface Host {
	overloads: number;
	failuresInARow: number;
	/** Milliseconds to keep between two requests. */
	distance: number;
	lastSentAt: number;
	/** Why nothing is sent to it any more. */
	leftAlone?: string;
}

/**
 * The one way out of a diagnosis, which keeps it harmless whatever the checks ask for: the budget of requests is
 * counted here, a host that limits the rate is asked more slowly from then on, and one that keeps failing is
 * left alone.
 */
export class PoliteTransport {
	requests = 0;

	/** Answers that were overloads or failures, and connections that broke. */
	failures = 0;

	readonly answers: TimedAnswer[] = [];

	private readonly hosts = new Map<string, Host>();

	private waited = 0;

	constructor(
		private readonly transport: Transport,
		private readonly clock: Clock,
	) {}

	/** @throws ServiceFailure where the request must not be sent, or none after it may be */
	readonly send: Transport = async (request) => {
		const host = this.hostOf(request.url);
		const reason = await this.reasonNotToSend(host);
		if (reason !== undefined) throw leaveAlone(reason);
		this.requests++;
		const sentAt = this.clock.now();
		host.lastSentAt = sentAt;
		const answer = await this.transport(request).catch((error: unknown) => {
			this.noteFailure(host, 'The service did not answer', true);
			throw error;
		});
		this.answers.push({ request, answer, sentAt, receivedAt: this.clock.now() });
		this.judge(host, answer);
		return answer;
	};

	/** Why nothing more can be learnt from this address; undefined where it may still be asked. */
	reasonToStop(url: string): string | undefined {
		return this.hostOf(url).leftAlone ?? this.budgetReason();
	}

	private budgetReason(): string | undefined {
		return this.requests < MOST_REQUESTS
			? undefined
			: `Not asked: the budget of ${MOST_REQUESTS} requests is used up.`;
	}

	private async reasonNotToSend(host: Host): Promise<string | undefined> {
		const reason = host.leftAlone ?? this.budgetReason();
		const pause = host.lastSentAt + host.distance - this.clock.now();
		if (reason !== undefined || pause <= 0) return reason;
		if (this.waited + pause > LONGEST_WAITING) {
			host.leftAlone = `Not asked: the service limits the rate, and ${LONGEST_WAITING / 1000} seconds of waiting are enough.`;
			return host.leftAlone;
		}
		this.waited += pause;
		await this.clock.sleep(pause);
		return undefined;
	}

	/** @throws ServiceFailure where waiting for a repetition makes no sense any more */
	private judge(host: Host, answer: HttpAnswer): void {
		const { statusCode } = answer;
		if (statusCode < 500 && statusCode !== 429) {
			host.failuresInARow = 0;
			return;
		}
		const overloaded = OVERLOADED.has(statusCode);
		const pause = overloaded ? readRetryAfter(answer.headers, this.clock.now()) : undefined;
		if (pause !== undefined && pause > LONGEST_PAUSE) {
			host.leftAlone = `The service answered ${statusCode} and asks to wait ${Math.ceil(pause / 1000)} seconds, so it was left alone.`;
		}
		if (statusCode === 429) {
			host.distance = Math.max(2 * host.distance, pause ?? PAUSE_WITHOUT_RETRY_AFTER);
		}
		this.noteFailure(host, `The service answered ${statusCode}`, overloaded);
		if (overloaded && host.leftAlone !== undefined) throw leaveAlone(host.leftAlone, statusCode);
	}

	private noteFailure(host: Host, what: string, overloaded: boolean): void {
		this.failures++;
		host.failuresInARow++;
		if (overloaded) host.overloads++;
		if (host.overloads >= MOST_OVERLOADS || host.failuresInARow >= MOST_FAILURES_IN_A_ROW) {
			host.leftAlone ??= `${what} and had failed before, so it was left alone.`;
		}
	}

	private hostOf(url: string): Host {
		const { origin } = new URL(url);
		const known = this.hosts.get(origin);
		if (known !== undefined) return known;
		const host = { overloads: 0, failuresInARow: 0, distance: 0, lastSentAt: 0 };
		this.hosts.set(origin, host);
		return host;
	}
}

function leaveAlone(reason: string, statusCode?: number): ServiceFailure {
	return new ServiceFailure(reason, 'Run the diagnosis again later.', {
		kind: statusCode === 429 ? 'rateLimit' : 'service',
		statusCode,
	});
}
