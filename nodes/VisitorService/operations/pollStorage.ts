import type { IPollFunctions } from 'n8n-workflow';
import { type PollCursor, readCursor } from '../polling/cursor';
import { isRecord } from '../values/json';

const FIELD = 'cursor';
const FIELD_OF_WORKFLOW = 'visitorServicePollingTrigger';

/** By the ID of a workflow: the cursors of its triggers, by the IDs of their nodes. */
const processCursors = new Map<string, Record<string, unknown>>();

/**
 * The cursor of one trigger in n8n's static data. n8n keeps that of a node by the name of the node
 * (2.41.1, workflow.js, `getStaticData`), which may change, and which another node may get. So the
 * cursor is kept in that of the workflow, by the id of the node. Durable cursors are kept by the id
 * anyway, and begin with what is stored.
 *
 * Of two triggers in one workflow each may have static data of its own, which hold the cursor of
 * the other as it was when the workflow was published, and n8n saves them as a whole (2.41.1,
 * `workflow-trigger-activator.js`). So what is written holds the cursor of each that the process
 * knows.
 */
export function storedCursor(context: IPollFunctions) {
	const ofNode = context.getWorkflowStaticData('node');
	const ofWorkflow = context.getWorkflowStaticData('global');
	const { id } = context.getNode();
	const workflowId = context.getWorkflow().id ?? '';
	const kept = processCursors.get(workflowId) ?? {};
	processCursors.set(workflowId, kept);
	// What durable cursors hand out is a plain copy; only static data proper are watched for changes.
	const isDurable = !('__dataChanged' in ofNode);
	const byId = () => {
		const cursors: unknown = ofWorkflow[FIELD_OF_WORKFLOW];
		return isRecord(cursors) ? cursors : {};
	};
	const stored = (): unknown =>
		isDurable ? (ofNode[FIELD] ?? byId()[id]) : (byId()[id] ?? ofNode[FIELD]);
	const found = stored();
	if (found !== undefined) kept[id] = found;
	return {
		/** What was stored when the poll began. */
		cursor: readCursor(found),
		/** Whether n8n stores the cursor after each poll. */
		isDurable,
		/** Whether another poll, which began before this one ended, stored a cursor meanwhile. */
		isOvertaken: () => stored() !== found,
		write: (cursor: PollCursor) => {
			kept[id] = cursor;
			// n8n saves what is assigned as a whole, and sees no change within it.
			if (isDurable) ofNode[FIELD] = cursor;
			else ofWorkflow[FIELD_OF_WORKFLOW] = { ...byId(), ...kept };
		},
	};
}
