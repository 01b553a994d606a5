import formbody from '@fastify/formbody';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastify from 'fastify';

import { errorAnswer, playFault } from './answers';
import { ListEndpoint } from './listEndpoint';
import { requestUrl } from './requestUrl';
import type { ServiceState } from './state';
import { answerTokenRequest, parseForm } from './tokenEndpoint';

/** The HTTP server, not yet listening: the published interface, and `control` under `/control`. */
export async function buildServer(
	state: ServiceState,
	control: (routes: FastifyInstance) => void,
): Promise<FastifyInstance> {
	const app = fastify({
		bodyLimit: 256 * 1024 * 1024,
		// A stop must not wait for clients that keep their connections.
		forceCloseConnections: true,
		exposeHeadRoutes: false,
	});
	await app.register((routes) => publishedInterface(routes, state));
	await app.register(
		(routes, _options, done) => {
			control(routes);
			done();
		},
		{ prefix: '/control' },
	);
	return await app;
}

async function publishedInterface(app: FastifyInstance, state: ServiceState): Promise<void> {
	const lists = new ListEndpoint(state);
	app.decorateRequest('recorded', null);
	app.removeAllContentTypeParsers();
	await app.register(formbody, { parser: parseForm });
	// Other media types reach the endpoints too, which refuse them in their own words.
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

	app.addHook('onRequest', (request, reply, done) => {
		const recorded = state.log.begin(observed(request, state), state.switches.recording);
		request.recorded = recorded;
		reply.raw.once('close', () => state.log.ended(recorded));
		const { dateHeader, extraHeaders } = state.switches;
		if (dateHeader) reply.raw.setHeader('date', new Date(state.serviceTime()).toUTCString());
		else reply.raw.sendDate = false;
		for (const [name, value] of Object.entries(extraHeaders ?? {}))
			reply.raw.setHeader(name, value);
		done();
	});
	app.addHook('onSend', (request, reply, payload, done) => {
		if (request.recorded !== null) state.log.answered(request.recorded, reply.statusCode);
		done(null, payload);
	});

	app.post('/auth/app-oauth', (request, reply) => answerTokenRequest(state, request, reply));
	app.all('/api/external/*', (request, reply) => lists.answer(request, reply));
	app.all('/*', (request, reply) => {
		const { outage, list } = state.switches;
		return playFault(state, request, reply, outage, () =>
			errorAnswer(state, request, list.unknownPath, 'not_found', 'There is nothing here.'),
		);
	});
}

function observed(request: FastifyRequest, state: ServiceState) {
	const { authorization } = request.headers;
	const token = state.tokens.find(authorization);
	const headers: Record<string, string> = {};
	for (const [name, value] of Object.entries(request.headers)) headers[name] = String(value);
	if (authorization !== undefined)
		headers.authorization = withoutToken(authorization, token?.number);
	return {
		at: Date.now(),
		method: request.method,
		url: request.url,
		...requestUrl(request.url),
		headers,
		...(token === undefined ? {} : { tokenNumber: token.number }),
	};
}

function withoutToken(authorization: string, number: number | undefined): string {
	if (!/^Bearer /i.test(authorization)) return '<another scheme>';
	return `Bearer <${number === undefined ? 'unknown token' : `token ${number}`}>`;
}
