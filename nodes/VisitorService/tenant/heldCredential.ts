import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { readClient } from '../../../credentials/authorization/client';
import { tokenCoordination } from '../../../credentials/authorization/coordination';
import {
	isFresh,
	isNewer,
	isSameIssue,
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
	 * Sends with this credential data. If n8n exchanges a token for it, it writes the new one into
	 * the data.
	 */
	transportWith(fields: ICredentialDataDecryptedObject): Transport;
	/** Reads the stored credential. */
	read(): Promise<ICredentialDataDecryptedObject>;
	clock: Clock;
	isList(answer: HttpAnswer): boolean;
}

/** Milliseconds in which another process that has a new token stores it. */
const STORING_TIME = 1000;

/**
 * The credential of one run. An answer that is no list, to a token that was there before or got a
 * list before, is asked once more before it is believed: with the token that another process has
 * stored meanwhile, and then with a new one. A new token that gets none either ends that.
 */
export class HeldCredential {
	private token?: Token;

	/** Not to be sent again. */
	private refused?: Token;

	/** For which the stored credential was read again. */
	private lookedFor?: Token;

	private looking?: Promise<void>;

	/** When the tokens were issued that were there before, or got a list. */
	private readonly proven = new Set<number>();

	/** What a new token got instead of a list. */
	private inVain?: number;

	private readonly sent = new Set<string>();

	constructor(
		private fields: ICredentialDataDecryptedObject,
		private readonly host: CredentialHost,
	) {
		this.token = readStoredToken(fields);
		if (this.token !== undefined) this.proven.add(this.token.issuedAt);
		if (this.isStale()) this.lookedFor = this.token;
	}

	readonly send: Transport = async (request) => {
		for (;;) {
			if (this.isStale()) await this.look();
			const { answer, token } = await this.sendOnce(request);
			if (token === undefined || !mayMeanToken(answer, this.host.clock.now())) return answer;
			if (this.host.isList(answer)) {
				this.proven.add(token.issuedAt);
				// Another process had ended the new token, so the next one may be worth its exchange.
				if (this.inVain === 401) this.inVain = undefined;
				return answer;
			}
			if (!(await this.replace(token, answer.statusCode))) return answer;
			request.extend?.(request.timeout);
		}
	};

	/** What no message may show. */
	secrets(): string[] {
		return [readClient(this.fields).clientSecret, ...this.sent];
	}

	private isStale(): boolean {
		const { token } = this;
		const isUsable = token !== undefined && !isSameIssue(token, this.refused);
		return !isUsable || this.fields.tokenState === '' || !isFresh(token, this.host.clock.now());
	}

	private async sendOnce(
		request: HttpRequest,
	): Promise<{ answer: HttpAnswer; token: Token | undefined }> {
		const { token } = this;
		// A copy for each request: the token found in it afterwards is the one it was sent with.
		const fields: ICredentialDataDecryptedObject = { ...this.fields };
		if (this.isStale()) fields.tokenState = '';
		const { accessToken, issuedAt } = fields;
		let used = token;
		const answer = await this.host
			.transportWith(fields)(request)
			.finally(() => {
				// Asked first, because reading a token takes a hash.
				if (fields.accessToken === accessToken && fields.issuedAt === issuedAt) return;
				used = readStoredToken(fields);
				this.take(fields, used);
			});
		if (used !== undefined) this.sent.add(used.accessToken);
		return { answer, token: used };
	}

	/** @returns whether there is another token to try */
	private async replace(token: Token, statusCode: number): Promise<boolean> {
		const isReplaced = () => !isSameIssue(token, this.token);
		if (isReplaced()) return true;
		if (this.proven.has(token.issuedAt)) {
			if (this.inVain === undefined) this.refused = token;
			return this.inVain === undefined;
		}
		this.inVain = statusCode;
		// Where a new token ends the old one, another process has just got the one that counts.
		if (statusCode === 401) await this.look(STORING_TIME);
		return isReplaced();
	}

	/** Reads the stored credential, once for each token, however many requests wait for it. */
	private async look(delay = 0): Promise<void> {
		if (this.looking === undefined) {
			if (this.lookedFor === this.token) return;
			this.lookedFor = this.token;
			this.looking = this.readStored(delay).finally(() => {
				this.looking = undefined;
			});
		}
		await this.looking;
	}

	private async readStored(delay: number): Promise<void> {
		if (delay > 0) await this.host.clock.sleep(delay);
		const stored = await this.host.read().catch((error: unknown) => {
			throw failureOf(error);
		});
		const token = readStoredToken(stored);
		this.take(stored, token);
		if (token === undefined || token !== this.token) return;
		this.proven.add(token.issuedAt);
		tokenCoordination.remember(readClient(stored), token);
	}

	/** Of two tokens the newer one. A credential without one was edited. */
	private take(fields: ICredentialDataDecryptedObject, token: Token | undefined): void {
		if (token !== undefined && !isNewer(token, this.token)) return;
		this.fields = fields;
		this.token = token ?? this.token;
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
