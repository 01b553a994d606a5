import { describeListing } from '../../../../../nodes/VisitorService/listing/describeListing';
import {
	type Listing,
	type ListingRequest,
	listRecords,
} from '../../../../../nodes/VisitorService/listing/listRecords';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';

export interface AnsweredReading {
	listing: Listing<JsonObject>;
	requests: number;
	/** The hint, and whether it is a warning. */
	message: string;
	warning: boolean;
}

/**
 * Reads a list of which every answer is said, for habits that no service should have.
 *
 * @param answer the body for a page, or a promise of it; `asked` counts the requests before this
 *   one
 */
export async function readAnswers(
	answer: (page: number, pageSize: number, asked: number) => unknown,
	wish: Partial<ListingRequest<JsonObject>> = {},
): Promise<AnsweredReading> {
	let requests = 0;
	const listing = await listRecords<JsonObject>({
		resource: 'user',
		keys: ['users'],
		itemsPath: '',
		firstPage: 0,
		pageSize: 10,
		concurrency: 1,
		maxPages: 0,
		untilStable: false,
		keepAs: (record) => record,
		...wish,
		fetchPage: async (page, pageSize) => {
			const body = JSON.stringify(await answer(page, pageSize, requests++));
			return await Promise.resolve({
				statusCode: 200,
				headers: {},
				body: JSON.parse(body) as unknown,
			});
		},
	});
	const hint = describeListing({
		...listing.report,
		singular: 'user',
		plural: 'users',
		requests,
		retries: 0,
		duration: 1,
		wholeList: wish.limit === undefined,
		maxPages: wish.maxPages ?? 0,
		untilStable: wish.untilStable ?? false,
		missingFields: [],
	});
	return { listing, requests, ...hint };
}

/** A page of a list, as a service should cut it. */
export function cut<T>(records: readonly T[], page: number, pageSize: number): T[] {
	return records.slice(page * pageSize, (page + 1) * pageSize);
}

/** What a record holds beside its ID. */
export const named = (place: number): JsonObject => ({ name: `User ${place}`, floor: place % 4 });
/** Records with an ID, and the same ones without. */
export const KINDS: ReadonlyArray<[string, (place: number) => JsonObject]> = [
	['with IDs', (place) => ({ id: `user-${place}`, ...named(place) })],
	['without IDs', named],
];

export const listOf = (count: number, record: (place: number) => JsonObject): JsonObject[] =>
	Array.from({ length: count }, (_, place) => record(place));
