import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { controlled } from './control';
import { ReferenceService } from './referenceService';
import { buildServer } from './server';
import type { ServiceOptions } from './service';

export type { ForcedResponse } from './bodies';
export type { JsonObject, JsonValue } from './json';
export type { MetadataField } from './presets';
export type { Resource } from './records';
export { resources, syntheticRecord } from './records';
export type { ReferenceService } from './referenceService';
export type { RecordedRequest } from './requestLog';
export type * from './switches';
export type { Delivery, Receiver, WebhookEvent } from './webhookDeliveries';

export interface ReferenceServiceOptions extends Omit<ServiceOptions, 'pause'> {
	/** Default 127.0.0.1. */
	host?: string;
	/** Default 0: a free port. */
	port?: number;
}

/**
 * Starts a Visitor Service with the published interface.
 * @throws the system's error (`EADDRINUSE`, …) when it cannot listen
 */
export async function startReferenceService({
	host = '127.0.0.1',
	port = 0,
	...options
}: ReferenceServiceOptions = {}): Promise<ReferenceService> {
	const stopping = new AbortController();
	// As many requests wait as clients send.
	setMaxListeners(0, stopping.signal);
	const pause = async (milliseconds: number) => {
		await delay(milliseconds, undefined, { signal: stopping.signal }).catch(() => undefined);
	};
	const service = new ReferenceService({ ...options, pause }, stopping);
	const server = buildServer(service, async (body) => await controlled(service, body));
	await service.listen(server, host, port);
	return service;
}
