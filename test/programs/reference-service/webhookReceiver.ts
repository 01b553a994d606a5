import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
	headers: IncomingHttpHeaders;
	body: Buffer;
}

/**
 * A server that keeps what it is sent and answers with `answer`, called with the number of the
 * delivery from 1.
 */
export async function startReceiver(
	answer: (number: number) => number | Promise<number> | 'destroy' = () => 200,
): Promise<{ url: string; received: Received[]; stop: () => Promise<void> }> {
	const received: Received[] = [];
	const server: Server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const number = received.push({ headers: request.headers, body: Buffer.concat(chunks) });
			const status = answer(number);
			if (status === 'destroy') request.socket.destroy();
			else void Promise.resolve(status).then((code) => response.writeHead(code).end());
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
		received,
		stop: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
