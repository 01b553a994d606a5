import {
	type CredentialFields,
	readApiUrl,
	readClient,
} from '../../../credentials/authorization/client';
import { tokenCoordination } from '../../../credentials/authorization/coordination';
import { type ExchangeRules, exchangeToken } from '../../../credentials/authorization/exchange';
import { findRecords, meansNoRecords } from '../answer/records';
import { LISTED_RESOURCES } from '../answer/resources';
import { concealSecrets } from '../failure/serverText';
import type { ServiceFailure } from '../failure/serviceFailure';
import type { HttpAnswer } from '../http/message';
import { withinOrigin } from '../http/redirects';
import { askApi } from './apiRequest';
import { explainAnswer } from './refusal';

/** A test is waited for, and repeated by hand. */
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
	// A service may have revoked the former token by this exchange; running workflows take the new
	// one.
	tokenCoordination.remember(client, token);

	const { segment, keys } = LISTED_RESOURCES.user;
	const url = `${apiUrl}/${segment}`;
	const asked = { url, query: { page: 0, pageSize: 1 }, timeout: TEST_RULES.timeout };
	const rules = { ...host, ...TEST_RULES, transport: withinOrigin(host.transport) };
	const answer = await askApi(asked, rules, token.accessToken);
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
