/** What a step ends with: a value for the steps after it, and a line about it for people. */
export interface StepOutcome<Value> {
	value: Value;
	detail: string;
}

type Report = (progress: string) => void;

/**
 * Runs a step, shows what it reports, and how it ended. Its failure is thrown on, as no later step
 * can do without it.
 */
export async function step<Value>(
	title: string,
	action: (report: Report) => Promise<StepOutcome<Value>>,
): Promise<Value> {
	const start = performance.now();
	const seconds = () => ((performance.now() - start) / 1000).toFixed(1).padStart(6);
	try {
		const { value, detail } = await action((progress) => {
			console.log(`...            ${title}: ${progress}`);
		});
		console.log(`ok     ${seconds()} s  ${title}: ${detail.replaceAll(/\s+/g, ' ').trim()}`);
		return value;
	} catch (error) {
		console.log(`FAILED ${seconds()} s  ${title}`);
		throw error;
	}
}
