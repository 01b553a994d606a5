import type { JsonObject } from '../../../../../nodes/VisitorService/listing/findRecords';
import type { PollCursor } from '../../../../../nodes/VisitorService/polling/pollCursor';
import {
	type PollSettings,
	pollUsers,
} from '../../../../../nodes/VisitorService/polling/pollUsers';
import {
	type StaticData,
	StoredCursor,
} from '../../../../../nodes/VisitorService/polling/storedCursor';
import { MINUTE, type SimulatedTenant } from './simulatedTenant';

export const plainSettings: PollSettings = {
	overlap: 5 * MINUTE,
	paths: { id: '', updatedAt: '' },
	pageSize: 100,
	maxItems: 10_000,
};

/** One trigger in one process, with the static data it holds and those that would survive the process. */
export class SimulatedTrigger {
	settings: PollSettings;

	/** Changes that came out, by their number, in the order they came. */
	readonly emitted: number[] = [];

	notes: string[] = [];

	/** How often it polled. */
	polls = 0;

	/** The static data of the node and of the workflow. */
	private data: [StaticData, StaticData] = [{}, {}];

	private saved = JSON.stringify(this.data);

	private wasActivated = false;

	constructor(
		private readonly tenant: SimulatedTenant,
		settings: Partial<PollSettings> = {},
	) {
		this.settings = { ...plainSettings, ...settings };
	}

	get cursor(): PollCursor | undefined {
		return this.stored.read();
	}

	set cursor(cursor: unknown) {
		this.data = [{ cursor }, {}];
	}

	/** @returns the changes that came out */
	async poll({ killedBeforeSaving = false } = {}): Promise<number[]> {
		const { stored, tenant } = this;
		tenant.beginPoll();
		this.polls++;
		const { users, cursor, notes } = await pollUsers(tenant, this.settings, stored.read());
		// As the node does: another poll ended while this one was running.
		if (stored.isOvertaken) return [];
		stored.write(cursor);
		const changes = users.map(changeOf);
		this.emitted.push(...changes);
		this.notes = notes;
		// n8n saves when items come out, and after the poll at activation.
		if ((changes.length > 0 || !this.wasActivated) && !killedBeforeSaving) this.save();
		this.wasActivated = true;
		return changes;
	}

	/** The process ends, in whatever way, and another one goes on with what is stored. */
	restart(): void {
		this.data = JSON.parse(this.saved) as [StaticData, StaticData];
		this.wasActivated = false;
	}

	private save(): void {
		this.saved = JSON.stringify(this.data);
	}

	private get stored(): StoredCursor {
		return new StoredCursor(...this.data, 'node-1');
	}

	/** Polls until nothing comes any more. */
	async drain(most = 50): Promise<number[]> {
		const changes: number[] = [];
		for (let idle = 0, polls = 0; idle < 2 && polls < most; polls++) {
			const came = await this.poll();
			changes.push(...came);
			idle = came.length === 0 && this.cursor?.reading === undefined ? idle + 1 : 0;
		}
		return changes;
	}
}

function changeOf(record: JsonObject): number {
	if (typeof record.change !== 'number')
		throw new Error('A record of the simulated tenant has a change.');
	return record.change;
}

export function repeated(numbers: readonly number[]): number[] {
	return numbers.filter((number, place) => numbers.indexOf(number) !== place);
}
