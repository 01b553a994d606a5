import { VisitorServiceApi } from '../../../credentials/VisitorServiceApi.credentials';

const credential = new VisitorServiceApi();
const hidden = ['tokenState', 'accessToken', 'issuedAt', 'renewAt', 'tokenOwner'];

describe('the fields of the credential', () => {
	it('the fields of the credential are those users rely on', () => {
		const visible = credential.properties.filter(({ type }) => type !== 'hidden');
		expect(
			visible.map(({ name, displayName, type, default: value }) =>
				type === 'notice' ? name : [name, displayName, value],
			),
		).toEqual([
			'providerNotice',
			['authUrl', 'Authorization Server URL', ''],
			['baseUrl', 'Tenant API URL', ''],
			['clientId', 'Client ID', ''],
			['clientSecret', 'Client Secret', ''],
			'webhookNotice',
			['webhookSecret', 'Webhook Secret', ''],
			['previousWebhookSecret', 'Previous Webhook Secret', ''],
			'advancedNotice',
			['apiVersion', 'API Version', 'v2'],
			['scope', 'Scope', ''],
			['audience', 'Audience', ''],
			['answerPath', 'Token Field', ''],
			['allowInsecureHttp', 'Allow Unencrypted HTTP', false],
			['allowUnauthorizedCerts', 'Ignore SSL Issues (Insecure)', false],
		]);
	});

	it('the fields hold the token in hidden ones, of which n8n watches exactly one', () => {
		const own = credential.properties.filter(({ type }) => type === 'hidden');
		expect(own.map(({ name }) => name)).toEqual(hidden);
		expect(own.filter(({ typeOptions }) => typeOptions?.expirable === true)).toHaveLength(1);
		expect(own[0]).toMatchObject({
			name: 'tokenState',
			default: '',
			typeOptions: { expirable: true },
		});
	});

	it.each(['clientSecret', 'webhookSecret', 'previousWebhookSecret', 'accessToken', 'tokenOwner'])(
		'the fields show %s to nobody',
		(name) => {
			const field = credential.properties.find((property) => property.name === name);
			expect(field?.typeOptions?.password).toBe(true);
		},
	);

	it('the fields of the credential have no declared test, which n8n would prefer to the one of the nodes', () => {
		expect('test' in credential).toBe(false);
	});
});
