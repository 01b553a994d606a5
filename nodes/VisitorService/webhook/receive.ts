import { type MatchRules, RecordMatch } from '../match/recordMatch';
import { isRecord } from '../values/json';
import { isAllowedAddress } from './allowlist';
import { type Authentication, proofHeaders } from './authentication';
import { readBody } from './body';
import { type Delivery, headerValue, isReadableContent, redactHeaders } from './delivery';
import { type EventSources, findEvents, isNamedAnywhere, repeatKey } from './events';
import { type NotPassedOn, refusals } from './refusals';
import type { Claim } from './repeats';
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

export type DeliveryOutcome =
	/** The items of the output. `leftOut` says what was left out of a batch. */
	| { kind: 'passedOn'; events: object[]; leftOut: NotPassedOn[] }
	| { kind: 'verificationRequest'; answer: VerificationAnswer }
	| NotPassedOn;

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
	if (!isAllowedAddress(ipAllowlist, ipAddress)) return refusals.address(ipAddress);
	if (!answersVerificationRequests) {
		if (method !== 'POST') return refusals.method;
		const hasProof = proofHeaders(authentication).some((name) => headerValue(headers, name));
		if (authentication.kind !== 'none' && !hasProof) return refusals.unverified('signatureMissing');
	}
	return isReadableContent(headers) ? undefined : refusals.content;
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
	claim?: (key: string) => Claim,
): Promise<DeliveryOutcome> {
	const { authentication } = settings;
	if (settings.answersVerificationRequests) {
		const answer = answerVerification(delivery);
		if (answer !== undefined) return { kind: 'verificationRequest', answer };
		const refusal = refuseAtOnce(delivery, { ...settings, answersVerificationRequests: false });
		if (refusal !== undefined) return refusal;
	}
	if (authentication.kind !== 'none') {
		const reason = findRefusal(delivery, authentication, await readSecrets());
		if (reason !== undefined) return refusals.unverified(reason);
	}
	const body = readBody(delivery.rawBody);
	return typeof body === 'string' ? refusals[body] : passOn(delivery, body.value, settings, claim);
}

function passOn(
	{ headers, query, receivedAt }: Delivery,
	body: unknown,
	{ authentication, events: names, sources, match: rules, zone }: TriggerSettings,
	claim: ((key: string) => Claim) | undefined,
): DeliveryOutcome {
	const found = findEvents(body, headers, sources, authentication);
	if (found === undefined) return refusals.tooMany;
	const isAny = names.length === 0;
	const isUnnamed = !isAny && found.some(({ event }) => event === null);
	const isNamed = isUnnamed && isNamedAnywhere(names, body, headers);
	const match = new RecordMatch(rules, { now: receivedAt, zone });
	const outcomes = found.map((one) => {
		const isSelected = isAny || (one.event === null ? isNamed : names.includes(one.event));
		if (!isSelected) return 'notSelected';
		if (!match.holds(isRecord(one.body) ? one.body : {})) return 'notMatching';
		const key = repeatKey(one);
		// What has no ID cannot be recognized.
		return key === undefined || claim === undefined ? 'first' : claim(key);
	});
	if (outcomes.includes('undecided')) return refusals.undecided;
	const fresh = found.filter((_, at) => outcomes[at] === 'first');

	const first = (outcome: (typeof outcomes)[number]) => found[outcomes.indexOf(outcome)];
	const [other, unlike, repeat] = [first('notSelected'), first('notMatching'), first('repeat')];
	const leftOut = [
		other && refusals.notSelected(other.event),
		unlike && refusals.notMatching(match.missing),
		repeat && refusals.repeated(repeat.id),
	].filter((one) => one !== undefined);
	if (fresh.length === 0) return leftOut.at(-1) ?? refusals.notSelected(null);
	const shown = {
		receivedAt: new Date(receivedAt).toISOString(),
		headers: redactHeaders(headers, proofHeaders(authentication)),
		query,
	};
	const events = fresh.map(({ event, id, body: part }) => ({ event, id, body: part, ...shown }));
	return { kind: 'passedOn', events, leftOut };
}
