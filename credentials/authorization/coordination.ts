import { type Client, clientFingerprint } from './client';
import { isFresh, isNewer, type Token } from './storage';

interface ClientTokens {
	newest?: Token;
	exchange?: Promise<Token>;
}

/**
 * Makes one exchange serve everybody who needs a token at the same time. n8n coordinates nothing: 8
 * parallel requests with an expired token are 8 calls of `preAuthentication` (n8n 1.123 and 2.41),
 * and a service that revokes the previous token with each new one would make them refuse each
 * other.
 */
export class TokenCoordination {
	private readonly clients = new Map<string, ClientTokens>();

	/**
	 * @param held the token the caller holds and cannot use, expired or refused; undefined if it
	 *   holds none
	 * @returns the newest token of this process if it is newer than the caller's and still fresh;
	 *   else a new one
	 */
	async tokenFor(
		client: Client,
		held: Token | undefined,
		now: number,
		exchange: () => Promise<Token>,
	): Promise<Token> {
		const key = clientFingerprint(client);
		const known = this.clients.get(key);
		if (known?.exchange !== undefined) return await known.exchange;
		const newest = known?.newest;
		if (newest !== undefined && isFresh(newest, now) && replaces(newest, held)) return newest;
		this.forgetExpired(now);
		return await this.run(key, issueAfter(held, exchange));
	}

	/** Takes note of a token that came from elsewhere: a credential test, or another process. */
	remember(client: Client, token: Token): void {
		const key = clientFingerprint(client);
		const known = this.clients.get(key) ?? {};
		this.clients.set(key, { ...known, newest: newerOf(known.newest, token) });
	}

	/** Forgets the newest token at once: it has just been refused, or is no longer fresh. */
	private async run(key: string, exchange: Promise<Token>): Promise<Token> {
		this.clients.set(key, { exchange });
		try {
			const issued = await exchange;
			this.clients.set(key, { newest: newerOf(this.clients.get(key)?.newest, issued) });
			return issued;
		} finally {
			// A failure is the answer to those who waited for it, never to the next caller.
			const known = this.clients.get(key);
			if (known?.exchange === exchange) this.clients.set(key, { newest: known.newest });
		}
	}

	private forgetExpired(now: number): void {
		for (const [key, { newest, exchange }] of this.clients) {
			if (exchange === undefined && (newest === undefined || !isFresh(newest, now))) {
				this.clients.delete(key);
			}
		}
	}
}

/**
 * State of the module, because the calls it coordinates share nothing else, not even a credential
 * object. It holds tokens of this process only.
 */
export const tokenCoordination = new TokenCoordination();

/**
 * The same text does not replace a refused token, even if it was issued again: some services repeat
 * it while it lives.
 */
function replaces(newest: Token, held: Token | undefined): boolean {
	return isNewer(newest, held) && newest.accessToken !== held?.accessToken;
}

/**
 * A new token counts as newer than the one it replaces, even if that is from a machine whose clock
 * is ahead.
 */
async function issueAfter(held: Token | undefined, exchange: () => Promise<Token>): Promise<Token> {
	const token = await exchange();
	if (held === undefined || isNewer(token, held)) return token;
	return { ...token, issuedAt: held.issuedAt + 1 };
}

function newerOf(one: Token | undefined, other: Token): Token {
	return one !== undefined && isNewer(one, other) ? one : other;
}
