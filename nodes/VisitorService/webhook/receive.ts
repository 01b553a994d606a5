import { type MatchRules, RecordMatcher } from '../match/recordMatch';
import { isJsonObject } from '../values/json';
import { isAllowedAddress } from './allowlist';
import { type Authentication, secretHeaders } from './authentication';
import { readBody } from './body';
import type { Claim } from './deduplicator';
import {
	type Delivery,
	type HeaderFields,
	headerValue,
	isReadableContent,
	redactHeaders,
} from './delivery';
import { type DiscardedDelivery, discarded } from './discarded';
import {
	dedupKey,
	type EventSources,
	findEvents,
	mentionsEvent,
	type WebhookEvent,
} from './events';
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
	/** Conditions on the body of an event. */
	match: MatchRules;
	/** Time zone of the workflow, e.g. "Europe/Berlin", for conditions on times. */
	zone: string;
}

export interface ReadSecrets {
	secrets: readonly string[];
	/** Whether they were not read before this delivery was received. */
	areCurrent: boolean;
}

export type DeliveryOutcome =
	/** The items of the output, and why events of the batch are not among them. */
	| { kind: 'passedOn'; events: object[]; filtered: DiscardedDelivery[] }
	| { kind: 'verificationRequest'; response: VerificationResponse }
	| DiscardedDelivery;

/**
 * Rejects a delivery without reading body and secret if possible, so that requests of strangers
 * cost little. Never throws.
 *
 * @returns undefined if the delivery is to be read
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
	return isReadableContent(headers) ? undefined : discarded.undecodable;
}

/**
 * Decides what becomes of a delivery that {@link rejectEarly} did not reject.
 *
 * @param readSecrets called only if something is to be verified. `mustReread`: even if just read
 * @param claim remembers an event unless it was seen before; undefined to pass on duplicates
 * @throws what `readSecrets` throws
 */
export async function handleDelivery(
	delivery: Delivery,
	settings: WebhookSettings,
	readSecrets: (mustReread: boolean) => Promise<ReadSecrets>,
	claim?: (key: string) => Claim,
): Promise<DeliveryOutcome> {
	const { authentication } = settings;
	if (settings.respondsToVerification) {
		const response = respondToVerification(delivery);
		if (response !== undefined) return { kind: 'verificationRequest', response };
		const rejection = rejectEarly(delivery, { ...settings, respondsToVerification: false });
		if (rejection !== undefined) return rejection;
	}
	if (authentication.kind !== 'none') {
		const read = await readSecrets(false);
		let reason = findVerificationFailure(delivery, authentication, read.secrets);
		// A secret that was just set counts at once.
		if (reason !== undefined && !read.areCurrent) {
			const { secrets } = await readSecrets(true);
			reason = findVerificationFailure(delivery, authentication, secrets);
		}
		if (reason !== undefined) return discarded.unverified(reason);
	}
	const body = readBody(delivery.rawBody);
	if (body.kind !== 'value') return discarded[body.kind];
	return acceptEvents(delivery, body.value, settings, claim);
}

function acceptEvents(
	{ headers, query, receivedAt }: Delivery,
	body: unknown,
	settings: WebhookSettings,
	claim: ((key: string) => Claim) | undefined,
): DeliveryOutcome {
	const { authentication, sources, match: rules, zone } = settings;
	const found = findEvents(body, headers, sources, authentication);
	if (found === undefined) return discarded.tooMany;
	const isSelected = eventFilter(settings.events, found, body, headers);
	const match = new RecordMatcher(rules, { now: receivedAt, zone });
	const outcomes = found.map((one) => {
		if (!isSelected(one)) return 'notSelected';
		if (!match.matches(isJsonObject(one.body) ? one.body : {})) return 'notMatching';
		const key = dedupKey(one);
		// An event without an ID cannot be recognized.
		return key === undefined || claim === undefined ? 'new' : claim(key);
	});
	if (outcomes.includes('inProgress')) return discarded.inProgress;

	const filtered = filteredOf(found, outcomes, match.missing);
	const newEvents = found.filter((_, index) => outcomes[index] === 'new');
	if (newEvents.length === 0) return filtered.at(-1) ?? discarded.notSelected(null);
	const shown = {
		receivedAt: new Date(receivedAt).toISOString(),
		headers: redactHeaders(headers, secretHeaders(authentication)),
		query,
	};
	const events = newEvents.map(({ event, id, body: part }) => ({
		event,
		id,
		body: part,
		...shown,
	}));
	return { kind: 'passedOn', events, filtered };
}

/** One delivery for each reason for which events of a batch are left out. */
function filteredOf(
	found: readonly WebhookEvent[],
	outcomes: readonly string[],
	missing: readonly string[],
): DiscardedDelivery[] {
	const firstOf = (outcome: string) => found[outcomes.indexOf(outcome)];
	const [unselected, duplicate] = [firstOf('notSelected'), firstOf('duplicate')];
	return [
		unselected && discarded.notSelected(unselected.event),
		firstOf('notMatching') && discarded.notMatching(missing),
		duplicate && discarded.repeated(duplicate.id),
	].filter((one) => one !== undefined);
}

/** Whether an event is among those that are set in Events. */
function eventFilter(
	names: readonly string[],
	found: readonly WebhookEvent[],
	body: unknown,
	headers: HeaderFields,
): (event: WebhookEvent) => boolean {
	if (names.length === 0) return () => true;
	const hasUnnamed = found.some(({ event }) => event === null);
	const isMentioned = hasUnnamed && mentionsEvent(names, body, headers);
	return ({ event }) => (event === null ? isMentioned : names.includes(event));
}
