import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { MINUTE } from '../drawn/polledService';
import type { MemoryHost } from '../host/memoryHost';
import { type HostKind, PublishedWorkflow } from '../host/publishedWorkflow';
import type { DeepPartial, JsonValue, Switches } from '../reference-service';
import { hostWith, listRequests } from './listedHost';

/** When the process of n8n starts. */
export const START = Date.UTC(2026, 2, 2, 8);

export interface Setup {
	users?: number | IDataObject[];
	list?: DeepPartial<Switches['list']>;
	parameters?: INodeParameters;
	kind?: HostKind;
	timezone?: string;
}

export const iso = (time: number) => new Date(time).toISOString();

/** Publishes a workflow with a polling trigger. */
export async function publishAt(host: MemoryHost, parameters: INodeParameters = {}) {
	const workflow = new PublishedWorkflow(host, [{ node: 'polling', parameters }]);
	await workflow.publish();
	return workflow;
}

/** A trigger that was not polled yet, of a tenant whose users changed long ago. */
export async function prepared(setup: Setup = {}) {
	const { users = 30, list, parameters = {}, kind = 'durable', timezone } = setup;
	const host = await hostWith({ users }, { startsAt: START, timezone, switches: { list } });
	const set = { ...parameters };
	const workflow = new PublishedWorkflow(host, [{ node: 'polling', parameters: set }], kind);
	const poll = async () => {
		const { failure, items } = await workflow.tryPoll();
		if (failure !== undefined) throw new Error(failure);
		return items.map(({ id }) => id);
	};
	const change = async (id: string | number, updatedAt = host.time.now()) => {
		await host.service.upsert('users', { id, updatedAt: iso(updatedAt) });
	};
	/** A user changes, and the next poll starts the workflow. */
	const returns = async (id: string, updatedAt?: number) => {
		await change(id, updatedAt);
		expect(await poll()).toEqual([id]);
	};
	const returnsOnce = async (id: string) => {
		await returns(id);
		expect(await poll()).toEqual([]);
	};
	/** So many polls in a row start nothing. */
	const staysSilent = async (polls: number, apart = MINUTE) => {
		for (let made = 0; made < polls; made++) {
			expect(await poll()).toEqual([]);
			host.time.pass(apart);
		}
	};
	/** From now on each page is this. */
	const respond = (body: JsonValue) =>
		host.service.set({ list: { respondWith: () => ({ status: 200, body }) } });
	/** The workflow is saved and published with other parameters. */
	const publish = (more: INodeParameters) => {
		Object.assign(set, more);
		workflow.restart();
	};
	const requestCount = () => listRequests(host).length;
	const { service } = host;
	return {
		...{ change, host, staysSilent, poll, publish, requestCount, respond, returns, returnsOnce },
		...{ service, workflow },
	};
}

/** The same, published a minute ago. */
export async function published(setup: Setup = {}) {
	const all = await prepared(setup);
	expect(await all.poll()).toEqual([]);
	all.host.time.pass(MINUTE);
	all.service.clearRequests();
	return all;
}
