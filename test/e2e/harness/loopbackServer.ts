import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../../loopback';

export interface ReceivedRequest {
	method: string;
	path: string;
	authorization: string;
	/** Parsed JSON; undefined if nothing was sent. */
	body: unknown;
}

export interface LoopbackResponse {
	status?: number;
	contentType?: string;
	body: string;
}

export interface LoopbackServer {
	url: string;
	/** In the order they came. */
	requests: ReceivedRequest[];
	stop: () => Promise<void>;
}

/**
 * A service that other nodes of a workflow talk to, on this machine. An error in `respond` becomes
 * status 500.
 */
export async function startLoopbackServer(
	respond: (request: ReceivedRequest) => LoopbackResponse,
): Promise<LoopbackServer> {
	const requests: ReceivedRequest[] = [];
	const server = createServer((incoming, outgoing) => {
		void (async () => {
			const sent = await text(incoming);
			const received: ReceivedRequest = {
				method: incoming.method ?? '',
				path: incoming.url ?? '',
				authorization: incoming.headers.authorization ?? '',
				body: sent === '' ? undefined : JSON.parse(sent),
			};
			requests.push(received);
			try {
				const { status = 200, contentType = 'application/json', body } = respond(received);
				outgoing.writeHead(status, { 'content-type': contentType }).end(body);
			} catch (error) {
				outgoing.writeHead(500, { 'content-type': 'text/plain' }).end(String(error));
			}
		})();
	});
	return {
		url: `http://${await listen(server)}`,
		requests,
		stop: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}
