import { isAllowedAddress } from './allowlist';
import { type Authentication, familyOf, hasProof, proofHeaders } from './authentication';
import { readBody } from './body';
import { type Delivery, isReadableContent, letsIn, redactHeaders } from './delivery';
import {
	type EventSources,
	type FoundEvent,
	findEvents,
	type HeaderTrust,
	isNamedAnywhere,
	repeatKey,
} from './events';
import {
	type NotPassedOn,
	notSelected,
	refusedAddress,
	refusedBodies,
	refusedContent,
	refusedMethod,
	repeated,
	unauthorized,
	undecided,
} from './refusals';
import { isSignedHeader } from './signedContent';
import type { Claim } from './triggerMemory';
import { answerVerification, type VerificationAnswer } from './verificationRequest';
import { findRefusal } from './verify';

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
	/** `leftOut` says what was left out of a batch. */
	| { kind: 'passedOn'; events: DeliveredEvent[]; leftOut: NotPassedOn[] }
	| NotPassedOn
	| { kind: 'verificationRequest'; answer: VerificationAnswer };

/** Remembers an event and tells whether it is new. */
type ClaimEvent = (key: string) => Claim;

/**
 * Refuses what needs neither body nor secret to be refused, so that a stranger costs next to
 * nothing. Never throws.
 *
 * @returns undefined if nothing stands against it so far
 */
export function refuseAtOnce(
	{ method, headers, ipAddress }: Pick<Delivery, 'method' | 'headers' | 'ipAddress'>,
	{ ipAllowlist, authentication, answersVerificationRequests }: TriggerSettings,
): NotPassedOn | undefined {
	if (!isAllowedAddress(ipAllowlist, ipAddress)) return refusedAddress(ipAddress);
	if (!answersVerificationRequests) {
		if (method !== 'POST') return refusedMethod;
		if (!hasProof(headers, authentication)) return unauthorized('signatureMissing');
	}
	return isReadableContent(headers) ? undefined : refusedContent;
}

/**
 * Decides what becomes of a delivery that {@link refuseAtOnce} let through.
 *
 * @param readSecrets called only if something is to be verified
 * @param claim undefined if repeats are passed on
 * @throws what `readSecrets` throws
 */
export async function receiveDelivery(
	delivery: Delivery,
	settings: TriggerSettings,
	readSecrets: () => Promise<readonly string[]>,
	claim: ClaimEvent | undefined,
): Promise<DeliveryOutcome> {
	const { authentication } = settings;
	if (settings.answersVerificationRequests) {
		const answer = answerVerification(delivery);
		if (answer !== undefined) return { kind: 'verificationRequest', answer };
		if (delivery.method !== 'POST') return refusedMethod;
	}
	if (!hasProof(delivery.headers, authentication)) return unauthorized('signatureMissing');
	if (authentication.kind !== 'none') {
		const reason = findRefusal(delivery, authentication, await readSecrets());
		if (reason !== undefined) return unauthorized(reason);
	}
	const body = readBody(delivery.rawBody);
	if (body.kind !== 'content') {
		return body.kind === 'notUtf8' ? refusedContent : refusedBodies.tooComplex;
	}
	return passOn(delivery, body.value, settings, claim);
}

function passOn(
	delivery: Delivery,
	body: unknown,
	{ authentication, events, sources }: TriggerSettings,
	claim: ClaimEvent | undefined,
): DeliveryOutcome {
	const { headers, query } = delivery;
	const found = findEvents(body, headers, sources, trustOf(delivery, authentication));
	if (found === undefined) return refusedBodies.tooMany;
	let isNamed: boolean | undefined;
	const selected = found.filter(({ event }) => {
		if (events.length === 0 || (event !== null && events.includes(event))) return true;
		return event === null && (isNamed ??= isNamedAnywhere(events, body, headers));
	});
	const others = new Set(found.flatMap(({ event }) => (event === null ? [] : [event])));
	for (const { event } of selected) if (event !== null) others.delete(event);
	if (selected.length === 0) return notSelected(others);

	const { fresh, repeats, isUndecided } = claimAll(selected, claim);
	if (isUndecided) return undecided;
	const [repeat] = repeats.map(({ id }) => repeated(id));
	if (fresh.length === 0 && repeat !== undefined) return repeat;
	const receivedAt = new Date(delivery.receivedAt).toISOString();
	const shown = redactHeaders(headers, proofHeaders(authentication));
	return {
		kind: 'passedOn',
		events: fresh.map(({ event, id, body: element }) => {
			return { event, id, receivedAt, body: element, headers: shown, query };
		}),
		leftOut: [
			...(selected.length < found.length ? [notSelected(others)] : []),
			...(repeat === undefined ? [] : [repeat]),
		],
	};
}

/** Who can change a header without a key must not be able to change what an event is by it. */
function trustOf({ headers }: Delivery, authentication: Authentication): HeaderTrust {
	const isSigned = (name: string) => isSignedHeader(authentication, name);
	const isSecret = (name: string) => letsIn(name, proofHeaders(authentication));
	const idHeader = {
		none: '',
		header: '',
		hmac: authentication.kind === 'hmac' ? authentication.idHeader : '',
		standardWebhooks: `${familyOf(headers)}-id`,
	}[authentication.kind];
	return {
		isSure: (name) => isSigned(name) && !isSecret(name),
		signedIdHeader: isSigned(idHeader) ? idHeader : '',
	};
}

/**
 * What has no ID cannot be recognized, and is always passed on. An element never repeats another of
 * the same delivery, so each but the first with the same key has its number in it.
 */
function claimAll(
	events: readonly FoundEvent[],
	claim: ClaimEvent | undefined,
): { fresh: readonly FoundEvent[]; repeats: readonly FoundEvent[]; isUndecided: boolean } {
	if (claim === undefined) return { fresh: events, repeats: [], isUndecided: false };
	const counts = new Map<string, number>();
	const claims = events.map((event) => {
		const key = repeatKey(event);
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
