import type { ServiceFailure } from '../../nodes/VisitorService/transport/serviceFailure';

const FAILURE = Symbol('failure');

interface WithFailure {
	[FAILURE]?: ServiceFailure;
}

/**
 * Leaves a failure with the credential data it is about, for whoever gave n8n that data: n8n 1.123 wraps what a
 * credential throws and drops the cause, so that nothing but the text would arrive. It is not stored and not copied.
 */
export function leaveFailure(fields: object, failure: ServiceFailure): void {
	Object.defineProperty(fields, FAILURE, { value: failure, configurable: true });
}

export function failureLeftIn(fields: object): ServiceFailure | undefined {
	return (fields as WithFailure)[FAILURE];
}
