import {
	type ICredentialsDecrypted,
	type ICredentialTestFunctions,
	type INodeCredentialTestResult,
	sleep,
} from 'n8n-workflow';

import { readApiAddress, readClient } from '../../credentials/authorization/credentialFields';
import { tokenCoordination } from '../../credentials/authorization/tokenCoordination';
import { exchangeToken } from '../../credentials/authorization/tokenExchange';
import { findRecords } from './listing/findRecords';
import { LISTED_RESOURCES } from './listing/resources';
import { failureOf } from './operations/failedItem';
import { explainAnswer } from './transport/answerFailure';
import { concealSecrets } from './transport/concealSecrets';
import { credentialTestTransport } from './transport/credentialTestTransport';
import type { Clock } from './transport/httpMessage';
import { withinOrigin } from './transport/redirects';
import { sendRequest } from './transport/sendRequest';
import type { ServiceFailure } from './transport/serviceFailure';

const TIMEOUT = 20_000;
const MAX_RETRIES = 1;

/**
 * The test of the credential: a fresh exchange and one list call for a single user. A function and no
 * declarative request, because n8n shows of a declarative one no more than a code such as ENOTFOUND.
 */
export async function testConnection(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		return await tryConnection(this.helpers, credential.data ?? {});
	} catch (error) {
		const { message, description } = failureOf(error);
		return { status: 'Error', message: `${message} ${description}` };
	}
}

async function tryConnection(
	helpers: ICredentialTestFunctions['helpers'],
	fields: NonNullable<ICredentialsDecrypted['data']>,
): Promise<INodeCredentialTestResult> {
	const client = readClient(fields);
	const address = readApiAddress(fields);
	const clock: Clock = { now: () => Date.now(), sleep };
	const transport = credentialTestTransport(helpers);
	const means = {
		transport,
		clock,
		random: Math.random,
		timeout: TIMEOUT,
		maxRetries: MAX_RETRIES,
	};
	const token = await exchangeToken(client, means);
	// A service may have revoked the former token by this exchange; running workflows take the new one.
	tokenCoordination.remember(client, token);

	const { segment, keys } = LISTED_RESOURCES.user;
	const url = `${address}/${segment}`;
	const answer = await sendRequest(
		{
			method: 'GET',
			url,
			headers: { Accept: 'application/json', Authorization: `Bearer ${token.accessToken}` },
			query: { page: 0, pageSize: 1 },
			timeout: TIMEOUT,
		},
		{
			...means,
			transport: withinOrigin(transport),
			mayRetry: (statusCode) => [429, 502, 503, 504].includes(statusCode),
			role: 'Tenant API URL',
		},
	);
	const secrets = [client.clientSecret, token.accessToken];
	const failure =
		explainAnswer(answer, new URL(url).pathname, secrets) ?? explainBody(answer.body, keys);
	if (failure !== undefined) throw concealSecrets(failure, secrets);
	return {
		status: 'OK',
		message: 'Connection successful: a token was issued and users can be read.',
	};
}

/** Where the list stands is a matter of the node's options; what is no JSON at all is not the API. */
function explainBody(body: unknown, keys: readonly string[]): ServiceFailure | undefined {
	try {
		findRecords(body, { keys, itemsPath: '' });
		return undefined;
	} catch (error) {
		const failure = failureOf(error);
		return failure.kind === 'noList' ? undefined : failure;
	}
}
