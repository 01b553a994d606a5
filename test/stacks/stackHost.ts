import { MemoryHost } from '../host/memoryHost';
import { Network } from '../host/network';
import type { VirtualTime } from '../host/virtualTime';
import type { ServiceResponse } from '../reference-service/responses';
import type { VisitorService } from '../reference-service/service';
import type { ServiceRequest } from '../reference-service/state';

/** Every request goes to one address, as a reverse proxy passes it on. */
class Forwarding extends Network {
	requests = 0;

	constructor(
		time: VirtualTime,
		private readonly target: string,
	) {
		super(time);
	}

	protected override async exchange(
		_service: VisitorService,
		{ method, url, headers, body }: ServiceRequest,
	): Promise<ServiceResponse> {
		this.requests++;
		const response = await fetch(`${this.target}${url}`, {
			method,
			headers,
			redirect: 'manual',
			...(method !== 'GET' && { body }),
		});
		return {
			status: response.status,
			headers: Object.fromEntries(response.headers),
			contentType: response.headers.get('content-type'),
			content: Buffer.from(await response.arrayBuffer()),
		};
	}
}

/** The nodes in the host in memory, but in real time, with a server in place of a service. */
export class StackHost extends MemoryHost {
	override readonly network: Forwarding;

	constructor(target: string, clientSecret = 'the secret of the stacks') {
		super({ startsAt: Date.now() });
		this.network = new Forwarding(this.time, target);
		this.network.add(this.url, this.service);
		this.credentials.put('one', this.credential({ clientId: 'stacks', clientSecret }));
	}

	override async during<T>(work: () => Promise<T>): Promise<T> {
		return await work();
	}
}
