import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { Webhook } from 'standardwebhooks';

import type { Receiver } from '../../reference-service';
import { signatureHeaders } from '../../reference-service/webhookSigning';
import { caller, referenceServices } from './services';
import { startReceiver } from './webhookReceiver';

const start = referenceServices();
const stops: Array<() => Promise<void>> = [];
afterEach(async () => {
	await Promise.all(stops.splice(0).map((stop) => stop()));
});

async function receiver(...answer: Parameters<typeof startReceiver>) {
	const started = await startReceiver(...answer);
	stops.push(started.stop);
	return started;
}

/** A service with one receiver. */
async function pair(settings: Partial<Receiver> = {}, ...answer: Parameters<typeof startReceiver>) {
	const running = await start({ switches: { webhooks: { retryScheduleMs: [1, 1] } } });
	const hook = await receiver(...answer);
	const id = await running.service.receivers.add({ url: hook.url, ...settings });
	return { ...running, hook, id };
}

const event = { event: 'user.updated', data: { id: 'user-000001' } };
const jsonOf = ({ body }: { body: Buffer }): unknown => JSON.parse(body.toString());

describe('emit', () => {
	it('sends JSON and tells what became of it', async () => {
		const { service, hook, id } = await pair({ headers: { 'x-tenant': 't' } });
		const [delivery] = await service.emit(event);
		expect(delivery).toMatchObject({
			receiverId: id,
			url: hook.url,
			state: 'delivered',
			events: [event],
			attempts: [{ statuses: [200] }],
		});
		expect(hook.received).toHaveLength(1);
		expect(hook.received[0]?.headers).toMatchObject({
			'content-type': 'application/json',
			'x-tenant': 't',
		});
		expect(hook.received.map(jsonOf)).toEqual([
			{
				id: expect.stringMatching(/^evt-/) as unknown,
				event: 'user.updated',
				createdAt: expect.stringMatching(/Z$/) as unknown,
				data: { id: 'user-000001' },
			},
		]);
		expect(service.deliveries).toEqual([delivery]);
		await service.clearDeliveries();
		expect(service.deliveries).toEqual([]);
	});

	it('signs over the bytes sent, with the id of the event', async () => {
		const secret = `whsec_${Buffer.from('reference webhook secret').toString('base64')}`;
		const { service, hook } = await pair({ signing: { scheme: 'standardWebhooks', secret } });
		await service.emit({ ...event, id: 'evt-7' });
		const [received] = hook.received;
		expect(received?.headers['webhook-id']).toBe('evt-7');
		const headers = received?.headers as Record<string, string>;
		expect(new Webhook(secret).verify(received?.body ?? '', headers)).toMatchObject({
			id: 'evt-7',
		});
	});

	it.each(['body', 'signature'] as const)('sends a tampered %s', async (tamper) => {
		const secret = `whsec_${Buffer.from('reference webhook secret').toString('base64')}`;
		const { service, hook } = await pair({
			tamper,
			signing: { scheme: 'standardWebhooks', secret },
		});
		await service.emit(event);
		const [received] = hook.received;
		const headers = received?.headers as Record<string, string>;
		expect(() => new Webhook(secret).verify(received?.body ?? '', headers)).toThrow('No matching');
		expect(hook.received.map(jsonOf)).toMatchObject([event]);
	});

	it('signs another time if timestampOffsetMs is set', async () => {
		const secret = Buffer.from('reference webhook secret').toString('base64');
		const { service, hook } = await pair({
			timestampOffsetMs: -3_600_000,
			signing: { scheme: 'standardWebhooks', secret },
		});
		await service.emit(event);
		const stamped = Number(hook.received[0]?.headers['webhook-timestamp']);
		expect(Date.now() / 1000 - stamped).toBeGreaterThan(3_590);
	});

	it.each(['signedPlain', 'signedCompressed'] as const)('compresses the body: %s', async (gzip) => {
		const signing = { scheme: 'hmac', secret: 's' } as const;
		const { service, hook } = await pair({ gzip, signing });
		await service.emit(event);
		const [received] = hook.received;
		if (received === undefined) throw new Error('Nothing was received.');
		const plain = gunzipSync(received.body);
		expect(JSON.parse(plain.toString())).toMatchObject(event);
		expect(received.headers['content-encoding']).toBe('gzip');
		const signed = gzip === 'signedPlain' ? plain : received.body;
		expect(received.headers['x-signature']).toBe(
			signatureHeaders(signing, '', signed, 0)['X-Signature'],
		);
	});

	it('batchSize and batchField', async () => {
		const { service, hook } = await pair({ batchSize: 2, envelope: { batchField: 'events' } });
		const deliveries = await service.emit([1, 2, 3].map((n) => ({ event: `e${n}`, data: n })));
		expect(deliveries.map(({ events }) => events.length)).toEqual([2, 1]);
		const bodies = hook.received.map(jsonOf) as Array<{ events: Array<{ event: string }> }>;
		expect(bodies.map(({ events }) => events.map(({ event: name }) => name)).sort()).toEqual([
			['e1', 'e2'],
			['e3'],
		]);
	});

	it('sends only the events a receiver wants, and nothing after it is removed', async () => {
		const { service, hook, id } = await pair({ events: ['visit.created'] });
		expect(await service.emit(event)).toEqual([]);
		expect(await service.emit({ ...event, event: 'visit.created' })).toHaveLength(1);
		expect(service.receivers.list()).toMatchObject([{ id, url: hook.url }]);
		expect(await service.receivers.remove(id)).toBe(true);
		expect(await service.receivers.remove(id)).toBe(false);
		expect(await service.emit({ ...event, event: 'visit.created' })).toEqual([]);
	});

	it('duplicates: every copy with the same id', async () => {
		const { service, hook } = await pair();
		service.set({ webhooks: { duplicates: 4 } });
		const [delivery] = await service.emit(event);
		expect(delivery?.attempts).toMatchObject([{ statuses: [200, 200, 200, 200, 200] }]);
		expect(new Set(hook.received.map(({ body }) => body.toString())).size).toBe(1);
		expect(hook.received).toHaveLength(5);
	});

	it('sends as many deliveries at once as it may', async () => {
		const inWork: Array<() => void> = [];
		let most = 0;
		// Answers come by threes: fewer at once would never end, more would show.
		const { service, hook } = await pair({}, async () => {
			await new Promise<void>((resolve) => {
				most = Math.max(most, inWork.push(resolve));
				if (inWork.length >= 3) setImmediate(() => inWork.splice(0).forEach((answer) => answer()));
			});
			return 204;
		});
		service.set({ webhooks: { concurrency: 3 } });
		await service.emit(Array.from({ length: 30 }, () => event));
		expect(hook.received).toHaveLength(30);
		expect(most).toBe(3);
	});

	it('onChange: records announce their changes', async () => {
		const { service, hook } = await pair();
		service.set({ webhooks: { onChange: true } });
		await service.upsert('users', { id: 'a' });
		await service.upsert('users', { id: 'a', n: 1 });
		await service.remove('users', 'a');
		await service.remove('users', 'a');
		while (hook.received.length < 3) await new Promise(setImmediate);
		await service.deliveriesSettled();
		const names = hook.received.map((received) => (jsonOf(received) as { event: string }).event);
		expect(names.sort()).toEqual(['user.created', 'user.deleted', 'user.updated']);
	});
});

describe('retries', () => {
	it('retries go on until there is a 2xx, with the same body and a new signature time', async () => {
		const { service, hook } = await pair({}, (number) => (number < 3 ? 500 : 202));
		const [delivery] = await service.emit(event);
		await service.deliveriesSettled();
		expect(delivery).toMatchObject({
			state: 'delivered',
			attempts: [{ statuses: [500] }, { statuses: [500] }, { statuses: [202] }],
		});
		expect(new Set(hook.received.map(({ body }) => body.toString())).size).toBe(1);
	});

	it('retries end with the schedule; a failed delivery can be started over', async () => {
		let status = 503;
		const { service, hook } = await pair({}, () => status);
		const [delivery] = await service.emit(event);
		await service.deliveriesSettled();
		expect(delivery).toMatchObject({ state: 'failed' });
		expect(hook.received).toHaveLength(3);
		status = 200;
		expect(await service.redeliver(delivery?.id ?? '')).toMatchObject({ state: 'delivered' });
		expect(await service.redeliver(delivery?.id ?? '')).toBeNull();
	});

	it('retries follow a broken connection and an answer that takes too long', async () => {
		const { service } = await pair({}, (number) =>
			number === 1 ? 'destroy' : number === 2 ? new Promise<number>(() => undefined) : 200,
		);
		service.set({ webhooks: { timeoutMs: 1_000 } });
		const [delivery] = await service.emit(event);
		await service.deliveriesSettled();
		expect(delivery?.attempts).toMatchObject([
			{ statuses: [null], error: expect.stringContaining('socket hang up') as unknown },
			{ statuses: [null], error: expect.stringContaining('abort') as unknown },
			{ statuses: [200] },
		]);
	});

	it('do not follow a redirect', async () => {
		const { service, hook } = await pair({}, () => 307);
		const [delivery] = await service.emit(event);
		await service.deliveriesSettled();
		expect(delivery?.state).toBe('failed');
		expect(hook.received).toHaveLength(3);
	});

	it('retries end at a 410, which also takes the receiver away', async () => {
		const { service, hook } = await pair({}, () => 410);
		const [delivery] = await service.emit(event);
		expect(delivery?.state).toBe('failed');
		expect(hook.received).toHaveLength(1);
		expect(service.receivers.list()).toEqual([]);
	});
});

describe('a restart', () => {
	it('goes on with what was not acknowledged, and only that', async () => {
		const dataFolder = await mkdtemp(join(tmpdir(), 'reference-service-test-'));
		stops.push(() => rm(dataFolder, { recursive: true, force: true }));
		let status = 500;
		const hook = await receiver(() => status);
		const options = {
			durable: true,
			dataFolder,
			switches: { webhooks: { retryScheduleMs: [3_600_000] } },
		};
		const { service: first } = await start(options);
		await first.receivers.add({ id: 'r1', url: hook.url });
		const [open] = await first.emit({ ...event, id: 'evt-open' });
		status = 200;
		const [done] = await first.emit({ ...event, id: 'evt-done' });
		expect([open?.state, done?.state]).toEqual(['pending', 'delivered']);
		await first.stop();

		const { service: second } = await start(options);
		await second.deliveriesSettled();
		expect(second.deliveries).toMatchObject([
			{ id: open?.id, state: 'delivered', attempts: [{ statuses: [500] }, { statuses: [200] }] },
		]);
		expect(hook.received.map((received) => (jsonOf(received) as { id: string }).id)).toEqual([
			'evt-open',
			'evt-done',
			'evt-open',
		]);
		expect(second.receivers.list()).toMatchObject([{ id: 'r1' }]);
		await second.stop();

		const { service: third } = await start(options);
		expect(third.deliveries).toEqual([]);
		expect((await caller(third).list()).status).toBe(200);
	});

	it('ends the wait of the one who emits, even during a delivery', async () => {
		const { service, hook } = await pair({}, () => new Promise<number>(() => undefined));
		service.set({ webhooks: { concurrency: 1 } });
		const emitted = service.emit([event, event]);
		while (hook.received.length < 1) await new Promise(setImmediate);
		const settled = service.deliveriesSettled();
		await service.stop();
		expect((await emitted).map(({ state }) => state)).toEqual(['pending', 'pending']);
		await settled;
	});
});
