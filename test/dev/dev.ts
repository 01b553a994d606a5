import path from 'node:path';
import { N8N_USAGE, readOptions } from '../demo/n8nOptions';
import { prepareN8n } from '../n8n/prepareN8n';
import { startDevelopment } from './development';

const USAGE = `npm run dev [-- options]

Runs the package from its sources in a real n8n, next to a Visitor Service of its own. After a change n8n reloads the nodes.

  --inspect        let a debugger attach to n8n, at 127.0.0.1:9229
${N8N_USAGE}`;

/** As shells report a program that Ctrl-C has ended: 128 + SIGINT. */
const EXIT_CODE_INTERRUPTED = 130;

/**
 * Runs the package from its sources in a real n8n until Ctrl-C. Returns the exit code: 0 if it ran
 * until then.
 *
 * @param commandLine the arguments, see USAGE
 */
export async function dev(commandLine: string[]): Promise<number> {
	const { help, port, n8n, inspect } = await readOptions(commandLine, USAGE, ['inspect']);
	if (help) {
		console.log(USAGE);
		return 0;
	}
	const giveUp = new AbortController();
	const interrupted = new Promise<void>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			process.on(signal, () => {
				giveUp.abort();
				resolve();
			});
		}
	});
	try {
		const development = await startDevelopment({
			sources: path.resolve(__dirname, '..', '..'),
			installation: await prepareN8n(n8n, console.log),
			port,
			inspect,
			onOutput: (text) => {
				process.stdout.write(text);
			},
			signal: giveUp.signal,
		});
		const { url, owner, service, workflowName } = development;
		console.log(`
Editor           ${url}
Login            ${owner.email}  ${owner.password}
Workflow         ${workflowName}
Visitor Service  ${service.url}
${inspect ? 'Debugger         127.0.0.1:9229\n' : ''}
Change a source, and n8n reloads the nodes; then reload the page of the editor. Ctrl-C stops everything.
`);
		await interrupted;
		console.log('\nStopping.');
		await development.stop();
		return 0;
	} catch (error) {
		if (giveUp.signal.aborted) return EXIT_CODE_INTERRUPTED;
		throw error;
	}
}
