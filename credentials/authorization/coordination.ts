import { type Client, clientFingerprint } from './client';
import { isFresh, isNewer, type Token } from './storage';

/**
 * Milliseconds in which a token is not replaced only because a request failed: n8n's older helper,
 * that of the HTTP Request node, asks for another one after any error (n8n 1.123 and 2.41).
 */
const YOUTH = 10_000;

interface Wanted {
	held: Token | undefined;
	isUseless: boolean;
	now: number;
}

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
	 * @param wanted the token the caller holds, undefined if it holds none, and whether that is known
	 *   to be useless
	 * @returns the newest token of this process if it is newer than the caller's and still fresh;
	 *   else a new one
	 */
	async tokenFor(
		client: Client,
		{ held, isUseless, now }: Wanted,
		exchange: () => Promise<Token>,
	): Promise<Token> {
		const key = clientFingerprint(client);
		const { newest, exchange: running } = this.clients.get(key) ?? {};
		if (running !== undefined) return await running;
		// The same text does not replace a refused token: some services repeat it while it lives.
		const replaces = newest && isNewer(newest, held) && newest.accessToken !== held?.accessToken;
		if (replaces && isFresh(newest, now)) return newest;
		const isYoung = held !== undefined && now < held.issuedAt + YOUTH && isFresh(held, now);
		if (isYoung && !isUseless) return held;
		this.forgetExpired(now);
		return await this.run(key, issueAfter(held, exchange));
	}

	/** Takes note of a token that came from elsewhere: a credential test, or another process. */
	remember(client: Client, token: Token): void {
		this.keep(clientFingerprint(client), token);
	}

	private keep(key: string, token: Token): void {
		const known = this.clients.get(key);
		if (known?.newest !== undefined && isNewer(known.newest, token)) return;
		this.clients.set(key, { ...known, newest: token });
	}

	/** A failure is the answer to those who waited for it, never to the next caller. */
	private async run(key: string, exchange: Promise<Token>): Promise<Token> {
		// Without the newest token, which has just been refused, or is no longer fresh.
		this.clients.set(key, { exchange });
		try {
			const issued = await exchange;
			this.keep(key, issued);
			return issued;
		} finally {
			this.clients.set(key, { newest: this.clients.get(key)?.newest });
		}
	}

	private forgetExpired(now: number): void {
		for (const [key, { newest, exchange }] of this.clients) {
			const isOver = newest === undefined || !isFresh(newest, now);
			if (exchange === undefined && isOver) this.clients.delete(key);
		}
	}
}

/**
 * State of the module, because the calls it coordinates share nothing else, not even a credential
 * object. It holds tokens of this process only.
 */
export const tokenCoordination = new TokenCoordination();

/**
 * A new token counts as newer than the one it replaces, even if that is from a machine whose clock
 * is ahead.
 */
async function issueAfter(held: Token | undefined, exchange: () => Promise<Token>): Promise<Token> {
	const token = await exchange();
	const issuedAt = Math.max(token.issuedAt, (held?.issuedAt ?? 0) + 1);
	return { ...token, issuedAt };
}
