import type { Check, Finding, Values } from '../../../../../nodes/VisitorService/diagnosis/finding';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import type {
	DeepPartial,
	ErrorAnswer,
	ForcedAnswer,
	JsonValue,
	ListRequest,
	Switches,
} from '../../../../reference-service';
import { type Diagnosed, diagnosed, listWithSettings, type Personality } from './diagnosedService';

/**
 * A tenant whose users a function returns, for what the other switches of the service do not say.
 */
export interface MemoryTenant extends Pick<Personality, 'name' | 'latency' | 'itemsPath'> {
	users: readonly JsonObject[];
	/** What a call to the users list gets once its token is accepted. */
	list: (asked: ListQuery, users: readonly JsonObject[]) => ForcedAnswer;
	/** Called before each request to the users list, with its number: the list changes meanwhile. */
	beforeRequest?: (number: number, users: JsonObject[]) => void;
	/** What a bad or revoked token gets. Default 401. */
	badToken?: ErrorAnswer;
	/** Where a redirect leads. */
	location?: string;
	/** Whether a new token ends the old one. */
	revokesTokens?: boolean;
	/** How many requests a token is good for. Default: any number. */
	lifetimeRequests?: number;
	/** `expires_in` of tokens; they say nothing of their lifetime without it. */
	expiresIn?: number;
	/** Path segment of the companies, and what it answers. Default: there is no such path. */
	companies?: { segment: string; answer: ForcedAnswer };
	/** What an unknown path gets. Default 404. */
	unknownPath?: number;
}

/** The query of a list request: numbers are read, what is not set is undefined. */
export interface ListQuery {
	page?: number;
	pageSize?: number;
	sort?: string;
	updatedSince?: string;
}

export const NOW = Date.UTC(2026, 5, 1, 12);

/** @param body anything that JSON can hold */
export function answer(status: number, body: unknown = {}): ForcedAnswer {
	return { status, body: body as JsonValue };
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
	diagnosed: Diagnosed;
}

/** Diagnoses a tenant, and lists its users as List Users does. */
export async function diagnoseInMemory(tenant: MemoryTenant): Promise<Run> {
	const users = [...tenant.users];
	const answered = { users: 0 };
	const switches = switchesOf(tenant, ({ resource, query }) => {
		if (resource === 'companies') return tenant.companies?.answer ?? answer(404);
		tenant.beforeRequest?.(++answered.users, users);
		const number = (name: string) => (query[name] === undefined ? undefined : Number(query[name]));
		const { sort, updatedSince } = query;
		const asked = { page: number('page'), pageSize: number('pageSize'), sort, updatedSince };
		return tenant.list(asked, users);
	});
	const { name, latency, itemsPath } = tenant;
	const run = await diagnosed({ name, latency, itemsPath, now: NOW, users: 0, switches });
	const { findings, finding, requests } = run;
	return {
		findings,
		finding,
		requests: requests.length,
		list: async (values) => await listWithSettings(run, values),
		diagnosed: run,
	};
}

function switchesOf(
	tenant: MemoryTenant,
	answeredBy: (asked: ListRequest) => ForcedAnswer,
): DeepPartial<Switches> {
	const { badToken = { status: 401, body: 'empty' }, companies, expiresIn, location } = tenant;
	return {
		extraHeaders: location === undefined ? null : { location },
		token: {
			revokePrevious: tenant.revokesTokens ?? false,
			lifetimeRequests: tenant.lifetimeRequests ?? 0,
			expiresIn: expiresIn === undefined ? 'missing' : { value: expiresIn },
		},
		authorization: { invalid: badToken, missing: badToken, wwwAuthenticate: false },
		list: {
			paths: { companies: companies?.segment ?? null, visits: null, tasks: null },
			unknownPath: { status: tenant.unknownPath ?? 404, body: 'empty' },
			answeredBy,
		},
	};
}
