import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { type ServiceOptions, VisitorService } from './service';
import { type Delivery, type Receiver, WebhookDeliveries } from './webhookDeliveries';
import type { WebhookEvent } from './webhookEvent';

/** A Visitor Service that listens, and sends webhooks. */
export class ReferenceService extends VisitorService {
	/** Authorization server and tenant API alike, without a slash at the end. */
	url = '';

	readonly receivers: {
		/** @returns the receiver's id */
		add(receiver: Receiver): string;
		remove(id: string): void;
		list(): Receiver[];
	};

	/** Every delivery since the start, or since `clearDeliveries`. */
	readonly deliveries: readonly Delivery[];

	private readonly webhooks: WebhookDeliveries;
	private server?: Server;

	constructor(
		options: ServiceOptions,
		private readonly stopping: AbortController,
	) {
		super(options);
		const { switches, state } = this;
		const webhooks = new WebhookDeliveries(switches.webhooks, state.serviceTime);
		this.webhooks = webhooks;
		this.deliveries = webhooks.deliveries;
		this.receivers = {
			add: (receiver) => webhooks.addReceiver(receiver),
			remove: (id) => webhooks.removeReceiver(id),
			list: () => webhooks.listReceivers(),
		};
	}

	async listen(server: Server, host: string, port: number): Promise<void> {
		server.listen({ host, port });
		await once(server, 'listening');
		this.server = server;
		const address = server.address() as AddressInfo;
		this.url = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
	}

	/** Sends events; resolves after the first attempt of each delivery, while retries go on. */
	async emit(events: WebhookEvent | WebhookEvent[]): Promise<Delivery[]> {
		return await this.webhooks.emit(events);
	}

	/** Resolves when no delivery is pending. */
	async deliveriesSettled(): Promise<void> {
		await this.webhooks.settled();
	}

	/** Forgets the deliveries that are not pending. */
	clearDeliveries(): void {
		this.webhooks.clear();
	}

	/** Closes every connection. */
	async stop(): Promise<void> {
		this.webhooks.stop();
		if (this.server?.listening !== true) return;
		this.server.close();
		this.server.closeAllConnections();
		await once(this.server, 'close');
		// After the connections are gone, so that nobody gets an answer early.
		this.stopping.abort();
	}
}
