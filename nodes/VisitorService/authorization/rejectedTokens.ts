import { sha256 } from '../values/digest';
import type { Token } from './storedToken';

/** Enough for every credential of an instance. Of more, the oldest are forgotten. */
const MAX_REJECTED_TOKENS = 1_000;

/** The tokens that a service has rejected, so that none of them is used again. */
class RejectedTokens {
	/** Times of issue by the digest of the token, because services issue the same text again. */
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
		const latest = this.issuedAtByDigest.get(digestOf(accessToken));
		return latest !== undefined && issuedAt <= latest;
	}

	/**
	 * A token that was just issued, with a time of issue after any rejection of the same text: the
	 * clock may have been set back, or have stood still since. Otherwise such a service could never
	 * issue a usable token.
	 */
	reissued(token: Token): Token {
		const latest = this.issuedAtByDigest.get(digestOf(token.accessToken));
		if (latest === undefined || token.issuedAt > latest) return token;
		return { ...token, issuedAt: latest + 1 };
	}
}

/** Of one size, however long a token is, and no second copy of a secret. */
function digestOf(accessToken: string): string {
	return sha256(accessToken).toString('base64');
}

/**
 * State of the module, because one dead token may be in several credentials, in the memory of
 * `tokenSingleFlight` and in runs at the same time, which share nothing else. It ends with the
 * process; another one has the token rejected once more.
 */
export const rejectedTokens = new RejectedTokens();
