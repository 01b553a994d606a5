import { readApiUrl, readClient } from '../../../credentials/authorization/client';
import { tokenCoordination } from '../../../credentials/authorization/coordination';
import type { CredentialFields } from '../../../credentials/authorization/credentialFields';
import { type ExchangeRules, exchangeToken } from '../../../credentials/authorization/exchange';
import { findRecords, meansNoRecords } from '../answer/records';
import { LISTED_RESOURCES } from '../answer/resources';
import { concealSecrets } from '../failure/serverText';
import type { ServiceFailure } from '../failure/serviceFailure';
import type { HttpAnswer } from '../http/message';
import { withinOrigin } from '../http/redirects';
import { askApi } from './apiRequest';
import { explainAnswer } from './refusal';

const TEST_TIMEOUT = 20_000;
const MAX_TEST_RETRIES = 1;

/**
 * Tries a credential: a fresh exchange, and one list call for a single user.
 *
 * @throws ServiceFailure that names the field of the credential to look at
 */
export async function tryCredential(
	fields: CredentialFields,
	host: Pick<ExchangeRules, 'transport' | 'clock' | 'random'>,
): Promise<void> {
	const client = readClient(fields);
	const apiUrl = readApiUrl(fields);
	const rules = { ...host, timeout: TEST_TIMEOUT, maxRetries: MAX_TEST_RETRIES };
	const token = await exchangeToken(client, rules);
	// A service may have revoked the former token by this exchange; running workflows take the new
	// one.
	tokenCoordination.remember(client, token);

	const { segment, keys } = LISTED_RESOURCES.user;
	const url = `${apiUrl}/${segment}`;
	const query = { page: 0, pageSize: 1 };
	const asking = { ...rules, transport: withinOrigin(rules.transport) };
	const answer = await askApi({ url, query, timeout: TEST_TIMEOUT }, asking, token.accessToken);
	const secrets = [client.clientSecret, token.accessToken];
	const failure =
		explainAnswer(answer, url, () => secrets, host.clock.now()) ?? explainList(answer, keys);
	if (failure !== undefined) throw concealSecrets(failure, secrets);
}

/**
 * A list that is not found is a matter of the node's options; an answer that is not JSON does not
 * come from the API.
 */
function explainList(answer: HttpAnswer, keys: readonly string[]): ServiceFailure | undefined {
	const reading = findRecords(answer, { keys, itemsPath: '' });
	if (reading.kind === 'fault') return reading.failure;
	return reading.kind === 'noData' && !meansNoRecords(reading) ? reading.failure : undefined;
}
