import { type Client, clientFingerprint } from './client';
import { isNewer, isValidAt, type Token } from './storedToken';

/**
 * Milliseconds in which a token is not replaced only because a request failed: n8n's older helper,
 * that of the HTTP Request node, asks for another one after any error (n8n 1.123 and 2.41).
 */
const MIN_TOKEN_AGE_MS = 10_000;

/**
 * Makes one exchange serve everybody who needs a token at the same time. n8n coordinates nothing: 8
 * parallel requests with an expired token are 8 calls of `preAuthentication` (n8n 1.123 and 2.41),
 * and a service that revokes the previous token with each new one would make them refuse each
 * other.
 */
class TokenSingleFlight {
	private readonly latestByClient = new Map<string, Token>();

	private readonly inFlight = new Map<string, Promise<Token>>();

	/**
	 * @param caller which token it holds, and whether that is known to be useless
	 * @returns the newest token of this process if it may replace the caller's, the caller's own if
	 *   it is young and not known to be useless, else a new one
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
		// The same text does not replace a refused token: some services repeat it while it lives.
		const replaces = newest && isNewer(newest, held) && newest.accessToken !== held?.accessToken;
		if (replaces && isValidAt(newest, now)) return newest;
		const isRecent =
			held !== undefined && now < held.issuedAt + MIN_TOKEN_AGE_MS && isValidAt(held, now);
		if (isRecent && !isUseless) return held;
		// It has just been refused, or is no longer fresh.
		this.latestByClient.delete(key);
		// A failure is the answer to those who waited for it, never to the next caller.
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

	/** Takes note of a token, such as that of a credential test. */
	remember(client: Client, token: Token): Token {
		const key = clientFingerprint(client);
		const latest = this.latestByClient.get(key);
		if (latest === undefined || !isNewer(latest, token)) this.latestByClient.set(key, token);
		return token;
	}
}

/**
 * State of the module, because the calls it coordinates share nothing else, not even a credential
 * object. It holds tokens of this process only.
 */
export const tokenSingleFlight = new TokenSingleFlight();
