import { NodeApiError } from 'n8n-workflow';

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
	| 'response'
	| 'noList'
	/** The service ignores the page number and returns the same page each time. */
	| 'pageIgnored'
	/** A list did not end within the bounds of any list. */
	| 'endless'
	/** There is no time for another request. */
	| 'outOfTime'
	| 'cancelled'
	/** An error that is none of ours, or a defect of this package. */
	| 'unexpected';

/**
 * A failure the user can act on: what happened, and what to do. Neither may hold a secret, a token
 * or personal data, because both end in stored executions.
 */
export class ServiceFailure extends Error {
	readonly kind: FailureKind;

	/** HTTP status code, if there was a response. */
	readonly statusCode?: number;

	/** How long to wait, if the service sent Retry-After. */
	readonly retryAfterMs?: number;

	/** The service's own sentence, cleaned and capped by `sanitizeServerText`. */
	readonly serverText?: string;

	constructor(
		message: string,
		readonly remedy: string,
		details: Pick<ServiceFailure, 'kind' | 'statusCode' | 'retryAfterMs' | 'serverText'>,
	) {
		super(message);
		this.name = 'ServiceFailure';
		this.kind = details.kind;
		this.statusCode = details.statusCode;
		this.retryAfterMs = details.retryAfterMs;
		this.serverText = details.serverText;
	}

	/** The remedy, and after it what the service said. */
	get description(): string {
		return this.serverText === undefined
			? this.remedy
			: `${this.remedy} The service said: "${this.serverText.replace(/\.$/, '')}".`;
	}
}

/** No token was issued, which says nothing about the page that was requested. */
export class TokenFailure extends ServiceFailure {}

/** A setting that the user has to change. */
export function configurationFailure(message: string, remedy: string): ServiceFailure {
	return new ServiceFailure(message, remedy, { kind: 'configuration' });
}

/**
 * Turns any error into a failure with a sentence and a remedy. The texts of n8n's own errors are
 * kept. That of any other error may hold anything, so it is not shown.
 */
export function toServiceFailure(error: unknown): ServiceFailure {
	if (error instanceof ServiceFailure) return error;
	// All of n8n's error classes have a level (n8n-workflow 1.x and 2.x); NodeApiError may quote a
	// response.
	if (error instanceof Error && 'level' in error && !(error instanceof NodeApiError)) {
		const { description } = error as { description?: string | null };
		const remedy = description || 'Check the parameters and the credential of the node.';
		return configurationFailure(error.message, remedy);
	}
	// The text of V8. Functions that walk through a response are recursive.
	if (error instanceof RangeError && error.message.includes('call stack')) {
		return new ServiceFailure(
			'The service returned a response with too many levels.',
			'Ask your service provider for a response with at most a few hundred objects in each other.',
			{ kind: 'response' },
		);
	}
	const name = error instanceof Error ? error.name : typeof error;
	return new ServiceFailure(
		`The node failed unexpectedly (${name}).`,
		'Report it to the maintainers of n8n-nodes-visitor-service, with the version of n8n.',
		{ kind: 'unexpected' },
	);
}

/**
 * The failure of each credential, by its data. A hack: n8n 1.123 wraps what `preAuthentication` and
 * `authenticate` throw, keeps the text and drops the cause. The kind of the failure, its remedy and
 * the time to wait would be lost. The data object of the credential is the one thing that we hand
 * to n8n and that n8n hands to our credential class, so the failure is found by it.
 *
 * It can go when the package no longer supports n8n 1.x. It breaks, and the texts of n8n are shown
 * instead, if n8n passes a copy of `credentialsDecrypted.data` to the credential; `sameWorkflows`
 * notices.
 */
export const failureByCredentialData = new WeakMap<object, ServiceFailure>();
