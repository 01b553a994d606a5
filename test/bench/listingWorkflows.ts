import { type CredentialReference, type NewNode, ownNode, START } from '../n8n/workflow';

export const READ_NODE = 'Read';

/** The same listing by this package's node. */
export function visitorServiceChain(
	credential: CredentialReference,
	options: Record<string, unknown>,
): NewNode[] {
	const all = { resource: 'user', operation: 'list', returnAll: true };
	return [START, ownNode('action', READ_NODE, credential, { ...all, options })];
}

/**
 * What users build today: n8n's HTTP Request node with its own pagination and an OAuth2 credential.
 * It ends by the total of the response, so it needs no request beyond the last page, and leaves
 * one item per page, which is less work than a list of records.
 */
export function httpRequestChain(
	credential: CredentialReference,
	serviceUrl: string,
	pageSize: number,
): NewNode[] {
	return [
		START,
		{
			name: READ_NODE,
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				url: `${serviceUrl}/api/external/v2/users`,
				authentication: 'genericCredentialType',
				genericAuthType: 'oAuth2Api',
				sendQuery: true,
				queryParameters: { parameters: [{ name: 'pageSize', value: String(pageSize) }] },
				options: {
					pagination: {
						pagination: {
							paginationMode: 'updateAParameterInEachRequest',
							parameters: {
								parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount }}' }],
							},
							paginationCompleteWhen: 'other',
							completeExpression: `={{ $pageCount * ${pageSize} >= $response.body.total }}`,
						},
					},
				},
			},
			credentials: { oAuth2Api: credential },
		},
	];
}
