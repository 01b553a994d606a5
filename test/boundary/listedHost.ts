import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { type HostOptions, MemoryHost, type Run } from '../host/memoryHost';
import {
	type DeepPartial,
	type ForcedResponse,
	type ListSwitches,
	type Resource,
	syntheticRecord,
} from '../reference-service';

/** A host whose service has these records, or as many synthetic ones. */
export async function hostWith(
	seeds: Partial<Record<Resource, number | IDataObject[]>>,
	options: HostOptions = {},
): Promise<MemoryHost> {
	const host = new MemoryHost(options);
	for (const [resource, records] of Object.entries(seeds))
		await host.service.seed(resource as Resource, records as number);
	return host;
}

/** Lists all users, unless the parameters say otherwise. */
export async function list(
	host: MemoryHost,
	parameters: INodeParameters = {},
	settings: Parameters<MemoryHost['execute']>[1] = {},
): Promise<Run> {
	const all = { resource: 'user', operation: 'list', returnAll: true };
	return await host.execute({ ...all, ...parameters }, settings);
}

/** Runs Diagnose. */
export async function diagnose(
	host: MemoryHost,
	options: INodeParameters = {},
	settings: Parameters<MemoryHost['execute']>[1] = {},
) {
	const run = await list(
		host,
		{ resource: 'connection', operation: 'diagnose', options },
		settings,
	);
	return { ...run, finding: (check: string) => run.items.find((one) => one.check === check) };
}

export const listOf = <T>(count: number, make: (index: number) => T): T[] =>
	Array.from({ length: count }, (_, index) => make(index));

export const synthetic = (resource: Resource, count: number, from = 0) =>
	listOf(count, (index) => syntheticRecord(resource, from + index + 1));

export const listRequests = ({ service }: MemoryHost) =>
	service.requests.filter(({ path }) => path.startsWith('/api/'));

export const requestedPages = (host: MemoryHost) => listRequests(host).map(({ query }) => query);

export const tokenRequests = ({ service }: MemoryHost) =>
	service.requests.filter(({ path }) => path === '/auth/app-oauth');

/** Says each response, by the page, its size, and how many were requested before. */
export function stated(
	respond: (page: number, pageSize: number, requestIndex: number) => ForcedResponse,
): DeepPartial<ListSwitches> {
	let requests = 0;
	return {
		respondWith: ({ query: { page = 0, pageSize = 30 } }) =>
			respond(Number(page), Number(pageSize), requests++),
	};
}

/** A page of a list, as a service should cut it. */
export function cut<T>(records: readonly T[], page: number, pageSize: number): T[] {
	return records.slice(page * pageSize, (page + 1) * pageSize);
}
