import { exchangeToken } from '../../../../../credentials/authorization/exchange';
import { LISTED_RESOURCES } from '../../../../../nodes/VisitorService/answer/resources';
import { diagnoseTenant } from '../../../../../nodes/VisitorService/diagnosis/diagnoseTenant';
import type { Check, Finding, Values } from '../../../../../nodes/VisitorService/diagnosis/finding';
import type { Clock, Transport } from '../../../../../nodes/VisitorService/http/message';
import { listRecords } from '../../../../../nodes/VisitorService/listing/listRecords';
import { explainAnswer } from '../../../../../nodes/VisitorService/tenant/refusal';
import type {
	DeepPartial,
	JsonObject,
	RecordedRequest,
	Switches,
} from '../../../../reference-service';
import { memoryTransport } from '../../../../reference-service/memoryTransport';
import { RateLimiter, retryAfter } from '../../../../reference-service/rateLimit';
import { VisitorService } from '../../../../reference-service/service';
import { ImpatientClock } from '../../../../simulation/clock';

/** Where the service seems to be. */
export const SERVICE_URL = 'https://tenant.test';

export interface Personality {
	name: string;
	switches?: DeepPartial<Switches>;
	/** When it is diagnosed, in milliseconds since 1970. Default: now. */
	now?: number;
	/** Milliseconds each answer takes. */
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
	/**
	 * A limit of the rate that keeps to the time of the test, which passes while the diagnosis waits.
	 */
	rateLimit?: { requestsPerSecond: number; burst: number; algorithm: 'bucket' | 'window' };
}

export interface Diagnosed {
	findings: Finding[];
	finding: (check: Check | 'summary') => Finding;
	/** What the service saw, by its own log. */
	requests: readonly RecordedRequest[];
	/** Milliseconds the diagnosis waited. */
	waited: number;
	service: VisitorService;
	transport: Transport;
	/** Issues another token. */
	exchange: () => Promise<string>;
	/** When it was diagnosed, in milliseconds since 1970. */
	startedAt: number;
}

/** Has a service of this personality diagnosed, and hands both over. */
export async function withDiagnosed(
	personality: Personality,
	look: (diagnosed: Diagnosed) => Promise<void> | void,
	prepare?: (service: VisitorService) => void,
): Promise<void> {
	await look(await diagnosed(personality, prepare));
}

/** Diagnoses a service of this personality. */
export async function diagnosed(
	personality: Personality,
	prepare?: (service: VisitorService) => void,
): Promise<Diagnosed> {
	// Only waits let time pass, so that a slow machine changes nothing.
	const { now: start = Date.now(), latency = 0 } = personality;
	const clock = new ImpatientClock(() => start);
	const service = new VisitorService({
		clock: () => clock.now(),
		switches: personality.switches,
	});
	await service.seed('users', personality.users ?? 1300);
	for (const resource of ['companies', 'visits', 'tasks'] as const) {
		await service.seed(resource, 30);
	}
	prepare?.(service);
	const transport = transportTo(service, clock, latency);
	const findings = await diagnoseTenant({
		client: clientOf(service, personality),
		apiUrl: `${SERVICE_URL}/api/external/v2`,
		transport: limited(transport, personality.rateLimit, clock),
		clock,
		random: () => 0.5,
		itemsPath: personality.itemsPath,
	});
	return {
		findings,
		finding: (check) => {
			const found = findings.find((one) => one.check === check);
			if (found === undefined) throw new Error(`There is no finding "${check}".`);
			return found;
		},
		requests: [...service.requests],
		waited: clock.waited,
		service,
		transport,
		exchange: async () => await exchange(service, personality),
		startedAt: start,
	};
}

/** What hangs is given up at once: only the diagnosis itself, and a latency, let time pass. */
function transportTo(service: VisitorService, clock: Clock, latency: number): Transport {
	if (latency > 0) return memoryTransport(service, clock, () => latency / 2);
	return memoryTransport(service, new ImpatientClock());
}

/** What the summary recommends for List Users. */
export function recommendedSettings({ finding }: Diagnosed): Values {
	return finding('summary').setting?.['List Users'] ?? {};
}

/**
 * Lists all users as List Users does with these parameters and options. @throws ServiceFailure as
 * the node
 */
export async function listWithSettings(
	{ transport, exchange: issue }: Diagnosed,
	settings: Values,
): Promise<JsonObject[]> {
	const { keys, segment } = LISTED_RESOURCES.user;
	const number = (name: string, fallback: number) =>
		typeof settings[name] === 'number' ? settings[name] : fallback;
	const text = (name: string) => (typeof settings[name] === 'string' ? settings[name] : '');
	const returnAll = settings.returnAll !== false;
	const page = returnAll ? 0 : number('page', 0);
	const url = `${SERVICE_URL}/api/external/v2/${segment}`;
	let token = await issue();
	const { records } = await listRecords({
		resource: 'user',
		keys,
		limit: returnAll ? undefined : number('limit', 50),
		firstPage: page,
		pageSize: number('pageSize', 100),
		concurrency: 1,
		maxPages: number('maxPages', 0),
		itemsPath: text('itemsPath'),
		keepAs: (record) => record,
		untilStable: false,
		fetchPage: async (number_, pageSize) => {
			const sort = text('sort');
			const ask = async () =>
				await transport({
					method: 'GET',
					url,
					headers: { authorization: `Bearer ${token}` },
					query: { page: number_, pageSize, ...(sort !== '' && { sort }) },
					timeout: 5000,
				});
			let answer = await ask();
			if (answer.statusCode === 401 || answer.statusCode === 403) {
				token = await issue();
				answer = await ask();
			}
			const failure = explainAnswer(answer, `https://tenant.example.test/${segment}`, () => [], 0);
			if (failure !== undefined) throw failure;
			return answer;
		},
	});
	return records as JsonObject[];
}

async function exchange(service: VisitorService, credential: Credential): Promise<string> {
	const { accessToken } = await exchangeToken(clientOf(service, credential), {
		transport: transportTo(service, new ImpatientClock(), 0),
		clock: new ImpatientClock(),
		random: () => 0.5,
	});
	return accessToken;
}

type Credential = Pick<Personality, 'clientSecret' | 'answerPath'>;

function clientOf(
	service: VisitorService,
	{ clientSecret = service.clientSecret, answerPath = '' }: Credential,
) {
	return {
		authUrl: SERVICE_URL,
		clientId: service.clientId,
		clientSecret,
		answerPath,
		scope: '',
		audience: '',
		allowUnauthorizedCerts: false,
	};
}

/** A gateway in front of the service that limits list requests. */
function limited(transport: Transport, limit: Personality['rateLimit'], clock: Clock): Transport {
	if (limit === undefined) return transport;
	const limiter = new RateLimiter();
	const rules = {
		...limit,
		concurrent: 0,
		status: 429,
		retryAfter: 'seconds' as const,
		headers: 'none' as const,
		body: null,
	};
	return async (asked) => {
		if (asked.method === 'POST') return await transport(asked);
		const { admitted, wait: untilAdmitted } = limiter.admit(rules, clock.now());
		if (admitted) return await transport(asked);
		const wait = retryAfter('seconds', untilAdmitted, clock.now()) ?? '';
		return {
			statusCode: 429,
			headers: { 'retry-after': wait },
			body: { error: 'too_many_requests' },
		};
	};
}
