import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import type { Answer, BrokenOff } from './answers';
import type { VisitorService } from './service';

/** Milliseconds a connection is kept: a client that keeps its own for longer meets a reset. */
const KEEP_ALIVE = 72_000;

/**
 * The HTTP server, not yet listening: the published interface, and what `control` answers at
 * `/control` beside it.
 */
export function buildServer(
	service: VisitorService,
	control: (body: string) => Promise<string>,
): Server {
	const server = createServer((request, response) => {
		const answered =
			request.url === '/control'
				? steer(control, request, response)
				: serve(service, request, response);
		// A client that has gone gets no answer.
		answered.catch(() => response.destroy());
	});
	server.keepAliveTimeout = KEEP_ALIVE;
	return server;
}

async function serve(
	service: VisitorService,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const head = headOf(request);
	const recorded = service.begin(head);
	response.once('close', () => service.ended(recorded));
	const body = await text(request);
	const outcome = await service.answer({ ...head, body }, recorded);
	// The service says itself what `Date` is, if there is one.
	response.sendDate = false;
	switch (outcome.kind) {
		case 'answer':
			send(response, outcome.answer);
			break;
		case 'hang':
			break;
		case 'reset':
			request.socket.resetAndDestroy();
			break;
		case 'cut':
		case 'stall':
		case 'trickle':
			breakOff(response, outcome.answer, outcome.kind);
	}
}

async function steer(
	control: (body: string) => Promise<string>,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	if (!/^(::ffff:)?127\.|^::1$/.test(request.socket.remoteAddress ?? '')) {
		response.writeHead(403).end('Control is for this machine only.');
		return;
	}
	try {
		response.end(await control(await text(request)));
	} catch (error) {
		response.writeHead(400).end(error instanceof Error ? error.message : String(error));
	}
}

function headOf({ method = '', url = '', headers }: IncomingMessage) {
	const texts: Record<string, string> = {};
	for (const [name, value] of Object.entries(headers)) texts[name] = String(value);
	return { method, url, headers: texts };
}

const headersOf = ({ headers, contentType }: Answer) => ({
	...headers,
	...(contentType !== null && { 'content-type': contentType }),
});

function send(response: ServerResponse, answer: Answer): void {
	const bytes = Buffer.from(answer.content);
	const length = answer.status === 204 ? {} : { 'content-length': bytes.length };
	response.writeHead(answer.status, { ...headersOf(answer), ...length }).end(bytes);
}

/** Milliseconds between two bytes of an answer that trickles. */
const TRICKLE = 20;

/**
 * Promises more than the whole body, sends half of it, then destroys the connection, falls silent
 * or trickles.
 */
function breakOff(response: ServerResponse, answer: Answer, kind: BrokenOff): void {
	const bytes = Buffer.from(answer.content);
	response.writeHead(answer.status, {
		...headersOf(answer),
		// One more than there is, so that even an empty body is cut. What trickles has no end.
		...(kind !== 'trickle' && { 'content-length': bytes.length + 1 }),
	});
	response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
		if (kind === 'cut') response.destroy();
		if (kind !== 'trickle') return;
		const timer = setInterval(() => response.write(' '), TRICKLE);
		response.once('close', () => clearInterval(timer));
	});
}
