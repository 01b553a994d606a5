import { setTimeout as delay } from 'node:timers/promises';
import type { ReferenceService } from '../../reference-service';
import type { QueueCluster } from '../cluster/queueCluster';
import type { StartedServer } from '../servers/privateServer';

const OUTAGE_MS = 15_000;

export interface Fault {
	name: string;
	happen(): Promise<void>;
}

/**
 * Every fault of docs/guarantees.md. The second worker and webhook processor live on, so that their
 * memory is seen.
 */
export function faultsOf(
	cluster: QueueCluster,
	service: ReferenceService,
	redis: StartedServer,
	postgres: StartedServer,
): Fault[] {
	const killed = (
		name: string,
		find: () => { kill(): Promise<void>; restart(): Promise<void> } | undefined,
	) => ({
		name,
		happen: async () => {
			await find()?.kill();
			await find()?.restart();
		},
	});
	const crashed = (name: string, server: StartedServer) => ({
		name,
		happen: async () => {
			await server.crash();
			await server.start();
		},
	});
	return [
		killed('webhook processor killed', () => cluster.webhookProcessors[0]),
		crashed('Redis crashed', redis),
		{
			name: 'Visitor Service down',
			happen: async () => {
				service.set({ outage: { status: 503 } });
				await delay(OUTAGE_MS);
				service.set({ outage: 'none' });
			},
		},
		killed('worker killed', () => cluster.workers[0]),
		crashed('PostgreSQL crashed', postgres),
		killed('main killed', () => cluster.main),
	];
}
