import { ServiceFailure } from '../failure/serviceFailure';
import type { Clock, HttpAnswer, HttpRequest, Transport } from '../http/message';
import { readRetryAfter } from '../http/retryTimes';
import { isOverload, isTemporary, TOO_MANY_REQUESTS } from '../http/temporaryStatus';
import { writeCount } from '../values/count';

/** Token requests, repetitions and redirects included. */
export const MAX_REQUESTS = 25;

/** Answers that ask for less, or connections that break, before a host is left alone. */
const MAX_OVERLOADS = 3;
/** The same, and failures of any kind, without a good answer in between. */
const MAX_FAILURES_IN_A_ROW = 4;
/** A host that wants a longer pause than this is not waited for. Milliseconds, as the next two. */
const MAX_PAUSE = 10_000;
const MAX_WAITING = 60_000;
const PAUSE_WITHOUT_RETRY_AFTER = 1_000;

export interface TimedAnswer {
	request: HttpRequest;
	answer: HttpAnswer;
	/** Milliseconds of our clock. */
	sentAt: number;
	receivedAt: number;
}

class Host {
	overloads = 0;
	failuresInARow = 0;
	/** Milliseconds to keep between two requests. */
	distance = 0;
	lastSentAt = 0;
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

	/** @throws ServiceFailure if the request must not be sent, or none after it may be */
	readonly send: Transport = async (request) => {
		const host = this.hostOf(request.url);
		await this.keepDistance(host);
		const reason = this.reasonToStop(request.url);
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

	/** Why nothing more can be learnt from this URL; undefined if it may still be asked. */
	reasonToStop(url: string): string | undefined {
		const { leftAlone } = this.hostOf(url);
		if (leftAlone !== undefined || this.requests < MAX_REQUESTS) return leftAlone;
		return `Not asked: the budget of ${MAX_REQUESTS} requests is used up.`;
	}

	private async keepDistance(host: Host): Promise<void> {
		const pause = host.lastSentAt + host.distance - this.clock.now();
		if (host.leftAlone !== undefined || pause <= 0) return;
		if (this.waited + pause > MAX_WAITING) {
			host.leftAlone = `Not asked: the service limits the rate, and ${MAX_WAITING / 1000} seconds of waiting are enough.`;
			return;
		}
		this.waited += pause;
		await this.clock.sleep(pause);
	}

	/** @throws ServiceFailure if waiting for a repetition makes no sense any more */
	private judge(host: Host, { statusCode, headers }: HttpAnswer): void {
		if (!isTemporary(statusCode)) {
			host.failuresInARow = 0;
			return;
		}
		const overloaded = isOverload(statusCode);
		const pause = overloaded ? readRetryAfter(headers, this.clock.now()) : undefined;
		if (pause !== undefined && pause > MAX_PAUSE) {
			host.leftAlone = `The service answered ${statusCode} and asks to wait ${writeCount(Math.ceil(pause / 1000), 'second')}, so it was left alone.`;
		}
		if (statusCode === TOO_MANY_REQUESTS) {
			host.distance = Math.max(2 * host.distance, pause ?? PAUSE_WITHOUT_RETRY_AFTER);
		}
		this.noteFailure(host, `The service answered ${statusCode}`, overloaded);
		if (overloaded && host.leftAlone !== undefined) throw leaveAlone(host.leftAlone, statusCode);
	}

	private noteFailure(host: Host, what: string, overloaded: boolean): void {
		this.failures++;
		host.failuresInARow++;
		if (overloaded) host.overloads++;
		if (host.overloads >= MAX_OVERLOADS || host.failuresInARow >= MAX_FAILURES_IN_A_ROW) {
			host.leftAlone ??= `${what} and had failed before, so it was left alone.`;
		}
	}

	private hostOf(url: string): Host {
		const { origin } = new URL(url);
		const host = this.hosts.get(origin) ?? new Host();
		this.hosts.set(origin, host);
		return host;
	}
}

function leaveAlone(reason: string, statusCode?: number): ServiceFailure {
	return new ServiceFailure(reason, 'Run the diagnosis again later.', {
		kind: statusCode === TOO_MANY_REQUESTS ? 'rateLimit' : 'service',
		statusCode,
	});
}
