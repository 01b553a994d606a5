import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { readClient } from '../../../credentials/authorization/client';
import {
	isFresh,
	isNewer,
	readStoredToken,
	type Token,
} from '../../../credentials/authorization/storage';
import { failureOf } from '../failure/failureOf';
import type { Clock, HttpAnswer, HttpRequest, Transport } from '../http/message';
import { forbidsForNow } from '../http/retryTimes';
import { isOverload } from '../http/temporaryStatus';

/** What a held credential asks of n8n. */
export interface CredentialHost {
	/**
	 * Sends with n8n's request helper, which adds the token of this credential data. If its
	 * `tokenState` is '', n8n first exchanges a token, writes it into the data and stores it.
	 */
	transportWith(fields: ICredentialDataDecryptedObject): Transport;
	/** Reads the stored credential. */
	readCredential(): Promise<ICredentialDataDecryptedObject>;
	clock: Clock;
	isList(answer: HttpAnswer): boolean;
}

/** Milliseconds in which another process that has a new token stores it. */
const STORING_TIME = 1000;

interface Held {
	fields: ICredentialDataDecryptedObject;
	token: Token | undefined;
	/** Whether it may be over: it is of an earlier run, or has served this one. */
	isDoubtful: boolean;
	/** The one time the stored credential is read again for it, however many requests wait. */
	looked?: Promise<void>;
}

/**
 * The credential of one run. An answer that is not a list, to a token that is of an earlier run or
 * has served this one, is asked once more before it is believed: with a new token, once a run, or
 * with the one that another process has stored meanwhile. If the lifetime is not known, a 401
 * tells that it is over, as often as it comes.
 */
export class HeldCredential {
	private held: Held;

	private hasDoubted = false;

	private readonly sent = new Set<string>();

	private readonly startedAt: number;

	constructor(
		fields: ICredentialDataDecryptedObject,
		private readonly host: CredentialHost,
	) {
		this.startedAt = host.clock.now();
		this.held = { fields, token: readStoredToken(fields), isDoubtful: true };
		// It has just been read.
		if (this.isStale()) this.held.looked = Promise.resolve();
	}

	readonly send: Transport = async (request) => {
		for (;;) {
			if (this.isStale()) await this.look();
			const { answer, token } = await this.sendOnce(request);
			if (token === undefined || !mayMeanToken(answer, this.host.clock.now())) return answer;
			const isList = this.host.isList(answer);
			if (isList && this.isHeld(token)) this.held.isDoubtful = true;
			if (isList || !(await this.replace(token, answer.statusCode))) return answer;
			request.extend?.(request.timeout);
		}
	};

	/** What no message may show. */
	secrets(): string[] {
		return [readClient(this.held.fields).clientSecret, ...this.sent];
	}

	/** By the time of issue, because some services issue the same text again. */
	private isHeld(token: Token): boolean {
		return token.issuedAt === this.held.token?.issuedAt;
	}

	private isStale(): boolean {
		const { fields, token } = this.held;
		if (token === undefined || fields.tokenState === '') return true;
		return !isFresh(token, this.host.clock.now());
	}

	private async sendOnce(request: HttpRequest): Promise<{ answer: HttpAnswer; token?: Token }> {
		let { token } = this.held;
		// A copy for each request: the token found in it afterwards is the one it was sent with.
		const fields = { ...this.held.fields };
		if (this.isStale()) fields.tokenState = '';
		const { accessToken, issuedAt } = fields;
		const answer = await this.host
			.transportWith(fields)(request)
			.finally(() => {
				// Asked first, because reading a token takes a hash.
				if (fields.accessToken === accessToken && fields.issuedAt === issuedAt) return;
				token = this.take(fields);
			});
		if (token !== undefined) this.sent.add(token.accessToken);
		return { answer, token };
	}

	/** @returns whether there is another token to try */
	private async replace(token: Token, statusCode: number): Promise<boolean> {
		// Another request of the same moment has had it replaced, or is about to.
		if (!this.isHeld(token) || this.held.fields.tokenState === '') return true;
		const isOver = statusCode === 401 && token.renewAt === undefined;
		if (this.held.isDoubtful && (isOver || !this.hasDoubted)) {
			this.hasDoubted ||= !isOver;
			this.held.fields = { ...this.held.fields, tokenState: '' };
			return true;
		}
		this.hasDoubted = true;
		// Where a new token ends the old one, another process has just got the one that counts.
		if (statusCode === 401) await this.look(STORING_TIME);
		return !this.isHeld(token);
	}

	private async look(delay = 0): Promise<void> {
		this.held.looked ??= this.readStored(delay);
		await this.held.looked;
	}

	private async readStored(delay: number): Promise<void> {
		if (delay > 0) await this.host.clock.sleep(delay);
		const stored = await this.host.readCredential().catch((error: unknown) => {
			throw failureOf(error);
		});
		this.take(stored);
	}

	/** Of two tokens the newer one. A credential without one was edited. */
	private take(fields: ICredentialDataDecryptedObject): Token | undefined {
		const token = readStoredToken(fields);
		if (token === undefined) this.held.fields = fields;
		else if (isNewer(token, this.held.token)) {
			this.held = { fields, token, isDoubtful: token.issuedAt < this.startedAt };
		}
		return token;
	}
}

/**
 * Whether an answer may be that to a bad token. These are not: the path is unknown, the request
 * came too slowly (RFC 9110 §15.5.9), or the service has no time.
 */
export function mayMeanToken(answer: HttpAnswer, now: number): boolean {
	const { statusCode } = answer;
	const isElse = [404, 408].includes(statusCode) || isOverload(statusCode);
	return !isElse && !forbidsForNow(answer, now);
}
