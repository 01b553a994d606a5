import { parseArgs } from 'node:util';
import { isPortFree } from '../n8n/freePorts';
import { chosenVersion, N8N_VERSIONS, type N8nVersion } from '../n8n/prepareN8n';

/** What `npm run demo` and `npm run dev` can be told about the n8n they start. */
interface N8nOptions {
	/** The editor's port; a free one if undefined. */
	port: number | undefined;
	n8n: N8nVersion;
	help: boolean;
}

export const N8N_USAGE = `\
  --port <number>  the port of the editor (a free one otherwise)
  --n8n <version>  ${N8N_VERSIONS.join(' or ')} (the first one otherwise)
  --help           show this`;

/**
 * Reads the command line.
 *
 * @param flags those that only this program has
 * @throws Error that says what is wrong with it, or that the port is taken
 */
export async function readOptions<Flag extends string>(
	commandLine: string[],
	usage: string,
	flags: readonly Flag[],
): Promise<N8nOptions & Record<Flag, boolean>> {
	const { port, n8n, help, ...own } = parse(commandLine, usage, flags);
	const version = n8n === undefined ? process.env : { VISITOR_SERVICE_N8N: n8n };
	return {
		...(Object.fromEntries(flags.map((flag) => [flag, flag in own])) as Record<Flag, boolean>),
		port: port === undefined ? undefined : await readPort(port),
		n8n: chosenVersion(version),
		help: help === true,
	};
}

function parse(commandLine: string[], usage: string, flags: readonly string[]) {
	const flag = { type: 'boolean' } as const;
	const text = { type: 'string' } as const;
	const own = Object.fromEntries(flags.map((name) => [name, flag]));
	const options = { ...own, port: text, n8n: text, help: { ...flag, short: 'h' } };
	try {
		return parseArgs({ args: commandLine, options }).values;
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`${reason}\n\n${usage}`);
	}
}

async function readPort(text: string): Promise<number> {
	const port = Number(text);
	// Ports below 1024 need special rights on most systems.
	if (!Number.isInteger(port) || port < 1024 || port > 65_535)
		throw new Error(`"${text}" is no usable port. Give one between 1024 and 65535.`);
	if (await isPortFree(port)) return port;
	throw new Error(
		`Port ${port} is taken. Give another one with --port, or none to get a free one.`,
	);
}
