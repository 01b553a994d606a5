import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { MemoryHost, type Run } from '../../host/memoryHost';
import type { VisitorService } from '../../reference-service/service';
import { list } from '../listedHost';

/** Runs List Users once, of the service that is made for the time of the host. */
export async function listUsers<Service extends VisitorService>(
	serve: (host: MemoryHost) => Promise<Service>,
	parameters: INodeParameters,
	items?: IDataObject[],
): Promise<{ run: Run; service: Service }> {
	const host = new MemoryHost();
	const service = await serve(host);
	host.network.add(host.url, service);
	return { run: await list(host, parameters, { items }), service };
}
