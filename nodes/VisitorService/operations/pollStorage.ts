import { ServiceFailure } from '../failure/serviceFailure';
import { type PollCursor, readCursor } from '../polling/cursor';
import type { PollOutcome } from '../polling/poll';
import { DAY } from '../values/instant';
import { isRecord } from '../values/json';
import type { PollingParameters } from './pollingParameters';

/** What n8n keeps for a workflow or one of its nodes. */
export type StaticData = Record<string, unknown>;

/**
 * The places of the triggers of one workflow, by the IDs of their nodes, as one process knows them.
 */
export type WorkflowPlaces = Map<string, unknown>;

/**
 * So much longer than the other one did a trigger stored nothing that was deleted. n8n tells no
 * trigger of others.
 */
const MAX_SILENCE = 30 * DAY;

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
 * `workflow-trigger-activator.js`). So what is written holds the newest place of each that the
 * process knows.
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
			const { byId, places } = this;
			for (const [id, place] of Object.entries(byId)) {
				if (!places.has(id) || isLater(place, places.get(id))) places.set(id, place);
			}
			places.set(this.nodeId, cursor);
			this.ofWorkflow[FIELD_OF_WORKFLOW] = Object.fromEntries(places);
		}
	}

	private get stored(): unknown {
		const ofNode = this.ofNode[FIELD];
		const byId = this.byId[this.nodeId];
		return this.isDurable ? (ofNode ?? byId) : (byId ?? ofNode);
	}

	/**
	 * Whether another polling trigger stands in the same workflow. If another process may poll it,
	 * its newest place is not known here, and each puts back that of the other.
	 */
	get hasNeighbour(): boolean {
		const lastPoll = polledAt(this.found) ?? -Infinity;
		const isAlive = (place: unknown) => lastPoll - (polledAt(place) ?? Infinity) <= MAX_SILENCE;
		return (
			!this.isDurable &&
			Object.entries(this.byId).some(([id, place]) => id !== this.nodeId && isAlive(place))
		);
	}

	/**
	 * What durable cursors hand out is a plain copy; only static data proper are watched for changes.
	 */
	get isDurable(): boolean {
		return !('__dataChanged' in this.ofNode);
	}

	private get byId(): Record<string, unknown> {
		const cursors = this.ofWorkflow[FIELD_OF_WORKFLOW];
		return isRecord(cursors) ? cursors : {};
	}
}

function polledAt(place: unknown): number | undefined {
	return readCursor(place)?.polledAt;
}

/**
 * With several main processes, another one may have polled since this one did: what it stored is
 * found at publishing.
 */
function isLater(one: unknown, other: unknown): boolean {
	return (polledAt(one) ?? -Infinity) > (polledAt(other) ?? -Infinity);
}

/**
 * n8n's scheduler stores the place of a poll without results only with durable cursors (2.41.1).
 * Without them the next poll would begin at the same place again: a trigger could stay at its
 * beginning for ever.
 *
 * @throws ServiceFailure if something would be lost by that: why a page could not be read, as long
 *   as the whole list might be read without that
 */
export function requireNothingToKeep(
	{ match, triggerOn }: Pick<PollingParameters, 'match' | 'triggerOn'>,
	before: PollCursor | undefined,
	{ cursor: after, interruptedBy }: Pick<PollOutcome, 'cursor' | 'interruptedBy'>,
): void {
	const isUnfinished = [before, after].some(
		(cursor) => cursor !== undefined && (cursor.reading !== undefined || cursor.doubted.length > 0),
	);
	// These remember what is not returned.
	const isQuiet = triggerOn === 'updated' || triggerOn === 'removed' || match.conditions.length > 0;
	if (before !== undefined && !isUnfinished && !isQuiet) return;
	if (interruptedBy !== undefined) throw interruptedBy;
	throw new ServiceFailure(
		'This n8n forgets how far a poll without results has come, so that part of the list would never be read.',
		'Start n8n with N8N_POLLER_DURABLE_CURSORS_ENABLED=true, or without N8N_SCHEDULER_POLL_TRIGGERS_ENABLED.',
		{ kind: 'configuration' },
	);
}
