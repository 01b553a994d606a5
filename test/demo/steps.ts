import { Listr } from 'listr2';
import type { StepResult } from './stepTable';

/** What a step ends with: a value for the steps after it, and a line about it for people. */
export interface StepOutcome<Value> {
	value: Value;
	detail: string;
}

export type Report = (progress: string) => void;

/** Runs one step after the other, shows each while it runs, and keeps how each one ended. */
export class Steps {
	readonly results: StepResult[] = [];

	/**
	 * Shows and runs a step. Its failure is kept and thrown on, as no later step can do without it.
	 */
	async run<Value>(
		title: string,
		action: (report: Report) => Promise<StepOutcome<Value>>,
	): Promise<Value> {
		const start = performance.now();
		const end = (passed: boolean, detail: string) => {
			this.results.push({ title, passed, detail, seconds: (performance.now() - start) / 1000 });
		};
		const context: { outcome?: StepOutcome<Value> } = {};
		try {
			await new Listr(
				[
					{
						title,
						task: async (own: typeof context, task) => {
							own.outcome = await action((progress) => {
								task.output = progress;
							});
							task.title = `${title}: ${own.outcome.detail}`;
						},
					},
				],
				// Ctrl-C is the demo's: it has servers to stop first.
				{ registerSignalListeners: false },
			).run(context);
		} catch (error) {
			// Whoever runs the steps shows the error itself; it is too long for a line of a table.
			end(false, 'see below');
			throw error;
		}
		if (!context.outcome) throw new Error(`${title} ended without a result.`);
		end(true, context.outcome.detail);
		return context.outcome.value;
	}
}
