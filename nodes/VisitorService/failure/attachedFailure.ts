import type { ServiceFailure } from './serviceFailure';

/*
 * A hack, and what it needs. A credential can tell n8n what went wrong by nothing but the text of
 * an error: n8n 1.123 wraps what `preAuthentication` and `authenticate` throw and drops the cause,
 * so that the kind of the failure, its remedy and the time to wait would be lost. The data object
 * of the credential is the one thing that we hand to n8n and that n8n hands to our credential
 * class, so the failure travels on it. It is not enumerable, so it is neither copied nor stored,
 * and a symbol, so it collides with no field.
 *
 * It can go when the package no longer supports n8n 1.x. It breaks, and the texts of n8n are shown
 * instead, if n8n passes a copy of `credentialsDecrypted.data` to the credential; the engine tests
 * of leaks and tokens notice.
 */
const ATTACHED_FAILURE = Symbol('failure');

interface WithFailure {
	[ATTACHED_FAILURE]?: ServiceFailure;
}

/** To the credential data it is about, so that whoever handed n8n the data gets it back. */
export function attachFailure(data: object, failure: ServiceFailure): void {
	Object.defineProperty(data, ATTACHED_FAILURE, { value: failure, configurable: true });
}

/** @returns undefined if none was attached */
export function attachedFailure(data: object): ServiceFailure | undefined {
	return (data as WithFailure)[ATTACHED_FAILURE];
}
