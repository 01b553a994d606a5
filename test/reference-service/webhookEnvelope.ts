import { isJsonObject, type JsonObject, type JsonValue } from './json';
import { fillTemplate } from './template';

/** Something that happened, as receivers are told. */
export interface WebhookEvent {
	/** Such as `user.updated`. */
	event: string;
	data: JsonValue;
	/** Default: a new one. The same in every attempt and every copy. */
	id?: string;
	/** ISO time; default: now by the service's clock. */
	createdAt?: string;
}

/**
 * How an event is written. A null field is left out; names left out are the defaults in brackets.
 */
export interface WebhookEnvelope {
	/** [`event`] Others in use: `type`, `eventType`, `event_type`, `Type`. */
	eventField?: string | null;
	/** [`id`] Others in use: `eventId`, `event_id`, `idempotency_key`. */
	idField?: string | null;
	/** [`createdAt`] */
	timeField?: string | null;
	/** [`data`] null = the fields of the data stand beside the others. */
	dataField?: string | null;
	/** Key of the list in a batch, such as `events`, `items`, `data`; null = a bare array [null]. */
	batchField?: string | null;
	/**
	 * Replaces the fields above; the texts `{event}`, `{id}`, `{createdAt}` and `{data}` are filled
	 * in.
	 */
	template?: JsonValue;
}

function eventBody(event: Required<WebhookEvent>, envelope: WebhookEnvelope): JsonValue {
	if (envelope.template !== undefined) return fillTemplate(envelope.template, { ...event });
	const { eventField, idField, timeField, dataField } = {
		eventField: 'event',
		idField: 'id',
		timeField: 'createdAt',
		dataField: 'data',
		...envelope,
	};
	const body: JsonObject = {};
	if (idField !== null) body[idField] = event.id;
	if (eventField !== null) body[eventField] = event.event;
	if (timeField !== null) body[timeField] = event.createdAt;
	if (dataField !== null) body[dataField] = event.data;
	else if (isJsonObject(event.data)) Object.assign(body, event.data);
	return body;
}

/** The body of one delivery. `batched` receivers get a list, also of one event. */
export function deliveryBody(
	events: Array<Required<WebhookEvent>>,
	envelope: WebhookEnvelope,
	batched: boolean,
): JsonValue {
	const bodies = events.map((event) => eventBody(event, envelope));
	if (!batched) return bodies[0] ?? null;
	const { batchField = null } = envelope;
	return batchField === null ? bodies : { [batchField]: bodies };
}
