import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readClient } from '../../../../../credentials/authorization/client';
import { TokenCoordination } from '../../../../../credentials/authorization/coordination';
import { exchangeToken } from '../../../../../credentials/authorization/exchange';
import {
	readStoredToken,
	storeToken,
	type Token,
} from '../../../../../credentials/authorization/storage';
import type { HttpRequest, Transport } from '../../../../../nodes/VisitorService/http/message';
import { HeldCredential } from '../../../../../nodes/VisitorService/tenant/heldCredential';
import { withTokenRenewal } from '../../../../../nodes/VisitorService/tenant/tokenRenewal';
import { type Resource, resources } from '../../../../reference-service';
import { memoryTransport } from '../../../../reference-service/memoryTransport';
import { VisitorService } from '../../../../reference-service/service';
import { VirtualClock } from '../../../../simulation/clock';

export interface Traits {
	/** Milliseconds a token lives. */
	lifetime: number;
	/** Whether the token answer names the lifetime. */
	announced: boolean;
	/** Whether a new token makes the service revoke the one before. */
	revoking: boolean;
	/** Status of the answer to a token that is not valid. */
	refusal: number;
	/** Resources that no token may read. */
	forbidden: Resource[];
	/** Milliseconds until half of anything is done: a request, a read or a write of the store. */
	latency: () => number;
	/** A number in [0, 1). */
	random: () => number;
}

/** A service, a credential store, and any number of processes that use both, in virtual time. */
export class SimulatedProcesses {
	readonly clock = new VirtualClock(Date.UTC(2026, 0, 1));

	readonly service: VisitorService;

	reads = 0;

	writes = 0;

	/** What the store holds. */
	stored: ICredentialDataDecryptedObject = {
		authUrl: 'https://auth.example.com',
		baseUrl: 'https://tenant.example.com',
		clientId: 'client',
		clientSecret: 'synthetic-secret-0001',
		tokenState: '',
		accessToken: '',
	};

	private readonly traits: Traits;

	private readonly send: Transport;

	constructor(traits: Partial<Traits> = {}) {
		this.traits = {
			lifetime: 3_600_000,
			announced: true,
			revoking: false,
			refusal: 401,
			forbidden: [],
			latency: () => 0,
			random: () => 0.5,
			...traits,
		};
		const { lifetime, announced, revoking, refusal, forbidden, latency } = this.traits;
		this.service = new VisitorService({
			clientId: 'client',
			clientSecret: 'synthetic-secret-0001',
			clock: () => this.clock.now(),
			switches: {
				token: {
					prefix: 'token-',
					lifetimeSeconds: lifetime / 1000,
					expiresIn: announced ? 'number' : 'missing',
					revokePrevious: revoking,
				},
				authorization: {
					invalid: { status: refusal },
					expired: { status: refusal },
					permission: resources.filter((resource) => !forbidden.includes(resource)),
				},
			},
		});
		this.send = memoryTransport(this.service, this.clock, latency);
	}

	get exchanges(): number {
		return this.service.tokensIssued;
	}

	/** How often each status was the answer to a list request. */
	get answers(): Record<number, number> {
		const counts: Record<number, number> = {};
		for (const { status } of this.listRequests) counts[status] = (counts[status] ?? 0) + 1;
		return counts;
	}

	/** The numbers of tokens in the order they were refused. */
	get refused(): Array<number | undefined> {
		return this.listRequests
			.filter(({ status }) => status === this.traits.refusal)
			.map(({ tokenNumber }) => tokenNumber);
	}

	private get listRequests() {
		return this.service.requests.filter(({ method }) => method === 'GET');
	}

	/** @returns a function that opens a connection, as each listing does */
	process(): () => Promise<Transport> {
		const coordination = new TokenCoordination();
		return async () => {
			const credential = new HeldCredential(await this.read(), {
				transportWith: (fields) => this.host(coordination, fields),
				read: async () => await this.read(),
				coordination,
				now: () => this.clock.now(),
			});
			return withTokenRenewal(credential, this.clock, this.traits.random);
		};
	}

	/** What n8n does with a request: see `credentials-helper.js` of 2.41. */
	private host(coordination: TokenCoordination, fields: ICredentialDataDecryptedObject): Transport {
		return async (request) => {
			if (fields.tokenState === '') {
				const client = readClient(fields);
				const token = await coordination.tokenFor(
					client,
					readStoredToken(fields),
					this.clock.now(),
					async () =>
						await exchangeToken(client, {
							transport: this.send,
							clock: this.clock,
							random: () => 0.5,
						}),
				);
				const output = storeToken(token, fields, this.clock.now());
				await this.write(output);
				Object.assign(fields, output);
			}
			const token = readStoredToken(fields);
			if (token === undefined) throw new Error('A request without a token was sent.');
			return await this.send({ ...request, headers: authorized(token) });
		};
	}

	private async read(): Promise<ICredentialDataDecryptedObject> {
		this.reads++;
		await this.pause();
		const fields = { ...this.stored };
		await this.pause();
		return fields;
	}

	private async write(change: ICredentialDataDecryptedObject): Promise<void> {
		this.writes++;
		await this.pause();
		this.stored = { ...this.stored, ...change };
		await this.pause();
	}

	private async pause(): Promise<void> {
		const milliseconds = this.traits.latency();
		if (milliseconds > 0) await this.clock.sleep(milliseconds);
	}

	revokeAll(): void {
		this.service.revokeTokens();
	}
}

function authorized({ accessToken }: Token): Record<string, string> {
	return { Authorization: `Bearer ${accessToken}` };
}

export const LIST: HttpRequest = {
	method: 'GET',
	url: 'https://tenant.example.com/api/external/v2/users',
	timeout: 30_000,
};
