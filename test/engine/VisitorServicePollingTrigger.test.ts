import './harness/engineSettings';
import './harness/sleepByShownClock';

import type { INodeParameters } from 'n8n-workflow';

import { VisitorServiceApi } from '../../credentials/VisitorServiceApi.credentials';
import { VisitorServicePollingTrigger } from '../../nodes/VisitorService/VisitorServicePollingTrigger.node';
import type { ReferenceService } from '../reference-service';
import { ImpatientClock } from '../simulation/clock';
import { showTimeOf } from '../simulation/processTime';
import { CredentialStore } from './harness/credentialStore';
import { PolledWorkflow } from './polledWorkflow';
import { credentialFor, tenants } from './tenants';

const startService = tenants();

/** Monday, 2 March 2026, 08:00 UTC. */
const START = Date.UTC(2026, 2, 2, 8);
const MINUTE = 60_000;

let clock: ImpatientClock;
let showRealTime: () => void;

beforeEach(() => {
	// The clock of n8n and of the service stands still unless a test or a wait moves it.
	clock = new ImpatientClock(() => START);
	showRealTime = showTimeOf(clock);
});

afterEach(() => {
	showRealTime();
	jest.restoreAllMocks();
});

/** A tenant whose users changed long ago, and a workflow that was not published yet. */
async function prepared(host: object = {}, parameters: INodeParameters = {}) {
	const service = await startService();
	await service.seed('users', 30);
	const store = new CredentialStore(new VisitorServiceApi());
	const credentials = store.add(credentialFor(service), 'one');
	const workflow = new PolledWorkflow(
		{ trigger: new VisitorServicePollingTrigger(), store, ...host },
		{ name: 'Users', parameters, credentials },
	);
	const poll = async () => (await workflow.poll()).map(({ id }) => id);
	return { poll, service, workflow };
}

/** The same, published a minute ago. */
async function published(host: object) {
	const all = await prepared(host);
	expect(await all.poll()).toEqual([]);
	clock.pass(MINUTE);
	return all;
}

async function change(service: ReferenceService, id: string, updatedAt = Date.now()) {
	await service.upsert('users', { id, updatedAt: new Date(updatedAt).toISOString() });
}

describe.each([false, true])(
	'a trigger in n8n-core, with durable cursors %p,',
	(durableCursors) => {
		const host = { durableCursors };

		it('starts with what changed since a date in the time zone of the workflow', async () => {
			const parameters = { startFrom: 'date', startDate: '2026-03-02T07:00:00' };
			const { poll, service } = await prepared(host, parameters);
			await change(service, 'before', START - 60 * MINUTE - 1);
			await change(service, 'at', START - 60 * MINUTE);
			expect([await poll(), await poll()]).toEqual([['at'], []]);
		});

		it('goes on after a restart, right after the activation and right after a change', async () => {
			const { poll, service, workflow } = await published(host);
			workflow.restart();
			await change(service, 'a');
			workflow.restart();
			expect(await poll()).toEqual(['a']);
			workflow.restart();
			expect(await poll()).toEqual([]);
		});

		it('returns each change once though two polls run at a time', async () => {
			const { poll, service } = await published(host);
			await change(service, 'a');
			expect((await Promise.all([poll(), poll()])).flat()).toEqual(['a']);
			expect(await poll()).toEqual([]);
		});

		it('goes on if the node has a new name', async () => {
			const { poll, service, workflow } = await published(host);
			await change(service, 'a');
			expect(await poll()).toEqual(['a']);
			clock.pass(60 * MINUTE);
			await change(service, 'a');
			workflow.publish({ name: 'Changed users' });
			expect(await poll()).toEqual(['a']);
			// What n8n keeps under the old name is long out of date.
			workflow.publish({ name: 'Users' });
			expect([await poll(), await poll()]).toEqual([[], []]);
		});

		it('shows the newest users as a test event, and touches nothing', async () => {
			const { poll, workflow } = await prepared(host);
			expect(await workflow.fetchTestEvent()).toHaveLength(10);
			expect(await poll()).toEqual([]);
			expect(await workflow.fetchTestEvent()).toHaveLength(10);
		});
	},
);

it('a poll that would have to wait too long tells n8n how long, and stores nothing', async () => {
	const { poll, service, workflow } = await published({ durableCursors: true, budget: 36_000 });
	await change(service, 'a');
	const { stored } = workflow;
	service.set({ list: { faults: [{ status: 429, retryAfter: 50 }] } });
	await expect(poll()).rejects.toMatchObject({
		httpCode: '429',
		failure: { cause: 'rate-limited', retryAfterMs: 50_000 },
	});
	expect(workflow.stored).toBe(stored);
	expect([await poll(), await poll()]).toEqual([['a'], []]);
});
