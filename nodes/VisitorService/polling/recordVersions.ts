import type { RecordId } from '../answer/identity';
import type { JsonObject } from '../values/json';
import {
	completeFields,
	type RecordFields,
	type RecordNames,
	readCreation,
	readUpdate,
	requireId,
} from './fields';
import type { RememberedVersion } from './memory';
import {
	comparePositions,
	type Moment,
	type Position,
	type TriggerOn,
	type Version,
	versionKey,
} from './versions';

/** Reads which version of a record a list shows, and notices records without any time. */
export class VersionReader {
	private hasTimeless = false;

	constructor(
		/** Where the times of records are, as far as pages have shown them. */
		public fields: RecordFields,
		private readonly names: RecordNames,
		private readonly triggerOn: TriggerOn,
	) {}

	/** Looks through a page for where its times are, before its records are read. */
	look(records: readonly JsonObject[]): void {
		this.fields = completeFields(this.fields, records, this.names);
	}

	/**
	 * @returns undefined if the record has no time that can be read
	 * @throws ServiceFailure if it has no ID
	 */
	read(record: JsonObject): (Version & { updated: Moment }) | undefined {
		const { fields, names, triggerOn } = this;
		const id = requireId(record, fields.id, names);
		const created = readCreation(record, fields);
		const updated = readUpdate(record, fields) ?? (triggerOn === 'created' ? created : undefined);
		const moment = triggerOn === 'created' ? created : updated;
		if (updated === undefined || moment === undefined) {
			this.hasTimeless = true;
			return undefined;
		}
		const key = triggerOn === 'created' ? creationKey(id, moment) : versionKey(id, updated.state);
		const tick = triggerOn === 'created' ? 0 : moment.tick;
		return { key, time: moment.latest, earliest: moment.earliest, tick, updated, record };
	}

	/**
	 * @param known who was created before is not new
	 * @param since from then on the first version of a record counts as its creation
	 * @returns undefined if it is not the version of a new record
	 */
	creationOf(
		{ record, time }: Version,
		known: Position,
		since: Position,
	): RememberedVersion | undefined {
		const { fields, names } = this;
		const created = readCreation(record, fields);
		if (created === undefined) return undefined;
		const key = creationKey(requireId(record, fields.id, names), created);
		const creation = { key, time: created.latest, content: '' };
		// The first version of a record has another key, and may still be one to come.
		const isFirst = time === created.latest;
		const isBefore = isFirst ? time < since.time : comparePositions(creation, known) < 0;
		return isBefore ? undefined : creation;
	}

	/** What the user should know of records without a time. */
	noteTimeless(): string[] {
		return this.hasTimeless ? [timelessNote(this.names)] : [];
	}
}

function timelessNote({ plural }: RecordNames): string {
	return `Some ${plural} have no time that can be read, so they are left out. Ask your service provider why.`;
}

/** A record is created once, whatever becomes of it later; but its ID may be used again. */
function creationKey(id: RecordId, { earliest }: Moment): string {
	return versionKey(id, ['created', earliest]);
}
