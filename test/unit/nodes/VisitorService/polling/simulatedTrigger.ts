import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import {
	ProcessPlaces,
	requireNothingToKeep,
	type StaticData,
	StoredCursor,
} from '../../../../../nodes/VisitorService/operations/pollStorage';
import type { PollSettings } from '../../../../../nodes/VisitorService/polling/currentPoll';
import type { PollCursor } from '../../../../../nodes/VisitorService/polling/cursor';
import { poll } from '../../../../../nodes/VisitorService/polling/poll';
import { type ListSource, PolledList } from '../../../../../nodes/VisitorService/polling/reading';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { type MetChanges, MINUTE, type PolledTenant } from './polledTenant';

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

/** By source: gets the records that a poll reads its list for, not those it only tries it with. */
const takers = new WeakMap<ListSource, (records: readonly JsonObject[]) => void>();

const readPages = Object.getOwnPropertyDescriptor(PolledList.prototype, 'read')
	?.value as PolledList['read'];

PolledList.prototype.read = async function (from, take, updatedSince, idPath) {
	const taker = idPath === undefined ? undefined : takers.get(this.source);
	const takeBoth: typeof take = (records, query) => {
		taker?.(records);
		return take(records, query);
	};
	return await readPages.call(this, from, takeBoth, updatedSince, idPath);
};

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

	/** Whether it said that another trigger in the workflow can put back its place. */
	saysNeighbour = false;

	/** Whether the pages of the list that it began with could show a user that was never updated. */
	hasSeenNeverUpdated = false;

	private ofWorkflow: StaticData;

	private ofNode: StaticData = this.nodeData('{}');

	private wasActivated = false;

	/** How far the clocks were set at the last poll, and at the last one that was saved. */
	private clocks = { ours: 0, date: 0 };

	private savedClocks = this.clocks;

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

	/** Does what an error tells the user to do. @returns whether to poll again */
	follow: (failure: ServiceFailure) => boolean = () => false;

	/** Called after each poll that stored its place. */
	polled: (met: MetChanges) => void = () => undefined;

	/** @returns what came out */
	async poll({ killedBeforeSaving = false } = {}): Promise<number[]> {
		const { host, settings } = this;
		const { updatedAt } = settings.paths;
		try {
			return await this.pollOnce(killedBeforeSaving);
		} catch (error) {
			// Another poll at the same time may have failed for the same reason.
			const isSet = this.host !== host || settings.paths.updatedAt !== updatedAt;
			if (!(error instanceof ServiceFailure) || !(isSet || this.follow(error))) throw error;
			return await this.poll({ killedBeforeSaving });
		}
	}

	private async pollOnce(killedBeforeSaving: boolean): Promise<number[]> {
		if (this.host !== 'process') this.load();
		const { stored, tenant } = this;
		const before = stored.read();
		tenant.beginPoll();
		const isOpening = before?.list === undefined || before.service !== tenant.service;
		const met: MetChanges = new Map();
		// Nobody moves to another page while all of them are looked at.
		const isLookedAt = tenant.pagesPerPoll === Infinity && tenant.beforePage === undefined;
		let hasSeenNeverUpdated = isLookedAt && tenant.ids.some((id) => tenant.isNeverUpdated(id));
		const source = Object.assign(Object.create(tenant) as PolledTenant, {
			fetchPage: async (page: number, pageSize: number, updatedSince?: number) => {
				const shown: MetChanges = new Map();
				const answer = await tenant.fetchPage(page, pageSize, updatedSince, shown);
				const isWhole = isOpening && updatedSince === undefined;
				hasSeenNeverUpdated ||=
					isWhole && [...shown.keys()].some((id) => tenant.isNeverUpdated(id));
				return answer;
			},
		});
		takers.set(source, (records) => {
			tenant.noteShown(
				records.map(({ change }) => change),
				met,
			);
		});
		this.polls++;
		const outcome = await poll(source, this.settings, before);
		const { records, cursor, notes } = outcome;
		// As the node does: another poll ended while this one was running.
		if (stored.isOvertaken) return [];
		if (this.host === 'scheduler' && records.length === 0) {
			requireNothingToKeep(this.settings, before, outcome);
		}
		stored.write(cursor);
		this.clocks = { ...tenant.clockSet };
		if (isOpening) this.hasSeenNeverUpdated = hasSeenNeverUpdated;
		if (this.host === 'scheduler' && stored.hasNeighbour) this.saysNeighbour = true;
		const out = records.map((record) => this.read(record));
		this.emitted.push(...out);
		this.notes = notes;
		// n8n saves when items come out, and after the poll at activation.
		const isFirst = !this.wasActivated && this.host === 'process';
		const isSaved = out.length > 0 || isFirst || this.host === 'durable';
		if (isSaved && !killedBeforeSaving) this.save();
		this.wasActivated = true;
		this.polled(met);
		return out;
	}

	/** The process ends, in whatever way, and another one goes on with what is stored. */
	restart(): void {
		this.process.end();
		this.load();
		this.wasActivated = false;
		this.clocks = this.savedClocks;
	}

	/** Whether the clocks would stand to each other as at the last poll, although they were set. */
	hidesClock(set: { ours: number; date: number }): boolean {
		return [this.clocks, this.savedClocks].some(({ ours, date }) => {
			const [ourStep, dateStep] = [set.ours - ours, set.date - date];
			return dateStep !== 0 && Math.abs(ourStep - dateStep) <= MINUTE;
		});
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
		this.savedClocks = this.clocks;
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
