import { isAllowedAddress } from './allowlist';
import { type Body, isReadableContent, readBody } from './delivery/body';
import { type Delivery, redactHeaders, withoutSecrets } from './delivery/request';
import type { EventSources } from './eventFields';
import { type Beside, besideTheBody, repeatKey } from './eventIds';
import { type FoundEvent, findEvents } from './events';
import {
	describeNotSelected,
	describeRepeat,
	type NotPassedOn,
	notSelected,
	refusedAddress,
	refusedContent,
	refusedMethod,
	repeated,
	tooManyElements,
	unauthorized,
	undecided,
} from './refusals';
import { select } from './selection';
import { type Authentication, secretHeaderOf } from './signature/authentication';
import { hasProof, proofOf, verifySignature } from './signature/verify';
import type { Claim } from './triggerMemory';
import {
	canSignTokens,
	findVerificationRequest,
	signToken,
	type VerificationAnswer,
} from './verificationRequest';

/** What the user set on the trigger. */
export interface TriggerSettings {
	authentication: Authentication;
	/** Names of the events to pass on; empty = all. */
	events: string[];
	sources: EventSources;
	/** IP addresses and CIDR ranges, as typed; empty = every IP address. */
	ipAllowlist: readonly string[];
	ignoreRepeats: boolean;
	answersVerificationRequests: boolean;
}

/** One item of the output. */
export interface DeliveredEvent {
	event: string | null;
	id: string | number | null;
	/** ISO 8601, UTC. */
	receivedAt: string;
	body: unknown;
	headers: Record<string, string | string[]>;
	query: Record<string, unknown>;
}

export type DeliveryOutcome =
	/** `leftOut` says what was left out of a batch, one sentence each. */
	| { kind: 'passedOn'; events: DeliveredEvent[]; leftOut: string[] }
	| NotPassedOn
	| { kind: 'verificationRequest'; answer: VerificationAnswer };

/** Bytes of a body that may be that of a verification request. */
const MAX_REQUEST_LENGTH = 16_384;

/**
 * Refuses what needs neither body nor secret to be refused, so that a stranger costs next to
 * nothing. Never throws.
 *
 * @returns undefined if nothing stands against it so far
 */
export function refuseAtOnce(
	{ method, headers, ipAddress }: Pick<Delivery, 'method' | 'headers' | 'ipAddress'>,
	settings: TriggerSettings,
): NotPassedOn | undefined {
	if (!isAllowedAddress(settings.ipAllowlist, ipAddress)) {
		return refusedAddress(ipAddress);
	}
	if (!settings.answersVerificationRequests) {
		if (method !== 'POST') return refusedMethod();
		if (!hasProof(headers, settings.authentication)) return unauthorized('signatureMissing');
	}
	return isReadableContent(headers) ? undefined : refusedContent();
}

/**
 * Decides what becomes of a delivery that {@link refuseAtOnce} let through.
 *
 * @param readSecrets called only if something is to be verified
 * @param claim remembers an event and tells whether it is new; undefined if repeats are passed on
 * @throws what `readSecrets` throws
 */
export async function receiveDelivery(
	delivery: Delivery,
	settings: TriggerSettings,
	readSecrets: () => Promise<readonly string[]>,
	claim: ((key: string) => Claim) | undefined,
): Promise<DeliveryOutcome> {
	const { authentication } = settings;
	let body: Body | undefined;
	const readBodyOnce = () => (body ??= readBody(delivery.rawBody, delivery.headers));
	if (settings.answersVerificationRequests) {
		const outcome = await answerVerification(delivery, readBodyOnce, authentication, readSecrets);
		if (outcome !== undefined) return outcome;
		if (delivery.method !== 'POST') return refusedMethod();
		if (!hasProof(delivery.headers, authentication)) return unauthorized('signatureMissing');
	}
	if (authentication.kind !== 'none') {
		const verdict = verifySignature(delivery, authentication, await readSecrets());
		if (verdict.kind === 'refused') return unauthorized(verdict.reason);
	}
	return passOn(delivery, readBodyOnce(), settings, claim);
}

/**
 * @returns undefined if it is not a verification request, or a forged one
 */
async function answerVerification(
	delivery: Delivery,
	readBodyOnce: () => Body,
	authentication: Authentication,
	readSecrets: () => Promise<readonly string[]>,
): Promise<DeliveryOutcome | undefined> {
	if (delivery.rawBody.length > MAX_REQUEST_LENGTH) return undefined;
	const body = readBodyOnce();
	if (body.kind === 'unknownCharset') return undefined;
	const request = findVerificationRequest(delivery, body.value);
	if (request.kind === 'none') return undefined;
	if (request.kind === 'challenge') return answered(request.answer);
	if (!canSignTokens(authentication)) return unauthorized('tokenNotSignable');
	const { token } = request;
	const signature = signToken(token, delivery, authentication, await readSecrets());
	if (signature === undefined) return undefined;
	return answered({ kind: 'json', value: { plainToken: token, encryptedToken: signature } });
}

function answered(answer: VerificationAnswer): DeliveryOutcome {
	return { kind: 'verificationRequest', answer };
}

function passOn(
	delivery: Delivery,
	body: Body,
	settings: TriggerSettings,
	claim: ((key: string) => Claim) | undefined,
): DeliveryOutcome {
	if (body.kind === 'unknownCharset') return refusedContent();
	const { authentication } = settings;
	const headers = withoutSecrets(delivery.headers, secretHeaderOf(authentication));
	const sources = { ...settings.sources, ...proofOf(delivery, authentication) };
	const found = findEvents(body.value, headers, sources);
	if (found.kind === 'tooMany') return tooManyElements();
	const { selected, others, namedAt } = select(found.events, settings.events, sources, headers);
	if (selected.length === 0) return notSelected(describeNotSelected(others, namedAt));

	const beside = besideTheBody({ ...delivery, headers }, body.value, sources);
	const { fresh, repeats, isUndecided } = claimAll(selected, beside, claim);
	if (isUndecided) return undecided();
	if (fresh.length === 0) return repeated(describeRepeat(repeats[0]?.id));
	return {
		kind: 'passedOn',
		events: itemsOf(fresh, delivery, authentication),
		leftOut: [
			...(others.size > 0 ? [describeNotSelected(others, namedAt)] : []),
			...(repeats.length > 0 ? [describeRepeat(repeats[0]?.id)] : []),
		],
	};
}

function itemsOf(
	events: readonly FoundEvent[],
	delivery: Delivery,
	authentication: Authentication,
): DeliveredEvent[] {
	const receivedAt = new Date(delivery.receivedAt).toISOString();
	const headers = redactHeaders(delivery.headers, secretHeaderOf(authentication));
	const { query } = delivery;
	return events.map(({ event, id, body }) => ({ event, id, receivedAt, body, headers, query }));
}

/**
 * What has no ID cannot be recognized, and is always passed on. An element never repeats another of
 * the same delivery, so each but the first with the same key has its number in it.
 */
function claimAll(
	events: readonly FoundEvent[],
	beside: Beside,
	claim: ((key: string) => Claim) | undefined,
): { fresh: readonly FoundEvent[]; repeats: readonly FoundEvent[]; isUndecided: boolean } {
	if (claim === undefined) return { fresh: events, repeats: [], isUndecided: false };
	const counts = new Map<string, number>();
	const claims = events.map((event) => {
		const key = repeatKey(event, beside);
		if (key === undefined) return 'first';
		const earlier = counts.get(key) ?? 0;
		counts.set(key, earlier + 1);
		return claim(earlier === 0 ? key : `${key}${earlier}`);
	});
	return {
		fresh: events.filter((_, index) => claims[index] === 'first'),
		repeats: events.filter((_, index) => claims[index] === 'repeat'),
		isUndecided: claims.includes('undecided'),
	};
}
