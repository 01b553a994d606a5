import { isRecord } from '../json/isRecord';
import { type PollCursor, readCursor } from './pollCursor';

/** What n8n keeps for a workflow or one of its nodes. */
export type StaticData = Record<string, unknown>;

const FIELD = 'cursor';
const FIELD_OF_WORKFLOW = 'visitorServicePollingTrigger';

/**
 * The cursor of one trigger in n8n's static data. n8n keeps that of a node by the name of the node (2.41.1,
 * workflow.js, `getStaticData`), which may change, and which another node may get. So the cursor is kept in that of
 * the workflow, by the id of the node. Durable cursors are kept by the id anyway, and begin with what is stored.
 */
export class StoredCursor {
	/** What was stored when the poll began. */
	private readonly found: unknown;

	constructor(
		private readonly ofNode: StaticData,
		private readonly ofWorkflow: StaticData,
		private readonly nodeId: string,
	) {
		this.found = this.stored;
	}

	read(): PollCursor | undefined {
		return readCursor(this.found);
	}

	/** Whether another poll, which began before this one ended, stored a cursor meanwhile. */
	get isOvertaken(): boolean {
		return this.stored !== this.found;
	}

	/** n8n saves what is assigned as a whole, and sees no change within it. */
	write(cursor: PollCursor): void {
		if (this.isDurable) this.ofNode[FIELD] = cursor;
		else this.ofWorkflow[FIELD_OF_WORKFLOW] = { ...this.byId, [this.nodeId]: cursor };
	}

	private get stored(): unknown {
		const ofNode = this.ofNode[FIELD];
		const byId = this.byId[this.nodeId];
		return this.isDurable ? (ofNode ?? byId) : (byId ?? ofNode);
	}

	/** What durable cursors hand out is a plain copy; only static data proper are watched for changes. */
	private get isDurable(): boolean {
		return !('__dataChanged' in this.ofNode);
	}

	private get byId(): Record<string, unknown> {
		const cursors = this.ofWorkflow[FIELD_OF_WORKFLOW];
		return isRecord(cursors) ? cursors : {};
	}
}
