import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readClient } from '../../../../../credentials/authorization/credentialFields';
import type { Token } from '../../../../../credentials/authorization/token';
import { TokenCoordination } from '../../../../../credentials/authorization/tokenCoordination';
import { exchangeToken } from '../../../../../credentials/authorization/tokenExchange';
import { readStoredToken, storeToken } from '../../../../../credentials/authorization/tokenStorage';
import { HeldCredential } from '../../../../../nodes/VisitorService/transport/heldCredential';
import type {
	HttpAnswer,
	HttpRequest,
	Transport,
} from '../../../../../nodes/VisitorService/transport/httpMessage';
import { withTokenRenewal } from '../../../../../nodes/VisitorService/transport/tokenRenewal';
import { VirtualClock } from './virtualClock';

export interface Traits {
	/** Milliseconds a token lives. */
	lifetime: number;
	/** Whether the token answer names the lifetime. */
	announced: boolean;
	/** Whether a new token makes the service revoke the one before. */
	revoking: boolean;
	/** Status of the answer to a token that is not valid. */
	refusal: number;
	/** Addresses that no token may read. */
	forbidden: string[];
	/** Milliseconds until half of anything is done: a request, a read or a write of the store. */
	latency: () => number;
	/** A number in [0, 1). */
	random: () => number;
}

/** A service, a credential store, and any number of processes that use both, in virtual time. */
export class SimulatedProcesses {
	readonly clock = new VirtualClock(Date.UTC(2026, 0, 1));

	exchanges = 0;

	/** Answers by status. */
	readonly answers: Record<number, number> = {};

	/** Tokens in the order they were refused. */
	readonly refused: string[] = [];

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

	private readonly validUntil = new Map<string, number>();

	readonly traits: Traits;

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
							transport: this.authorizationServer,
							clock: this.clock,
							random: () => 0.5,
						}),
				);
				const output = storeToken(token, fields);
				await this.write(output);
				Object.assign(fields, output);
			}
			const token = readStoredToken(fields);
			if (token === undefined) throw new Error('A request without a token was sent.');
			return await this.tenant(request, token);
		};
	}

	private readonly authorizationServer: Transport = async () => {
		await this.pause();
		const token = `token-${++this.exchanges}`;
		if (this.traits.revoking) this.validUntil.clear();
		this.validUntil.set(token, this.clock.now() + this.traits.lifetime);
		await this.pause();
		return {
			statusCode: 200,
			headers: {},
			body: {
				access_token: token,
				...(this.traits.announced && { expires_in: this.traits.lifetime / 1000 }),
			},
		};
	};

	private async tenant({ url }: HttpRequest, { accessToken }: Token): Promise<HttpAnswer> {
		await this.pause();
		const valid = this.clock.now() < (this.validUntil.get(accessToken) ?? 0);
		if (!valid) this.refused.push(accessToken);
		const allowed = valid && !this.traits.forbidden.includes(url);
		const statusCode = allowed ? 200 : valid ? 403 : this.traits.refusal;
		this.answers[statusCode] = (this.answers[statusCode] ?? 0) + 1;
		await this.pause();
		return { statusCode, headers: {}, body: { data: [] } };
	}

	private async read(): Promise<ICredentialDataDecryptedObject> {
		this.reads++;
		await this.pause();
		const fields = { ...this.stored };
		// What n8n's expression engine makes of the state.
		if (typeof fields.tokenState === 'string' && fields.tokenState.startsWith('=')) {
			fields.tokenState = this.clock.now() < Number(fields.renewAt) ? 'valid' : '';
		}
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
		this.validUntil.clear();
	}
}

export const LIST: HttpRequest = {
	method: 'GET',
	url: 'https://tenant.example.com/api/external/v2/users',
	timeout: 30_000,
};
