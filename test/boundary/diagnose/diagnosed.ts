import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Check, Finding, Values } from '../../../nodes/VisitorService/diagnosis/finding';
import type { JsonObject as User } from '../../../nodes/VisitorService/values/json';
import { MemoryHost } from '../../host/memoryHost';
import type {
	DeepPartial,
	ErrorResponse,
	ForcedResponse,
	JsonObject,
	JsonValue,
	ListRequest,
	RecordedRequest,
	Switches,
} from '../../reference-service';
import type { VisitorService } from '../../reference-service/service';

export interface Personality {
	name: string;
	switches?: DeepPartial<Switches>;
	/** When it is diagnosed, in milliseconds since 1970. */
	now?: number;
	/** Milliseconds each response takes. */
	latency?: number;
	/** Items Path of Diagnose. */
	itemsPath?: string;
	/**
	 * How many users there are, or these. Default 1,300, which is more than any page holds that is
	 * asked for.
	 */
	users?: number | JsonObject[];
	/** Set where the credential holds another one. */
	clientSecret?: string;
	/** Token Field of the credential. */
	answerPath?: string;
}

/** What a finding shows; null if nothing. */
export type Observed = NonNullable<Finding['observed']> | null;

/** A finding as the items show it, with parameters by their names again. */
export interface ShownFinding extends Omit<Finding, 'observed' | 'setting'> {
	observed: Observed;
	setting: Readonly<Record<string, Values>> | null;
}

export interface Diagnosed {
	host: MemoryHost;
	service: VisitorService;
	findings: ShownFinding[];
	finding: (check: Check | 'summary') => ShownFinding;
	/** What the service saw of the diagnosis. */
	requests: readonly RecordedRequest[];
	/** Milliseconds the diagnosis took. */
	took: number;
	/** What List Users returns with these parameters and options; undefined if it fails. */
	list: (settings: Values) => Promise<IDataObject[] | undefined>;
}

/** Has the node diagnose a service of this personality, in memory. */
export async function diagnosed(
	personality: Personality,
	prepare?: (service: VisitorService) => void,
): Promise<Diagnosed> {
	const { answerPath = '', clientSecret, itemsPath, latency = 0, now, switches } = personality;
	const host = new MemoryHost({ switches, startsAt: now, latency: () => latency / 2 });
	const { service } = host;
	const changed = { answerPath, ...(clientSecret !== undefined && { clientSecret }) };
	host.credentials.put('one', host.credential(changed));
	await service.seed('users', personality.users ?? 1300);
	for (const resource of ['companies', 'visits', 'tasks'] as const) {
		await service.seed(resource, 30);
	}
	prepare?.(service);
	const startedAt = host.time.now();
	const options = itemsPath === undefined ? {} : { itemsPath };
	const requested = { resource: 'connection', operation: 'diagnose', options };
	const { error, items } = await host.execute(requested);
	if (error !== undefined) throw error;
	const findings = items.map((item) => shownFinding(item as unknown as Finding));
	return {
		...{ host, service, findings, requests: [...service.requests] },
		finding: (check) => {
			const found = findings.find((one) => one.check === check);
			if (found === undefined) throw new Error(`There is no finding "${check}".`);
			return found;
		},
		took: host.time.now() - startedAt,
		list: async (settings) => await listWith(host, settings),
	};
}

export function shownFinding({ observed, setting, ...finding }: Finding): ShownFinding {
	const named = Object.entries(setting ?? {}).map(([node, values]) => [node, byName(values)]);
	return {
		...finding,
		observed: observed ?? null,
		setting: setting === undefined ? null : (Object.fromEntries(named) as typeof setting),
	};
}

const OPTION_VALUES: Values = { 'Epoch Milliseconds': 'epochMs', 'Epoch Seconds': 'epochS' };

function byName(values: Values): Values {
	const nameOf = (label: string) =>
		label.replaceAll(' ', '').replace(/^./, (first) => first.toLowerCase());
	return Object.fromEntries(
		Object.entries(values).map(([label, value]) => [
			nameOf(label),
			OPTION_VALUES[String(value)] ?? value,
		]),
	);
}

/** What List Users returns with these settings; undefined if it fails. */
export async function listWith(
	host: MemoryHost,
	settings: Values,
): Promise<IDataObject[] | undefined> {
	const { returnAll = true, page, limit, ...options } = settings;
	const chosen: INodeParameters = {
		...{ returnAll, options },
		...(returnAll === false && { page, limit }),
	};
	// Nobody runs it in the millisecond in which an earlier run got its token.
	await host.time.during(async () => await host.time.sleep(60_000));
	const { error, items } = await host.execute(chosen);
	return error === undefined ? items : undefined;
}

/** A tenant whose users a function returns, for what the switches do not say. */
export interface FunctionTenant extends Pick<Personality, 'name' | 'latency' | 'itemsPath'> {
	users: readonly User[];
	/** What a call to the users list gets once its token is accepted. */
	list: (requested: ListQuery, users: readonly User[]) => ForcedResponse;
	/** Called before each request to the users list, with its number: the list changes meanwhile. */
	beforeRequest?: (number: number, users: User[]) => void;
	/** What a bad or revoked token gets. Default 401. */
	badToken?: ErrorResponse;
	/** Where a redirect leads. */
	location?: string;
	/** Whether a new token ends the old one. */
	revokesTokens?: boolean;
	/** How many requests a token is good for. Default: any number. */
	lifetimeRequests?: number;
	/** `expires_in` of tokens; they say nothing of their lifetime without it. */
	expiresIn?: number;
	/** Path segment of the companies, and what it responds. Default: there is no such path. */
	companies?: { segment: string; response: ForcedResponse };
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
export function response(status: number, body: unknown = {}): ForcedResponse {
	return { status, body: body as JsonValue };
}

/** Users with IDs and update times one after the other, the first one changed first. */
export function usersOf(count: number, apart = 60_000, end = NOW - 86_400_000): User[] {
	return Array.from({ length: count }, (_, index) => ({
		id: `user-${String(index + 1).padStart(5, '0')}`,
		lastName: `name-${String((index * 7919) % 100_003).padStart(6, '0')}`,
		updatedAt: new Date(end - (count - 1 - index) * apart).toISOString(),
	}));
}

/** One page of a list. @param first number of the first page */
export function slice<T>(users: readonly T[], page: number, size: number, first = 0): T[] {
	return users.slice((page - first) * size, (page - first + 1) * size);
}

/** Diagnoses a tenant whose users a function returns. */
export async function diagnosedFunction(tenant: FunctionTenant): Promise<Diagnosed> {
	const users = [...tenant.users];
	let requested = 0;
	const { badToken = { status: 401, body: 'empty' }, companies, expiresIn, location } = tenant;
	const respondWith = ({ resource, query }: ListRequest) => {
		if (resource === 'companies') return companies?.response ?? response(404);
		tenant.beforeRequest?.(++requested, users);
		const number = (name: string) => (query[name] === undefined ? undefined : Number(query[name]));
		const { sort, updatedSince } = query;
		return tenant.list(
			{ page: number('page'), pageSize: number('pageSize'), sort, updatedSince },
			users,
		);
	};
	const { name, latency, itemsPath } = tenant;
	return await diagnosed({
		...{ name, latency, itemsPath, now: NOW, users: 0 },
		switches: {
			extraHeaders: location === undefined ? null : { location },
			token: {
				revokePrevious: tenant.revokesTokens ?? false,
				lifetimeRequests: tenant.lifetimeRequests ?? 0,
				expiresIn: expiresIn === undefined ? 'missing' : { value: expiresIn },
			},
			authorization: { invalid: badToken, missing: badToken, wwwAuthenticate: false },
			list: {
				paths: { companies: companies?.segment ?? null, visits: null, tasks: null },
				respondWith,
			},
		},
	});
}
