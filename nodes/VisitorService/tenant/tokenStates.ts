import { rejectedTokens } from '../authorization/rejectedTokens';
import type { Token } from '../authorization/storedToken';
import type { HttpResponse } from '../http/message';

/**
 * A token is unverified until a list came with it. One of an earlier run counts as working: that
 * run had no reason to replace it. A rejected one is used by nobody in this process again.
 */
export type TokenState = 'unverified' | 'working' | 'rejected';

/** A service may lock out a client that gets one new token after another. */
const MAX_EXCHANGES_WITHOUT_LIST = 2;

/** What one execution, with all its input items, has seen of the tokens of one client. */
export class TokenStates {
	/** Whether the service has returned a list in this execution. */
	hasWorked = false;

	/** Whether a new token was tried for a response without a list other than 401: once is enough. */
	hasTriedNewToken = false;

	/** By time of issue, because some services issue the same text again. */
	private readonly issuedSinceList = new Set<number>();

	private lastDenial?: HttpResponse;

	/** Whether no further token may be issued before a list comes. */
	get isSpent(): boolean {
		return this.issuedSinceList.size >= MAX_EXCHANGES_WITHOUT_LIST;
	}

	/**
	 * The response that stands for all further ones once new tokens have not helped. Tokens that only
	 * expired, such as in an outage, do not count.
	 */
	get finalDenial(): HttpResponse | undefined {
		return this.isSpent ? this.lastDenial : undefined;
	}

	stateOf(token: Token): TokenState {
		if (rejectedTokens.has(token)) return 'rejected';
		return this.issuedSinceList.has(token.issuedAt) ? 'unverified' : 'working';
	}

	onIssued({ issuedAt }: Token): void {
		this.issuedSinceList.add(issuedAt);
	}

	onList({ issuedAt }: Token): void {
		this.hasWorked = true;
		for (const other of this.issuedSinceList)
			if (other <= issuedAt) this.issuedSinceList.delete(other);
		if (this.issuedSinceList.size === 0) this.lastDenial = undefined;
	}

	/** The service responded to a token with 401, and it is not tried once more. */
	onDenied(response: HttpResponse): void {
		this.lastDenial = response;
	}
}
