import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { allowsUnauthorizedCerts } from '../../../credentials/authorization/client';
import { failureOf } from '../failure/serviceFailure';
import { credentialTestTransport } from '../http/hostTransports';
import { tryCredential } from '../tenant/connectionTest';
import { isText } from '../values/json';
import { clock, random } from './host';

/**
 * The test of the credential. A function and not a declarative request, of which n8n shows nothing
 * but a code such as ENOTFOUND.
 */
export async function testConnection(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		if (isForWebhooksOnly(data)) {
			return {
				status: 'OK',
				message: 'The webhook secret is set. Webhooks show whether it is right.',
			};
		}
		const transport = credentialTestTransport(this.helpers, allowsUnauthorizedCerts(data));
		await tryCredential(data, { transport, clock, random });
		return {
			status: 'OK',
			message: 'Connection successful: a token was issued and users can be read.',
		};
	} catch (error) {
		const { message, description } = failureOf(error);
		return { status: 'Error', message: `${message} ${description}` };
	}
}

/** Who only receives webhooks has no values for the API. */
function isForWebhooksOnly({
	authUrl,
	baseUrl,
	clientId,
	clientSecret,
	webhookSecret,
}: IDataObject) {
	return isText(webhookSecret) && ![authUrl, baseUrl, clientId, clientSecret].some(isText);
}
