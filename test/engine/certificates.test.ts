import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { listen } from '../loopback';
import type { ReferenceService } from '../reference-service';
import { credentialFor, HOSTS, Process, seenBy, tenants } from './tenants';

/** A key and its certificate, which nobody vouches for: for 127.0.0.1, and of this test only. */
const SELF_SIGNED = readFileSync(join(__dirname, 'harness', 'selfSigned.pem'));

const start = tenants();
const servers: Server[] = [];

afterEach(async () => {
	for (const server of servers.splice(0)) {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
});

/** Puts a server with a certificate of its own before a service. @returns its URL */
async function behindCertificate(service: ReferenceService): Promise<string> {
	const server = createServer({ key: SELF_SIGNED, cert: SELF_SIGNED }, (incoming, outgoing) => {
		const { method, headers, url = '' } = incoming;
		const passed = request(`${service.url}${url}`, { method, headers }, (response) => {
			outgoing.writeHead(response.statusCode ?? 502, response.headers);
			response.pipe(outgoing);
		});
		incoming.pipe(passed);
	});
	servers.push(server);
	return `https://${await listen(server)}`;
}

describe.each(HOSTS)('a server with a certificate of its own, on n8n %s', (host) => {
	const setUp = async (allowUnauthorizedCerts: boolean) => {
		const service = await start();
		await service.seed('users', 3);
		const url = await behindCertificate(service);
		const fields = { authUrl: url, baseUrl: url, allowUnauthorizedCerts };
		const credential = credentialFor(service, fields);
		const process = new Process(host);
		const used = process.store.add(credential, 'one');
		return { service, credential, process, used, url };
	};

	it('is accepted for the exchange, the lists, the connection test and other nodes', async () => {
		const { service, credential, process, used, url } = await setUp(true);
		const list = await process.list(used, { returnAll: true });
		expect(list.error).toBeUndefined();
		expect(list.json()).toHaveLength(3);
		expect(await process.test(credential)).toMatchObject({ status: 'OK' });
		for (const legacy of [true, false]) {
			const incoming = { url: `${url}/api/external/v2/users` };
			expect((await process.request(used, incoming, legacy)).error).toBeUndefined();
		}
		expect(seenBy(service)).toMatchObject({ exchanges: 2, lists: { 200: 4 } });
	});

	it('is rejected unless the credential says otherwise, with what to do', async () => {
		const { service, credential, process, used } = await setUp(false);
		const { error } = await process.list(used, { returnAll: true, options: { maxRetries: 0 } });
		const remedy = /certificate.*turn on Ignore SSL Issues \(Insecure\)/;
		expect(error?.description).toMatch(remedy);
		expect(await process.test(credential)).toMatchObject({
			message: expect.stringMatching(remedy) as string,
		});
		expect(service.requests).toEqual([]);
	});
});
