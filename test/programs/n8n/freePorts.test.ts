import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { freePorts, isPortFree } from '../../n8n/freePorts';

describe('freePorts', () => {
	it('returns different ports outside the range of outgoing connections', async () => {
		const ports = await freePorts(5);
		expect(new Set(ports).size).toBe(5);
		for (const port of ports) {
			expect(port).toBeGreaterThanOrEqual(20_000);
			expect(port).toBeLessThan(32_768);
		}
	});

	it('tells a taken port from a free one', async () => {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		expect(await isPortFree(port)).toBe(false);
		server.close();
		await once(server, 'close');
		expect(await isPortFree(port)).toBe(true);
	});
});
