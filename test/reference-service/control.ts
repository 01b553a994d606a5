import type { FastifyInstance, FastifyReply } from 'fastify';

import type { ReferenceService } from './index';
import type { JsonObject } from './json';
import { type Resource, resources } from './records';
import type { DeepPartial, Switches } from './switches';
import type { Receiver } from './webhookDeliveries';
import type { WebhookEvent } from './webhookEnvelope';

const anObject = { type: 'object' } as const;
const resourceName = { type: 'string', enum: resources } as const;
const ofResource = { type: 'object', properties: { resource: resourceName } } as const;
const receiver = {
	type: 'object',
	required: ['url'],
	properties: { url: { type: 'string', format: 'uri' }, signing: anObject, envelope: anObject },
} as const;
const event = {
	type: 'object',
	required: ['event', 'data'],
	properties: { event: { type: 'string' }, id: { type: 'string' } },
} as const;

/**
 * What the service's interface in-process can do, over HTTP for other processes: JSON, to loopback
 * callers only, neither recorded nor subject to any switch.
 */
export function controlRoutes(routes: FastifyInstance, service: ReferenceService): void {
	routes.addHook('onRequest', async (request, reply) => {
		if (isLoopback(request.socket.remoteAddress)) return;
		await reply.code(403).send({ message: 'Control is for this machine only.' });
	});
	routes.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
		void reply.code(error.statusCode ?? 400).send({ message: error.message });
	});

	routes.setNotFoundHandler((_request, reply) => {
		void reply.code(404).send({ message: 'There is no such control.' });
	});

	routes.get('/service', () => ({
		url: service.url,
		clientId: service.clientId,
		clientSecret: service.clientSecret,
		tokensIssued: service.tokensIssued,
	}));

	routes.get('/switches', () => service.switches);
	routes.put<{ Body: DeepPartial<Switches> }>(
		'/switches',
		{ schema: { body: anObject } },
		({ body }) => {
			service.set(body);
			return service.switches;
		},
	);
	routes.delete('/switches', () => {
		service.resetSwitches();
		return service.switches;
	});

	routes.get<{ Querystring: { summary?: string } }>('/requests', ({ query }) =>
		query.summary === undefined ? service.requests : service.summary(),
	);
	routes.delete('/requests', (_request, reply) => {
		service.clearRequests();
		return done(reply);
	});

	routes.post<{ Body: { resource: Resource; count?: number; records?: JsonObject[] } }>(
		'/seed',
		{
			schema: {
				body: {
					type: 'object',
					required: ['resource'],
					oneOf: [{ required: ['count'] }, { required: ['records'] }],
					properties: {
						resource: resourceName,
						count: { type: 'integer', minimum: 0 },
						records: { type: 'array', items: anObject },
					},
				},
			},
		},
		async ({ body }, reply) => {
			await service.seed(body.resource, body.records ?? body.count ?? 0);
			return await done(reply);
		},
	);
	routes.post<{ Params: { resource: Resource }; Body: JsonObject | JsonObject[] }>(
		'/records/:resource',
		{
			schema: {
				params: ofResource,
				body: { anyOf: [anObject, { type: 'array', items: anObject }] },
			},
		},
		async ({ params, body }, reply) => {
			for (const record of [body].flat()) await service.upsert(params.resource, record);
			return await done(reply);
		},
	);
	routes.delete<{ Params: { resource: Resource; id: string } }>(
		'/records/:resource/:id',
		{ schema: { params: ofResource } },
		async ({ params }, reply) => {
			await service.remove(params.resource, params.id);
			return await done(reply);
		},
	);

	routes.post('/tokens/expire', (_request, reply) => {
		service.expireTokens();
		return done(reply);
	});
	routes.post('/tokens/revoke', (_request, reply) => {
		service.revokeTokens();
		return done(reply);
	});

	routes.get('/receivers', () => service.receivers.list());
	routes.put<{ Body: Receiver[] }>(
		'/receivers',
		{ schema: { body: { type: 'array', items: receiver } } },
		async ({ body }) => {
			for (const { id = '' } of service.receivers.list()) await service.receivers.remove(id);
			for (const added of body) await service.receivers.add(added);
			return service.receivers.list();
		},
	);
	routes.post<{ Body: WebhookEvent | WebhookEvent[] }>(
		'/events',
		{ schema: { body: { anyOf: [event, { type: 'array', items: event }] } } },
		async ({ body }) => await service.emit(body),
	);
	routes.get('/deliveries', () => service.deliveries);
	routes.delete('/deliveries', async (_request, reply) => {
		await service.clearDeliveries();
		return await done(reply);
	});
	routes.post<{ Params: { id: string } }>('/deliveries/:id', async ({ params }, reply) => {
		const delivery = await service.redeliver(params.id);
		return await (delivery ?? reply.code(404).send({ message: 'No failed delivery has this id.' }));
	});
}

function done(reply: FastifyReply): FastifyReply {
	return reply.code(204).send();
}

/** Whether a peer's address is this machine's own: 127.0.0.0/8, also mapped into IPv6, or ::1. */
export function isLoopback(address: string | undefined): boolean {
	return address !== undefined && /^(::ffff:)?127\.|^::1$/.test(address);
}
