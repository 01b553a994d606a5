import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { readClient } from '../../../credentials/authorization/client';
import { isFresh, readStoredToken, type Token } from '../../../credentials/authorization/storage';
import { isList, type RecordsSought } from '../answer/records';
import { failureOf } from '../failure/serviceFailure';
import type { Clock, HttpAnswer, HttpRequest, Transport } from '../http/message';
import { withinOrigin } from '../http/redirects';
import { forbidsForNow, isOverload } from '../http/retryTimes';
import { SECOND } from '../values/instant';

/** What n8n does for a connection, without its contexts: `operations/host.ts` makes it of them. */
export interface TenantHost {
	/**
	 * Sends with n8n's request helper, which adds the token of this credential data. If its
	 * `tokenState` is '', n8n first exchanges a token, writes it into the data and stores it.
	 */
	transportWith(fields: ICredentialDataDecryptedObject): Transport;
	readCredential(): Promise<ICredentialDataDecryptedObject>;
	clock: Clock;
	/** A number in [0, 1). */
	random(): number;
	/** Tokens issued since the execution began that no list came with yet, of all input items. */
	unproved: Set<string>;
	/** Status codes that a new token did not change, of all input items: 403 and those of servers. */
	believed: Set<number>;
}

interface Held {
	fields: ICredentialDataDecryptedObject;
	token: Token | undefined;
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
	private readonly tokens = new Set<string>();

	constructor(
		fields: ICredentialDataDecryptedObject,
		private readonly host: TenantHost,
		private readonly sought: RecordsSought,
		private readonly startedAt = host.clock.now(),
	) {
		this.held = { fields, token: readStoredToken(fields) };
		// It has just been read.
		if (this.isStale()) this.held.looked = Promise.resolve();
	}

	readonly send: Transport = async (request) => {
		for (;;) {
			if (this.isStale()) await this.look();
			const { answer, token } = await this.sendOnce(request);
			if (token === undefined || !mayMeanToken(answer, this.host.clock.now())) return answer;
			const isExpected = isList(answer, this.sought);
			if (isExpected) this.host.unproved.delete(token.accessToken);
			if (isExpected || !(await this.replace(token, answer.statusCode))) return answer;
		}
	};

	/** What no message may show. */
	secrets(): string[] {
		return [readClient(this.held.fields).clientSecret, ...this.tokens];
	}

	/** By the time of issue, because some services issue the same text again. */
	private isHeld(token: Token): boolean {
		return token.issuedAt === this.held.token?.issuedAt;
	}

	private isStale(): boolean {
		const { fields, token } = this.held;
		return fields.tokenState === '' || !token || !isFresh(token, this.host.clock.now());
	}

	private async sendOnce(request: HttpRequest): Promise<{ answer: HttpAnswer; token?: Token }> {
		// A copy for each request: the token found in it afterwards is the one it was sent with.
		const fields = { ...this.held.fields };
		if (this.isStale()) fields.tokenState = '';
		let token: Token | undefined;
		const sending = withinOrigin(this.host.transportWith(fields))(request);
		const answer = await sending.finally(() => {
			token = this.take(fields);
		});
		return { answer, token };
	}

	/** @returns whether there is another token to try */
	private async replace(token: Token, statusCode: number): Promise<boolean> {
		// Another request of the same moment has had it replaced, or is about to.
		if (!this.isHeld(token) || this.held.fields.tokenState === '') return true;
		const isOver = statusCode === 401 && token.renewAt === undefined;
		const { believed, unproved } = this.host;
		const isNew = unproved.has(token.accessToken);
		// Any other may also be that of a page after the end, which would hide that a token is over.
		if (isNew && (statusCode === 403 || statusCode >= 500)) believed.add(statusCode);
		const mayRenew = !isNew && !believed.has(statusCode) && (isOver || !this.hasDoubted);
		this.hasDoubted ||= !isOver;
		if (mayRenew) this.held.fields = { ...this.held.fields, tokenState: '' };
		// Where a new token ends the old one, another process has just got the one that counts, and
		// stores it within a second.
		else if (statusCode === 401) await this.look(SECOND);
		return mayRenew || !this.isHeld(token);
	}

	private async look(delay = 0): Promise<void> {
		this.held.looked ??= this.host.clock.sleep(delay).then(async () => {
			const stored = this.host.readCredential();
			this.take(await stored.catch((error: unknown) => Promise.reject(failureOf(error))));
		});
		await this.held.looked;
	}

	/** Of two tokens the newer one. */
	private take(fields: ICredentialDataDecryptedObject): Token | undefined {
		const token = readStoredToken(fields);
		// It was edited: with the next token, n8n 1.123 stores what is held over the edit.
		if (token === undefined) this.held.fields = fields;
		else this.tokens.add(token.accessToken);
		if (token && token.issuedAt > (this.held.token?.issuedAt ?? -1)) {
			this.held = { fields, token };
			if (token.issuedAt >= this.startedAt) this.host.unproved.add(token.accessToken);
		}
		return token;
	}
}

/**
 * Whether an answer may be that to a bad token. These are not: the path is unknown, the request
 * came too slowly (RFC 9110 §15.5.9), or the service has no time.
 */
function mayMeanToken(answer: HttpAnswer, now: number): boolean {
	const isElse = [404, 408].includes(answer.statusCode) || isOverload(answer.statusCode);
	return !isElse && !forbidsForNow(answer, now);
}
