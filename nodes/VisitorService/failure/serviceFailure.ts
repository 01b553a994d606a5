export type FailureKind =
	| 'configuration'
	| 'connection'
	| 'blocked'
	| 'authorization'
	| 'permission'
	| 'rateLimit'
	| 'notFound'
	| 'badRequest'
	| 'service'
	| 'answer'
	| 'noList'
	/** Every page of a list is the same one. */
	| 'pageIgnored'
	/** A list was read for as long as any list may be, and did not end. */
	| 'endless'
	/** There is no time for another request. */
	| 'outOfTime'
	| 'cancelled';

export interface FailureDetails {
	kind: FailureKind;
	/** HTTP status code, if an answer came. */
	statusCode?: number;
	/** Milliseconds the service asked to wait, if it did. */
	retryAfter?: number;
	/** What the service itself said, cleaned and capped by `cleanServerText`. */
	serverText?: string;
}

/**
 * A failure the user can act on: what happened, and what to do. Neither may hold a secret, a token
 * or personal data, because both end in stored executions.
 */
export class ServiceFailure extends Error {
	readonly kind: FailureKind;

	readonly statusCode?: number;

	readonly retryAfter?: number;

	readonly serverText?: string;

	constructor(
		message: string,
		readonly remedy: string,
		details: FailureDetails,
	) {
		super(message);
		this.name = 'ServiceFailure';
		this.kind = details.kind;
		this.statusCode = details.statusCode;
		this.retryAfter = details.retryAfter;
		this.serverText = details.serverText;
	}

	/** The remedy, and after it what the service said. */
	get description(): string {
		return this.serverText === undefined
			? this.remedy
			: `${this.remedy} The service said: "${this.serverText}".`;
	}
}
