import { type MatchRules, RecordMatcher } from '../match/recordMatch';
import { isJsonObject } from '../values/json';
import { isAllowedAddress } from './allowlist';
import { type Authentication, secretHeaders } from './authentication';
import { readBody } from './body';
import type { Claim } from './deduplicator';
import { type Delivery, headerValue, isReadableContent, redactHeaders } from './delivery';
import { type DiscardedDelivery, discarded } from './discarded';
import { dedupKey, type EventSources, findEvents, mentionsEvent } from './events';
import { respondToVerification, type VerificationResponse } from './verificationRequest';
import { findVerificationFailure } from './verify';

/** What the user set on the trigger. */
export interface WebhookSettings {
	authentication: Authentication;
	/** Names of the events to pass on; empty = all. */
	events: string[];
	sources: EventSources;
	/** IP addresses and CIDR ranges, as typed; empty = every IP address. */
	ipAllowlist: readonly string[];
	ignoreRepeats: boolean;
	respondsToVerification: boolean;
	/** What the body of an event has to hold. */
	match: MatchRules;
	/** That of the workflow, e.g. "Europe/Berlin": conditions compare days and times. */
	zone: string;
}

export type DeliveryOutcome =
	/** The items of the output. `leftOut` says what was left out of a batch. */
	| { kind: 'passedOn'; events: object[]; leftOut: DiscardedDelivery[] }
	| { kind: 'verificationRequest'; answer: VerificationResponse }
	| DiscardedDelivery;

/**
 * Refuses what needs neither body nor secret to be refused, so that a stranger costs next to
 * nothing. Never throws.
 *
 * @returns undefined if nothing stands against it so far
 */
export function rejectEarly(
	{ method, headers, ipAddress }: Pick<Delivery, 'method' | 'headers' | 'ipAddress'>,
	{ ipAllowlist, authentication, respondsToVerification }: WebhookSettings,
): DiscardedDelivery | undefined {
	if (!isAllowedAddress(ipAllowlist, ipAddress)) return discarded.address(ipAddress);
	if (!respondsToVerification) {
		if (method !== 'POST') return discarded.method;
		const hasProof = secretHeaders(authentication).some((name) => headerValue(headers, name));
		if (authentication.kind !== 'none' && !hasProof)
			return discarded.unverified('signatureMissing');
	}
	return isReadableContent(headers) ? undefined : discarded.content;
}

/**
 * Decides what becomes of a delivery that {@link rejectEarly} let through.
 *
 * @param readSecrets called only if something is to be verified
 * @param claim remembers an event and tells whether it is new; undefined if repeats are passed on
 * @throws what `readSecrets` throws
 */
export async function handleDelivery(
	delivery: Delivery,
	settings: WebhookSettings,
	readSecrets: () => Promise<readonly string[]>,
	claim?: (key: string) => Claim,
): Promise<DeliveryOutcome> {
	const { authentication } = settings;
	if (settings.respondsToVerification) {
		const answer = respondToVerification(delivery);
		if (answer !== undefined) return { kind: 'verificationRequest', answer };
		const refusal = rejectEarly(delivery, { ...settings, respondsToVerification: false });
		if (refusal !== undefined) return refusal;
	}
	if (authentication.kind !== 'none') {
		const reason = findVerificationFailure(delivery, authentication, await readSecrets());
		if (reason !== undefined) return discarded.unverified(reason);
	}
	const body = readBody(delivery.rawBody);
	return typeof body === 'string'
		? discarded[body]
		: acceptEvents(delivery, body.value, settings, claim);
}

function acceptEvents(
	{ headers, query, receivedAt }: Delivery,
	body: unknown,
	{ authentication, events: names, sources, match: rules, zone }: WebhookSettings,
	claim: ((key: string) => Claim) | undefined,
): DeliveryOutcome {
	const found = findEvents(body, headers, sources, authentication);
	if (found === undefined) return discarded.tooMany;
	const isAny = names.length === 0;
	const isUnnamed = !isAny && found.some(({ event }) => event === null);
	const isNamed = isUnnamed && mentionsEvent(names, body, headers);
	const match = new RecordMatcher(rules, { now: receivedAt, zone });
	const outcomes = found.map((one) => {
		const isSelected = isAny || (one.event === null ? isNamed : names.includes(one.event));
		if (!isSelected) return 'notSelected';
		if (!match.matches(isJsonObject(one.body) ? one.body : {})) return 'notMatching';
		const key = dedupKey(one);
		// What has no ID cannot be recognized.
		return key === undefined || claim === undefined ? 'new' : claim(key);
	});
	if (outcomes.includes('inProgress')) return discarded.undecided;
	const fresh = found.filter((_, at) => outcomes[at] === 'new');

	const first = (outcome: (typeof outcomes)[number]) => found[outcomes.indexOf(outcome)];
	const [other, unlike, repeat] = [first('notSelected'), first('notMatching'), first('duplicate')];
	const leftOut = [
		other && discarded.notSelected(other.event),
		unlike && discarded.notMatching(match.missing),
		repeat && discarded.repeated(repeat.id),
	].filter((one) => one !== undefined);
	if (fresh.length === 0) return leftOut.at(-1) ?? discarded.notSelected(null);
	const shown = {
		receivedAt: new Date(receivedAt).toISOString(),
		headers: redactHeaders(headers, secretHeaders(authentication)),
		query,
	};
	const events = fresh.map(({ event, id, body: part }) => ({ event, id, body: part, ...shown }));
	return { kind: 'passedOn', events, leftOut };
}
