import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastify from 'fastify';

import type { Answer, BrokenOff } from './answers';
import type { RecordedRequest } from './requestLog';
import type { VisitorService } from './service';
import { compileWhenAsked } from './validation';

declare module 'fastify' {
	interface FastifyRequest {
		recorded: RecordedRequest | null;
	}
}

/** The HTTP server, not yet listening: the published interface, and `control` under `/control`. */
export async function buildServer(
	service: VisitorService,
	control: (routes: FastifyInstance) => void,
): Promise<FastifyInstance> {
	const app = fastify({
		bodyLimit: 256 * 1024 * 1024,
		// A stop must not wait for clients that keep their connections.
		forceCloseConnections: true,
		exposeHeadRoutes: false,
	});
	app.setValidatorCompiler(compileWhenAsked);
	await app.register((routes, _options, done) => {
		publishedInterface(routes, service);
		done();
	});
	await app.register(
		(routes, _options, done) => {
			control(routes);
			done();
		},
		{ prefix: '/control' },
	);
	return await app;
}

function publishedInterface(app: FastifyInstance, service: VisitorService): void {
	app.decorateRequest('recorded', null);
	app.removeAllContentTypeParsers();
	// Every media type reaches the service, which refuses the wrong ones in its own words.
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

	app.addHook('onRequest', (request, reply, done) => {
		const recorded = service.begin(headOf(request));
		request.recorded = recorded;
		reply.raw.once('close', () => service.ended(recorded));
		done();
	});
	app.all('/*', async (request, reply) => {
		const recorded = request.recorded ?? service.begin(headOf(request));
		const body = typeof request.body === 'string' ? request.body : '';
		const outcome = await service.answer({ ...headOf(request), body }, recorded);
		// The service says itself what `Date` is, if there is one.
		reply.raw.sendDate = false;
		switch (outcome.kind) {
			case 'answer':
				return await send(reply, outcome.answer);
			case 'hang':
				return await reply.hijack();
			case 'reset':
				reply.hijack();
				reply.raw.socket?.resetAndDestroy();
				return await reply;
			case 'cut':
			case 'stall':
			case 'trickle':
				return await breakOff(reply, outcome.answer, outcome.kind);
		}
	});
}

function headOf({ method, url, headers }: FastifyRequest) {
	const texts: Record<string, string> = {};
	for (const [name, value] of Object.entries(headers)) texts[name] = String(value);
	return { method, url, headers: texts };
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
	void reply.code(answer.status).headers(answer.headers);
	// Sent as bytes: fastify gives a text without Content-Type one of its own.
	const bytes = Buffer.from(answer.content);
	if (answer.contentType !== null) void reply.type(answer.contentType);
	return reply.send(bytes.length === 0 && answer.contentType === null ? undefined : bytes);
}

/** Milliseconds between two bytes of an answer that trickles. */
const TRICKLE = 20;

/**
 * Promises more than the whole body, sends half of it, then destroys the connection, falls silent
 * or trickles.
 */
function breakOff(reply: FastifyReply, answer: Answer, kind: BrokenOff): FastifyReply {
	const bytes = Buffer.from(answer.content);
	reply.hijack();
	const { raw } = reply;
	raw.writeHead(answer.status, {
		...answer.headers,
		...(answer.contentType === null ? {} : { 'content-type': answer.contentType }),
		// One more than there is, so that even an empty body is cut. What trickles has no end.
		...(kind !== 'trickle' && { 'content-length': bytes.length + 1 }),
	});
	raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
		if (kind === 'cut') raw.destroy();
		if (kind !== 'trickle') return;
		const timer = setInterval(() => raw.write(' '), TRICKLE);
		raw.once('close', () => clearInterval(timer));
	});
	return reply;
}
