import { LISTED_RESOURCES } from '../../../../../nodes/VisitorService/answer/resources';
import { diagnoseTenant } from '../../../../../nodes/VisitorService/diagnosis/diagnoseTenant';
import type { Check, Finding, Values } from '../../../../../nodes/VisitorService/diagnosis/finding';
import type {
	HttpAnswer,
	HttpRequest,
	Transport,
} from '../../../../../nodes/VisitorService/http/message';
import { listRecords } from '../../../../../nodes/VisitorService/listing/listRecords';
import { explainAnswer } from '../../../../../nodes/VisitorService/tenant/refusal';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { ImpatientClock } from '../../../../simulation/clock';

/** A tenant in memory, for what the switches of the reference service do not say. */
export interface MemoryTenant {
	name: string;
	users: readonly JsonObject[];
	/** What a call to the users list gets once its token is accepted. */
	list: (asked: ListQuery, users: readonly JsonObject[]) => HttpAnswer;
	/** Called before each request to the users list, with its number: the list changes meanwhile. */
	beforeRequest?: (number: number, users: JsonObject[]) => void;
	/** What a bad or revoked token gets. Default 401. */
	badToken?: () => HttpAnswer;
	/** Whether a new token ends the old one. */
	revokesTokens?: boolean;
	/** What other paths than `users` get. Default 404. */
	other?: (segment: string) => HttpAnswer | undefined;
	tokenAnswer?: JsonObject;
	/** Milliseconds each answer takes. */
	latency?: number;
	/** Items Path of Diagnose. */
	itemsPath?: string;
}

/** The query of a list request: numbers are read, what is not set is undefined. */
export interface ListQuery {
	page?: number;
	pageSize?: number;
	sort?: string;
	updatedSince?: string;
}

export const NOW = Date.UTC(2026, 5, 1, 12);

export function answer(statusCode: number, body: unknown = {}, headers = {}): HttpAnswer {
	return { statusCode, headers, body };
}

/** Users with IDs and update times one after the other, the first one changed first. */
export function usersOf(count: number, apart = 60_000, end = NOW - 86_400_000): JsonObject[] {
	return Array.from({ length: count }, (_, place) => ({
		id: `user-${String(place + 1).padStart(5, '0')}`,
		lastName: `name-${String((place * 7919) % 100_003).padStart(6, '0')}`,
		updatedAt: new Date(end - (count - 1 - place) * apart).toISOString(),
	}));
}

/** One page of a list. @param first number of the first page */
export function slice<T>(users: readonly T[], page: number, size: number, first = 0): T[] {
	return users.slice((page - first) * size, (page - first + 1) * size);
}

interface Run {
	findings: Finding[];
	finding: (check: Check | 'summary') => Finding;
	requests: number;
	list: (values: Values) => Promise<JsonObject[]>;
}

/** Diagnoses a tenant, and lists its users as List Users does. */
export async function diagnoseInMemory(tenant: MemoryTenant): Promise<Run> {
	const clock = new ImpatientClock(() => NOW);
	const users = [...tenant.users];
	let issued = 0;
	let requests = 0;
	let number = 0;
	const respond = ({ method, url, headers, query = {} }: HttpRequest): HttpAnswer => {
		if (method === 'POST') {
			issued++;
			return answer(200, { ...tenant.tokenAnswer, access_token: `token-${issued}` });
		}
		const [, token = ''] = /^Bearer token-(\d+)$/.exec(headers?.Authorization ?? '') ?? [];
		const isGood = Number(token) > 0 && (!tenant.revokesTokens || Number(token) === issued);
		if (!isGood) return (tenant.badToken ?? (() => answer(401)))();
		const segment = url.split('/').at(-1) ?? '';
		if (segment !== 'users') return tenant.other?.(segment) ?? answer(404);
		tenant.beforeRequest?.(++number, users);
		const read = (name: string) => (query[name] === undefined ? undefined : Number(query[name]));
		const text = (name: string) => (query[name] === undefined ? undefined : String(query[name]));
		return tenant.list(
			{
				page: read('page'),
				pageSize: read('pageSize'),
				sort: text('sort'),
				updatedSince: text('updatedSince'),
			},
			users,
		);
	};
	const transport: Transport = async (request) => {
		requests++;
		await clock.sleep((tenant.latency ?? 0) / 2);
		const { headers, ...given } = respond(request);
		const date = new Date(Math.floor(clock.now() / 1000) * 1000).toUTCString();
		await clock.sleep((tenant.latency ?? 0) / 2);
		return { ...given, headers: { date, ...headers } };
	};
	const findings = await diagnoseTenant({
		client: { authUrl: 'https://auth.test', clientId: 'a', clientSecret: 'b-0001', tokenField: '' },
		address: 'https://tenant.test/api/external/v2',
		transport,
		clock,
		random: () => 0.5,
		itemsPath: tenant.itemsPath,
	});
	const asked = requests;
	return {
		findings,
		requests: asked,
		finding: (check) => {
			const found = findings.find((one) => one.check === check);
			if (found === undefined) throw new Error(`There is no finding "${check}".`);
			return found;
		},
		list: async (values) => {
			const { name, keys } = LISTED_RESOURCES.user;
			const page = values.returnAll === false ? Number(values.page ?? 0) : 0;
			const { records } = await listRecords({
				resource: name,
				keys,
				limit: values.returnAll === false ? Number(values.limit ?? 50) : undefined,
				firstPage: page,
				mayBeginBehindEnd: page > 0,
				pageSize: Number(values.pageSize ?? 100),
				concurrency: 1,
				maxPages: Number(values.maxPages ?? 0),
				itemsPath: String(values.itemsPath ?? ''),
				untilStable: false,
				keepAs: (record) => record,
				fetchPage: async (number_, pageSize) => {
					const got = await transport({
						method: 'GET',
						url: 'https://tenant.test/api/external/v2/users',
						headers: { Authorization: `Bearer token-${issued}` },
						query: {
							page: number_,
							pageSize,
							...(values.sort !== undefined && { sort: String(values.sort) }),
						},
						timeout: 1000,
					});
					const failure = explainAnswer(got, '/users', [], clock.now());
					if (failure !== undefined) throw failure;
					return got;
				},
			});
			return records;
		},
	};
}
