import { diagnoseTenant } from '../../../../../nodes/VisitorService/diagnosis/diagnoseTenant';
import type { Check, Finding } from '../../../../../nodes/VisitorService/diagnosis/finding';
import { listRecords } from '../../../../../nodes/VisitorService/listing/listRecords';
import { LISTED_RESOURCES } from '../../../../../nodes/VisitorService/listing/resources';
import { explainAnswer } from '../../../../../nodes/VisitorService/transport/answerFailure';
import type { Clock, Transport } from '../../../../../nodes/VisitorService/transport/httpMessage';
import { httpTransport } from '../../../../diagnose/httpTransport';
import {
	type DeepPartial,
	type JsonObject,
	type ReferenceService,
	type Switches,
	startReferenceService,
} from '../../../../reference-service';
import { RateLimiter, retryAfter } from '../../../../reference-service/rateLimit';

/** Milliseconds; longer waits than this are not part of a test. */
const LONGEST_WAIT = 300;

const send = httpTransport(LONGEST_WAIT);

export interface Personality {
	name: string;
	switches?: DeepPartial<Switches>;
	/** How many users there are, or these. Default 1,300, which is more than any page holds that is asked for. */
	users?: number | JsonObject[];
	/** Set where the credential holds another one. */
	clientSecret?: string;
	/** A limit of the rate that keeps to the time of the test, which passes while the diagnosis waits. */
	rateLimit?: { requestsPerSecond: number; burst: number; algorithm: 'bucket' | 'window' };
}

export interface Diagnosed {
	findings: Finding[];
	finding: (check: Check | 'summary') => Finding;
	/** What the service saw, by its own log. */
	requests: ReferenceService['requests'];
	/** Milliseconds the diagnosis waited. */
	waited: number;
	service: ReferenceService;
	transport: Transport;
}

/** A clock whose time passes by itself, and at once where somebody waits. */
class ImpatientClock implements Clock {
	waited = 0;

	now(): number {
		return Date.now() + this.waited;
	}

	async sleep(milliseconds: number): Promise<void> {
		this.waited += milliseconds;
		await Promise.resolve();
	}
}

/** Starts a service of this personality, has it diagnosed, and hands both over; the service is stopped afterwards. */
export async function withDiagnosed(
	personality: Personality,
	look: (diagnosed: Diagnosed) => Promise<void> | void,
	prepare?: (service: ReferenceService) => void,
): Promise<void> {
	const clock = new ImpatientClock();
	const service = await startReferenceService({
		durable: false,
		clock: () => clock.now(),
		switches: personality.switches,
	});
	try {
		await service.seed('users', personality.users ?? 1300);
		for (const resource of ['companies', 'visits', 'tasks'] as const) {
			await service.seed(resource, 30);
		}
		prepare?.(service);
		const transport = limited(send, personality.rateLimit, clock);
		const findings = await diagnoseTenant({
			client: clientOf(service, personality.clientSecret),
			address: `${service.url}/api/external/v2`,
			transport,
			clock,
			random: () => 0.5,
		});
		await look({
			findings,
			finding: (check) => {
				const found = findings.find((one) => one.check === check);
				if (found === undefined) throw new Error(`There is no finding "${check}".`);
				return found;
			},
			requests: [...service.requests],
			waited: clock.waited,
			service,
			transport: send,
		});
	} finally {
		await service.stop();
	}
}

/** Lists all users as List Users does with these options pasted. */
export async function listWithSettings(
	{ service }: Diagnosed,
	settings: Readonly<Record<string, unknown>>,
): Promise<JsonObject[]> {
	const { keys, segment } = LISTED_RESOURCES.user;
	const number = (name: string, fallback: number) =>
		typeof settings[name] === 'number' ? settings[name] : fallback;
	const text = (name: string) => (typeof settings[name] === 'string' ? settings[name] : '');
	const returnAll = settings.returnAll !== false;
	const url = `${service.url}/api/external/v2/${segment}`;
	let token = await exchange(service);
	const { records } = await listRecords({
		resource: 'user',
		keys,
		limit: returnAll ? undefined : number('limit', 50),
		firstPage: returnAll ? 0 : number('page', 0),
		pageSize: number('pageSize', 100),
		concurrency: 1,
		maxPages: number('maxPages', 0),
		itemsPath: text('itemsPath'),
		keepAs: (record) => record,
		untilStable: false,
		fetchPage: async (page, pageSize) => {
			const sort = text('sort');
			const ask = async () =>
				await send({
					method: 'GET',
					url,
					headers: { authorization: `Bearer ${token}` },
					query: { page, pageSize, ...(sort !== '' && { sort }) },
					timeout: 5000,
				});
			let answer = await ask();
			if (answer.statusCode === 401 || answer.statusCode === 403) {
				token = await exchange(service);
				answer = await ask();
			}
			const failure = explainAnswer(answer, `/${segment}`, []);
			if (failure !== undefined) throw failure;
			return answer;
		},
	});
	return records as JsonObject[];
}

async function exchange(service: ReferenceService): Promise<string> {
	const { exchangeToken } = await import('../../../../../credentials/authorization/tokenExchange');
	const { accessToken } = await exchangeToken(clientOf(service), {
		transport: send,
		clock: new ImpatientClock(),
		random: () => 0.5,
	});
	return accessToken;
}

function clientOf(service: ReferenceService, clientSecret = service.clientSecret) {
	return { authUrl: service.url, clientId: service.clientId, clientSecret, tokenField: '' };
}

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
		const { admitted, waitMs } = limiter.admit(rules, clock.now());
		if (admitted) return await transport(asked);
		const wait = retryAfter('seconds', waitMs, clock.now()) ?? '';
		return {
			statusCode: 429,
			headers: { 'retry-after': wait },
			body: { error: 'too_many_requests' },
		};
	};
}
