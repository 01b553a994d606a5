import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { allowsUnauthorizedCerts } from '../../../credentials/authorization/client';
import { failureOf } from '../failure/serviceFailure';
import { credentialTestTransport } from '../http/hostTransports';
import { tryCredential } from '../tenant/connectionTest';
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
