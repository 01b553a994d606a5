import { type MatchRules, RecordMatch } from '../match/recordMatch';
import { isRecord } from '../values/json';
import { isAllowedAddress } from './allowlist';
import { type Authentication, proofHeaders } from './authentication';
import { readBody } from './body';
import { type Delivery, headerValue, isReadableContent, redactHeaders } from './delivery';
import {
	type EventSources,
	type FoundEvent,
	findEvents,
	isNamedAnywhere,
	repeatKey,
} from './events';
import {
	type NotPassedOn,
	notMatching,
	notSelected,
	refusedAddress,
	refusedBodies,
	refusedContent,
	refusedMethod,
	repeated,
	unauthorized,
	undecided,
} from './refusals';
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
	/** What the body of an event has to hold. */
	match: MatchRules;
	/** That of the workflow, e.g. "Europe/Berlin": conditions compare days and times. */
	zone: string;
}

/** One item of the output. */
interface DeliveredEvent {
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

type Sender = Pick<Delivery, 'method' | 'headers' | 'ipAddress'>;

/**
 * Refuses what needs neither body nor secret to be refused, so that a stranger costs next to
 * nothing. Never throws.
 *
 * @returns undefined if nothing stands against it so far
 */
export function refuseAtOnce(sender: Sender, settings: TriggerSettings): NotPassedOn | undefined {
	const { ipAddress, headers } = sender;
	if (!isAllowedAddress(settings.ipAllowlist, ipAddress)) return refusedAddress(ipAddress);
	const refusal = settings.answersVerificationRequests
		? undefined
		: refuseUnproven(sender, settings);
	return refusal ?? (isReadableContent(headers) ? undefined : refusedContent);
}

function refuseUnproven(
	{ method, headers }: Sender,
	{ authentication }: TriggerSettings,
): NotPassedOn | undefined {
	if (method !== 'POST') return refusedMethod;
	const hasProof = proofHeaders(authentication).some((name) => headerValue(headers, name) !== '');
	return authentication.kind === 'none' || hasProof ? undefined : unauthorized('signatureMissing');
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
	const { authentication, answersVerificationRequests } = settings;
	const answer = answersVerificationRequests ? answerVerification(delivery) : undefined;
	if (answer !== undefined) return { kind: 'verificationRequest', answer };
	const refusal = refuseUnproven(delivery, settings);
	if (refusal !== undefined) return refusal;
	if (authentication.kind !== 'none') {
		const reason = findRefusal(delivery, authentication, await readSecrets());
		if (reason !== undefined) return unauthorized(reason);
	}
	const body = readBody(delivery.rawBody);
	if (body.kind === 'content') return passOn(delivery, body.value, settings, claim);
	return body.kind === 'notUtf8' ? refusedContent : refusedBodies.tooComplex;
}

function passOn(
	{ headers, query, receivedAt }: Delivery,
	body: unknown,
	{ authentication, events, sources, match: rules, zone }: TriggerSettings,
	claim: ClaimEvent | undefined,
): DeliveryOutcome {
	const found = findEvents(body, headers, sources, authentication);
	if (found === undefined) return refusedBodies.tooMany;
	const isAny = events.length === 0;
	const isNamed =
		!isAny && found.some(({ event }) => event === null) && isNamedAnywhere(events, body, headers);
	const selected = found.filter(
		({ event }) => isAny || (event === null ? isNamed : events.includes(event)),
	);
	const others = new Set(
		found.flatMap(({ event }) => (event === null || events.includes(event) ? [] : [event])),
	);
	if (selected.length === 0) return notSelected(others);
	const match = new RecordMatch(rules, { now: receivedAt, zone });
	const matching = selected.filter((one) => match.holds(isRecord(one.body) ? one.body : {}));
	if (matching.length === 0) return notMatching(match.missing);

	const claims = claimAll(matching, claim);
	if (claims.includes('undecided')) return undecided;
	const fresh = matching.filter((_, index) => claims[index] === 'first');
	const repeat = matching.find((_, index) => claims[index] === 'repeat');
	const isAgain = repeat === undefined ? [] : [repeated(repeat.id)];
	if (fresh.length === 0 && isAgain[0] !== undefined) return isAgain[0];
	const shown = {
		receivedAt: new Date(receivedAt).toISOString(),
		headers: redactHeaders(headers, proofHeaders(authentication)),
		query,
	};
	return {
		kind: 'passedOn',
		events: fresh.map(({ event, id, body: element }) => ({ event, id, body: element, ...shown })),
		leftOut: [
			...(selected.length < found.length ? [notSelected(others)] : []),
			...(matching.length < selected.length ? [notMatching([])] : []),
			...isAgain,
		],
	};
}

/**
 * What has no ID cannot be recognized, and is always passed on. An element never repeats another of
 * the same delivery, so each but the first with the same key has its number in it.
 */
function claimAll(events: readonly FoundEvent[], claim: ClaimEvent = () => 'first'): Claim[] {
	const counts = new Map<string, number>();
	return events.map((event) => {
		const key = repeatKey(event);
		if (key === undefined) return 'first';
		const earlier = counts.get(key) ?? 0;
		counts.set(key, earlier + 1);
		return claim(earlier === 0 ? key : `${key}${earlier}`);
	});
}
