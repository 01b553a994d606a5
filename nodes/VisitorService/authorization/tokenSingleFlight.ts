import { SECOND } from '../values/instant';
import { type Client, clientFingerprint } from './client';
import { rejectedTokens } from './rejectedTokens';
import { isNewer, isValidAt, type Token } from './storedToken';

/**
 * A failed request does not replace a younger token: n8n's older helper, which the HTTP
 * Request node uses, calls `preAuthentication` after any error (n8n 1.123 and 2.41).
 */
const MIN_TOKEN_AGE_MS = SECOND;

/**
 * Makes one exchange for all callers that need a token at the same time. n8n does not coordinate
 * them: 8 parallel requests with an expired token are 8 calls of `preAuthentication` (n8n 1.123 and
 * 2.41). If the service revokes the previous token with each new one, only one would work.
 */
class TokenSingleFlight {
	private readonly latestByClient = new Map<string, Token>();

	private readonly inFlight = new Map<string, Promise<Token>>();

	/**
	 * @param caller `held`: its token; `mustReplace`: whether it needs another one in any case
	 * @returns the newest token of this process if that is newer than the caller's; the caller's own
	 *   if that is recent enough; otherwise a new one. Never a token that a service has rejected
	 */
	async getToken(
		client: Client,
		{ held, mustReplace, now }: { held?: Token; mustReplace: boolean; now: number },
		exchange: () => Promise<Token>,
	): Promise<Token> {
		const key = clientFingerprint(client);
		const inFlight = this.inFlight.get(key);
		if (inFlight !== undefined) return await inFlight;
		const newest = this.latestByClient.get(key);
		// Not if the text is the same: some services return a token again until it expires.
		const replaces = newest && isNewer(newest, held) && newest.accessToken !== held?.accessToken;
		if (replaces && isUsable(newest, now)) return newest;
		const isRecent = held !== undefined && now < held.issuedAt + MIN_TOKEN_AGE_MS;
		if (isRecent && !mustReplace && isUsable(held, now)) return held;
		this.latestByClient.delete(key);
		// Callers that wait share a failure. The next caller makes another exchange.
		const issued = exchange()
			.then((token) => {
				// Later than that of the replaced token, even if that is from a machine with a fast clock.
				const issuedAt = Math.max(token.issuedAt, (held?.issuedAt ?? 0) + 1);
				return this.remember(client, { ...token, issuedAt });
			})
			.finally(() => this.inFlight.delete(key));
		this.inFlight.set(key, issued);
		return await issued;
	}

	/** Remembers a token that was issued elsewhere, such as in a credential test. */
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
 * State of the module, because the calls it coordinates share nothing else, not even the credential
 * object. It holds tokens of this process only.
 */
export const tokenSingleFlight = new TokenSingleFlight();
