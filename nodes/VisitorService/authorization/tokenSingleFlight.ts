import { SECOND } from '../values/instant';
import { type Client, clientFingerprint } from './client';
import { rejectedTokens } from './rejectedTokens';
import { isNewer, isValidAt, type Token } from './storedToken';

/**
 * A younger token is not replaced only because a request failed: n8n's older helper, that of the
 * HTTP Request node, calls `preAuthentication` after any error (n8n 1.123 and 2.41).
 */
const MIN_TOKEN_AGE_MS = SECOND;

/**
 * Makes one exchange serve everybody who needs a token at the same time. n8n coordinates nothing: 8
 * parallel requests with an expired token are 8 calls of `preAuthentication` (n8n 1.123 and 2.41),
 * and a service that revokes the previous token with each new one would leave all but one with a
 * dead token.
 */
class TokenSingleFlight {
	private readonly latestByClient = new Map<string, Token>();

	private readonly inFlight = new Map<string, Promise<Token>>();

	/**
	 * @param caller the token it holds, and whether it wants another one in any case
	 * @returns the newest token of this process if it may replace the caller's, the caller's own if
	 *   it is young and may do, else a new one; never one that a service has rejected
	 */
	async getToken(
		client: Client,
		{ held, isUseless, now }: { held?: Token; isUseless: boolean; now: number },
		exchange: () => Promise<Token>,
	): Promise<Token> {
		const key = clientFingerprint(client);
		const inFlight = this.inFlight.get(key);
		if (inFlight !== undefined) return await inFlight;
		const newest = this.latestByClient.get(key);
		// The same text does not replace a rejected token: some services repeat it while it lives.
		const replaces = newest && isNewer(newest, held) && newest.accessToken !== held?.accessToken;
		if (replaces && isUsable(newest, now)) return newest;
		const isRecent = held !== undefined && now < held.issuedAt + MIN_TOKEN_AGE_MS;
		if (isRecent && !isUseless && isUsable(held, now)) return held;
		this.latestByClient.delete(key);
		// A failure is shared by those who waited for it, and never with the next caller.
		const issued = exchange()
			.then((token) => {
				// Newer than the one it replaces, even if that is from a machine whose clock is ahead.
				const issuedAt = Math.max(token.issuedAt, (held?.issuedAt ?? 0) + 1);
				return this.remember(client, { ...token, issuedAt });
			})
			.finally(() => this.inFlight.delete(key));
		this.inFlight.set(key, issued);
		return await issued;
	}

	/** Notes a token that was issued elsewhere, such as in a credential test. */
	remember(client: Client, issued: Token): Token {
		const token = rejectedTokens.reissued(issued);
		const key = clientFingerprint(client);
		const latest = this.latestByClient.get(key);
		if (latest === undefined || !isNewer(latest, token)) this.latestByClient.set(key, token);
		return token;
	}
}

function isUsable(token: Token, now: number): boolean {
	return isValidAt(token, now) && !rejectedTokens.has(token);
}

/**
 * State of the module, because the calls it coordinates share nothing else, not even a credential
 * object. It holds tokens of this process only.
 */
export const tokenSingleFlight = new TokenSingleFlight();
