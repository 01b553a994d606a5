import { type ParseArgsConfig, parseArgs } from 'node:util';
import { chosenVersion, N8N_VERSIONS, type N8nVersion } from '../n8n/prepareN8n';

/** What `npm run demo` and `npm run dev` can be told about the n8n they start. */
export interface N8nOptions {
	/** The editor's port; a free one if undefined. */
	port: number | undefined;
	n8n: N8nVersion;
	help: boolean;
}

/** For `parseOptions`. */
export const N8N_OPTIONS = {
	port: { type: 'string' },
	n8n: { type: 'string' },
	help: { type: 'boolean', short: 'h' },
} as const;

export const N8N_USAGE = `\
  --port <number>  the port of the editor (a free one otherwise)
  --n8n <version>  ${N8N_VERSIONS.join(' or ')} (the first one otherwise)
  --help           show this`;

/** Throws an Error that shows the usage if an option is not known. */
export function parseOptions<Options extends NonNullable<ParseArgsConfig['options']>>(
	commandLine: string[],
	options: Options,
	usage: string,
) {
	try {
		return parseArgs({ args: commandLine, options }).values;
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`${reason}\n\n${usage}`);
	}
}

/** Throws an Error that says what is wrong with the port or the version. */
export function readN8nOptions(
	{ port, n8n, help }: { port?: string; n8n?: string; help?: boolean },
	environment: NodeJS.ProcessEnv,
): N8nOptions {
	return {
		port: port === undefined ? undefined : readPort(port),
		n8n: chosenVersion(n8n === undefined ? environment : { VISITOR_SERVICE_N8N: n8n }),
		help: help ?? false,
	};
}

function readPort(text: string): number {
	const port = Number(text);
	// Ports below 1024 need special rights on most systems.
	if (Number.isInteger(port) && port >= 1024 && port <= 65_535) return port;
	throw new Error(`"${text}" is no usable port. Give one between 1024 and 65535.`);
}
