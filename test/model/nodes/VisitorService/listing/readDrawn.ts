import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import { describeListing } from '../../../../../nodes/VisitorService/listing/describeListing';
import { type Listing, listRecords } from '../../../../../nodes/VisitorService/listing/listRecords';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import type { Asking } from './drawnLists';
import { DrawnService, type ListHabits } from './drawnService';

/** Far more than any drawn list needs. */
const TOO_MANY_REQUESTS = 5_000;

export interface Outcome {
	/** `told`: read, with a warning. */
	kind: 'silent' | 'told' | 'failed';
	records: JsonObject[];
	listing?: Listing<JsonObject>;
	/** The hint or the error. */
	message: string;
	requests: number;
	maxInFlight: number;
	service: DrawnService;
}

/**
 * Reads a list to its end as the node does, without waiting. Answers arrive in an order that the
 * seed decides.
 */
export async function readDrawn(
	habits: ListHabits,
	{ firstPage = 0, limit, pageSize, concurrency, seed }: Asking,
): Promise<Outcome> {
	const service = new DrawnService({ ...habits, records: [...habits.records] });
	let state = seed;
	let inFlight = 0;
	let maxInFlight = 0;
	const reading = listRecords<JsonObject>({
		resource: 'user',
		keys: ['users'],
		itemsPath: '',
		firstPage,
		limit,
		mayBeginAfterEnd: limit !== undefined,
		pageSize,
		concurrency,
		maxPages: 0,
		untilStable: false,
		keepAs: (record) => record,
		fetchPage: async (page, size) => {
			if (service.answers.length > TOO_MANY_REQUESTS) throw new Error('The listing does not end.');
			maxInFlight = Math.max(maxInFlight, ++inFlight);
			state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
			for (let turns = state % 7; turns > 0; turns--) await Promise.resolve();
			const { statusCode, body } = service.answer(page, size);
			inFlight--;
			if (statusCode >= 300) {
				throw new ServiceFailure('Refused.', 'Do.', { kind: 'badRequest', statusCode });
			}
			return { statusCode, headers: {}, body };
		},
	});
	const outcome = await reading.then(
		(listing) => {
			const { message, warning } = describeListing({
				...listing.report,
				singular: 'user',
				plural: 'users',
				requests: service.answers.length,
				retries: 0,
				duration: 1,
				wholeList: limit === undefined,
				maxPages: 0,
				untilStable: false,
				missingFields: [],
			});
			const kind: Outcome['kind'] = warning ? 'told' : 'silent';
			return { kind, records: listing.records, listing, message };
		},
		(error: unknown) => {
			if (!(error instanceof ServiceFailure)) throw error;
			return { kind: 'failed' as const, records: [], message: error.message };
		},
	);
	return { ...outcome, service, requests: service.answers.length, maxInFlight };
}
