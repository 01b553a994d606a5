import type { IExecuteFunctions } from 'n8n-workflow';

/** Shows a sentence above the output. Hosts that lack hints run on without. */
export function addHint(
	context: IExecuteFunctions,
	message: string,
	type: 'info' | 'warning',
): void {
	if (!('addExecutionHints' in context)) return;
	context.addExecutionHints({ message, type, location: 'outputPane' });
}
