import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Lets a server listen for this machine only. @returns host and port */
export async function listen(server: Server): Promise<string> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
