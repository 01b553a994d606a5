import './harness/engineSettings';
import './harness/sleepByShownClock';

import { inspect } from 'node:util';

import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { VisitorServiceApi } from '../../credentials/VisitorServiceApi.credentials';
import { VisitorServicePollingTrigger } from '../../nodes/VisitorService/VisitorServicePollingTrigger.node';
import type { DeepPartial, ReferenceService, Switches } from '../reference-service';
import { ImpatientClock } from '../simulation/clock';
import { showTimeOf } from '../simulation/processTime';
import { CredentialStore } from './harness/credentialStore';
import { PolledWorkflow, type PollingHost } from './polledWorkflow';
import { credentialFor, tenants } from './tenants';

const startService = tenants();

/** Monday, 2 March 2026, 08:00 UTC. */
const START = Date.UTC(2026, 2, 2, 8);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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

function pass(milliseconds: number): void {
	clock.pass(milliseconds);
}

interface Setup {
	/** How many users were there long before. */
	users?: number;
	list?: DeepPartial<Switches['list']>;
	switches?: DeepPartial<Switches>;
	parameters?: INodeParameters;
	credential?: ICredentialDataDecryptedObject;
	host?: Partial<PollingHost>;
}

/** A tenant whose users changed long ago, and a workflow that was not published yet. */
async function prepared({
	users = 30,
	list,
	switches,
	parameters = {},
	credential,
	host,
}: Setup = {}) {
	const service = await startService({ switches: { ...switches, ...(list && { list }) } });
	await service.seed('users', users);
	const store = new CredentialStore([new VisitorServiceApi()]);
	const credentials = store.add('visitorServiceApi', credentialFor(service, credential), 'one');
	const trigger = new VisitorServicePollingTrigger();
	const workflow = new PolledWorkflow(
		{ trigger, store, ...host },
		{ name: 'Users', parameters, credentials },
	);
	return { service, store, workflow };
}

/** The same, published a minute ago. */
async function published(setup: Setup = {}) {
	const all = await prepared(setup);
	expect(await all.workflow.poll()).toEqual([]);
	pass(MINUTE);
	all.service.clearRequests();
	return all;
}

let versions = 0;

/** Changes a user, now or as if at another time. @returns the number of the version */
async function change(service: ReferenceService, id: string, updatedAt?: number): Promise<number> {
	const version = ++versions;
	const shown = updatedAt ?? Date.now() + service.switches.clockOffsetMs;
	await service.upsert('users', { id, version, updatedAt: new Date(shown).toISOString() });
	return version;
}

async function changeMany(service: ReferenceService, count: number): Promise<number[]> {
	const versions: number[] = [];
	for (let number = 0; number < count; number++)
		versions.push(await change(service, `new-${number}`));
	return versions;
}

/** In the order they were made; versions of the same time are emitted in any order. */
const versionsOf = (items: IDataObject[]) => sorted(items.map(({ version }) => Number(version)));

const sorted = (numbers: number[]) => [...numbers].sort((one, other) => one - other);

async function poll(workflow: PolledWorkflow): Promise<number[]> {
	return versionsOf(await workflow.poll());
}

/** Polls every ten minutes. */
async function pollOften(workflow: PolledWorkflow, polls: number): Promise<number[]> {
	const came: number[] = [];
	for (let number = 0; number < polls; number++) {
		came.push(...(await poll(workflow)));
		pass(10 * MINUTE);
	}
	return came;
}

interface Failure {
	name: string;
	message: string;
	description: string;
	httpCode?: string;
	failure?: IDataObject;
}

async function failureOf(action: Promise<unknown>): Promise<Failure> {
	const outcome = await action.then(
		() => undefined,
		(error: unknown) => error,
	);
	if (typeof outcome === 'object' && outcome !== null && 'description' in outcome)
		return outcome as Failure;
	throw new Error(`No error of a node was thrown, but ${String(outcome)}.`);
}

/** A page that fails is asked for once more with a new token, and has to fail again. */
const onceMoreWithANewToken = (page: number) =>
	[1, 2].map(() => ({ page, fault: { status: 500 } }));

const listsAsked = ({ requests }: ReferenceService) =>
	requests.filter(({ path }) => path.startsWith('/api/external/'));

describe.each([false, true])('a published workflow, with durable cursors %p,', (durableCursors) => {
	const host = { durableCursors };

	it('emits nothing at the activation if it starts from now on, and then what changed since', async () => {
		const { service, workflow } = await published({ host });
		const versions = [await change(service, 'user-000007'), await change(service, 'new')];
		expect(await poll(workflow)).toEqual(versions);
		expect(await pollOften(workflow, 3)).toEqual([]);
	});

	it('emits at the activation what changed since a date, that moment included', async () => {
		const parameters = { startFrom: 'date', startDate: '2026-03-02T07:00:00' };
		const { service, workflow } = await prepared({ host, parameters });
		await change(service, 'before', START - HOUR - 1);
		const versions = [
			await change(service, 'at', START - HOUR),
			await change(service, 'after', START - MINUTE),
		];
		expect(await poll(workflow)).toEqual(versions);
		expect(await pollOften(workflow, 3)).toEqual([]);
	});

	it('goes on after a restart, right after the activation and right after a change', async () => {
		const { service, workflow } = await published({ host });
		workflow.restart();
		const version = await change(service, 'a');
		workflow.restart();
		expect(await poll(workflow)).toEqual([version]);
		workflow.restart();
		expect(await poll(workflow)).toEqual([]);
		pass(DAY);
		workflow.restart();
		expect(await poll(workflow)).toEqual([]);
	});

	it('emits ten thousand users with one time, each once', async () => {
		const parameters = { options: { pageSize: 1000, maxItems: 4000 } };
		const { service, workflow } = await published({ host, parameters });
		const updatedAt = new Date().toISOString();
		const users = Array.from({ length: 10_000 }, (_, place) => ({
			id: place,
			version: place,
			updatedAt,
		}));
		await service.seed('users', users);
		const counts: number[] = [];
		const came: number[] = [];
		for (let time = 0; time < 5; time++) {
			const versions = await poll(workflow);
			came.push(...versions);
			counts.push(versions.length);
			pass(MINUTE);
			workflow.restart();
		}
		expect(counts).toEqual([4000, 4000, 2000, 0, 0]);
		expect(new Set(came).size).toBe(10_000);
	});

	it('emits a change that shows late but within the overlap', async () => {
		const { service, workflow } = await published({ host });
		pass(10 * MINUTE);
		const changedAt = Date.now();
		const busy = await change(service, 'busy');
		expect(await poll(workflow)).toEqual([busy]);
		pass(5 * MINUTE - 1);
		const late = await change(service, 'late', changedAt);
		expect(await poll(workflow)).toEqual([late]);
		expect(await pollOften(workflow, 3)).toEqual([]);
	});

	it('emits a user that changed again between two polls, and while one reads', async () => {
		const { service, workflow } = await published({
			host,
			parameters: { options: { pageSize: 5 } },
		});
		await change(service, 'new-0');
		pass(SECOND);
		const versions = await changeMany(service, 12);
		const first = await poll(workflow);
		expect(first).toEqual(versions);
		pass(MINUTE);
		await changeMany(service, 12);
		const during: number[] = [];
		const stop = service.onListRequest(async ({ page }) => {
			if (page === 1) during.push(await change(service, 'new-0'), await change(service, 'new-11'));
		});
		const came = await poll(workflow);
		stop();
		came.push(...(await pollOften(workflow, 4)));
		expect(came).toEqual(expect.arrayContaining(during));
		expect(new Set(came).size).toBe(came.length);
	});

	it('emits more changes than a page, than maxItems and than the time of a poll allow', async () => {
		const parameters = { options: { pageSize: 5, maxItems: 15 } };
		const { service, workflow } = await published({
			host: { ...host, ...(durableCursors && { budget: 36 * SECOND }) },
			parameters,
		});
		const versions = await changeMany(service, 60);
		// A poll that n8n does not schedule has five minutes.
		const stop = service.onListRequest(() => pass((durableCursors ? 10 : 80) * SECOND));
		const first = await poll(workflow);
		expect(first.length).toBeLessThanOrEqual(15);
		expect(first.length).toBeGreaterThan(0);
		workflow.restart();
		const came = [...first, ...(await pollOften(workflow, 12))];
		stop();
		expect(sorted(came)).toEqual(versions);
	});

	it('leaves what is stored as it is if the first page fails, and then emits everything', async () => {
		const { service, workflow } = await published({ host });
		expect(await poll(workflow)).toEqual([]);
		const versions = await changeMany(service, 23);
		const before = workflow.stored;
		service.set({ list: { pageFaults: onceMoreWithANewToken(0) } });
		const { message, httpCode } = await failureOf(workflow.poll());
		expect(message).toBe('The service failed to answer (status 500).');
		expect(httpCode).toBe('500');
		expect(workflow.stored).toBe(before);
		expect(await poll(workflow)).toEqual(versions);
		expect(await pollOften(workflow, 3)).toEqual([]);
	});

	it('emits what came before page 3 of 5 that fails, and the rest once it is read', async () => {
		const { service, workflow } = await published({
			host,
			parameters: { options: { pageSize: 5 } },
		});
		expect(await poll(workflow)).toEqual([]);
		const versions = await changeMany(service, 23);
		service.set({ list: { pageFaults: onceMoreWithANewToken(2) } });
		const first = await poll(workflow);
		expect(first.length).toBeGreaterThan(0);
		expect(first.length).toBeLessThan(versions.length);
		const rest = await pollOften(workflow, 3);
		expect(sorted([...first, ...rest])).toEqual(sorted(versions));
	});

	it('emits each change once though two polls run at a time', async () => {
		const { service, workflow } = await published({ host });
		expect(await poll(workflow)).toEqual([]);
		const version = await change(service, 'a');
		const came = await Promise.all([poll(workflow), poll(workflow)]);
		expect(came.flat()).toEqual([version]);
		expect(await pollOften(workflow, 3)).toEqual([]);
	});

	it('goes on if it is published again, even after days', async () => {
		const { service, workflow } = await published({ host });
		const first = await change(service, 'a');
		expect(await poll(workflow)).toEqual([first]);
		pass(3 * DAY);
		const version = await change(service, 'b');
		pass(3 * DAY);
		workflow.publish();
		expect(await poll(workflow)).toEqual([version]);
		expect(await pollOften(workflow, 3)).toEqual([]);
	});

	it('goes on if the node has a new name', async () => {
		const { service, workflow } = await published({ host });
		expect(await poll(workflow)).toEqual([]);
		const first = await change(service, 'a');
		expect(await poll(workflow)).toEqual([first]);
		pass(HOUR);
		const version = await change(service, 'a');
		workflow.publish({ name: 'Changed users' });
		expect(await poll(workflow)).toEqual([version]);
		// What n8n keeps under the old name is long out of date.
		workflow.publish({ name: 'Users' });
		expect(await pollOften(workflow, 3)).toEqual([]);
	});

	it('goes on if the credential has another address or client of the same tenant', async () => {
		const { service, store, workflow } = await published({ host });
		const first = await change(service, 'a');
		expect(await poll(workflow)).toEqual([first]);
		pass(HOUR);
		const second = await change(service, 'a');
		store.poke('one', { baseUrl: service.url.replace('127.0.0.1', 'localhost') });
		expect(await poll(workflow)).toEqual([second]);
		pass(MINUTE);
		const third = await change(service, 'b');
		const data = credentialFor(service, { clientSecret: service.clientSecret });
		workflow.publish({ credentials: store.add('visitorServiceApi', data, 'two') });
		expect(await pollOften(workflow, 3)).toEqual([third]);
	});

	it('goes on from the same time at another tenant', async () => {
		const { service, store, workflow } = await published({ host });
		const version = await change(service, 'a');
		expect(await poll(workflow)).toEqual([version]);
		pass(HOUR);
		const other = await startService();
		await other.seed('users', 50);
		const there = await change(other, 'b');
		workflow.publish({ credentials: store.add('visitorServiceApi', credentialFor(other), 'two') });
		expect(await pollOften(workflow, 3)).toEqual([there]);
	});

	it('does what an error of later on says: the paths set then count', async () => {
		const { service, workflow } = await published({ host });
		service.switches.list.updatedAtField = 'editedStamp';
		const version = await change(service, 'user-000003');
		expect((await failureOf(workflow.poll())).description).toContain('Updated At Path');
		workflow.publish({ parameters: { options: { updatedAtPath: 'editedStamp' } } });
		pass(MINUTE);
		expect(await pollOften(workflow, 3)).toEqual([version]);
		workflow.publish({
			parameters: { options: { updatedAtPath: 'editedStamp', idPath: 'nonsense' } },
		});
		expect((await failureOf(workflow.poll())).description).toContain('ID Path');
		const next = await change(service, 'user-000004');
		workflow.publish({ parameters: { options: { updatedAtPath: 'editedStamp' } } });
		expect(await pollOften(workflow, 3)).toEqual([next]);
	});

	it('looks at another Updated Since Format as if for the first time, and loses nothing by a wrong one', async () => {
		const { service, workflow } = await published({
			list: { updatedSince: { accepted: ['epochMs'], unreadable: 'empty' } },
			parameters: { options: { updatedSinceFormat: 'epochMs' } },
			host,
		});
		workflow.publish({ parameters: { options: { updatedSinceFormat: 'iso' } } });
		const version = await change(service, 'user-000004');
		pass(10 * MINUTE);
		for (let time = 0; time < 2; time++) {
			expect((await failureOf(workflow.poll())).description).toContain('Updated Since Format');
			pass(10 * MINUTE);
		}
		workflow.publish({ parameters: { options: { updatedSinceFormat: 'epochMs' } } });
		expect(await pollOften(workflow, 3)).toEqual([version]);
	});

	it('shows the newest users as a test event, and touches nothing', async () => {
		const { service, workflow } = await prepared({ host });
		expect(await workflow.fetchTestEvent()).toHaveLength(10);
		expect(await poll(workflow)).toEqual([]);
		pass(MINUTE);
		const versions = await changeMany(service, 3);
		expect(versionsOf(await workflow.fetchTestEvent())).toEqual(versions);
		expect(await poll(workflow)).toEqual(versions);
		expect(versionsOf(await workflow.fetchTestEvent())).toEqual(versions);
		expect(await pollOften(workflow, 2)).toEqual([]);
	});
});

describe('a process that is killed between emitting and saving', () => {
	it('emits the same changes again', async () => {
		const { service, workflow } = await published();
		const version = await change(service, 'a');
		expect(versionsOf(await workflow.pollAndDie())).toEqual([version]);
		expect(await pollOften(workflow, 3)).toEqual([version]);
	});

	it('has emitted nothing with durable cursors, which are committed together with the execution', async () => {
		const { service, workflow } = await published({ host: { durableCursors: true } });
		const version = await change(service, 'a');
		expect(await workflow.pollAndDie()).toEqual([]);
		expect(await pollOften(workflow, 3)).toEqual([version]);
	});
});

describe('durable cursors', () => {
	it('takes over the stored place when durable cursors are switched on', async () => {
		const { service, workflow } = await published();
		const first = await change(service, 'a');
		expect(await poll(workflow)).toEqual([first]);
		const durable = workflow.movedTo({ durableCursors: true });
		const second = await change(service, 'b');
		expect(await pollOften(durable, 3)).toEqual([second]);
	});
});

describe('a cursor of another shape', () => {
	it('keeps its place if another version stored more than its place', async () => {
		const { service, workflow } = await prepared();
		await change(service, 'before', START - 2 * HOUR);
		const version = await change(service, 'after', START - HOUR + 1);
		workflow.store({ version: 2, place: START - HOUR, seen: ['x'] });
		expect(await pollOften(workflow, 3)).toEqual([version]);
	});
});

describe('a list that moves while it is read', () => {
	it.each(['insertion', 'updatedAt', 'updatedAtDescending'] as const)(
		'hides nothing (ordered by %s)',
		async (naturalOrder) => {
			const parameters = { options: { pageSize: 5 } };
			const { service, workflow } = await published({ list: { naturalOrder }, parameters });
			const versions = await changeMany(service, 20);
			pass(HOUR);
			let removed = 0;
			const stop = service.onListRequest(async ({ page }) => {
				if (page === 1) await service.remove('users', `new-${removed++}`);
			});
			const came = await pollOften(workflow, 2);
			stop();
			came.push(...(await pollOften(workflow, 4)));
			expect(came).toEqual(expect.arrayContaining(versions.slice(removed)));
			expect(new Set(came).size).toBe(came.length);
		},
	);
});

describe('whatever the service makes of updatedSince,', () => {
	const written = [
		{ updatedSinceFormat: 'iso', accepted: ['iso'] as const },
		{ updatedSinceFormat: 'epochMs', accepted: ['epochMs'] as const },
		{ updatedSinceFormat: 'epochS', accepted: ['epochS'] as const },
	];
	const shown = ['iso', 'isoSeconds', 'epochMs', 'epochS'] as const;
	const cases = written.flatMap((format) =>
		shown.flatMap((updatedAtFormat) =>
			[true, false].flatMap((inclusive) =>
				(['ms', 's'] as const).map((precision) => ({
					...format,
					updatedAtFormat,
					inclusive,
					precision,
				})),
			),
		),
	);

	it.each(cases)('each change is emitted once: %p', async (one) => {
		const { updatedSinceFormat, accepted, updatedAtFormat, inclusive, precision } = one;
		const { service, workflow } = await published({
			list: { updatedAtFormat, updatedSince: { accepted: [...accepted], inclusive, precision } },
			parameters: { options: { updatedSinceFormat } },
		});
		const versions: number[] = [];
		const came: number[] = [];
		for (const step of [1, 999, MINUTE, 59_999, 6 * MINUTE, HOUR]) {
			pass(step);
			versions.push(await change(service, `user-${versions.length % 3}`));
			came.push(...(await poll(workflow)));
		}
		came.push(...(await pollOften(workflow, 2)));
		expect(came).toEqual(versions);
	});

	it('a service that ignores updatedSince is recognized and reported in the log, and its list is filtered here', async () => {
		const { service, workflow } = await prepared({ list: { updatedSince: { ignored: true } } });
		const { warnings } = workflow;
		expect(await poll(workflow)).toEqual([]);
		expect(warnings).toEqual([expect.stringContaining('The service ignores "updatedSince"')]);
		pass(MINUTE);
		const version = await change(service, 'user-000003');
		expect(await pollOften(workflow, 3)).toEqual([version]);
		expect(warnings).toHaveLength(1);
		expect(await workflow.fetchTestEvent()).toHaveLength(10);
		expect(warnings).toHaveLength(2);
	});

	it('a service that misreads updatedSince is an error at the activation that names the option', async () => {
		const { workflow } = await prepared({
			list: { updatedSince: { accepted: ['epochMs'], unreadable: 'empty' } },
		});
		const { description } = await failureOf(workflow.poll());
		expect(description).toContain('Updated Since Format');
	});
});

describe('users without', () => {
	it.each<[string, DeepPartial<Switches['list']>, string]>([
		['an ID', { idField: null }, 'ID Path'],
		['an update time', { updatedAtField: null }, 'Updated At Path'],
	])('%s are an error that names the option', async (_, list, option) => {
		const { workflow } = await prepared({ list });
		const { description, failure } = await failureOf(workflow.poll());
		expect(description).toContain(option);
		expect(failure).toEqual({ cause: 'configuration-invalid' });
		expect((await failureOf(workflow.fetchTestEvent())).description).toContain(option);
	});
});

describe('clocks', () => {
	const apart = [-HOUR, HOUR];
	it.each(
		apart.flatMap((clockOffsetMs) =>
			[true, false].map((dateHeader) => ({ clockOffsetMs, dateHeader })),
		),
	)('loses and doubles no change if the clocks differ: %p', async (switches) => {
		const { service, workflow } = await published({ switches });
		const versions: number[] = [];
		const came: number[] = [];
		for (const step of [1, SECOND, MINUTE, 6 * MINUTE, HOUR, DAY]) {
			pass(step);
			versions.push(await change(service, `user-${versions.length % 2}`));
			came.push(...(await poll(workflow)));
		}
		came.push(...(await pollOften(workflow, 3)));
		expect(came).toEqual(versions);
	});
});

describe('429 with Retry-After', () => {
	it('waits after 429 with Retry-After as long as the time of a poll allows', async () => {
		const { service, workflow } = await published({
			host: { durableCursors: true, budget: 36 * SECOND },
		});
		const version = await change(service, 'a');
		service.set({ list: { faults: [{ status: 429, retryAfter: 20 }] } });
		const before = Date.now();
		expect(await poll(workflow)).toEqual([version]);
		expect(Date.now() - before).toBeGreaterThanOrEqual(20 * SECOND);
	});

	it('ends the poll if the wait is too long, passes the wait on to n8n and stores nothing', async () => {
		const { service, workflow } = await published({
			host: { durableCursors: true, budget: 36 * SECOND },
		});
		const version = await change(service, 'a');
		const before = workflow.stored;
		service.set({ list: { faults: [{ status: 429, retryAfter: 50 }] } });
		const { httpCode, failure } = await failureOf(workflow.poll());
		expect({ httpCode, failure }).toEqual({
			httpCode: '429',
			failure: { cause: 'rate-limited', retryAfterMs: 50_000 },
		});
		expect(workflow.stored).toBe(before);
		expect(await pollOften(workflow, 2)).toEqual([version]);
	});

	it('emits what it read before a 429 in the middle of a list, and the next poll goes on', async () => {
		const parameters = { options: { pageSize: 5 } };
		const { service, workflow } = await published({
			host: { durableCursors: true, budget: 36 * SECOND },
			parameters,
		});
		const versions = await changeMany(service, 23);
		service.set({ list: { pageFaults: [{ page: 2, fault: { status: 429, retryAfter: 50 } }] } });
		const came = await poll(workflow);
		expect(came.length).toBeGreaterThan(0);
		expect(came.length).toBeLessThan(23);
		came.push(...(await pollOften(workflow, 3)));
		expect(sorted(came)).toEqual(versions);
	});
});

describe('too little time for a poll', () => {
	it('fails and stores nothing if a poll has too little time, and says what to do', async () => {
		const { service, workflow } = await prepared({
			host: { durableCursors: true, budget: 3 * SECOND },
		});
		const stop = service.onListRequest(() => pass(3 * SECOND));
		const { message, description, failure } = await failureOf(workflow.poll());
		stop();
		expect(message).toBe('The service did not answer within the time n8n allows for one poll.');
		expect(description).toContain('Page Size');
		expect(failure).toEqual({ cause: 'temporarily-unavailable' });
		expect(workflow.stored).not.toContain('since');
		expect(await poll(workflow)).toEqual([]);
		const version = await change(service, 'a');
		expect(await pollOften(workflow, 2)).toEqual([version]);
	});
});

describe('polls that n8n schedules without durable cursors', () => {
	const host = { budget: 36 * SECOND };

	it('polls that n8n schedules without durable cursors are an error as long as nothing is stored, because each would begin anew', async () => {
		const { workflow } = await prepared({ host });
		const { message, description } = await failureOf(workflow.poll());
		expect(message).toContain('forgets how far a poll without results has come');
		expect(description).toContain('N8N_POLLER_DURABLE_CURSORS_ENABLED');
	});

	it('scheduled polls go on from a place that was stored', async () => {
		const { service, workflow } = await published();
		const scheduled = workflow.movedTo(host);
		const version = await change(service, 'a');
		expect(await pollOften(scheduled, 3)).toEqual([version]);
	});

	it('polls that n8n schedules without durable cursors are an error if part of the list would never be read', async () => {
		const list = { updatedSince: { ignored: true } };
		const { service, workflow } = await published({
			list,
			parameters: { options: { pageSize: 5 } },
		});
		const scheduled = workflow.movedTo(host);
		const stop = service.onListRequest(() => pass(10 * SECOND));
		expect((await failureOf(scheduled.poll())).message).toContain('never be read');
		stop();
	});

	it('polls that n8n schedules without durable cursors fail as the page did that cannot be read', async () => {
		const list = { updatedSince: { ignored: true } };
		const { service, workflow } = await published({
			list,
			parameters: { options: { pageSize: 5 } },
		});
		const scheduled = workflow.movedTo(host);
		service.set({ list: { pageFaults: onceMoreWithANewToken(2) } });
		expect((await failureOf(scheduled.poll())).message).toBe(
			'The service failed to answer (status 500).',
		);
	});

	it('polls that n8n schedules without durable cursors are an error if removed records are wanted', async () => {
		const { workflow } = await published({ parameters: { triggerOn: 'removed' } });
		const scheduled = workflow.movedTo(host);
		expect((await failureOf(scheduled.poll())).message).toContain('forgets how far');
	});
});

describe('a service that repeats the token', () => {
	const TOKEN = 'canary-token-0001';

	it.each<[string, DeepPartial<Switches['list']>]>([
		['in an error', { force: { status: 400, body: { message: `Bad: ${TOKEN}` } } }],
		[
			'in an error with status 200',
			{ force: { status: 200, body: { error: TOKEN, message: TOKEN } } },
		],
		['in the names of fields', { force: { status: 200, body: { [TOKEN]: 1 } } }],
		['in the fields of users', { force: { status: 200, body: [{ [TOKEN]: 1 }] } }],
	])('%s has it in no error', async (_, list) => {
		const token = { force: { status: 200, body: { access_token: TOKEN, expires_in: 3600 } } };
		const { workflow } = await prepared({ switches: { token, list } });
		const polls = [await failureOf(workflow.poll()), await failureOf(workflow.fetchTestEvent())];
		expect(polls.map((error) => inspect(error, { depth: 8, showHidden: true }))).not.toContainEqual(
			expect.stringContaining(TOKEN),
		);
	});
});

describe('the cost of a poll', () => {
	it('sends one request for a poll that finds nothing', async () => {
		const { service, workflow } = await published();
		await pollOften(workflow, 10);
		expect(listsAsked(service)).toHaveLength(10);
	});

	it.each([
		[1, 1],
		[99, 1],
		// The total of one full page may be that of the page, and its page count the number of the
		// pages so far.
		[100, 2],
		[101, 2],
		[1000, 10],
	])('finds %d changes with %d requests', async (count, requests) => {
		const { service, workflow } = await published();
		await changeMany(service, count);
		service.clearRequests();
		expect(await poll(workflow)).toHaveLength(count);
		expect(listsAsked(service)).toHaveLength(requests);
	});
});
