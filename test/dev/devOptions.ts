import {
	N8N_OPTIONS,
	N8N_USAGE,
	type N8nOptions,
	parseOptions,
	readN8nOptions,
} from '../demo/n8nOptions';

export interface DevOptions extends N8nOptions {
	/** Whether a debugger can attach to n8n. */
	inspect: boolean;
}

export const USAGE = `npm run dev [-- options]

Runs the package from its sources in a real n8n, next to a Visitor Service of its own. After a change n8n reloads the nodes.

  --inspect        let a debugger attach to n8n, at 127.0.0.1:9229
${N8N_USAGE}`;

/** Reads the command line. Throws an Error that says what is wrong with it. */
export function readDevOptions(commandLine: string[], environment: NodeJS.ProcessEnv): DevOptions {
	const options = { ...N8N_OPTIONS, inspect: { type: 'boolean' } } as const;
	const values = parseOptions(commandLine, options, USAGE);
	return { inspect: values.inspect ?? false, ...readN8nOptions(values, environment) };
}
