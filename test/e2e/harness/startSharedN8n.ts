import { appendFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { signIn } from '../../n8n/n8nClient';
import { packPackage } from '../../n8n/packPackage';
import { chosenVersion, prepareN8n } from '../../n8n/prepareN8n';
import { type RunningN8n, startN8n } from '../../n8n/startN8n';

export const SHARED_N8N_URL = 'VISITOR_SERVICE_E2E_N8N_URL';
/** The file with all that it prints. */
export const SHARED_N8N_LOG = 'VISITOR_SERVICE_E2E_N8N_LOG';

const logFile = path.join(os.tmpdir(), `visitor-service-n8n-${process.pid}.log`);

let shared: RunningN8n | undefined;

/** Starts one n8n for all end-to-end test files of a run: each start costs 20 seconds. */
export default async function startSharedN8n(): Promise<void> {
	const installation = await prepareN8n(chosenVersion(process.env), console.log);
	shared = await startN8n({
		installation,
		tarball: await packPackage(console.log),
		environment: { N8N_LOG_LEVEL: 'debug' },
		onOutput: (text) => appendFileSync(logFile, text),
	});
	process.env[SHARED_N8N_LOG] = logFile;
	process.env[SHARED_N8N_URL] = shared.url;
	// Creates the owner, so that the test files only have to sign in.
	await (await signIn(shared.url)).close();
}

export async function stopSharedN8n(): Promise<void> {
	await shared?.stop();
	rmSync(logFile, { force: true });
}
