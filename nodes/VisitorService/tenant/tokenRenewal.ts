import { isNewer, type Token } from '../../../credentials/authorization/storage';
import { outcomeCodes } from '../answer/errorBody';
import type { Clock, HttpAnswer, HttpRequest, Transport } from '../http/message';
import { forbidsForNow, fullJitter } from '../http/retryTimes';
import { fieldsOf, readField } from '../values/fieldName';
import { isRecord } from '../values/json';

/** Whatever has the token that requests are sent with: the credential of a connection. */
export interface TokenHolder {
	/** The token at hand; undefined if there is none for the client and tenant of the credential. */
	current(): Token | undefined;
	/** Whether that token may be sent. If not, the next request gets a new one first. */
	isFresh(): boolean;
	/** Sends one request once. @returns the answer and the token it was sent with */
	send(request: HttpRequest): Promise<{ answer: HttpAnswer; token: Token | undefined }>;
	/** Reads the stored credential again: another process may have renewed its token. */
	reload(): Promise<void>;
	/** The token was refused and must not be sent again. */
	discard(token: Token): void;
}

/**
 * How many tokens one request may have replaced. More than one, because another process that renews
 * at the same time may make the service revoke a token that was just issued.
 */
const MAX_REPLACEMENTS = 4;

/**
 * Sends with a fresh token, and again with another one if the token is refused: by 401 or what
 * means the same, or once by 403, which some services answer to an expired token. A 403 to a token
 * that was issued for this very request is a matter of permission, and one that asks to wait is a
 * matter of time.
 *
 * @param random a number in [0, 1)
 */
export function withTokenRenewal(
	holder: TokenHolder,
	clock: Clock,
	random: () => number,
): Transport {
	const stored = new NewerTokenSearch(holder, clock);
	/** URLs that were forbidden to a new token. */
	const forbidden = new Set<string>();

	const mayBeExpired = (answer: HttpAnswer, { url }: HttpRequest) =>
		refusesToken(answer) ||
		(answer.statusCode === 403 && !forbidden.has(url) && !forbidsForNow(answer, clock.now()));

	return async (request) => {
		const startedAt = clock.now();
		const before = holder.current();
		for (let replacements = 0; ; replacements++) {
			if (!holder.isFresh()) await stored.lookForNewer();
			const { answer, token } = await holder.send(request);
			if (token === undefined || !mayBeExpired(answer, request)) return answer;
			if (replacements === MAX_REPLACEMENTS) return answer;
			// A token that was there before may look issued later, if the clock of the machine that
			// stored it is ahead.
			const isNew = isNewer(token, before) && token.issuedAt >= startedAt;
			if (answer.statusCode === 403 && isNew) {
				forbidden.add(request.url);
				return answer;
			}
			if (isNew) stored.delay = fullJitter(replacements + 1, random());
			holder.discard(token);
		}
	};
}

/**
 * Looks for a token that another process has stored, once for each stale one, however many requests
 * wait for it.
 */
class NewerTokenSearch {
	/**
	 * How many milliseconds to wait before the next look. If a new token was refused, another process
	 * has just renewed too, and needs time to store its token.
	 */
	delay = 0;

	/**
	 * The stale token of the last look. At first the one the credential has just been read with, if
	 * that is stale.
	 */
	private lookedFor: Token | undefined;

	private looking?: Promise<void>;

	constructor(
		private readonly holder: TokenHolder,
		private readonly clock: Clock,
	) {
		this.lookedFor = holder.isFresh() ? undefined : holder.current();
	}

	async lookForNewer(): Promise<void> {
		const stale = this.holder.current();
		if (stale?.accessToken === this.lookedFor?.accessToken) return;
		this.looking ??= this.look().finally(() => {
			this.looking = undefined;
			this.lookedFor = stale;
		});
		await this.looking;
	}

	private async look(): Promise<void> {
		const { delay } = this;
		if (delay > 0) await this.clock.sleep(delay);
		this.delay = 0;
		await this.holder.reload();
	}
}

/** 401 (RFC 9110 §15.5.2), and what frameworks send instead: Laravel 419, IIS 440, ArcGIS 498. */
const INVALID_TOKEN_STATUSES = new Set([401, 419, 440, 498]);

/**
 * Whether an answer says that the token is not valid: by its status, by the error code of RFC 6750
 * §3.1 with any status, or by 401 in the body of an answer with a success status.
 */
export function refusesToken({ statusCode, headers, body }: HttpAnswer): boolean {
	if (INVALID_TOKEN_STATUSES.has(statusCode)) return true;
	if (/\binvalid_token\b/.test(headers['www-authenticate'] ?? '')) return true;
	if (!isRecord(body)) return false;
	const error = readField(fieldsOf(body), ['error']);
	return error === 'invalid_token' || outcomeCodes(body).includes(401);
}
