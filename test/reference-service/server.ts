import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import type { BrokenOff, ServiceResponse } from './responses';
import type { VisitorService } from './service';

/** Milliseconds a connection is kept: a client that keeps its own for longer meets a reset. */
const KEEP_ALIVE = 72_000;

/**
 * The HTTP server, not yet listening: the published interface, and what `control` responds to at
 * `/control` beside it.
 */
export function buildServer(
	service: VisitorService,
	control: (body: string) => Promise<string>,
): Server {
	const server = createServer((request, outgoing) => {
		const responded =
			request.url === '/control'
				? steer(control, request, outgoing)
				: serve(service, request, outgoing);
		// A client that has gone gets no response.
		responded.catch(() => outgoing.destroy());
	});
	server.keepAliveTimeout = KEEP_ALIVE;
	return server;
}

async function serve(
	service: VisitorService,
	request: IncomingMessage,
	outgoing: ServerResponse,
): Promise<void> {
	const head = headOf(request);
	const recorded = service.begin(head);
	outgoing.once('close', () => service.ended(recorded));
	const body = await text(request);
	const outcome = await service.respond({ ...head, body }, recorded);
	// The service says itself what `Date` is, if there is one.
	outgoing.sendDate = false;
	switch (outcome.kind) {
		case 'response':
			send(outgoing, outcome.response);
			break;
		case 'hang':
			break;
		case 'reset':
			request.socket.resetAndDestroy();
			break;
		case 'cut':
		case 'stall':
		case 'trickle':
			breakOff(outgoing, outcome.response, outcome.kind);
	}
}

async function steer(
	control: (body: string) => Promise<string>,
	request: IncomingMessage,
	outgoing: ServerResponse,
): Promise<void> {
	if (!/^(::ffff:)?127\.|^::1$/.test(request.socket.remoteAddress ?? '')) {
		outgoing.writeHead(403).end('Control is for this machine only.');
		return;
	}
	try {
		outgoing.end(await control(await text(request)));
	} catch (error) {
		outgoing.writeHead(400).end(error instanceof Error ? error.message : String(error));
	}
}

function headOf({ method = '', url = '', headers }: IncomingMessage) {
	const texts: Record<string, string> = {};
	for (const [name, value] of Object.entries(headers)) texts[name] = String(value);
	return { method, url, headers: texts };
}

const headersOf = ({ headers, contentType }: ServiceResponse) => ({
	...headers,
	...(contentType !== null && { 'content-type': contentType }),
});

function send(outgoing: ServerResponse, response: ServiceResponse): void {
	const bytes = Buffer.from(response.content);
	const length = response.status === 204 ? {} : { 'content-length': bytes.length };
	outgoing.writeHead(response.status, { ...headersOf(response), ...length }).end(bytes);
}

/** Milliseconds between two bytes of a response that trickles. */
const TRICKLE = 20;

/**
 * Promises more than the whole body, sends half of it, then destroys the connection, falls silent
 * or trickles.
 */
function breakOff(outgoing: ServerResponse, response: ServiceResponse, kind: BrokenOff): void {
	const bytes = Buffer.from(response.content);
	outgoing.writeHead(response.status, {
		...headersOf(response),
		// One more than there is, so that even an empty body is cut. What trickles has no end.
		...(kind !== 'trickle' && { 'content-length': bytes.length + 1 }),
	});
	outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
		if (kind === 'cut') outgoing.destroy();
		if (kind !== 'trickle') return;
		const timer = setInterval(() => outgoing.write(' '), TRICKLE);
		outgoing.once('close', () => clearInterval(timer));
	});
}
