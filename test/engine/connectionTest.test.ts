import './ssrfProtection';

import { freePorts } from '../n8n/freePorts';
import { credentialFor, Process, tenants } from './tenants';

const start = tenants();

const test = async (change: Record<string, string>) =>
	await new Process().test(credentialFor(await start(), change));

describe('a test of the credential', () => {
	it.each([
		['authUrl', 'Authorization Server URL'],
		['baseUrl', 'Tenant API URL'],
	])('says that nothing listens at the %s', async (field, label) => {
		const [port] = await freePorts(1);
		const host = `127.0.0.1:${port}`;
		expect((await test({ [field]: `http://${host}` })).message).toBe(
			`${host} refused the connection. Check host and port of the ${label} in the credential, and that the service is running.`,
		);
	});

	it.each([
		['a private address', 'http://127.0.0.2:9', '127.0.0.2:9'],
		['a blocked name', 'https://blocked.example', 'blocked.example'],
	])("says that n8n's SSRF protection blocks %s", async (_, address, host) => {
		for (const [field, label] of [
			['authUrl', 'Authorization Server URL'],
			['baseUrl', 'Tenant API URL'],
		] as const) {
			expect(await test({ [field]: address })).toEqual({
				status: 'Error',
				message: `n8n's SSRF protection does not allow requests to ${host}. If the ${label} is right, ask the administrator of n8n to add the host to the allowed ones.`,
			});
		}
	});

	it('says that a host does not exist', async () => {
		const { message } = await test({ authUrl: 'https://no-such-host.invalid' });
		expect(message).toBe(
			'The host no-such-host.invalid was not found. Check the spelling of the Authorization Server URL in the credential.',
		);
	});
});
