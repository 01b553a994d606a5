import type { PageAnswer } from '../../../../../nodes/VisitorService/answer/pageReader';
import { LISTED_RESOURCES } from '../../../../../nodes/VisitorService/answer/resources';
import {
	type UpdatedSinceFormat,
	writeUpdatedSince,
} from '../../../../../nodes/VisitorService/answer/updatedSince';
import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import type { OpenedList } from '../../../../../nodes/VisitorService/polling/open';
import { poll } from '../../../../../nodes/VisitorService/polling/poll';
import { explainAnswer } from '../../../../../nodes/VisitorService/tenant/refusal';
import { ImpatientClock } from '../../../../simulation/clock';
import { type Diagnosed, SERVICE_URL } from './diagnosedService';

const { segment, keys, name, plural } = LISTED_RESOURCES.user;
const MINUTE = 60_000;

/** What the first poll of the Polling Trigger finds out of a list of users. */
export type Polled =
	| { kind: 'opened'; list: OpenedList }
	| { kind: 'nobody' }
	| { kind: 'failed'; failure: Error };

/** Opens the list of a diagnosed service as the Polling Trigger does. */
export async function polledService(
	{ exchange, transport, startedAt }: Diagnosed,
	format: UpdatedSinceFormat,
	{ itemsPath = '', pageSize = 100 }: { itemsPath?: string; pageSize?: number } = {},
): Promise<Polled> {
	const clock = new ImpatientClock(() => startedAt);
	const url = `${SERVICE_URL}/api/external/v2/${segment}`;
	let token = await exchange();
	const ask = async (query: Record<string, string | number>) =>
		await transport({
			method: 'GET',
			url,
			headers: { authorization: `Bearer ${token}` },
			query,
			timeout: 5000,
		});
	const fetchPage = async (page: number, pageSize: number, since?: number): Promise<PageAnswer> => {
		const updatedSince = since === undefined ? undefined : writeUpdatedSince(since, format);
		const query = { page, pageSize, ...(updatedSince !== undefined && { updatedSince }) };
		let answer = await ask(query);
		if (answer.statusCode === 401 || answer.statusCode === 403) {
			token = await exchange();
			answer = await ask(query);
		}
		const failure = explainAnswer(answer, url, () => [], clock.now());
		if (failure !== undefined) throw failure;
		return answer;
	};
	const source = {
		service: 'tenant-1',
		names: { name, plural },
		keys,
		itemsPath,
		fetchPage,
		now: () => clock.now(),
		mayReadOn: () => true,
		pause: async (milliseconds: number) => await clock.sleep(milliseconds),
	};
	const settings = {
		triggerOn: 'createdOrUpdated' as const,
		ignoreFields: [],
		holds: () => true,
		acceptsUpdatedSince: true,
		paths: { id: '', updatedAt: '', createdAt: '' },
		pageSize,
		overlap: 5 * MINUTE,
		maxItems: 10_000,
	};
	try {
		const { cursor } = await poll(source, settings, undefined);
		return cursor.list === undefined ? { kind: 'nobody' } : { kind: 'opened', list: cursor.list };
	} catch (failure) {
		// A connection that broke is an error of its own.
		if (failure instanceof ServiceFailure || (failure instanceof Error && 'code' in failure)) {
			return { kind: 'failed', failure };
		}
		throw failure;
	}
}
