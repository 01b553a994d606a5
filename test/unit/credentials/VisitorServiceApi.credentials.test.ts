import { VisitorServiceApi } from '../../../credentials/VisitorServiceApi.credentials';

const { properties } = new VisitorServiceApi();

it('the fields of the credential are those users rely on', () => {
	const visible = properties.filter(({ type }) => type !== 'hidden' && type !== 'notice');
	expect(visible.map((field) => [field.name, field.displayName, field.default])).toEqual([
		['authUrl', 'Authorization Server URL', ''],
		['baseUrl', 'Tenant API URL', ''],
		['clientId', 'Client ID', ''],
		['clientSecret', 'Client Secret', ''],
		['webhookSecret', 'Webhook Secret', ''],
		['previousWebhookSecret', 'Previous Webhook Secret', ''],
		['apiVersion', 'API Version', 'v2'],
		['scope', 'Scope', ''],
		['audience', 'Audience', ''],
		['answerPath', 'Token Field', ''],
		['allowInsecureHttp', 'Allow Unencrypted HTTP', false],
		['allowUnauthorizedCerts', 'Ignore SSL Issues (Insecure)', false],
	]);
});

it('the token is in hidden fields, of which n8n watches exactly one', () => {
	const own = properties.filter(({ type }) => type === 'hidden');
	expect(own.map(({ name, typeOptions }) => [name, typeOptions?.expirable === true])).toEqual([
		['tokenState', true],
		['accessToken', false],
		['issuedAt', false],
		['renewAt', false],
		['tokenOwner', false],
	]);
});

it.each(['clientSecret', 'webhookSecret', 'previousWebhookSecret', 'accessToken', 'tokenOwner'])(
	'the field %s is shown to nobody',
	(name) => {
		const field = properties.find((property) => property.name === name);
		expect(field?.typeOptions?.password).toBe(true);
	},
);

it('the credential declares no test, which n8n would prefer to the one of the nodes', () => {
	expect('test' in new VisitorServiceApi()).toBe(false);
});
