import { parseArgs } from 'node:util';
import { chosenVersion, N8N_VERSIONS, type N8nVersion } from '../n8n/prepareN8n';

export interface DemoOptions {
	/** End when all is done instead of leaving the editor open. */
	once: boolean;
	/** Leave n8n's data behind. */
	keep: boolean;
	/** The editor's port; a free one if undefined. */
	port: number | undefined;
	n8n: N8nVersion;
	help: boolean;
}

export const USAGE = `npm run demo [-- options]

Shows the package at work in a real n8n, next to a Visitor Service of its own.

  --once           end when everything has run; the exit code says whether it worked
  --keep           leave n8n's data behind and say where it is
  --port <number>  the port of the editor (a free one otherwise)
  --n8n <version>  ${N8N_VERSIONS.join(' or ')} (the first one otherwise)
  --help           show this`;

/** Reads the command line. Throws an Error that says what is wrong with it. */
export function readDemoOptions(
	commandLine: string[],
	environment: NodeJS.ProcessEnv,
): DemoOptions {
	const { values } = parse(commandLine);
	return {
		once: values.once ?? false,
		keep: values.keep ?? false,
		help: values.help ?? false,
		port: values.port === undefined ? undefined : readPort(values.port),
		n8n: chosenVersion(
			values.n8n === undefined ? environment : { VISITOR_SERVICE_N8N: values.n8n },
		),
	};
}

function parse(commandLine: string[]) {
	try {
		return parseArgs({
			args: commandLine,
			options: {
				once: { type: 'boolean' },
				keep: { type: 'boolean' },
				port: { type: 'string' },
				n8n: { type: 'string' },
				help: { type: 'boolean', short: 'h' },
			},
		});
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`${reason}\n\n${USAGE}`);
	}
}

function readPort(text: string): number {
	const port = Number(text);
	// Ports below 1024 need special rights on most systems.
	if (Number.isInteger(port) && port >= 1024 && port <= 65_535) return port;
	throw new Error(`"${text}" is no usable port. Give one between 1024 and 65535.`);
}
