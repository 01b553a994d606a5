import {
	ProcessPlaces,
	requireNothingToKeep,
	type StaticData,
	StoredCursor,
} from '../../../../../nodes/VisitorService/operations/pollStorage';
import type { PollSettings } from '../../../../../nodes/VisitorService/polling/currentPoll';
import type { PollCursor } from '../../../../../nodes/VisitorService/polling/cursor';
import { poll } from '../../../../../nodes/VisitorService/polling/poll';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { MINUTE, type PolledTenant } from './polledTenant';

export const plainSettings: PollSettings = {
	triggerOn: 'createdOrUpdated',
	acceptsUpdatedSince: true,
	overlap: 5 * MINUTE,
	paths: { id: '', updatedAt: '', createdAt: '' },
	pageSize: 100,
	maxItems: 10_000,
};

/**
 * How n8n keeps what a trigger stores: as static data that live as long as the process; as those,
 * but of polls its scheduler makes, which begin with what is saved; or as durable cursors.
 */
export type Host = 'process' | 'scheduler' | 'durable';

/** One process of n8n, which ends with all it knows. */
export class SimulatedProcess {
	places = new ProcessPlaces();

	end(): void {
		this.places = new ProcessPlaces();
	}
}

/** What the database holds of a workflow, and of durable cursors. */
export class SimulatedDatabase {
	workflow = '{}';

	/** By the ID of the node. */
	readonly cursors: Record<string, string> = {};
}

/** One trigger in one process. */
export class SimulatedTrigger {
	settings: PollSettings;

	/**
	 * What came out, in the order it came: the number of the change, or of the creation, or of the
	 * user.
	 */
	readonly emitted: number[] = [];

	notes: string[] = [];

	/** How often it polled. */
	polls = 0;

	/** How often what it keeps was saved. */
	saves = 0;

	private ofWorkflow: StaticData;

	private ofNode: StaticData = this.nodeData('{}');

	private wasActivated = false;

	constructor(
		private readonly tenant: PolledTenant,
		settings: Partial<PollSettings> = {},
		public host: Host = 'process',
		private readonly database = new SimulatedDatabase(),
		private readonly nodeId = 'node-1',
		private readonly process = new SimulatedProcess(),
	) {
		this.settings = { ...plainSettings, paths: { ...plainSettings.paths }, ...settings };
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
		const before = stored.read();
		tenant.beginPoll();
		this.polls++;
		const outcome = await poll(tenant, this.settings, before);
		const { records, cursor, notes } = outcome;
		// As the node does: another poll ended while this one was running.
		if (stored.isOvertaken) return [];
		if (this.host === 'scheduler' && records.length === 0) {
			requireNothingToKeep(this.settings, before, outcome);
		}
		stored.write(cursor);
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
		this.process.end();
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
		const { host, nodeId, ofNode, ofWorkflow, process } = this;
		const places = host === 'process' ? process.places.of('workflow') : undefined;
		return new StoredCursor(ofNode, ofWorkflow, nodeId, places);
	}

	/** Whether the list was not read to its end yet. */
	get isReading(): boolean {
		const { changes, comparison } = this.cursor ?? {};
		return (changes?.unfinished ?? comparison?.unfinished) !== undefined;
	}

	/** Polls until three complete readings in a row returned nothing. */
	async drain(most = 200): Promise<number[]> {
		const out: number[] = [];
		for (let idle = 0, polls = 0; idle < 3; polls++) {
			if (polls > most) throw new Error('The trigger does not come to rest.');
			const came = await this.poll();
			out.push(...came);
			if (came.length > 0) idle = 0;
			else if (!this.isReading) idle++;
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
