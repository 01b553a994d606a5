import { request } from 'undici';

import type {
	DeepPartial,
	Delivery,
	JsonObject,
	Receiver,
	RecordedRequest,
	RequestSummary,
	Resource,
	Switches,
	WebhookEvent,
} from './index';

/**
 * Steers a reference service in another process through its `/control` addresses.
 * Every call rejects with the service's own words when it is refused.
 */
export class ReferenceServiceClient {
	constructor(private readonly url: string) {}

	service() {
		return this.call<{ url: string; clientId: string; clientSecret: string; tokensIssued: number }>(
			'GET',
			'/service',
		);
	}

	switches() {
		return this.call<Switches>('GET', '/switches');
	}

	/** Changes the switches named; functions cannot be sent. */
	set(switches: DeepPartial<Switches>) {
		return this.call<Switches>('PUT', '/switches', switches);
	}

	resetSwitches() {
		return this.call<Switches>('DELETE', '/switches');
	}

	requests() {
		return this.call<RecordedRequest[]>('GET', '/requests');
	}

	summary() {
		return this.call<RequestSummary>('GET', '/requests?summary');
	}

	clearRequests() {
		return this.call<undefined>('DELETE', '/requests');
	}

	seed(resource: Resource, records: number | JsonObject[]) {
		const content = typeof records === 'number' ? { count: records } : { records };
		return this.call<undefined>('POST', '/seed', { resource, ...content });
	}

	upsert(resource: Resource, record: JsonObject | JsonObject[]) {
		return this.call<undefined>('POST', `/records/${resource}`, record);
	}

	remove(resource: Resource, id: string | number) {
		return this.call<undefined>('DELETE', `/records/${resource}/${encodeURIComponent(id)}`);
	}

	expireTokens() {
		return this.call<undefined>('POST', '/tokens/expire');
	}

	revokeTokens() {
		return this.call<undefined>('POST', '/tokens/revoke');
	}

	/** Replaces all receivers. @returns them with their ids */
	setReceivers(receivers: Receiver[]) {
		return this.call<Receiver[]>('PUT', '/receivers', receivers);
	}

	/** Resolves after the first attempt of each delivery. */
	emit(events: WebhookEvent | WebhookEvent[]) {
		return this.call<Delivery[]>('POST', '/events', events);
	}

	deliveries() {
		return this.call<Delivery[]>('GET', '/deliveries');
	}

	clearDeliveries() {
		return this.call<undefined>('DELETE', '/deliveries');
	}

	redeliver(id: string) {
		return this.call<Delivery>('POST', `/deliveries/${encodeURIComponent(id)}`);
	}

	private async call<Answer>(
		method: 'GET' | 'PUT' | 'POST' | 'DELETE',
		path: string,
		body?: unknown,
	) {
		const { statusCode, body: answer } = await request(`${this.url}/control${path}`, {
			method,
			...(body === undefined
				? {}
				: { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
			// Seeding a million records takes longer than undici waits by itself.
			headersTimeout: 0,
			bodyTimeout: 0,
		});
		const text = await answer.text();
		if (statusCode >= 400) throw new Error(`${method} /control${path}: ${statusCode} ${text}`);
		// Both ends are built from the same sources, so the types hold.
		return (text === '' ? undefined : JSON.parse(text)) as Answer;
	}
}
