import { once } from 'node:events';
import { createServer } from 'node:net';
import { request } from 'undici';
import {
	type Answer,
	type LoopbackServer,
	startLoopbackServer,
} from '../../../e2e/harness/loopbackServer';
import { freePorts } from '../../../n8n/freePorts';
import { DeliveryProxy, STARTING } from '../../../queue/cluster/deliveryProxy';

/** Stops what a test started, the last one first. */
const stops: Array<() => Promise<void>> = [];

afterEach(async () => {
	for (const stop of stops.splice(0).reverse()) await stop();
});

async function processor(answer: Answer = { body: 'taken' }): Promise<LoopbackServer> {
	const server = await startLoopbackServer(() => answer);
	stops.push(server.stop);
	return server;
}

async function proxyOf(...processors: string[]): Promise<DeliveryProxy> {
	const proxy = await DeliveryProxy.start(() => processors);
	stops.push(async () => await proxy.stop());
	return proxy;
}

async function closedPort(): Promise<string> {
	const [port] = await freePorts(1);
	return `http://127.0.0.1:${port}`;
}

async function deliver(proxy: DeliveryProxy): Promise<{ status: number; text: string }> {
	const { statusCode, body } = await request(`${proxy.url}/webhook/a?b=c`, {
		method: 'POST',
		headers: { authorization: 'signed' },
		body: '{"event":"visit.updated"}',
	});
	return { status: statusCode, text: await body.text() };
}

it('hands on path, headers, body and the answer', async () => {
	const only = await processor({ status: 401, body: 'no' });
	expect(await deliver(await proxyOf(only.url))).toEqual({ status: 401, text: 'no' });
	expect(only.requests).toEqual([
		{
			method: 'POST',
			path: '/webhook/a?b=c',
			authorization: 'signed',
			body: { event: 'visit.updated' },
		},
	]);
});

it('takes processors in turn', async () => {
	const [first, second] = [await processor(), await processor()];
	const proxy = await proxyOf(first.url, second.url);
	for (let delivery = 0; delivery < 4; delivery++) await deliver(proxy);
	expect([first.requests.length, second.requests.length]).toEqual([2, 2]);
});

it('passes on what nobody has seen to the next processor, and 502 when none is there', async () => {
	const there = await processor();
	const proxy = await proxyOf(await closedPort(), there.url);
	expect((await deliver(proxy)).status).toBe(200);
	expect((await deliver(proxy)).status).toBe(200);
	expect(there.requests).toHaveLength(2);
	expect((await deliver(await proxyOf(await closedPort()))).status).toBe(502);
});

it('turns the 200 of an n8n that starts into 503', async () => {
	const starting = await processor({ body: STARTING });
	expect((await deliver(await proxyOf(starting.url))).status).toBe(503);
});

it('never sends a delivery again that a processor may have accepted before it died', async () => {
	const dying = createServer((socket) => socket.once('data', () => socket.destroy()));
	dying.listen(0, '127.0.0.1');
	await once(dying, 'listening');
	stops.push(async () => {
		dying.close();
		await once(dying, 'close');
	});
	const address = dying.address();
	if (address === null || typeof address === 'string') throw new Error('The server has no port.');
	const other = await processor();
	const proxy = await proxyOf(`http://127.0.0.1:${address.port}`, other.url);
	await expect(deliver(proxy)).rejects.toThrow();
	expect(other.requests).toHaveLength(0);
});
