import { randomUUID } from 'node:crypto';
import type { ListFaults } from './faults';
import type { RateLimiter } from './rateLimit';
import type { RecordOrders } from './recordOrder';
import type { RecordStore } from './recordStore';
import type { RequestLog } from './requestLog';
import type { ListRequest, Switches } from './switches';
import type { Tokens } from './tokens';

/**
 * The channel on which every request to any service is announced, with the fields of a form parsed.
 * A name of its own for each test file, because Node.js 20 forgets a channel when an earlier one of
 * the same name is collected.
 */
export const REQUESTS = `visitor-service:request:${randomUUID()}`;

/** A request as it comes over HTTP: the target with its query, header names in lower case. */
export interface ServiceRequest {
	method: string;
	url: string;
	headers: Record<string, string>;
	body: string;
}

export type ListRequestHook = (request: ListRequest) => void | Promise<void>;

/** What one running service consists of. */
export interface ServiceState {
	readonly clientId: string;
	isSecret(text: unknown): boolean;
	readonly switches: Switches;
	readonly store: RecordStore;
	readonly orders: RecordOrders;
	readonly tokens: Tokens;
	readonly log: RequestLog;
	readonly limiter: RateLimiter;
	readonly listFaults: ListFaults;
	readonly listHooks: Set<ListRequestHook>;
	/** Milliseconds since 1970 by the service's own clock, `clockOffsetMs` included. */
	readonly serviceTime: () => number;
	/** Milliseconds since 1970 by the real clock, for lifetimes. */
	readonly realTime: () => number;
	/** Waits, or ends at once when the service stops. */
	pause(milliseconds: number): Promise<void>;
}
