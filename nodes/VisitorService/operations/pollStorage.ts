import { type PollCursor, readCursor } from '../polling/cursor';
import { isRecord } from '../values/json';

/** What n8n keeps for a workflow or one of its nodes. */
export type StaticData = Record<string, unknown>;

/**
 * The places of the triggers of one workflow, by the IDs of their nodes, as one process knows them.
 */
export type WorkflowPlaces = Map<string, unknown>;

const FIELD = 'cursor';
const FIELD_OF_WORKFLOW = 'visitorServicePollingTrigger';

/**
 * The cursor of one trigger in n8n's static data. n8n keeps that of a node by the name of the node
 * (2.41.1, workflow.js, `getStaticData`), which may change, and which another node may get. So the
 * cursor is kept in that of the workflow, by the id of the node. Durable cursors are kept by the id
 * anyway, and begin with what is stored.
 *
 * Of two triggers in one workflow each may have static data of its own, which hold the place of the
 * other as it was when the workflow was published, and n8n saves them as a whole (2.41.1,
 * `workflow-trigger-activator.js`). So what is written holds the place of each that the process
 * knows.
 */
export class StoredCursor {
	/** What was stored when the poll began. */
	private readonly found: unknown;

	constructor(
		private readonly ofNode: StaticData,
		private readonly ofWorkflow: StaticData,
		private readonly nodeId: string,
		private readonly places: WorkflowPlaces = new Map(),
	) {
		this.found = this.stored;
		if (this.found !== undefined) places.set(nodeId, this.found);
	}

	read(): PollCursor | undefined {
		return readCursor(this.found);
	}

	/** Whether another poll, which began before this one ended, stored a cursor meanwhile. */
	get isOvertaken(): boolean {
		return this.stored !== this.found;
	}

	/**
	 * n8n saves what is assigned as a whole, and sees no change within it.
	 *
	 * @throws Error for a cursor that could not be read again: of it only its place would be left,
	 *   and so for ever
	 */
	write(cursor: PollCursor): void {
		if (readCursor(cursor) !== cursor)
			throw new Error('The place of a poll could not be read again.');
		if (this.isDurable) this.ofNode[FIELD] = cursor;
		else {
			this.places.set(this.nodeId, cursor);
			this.ofWorkflow[FIELD_OF_WORKFLOW] = { ...this.byId, ...Object.fromEntries(this.places) };
		}
	}

	/**
	 * What durable cursors hand out is a plain copy; only static data proper are watched for changes.
	 */
	get isDurable(): boolean {
		return !('__dataChanged' in this.ofNode);
	}

	private get stored(): unknown {
		const ofNode = this.ofNode[FIELD];
		const byId = this.byId[this.nodeId];
		return this.isDurable ? (ofNode ?? byId) : (byId ?? ofNode);
	}

	private get byId(): Record<string, unknown> {
		const cursors = this.ofWorkflow[FIELD_OF_WORKFLOW];
		return isRecord(cursors) ? cursors : {};
	}
}
