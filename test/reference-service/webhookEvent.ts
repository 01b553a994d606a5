import type { JsonValue } from './json';

/** Something that happened, as receivers are told. */
export interface WebhookEvent {
	/** Such as `user.updated`. */
	event: string;
	data: JsonValue;
	/** Default: a new one. The same in every attempt. */
	id?: string;
	/** ISO time; default: now by the service's clock. */
	createdAt?: string;
}
