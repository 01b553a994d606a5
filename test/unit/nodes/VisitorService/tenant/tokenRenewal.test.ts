import type { Token } from '../../../../../credentials/authorization/storage';
import type { Transport } from '../../../../../nodes/VisitorService/http/message';
import { withTokenRenewal } from '../../../../../nodes/VisitorService/tenant/tokenRenewal';
import { randomNumbers } from '../../../../reference-service/faults';
import { VirtualClock } from '../../../../simulation/clock';
import { LIST, SimulatedProcesses } from './simulatedProcesses';

const COMPANIES = { ...LIST, url: 'https://tenant.example.com/api/external/v2/companies' };
const times = <T>(count: number, make: (index: number) => T) =>
	Array.from({ length: count }, (_, i) => make(i));

async function one(world: SimulatedProcesses, send: Transport, request = LIST) {
	return (await world.clock.run(send(request))).statusCode;
}

/** Uses a stored token first, so that it exists and was accepted. */
async function warmedUp(world: SimulatedProcesses) {
	const open = world.process();
	const send = await world.clock.run(open());
	expect(await one(world, send)).toBe(200);
	await world.clock.run(world.clock.sleep(1));
	return { open, send };
}

describe('a token of known lifetime', () => {
	it.each([1, 60, 3600, 86_400])(
		'needs one exchange per lifetime of %d s and is never refused: 1,000 requests in 10 lifetimes',
		async (seconds) => {
			const world = new SimulatedProcesses({ lifetime: seconds * 1000 });
			const send = await world.clock.run(world.process()());
			for (let request = 0; request < 1000; request++) {
				const due = Date.UTC(2026, 0, 1) + request * seconds * 10;
				await world.clock.run(world.clock.sleep(due - world.clock.now()));
				expect(await one(world, send)).toBe(200);
			}
			expect(world.answers).toEqual({ 200: 1000 });
			expect(world.exchanges).toBe(10);
		},
	);

	it('renews a token of known lifetime as often for 100 listings of 10 requests as for one of 1,000', async () => {
		const world = new SimulatedProcesses({ lifetime: 60_000 });
		const open = world.process();
		for (let listing = 0; listing < 100; listing++) {
			const send = await world.clock.run(open());
			for (let request = 0; request < 10; request++) {
				const due = Date.UTC(2026, 0, 1) + (listing * 10 + request) * 600;
				await world.clock.run(world.clock.sleep(due - world.clock.now()));
				await one(world, send);
			}
		}
		expect(world.answers).toEqual({ 200: 1000 });
		expect(world.exchanges).toBe(10);
		// One per listing, and one for each token that ran out in the middle of one.
		expect(world.reads).toBeLessThanOrEqual(100 + 9);
	});

	it('a token of known lifetime is never refused, whatever the latencies', async () => {
		const random = randomNumbers(7);
		const world = new SimulatedProcesses({ lifetime: 20_000, latency: () => random() * 80 });
		const open = world.process();
		const listing = async () => {
			const send = await open();
			for (let request = 0; request < 300; request++) await send(LIST);
		};
		await world.clock.run(Promise.all(times(5, listing)));
		expect(world.answers).toEqual({ 200: 1500 });
	});

	it('costs one read of the stored credential and one for each renewal in mid-run', async () => {
		const world = new SimulatedProcesses({ lifetime: 10_000, latency: () => 5 });
		const send = await world.clock.run(world.process()());
		while (world.exchanges < 3) {
			await world.clock.run(Promise.all(times(5, () => send(LIST))));
		}
		expect(world.reads).toBe(3);
	});

	it('does not send a token that expired in the store', async () => {
		const world = new SimulatedProcesses();
		await warmedUp(world);
		await world.clock.run(world.clock.sleep(4_000_000));
		const send = await world.clock.run(world.process()());
		expect(await one(world, send)).toBe(200);
		expect(world.answers).toEqual({ 200: 2 });
		expect(world.exchanges).toBe(2);
		expect(world.reads).toBe(2);
	});
});

describe('requests at once', () => {
	it('50 cold ones cost one exchange', async () => {
		const world = new SimulatedProcesses({ latency: () => 10 });
		const open = world.process();
		await world.clock.run(Promise.all(times(50, async () => await (await open())(LIST))));
		expect(world.exchanges).toBe(1);
		expect(world.answers).toEqual({ 200: 50 });
	});

	it.each([401, 403])('50 refused by %d cost one exchange', async (refusal) => {
		const world = new SimulatedProcesses({ latency: () => 10, refusal, announced: false });
		const { open, send } = await warmedUp(world);
		const others = await world.clock.run(Promise.all(times(9, open)));
		world.revokeAll();
		await world.clock.run(
			Promise.all([send, ...others].flatMap((connection) => times(5, () => connection(LIST)))),
		);
		expect(world.exchanges).toBe(2);
		expect(world.answers).toEqual({ 200: 51, [refusal]: 50 });
		expect(new Set(world.refused)).toEqual(new Set([1]));
	});

	it('50 refused at different times cost one exchange, and one read for each connection', async () => {
		const random = randomNumbers(3);
		const world = new SimulatedProcesses({ announced: false, latency: () => random() * 100 });
		const { send } = await warmedUp(world);
		world.revokeAll();
		await world.clock.run(Promise.all(times(50, () => send(LIST))));
		expect(world.exchanges).toBe(2);
		expect(world.reads).toBe(2);
		expect(new Set(world.refused)).toEqual(new Set([1]));
	});
});

describe('a refused token', () => {
	it.each([401, 403, 419, 440, 498])('replaces a refused token (%d) once', async (refusal) => {
		const world = new SimulatedProcesses({ refusal, announced: false });
		const { send } = await warmedUp(world);
		world.revokeAll();
		expect(await one(world, send)).toBe(200);
		expect(world.exchanges).toBe(2);
	});

	it('replaces a refused token by the one another process stored, without an exchange', async () => {
		const world = new SimulatedProcesses({ announced: false, revoking: true });
		const { send } = await warmedUp(world);
		world.revokeAll();
		const other = await world.clock.run(world.process()());
		await one(world, other);
		expect(world.exchanges).toBe(2);
		expect(await one(world, send)).toBe(200);
		expect(world.exchanges).toBe(2);
	});

	it('a refused token is never sent again by another listing of the process', async () => {
		const world = new SimulatedProcesses({ announced: false });
		const { open, send } = await warmedUp(world);
		const late = await world.clock.run(open());
		world.revokeAll();
		await one(world, send);
		await one(world, late);
		await one(world, await world.clock.run(open()));
		expect(world.exchanges).toBe(2);
		expect(world.refused).toEqual([1, 1]);
	});

	it('ends the request where every new one is refused too', async () => {
		const world = new SimulatedProcesses({ lifetime: 0, announced: false });
		const send = await world.clock.run(world.process()());
		expect(await one(world, send)).toBe(401);
		expect(world.exchanges).toBeLessThanOrEqual(5);
		expect(new Set(world.refused).size).toBe(world.refused.length);
	});
});

describe('403', () => {
	it('403 to a token that was just issued is a matter of permission', async () => {
		const world = new SimulatedProcesses({ forbidden: ['users'] });
		const send = await world.clock.run(world.process()());
		expect(await one(world, send)).toBe(403);
		expect(world.exchanges).toBe(1);
		expect(world.answers).toEqual({ 403: 1 });
	});

	it('403 to a token another machine stored, whose clock is ahead, is answered by a new token', async () => {
		const world = new SimulatedProcesses({ announced: false, refusal: 403 });
		const { open } = await warmedUp(world);
		world.stored = { ...world.stored, issuedAt: Number(world.stored.issuedAt) + 60_000 };
		world.revokeAll();
		const send = await world.clock.run(open());
		expect(await one(world, send)).toBe(200);
		expect(world.exchanges).toBe(2);
	});

	it('403 to an older token is answered by one new token, then taken for what it is', async () => {
		const world = new SimulatedProcesses({ forbidden: ['companies'] });
		const { send } = await warmedUp(world);
		await world.clock.run(world.clock.sleep(1000));
		expect(await one(world, send, COMPANIES)).toBe(403);
		expect(world.exchanges).toBe(2);
		for (let again = 0; again < 5; again++) {
			await world.clock.run(world.clock.sleep(1000));
			expect(await one(world, send, COMPANIES)).toBe(403);
		}
		expect(world.exchanges).toBe(2);
		expect(world.answers).toEqual({ 200: 1, 403: 7 });
	});

	it.each([
		['asks to wait', { 'retry-after': '60' }, null, 0],
		['asks for no wait', { 'retry-after': '0' }, null, 1],
		['asks to wait and names the token', { 'retry-after': '60' }, { error: 'invalid_token' }, 1],
	])(
		'403 that %s replaces an older token only if it may be meant',
		async (_, headers, body, discards) => {
			const clock = new VirtualClock(Date.UTC(2026, 0, 1));
			const old: Token = { accessToken: 'token-1', issuedAt: clock.now() - 60_000 };
			let token = old;
			let discarded = 0;
			const send = withTokenRenewal(
				{
					current: () => token,
					isFresh: () => true,
					reload: async () => {
						await Promise.resolve();
					},
					discard: () => {
						discarded++;
						token = { accessToken: 'token-2', issuedAt: clock.now() };
					},
					send: async () =>
						await Promise.resolve({
							answer:
								token === old
									? { statusCode: 403, headers, body }
									: { statusCode: 200, headers: {}, body: null },
							token,
						}),
				},
				clock,
				() => 0.5,
			);
			await clock.run(send(LIST));
			expect(discarded).toBe(discards);
		},
	);

	it('does not keep a 401 at the same address from being cured', async () => {
		const world = new SimulatedProcesses({ forbidden: ['users'], announced: false });
		const send = await world.clock.run(world.process()());
		expect(await one(world, send)).toBe(403);
		world.service.set({ authorization: { permission: 'all' } });
		world.revokeAll();
		expect(await one(world, send)).toBe(200);
	});
});

describe('a service that revokes the token before', () => {
	const run = async (processes: number, listings: number, seed: number, refusal = 401) => {
		const random = randomNumbers(seed);
		const world = new SimulatedProcesses({
			revoking: true,
			announced: seed % 2 === 0,
			lifetime: 5_000,
			refusal,
			latency: () => 1 + random() * 60,
			random,
		});
		const outcomes = await world.clock.run(
			Promise.all(
				times(processes, () => world.process()).flatMap((open) =>
					times(listings, async () => {
						const send = await open();
						const statuses = [];
						for (let page = 0; page < 30; page++) statuses.push((await send(LIST)).statusCode);
						return statuses;
					}),
				),
			),
		);
		return { world, failed: outcomes.flat().filter((status) => status !== 200).length };
	};

	it.each([1, 2, 3, 4, 5, 6])(
		'lets parallel listings of one process through (seed %d)',
		async (seed) => {
			const { world, failed } = await run(1, 8, seed);
			expect(failed).toBe(0);
			// Without coordination each listing would exchange for itself, again and again.
			expect(world.exchanges).toBeLessThanOrEqual(8);
		},
	);

	it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
		'lets parallel listings of two processes through that share the store (seed %d)',
		async (seed) => {
			const { failed } = await run(2, 4, seed);
			expect(failed).toBe(0);
		},
	);

	it.each([1, 2, 3, 4, 5, 6])('lets those of four processes through (seed %d)', async (seed) => {
		const { failed } = await run(4, 3, seed);
		expect(failed).toBe(0);
	});
});

describe('what the user changed meanwhile', () => {
	it('what the user changed meanwhile is used for the next exchange', async () => {
		const world = new SimulatedProcesses({ announced: false });
		const { send } = await warmedUp(world);
		world.service.clientSecret = 'rotated';
		world.stored = { ...world.stored, clientSecret: 'rotated' };
		world.revokeAll();
		expect(await one(world, send)).toBe(200);
		expect(world.stored).toMatchObject({
			clientSecret: 'rotated',
			accessToken: expect.stringMatching(/^token-2-/) as string,
		});
	});
});
