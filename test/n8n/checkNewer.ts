// `npm run check:n8n`: fails if a newer n8n than the pinned ones can be installed. CI runs it every
// week.
import { askNpm, findNewerN8n } from './newerN8n';
import { N8N_VERSIONS } from './prepareN8n';

async function main(): Promise<void> {
	const [pinned] = N8N_VERSIONS;
	const newer = await findNewerN8n(pinned, askNpm);
	switch (newer.kind) {
		case 'none':
			console.log(`n8n ${pinned} is the newest one.`);
			return;
		case 'incomplete':
			console.log(
				`n8n ${newer.version} is out, but cannot be installed yet: npm lacks ${newer.missing}.`,
			);
			return;
		case 'complete':
			console.error(
				`n8n ${newer.version} is out: put it in the place of ${pinned} in test/n8n, package.json and the workflows of CI.`,
			);
			process.exitCode = 1;
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
