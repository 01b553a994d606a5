import type { HttpAnswer, HttpRequest } from '../../../../../nodes/VisitorService/http/message';
import type { DeepPartial, JsonObject, ListSwitches } from '../../../../reference-service';
import { memoryTransport } from '../../../../reference-service/memoryTransport';
import { VisitorService } from '../../../../reference-service/service';
import { ImpatientClock } from '../../../../simulation/clock';

/** A list of users, and the habits of the service that shows it. */
export interface SimulatedList {
	records: JsonObject[];
	habits: DeepPartial<ListSwitches>;
}

/** Pages of any size that say nothing of the list. */
const SILENT: DeepPartial<ListSwitches> = { metadata: 'none', maxPageSize: Infinity };

export function listOf(
	records: number | JsonObject[],
	habits: DeepPartial<ListSwitches> = {},
): SimulatedList {
	return { records: typeof records === 'number' ? numbered(records) : records, habits };
}

/** Records with ids, as obviously synthetic as the numbers they hold. */
export function numbered(count: number, from = 0): Array<{ id: string }> {
	return Array.from({ length: count }, (_, place) => ({ id: `user-${from + place}` }));
}

/** Takes the records at these places out of their pages after the pages were cut. */
export function hidden(...places: number[]): DeepPartial<ListSwitches> {
	return { hiddenAfterPaging: (_, place) => places.includes(place) };
}

export interface ServedList {
	/** The request for a page, as the node sends it. */
	requestFor: (page: number, pageSize: number) => HttpRequest;
	ask: (request: HttpRequest) => Promise<HttpAnswer>;
	/** Called before each page is cut. What it does to the records shows on that page. */
	beforePage: (change: (page: number) => void) => void;
}

/** Asks a service without a network for the list. */
export async function serve({ records, habits }: SimulatedList): Promise<ServedList> {
	const service = new VisitorService({ switches: { list: { ...SILENT, ...habits } } });
	const ask = memoryTransport(service, new ImpatientClock());
	await service.seed('users', records);
	const token = service.issueToken();
	return {
		requestFor: (page, pageSize) => ({
			method: 'GET',
			url: 'https://tenant.example.test/api/external/v2/users',
			headers: { Authorization: `Bearer ${token}` },
			query: { page, pageSize },
			timeout: 1000,
		}),
		ask,
		beforePage: (change) => {
			service.onListRequest(async ({ page }) => {
				change(page);
				await service.seed('users', records);
			});
		},
	};
}
