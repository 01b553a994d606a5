import type { Token } from '../../../credentials/authorization/token';
import type { Clock, HttpAnswer, HttpRequest, Transport } from './httpMessage';
import { refusesToken } from './refusesToken';
import { fullJitter } from './retryTimes';

/** A credential as one connection holds it, with the token in it. */
export interface TokenHolder {
	/** The token at hand; undefined where there is none for the client and tenant of the credential. */
	current(): Token | undefined;
	/** Whether that token may be sent; where not, the next request gets a new one first. */
	isFresh(): boolean;
	/** Sends one request once. @returns the answer and the token it was sent with */
	send(request: HttpRequest): Promise<{ answer: HttpAnswer; token: Token | undefined }>;
	/** Reads the stored credential again: another process may have renewed its token. */
	reload(): Promise<void>;
	/** The token was refused: it is not to be sent again. */
	discard(token: Token): void;
}

/**
 * Tokens one request may have replaced: more than one, because another process that renews at the same time may
 * make the service revoke a token that was just issued.
 */
const MOST_REPLACEMENTS = 4;

/**
 * Sends with a fresh token, and again with another one where it is refused: by 401 or what means the same, or once
 * by 403, which some services answer to an expired token. A 403 to a token that was issued for this very request is
 * a matter of permission.
 *
 * @param random a number in [0, 1)
 */
export function withTokenRenewal(
	holder: TokenHolder,
	clock: Clock,
	random: () => number,
): Transport {
	/** Addresses that were forbidden to a new token. */
	const forbidden = new Set<string>();
	/** The token for whose successor the stored credential was read; at first the one that was just read there. */
	let lookedUp = holder.isFresh() ? undefined : holder.current();
	let reading: Promise<void> | undefined;
	/** Milliseconds until the process whose token made the service revoke a new one should have stored it. */
	let pause = 0;

	/** Once for each token that is to be replaced, however many requests wait for it. */
	async function lookUpSuccessor(): Promise<void> {
		const spent = holder.current();
		if (spent?.accessToken === lookedUp?.accessToken) return;
		reading ??= readAgain().finally(() => {
			reading = undefined;
			lookedUp = spent;
		});
		await reading;
	}

	async function readAgain(): Promise<void> {
		if (pause > 0) await clock.sleep(pause);
		pause = 0;
		await holder.reload();
	}

	const mayBeExpired = (answer: HttpAnswer, { url }: HttpRequest) =>
		refusesToken(answer) || (answer.statusCode === 403 && !forbidden.has(url));

	return async (request) => {
		const startedAt = clock.now();
		const before = holder.current()?.issuedAt;
		for (let replacements = 0; ; replacements++) {
			if (!holder.isFresh()) await lookUpSuccessor();
			const { answer, token } = await holder.send(request);
			if (token === undefined || !mayBeExpired(answer, request)) return answer;
			if (replacements === MOST_REPLACEMENTS) return answer;
			// Also where the machine that stored the token at hand is ahead of this one.
			const isNew = token.issuedAt >= startedAt && token.issuedAt !== before;
			if (answer.statusCode === 403 && isNew) {
				forbidden.add(request.url);
				return answer;
			}
			if (isNew) pause = fullJitter(replacements + 1, random());
			holder.discard(token);
		}
	};
}
