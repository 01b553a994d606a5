import events from 'node:events';
import { runInThisContext } from 'node:vm';

import type { Fault } from '../reference-service';
import { credentialFor, Process, tenants } from './tenants';

const startService = tenants();

const ENDLESS: Fault[] = ['hang', 'stall', 'trickle'];

/** A tenant, and workflows of one process that list its users. */
async function tenantOf(n8n: Process) {
	const service = await startService();
	await service.seed('users', 3);
	const used = n8n.store.add(credentialFor(service));
	const list = async (options = {}) => await n8n.list(used, { returnAll: true, options });
	return { service, list };
}

describe('a time-out', () => {
	it.each(ENDLESS)('ends the whole attempt at a page whose response does: %s', async (fault) => {
		const { service, list } = await tenantOf(new Process());
		// What is loaded at the first request takes longer than the time-out.
		await list();
		service.clearRequests();
		service.set({ list: { force: fault } });
		const startedAt = Date.now();
		const { error } = await list({ timeout: 500, maxRetries: 1 });
		expect(error?.message).toMatch(/ did not respond in time\.$/);
		expect(service.requests).toHaveLength(2);
		// Two attempts, and at most half a second between them.
		expect(Date.now() - startedAt).toBeLessThan(5_000);
		service.set({ list: { force: 'none' } });
		expect((await list({ timeout: 5_000 })).json()).toHaveLength(3);
	});

	describe('of a token', () => {
		// The exchange waits half a minute, which no test should.
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		const waits: number[] = [];
		beforeEach(() => {
			jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
				waits.push(milliseconds);
				return timeout(milliseconds === 30_000 ? 500 : milliseconds);
			});
		});
		afterEach(() => jest.restoreAllMocks());

		it.each(ENDLESS)(
			'frees all workflows that wait for it, and holds no other: %s',
			async (fault) => {
				const n8n = new Process();
				const [stuck, other] = [await tenantOf(n8n), await tenantOf(n8n)];
				stuck.service.set({ token: { force: fault } });
				const ended: string[] = [];
				const waiting = ['one', 'two'].map(async (name) => {
					const { error } = await stuck.list();
					ended.push(name);
					return error?.message;
				});
				expect((await other.list()).json()).toHaveLength(3);
				expect(ended).toEqual([]);
				for (const message of await Promise.all(waiting)) {
					expect(message).toMatch(/ did not respond in time\.$/);
				}
				expect(waits).toContain(30_000);
				// One exchange for both, tried four times.
				expect(stuck.service.requests).toHaveLength(4);
				stuck.service.set({ token: { force: 'none' } });
				expect((await stuck.list()).json()).toHaveLength(3);
			},
		);
	});
});

it('more than ten pages in flight make Node.js warn of nothing', async () => {
	// A test has only a copy of the process, which hears no warning.
	const real = runInThisContext('process') as NodeJS.Process;
	const warnings: string[] = [];
	const listen = (warning: Error) => warnings.push(String(warning.stack));
	real.on('warning', listen);
	// This n8n raises the limit of its own signal, others may not.
	const raise = events.setMaxListeners.bind(events);
	const raised = jest.spyOn(events, 'setMaxListeners').mockImplementation((limit, ...targets) => {
		if (limit !== Infinity) raise(limit, ...targets);
	});
	try {
		const { service, list } = await tenantOf(new Process());
		await service.seed('users', 400);
		service.set({ list: { latencyMs: 50 } });
		expect((await list({ pageSize: 2, concurrency: 16 })).json()).toHaveLength(400);
		expect(service.summary().peakInFlight).toBeGreaterThan(10);
		await new Promise((resolve) => setImmediate(resolve));
		expect(raised).toHaveBeenCalledWith(Infinity, expect.anything());
		expect(warnings).toEqual([]);
	} finally {
		real.off('warning', listen);
		raised.mockRestore();
	}
});
