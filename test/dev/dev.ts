import path from 'node:path';
import { parseArgs } from 'node:util';
import { EXIT_CODE_INTERRUPTED, interruption } from '../demo/interruption';
import { chosenVersion, prepareN8n } from '../n8n/prepareN8n';
import { startDevelopment } from './development';

/**
 * Runs the package from its sources in a real n8n, next to a Visitor Service, until Ctrl-C. Returns
 * the exit code: 0 if it ran until then.
 *
 * @param args `--inspect` lets a debugger attach to n8n
 */
export async function dev(args: string[]): Promise<number> {
	const { inspect } = parseArgs({ args, options: { inspect: { type: 'boolean' } } }).values;
	const giveUp = new AbortController();
	const interrupted = interruption();
	void interrupted.then(() => giveUp.abort());
	try {
		const development = await startDevelopment({
			sources: path.resolve(__dirname, '..', '..'),
			installation: await prepareN8n(chosenVersion(process.env), console.log),
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
${inspect === true ? 'Debugger         127.0.0.1:9229\n' : ''}
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
