import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type ServiceOptions, VisitorService } from './service';
import { WebhookDeliveries } from './webhookDeliveries';

/** A Visitor Service that listens, and sends webhooks. */
export class ReferenceService extends VisitorService {
	/** Authorization server and tenant API alike, without a slash at the end. */
	url = '';

	readonly webhooks = new WebhookDeliveries(this.switches.webhooks, this.state.serviceTime);

	private server?: Server;

	constructor(
		options: ServiceOptions,
		private readonly stopping: AbortController,
	) {
		super(options);
	}

	async listen(server: Server, host: string, port: number): Promise<void> {
		server.listen({ host, port });
		await once(server, 'listening');
		this.server = server;
		const address = server.address() as AddressInfo;
		this.url = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
	}

	/** Closes every connection. */
	async stop(): Promise<void> {
		this.webhooks.stop();
		if (this.server?.listening !== true) return;
		this.server.close();
		this.server.closeAllConnections();
		await once(this.server, 'close');
		// After the connections are gone, so that nobody gets a response early.
		this.stopping.abort();
	}
}
