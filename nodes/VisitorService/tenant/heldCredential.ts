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
	/** Whether the token was there before this run, or got a list. */
	isProven: boolean;
	/** The one time the stored credential is read again for it, however many requests wait. */
	looked?: Promise<void>;
}

/**
 * The credential of one run. An answer that is not a list, to a token that was there before or got
 * a list before, is asked once more before it is believed: with the token that another process has
 * stored meanwhile, and then with a new one. A new token that gets none either ends that.
 */
export class HeldCredential {
	private held: Held;

	private isInVain = false;

	private readonly sent = new Set<string>();

	private readonly startedAt: number;

	constructor(
		fields: ICredentialDataDecryptedObject,
		private readonly host: CredentialHost,
	) {
		this.startedAt = host.clock.now();
		this.held = { fields, token: readStoredToken(fields), isProven: true };
		// It has just been read.
		if (this.isStale()) this.held.looked = Promise.resolve();
	}

	readonly send: Transport = async (request) => {
		for (;;) {
			if (this.isStale()) await this.look();
			const { answer, token } = await this.sendOnce(request);
			if (token === undefined || !mayMeanToken(answer, this.host.clock.now())) return answer;
			const isList = this.host.isList(answer);
			if (isList && this.isHeld(token)) this.held.isProven = true;
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
				token = this.take(fields, false);
			});
		if (token !== undefined) this.sent.add(token.accessToken);
		return { answer, token };
	}

	/** @returns whether there is another token to try */
	private async replace(token: Token, statusCode: number): Promise<boolean> {
		if (!this.isHeld(token)) return true;
		if (this.held.isProven) {
			if (!this.isInVain) this.held.fields = { ...this.held.fields, tokenState: '' };
			return !this.isInVain;
		}
		this.isInVain = true;
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
		this.take(stored, true);
	}

	/** Of two tokens the newer one. A credential without one was edited. */
	private take(fields: ICredentialDataDecryptedObject, isProven: boolean): Token | undefined {
		const token = readStoredToken(fields);
		if (token === undefined) this.held.fields = fields;
		else if (isNewer(token, this.held.token)) {
			// The coordination may return what an earlier run of this process was issued.
			this.held = { fields, token, isProven: isProven || token.issuedAt < this.startedAt };
		}
		return token;
	}
}

/**
 * Whether an answer may be that to a bad token. These are not: the path is unknown, or the service
 * has no time.
 */
export function mayMeanToken(answer: HttpAnswer, now: number): boolean {
	const { statusCode } = answer;
	return statusCode !== 404 && !isOverload(statusCode) && !forbidsForNow(answer, now);
}
