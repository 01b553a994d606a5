import { ServiceFailure } from '../../nodes/VisitorService/failure/serviceFailure';
import { parameterReaders } from '../../nodes/VisitorService/values/parameters';

/** The credential's fields as stored; n8n promises no types for them. */
export type CredentialFields = Readonly<Record<string, unknown>>;

/** As the parameters of a node are read. @throws ServiceFailure that names the field */
export const { readText, readExactText, readList, readFlag } = parameterReaders(
	({ label, must, remedy }) =>
		new ServiceFailure(
			`The ${label} must be ${must}.`,
			`Set ${label} in the credential to ${remedy}. If it is an expression, check what it returns.`,
			{ kind: 'configuration' },
		),
);

/**
 * The current secret of webhooks and the previous one; '' if one is not set.
 *
 * @throws ServiceFailure that names the field
 */
export function readWebhookSecrets(fields: CredentialFields): string[] {
	return [
		readExactText(fields.webhookSecret, 'Webhook Secret'),
		readExactText(fields.previousWebhookSecret, 'Previous Webhook Secret'),
	];
}
