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
	/** Status codes that a new token did not change: 403 and those of servers. */
	readonly confirmedStatuses = new Set<number>();

	/** By time of issue, because some services issue the same text again. */
	private readonly issuedSinceList = new Set<number>();

	private lastDenial?: HttpResponse;

	private hasList = false;

	/** Whether the service has returned a list in this execution. */
	get hasWorked(): boolean {
		return this.hasList;
	}

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
		this.hasList = true;
		for (const other of this.issuedSinceList)
			if (other <= issuedAt) this.issuedSinceList.delete(other);
		if (this.issuedSinceList.size === 0) this.lastDenial = undefined;
	}

	/** The service answered a token with 401. */
	onDenied(response: HttpResponse): void {
		this.lastDenial = response;
	}

	onReplaced(token: Token): void {
		rejectedTokens.add(token);
	}
}
