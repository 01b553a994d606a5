import {
	N8N_OPTIONS,
	N8N_USAGE,
	type N8nOptions,
	parseOptions,
	readN8nOptions,
} from './n8nOptions';

export interface DemoOptions extends N8nOptions {
	/** End when all is done instead of leaving the editor open. */
	once: boolean;
	/** Leave n8n's data behind. */
	keep: boolean;
}

export const USAGE = `npm run demo [-- options]

Shows the package at work in a real n8n, next to a Visitor Service of its own.

  --once           end when everything has run; the exit code says whether it worked
  --keep           leave n8n's data behind and say where it is
${N8N_USAGE}`;

/** Reads the command line. Throws an Error that says what is wrong with it. */
export function readDemoOptions(
	commandLine: string[],
	environment: NodeJS.ProcessEnv,
): DemoOptions {
	const options = { ...N8N_OPTIONS, once: { type: 'boolean' }, keep: { type: 'boolean' } } as const;
	const values = parseOptions(commandLine, options, USAGE);
	return {
		once: values.once ?? false,
		keep: values.keep ?? false,
		...readN8nOptions(values, environment),
	};
}
