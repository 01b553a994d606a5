import type { IPollFunctions } from 'n8n-workflow';
import { type PollCursor, readCursor, writeCursor } from '../polling/cursor';
import { isJsonObject } from '../values/json';
import { clock } from './host';

const FIELD = 'cursor';
const FIELD_OF_WORKFLOW = 'visitorServicePollingTrigger';

/** The cursors of each workflow, by its ID and then by the IDs of its trigger nodes. */
const processCursors = new Map<string, Record<string, unknown>>();

/**
 * The cursor of one trigger in n8n's static data. n8n keeps that of a node by the name of the node
 * (2.41.1, workflow.js, `getStaticData`), which may change, and which another node may get. So the
 * cursor is kept in that of the workflow, by the id of the node. Durable cursors are kept by the id
 * anyway, and begin with what is stored.
 *
 * Two triggers of one workflow may each have a copy of the static data from when the workflow was
 * published, with an old cursor of the other trigger, and n8n saves the whole copy (2.41.1,
 * `workflow-trigger-activator.js`). So each write includes the cursors of both, which the process
 * keeps.
 */
export function openCursorStore(context: IPollFunctions) {
	const nodeData = context.getWorkflowStaticData('node');
	const workflowData = context.getWorkflowStaticData('global');
	const { id } = context.getNode();
	const workflowId = context.getWorkflow().id ?? '';
	const cursorsById = processCursors.get(workflowId) ?? {};
	processCursors.set(workflowId, cursorsById);
	// With durable cursors this is a plain copy. Only real static data are watched for changes.
	const isDurable = !('__dataChanged' in nodeData);
	const byId = () => {
		const cursors: unknown = workflowData[FIELD_OF_WORKFLOW];
		return isJsonObject(cursors) ? cursors : {};
	};
	const stored = (): unknown =>
		isDurable ? (nodeData[FIELD] ?? byId()[id]) : (byId()[id] ?? nodeData[FIELD]);
	const found = stored();
	// Another process may have polled since this one last did, and then this one goes on again.
	for (const [other, cursor] of Object.entries(byId()))
		if (writtenAtOf(cursor) > writtenAtOf(cursorsById[other])) cursorsById[other] = cursor;
	return {
		/** What was stored when the poll began. */
		cursor: readCursor(found),
		/** Whether n8n stores the cursor after each poll. */
		isDurable,
		/** Whether another poll, which began before this one ended, stored a cursor meanwhile. */
		isOvertaken: () => stored() !== found,
		write: (cursor: PollCursor) => {
			const written = { ...writeCursor(cursor), writtenAt: clock.now() };
			cursorsById[id] = written;
			// n8n saves what is assigned as a whole, and sees no change within it.
			if (isDurable) nodeData[FIELD] = written;
			else workflowData[FIELD_OF_WORKFLOW] = { ...byId(), ...cursorsById };
		},
	};
}

/** When a cursor was written. A number of polls would not do: n8n does not store each of them. */
function writtenAtOf(cursor: unknown): number {
	return isJsonObject(cursor) && typeof cursor.writtenAt === 'number' ? cursor.writtenAt : 0;
}
