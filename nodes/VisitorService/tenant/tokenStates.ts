import { rejectedTokens } from '../authorization/rejectedTokens';
import type { Token } from '../authorization/storedToken';
import type { HttpResponse } from '../http/message';

/**
 * A token is unverified until a page was read with it, or a newer one. One of an earlier execution
 * counts as working, because that had no reason to replace it. A rejected token is not used again
 * in this process.
 */
export type TokenState = 'unverified' | 'working' | 'rejected';

/** A service may lock out a client that requests one new token after another. */
const MAX_EXCHANGES_WITHOUT_PAGE = 2;

/** The states of all tokens of one client, shared by the input items of one execution. */
export class TokenStates {
	/** Whether a page was read in this execution. */
	hasWorked = false;

	/**
	 * Whether a new token was tried after a response other than 401 that was no page. Once is enough.
	 */
	hasTriedNewToken = false;

	/** Times of issue, because some services issue the same text again. */
	private readonly issuedSincePage = new Set<number>();

	private lastDenial?: HttpResponse;

	/** Whether no further token may be requested until a page is read. */
	get areExchangesSpent(): boolean {
		return this.issuedSincePage.size >= MAX_EXCHANGES_WITHOUT_PAGE;
	}

	/**
	 * The response to return instead of sending further requests, because new tokens have not helped.
	 * Tokens that only expired, such as in an outage, do not count.
	 */
	get finalDenial(): HttpResponse | undefined {
		return this.areExchangesSpent ? this.lastDenial : undefined;
	}

	stateOf(token: Token): TokenState {
		if (rejectedTokens.has(token)) return 'rejected';
		return this.issuedSincePage.has(token.issuedAt) ? 'unverified' : 'working';
	}

	onIssued({ issuedAt }: Token): void {
		this.issuedSincePage.add(issuedAt);
	}

	onPageRead({ issuedAt }: Token): void {
		this.hasWorked = true;
		for (const other of this.issuedSincePage)
			if (other <= issuedAt) this.issuedSincePage.delete(other);
		if (this.issuedSincePage.size === 0) this.lastDenial = undefined;
	}

	/** The service has responded with 401, and the token is not tried again. */
	onDenied(response: HttpResponse): void {
		this.lastDenial = response;
	}
}
