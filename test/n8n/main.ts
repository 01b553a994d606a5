import { chosenVersion, prepareN8n } from './prepareN8n';

/** Makes the chosen n8n ready, so that the tests do not have to wait for it. */
async function main(): Promise<void> {
	const { version, folder } = await prepareN8n(chosenVersion(process.env), console.log);
	console.log(`n8n ${version} is ready in ${folder}`);
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
