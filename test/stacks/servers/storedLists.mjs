import jsonServer from 'json-server';
import { createApp } from 'json-server-1/lib/app.js';
import { ServiceBroker } from 'moleculer';
import DbService from 'moleculer-db';
import ApiGateway from 'moleculer-web';

export function jsonServer0({ all, onChange }) {
	const app = jsonServer.create();
	const router = jsonServer.router({ users: all() });
	app.use(jsonServer.defaults({ logger: false }), router);
	onChange(({ id, ...change }) => router.db.get('users').find({ id }).assign(change).write());
	return app;
}

export function jsonServer1({ all, onChange }) {
	const data = { users: all() };
	const app = createApp({ data, write: async () => undefined });
	onChange(({ id, ...change }) => Object.assign(data.users[id - 1], change));
	return (request, response) => app.handler(request, response);
}

export async function moleculer({ all, onChange }) {
	const broker = new ServiceBroker({ logger: false });
	broker.createService({ name: 'users', mixins: [DbService] });
	const gateway = broker.createService({
		mixins: [ApiGateway],
		settings: { server: false, routes: [{ path: '/', aliases: { 'REST users': 'users' } }] },
	});
	await broker.start();
	await broker.call('users.insert', {
		entities: all().map(({ id, ...user }) => ({ _id: String(id), ...user })),
	});
	onChange(({ id, ...change }) => broker.call('users.update', { id: String(id), ...change }));
	return gateway.express();
}
