import { clientFingerprint } from './clientFingerprint';
import { isFresh, type Token } from './token';
import type { Client } from './tokenExchange';

interface Known {
	newest?: Token;
	exchange?: Promise<Token>;
}

/**
 * Makes one exchange serve everybody who needs a token at the same time. n8n coordinates nothing: 8 parallel
 * requests with an expired token are 8 calls of `preAuthentication` (n8n 1.123 and 2.41), and a service that revokes
 * the previous token with each new one would make them refuse each other.
 */
export class TokenCoordination {
	private readonly clients = new Map<string, Known>();

	/**
	 * @param held the token the caller holds and cannot use, expired or refused; undefined where it holds none
	 * @returns the newest token of this process, where it is newer than the caller's and still fresh; else a new one
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
		if (known?.newest !== undefined && isFresh(known.newest, now) && replaces(known.newest, held)) {
			return known.newest;
		}
		this.forgetExpired(now);
		return await this.run(key, succeed(held, exchange()));
	}

	/** Takes note of a token that came from elsewhere: a credential test, or another process. */
	remember(client: Client, token: Token): void {
		const key = clientFingerprint(client);
		const known = this.clients.get(key) ?? {};
		this.clients.set(key, { ...known, newest: later(known.newest, token) });
	}

	/** What was newest is forgotten at once: it has just been refused, or is no longer fresh. */
	private async run(key: string, exchange: Promise<Token>): Promise<Token> {
		this.clients.set(key, { exchange });
		try {
			const issued = await exchange;
			this.clients.set(key, { newest: later(this.clients.get(key)?.newest, issued) });
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
 * It has to live in the module, for it outlives a single call: the calls to be coordinated share nothing else, not
 * even a credential object. It holds tokens of this process only.
 */
export const tokenCoordination = new TokenCoordination();

/** Some services hand out the same token again as long as it lives, also one they refuse. */
function replaces(newest: Token, held: Token | undefined): boolean {
	return (
		held === undefined ||
		(newest.issuedAt > held.issuedAt && newest.accessToken !== held.accessToken)
	);
}

/** A new token counts as later than the one it replaces, also where the clock of another machine was ahead. */
async function succeed(held: Token | undefined, exchange: Promise<Token>): Promise<Token> {
	const token = await exchange;
	return { ...token, issuedAt: Math.max(token.issuedAt, (held?.issuedAt ?? 0) + 1) };
}

function later(one: Token | undefined, other: Token): Token {
	return one !== undefined && one.issuedAt > other.issuedAt ? one : other;
}
