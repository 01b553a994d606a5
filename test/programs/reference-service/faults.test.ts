import { request } from 'undici';

import type { Fault } from '../../reference-service';
import { randomNumbers } from '../../reference-service/faults';
import { referenceServices } from './services';

const start = referenceServices();

describe('list faults', () => {
	it.each([
		['html', 200, /^<!doctype html>/],
		['string', 200, /^"not what you asked for"$/],
		['number', 200, /^42$/],
		['null', 200, /^null$/],
		['boolean', 200, /^true$/],
		['empty', 200, /^$/],
		['errorObject200', 200, /^\{"error":"internal_error","message":/],
		['truncatedJson', 200, /^\{"data":\[[^\]]*$/],
		[{ status: 502 }, 502, /^\{"error":"forced"/],
		[{ status: 502, body: '<h1>Bad gateway</h1>' }, 502, /^<h1>/],
		[{ status: 200, body: { data: 'no list' } }, 200, /^\{"data":"no list"\}$/],
	] as Array<[Fault, number, RegExp]>)('answers with the fault %p', async (fault, status, text) => {
		const { list, service } = await start({ switches: { list: { faults: [fault] } } });
		await service.seed('users', 3);
		const answer = await list();
		expect(answer.status).toBe(status);
		expect(answer.text).toMatch(text);
		expect(service.requests.at(-1)).toMatchObject({ status });
		expect((await list()).json).toMatchObject({ total: 3 });
	});

	it('a forced answer with headers, content type and a Retry-After date', async () => {
		const { list } = await start({
			clock: () => Date.UTC(2026, 0, 1),
			switches: {
				list: {
					force: {
						status: 429,
						retryAfter: { inSeconds: 30 },
						contentType: 'text/x',
						body: 'b',
						headers: { 'x-a': 'b' },
					},
				},
			},
		});
		expect((await list()).headers).toMatchObject({
			'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT',
			'content-type': 'text/x',
			'x-a': 'b',
		});
	});

	it('reset sends no byte, cut sends half the body', async () => {
		const { list, service, token } = await start({
			switches: { list: { faults: ['reset', 'cut'] } },
		});
		await service.seed('users', 100);
		await expect(list()).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect(service.requests.at(-1)?.status).toBe(0);
		const { body, headers } = await request(`${service.url}/api/external/v2/users`, {
			headers: { authorization: `Bearer ${await token()}` },
		});
		const chunks: Buffer[] = [];
		await expect(
			(async () => {
				for await (const chunk of body) chunks.push(chunk as Buffer);
			})(),
		).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
		const received = Buffer.concat(chunks);
		expect(received.toString()).toMatch(/^\{"data":\[\{"id":"user-000001"/);
		expect(received.length).toBe(Math.floor((Number(headers['content-length']) - 1) / 2));
	});

	it.each(['hang', 'stall'] as const)('%s ends when the caller gives up', async (fault) => {
		const { call, service, token } = await start({ switches: { list: { faults: [fault] } } });
		const asked = call('/api/external/v2/users', {
			headers: { authorization: `Bearer ${await token()}` },
			...(fault === 'hang' ? { headersTimeout: 100 } : { bodyTimeout: 100 }),
		});
		await expect(asked).rejects.toMatchObject({
			code: fault === 'hang' ? 'UND_ERR_HEADERS_TIMEOUT' : 'UND_ERR_BODY_TIMEOUT',
		});
		expect(service.requests.at(-1)?.status).toBe(fault === 'hang' ? 0 : 200);
	});

	it('a stop ends what hangs', async () => {
		const { list, service } = await start({ switches: { list: { force: 'hang' } } });
		const hanging = expect(list()).rejects.toThrow();
		while (service.requests.length < 2) await new Promise(setImmediate);
		await service.stop();
		await hanging;
	});

	it('pageFaults: so many times on that page', async () => {
		const { list, service } = await start({
			switches: {
				list: {
					pageFaults: [
						{ page: 3, fault: { status: 500 } },
						{ page: 4, fault: { status: 502 }, times: 2 },
						{ page: 5, fault: { status: 503 }, times: 0 },
					],
				},
			},
		});
		const statuses = async (page: number) => {
			const seen = [];
			for (let call = 0; call < 4; call++) seen.push((await list(`users?page=${page}`)).status);
			return seen;
		};
		expect(await statuses(2)).toEqual([200, 200, 200, 200]);
		expect(await statuses(3)).toEqual([500, 200, 200, 200]);
		expect(await statuses(4)).toEqual([502, 502, 200, 200]);
		expect(await statuses(5)).toEqual([503, 503, 503, 503]);
		expect(service.switches.list.pageFaults).toEqual([
			{ page: 5, fault: { status: 503 }, times: 0 },
		]);
	});

	it('randomFaults are the same for the same seed', async () => {
		const run = async (seed: number) => {
			const { list } = await start({
				switches: { list: { randomFaults: { share: 0.5, faults: [{ status: 500 }], seed } } },
			});
			const seen = [];
			for (let call = 0; call < 20; call++) seen.push((await list()).status);
			return seen;
		};
		const first = await run(1);
		expect(new Set(first)).toEqual(new Set([200, 500]));
		expect(await run(1)).toEqual(first);
		expect(await run(2)).not.toEqual(first);
	});

	it('outage is played on everything', async () => {
		const { call, exchange, list, service } = await start();
		service.set({ outage: { status: 503, body: 'down' } });
		const answers = [
			await exchange(),
			await list('users', { authorization: null }),
			await call('/'),
		];
		expect(answers.map(({ text }) => text)).toEqual(['down', 'down', 'down']);
		service.set({ outage: 'none' });
		expect((await list()).status).toBe(200);
	});
});

describe('randomNumbers', () => {
	it('fills 0 to 1 evenly', () => {
		const next = randomNumbers(7);
		const tenths = new Map<number, number>();
		for (let draw = 0; draw < 10_000; draw++) {
			const tenth = Math.floor(next() * 10);
			tenths.set(tenth, (tenths.get(tenth) ?? 0) + 1);
		}
		expect([...tenths.keys()].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
		for (const count of tenths.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
	});
});
