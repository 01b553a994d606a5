import { Pool } from 'pg';
import { hasEnded } from '../../n8n/execution';
import { array, object, string } from '../../n8n/responseShape';
import { waitFor } from '../../n8n/waitFor';

export interface EventExecution {
	executionId: string;
	/** The id of the event that started it; null where n8n has stored no data of it. */
	event: string | null;
	status: string;
}

/** Reads what n8n has stored in PostgreSQL, not what n8n says of it. */
export class ExecutionStore {
	private readonly pool: Pool;

	constructor(url: URL) {
		this.pool = new Pool({ connectionString: url.href, max: 2 });
		// An idle connection that a crashed server closes is replaced at the next query.
		this.pool.on('error', () => {});
	}

	async close(): Promise<void> {
		await this.pool.end();
	}

	/** How many executions of a workflow there are, by status. */
	async countByStatus(workflowId: string): Promise<Record<string, number>> {
		const rows = await this.query(
			'SELECT status, count(*)::int AS count FROM execution_entity WHERE "workflowId" = $1 GROUP BY status',
			[workflowId],
		);
		return Object.fromEntries(rows.map(({ status, count }) => [String(status), Number(count)]));
	}

	/**
	 * The executions of a workflow, oldest first, with the events that started them. Event ids are
	 * found by their form: `event-` and six digits.
	 */
	async eventExecutions(workflowId: string): Promise<EventExecution[]> {
		const rows = await this.query(
			`SELECT execution.id::text AS id, execution.status, substring(content.data FROM 'event-[0-9]{6}') AS event
			FROM execution_entity execution LEFT JOIN execution_data content ON content."executionId" = execution.id
			WHERE execution."workflowId" = $1 ORDER BY execution.id`,
			[workflowId],
		);
		return rows.map(({ id, status, event }) => ({
			executionId: string(id, 'The id of an execution'),
			status: string(status, 'The status of an execution'),
			event: typeof event === 'string' ? event : null,
		}));
	}

	/**
	 * In how many executions of a workflow each text occurs that a pattern (POSIX regular expression
	 * of PostgreSQL) matches. A text that occurs several times in one execution counts once.
	 */
	async occurrences(workflowId: string, pattern: string): Promise<Map<string, number>> {
		const rows = await this.query(
			`SELECT match[1] AS text, count(DISTINCT execution.id)::int AS count
			FROM execution_entity execution JOIN execution_data content ON content."executionId" = execution.id,
			LATERAL regexp_matches(content.data, $2, 'g') AS match
			WHERE execution."workflowId" = $1 GROUP BY 1`,
			[workflowId, pattern],
		);
		return new Map(rows.map(({ text, count }) => [string(text, 'A match'), Number(count)]));
	}

	/**
	 * Waits until each of these events has an execution that has ended, and returns the executions of
	 * the workflow.
	 */
	async waitForEvents(
		workflowId: string,
		events: string[],
		timeout: number,
	): Promise<EventExecution[]> {
		let missing = events;
		return await waitFor(
			() => `${missing.length} of ${events.length} events have no execution that has ended.`,
			timeout,
			async () => {
				// Counting costs much less than reading, and PostgreSQL may be down.
				const counts: Record<string, number> = await this.countByStatus(workflowId).catch(
					() => ({}),
				);
				const ended = Object.entries(counts).filter(([status]) => hasEnded({ status }));
				if (ended.reduce((sum, [, count]) => sum + count, 0) < events.length) return undefined;
				const executions = await this.eventExecutions(workflowId);
				const endedEvents = new Set(executions.filter(hasEnded).map(({ event }) => event));
				missing = events.filter((event) => !endedEvents.has(event));
				return missing.length === 0 ? executions : undefined;
			},
		);
	}

	/** Waits until every execution of a workflow has ended, and there are `count` at least. */
	async waitUntilEnded(workflowId: string, timeout: number, count = 0): Promise<EventExecution[]> {
		let executions: EventExecution[] = [];
		return await waitFor(
			() =>
				`Of ${executions.length} executions, ${executions.filter(hasEnded).length} have ended; ${count} are wanted.`,
			timeout,
			async () => {
				executions = await this.eventExecutions(workflowId);
				return executions.length >= count && executions.every(hasEnded) ? executions : undefined;
			},
		);
	}

	private async query(text: string, values: unknown[]): Promise<Array<Record<string, unknown>>> {
		const result: unknown = (await this.pool.query(text, values)).rows;
		return array(result, 'The rows of a query').map((row) => object(row, 'A row'));
	}
}
