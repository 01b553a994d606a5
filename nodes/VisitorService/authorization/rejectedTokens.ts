import { sha256 } from '../values/digest';
import type { Token } from './storedToken';

/** Enough for all credentials of an instance. Of more tokens, the oldest are forgotten. */
const MAX_REJECTED_TOKENS = 1_000;

/** The tokens that a service has rejected, so that none of them is used again. */
class RejectedTokens {
	/** Time of issue by digest, because services may issue the same text again as a new token. */
	private readonly issuedAtByDigest = new Map<string, number>();

	add({ accessToken, issuedAt }: Token): void {
		const digest = digestOf(accessToken);
		const latest = Math.max(issuedAt, this.issuedAtByDigest.get(digest) ?? issuedAt);
		this.issuedAtByDigest.delete(digest);
		this.issuedAtByDigest.set(digest, latest);
		const [oldest] = this.issuedAtByDigest.keys();
		if (oldest !== undefined && this.issuedAtByDigest.size > MAX_REJECTED_TOKENS)
			this.issuedAtByDigest.delete(oldest);
	}

	has({ accessToken, issuedAt }: Token): boolean {
		// Asked several times a request, and mostly nothing was rejected.
		if (this.issuedAtByDigest.size === 0) return false;
		const latest = this.issuedAtByDigest.get(digestOf(accessToken));
		return latest !== undefined && issuedAt <= latest;
	}

	/**
	 * Moves the time of issue of a new token after that of a rejected token with the same text,
	 * because the clock may have been set back, or still show the same time. Otherwise a service that
	 * repeats a text could never issue a usable token.
	 */
	reissued(token: Token): Token {
		const latest = this.issuedAtByDigest.get(digestOf(token.accessToken));
		if (latest === undefined || token.issuedAt > latest) return token;
		return { ...token, issuedAt: latest + 1 };
	}
}

/** Short, however long a token is, and not a second copy of a secret. */
function digestOf(accessToken: string): string {
	return sha256(accessToken).toString('base64');
}

/**
 * State of the module, because the same token may be in several credentials, in `tokenSingleFlight`
 * and in simultaneous executions, which share nothing else. It ends with the process; in another
 * process the token is rejected once more.
 */
export const rejectedTokens = new RejectedTokens();
