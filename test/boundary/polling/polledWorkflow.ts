import type {
	IDataObject,
	INode,
	INodeParameters,
	IPollFunctions,
	NodeApiError,
	Workflow,
} from 'n8n-workflow';
import { contextOf } from '../../host/context';
import { type MemoryHost, NODES } from '../../host/memoryHost';

/**
 * How n8n keeps the place of a trigger: as static data that live as long as the process; as
 * durable cursors; or as static data which its scheduler reads anew for each poll.
 */
export type HostKind = 'process' | 'durable' | 'scheduler';

/** Milliseconds of one poll, as n8n tells a trigger (2.41.1). */
export const BUDGET: Record<HostKind, number> = {
	process: 300_000,
	durable: 45_000,
	scheduler: 45_000,
};

/** What a poll of a node gave. */
export interface PollResult {
	items: IDataObject[];
	/** What n8n shows of an error, with its description. */
	failure?: string;
	/** Whether n8n stored the place. */
	isStored: boolean;
}

/** A node as a process holds it, with static data of its own. */
interface Held {
	workflow: Workflow;
	node: INode;
	wasPolled: boolean;
	/** How many polls began: with durable cursors only the latest holds the job (2.41.1). */
	begun: number;
}

/** A published workflow of polling triggers, whose process may end, on an n8n of each kind. */
export class PolledWorkflow {
	/** Names of nodes that were given one, by their IDs. */
	readonly names = new Map<string, string>();

	private saved = '{}';

	/** By the ID of the node. */
	private readonly cursors = new Map<string, string>();

	private readonly held = new Map<string, Held>();

	private processes = 0;

	constructor(
		readonly host: MemoryHost,
		public kind: HostKind,
	) {}

	/** Characters of the durable cursors. */
	get storedLength(): number {
		return [...this.cursors.values()].join('').length;
	}

	/** Another process goes on with what is stored; the one before has stored nothing since. */
	restart(): void {
		this.processes++;
		this.held.clear();
	}

	/** @param dies after the items started the workflow, and before anything is stored */
	async poll(id: string, parameters: INodeParameters, dies = false): Promise<PollResult> {
		if (this.kind === 'scheduler') this.held.clear();
		const held = this.held.get(id) ?? this.open(id, parameters);
		this.held.set(id, held);
		const turn = ++held.begun;
		const cursor = JSON.parse(this.cursors.get(id) ?? '{}') as IDataObject;
		const result = await this.call(held, cursor).then(
			(items) => ({ items, isStored: !dies && this.isSaved(held, items) }),
			(error: unknown) => ({ items: [], failure: textOf(error), isStored: false }),
		);
		if (this.kind === 'durable' && turn !== held.begun) return { items: [], isStored: false };
		if (result.isStored) {
			this.saved = JSON.stringify(held.workflow.staticData);
			this.cursors.set(id, JSON.stringify(cursor));
		}
		// If the poll at publishing fails, nothing is published, and the next one is at publishing.
		held.wasPolled ||= !('failure' in result);
		if (dies) this.restart();
		return result;
	}

	/** n8n saves with the items of a poll, and after the one at publishing. */
	private isSaved({ wasPolled }: Held, items: readonly IDataObject[]): boolean {
		return items.length > 0 || this.kind === 'durable' || (this.kind === 'process' && !wasPolled);
	}

	private async call({ node, workflow }: Held, cursor: IDataObject): Promise<IDataObject[]> {
		const { host, kind } = this;
		const context = contextOf(host, { workflow, node, mode: 'trigger' });
		const { getWorkflowStaticData } = context;
		const polled = {
			...context,
			getPollBudgetMs: () => BUDGET[kind],
			getWorkflowStaticData: (type: string) =>
				kind === 'durable' && type === 'node' ? cursor : getWorkflowStaticData(type),
		} as unknown as IPollFunctions;
		const output = await host.during(async () => await NODES.polling.poll.call(polled));
		return (output?.[0] ?? []).map(({ json }) => json);
	}

	private open(id: string, parameters: INodeParameters): Held {
		const staticData = JSON.parse(this.saved) as IDataObject;
		const name = this.names.get(id) ?? id;
		const workflow = this.host.workflow([{ node: 'polling', id, name, parameters }], {
			// What a process remembers of a workflow ends with it.
			id: `workflow of ${this.host.url} in process ${this.processes}`,
			staticData,
			active: true,
		});
		return { ...workflow, wasPolled: false, begun: 0 };
	}
}

function textOf(error: unknown): string {
	const { description, message } = error as NodeApiError;
	return `${message} ${description ?? ''}`;
}
