import { NodeApiError } from 'n8n-workflow';
import { ServiceFailure } from './serviceFailure';

/**
 * Makes every error a failure with a sentence and a remedy. The texts of n8n's own errors are kept;
 * that of any other may hold anything, so it is not shown.
 */
export function failureOf(error: unknown): ServiceFailure {
	if (error instanceof ServiceFailure) return error;
	// All of n8n's error classes have a level (n8n-workflow 1.x and 2.x); NodeApiError may quote an
	// answer.
	if (error instanceof Error && 'level' in error && !(error instanceof NodeApiError)) {
		const description = 'description' in error ? error.description : undefined;
		return new ServiceFailure(
			error.message,
			typeof description === 'string' && description !== ''
				? description
				: 'Check the parameters and the credential of the node.',
			{ kind: 'configuration' },
		);
	}
	const name = error instanceof Error ? error.name : typeof error;
	return new ServiceFailure(
		`The node failed unexpectedly (${name}).`,
		'Report it to the maintainers of n8n-nodes-visitor-service, with the version of n8n.',
		{ kind: 'service' },
	);
}
