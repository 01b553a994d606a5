import {
	requireNothingToKeep,
	type StaticData,
	StoredCursor,
} from '../../../../../nodes/VisitorService/operations/pollStorage';
import type { PollCursor } from '../../../../../nodes/VisitorService/polling/cursor';
import { type PollSettings, poll } from '../../../../../nodes/VisitorService/polling/poll';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { MINUTE, type SimulatedTenant } from './simulatedTenant';

export const plainSettings: PollSettings = {
	triggerOn: 'createdOrUpdated',
	acceptsUpdatedSince: true,
	overlap: 5 * MINUTE,
	paths: { id: '', updatedAt: '', createdAt: '' },
	pageSize: 100,
	maxItems: 10_000,
};

/**
 * How n8n keeps what a trigger stores: as static data that live as long as the process; as those, but of polls its
 * scheduler makes, which begin with what is saved; or as durable cursors.
 */
export type Host = 'process' | 'scheduler' | 'durable';

/** What the database holds of a workflow, and of durable cursors. */
export class SimulatedDatabase {
	workflow = '{}';

	/** By the ID of the node. */
	readonly cursors: Record<string, string> = {};
}

/** One trigger in one process. */
export class SimulatedTrigger {
	settings: PollSettings;

	/** What came out, in the order it came: the number of the change, or of the creation, or of the user. */
	readonly emitted: number[] = [];

	notes: string[] = [];

	/** How often it polled. */
	polls = 0;

	/** How often what it keeps was saved. */
	saves = 0;

	/** Whether it said that another trigger in the workflow can put back its place. */
	saysNeighbour = false;

	private ofWorkflow: StaticData;

	private ofNode: StaticData = this.nodeData('{}');

	private wasActivated = false;

	constructor(
		private readonly tenant: SimulatedTenant,
		settings: Partial<PollSettings> = {},
		private readonly host: Host = 'process',
		private readonly database = new SimulatedDatabase(),
		private readonly nodeId = 'node-1',
	) {
		this.settings = { ...plainSettings, ...settings };
		this.ofWorkflow = JSON.parse(database.workflow) as StaticData;
	}

	get cursor(): PollCursor | undefined {
		return this.stored.read();
	}

	set cursor(cursor: unknown) {
		this.ofWorkflow = {};
		this.ofNode = { ...this.nodeData('{}'), cursor };
	}

	/** @returns what came out */
	async poll({ killedBeforeSaving = false } = {}): Promise<number[]> {
		if (this.host !== 'process') this.load();
		const { stored, tenant } = this;
		tenant.beginPoll();
		this.polls++;
		const before = stored.read();
		const { records, cursor, notes } = await poll(tenant, this.settings, before);
		// As the node does: another poll ended while this one was running.
		if (stored.isOvertaken) return [];
		if (this.host === 'scheduler' && records.length === 0) {
			requireNothingToKeep(this.settings, before, cursor);
		}
		stored.write(cursor);
		if (stored.hasNeighbour) this.saysNeighbour = true;
		const out = records.map((record) => this.read(record));
		this.emitted.push(...out);
		this.notes = notes;
		// n8n saves when items come out, and after the poll at activation.
		const isFirst = !this.wasActivated && this.host === 'process';
		const isSaved = out.length > 0 || isFirst || this.host === 'durable';
		if (isSaved && !killedBeforeSaving) this.save();
		this.wasActivated = true;
		return out;
	}

	/** The process ends, in whatever way, and another one goes on with what is stored. */
	restart(): void {
		this.load();
		this.wasActivated = false;
	}

	private load(): void {
		this.ofWorkflow = JSON.parse(this.database.workflow) as StaticData;
		this.ofNode = this.nodeData(this.database.cursors[this.nodeId] ?? '{}');
	}

	/** n8n marks static data proper, and hands out durable cursors as plain copies. */
	private nodeData(cursor: string): StaticData {
		return this.host === 'durable' ? (JSON.parse(cursor) as StaticData) : { __dataChanged: false };
	}

	private save(): void {
		this.saves++;
		this.database.workflow = JSON.stringify(this.ofWorkflow);
		this.database.cursors[this.nodeId] = JSON.stringify(this.ofNode);
	}

	private get stored(): StoredCursor {
		return new StoredCursor(this.ofNode, this.ofWorkflow, this.nodeId);
	}

	/** Whether the list was not read to its end yet. */
	get isReading(): boolean {
		const { changes, comparison } = this.cursor ?? {};
		return (changes?.open ?? comparison?.open) !== undefined;
	}

	/** Polls until nothing comes any more. */
	async drain(most = 50): Promise<number[]> {
		const out: number[] = [];
		for (let idle = 0, polls = 0; idle < 2 && polls < most; polls++) {
			const came = await this.poll();
			out.push(...came);
			idle = came.length === 0 && !this.isReading ? idle + 1 : 0;
		}
		return out;
	}

	private read({ change, created, id }: JsonObject): number {
		const { triggerOn } = this.settings;
		if (triggerOn === 'removed') return Number(/\d+$/.exec(String(id)));
		const told = triggerOn === 'created' ? created : change;
		if (typeof told !== 'number') throw new Error('A record of the simulated tenant has a change.');
		return told;
	}
}

export function repeated(numbers: readonly number[]): number[] {
	return numbers.filter((number, place) => numbers.indexOf(number) !== place);
}
