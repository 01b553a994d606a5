import type { HttpAnswer, HttpRequest } from '../http/message';
import { type SendingRules, sendRequest } from '../http/sendRequest';

type AskedFor = Required<Pick<HttpRequest, 'url' | 'query' | 'timeout'>>;

/**
 * Asks the tenant's API.
 *
 * @param token to send; undefined if the transport adds one
 * @throws ServiceFailure if no answer came
 */
export async function askApi(
	asked: AskedFor,
	rules: Omit<SendingRules, 'role'>,
	token?: string,
): Promise<HttpAnswer> {
	const authorization = token !== undefined && { Authorization: `Bearer ${token}` };
	return await sendRequest(
		{ ...asked, method: 'GET', headers: { Accept: 'application/json', ...authorization } },
		{ ...rules, role: 'Tenant API URL' },
	);
}
