import {
	type CredentialFields,
	readApiUrl,
	readClient,
} from '../../../credentials/authorization/client';
import { tokenCoordination } from '../../../credentials/authorization/coordination';
import { type ExchangeRules, exchangeToken } from '../../../credentials/authorization/exchange';
import { findRecords } from '../answer/records';
import { LISTED_RESOURCES } from '../answer/resources';
import { withinOrigin } from '../http/redirects';
import { concealSecrets } from '../values/serverText';
import { askApi, explainAnswer } from './apiRequest';

/** Somebody waits for a test, and can repeat it. */
const TEST_RULES = { timeout: 20_000, maxRetries: 1 };

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
	const token = await exchangeToken(client, { ...host, ...TEST_RULES });
	// The service may have ended the former token by it, so running workflows take this one.
	tokenCoordination.remember(client, token);

	const { segment, keys } = LISTED_RESOURCES.user;
	const url = `${apiUrl}/${segment}`;
	const asked = { url, query: { page: 0, pageSize: 1 }, timeout: TEST_RULES.timeout };
	const rules = { ...host, ...TEST_RULES, transport: withinOrigin(host.transport) };
	const answer = await askApi(asked, rules, token.accessToken);
	const secrets = [client.clientSecret, token.accessToken];
	const refusal = explainAnswer(answer, url, () => secrets, host.clock.now());
	const reading = findRecords(answer, { keys, itemsPath: '' });
	// A list that is not found is a matter of the node's options.
	const failure = refusal ?? ('failure' in reading ? reading.failure : undefined);
	if (failure !== undefined && failure.kind !== 'noList') throw concealSecrets(failure, secrets);
}
