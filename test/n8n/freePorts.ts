import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the range from which operating systems take ports for outgoing connections (32768 and up on
 * Linux, 49152 and up elsewhere): n8n takes some seconds until it listens, and no outgoing
 * connection may get hold of its port in between.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;
const ATTEMPTS = 50;
/** Not given again: programs that start at the same time do not listen yet. */
const given = new Set<number>();

/** Returns `count` different TCP ports that are free on the loopback address. */
export async function freePorts(count: number): Promise<number[]> {
	const ports = new Set<number>();
	for (let attempt = 0; attempt < ATTEMPTS && ports.size < count; attempt++) {
		const port = randomInt(FIRST_PORT, LAST_PORT + 1);
		if (given.has(port)) continue;
		given.add(port);
		if (await isPortFree(port)) ports.add(port);
	}
	if (ports.size < count) {
		throw new Error(
			`No free port was found between ${FIRST_PORT} and ${LAST_PORT} on 127.0.0.1. Close programs that listen there, and start again.`,
		);
	}
	return [...ports];
}

/** Whether a server could listen on `port` of the loopback address now. */
async function isPortFree(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
			server.close(() => resolve(true));
		});
	});
}
