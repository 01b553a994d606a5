/** Too Many Requests (RFC 6585 §4). */
export const TOO_MANY_REQUESTS = 429;

/** Service Unavailable (RFC 9110 §15.6.4), with which many proxies limit the rate. */
export const SERVICE_UNAVAILABLE = 503;

/** The answer is still being made (RFC 9110 §15.3.3), so this one holds none. */
export const ACCEPTED = 202;

/**
 * After these the same request may work: the service asks for time, or a proxy did not reach it.
 */
const OVERLOADS: ReadonlySet<number> = new Set([
	ACCEPTED,
	TOO_MANY_REQUESTS,
	502,
	SERVICE_UNAVAILABLE,
	504,
]);

/** Whether the same request may work later. */
export function isOverload(statusCode: number): boolean {
	return OVERLOADS.has(statusCode);
}

/** Whether the service asks for fewer requests. */
export function asksToSlowDown(statusCode: number): boolean {
	return statusCode === TOO_MANY_REQUESTS || statusCode === SERVICE_UNAVAILABLE;
}

/** Whether the service limits the rate, or has a fault that may be gone later. */
export function isTemporary(statusCode: number): boolean {
	return statusCode === TOO_MANY_REQUESTS || statusCode >= 500;
}
