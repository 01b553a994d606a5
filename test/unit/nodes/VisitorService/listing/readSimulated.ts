import { AdaptivePace } from '../../../../../nodes/VisitorService/http/adaptivePace';
import type { HttpAnswer, HttpRequest } from '../../../../../nodes/VisitorService/http/message';
import { sendRequest } from '../../../../../nodes/VisitorService/http/sendRequest';
import {
	type Listing,
	type ListingRequest,
	listRecords,
} from '../../../../../nodes/VisitorService/listing/listRecords';
import { explainAnswer } from '../../../../../nodes/VisitorService/tenant/refusal';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { VirtualClock } from '../../../../simulation/clock';
import { type SimulatedList, serve } from './simulatedList';

/** What happens to one request instead of its answer. */
export type Fault = 429 | 502 | 503 | 504 | 'reset' | undefined;

export interface Circumstances extends Partial<Omit<ListingRequest<JsonObject>, 'fetchPage'>> {
	/** Milliseconds each request takes, taken in turn. */
	latencies?: readonly number[];
	/** Taken in turn, one for each request sent; none after the last one. */
	faults?: readonly Fault[];
	/** Changes the list before a page is answered. */
	beforePage?: (page: number) => void;
	maxRetries?: number;
}

export interface Reading {
	listing: Listing<JsonObject>;
	/** Pages asked for, repetitions after a fault left out. */
	asked: Array<{ page: number; pageSize: number }>;
	/** Requests sent, repetitions included. */
	sent: number;
	mostInFlight: number;
	/** Virtual milliseconds. */
	duration: number;
}

/**
 * Reads a simulated list as the node does: through the pace and the retries, but in virtual time.
 */
export async function readSimulated(
	list: SimulatedList,
	circumstances: Circumstances = {},
): Promise<Reading> {
	const { latencies = [0], faults = [], beforePage, maxRetries = 5, ...request } = circumstances;
	const clock = new VirtualClock();
	const concurrency = request.concurrency ?? 5;
	const pace = new AdaptivePace(concurrency, clock);
	const asked: Reading['asked'] = [];
	const { ask, beforePage: beforeEach, requestFor } = await serve(list);
	if (beforePage !== undefined) beforeEach(beforePage);
	let sent = 0;
	let inFlight = 0;
	let mostInFlight = 0;

	const transport = async (request: HttpRequest): Promise<HttpAnswer> => {
		const number = sent++;
		mostInFlight = Math.max(mostInFlight, ++inFlight);
		await clock.sleep(latencies[number % latencies.length] ?? 0);
		inFlight--;
		const fault = faults[number];
		if (fault === 'reset') throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
		if (fault !== undefined) return { statusCode: fault, headers: {}, body: {} };
		return await ask(request);
	};

	const listing = await clock.run(
		listRecords({
			resource: 'user',
			keys: ['users'],
			firstPage: 0,
			pageSize: 10,
			concurrency,
			maxPages: 0,
			itemsPath: '',
			keepAs: (record) => record,
			untilStable: false,
			...request,
			fetchPage: async (page, pageSize) => {
				asked.push({ page, pageSize });
				const answer = await sendRequest(requestFor(page, pageSize), {
					transport,
					clock,
					random: () => 0.5,
					maxRetries,
					mayRetry: (statusCode) => [429, 502, 503, 504].includes(statusCode),
					role: 'Tenant API URL',
					pace,
				});
				const failure = explainAnswer(answer, 'https://tenant.example.test/users', () => [], 0);
				if (failure !== undefined) throw failure;
				return answer;
			},
		}),
	);
	return { listing, asked, sent, mostInFlight, duration: clock.now() };
}
