import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import { listen } from '../../loopback';
import { isObject } from '../../n8n/responseShape';

/**
 * What n8n (2.41.1, abstract-server.js) responds with status 200 to everything, deliveries too,
 * while it starts.
 */
export const STARTING = 'n8n is starting up. Please wait';

/** Headers of one connection, which undici sets itself. */
const OF_CONNECTION = new Set([
	'connection',
	'content-length',
	'host',
	'keep-alive',
	'transfer-encoding',
]);

/**
 * Does with deliveries what the proxy of deploy/queue/Caddyfile does: in turn, and never to one
 * that is not there.
 */
export class DeliveryProxy {
	private readonly server = createServer((incoming, outgoing) => {
		this.forward(incoming, outgoing).catch(() => {
			// The connection broke, and the delivery may have been accepted: its sender has to decide.
			outgoing.destroy();
		});
	});

	private readonly agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

	private turn = 0;

	url = '';

	private constructor(private readonly processors: () => string[]) {}

	static async start(processors: () => string[]): Promise<DeliveryProxy> {
		const proxy = new DeliveryProxy(processors);
		proxy.url = `http://${await listen(proxy.server)}`;
		return proxy;
	}

	async stop(): Promise<void> {
		this.server.close();
		this.server.closeAllConnections();
		await this.agent.destroy();
	}

	private async forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
		const received = await buffer(incoming);
		const headers = Object.fromEntries(
			Object.entries(incoming.headers).filter(([name]) => !OF_CONNECTION.has(name)),
		);
		const processors = this.processors();
		for (let attempt = 0; attempt < processors.length; attempt++) {
			const processor = processors[this.turn++ % processors.length] ?? '';
			try {
				const { statusCode, body } = await request(`${processor}${incoming.url ?? ''}`, {
					dispatcher: this.agent,
					method: 'POST',
					headers,
					body: received,
				});
				const text = await body.text();
				outgoing.writeHead(text === STARTING ? 503 : statusCode).end(text);
				return;
			} catch (error) {
				// It has seen nothing of the delivery, so another one may get it.
				if (!isObject(error) || error.code !== 'ECONNREFUSED') throw error;
			}
		}
		outgoing.writeHead(502).end();
	}
}
