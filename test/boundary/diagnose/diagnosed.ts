import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Check, Finding, Values } from '../../../nodes/VisitorService/diagnosis/finding';
import type { MemoryHost } from '../../host/memoryHost';
import type {
	DeepPartial,
	ForcedResponse,
	JsonObject,
	JsonValue,
	ListRequest,
	Switches,
} from '../../reference-service';
import type { VisitorService } from '../../reference-service/service';
import { diagnose, hostWith } from '../listedHost';

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
	/** Token Field of the credential. */
	answerPath?: string;
	/** What a call to a list gets once its token is accepted, for what no switch says. */
	respond?: (requested: ListQuery, users: ReadonlyArray<Record<string, unknown>>) => ForcedResponse;
}

/** The query of a list request: numbers are read, what is not set is undefined. */
interface ListQuery {
	page?: number;
	pageSize?: number;
	sort?: string;
	updatedSince?: string;
}

/** What a finding shows; null if nothing. */
export type Observed = NonNullable<Finding['observed']> | null;

/** A finding as the items show it, with parameters by their names again. */
export interface ShownFinding extends Omit<Finding, 'observed' | 'setting'> {
	observed: Observed;
	setting: Readonly<Record<string, Values>> | null;
}

export type Diagnosed = Awaited<ReturnType<typeof diagnosed>>;

/** Has the node diagnose a service of this personality, in memory. */
export async function diagnosed(
	personality: Personality,
	prepare?: (service: VisitorService) => void,
) {
	const { answerPath = '', itemsPath, latency = 0, now, switches, users = 1300 } = personality;
	const lists = { users, companies: 30, visits: 30, tasks: 30 };
	const host = await hostWith(lists, { switches, startsAt: now, latency: () => latency / 2 });
	const { service } = host;
	host.credentials.put('one', host.credential({ answerPath }));
	prepare?.(service);
	const startedAt = host.time.now();
	const { error, items } = await diagnose(host, itemsPath === undefined ? {} : { itemsPath });
	if (error !== undefined) throw error;
	const findings = items.map((item) => shownFinding(item as unknown as Finding));
	return {
		...{ host, service, findings },
		/** What the service saw of the diagnosis. */
		requests: [...service.requests],
		finding: (check: Check | 'summary') => {
			const found = findings.find((one) => one.check === check);
			if (found === undefined) throw new Error(`There is no finding "${check}".`);
			return found;
		},
		/** Milliseconds the diagnosis took. */
		took: host.time.now() - startedAt,
		list: async (settings: Values) => await listWith(host, settings),
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

export const NOW = Date.UTC(2026, 5, 1, 12);

/** @param body anything that JSON can hold */
export function response(status: number, body: unknown = {}): ForcedResponse {
	return { status, body: body as JsonValue };
}

/** Users with IDs and update times one after the other, the first one changed first. */
export function usersOf(count: number, apart = 60_000, end = NOW - 86_400_000) {
	return Array.from({ length: count }, (_, index) => ({
		id: `user-${String(index + 1).padStart(5, '0')}`,
		lastName: `name-${String((index * 7919) % 100_003).padStart(6, '0')}`,
		updatedAt: new Date(end - (count - 1 - index) * apart).toISOString(),
	}));
}

/** No other lists, no Sort, and nothing said of pages and tokens. */
const PLAIN: DeepPartial<Switches> = {
	token: { expiresIn: 'missing' },
	list: {
		...{ metadata: 'none', sortSpellings: [] },
		paths: { companies: null, visits: null, tasks: null },
	},
};

/** Diagnoses a plain tenant of 300 users, but for what is said. */
export async function diagnosedPlain(
	{ respond, switches = {}, users: some = 300, ...odd }: Omit<Personality, 'name'>,
	prepare?: (service: VisitorService) => void,
): Promise<Diagnosed> {
	const users = typeof some === 'number' ? usersOf(some) : some;
	const tenant = { name: '', ...odd, now: NOW, users, switches: PLAIN };
	return await diagnosed(tenant, (service) => {
		service.set(switches);
		if (respond !== undefined)
			service.set({ list: { respondWith: ({ query }) => respond(read(query), users) } });
		prepare?.(service);
	});
}

function read({ page, pageSize, ...query }: ListRequest['query']): ListQuery {
	const number = (text?: string) => (text === undefined ? undefined : Number(text));
	return { ...query, page: number(page), pageSize: number(pageSize) };
}
