import { createHash } from 'node:crypto';

import { type Delivery, headerValue } from './delivery';
import { type DeliveryId, type FoundEvent, findElements, findEvents } from './findEvents';
import { isAllowedAddress } from './ipAllowlist';
import { isReadableContent, readBody } from './readBody';
import { redactHeaders } from './redactHeaders';
import type { Authentication, TriggerSettings } from './settings';
import { describeRefusal } from './verification';
import { verifySignature } from './verifySignature';

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

export type Outcome =
	| { kind: 'passedOn'; events: DeliveredEvent[] }
	/** Genuine, but nothing is to be done: the sender gets 200. */
	| { kind: 'leftOut'; message: 'Event not selected' | 'Already received' }
	/** `reason` is for the log of the operator of n8n only. */
	| { kind: 'refused'; statusCode: 401 | 403 | 413 | 415; message: string; reason: string };

/** Enough for every sender known, and few enough for n8n to hold as items. */
const MOST_ELEMENTS = 10_000;

/**
 * Decides what becomes of a delivery. Never throws.
 *
 * @param isFirst remembers a key and tells whether it is new; undefined where repeats are passed on
 */
export function receiveDelivery(
	delivery: Delivery,
	settings: TriggerSettings,
	secrets: readonly string[],
	isFirst: ((key: string) => boolean) | undefined,
): Outcome {
	if (!isAllowedAddress(settings.ipAllowlist, delivery.address)) {
		return refuse(
			403,
			'Forbidden',
			`the address ${delivery.address ?? '(unknown)'} is not on the IP allowlist`,
		);
	}
	if (!isReadableContent(delivery.headers)) return refuseContent();
	const verification = verifySignature(delivery, settings.authentication, secrets);
	if (!verification.ok) return refuse(401, 'Unauthorized', describeRefusal(verification.reason));

	const body = readBody(delivery.rawBody, delivery.headers);
	if (!body.readable) return refuseContent();
	// Before anything is made of each of them: 16 MB hold millions.
	const elements = findElements(body.value, settings.paths.items);
	if (elements !== undefined && elements.length > MOST_ELEMENTS) {
		return refuse(413, 'Content Too Large', `the batch has more than ${MOST_ELEMENTS} elements`);
	}
	const deliveryId = readDeliveryId(delivery, settings.authentication);
	const found = findEvents(body.value, settings.paths, deliveryId);

	const selected = found
		.map((event, position) => ({ ...event, position }))
		.filter(({ event }) => isSelected(event, settings.events));
	if (selected.length === 0) return { kind: 'leftOut', message: 'Event not selected' };
	const fresh =
		isFirst === undefined ? selected : withoutRepeats(selected, delivery.rawBody, isFirst);
	if (fresh.length === 0) return { kind: 'leftOut', message: 'Already received' };

	const receivedAt = new Date(delivery.receivedAt).toISOString();
	const headers = redactHeaders(delivery.headers, settings.authentication);
	return {
		kind: 'passedOn',
		events: fresh.map(({ event, id, body: element }) => ({
			event,
			id,
			receivedAt,
			body: element,
			headers,
			query: delivery.query,
		})),
	};
}

function refuse(statusCode: 401 | 403 | 413 | 415, message: string, reason: string): Outcome {
	return { kind: 'refused', statusCode, message, reason };
}

function refuseContent(): Outcome {
	const reason =
		'its content is multipart/form-data or in a content coding or charset that cannot be read';
	return refuse(415, 'Unsupported Media Type', reason);
}

function readDeliveryId({ headers }: Delivery, authentication: Authentication): DeliveryId {
	const named = authentication.kind === 'hmac' ? headerValue(headers, authentication.idHeader) : '';
	if (named !== '') return { value: named, named: true };
	return {
		value: headerValue(headers, 'webhook-id'),
		named: authentication.kind === 'standardWebhooks',
	};
}

/** An event whose name is not known passes only where all events do. */
function isSelected(event: string | null, selection: readonly string[]): boolean {
	return selection.length === 0 || (event !== null && selection.includes(event));
}

/** What has no ID cannot be recognised, and is always passed on. */
function withoutRepeats<Event extends FoundEvent & { position: number }>(
	events: Event[],
	rawBody: Buffer,
	isFirst: (key: string) => boolean,
): Event[] {
	const bodyDigest = createHash('sha256').update(rawBody).digest('base64url');
	return events.filter(({ event, identity, position }) => {
		if (identity === undefined) return true;
		const { value, names } = identity;
		// What is taken for the ID of the event may be that of its record, which has other events too.
		if (names === 'event') return isFirst(JSON.stringify([event, String(value)]));
		const element = `${value}#${position}`;
		return isFirst(names === 'delivery' ? element : `${element}#${bodyDigest}`);
	});
}
