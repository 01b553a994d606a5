import './ssrfProtection';

import { type AddressInfo, createServer } from 'node:net';
import { credentialFor, Process, tenants } from './tenants';

const start = tenants();

const test = async (change: Record<string, string>) =>
	await new Process().test(credentialFor(await start(), change));

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

describe('a test of the credential', () => {
	it.each([
		['authUrl', 'Authorization Server URL'],
		['baseUrl', 'Tenant API URL'],
	])('says that nothing listens at the %s', async (field, label) => {
		const host = `127.0.0.1:${await closedPort()}`;
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
